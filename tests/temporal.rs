//! Properties of runs: each model of `models/temporal` in the interpreter with the options and the
//! outcomes beside it, each counterexample confirmed by the replay; and what is refused.

#![cfg(test)]

#[path = "temporal/liveness.rs"]
mod liveness;
#[path = "temporal/safety.rs"]
mod safety;
mod support;
#[path = "temporal/symmetry.rs"]
mod symmetry;
#[path = "temporal/trackers.rs"]
mod trackers;

use mcc_murphi::Verdict;
use mcc_murphi::expectation::Expectation;
use serde_json::Value;
use std::collections::BTreeSet;
use support::{mcc, root, scratch, text};

fn check(name: &str) {
    let model = root().join("models/temporal").join(name).with_extension("m");
    let report = scratch("temporal").join(format!("{name}.json"));
    for expected in Expectation::beside(&model).expect("what is expected lies beside the model") {
        let definitions = expected.definitions().map(|(name, value)| format!("-D{name}={value}"));
        let defined: Vec<String> = definitions.collect();
        let mut command = mcc();
        command.args(&defined).arg("--interpret").arg(&model).arg("--");
        command.args(&expected.options).arg("--json").arg(&report);
        let output = command.output().expect("mcc runs");
        let name = expected.name.as_deref().unwrap_or_default();
        let shown = format!("{} {name}:\n{}{}", model.display(), text(&output.stdout), text(&output.stderr));
        let found: Value = serde_json::from_slice(&std::fs::read(&report).expect(&shown)).expect("JSON");
        assert_eq!(found["verdict"], expected.verdict.to_string(), "{shown}");
        let status = |word: &str| -> BTreeSet<String> {
            let properties = found["property_figures"].as_array().expect("figures of properties").iter();
            let of_status = properties.filter(|property| property["status"] == word);
            of_status.map(|property| property["name"].as_str().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(status("violated"), expected.violated.unwrap_or_default(), "{shown}");
        if expected.verdict == Verdict::Verified {
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
fn queue_lock() {
    check("queue_lock");
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
fn german() {
    check("german");
}

#[test]
fn bakery() {
    check("bakery");
}

#[test]
fn mcs_lock() {
    check("mcs_lock");
}

#[test]
fn mesi_directory() {
    check("mesi_directory");
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
    let fails = ["[] <> (x = 0)", "[] <> fired(\"up\")", "<> (x = 3 & fired(\"up\"))"];
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

/// Where a word may be the operator or a name of the model, neither reading is verified; each case
/// has a twin without the doubt.
#[test]
fn words_that_may_be_names_are_refused() {
    let function =
        |name: &str| format!("{COUNTER} function {name}(v: boolean): boolean; begin return !v; end;\n");
    let variable = |name: &str| format!("{COUNTER} const {name}: 3;\n");
    let refused = [
        (function("next"), "[] next(x < 3)"),
        (function("next"), "[] next x < 3"),
        (function("Next"), "[] next(x < 3)"),
        (function("next"), "[] NEXT (x < 3)"),
        (function("always"), "always(x < 4)"),
        (function("eventually"), "!(x = 0 & eventually(x = 3))"),
        (variable("next"), "[] next - 1 = 2"),
        (variable("next"), "[] next + 1 = 4 & x = 0"),
        (variable("next"), "[] (next - 1 = 2 | x = 7)"),
        (variable("always"), "always - 1 < x"),
    ];
    for (declarations, formula) in refused {
        let (code, said) = run("doubt", &format!("{declarations} ltl \"f\" {formula};"), &["-ndl"]);
        assert_eq!(code, Some(2), "{formula}: {said}");
        assert!(said.contains("operator-or-name"), "{formula}: {said}");
    }
    let clear = [
        (function("following"), "[] next(x < 4)"),
        (function("always"), "[] (x < 4)"),
        (function("eventually"), "<> (x = 3)"),
        (function("next"), "always (x = 0 -> eventually (x = 3))"),
        (variable("next"), "[] next (x < 4)"),
        (variable("next"), "[] next (x - 1 < 4)"),
        (variable("next"), "[] next ((-1 < x) & x < 4)"),
        (variable("following"), "[] next - 1 < x"),
        // A call can have no text as an argument, and `fired` of a rule must have one.
        (function("fired"), "fired(\"up\") & fired(x = 1)"),
    ];
    for (declarations, formula) in clear {
        let (code, said) = run("clear", &format!("{declarations} ltl \"f\" {formula};"), &["-ndl"]);
        assert_eq!(code, Some(0), "{formula}: {said}");
    }
}

/// What cannot be meant is refused by name.
#[test]
fn mistakes_are_reported() {
    let cases = [
        ("ltl \"f\" <> fired(\"down\");", "there is no rule named \"down\""),
        ("ltl \"f\" <> fired(\"up\", 1);", "this rule has 0 parameters, but `fired` has 1 value"),
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

/// A condition that cannot be evaluated is an error that the replay confirms.
#[test]
fn conditions_that_cannot_be_evaluated_are_replayed() {
    let model = "var a: 0..2; b: 0..2; startstate begin a := 0; b := 0; end;\n\
        rule \"s\" a = 0 ==> begin a := 1; undefine b; end; rule \"t\" a = 1 ==> begin b := a; end;\n";
    for property in ["ltl \"f\" <> (b = 2);", "liveness \"f\" b = 2;", "ltl \"f\" [] (a = 0 -> next b = 0);"]
    {
        let path = scratch("temporal").join("unevaluated.m");
        let report = scratch("temporal").join("unevaluated.json");
        std::fs::write(&path, format!("{model}{property}")).expect("the folder is writable");
        let mut command = mcc();
        command.arg("--interpret").arg(&path).args(["--", "-ndl", "--json"]).arg(&report);
        assert_eq!(command.output().expect("mcc runs").status.code(), Some(1), "{property}");
        let replayed = mcc().arg(&path).arg("--replay").arg(&report).output().expect("mcc runs");
        let said = text(&replayed.stdout) + &text(&replayed.stderr);
        assert!(
            said.contains("The error is real") && said.contains("`b` is undefined"),
            "{property}: {said}"
        );
    }
}

/// A bound ends the search before all states are found: a run that breaks a property is an error
/// all the same, and nothing is verified. The counter goes up to 40 and on from 1, with a way out.
#[test]
fn what_a_bound_leaves_is_searched_and_not_verified() {
    let model = "var x: 0..40; startstate begin x := 0; end;\n\
        rule \"up\" x < 40 ==> begin x := x + 1; end; rule \"again\" x = 5 ==> begin x := 1; end;\n";
    for bound in ["--max-states=20", "--max-depth=20"] {
        let (code, said) = run("bounded", &format!("{model} ltl \"f\" <> (x = 6);"), &["-ndl", bound]);
        assert_eq!(code, Some(1), "{bound}: {said}");
        assert!(said.contains("The loop begins here"), "{bound}: {said}");
        let undecided = [
            // There is no such run, or none among these states.
            ("<> (x >= 0)", "none"),
            ("<> [] (x < 30)", "strong"),
            ("[] <> (x = 40) | [] <> (x = 1)", "none"),
        ];
        for (formula, fairness) in undecided {
            let model = format!("{model} ltl \"f\" {formula};");
            let (code, said) = run("bounded_out", &model, &["-ndl", bound, "--fairness", fairness]);
            assert_eq!(code, Some(3), "{bound} {formula}: {said}");
        }
        // From everywhere on one may come to states that were not found.
        for (condition, expected) in [("x = 40", 3), ("x < 40", 3)] {
            let model = format!("{model} liveness \"f\" {condition};");
            assert_eq!(run("bounded_live", &model, &["-ndl", bound]).0, Some(expected), "{condition}");
        }
    }
    // A part that is left by no rule decides.
    let trap = "var x: 0..40; startstate begin x := 0; end; rule \"up\" x < 40 ==> begin x := x + 1; end;\n\
        rule \"fall\" x = 2 ==> begin x := 40; end; liveness \"f\" x < 40;";
    assert_eq!(run("trap", trap, &["-ndl", "--max-states=20"]).0, Some(1));
}

/// A state space of which the first states have the error: it is not explored to its end.
#[test]
fn errors_are_found_before_all_states_are() {
    let model = "var x: boolean; n: 0..200000; startstate begin x := false; n := 0; end;\n\
        rule \"count\" n < 200000 ==> begin n := n + 1; end; rule \"turn\" true ==> begin x := !x; end;\n\
        ltl \"f\" <> (n = 200000);";
    let (code, said) = run("early", model, &["-j1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("1 error found; the search stopped there\n\t65,536 states"), "{said}");
}

/// The formulas of several values are decided together: the first that is violated is reported, as
/// by one thread.
#[test]
fn values_are_decided_together() {
    let model = "type P: 0..7; var x: P; startstate begin x := 0; end;\n\
        rule \"on\" true ==> begin x := (x + 1) % 8; end; rule \"turn\" x = 5 ==> begin x := 0; end;\n\
        ruleset p: P do ltl \"f\" [] <> (x = p); end; ltl \"g\" <> (x = 7); ltl \"h\" [] <> (x = 1);\n";
    let one = run("several", model, &["-j1", "--max-errors=0"]);
    let several = run("several", model, &["-j4", "--max-errors=0", "--threads-from=1"]);
    let lines = |said: &str| {
        let errors = said.lines().filter(|line| line.starts_with("Error"));
        errors.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(one.0, Some(1));
    assert_eq!(lines(&one.1), lines(&several.1));
    assert_eq!(lines(&one.1).len(), 2, "{}", one.1);
}

/// A value that the rule's parameter can have is an argument of `fired`, whatever type is its own.
#[test]
fn members_of_a_union_are_arguments_of_fired() {
    let model = "type E: enum {a, b}; S: scalarset(2); U: union {S, E}; var on: array [U] of boolean;\n\
        startstate begin for u: U do on[u] := false; end; end;\n\
        ruleset u: U do rule \"flip\" u = a | on[a] ==> begin on[u] := !on[u]; end; end;\n";
    let cases = [
        ("[] (fired(\"flip\", b) -> on[a])", Some(0)),
        ("[] (fired(\"flip\", a) -> on[a])", Some(1)),
        ("forall u: U do [] (fired(\"flip\", u) -> on[u] != next on[u]) end", Some(0)),
        ("forall s: S do [] (fired(\"flip\", s) -> on[a]) end", Some(0)),
        // These would have other numbers in the union.
        ("forall e: E do [] (fired(\"flip\", e) -> on[a]) end", Some(2)),
        ("[] !fired(\"flip\", true)", Some(2)),
    ];
    for (formula, expected) in cases {
        let (code, said) = run("members", &format!("{model} ltl \"f\" {formula};"), &[]);
        assert_eq!(code, expected, "{formula}: {said}");
    }
}
