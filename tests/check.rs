//! `mcc --check`: its lints, which must be silent about models that are fine, and what it writes
//! for other programs.

#![cfg(test)]

mod support;

use mcc_murphi::check_with_advice;
use mcc_murphi::source::Source;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use support::{mcc, root, scratch, shown, text};

const LINTS: [&str; 10] = [
    "constant-invariant",
    "decided-comparison",
    "guard-never-true",
    "never-read",
    "never-written",
    "same-rule-name",
    "unused-constant",
    "unused-function",
    "unused-type",
    "unused-variable",
];

/// The lints of a model, each with the text that it underlines.
fn lints(source: &Source) -> Vec<String> {
    let found = check_with_advice(source);
    let found = found.iter().filter(|one| LINTS.contains(&one.code));
    found.map(|one| format!("{}: {}", one.code, one.primary.span.text(&source.text))).collect()
}

fn lints_of(text: &str) -> Vec<String> {
    lints(&Source::new("model.m", text))
}

#[test]
fn what_matters_with_other_constants_is_no_lint() {
    let model = |constants: &str| {
        format!(
            "const {constants}\n\
             type node: 0..nodes - 1; value: 0..values - 1; id: scalarset(ids); \n\
             var at: array [node] of value; owner: id; sent: 0..depth;\n\
             ruleset n: id do startstate begin for n: node do at[n] := 0; end; owner := n; sent := 0; end; end;\n\
             ruleset n: node; m: node do\n\
               rule \"copy\" n < m & at[n] != at[m] ==> begin at[m] := at[n]; end;\n\
             end;\n\
             ruleset i: id do rule \"take\" i != owner ==> begin owner := i; end; end;\n\
             rule \"send\" sent < depth ==> begin sent := sent + 1; end;\n\
             rule \"lose\" lossy & sent > 0 ==> begin sent := sent - 1; end;\n\
             invariant \"few\" nodes > 2 -> exists n: node do at[n] < values - 1 end;\n\
             invariant \"checked\" checked -> sent != 1;"
        )
    };
    for constants in [
        "nodes: 1; values: 1; ids: 1; depth: 0; lossy: false; checked: false;",
        "nodes: 1; values: 2; ids: 1; depth: 1; lossy: false; checked: true;",
        "nodes: 3; values: 4; ids: 2; depth: 2; lossy: true; checked: false;",
        "nodes: 2; values: nodes; ids: nodes - 1; depth: nodes - 2; lossy: nodes > 5; checked: !lossy;",
    ] {
        assert_eq!(lints_of(&model(constants)), [""; 0], "{constants}");
    }
}

#[test]
fn what_is_so_with_all_constants_is_a_lint() {
    let text = "const most: 3; var x: 0..most; startstate begin x := 0; end;\n\
        rule \"up\" x < most ==> begin x := x + 1; end;\n\
        rule \"never\" x > most ==> begin x := 0; end;\n\
        invariant x <= most;";
    assert_eq!(lints_of(text), ["guard-never-true: x > most", "constant-invariant: x <= most"]);
}

#[test]
fn a_constant_that_is_set_is_used() {
    let text = "const N: 3; var x: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; end;";
    let source = Source::new("model.m", text);
    assert_eq!(lints(&source), ["unused-constant: N"]);
    let definition = "N=4".parse().expect("a definition");
    assert_eq!(lints(&source.with_definitions(vec![definition])), [""; 0]);
}

/// Each lint of these models has been looked at, and is true. A new one is either a mistake in a
/// model or a false alarm.
#[test]
fn lints_of_our_models_are_known() {
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    let mut folders = vec![root().join("models")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "m") {
                let text = std::fs::read_to_string(&path).expect("it can be read");
                let found = lints_of(&text).len();
                if found > 0 {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    counted.insert(name, found);
                }
            }
        }
    }
    let expected = [
        ("assertion_alternating_bit", 1),
        ("branching", 1),
        ("index_ring_buffer", 1),
        ("invariant_german", 1),
        ("tour_classic", 5),
        ("tour_extended", 2),
        ("tour_mixed", 7),
    ];
    let expected: BTreeMap<String, usize> =
        expected.into_iter().map(|(name, number)| (name.to_owned(), number)).collect();
    assert_eq!(counted, expected);
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    entries.flatten().map(|entry| entry.path()).collect()
}

fn run(arguments: &[&str]) -> Output {
    mcc().args(arguments).current_dir(root()).stdin(Stdio::null()).output().expect("mcc starts")
}

#[test]
fn only_check_shows_lints() {
    let model = "tests/diagnostics/lints/guards.m";
    let said = text(&run(&["--check", model]).stderr);
    assert!(said.contains("guard-never-true") && said.contains("3 warnings"), "{said}");
    let output = run(&["--interpret", model, "--", "-ndl"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(!text(&output.stderr).contains("guard-never-true"), "{}", shown(&output));
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("it was written")).expect("it is JSON")
}

#[test]
fn what_is_found_is_written_as_data() {
    let file = scratch("check").join("found.json");
    let name = file.to_str().expect("a path in Unicode");
    let output = run(&["--check", "--json", name, "tests/diagnostics/rule_alias_with_side_effect.m"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("impure-scope"), "{}", shown(&output));
    let path = "tests/diagnostics/rule_alias_with_side_effect.m";
    let help = "compute the value in a function that only reads, and change the state in a rule's body";
    let expected = json!({
        "schema": "mcc-check/1",
        "model": {"name": path, "constants": {}},
        "errors": 1,
        "warnings": 0,
        "notes": 0,
        "diagnostics": [{
            "code": "impure-scope",
            "severity": "error",
            "message": "an alias around rules must not change the state, but `bump` does",
            "file": path,
            "spans": [
                {"line": 4, "column": 15, "end_line": 4, "end_column": 21, "label": ""},
                {"line": 2, "column": 33, "end_line": 2, "end_column": 34,
                 "label": "it writes a global variable here"},
            ],
            "help": help,
        }],
    });
    assert_eq!(read(&file), expected);

    // What was there before is replaced, and a model without errors ends with 0.
    let output = run(&["-q", "--check", "-D", "level=9", "--json", name, "tests/diagnostics/lints/guards.m"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(output.stderr.is_empty(), "{}", shown(&output));
    let found = read(&file);
    assert_eq!((&found["errors"], &found["warnings"]), (&json!(0), &json!(3)), "{found}");
    assert_eq!(found["model"]["constants"], json!({"level": "9"}));
    assert_eq!(found["diagnostics"][0]["severity"], "warning");

    // Nothing found is data, too.
    let output = run(&["--check", "--json", "-", "models/peterson_symmetric.m"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&found["errors"], &found["diagnostics"]), (&json!(0), &json!([])), "{found}");
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let model = scratch("check").join("model.m");
    let text_of_model = "var x: 0..1; startstate begin x := 0; end; rule begin x := 1 - x; end;";
    std::fs::write(&model, text_of_model).expect("the scratch folder is writable");
    let model = model.to_str().expect("a path in Unicode");
    for (file, message) in [("/no/such/folder/found.json", "cannot write"), (model, "is the model itself")] {
        let output = run(&["--check", "--json", file, model]);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains(message), "{}", shown(&output));
    }
    assert_eq!(std::fs::read_to_string(model).expect("it is still there"), text_of_model);
    // Elsewhere the option is refused, and not ignored.
    let output = run(&["--interpret", "--json", "f.json", model]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}
