//! Models that consist of one construct of the language, as many of it as asked for.
//!
//! All of them are meant to be verified: what stands in them is evaluated and comes out true, so
//! that a part of a chain that was lost or evaluated twice is found by the run, not only by the
//! build.

/// A construct that a model may have any number of.
pub struct Construct {
    pub name: &'static str,
    /// The size at which a campaign begins.
    pub first: usize,
    /// The size at which a campaign ends, if nothing refuses it before.
    pub last: usize,
    /// The model with this number of the construct.
    pub model: fn(usize) -> String,
}

const fn long(name: &'static str, model: fn(usize) -> String) -> Construct {
    Construct { name, first: 1_000, last: 64_000, model }
}

const fn deep(name: &'static str, model: fn(usize) -> String) -> Construct {
    Construct { name, first: 16, last: 4_096, model }
}

/// Everything that grows.
pub const CONSTRUCTS: &[Construct] = &[
    // Chains.
    long("or-invariant", |n| model("", &format!("invariant \"i\" {} | x < 2;", ors(n)))),
    long("or-guard", |n| model("", &format!("rule \"r\" {} | x < 2 ==> begin y := 0; end;", ors(n)))),
    long("or-assert", |n| model("", &format!("rule \"r\" begin assert {} | x < 2 \"chain\"; end;", ors(n)))),
    long("or-in-quantifier", |n| {
        let parts = joined(n, " | ", |at| format!("y = i + {}", 1 + at % 250));
        model("", &format!("invariant \"i\" forall i: 0..1 do {parts} | i = i end;"))
    }),
    long("or-in-two-quantifiers", |n| {
        let parts = joined(n, " | ", |at| format!("y = {}", 1 + at % 250));
        let condition =
            format!("forall i: 0..1 do forall j: 0..1 do y + i < 9 | {parts} | y + j < 9 end end");
        model("", &format!("invariant \"i\" {condition};"))
    }),
    long("or-of-locals", |n| {
        let parts = joined(n, " | ", |at| format!("(p + q.a[i] = {})", 7 + at % 200));
        let function = format!(
            "function f(p: 0..3): boolean; var q: record a: array [0..1] of 0..255; end; begin clear q; \
             for i: 0..1 do if !({parts} | p < 4) then return false; end; end; return true; end;"
        );
        model(&function, "invariant \"i\" f(x);")
    }),
    long("and-invariant", |n| model("", &format!("invariant \"i\" {};", ands(n)))),
    long("and-guard", |n| model("", &format!("rule \"r\" {} ==> begin y := 0; end;", ands(n)))),
    long("and-condition", |n| {
        model("", &format!("rule \"r\" begin if {} then y := 0; else error \"no\"; end; end;", ands(n)))
    }),
    long("and-in-ruleset", |n| {
        let parts = joined(n, " & ", |at| format!("y + i < {}", 3 + at % 250));
        model("", &format!("ruleset i: 0..1 do rule \"r\" {parts} ==> begin y := 0; end; end;"))
    }),
    long("mixed-logic", |n| {
        let parts = joined(n, " | ", |at| format!("(y = {} & x < 2)", 1 + at % 250));
        model("", &format!("invariant \"i\" {parts} | (x < 2 & y < 9);"))
    }),
    // Statements.
    long("elsif", |n| {
        let arms = joined(n, "", |at| format!("elsif y = {} then error \"no\"; ", 1 + at % 250));
        model("", &format!("rule \"r\" begin if y = 255 then y := 1; {arms} else y := 0; end; end;"))
    }),
    long("elsif-that-returns", |n| {
        let arms = joined(n, "", |at| format!("elsif p = {} then return true; ", 4 + at % 250));
        let function = format!(
            "function f(p: 0..255): boolean; begin if p = 255 then return false; {arms} end; return false; end;"
        );
        model(&function, "invariant \"i\" !f(x);")
    }),
    long("switch-cases", |n| {
        let cases = joined(n, "", |at| format!("case {}: error \"no\"; ", 1 + at % 250));
        model("", &format!("rule \"r\" begin switch y {cases} else y := 0; end; end;"))
    }),
    long("switch-labels", |n| {
        let labels = joined(n, ", ", |at| format!("{}", 1 + at % 250));
        model("", &format!("rule \"r\" begin switch y case {labels}: error \"no\"; else y := 0; end; end;"))
    }),
    long("statements", |n| {
        model("", &format!("rule \"r\" begin {} y := 0; end;", joined(n, "", assignment)))
    }),
    long("statements-that-fail", |n| {
        let statements = joined(n, "", |at| format!("if y > {} then y := y - 1; end; ", 1 + at % 200));
        model("", &format!("rule \"r\" begin {statements} y := 0; end;"))
    }),
    long("statements-with-locals", |n| {
        let statements = joined(n, "", |at| format!("v := (v + w[i] + {}) % 16; ", at % 7));
        model(
            "",
            &format!(
                "ruleset i: 0..1 do rule \"r\" var v: 0..15; w: array [0..1] of 0..3; begin v := 0; clear w; \
                 {statements} y := 0; end; end;"
            ),
        )
    }),
    long("loops", |n| {
        let loops = joined(n, "", |at| format!("for i: 0..1 do y := i; end; {}", assignment(at)));
        model("", &format!("rule \"r\" begin {loops} y := 0; end;"))
    }),
    long("aliases", |n| {
        let aliases = joined(n, "", |_| "alias a: y do a := 1; end; ".to_owned());
        model("", &format!("rule \"r\" begin {aliases} y := 0; end;"))
    }),
    // Items.
    long("start-states", |n| {
        let starts = joined(n, "\n", |at| {
            format!("startstate \"s{at}\" begin x := {}; y := {}; end;", at % 2, at % 250)
        });
        model("", &format!("{starts}\nrule \"r\" y > 0 ==> begin y := 0; end;"))
    }),
    long("rules", |n| {
        model("", &joined(n, "\n", |at| format!("rule \"r{at}\" y = {} ==> begin y := 0; end;", at % 250)))
    }),
    long("rulesets", |n| {
        model(
            "",
            &joined(n, "\n", |at| {
                let value = at % 250;
                format!("ruleset i: 0..1 do rule \"r{at}\" x = i & y = {value} ==> begin y := 0; end; end;")
            }),
        )
    }),
    long("invariants", |n| {
        model("", &joined(n, "\n", |at| format!("invariant \"i{at}\" y < {} | x < 2;", 1 + at % 250)))
    }),
    long("covers", |n| model("", &joined(n, "\n", |at| format!("cover \"c{at}\" y < {};", 1 + at % 250)))),
    long("assumptions", |n| {
        model("", &joined(n, "\n", |at| format!("assume \"a{at}\" y < {} | x < 2;", 1 + at % 250)))
    }),
    long("functions", |n| {
        let functions = joined(n, "\n", |at| {
            format!("function f{at}(a: 0..1): boolean; begin return a < 2 & y < 256; end;")
        });
        let calls = joined(n, "\n", |at| format!("  if !f{at}(x) then error \"no\"; end;"));
        model(&functions, &format!("rule \"r\" begin {calls} y := 0; end;"))
    }),
    Construct {
        name: "function-calls-the-one-before",
        first: 500,
        last: 32_000,
        model: |n| {
            let functions = joined(n - 1, "\n", |at| {
                format!("function f{}(): boolean; begin return f{at}() & y < 256; end;", at + 1)
            });
            let first = "function f0(): boolean; begin return x < 2; end;";
            model(&format!("{first}\n{functions}"), &format!("invariant \"i\" f{}();", n - 1))
        },
    },
    long("parameters-of-a-function", |n| {
        let declared = joined(n, "; ", |at| format!("p{at}: 0..1"));
        let sum = joined(n, " & ", |at| format!("p{at} < 2"));
        let arguments = joined(n, ", ", |_| "x".to_owned());
        model(
            &format!("function f({declared}): boolean; begin return {sum}; end;"),
            &format!("invariant \"i\" f({arguments});"),
        )
    }),
    long("locals", |n| {
        let declared = joined(n, " ", |at| format!("v{at}: 0..1;"));
        let used = joined(n, " ", |at| format!("v{at} := x;"));
        model("", &format!("rule \"r\" var {declared} begin {used} y := 0; end;"))
    }),
    long("constants", |n| {
        let constants = joined(n, " ", |at| format!("c{at}: {};", at % 200));
        let uses = joined(n, " & ", |at| format!("y + c{at} < 600"));
        model(&format!("const {constants}"), &format!("invariant \"i\" {uses};"))
    }),
    long("enum-members", |n| {
        let members = joined(n, ", ", |at| format!("e{at}"));
        model(
            &format!("type E: enum {{ {members} }}; var e: E;"),
            &format!("rule \"r\" begin e := e{}; end; rule \"s\" begin undefine e; end;", n - 1),
        )
    }),
    long("variables", |n| {
        let variables = joined(n, " ", |at| format!("v{at}: 0..1;"));
        model(&format!("var {variables}"), &format!("rule \"r\" begin v{} := x; end;", n - 1))
    }),
    long("variables-that-are-used", |n| {
        let variables = joined(n, " ", |at| format!("v{at}: 0..1;"));
        let set = joined(n, " ", |at| format!("v{at} := 0;"));
        model(&format!("var {variables}"), &format!("rule \"r\" x = 1 ==> begin {set} end;"))
    }),
    long("record-fields", |n| {
        let fields = joined(n, " ", |at| format!("f{at}: 0..1;"));
        model(
            &format!("type R: record {fields} end; var r: R;"),
            &format!("rule \"r\" begin r.f{} := x; end;", n - 1),
        )
    }),
    long("record-types", |n| {
        let types = joined(n, "\n", |at| format!("R{at}: record f{at}: 0..1; end;"));
        model(
            &format!("type {types} var r: R{};", n - 1),
            &format!("rule \"r\" begin r.f{} := x; end;", n - 1),
        )
    }),
    long("range-types", |n| {
        let types = joined(n, "\n", |at| format!("T{at}: 0..{};", 1 + at));
        let variables = joined(n, " ", |at| format!("v{at}: T{at};"));
        model(&format!("type {types} var {variables}"), &format!("rule \"r\" begin v{} := x; end;", n - 1))
    }),
    long("union-members", |n| {
        let types = joined(n, "\n", |at| format!("S{at}: scalarset(2);"));
        let members = joined(n, ", ", |at| format!("S{at}"));
        model(
            &format!("type {types} E: enum {{ none }}; U: union {{ {members}, E }}; var u: U;"),
            "rule \"r\" begin u := none; end; rule \"s\" begin undefine u; end;",
        )
    }),
    long("array-elements", |n| {
        model(
            &format!("var a: array [1..{n}] of 0..1;"),
            &format!("rule \"r\" begin a[{n}] := x; end; invariant \"i\" isundefined(a[1]);"),
        )
    }),
    long("instances-of-a-rule", |n| {
        model("", &format!("ruleset i: 1..{n} do rule \"r\" x = 1 & i = 1 ==> begin y := 0; end; end;"))
    }),
    long("empty-elements", |n| {
        model(
            &format!(
                "type E: record end; var a: array [1..{n}] of E; b: array [1..{n}] of array [1..{n}] of E;"
            ),
            "rule \"r\" begin clear a; clear b; end;",
        )
    }),
    // Nests.
    deep("empty-records", |n| nest_of_records("record end", n)),
    deep("records", |n| nest_of_records("0..1", n)),
    deep("arrays", |n| {
        let types = joined(n, " ", |at| format!("A{}: array [0..0] of A{at};", at + 1));
        let indices = "[0]".repeat(n);
        model(
            &format!("type A0: 0..1; {types} var a: A{n};"),
            &format!("rule \"r\" begin a{indices} := x; end;"),
        )
    }),
    deep("empty-arrays", |n| {
        let types = joined(n, " ", |at| format!("A{}: array [0..1] of A{at};", at + 1));
        model(
            &format!("type A0: record end; {types} var a: A{n}; b: A{n};"),
            "rule \"r\" begin clear a; a := b; end; invariant \"i\" a = b;",
        )
    }),
    deep("multisets", |n| {
        let types = joined(n, " ", |at| format!("A{}: multiset [1] of A{at};", at + 1));
        model(&format!("type A0: 0..1; {types} var a: A{n};"), "rule \"r\" begin undefine a; end;")
    }),
    deep("sums", |n| invariant(&format!("x{} < 9999", " + x".repeat(n)))),
    deep("differences", |n| invariant(&format!("9{} < 99", " - x".repeat(n)))),
    deep("products-that-may-overflow", |n| {
        let factors = " * (x - x + 1)".repeat(n);
        invariant(&format!("1{factors} = 1"))
    }),
    deep("implications", |n| invariant(&format!("{}x < 2", "x < 3 -> ".repeat(n)))),
    deep("implications-to-the-left", |n| {
        invariant(&format!("{}x < 2{}", "(".repeat(n), " -> x < 3)".repeat(n)))
    }),
    deep("negations", |n| invariant(&format!("{}x < 2", "!!".repeat(n)))),
    deep("signs", |n| invariant(&format!("{}x < 2", "- ".repeat(2 * n)))),
    deep("parentheses", |n| invariant(&format!("{}x < 2{}", "(".repeat(n), ")".repeat(n)))),
    deep("conditionals", |n| invariant(&format!("{}x < 2", "y = 1 ? x < 2 : ".repeat(n)))),
    deep("conditional-numbers", |n| invariant(&format!("({}x) < 2", "y = 1 ? x : ".repeat(n)))),
    deep("conditional-conditions", |n| {
        invariant(&format!("{}x < 2{}", "(".repeat(n), " ? x < 2 : y = 1)".repeat(n)))
    }),
    deep("and-or", |n| invariant(&format!("{}x < 2{}", "(x < 2 & (y = 1 | ".repeat(n), "))".repeat(n)))),
    deep("indices", |n| {
        let index = format!("{}x{}", "a[".repeat(n), "]".repeat(n));
        let set = "a[0] := 0; a[1] := 1;";
        let rule = format!("rule \"r\" !isundefined(a[0]) & {index} < 2 ==> begin y := 0; end;");
        model("var a: array [0..1] of 0..1;", &format!("{rule} rule \"set\" begin {set} end;"))
    }),
    deep("calls", |n| {
        let call = format!("{}x{}", "f(".repeat(n), ")".repeat(n));
        model("function f(a: 0..1): 0..1; begin return 1 - a; end;", &format!("invariant \"i\" {call} < 2;"))
    }),
    deep("quantifiers", |n| {
        let open = joined(n, "", |at| format!("forall i{at}: 0..0 do "));
        invariant(&format!("{open} x + i0 < 2 {}", " end".repeat(n)))
    }),
    deep("quantifiers-over-elements", |n| {
        let open = joined(n, "", |at| format!("exists i{at}: S do "));
        let condition = format!("{open} i0 = i0 & x < 2 {}", " end".repeat(n));
        model("type S: scalarset(1);", &format!("invariant \"i\" {condition};"))
    }),
    deep("ifs", |n| nest_of_statements(n, |_| "if x < 2 then ".to_owned())),
    deep("elses", |n| nest_of_statements(n, |_| "if x > 1 then error \"no\"; else ".to_owned())),
    deep("switches", |n| nest_of_statements(n, |_| "switch x case 0, 1: ".to_owned())),
    deep("loops-in-loops", |n| nest_of_statements(n, |at| format!("for i{at}: 0..0 do "))),
    deep("whiles", |n| nest_of_statements(n, |_| "while y > 0 do ".to_owned())),
    deep("aliases-in-aliases", |n| nest_of_statements(n, |at| format!("alias a{at}: y do "))),
    deep("rulesets-in-rulesets", |n| {
        let open = joined(n, "", |at| format!("ruleset i{at}: 0..0 do "));
        model("", &format!("{open} rule \"r\" x = i0 ==> begin y := 0; end; {}", "end; ".repeat(n)))
    }),
    deep("aliases-around-rules", |n| {
        let open = joined(n, "", |at| format!("alias a{at}: y do "));
        model("", &format!("{open} rule \"r\" a0 < 9 ==> begin a0 := 0; end; {}", "end; ".repeat(n)))
    }),
    deep("everything-in-everything", |n| {
        let level = "if x < 2 & (y = 1 | (x < 2 ? f(a[x]) < 2 : x = 1)) then ";
        let function = "function f(p: 0..1): 0..1; begin return p; end; var a: array [0..1] of 0..1;";
        let nest = format!("{} y := 0; {}", level.repeat(n), "end; ".repeat(n));
        model(function, &format!("rule \"r\" begin a[0] := 0; a[1] := 1; {nest} end;"))
    }),
];

