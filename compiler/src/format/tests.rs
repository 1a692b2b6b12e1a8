//! The style, and what formatting must never change.

use std::path::{Path, PathBuf};

use super::{apply, comments, edits, within};
use crate::input;
use crate::source::Source;
use crate::syntax::parse;
use crate::syntax::scan::scan;

fn formatted(text: &str) -> String {
    let source = Source::new("test.m", text);
    apply(text, &edits(&source).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")))
}

/// The syntax tree as text, without places.
fn tree(text: &str) -> Option<String> {
    let program = parse(&Source::new("test.m", text)).0?;
    let mut shown = format!("{program:?}");
    let mut result = String::with_capacity(shown.len());
    while let Some(at) = shown.find("Span {") {
        result += &shown[..at];
        let end = shown[at..].find('}').unwrap();
        shown = shown[at + end + 1..].to_owned();
    }
    Some(result + &shown)
}

/// The text without the parts that begin and end like this.
fn without(text: &str, begin: &str, end: &str) -> String {
    let mut parts = text.split(begin);
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        result += part.split_once(end).map_or(part, |(_, rest)| rest);
    }
    result
}

/// The generated code without places and space, if there is any: comments with places are lines of
/// their own, texts of conditions in messages are as written.
fn code(text: &str) -> Option<String> {
    let rust = crate::compile(&Source::new("test.m", text)).generated?.model_rs;
    let lines = rust.lines().filter(|line| !line.trim_start().starts_with("///"));
    let code: String = lines.flat_map(str::chars).filter(|one| !one.is_whitespace()).collect();
    let code = code.replace("\\n", "").replace("\\r", "").replace("\\t", "");
    let code = without(&without(&code, "Position{line:", "}"), "explanation::part(", ")");
    // The tables hold the text itself and a hash of it.
    Some(without(&code, ",source:\"", ",constants:"))
}

fn check(name: &str, text: &str) {
    let source = Source::new("test.m", text);
    if parse(&source).0.is_none() {
        assert!(edits(&source).is_err(), "{name}: a model that cannot be parsed was formatted");
        return;
    }
    let once = formatted(text);
    assert_eq!(tree(text), tree(&once), "{name}: another tree:\n{once}");
    assert_eq!(code(text), code(&once), "{name}: another code:\n{once}");
    let twice = formatted(&once);
    if once != twice {
        let lines = once.lines().zip(twice.lines()).find(|(one, other)| one != other);
        panic!("{name}: formatting twice differs: {lines:#?}");
    }
    // Strings may end their lines with space; nothing else does.
    for span in comments::spaces(&once, &scan(&once).tokens) {
        let space = span.text(&once);
        assert!(![" \n", " \r\n", "\t\n"].iter().any(|end| space.contains(end)), "{name}: {space:?}");
    }
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
}

fn check_folder(folder: &Path) -> usize {
    let mut found = Vec::new();
    models(folder, &mut found);
    for path in &found {
        let Ok((source, _)) = input::read(path) else { continue };
        check(&path.display().to_string(), &source.text);
    }
    found.len()
}

#[test]
fn every_model_keeps_its_meaning_and_its_comments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let count: usize =
        ["models", "tests", "docs"].iter().map(|folder| check_folder(&root.join(folder))).sum();
    assert!(count > 100, "{count} models");
    for variable in ["MCC_CMURPHI_EXAMPLES", "MCC_RUMUR_TESTS"] {
        if let Some(folder) = std::env::var_os(variable) {
            assert!(check_folder(Path::new(&folder)) > 0, "{variable} names a folder without models");
        }
    }
}

/// Folders of our models. Those of `tests/diagnostics` and `tests/codegen` are laid out for the
/// places and the code that their snapshots show.
const FORMATTED: [&str; 10] = [
    "models",
    "tools/benchmarks",
    "tools/examples",
    "tests/asymmetry",
    "tests/definitions",
    "tests/independence",
    "tests/meaning",
    "tests/pieces",
    "models/temporal",
    "tests/verifier",
];

