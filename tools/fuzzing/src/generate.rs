//! Texts that no mutation would reach: deep nesting, thousands of everything, and pure noise.

use crate::mutate::LARGEST;
use crate::random::Random;
use crate::tokens::VOCABULARY;

/// What comes before, what is opened again and again, the middle, what closes it, and what comes
/// after.
type Nest = (&'static str, &'static str, &'static str, &'static str, &'static str);

const FRAME: &str = "type T: 0..3; R: record a: T; b: T end; A: array [T] of T; M: multiset [3] of T; \
    var x, y: T; r: R; a: A; m: M; z: boolean; function f(v: T): T; begin return v; end; \
    startstate begin clear r; clear a; clear m; x := 0; y := 0; z := true; end; rule z ==> z := !z; end;\n";

const NESTS: &[Nest] = &[
    ("invariant ", "(", "z", ")", ";"),
    ("invariant ", "!", "z", "", ";"),
    ("invariant ", "!(", "z", ")", ";"),
    ("invariant x = ", "-", "1", "", ";"),
    ("invariant x = ", "-(", "1", ")", ";"),
    ("invariant x = ", "~ ", "1", "", ";"),
    ("invariant x = ", "a[", "x", "]", ";"),
    ("invariant x = ", "f(", "x", ")", ";"),
    ("invariant x = ", "a[f(", "x", ")]", ";"),
    ("invariant x = ", "a.b[c.d[", "x", "]]", ";"),
    ("invariant x = ", "x.a", "", "", ";"),
    ("invariant x = ", "a[x]", "", "", ";"),
    ("invariant ", "z ? z : ", "z", "", ";"),
    ("invariant ", "z ? ", "z", " : z", ";"),
    ("invariant ", "(z ? ", "z", " : z)", ";"),
    ("invariant ", "z -> ", "z", "", ";"),
    ("invariant ", "z & ", "z", "", ";"),
    ("invariant ", "z & (z | ", "z", ")", ";"),
    ("invariant ", "z && z || ", "z", "", ";"),
    ("invariant x = ", "x + ", "x", "", ";"),
    ("invariant x = ", "x + (x * ", "x", ")", ";"),
    ("invariant ", "(x = ", "x", ")", ";"),
    ("invariant ", "x = ", "x", "", ";"),
    ("invariant ", "forall i: T do ", "z", " end", ";"),
    ("invariant ", "exists i := 0 to 3 by 1 do ", "z", " endexists", ";"),
    ("invariant ", "forall i: T; j: T do ", "i = j", " endforall", ";"),
    ("invariant ", "multisetcount(i: m, ", "z", ") = 0", ";"),
    ("invariant ", "ismember(x, 0..1 + ", "1", ")", ";"),
    ("invariant ", "isundefined(", "x", ")", ";"),
    ("rule begin ", "if z then ", "x := 1;", " end;", " end;"),
    ("rule begin ", "if z then x := 1; else ", "x := 1;", " end;", " end;"),
    ("rule begin if z then ", "elsif z then x := 1; ", "", "", " end; end;"),
    ("rule begin ", "for i: T do ", "x := i;", " endfor;", " end;"),
    ("rule begin ", "while z do ", "x := 1;", " end;", " end;"),
    ("rule begin ", "switch x case 0: ", "y := 1;", " end;", " end;"),
    ("rule begin ", "alias q: x do ", "q := 1;", " end;", " end;"),
    ("rule begin ", "alias q: r do ", "q.a := 1;", " end;", " end;"),
    ("rule begin multisetremovepred(i: m, ", "(", "z", ")", "); end;"),
    ("", "ruleset i: T do ", "rule z ==> z := false; end;", " endruleset;", ""),
    ("", "alias q: x do ", "rule z ==> q := 1; end;", " endalias;", ""),
    ("", "choose i: m do ", "rule z ==> x := 1; end;", " endchoose;", ""),
    ("type U: ", "record a: ", "T", " end", ";"),
    ("type U: ", "record a: T; b: ", "T", "; end", ";"),
    ("type U: ", "array [T] of ", "T", "", ";"),
    ("type U: ", "array [0..0] of ", "T", "", ";"),
    ("type U: ", "array [", "T", "] of T", ";"),
    ("type U: ", "union {", "T", "}", ";"),
    ("type U: ", "multiset [1] of ", "T", "", ";"),
    ("type U: ", "multiset [1] of record a: ", "T", " end", ";"),
    ("const c: ", "1 + (", "1", ")", ";"),
    ("const c: ", "(1 < 2 ? 1 : ", "1", ")", ";"),
    ("function g(v: ", "array [T] of ", "T", "", "): T; begin return x; end;"),
    ("function g(): T; begin ", "if z then return 1; else ", "return x;", " end;", " end;"),
    ("/*", "/*", " x ", "*/", "*/"),
];

/// Thousands of one thing; `#` is replaced by a number, each time the next, and `@` by the one
/// before.
type Many = (&'static str, &'static str, &'static str);

const MANY: &[Many] = &[
    ("invariant z", " & z", ";"),
    ("invariant z", " | x = 1", ";"),
    ("invariant z", " && (x = #)", ";"),
    ("invariant", " n# & ", "z;"),
    ("type E: enum {", "m#,", "last};"),
    ("type E: enum {", "m,", "last};"),
    ("type U: record ", "f#: T;", " end; var u: U;"),
    ("type U: record ", "f: T;", " end;"),
    ("type U: union {", "E#,", " T};"),
    ("", "type S#: scalarset(2);", ""),
    ("", "type V#: array [T] of T;", ""),
    ("", "type W#: W#;", ""),
    ("type ", "P#: scalarset(2); Q#: union {P#, enum {e#}};", ""),
    ("", "const k#: #;", ""),
    ("const k: 0", " + 1", ";"),
    ("", "const k#: n#;", ""),
    ("", "var v#: T;", ""),
    ("var ", "w#,", "last: T;"),
    ("var ", "w,", "last: T;"),
    ("", "var v#: U#;", ""),
    ("function g(", "p#: T;", "): T; begin return x; end;"),
    ("invariant f(", "x,", "x) = 1;"),
    ("", "function g#(v: T): T; begin return f(v); end;", ""),
    ("", "function g#(v: T): T; begin return g#(v); end;", ""),
    ("", "procedure h#(var v: T); begin v := x; end;", ""),
    ("", "rule z ==> x := 1; end;", ""),
    ("", "rule \"name#\" x = 1 ==> y := 1; end;", ""),
    ("", "rule \"same\" x = 1 ==> y := 1; end;", ""),
    ("", "startstate begin x := 1; end;", ""),
    ("", "invariant \"i#\" z;", ""),
    ("", "cover \"i#\" z;", ""),
    ("", "ruleset i: T do rule i = x ==> x := i; end; end;", ""),
    ("ruleset ", "i#: T;", " do rule z ==> end; end;"),
    ("ruleset ", "i#: 0..1;", " do rule z ==> end; end;"),
    ("rule begin ", "x := 1;", " end;"),
    ("rule begin ", "n# := 1;", " end;"),
    ("rule begin ", "h#(x);", " end;"),
    ("rule begin ", "x := x.f#;", " end;"),
    ("rule begin ", "x := u#.f#;", " end;"),
    ("rule begin ", "put \"text #\";", " end;"),
    ("rule begin ", "error \"text\";", " end;"),
    ("rule begin ", "var l#: T;", " begin x := 1; end;"),
    ("rule ", "var l#: T;", " begin x := 1; end;"),
    ("rule begin switch x ", "case #: y := 1;", " end; end;"),
    ("rule begin switch x case ", "1,", "2: y := 1; end; end;"),
    ("rule begin switch x case ", "#,", "2: y := 1; end; end;"),
    ("rule begin if z then x := 1; ", "elsif x = # then y := 1;", " end; end;"),
    ("rule begin for ", "i#: T;", " do x := 1; end; end;"),
    ("rule begin alias ", "q#: x;", " do x := 1; end; end;"),
    ("invariant forall ", "i#: T;", " do z end;"),
    ("rule begin ", "if z then x := 1; ", ""),
    ("", "end;", ""),
    ("", "endrule ", ""),
    ("", "rule ", ""),
    ("", "rule begin x := ; end;", ""),
    ("", "var a#: ;", ""),
    ("rule begin ", "a ? ", "end;"),
    ("rule begin ", "/*", ""),
    ("", "\"", ""),
    ("", "'a'", ""),
    ("", "“\n", ""),
    ("", "\\\"\n", ""),
    ("", "\"\n\"\"\n", ""),
    ("", "(", "end"),
    ("invariant ", "(", "z"),
    ("", "// a\n", ""),
    ("", "# @ ", ""),
    ("rule \"", "\\\\", "\" z ==> end;"),
    ("rule \"", "\n", "\" z ==> end;"),
    ("", "\n", ""),
    ("var", " ", "x: T;"),
    ("", ";", ""),
    ("", "--\n", ""),
    ("", "pctl [a]; ", ""),
    ("", "externfun e#(): T;", ""),
    ("type Q0: 0..1;", "type Q#: record a: Q@; b: Q@ end;", "var w: Q40; rule begin clear w; end;"),
    ("type Q0: 0..1;", "type Q#: record a: Q@; b: Q@ end;", "rule var w: Q40; begin clear w; end;"),
    ("type Q0: 0..1;", "type Q#: array [0..0] of Q@;", "var w: Q40; rule begin clear w; end;"),
    ("type V0: 0..1; W0: 0..1;", "type V#: array [T] of V@; W#: record a: W@ end;", "var v: V2; w: W9;"),
    ("type S: scalarset(2); U0: union {S, enum {e0}};", "type U#: union {U@, enum {e#}};", "var u: U40;"),
    (
        "type S: scalarset(2); rule begin for s: S do alias q0: x + y;",
        "q#: q@ + q@;",
        "do x := q40; end; end; end;",
    ),
    ("rule begin alias q0: a[x];", "q#: a[q@];", "do x := q40; end; end;"),
    ("rule begin alias q0: r;", "q#: q@;", "do q40.a := x; end; end;"),
    ("type S: scalarset(2); rule begin for s: S do", " x := y; ", "end; end;"),
    ("type S: scalarset(2); rule begin for s: S do", " a[#] := x; ", "end; end;"),
    ("type S: scalarset(2); rule begin", " for s#: S do x := 1;", ""),
    ("const ", "n#,", "n: 1 + 2 * 3 - 4 + 5 * 6 - 7 + 8 * 9;"),
    ("type ", "n#,", "n: record a, b, c: T; d: array [T] of T end;"),
    ("const c0: 1;", "const c#: c@ + c@;", ""),
    ("function g0(): T; begin return x; end;", "function g#(): T; begin return g@(); end;", ""),
    ("", "function g@(): T; begin return g#(); end;", "function g9999(): T; begin x := 1; return x; end;"),
    ("", "procedure h@(var v: T); begin h#(v); h@(v); h1(v); end;", ""),
    ("ruleset ", "i#: 0..0;", " do rule z ==> end; end;"),
    ("rule begin for ", "i#: 0..0;", " do x := 1; end; end;"),
    ("invariant exists ", "i#: 0..0;", " do z end;"),
    ("invariant forall ", "i# := 0 to x;", " do z end;"),
    ("alias ", "q#: x;", " do rule z ==> x := 1; end; end;"),
];

/// A text from one of the generators.
pub fn generate(random: &mut Random) -> Vec<u8> {
    let text = match random.below(10) {
        0..=3 => nested(random),
        4..=7 => many(random),
        8 => huge_token(random),
        _ => return noise(random),
    };
    let mut bytes = text.into_bytes();
    bytes.truncate(LARGEST);
    bytes
}

fn frame(random: &mut Random) -> &'static str {
    if random.once_in(5) { "" } else { FRAME }
}

/// Near the limit of nesting as often as far beyond it.
fn depth(random: &mut Random) -> usize {
    match random.below(4) {
        0 => random.below(40),
        1 => 30 + random.below(240),
        2 => 240 + random.below(20),
        _ => random.below(50_000),
    }
}

fn nested(random: &mut Random) -> String {
    let (start, open, middle, close, end) = random.pick(NESTS).copied().unwrap_or_default();
    let depth = depth(random);
    let mut text = format!("{}{start}", frame(random));
    // Two things that nest in one another, sometimes.
    let mut inner = ("", "", 0);
    if random.once_in(3)
        && let Some((_, open, _, close, _)) = random.pick(NESTS).copied()
    {
        inner = (open, close, self::depth(random));
    }
    let fits = LARGEST / (open.len() + close.len()).max(1);
    let inner_fits = LARGEST / (inner.0.len() + inner.1.len()).max(1);
    let (depth, inner_depth) = (depth.min(fits), inner.2.min(inner_fits));
    text.push_str(&open.repeat(depth));
    text.push_str(&inner.0.repeat(inner_depth));
    text.push_str(middle);
    if !random.once_in(4) {
        text.push_str(&inner.1.repeat(inner_depth));
        text.push_str(&close.repeat(depth));
    }
    text.push_str(end);
    text
}

fn many(random: &mut Random) -> String {
    let (start, unit, end) = random.pick(MANY).copied().unwrap_or_default();
    let mut text = format!("{}{start}", frame(random));
    let (rival_start, rival, rival_end) = random.pick(MANY).copied().unwrap_or_default();
    let two_kinds = random.once_in(3);
    let limit = if two_kinds { LARGEST / 2 } else { LARGEST };
    fill(&mut text, unit, limit, random);
    text.push_str(end);
    if two_kinds {
        text.push_str(rival_start);
        fill(&mut text, rival, LARGEST, random);
        text.push_str(rival_end);
    }
    text
}

fn fill(text: &mut String, unit: &str, limit: usize, random: &mut Random) {
    let times = if random.once_in(2) { usize::MAX } else { random.repetitions() };
    // Names of which each is near to all others are the hardest to find a suggestion for.
    let stem = if random.once_in(4) { "abcdefghijklmnopqrstuvwxyz" } else { "" };
    for time in 1..times.min(LARGEST) {
        if text.len() + unit.len() > limit {
            break;
        }
        let is_number = unit.starts_with('#') || unit.contains(" #");
        let chained = unit.contains('@') && unit.contains('#');
        let stem = if is_number || chained { "" } else { stem };
        let before = (time - 1).to_string();
        text.push_str(&unit.replace('#', &format!("{stem}{time}")).replace('@', &before));
    }
}

fn huge_token(random: &mut Random) -> String {
    let length = 1 + random.below(LARGEST / 2);
    let unit = ["9", "a", "0", "_", "f", "é", "\\", " ", "\t", "-", "=", "🦀"];
    let unit = random.pick(&unit).copied().unwrap_or("a");
    let token = unit.repeat(length / unit.len());
    let near = format!("{token}b");
    match random.below(9) {
        0 => format!("{FRAME}const c: {token};"),
        1 => format!("{FRAME}const c: 0x{token};"),
        2 => format!("{FRAME}rule \"{token}\" z ==> x := 1; end;"),
        3 => format!("{FRAME}var {token}: T; invariant {near} = 1;"),
        4 => format!("{FRAME}type {token}: 0..1; var w: {near};"),
        5 => format!("{FRAME}type {token}: enum {{{near}}}; var w: {token}; invariant {near}"),
        6 => format!("{FRAME}rule begin {token} end;"),
        7 => format!("{FRAME}rule begin r.{token} := 1; q.{near} := 2; {token}(); end;"),
        _ => token,
    }
}

/// Random bytes, random characters, or random words of the language.
fn noise(random: &mut Random) -> Vec<u8> {
    let length = random.repetitions() * 6;
    let mut bytes = Vec::new();
    match random.below(3) {
        0 => bytes.extend((0..length).map(|_| random.byte())),
        1 => {
            let characters = (0..length).filter_map(|_| {
                let bits = [7, 8, 12, 16, 21][random.below(5)];
                char::from_u32(random.below(1 << bits) as u32)
            });
            bytes.extend(characters.collect::<String>().into_bytes());
        }
        _ => {
            for _ in 0..length / 3 {
                bytes.extend(random.pick(VOCABULARY).copied().unwrap_or("").as_bytes());
                if !random.once_in(4) {
                    bytes.push(b' ');
                }
            }
        }
    }
    bytes.truncate(LARGEST);
    bytes
}