/// A model of two states, with more declarations and more items.
fn model(declarations: &str, items: &str) -> String {
    format!(
        "{declarations}\nvar x: 0..1; y: 0..255;\n\
         startstate \"start\" begin x := 0; y := 0; end;\n\
         rule \"flip\" begin x := 1 - x; end;\n{items}\n"
    )
}

fn invariant(condition: &str) -> String {
    model("", &format!("invariant \"i\" {condition};"))
}

fn joined(times: usize, separator: &str, unit: impl Fn(usize) -> String) -> String {
    (0..times).map(unit).collect::<Vec<_>>().join(separator)
}

fn ors(times: usize) -> String {
    joined(times, " | ", |at| format!("y = {}", 1 + at % 250))
}

fn ands(times: usize) -> String {
    joined(times, " & ", |at| format!("y != {}", 1 + at % 250))
}

fn assignment(at: usize) -> String {
    format!("y := {}; ", at % 250)
}

fn nest_of_records(leaf: &str, depth: usize) -> String {
    let types = joined(depth, " ", |at| format!("R{}: record a: R{at}; b: R{at}; end;", at + 1));
    let declarations = format!("type R0: {leaf}; {types} var r: R{depth}; s: R{depth};");
    model(&declarations, "rule \"r\" begin clear r; s := r; end; invariant \"i\" r = s;")
}

fn nest_of_statements(depth: usize, open: impl Fn(usize) -> String) -> String {
    let nest = format!("{} y := 0; {}", joined(depth, "", open), "end; ".repeat(depth));
    model("", &format!("rule \"r\" begin {nest} end;"))
}