#[test]
fn our_models_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    FORMATTED.iter().for_each(|folder| models(&root.join(folder), &mut found));
    assert!(found.len() > 250, "{} models", found.len());
    let is_formatted = |path: &PathBuf| {
        let (source, _) = input::read(path).unwrap();
        edits(&source).is_ok_and(|edits| edits.is_empty())
    };
    let others: Vec<_> = found.iter().filter(|path| !is_formatted(path)).collect();
    assert!(others.is_empty(), "format these with `mcc fmt`: {others:#?}");
}

#[test]
fn the_style() {
    let text = "const N:3;M :  4 ;
/* two
   lines */
type  t:record a , b:0 .. N;end;
e:Enum{x,y};
   r : record
 f: array[ 0..N ]of boolean -- why
      longer:multiset [N] of e;   -- because   \n
-- before the end
end;


var x:t;

procedure p( var a:t ;b:e ) ;
var l:t; begin if a.b=- 1&!(x.a = 2) then a.b:=1;else
-- nothing
 end ; switch b case x:put \"a  b\"; case y : error \"\"; end
end;
ruleset i:0..N;j : 0..N do rule\"go\" i=j
& forall k:0..N do k>=0
end==> p(x,y)   ;
while x.a < 1
& x.b < 2 do clear x endwhile;
for k:0..N do x.a:=k ? 1:2; end
endrule; end
startstate begin end;
-- the last
invariant \"i\" x.a>0 ->
x.b>0";
    insta::assert_snapshot!(formatted(text), @r#"
    const N: 3; M: 4;
    /* two
       lines */
    type
      t: record a, b: 0..N; end;
      e: Enum { x, y };
      r: record
        f: array [0..N] of boolean  -- why
        longer: multiset [N] of e;  -- because

        -- before the end
      end;

    var x: t;

    procedure p(var a: t; b: e);
    var l: t;
    begin
      if a.b = -1 & !(x.a = 2) then
        a.b := 1;
      else
        -- nothing
      end;
      switch b case x: put "a  b"; case y: error ""; end
    end;
    ruleset i: 0..N; j: 0..N do
      rule "go" i = j
        & forall k: 0..N do k >= 0
        end ==>
        p(x, y);
        while x.a < 1
            & x.b < 2 do
          clear x
        endwhile;
        for k: 0..N do x.a := k ? 1 : 2; end
      endrule;
    end
    startstate begin end;
    -- the last
    invariant "i" x.a > 0 ->
      x.b > 0
    "#);
    check("style", text);
}

#[test]
fn nothing_but_space_changes() {
    for text in [
        "",
        "\n\n",
        "-- only a comment",
        "/* a */ /* b\n\n  c */\n",
        "\u{FEFF}-- mark\nvar x: 0..1;",
        "var x: 0..1; startstate x := - -1 + - - 2 end rule ¬ (x ≥ 1) ⇒ x ≔ 0 end",
        "rule \"two\n   lines  \n\" begin put \"-- no /* comment\" end",
        "var\tx:0..1 -- a\t\n\t\t/* b \t\n\t\t * c */ y: 0..1\r\n\r\n\r\nstartstate x:=1;/*d*/;y:=2 end",
        "ltl \"p\" [] (x ~> <> y) && always eventually z until w;",
        "rule a ==> x := 1 -- why\n; ; y := 2 /* c */ ; end;",
        "pctl [ 0.5 ] x<=3 ;\nrule begin end",
        "function f(): 0..1; externfun g(a: 0..1): 0..1 \"g.h\";",
    ] {
        check(text, text);
    }
}

#[test]
fn line_ends_and_marks_stay() {
    let text = "\u{FEFF}var x: 0..1;\r\n\r\n\r\n  y: 0..1;   \r\n";
    assert_eq!(formatted(text), "\u{FEFF}var\r\n  x: 0..1;\r\n\r\n  y: 0..1;\r\n");
}

#[test]
fn some_lines_only() {
    let source = Source::new("test.m", "var   a:0..1;\nvar   b:0..1;\nvar   c:0..1;\n");
    let chosen = within(&source, edits(&source).unwrap(), &(2..=2));
    assert_eq!(apply(&source.text, &chosen), "var   a:0..1;\nvar b: 0..1;\nvar   c:0..1;\n");
}

#[test]
fn a_wrong_model_is_refused() {
    let source = Source::new("test.m", "rule x := end");
    assert!(edits(&source).unwrap_err().iter().any(|one| one.code == "syntax"));
}
