//! Properties of runs: each model of `tests/temporal` in the interpreter with the options and the
//! outcomes beside it, each counterexample confirmed by the replay; and what is refused.

#![cfg(test)]

mod support;

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use support::{mcc, root, scratch, text};

/// What is expected of a model.
#[derive(Deserialize)]
struct Expectations {
    run: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    /// `name=value`, as for `-D`.
    constants: Option<String>,
    #[serde(default)]
    options: String,
    verdict: String,
    /// The properties that are violated.
    #[serde(default)]
    violated: BTreeSet<String>,
}

fn expectations(model: &Path) -> Vec<Expected> {
    let text = std::fs::read_to_string(model.with_extension("toml")).expect("it lies beside the model");
    toml::from_str::<Expectations>(&text).expect("it is TOML").run
}

fn check(name: &str) {
    let model = root().join("tests/temporal").join(name).with_extension("m");
    let report = scratch("temporal").join(format!("{name}.json"));
    for Expected { constants, options, verdict, violated } in expectations(&model) {
        let defined: Vec<String> = constants.iter().map(|constant| format!("-D{constant}")).collect();
        let mut command = mcc();
        command.args(&defined).arg("--interpret").arg(&model).arg("--");
        command.args(options.split_whitespace()).arg("--json").arg(&report);
        let output = command.output().expect("mcc runs");
        let shown = format!("{name} {options}:\n{}{}", text(&output.stdout), text(&output.stderr));
        let found: Value = serde_json::from_slice(&std::fs::read(&report).expect(&shown)).expect("JSON");
        assert_eq!(found["verdict"], verdict, "{shown}");
        let status = |word: &str| -> BTreeSet<String> {
            let properties = found["property_figures"].as_array().expect("figures of properties").iter();
            let of_status = properties.filter(|property| property["status"] == word);
            of_status.map(|property| property["name"].as_str().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(status("violated"), violated, "{shown}");
        if verdict == "verified" {
            assert!(status("no-violation-yet").is_empty(), "{shown}");
        }
        let errors = found["errors"].as_array().expect("errors").len();
        for error in 1..=errors {
            let replayed = mcc()
                .args(&defined)
                .arg(&model)
                .arg("--replay")
                .arg(&report)
                .args(["--error", &error.to_string()])
                .output()
                .expect("mcc runs");
            let said = format!("{shown}\n{}{}", text(&replayed.stdout), text(&replayed.stderr));
            assert!(replayed.status.success(), "{said}");
            assert!(text(&replayed.stdout).contains("The error is real"), "{said}");
        }
    }
}

#[test]
fn peterson() {
    check("peterson");
}

#[test]
fn greedy_lock() {
    check("greedy_lock");
}

#[test]
fn alternating_bit() {
    check("alternating_bit");
}

#[test]
fn leader_election() {
    check("leader_election");
}

#[test]
fn two_phase_commit() {
    check("two_phase_commit");
}

#[test]
fn bakery() {
    check("bakery");
}

/// Runs a model given as text, and returns the exit code and what was printed.
fn run(name: &str, model: &str, options: &[&str]) -> (Option<i32>, String) {
    let path = scratch("temporal").join(name).with_extension("m");
    std::fs::write(&path, model).expect("the folder is writable");
    let output = mcc().arg("--interpret").arg(&path).arg("--").args(options).output().expect("mcc runs");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

const COUNTER: &str =
    "var x: 0..3; startstate begin x := 0; end; rule \"up\" x < 3 ==> begin x := x + 1; end;\n";

#[test]
fn what_needs_all_states_refuses_what_loses_some() {
    let model = format!("{COUNTER} ltl \"there\" <> (x = 3);");
    for option in ["-c", "--cache=1M", "--compress-paths", "--symmetry=trust", "--symmetry-check"] {
        let (code, said) = run("refused", &model, &["-ndl", option]);
        assert_eq!(code, Some(2), "{option}: {said}");
        assert!(said.contains("the model has liveness or ltl properties"), "{option}: {said}");
    }
}

/// A state without a way on is where a run stays; fairness cannot help there.
#[test]
fn the_end_of_a_run_is_stuttering() {
    let holds = [
        "<> (x = 3)",
        "<> [] (x = 3)",
        "[] (x = 3 -> next x = 3)",
        "<> [] !fired(\"up\")",
        "(x < 2) until (x = 2)",
        "[] (fired(\"up\") -> x < 3)",
        "(fired(\"up\") & x = 0) & next (fired(\"up\") & x = 1)",
    ];
    for formula in holds {
        let (code, said) = run("end_holds", &format!("{COUNTER} ltl \"f\" {formula};"), &["-ndl"]);
        assert_eq!(code, Some(0), "{formula}: {said}");
    }
    let fails = ["[] <> (x = 0)", "[] <> fired(\"up\")", "<> (x = 3 & fired(\"up\"))", "[] (x < 3)"];
    for formula in fails {
        let model = format!("{COUNTER} ltl \"f\" {formula};");
        let (code, said) = run("end_fails", &model, &["-ndl", "--fairness", "strong"]);
        assert_eq!(code, Some(1), "{formula}: {said}");
        assert!(said.contains("stays in this state for ever"), "{formula}: {said}");
    }
}

/// A rule that changes nothing is a step that a run may take for ever, unless fairness to another
/// rule forbids it; being fair to it asks for nothing.
#[test]
fn rules_that_change_nothing() {
    let model = format!("{COUNTER} rule \"idle\" true ==> begin end; ltl \"f\" <> (x = 3);");
    let (code, said) = run("idle", &model, &["-ndl"]);
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = run("idle", &model, &["-ndl", "--fairness", "weak"]);
    assert_eq!(code, Some(0), "{said}");
    let model = format!("{COUNTER} fair rule \"idle\" true ==> begin end; ltl \"f\" [] <> fired(\"idle\");");
    let (code, said) = run("idle_fired", &model, &["-ndl"]);
    assert_eq!(code, Some(0), "{said}");
}

/// Runs that an assumption excludes do not count, and are no deadlock.
#[test]
fn assumptions_exclude_runs() {
    let model = format!("{COUNTER} assume \"low\" x < 3; ltl \"f\" [] (x < 3); ltl \"g\" <> (x = 7);");
    let (code, said) = run("assume", &model, &[]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn liveness_is_about_what_can_be_reached() {
    let circle =
        "var x: 0..3; startstate begin x := 0; end; rule \"on\" true ==> begin x := (x + 1) % 4; end;\n";
    assert_eq!(run("circle", &format!("{circle} liveness \"zero\" x = 0;"), &[]).0, Some(0));
    let (code, said) = run("lost", &format!("{COUNTER} liveness \"zero\" x = 0;"), &["-ndl"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Trace of 1 step"), "the nearest state: {said}");
    let never = format!("{circle} liveness \"never\" x = 0 & x = 1;");
    assert_eq!(run("never", &never, &[]).0, Some(1));
}

#[test]
fn deadlocks_are_errors_where_the_model_says_so() {
    assert_eq!(run("any", COUNTER, &[]).0, Some(1));
    assert_eq!(run("finished", &format!("{COUNTER} deadlock \"early\" x < 3;"), &[]).0, Some(0));
    for order in ["-vbfs", "-vdfs", "-c", "--cache=1M", "--compress-paths"] {
        let (code, said) = run("late", &format!("{COUNTER} deadlock \"late\" x = 3;"), &[order]);
        assert_eq!(code, Some(1), "{order}: {said}");
        assert!(said.contains("deadlock \"late\""), "{order}: {said}");
    }
    assert_eq!(run("none", &format!("{COUNTER} deadlock \"late\" x = 3;"), &["-ndl"]).0, Some(0));
}

#[test]
fn rejected_states_are_errors_in_every_search() {
    let model = format!("{COUNTER} ruleset i: 1..3 do reject \"high\" x = i & i > 2; end;");
    for order in ["-vbfs", "-vdfs", "-c", "--cache=1M", "--compress-paths"] {
        let (code, said) = run("rejected", &model, &["-ndl", order]);
        assert_eq!(code, Some(1), "{order}: {said}");
        assert!(said.contains("reject \"high\" holds"), "{order}: {said}");
    }
}

/// The words of temporal logic are names where they are not keywords.
#[test]
fn words_stay_names() {
    let model = "const strong: 1; type fair: 0..1; var always, next, until, reject, deadlock, ltl: fair;\n\
        function fired(release: fair): boolean; begin return release = always; end;\n\
        startstate begin always := 0; next := 0; until := 0; reject := 0; deadlock := 0; ltl := 0; end;\n\
        rule \"x\" reject = 0 & fired(strong) ==> begin deadlock := 1; end;\n\
        rule reject = 0 ==> begin always := 1 - always; end\n\
        invariant \"i\" ltl = 0 & deadlock <= strong;\n\
        invariant fired(0) | !fired(0)\n\
        ltl \"f\" [] <> (ltl = 0);";
    let (code, said) = run("words", model, &["-ndl"]);
    assert_eq!(code, Some(0), "{said}");
}

/// What cannot be meant is refused by name.
#[test]
fn mistakes_are_reported() {
    let cases = [
        ("ltl \"f\" <> fired(\"down\");", "there is no rule named \"down\""),
        ("ltl \"f\" <> fired(\"up\", 1);", "this rule has 0 parameters, and 1 values are given"),
        ("ltl \"f\" (<> x = 3) + 1 = 2;", "cannot be an operand of this operator"),
        ("ltl \"f\" x;", "boolean"),
        ("ltl \"f\" (x = 1) until (x = 2) until (x = 3);", "cannot be chained"),
        ("ltl \"f\" <> forall i := x to 3 do [] (x = i) end;", "constant"),
    ];
    for (property, message) in cases {
        let (code, said) = run("mistakes", &format!("{COUNTER} {property}"), &[]);
        assert_eq!(code, Some(2), "{property}: {said}");
        assert!(said.contains(message), "{property}: {said}");
    }
}
