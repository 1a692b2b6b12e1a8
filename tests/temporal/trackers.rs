//! Mistakes that the trackers of other checkers report about properties of runs, each as a model of
//! ours: what was reported wrongly there, and what is right. `docs/internals/temporal.md` lists
//! them with the others.

use super::run;

/// A model, a formula, the options, and the exit code.
type Case = (&'static str, &'static str, &'static str, i32);

fn check(name: &str, cases: &[Case]) {
    for (model, property, options, expected) in cases {
        let options: Vec<&str> = options.split_whitespace().collect();
        let (code, said) = run(name, &format!("{model}\n{property}"), &options);
        assert_eq!(code, Some(*expected), "{options:?} {property}: {said}");
    }
}

const TOGGLE: &str =
    "var x: boolean; startstate begin x := false; end; rule \"t\" true ==> begin x := !x; end;";

/// tlaplus#971 and tlaplus#710: with several workers a violation was not reported, and a longer
/// trace than need be, with stuttering at its end.
#[test]
fn a_violation_is_found_by_any_number_of_threads() {
    for threads in ["-j1", "-j2 --threads-from 1", "-j5 --threads-from 1", "-vdfs"] {
        for formula in ["[] (x -> [] (!x -> [] !x))", "[] (x -> [] (!x -> [] !x)) & next true"] {
            let (code, said) = run(
                "once",
                &format!("{TOGGLE} ltl \"f\" {formula};"),
                &threads.split(' ').collect::<Vec<_>>(),
            );
            assert_eq!(code, Some(1), "{threads}: {said}");
        }
    }
}

/// tlaplus#201: the states of a component were taken for the component, and steps in the other
/// direction for its own.
#[test]
fn a_component_is_more_than_its_states() {
    let both = "var x: 0..2; startstate begin x := 0; end;
        fair rule \"on\" true ==> begin x := (x + 1) % 3; end;
        ruleset y: 0..2 do rule \"any\" true ==> begin x := y; end; end;";
    check(
        "component",
        &[
            (both, "ltl \"f\" [] <> fired(\"on\");", "", 0),
            (both, "ltl \"f\" [] <> (x = 0);", "", 1),
            (both, "ltl \"f\" [] <> fired(\"on\");", "--fairness none", 1),
            (both, "ltl \"f\" [] <> fired(\"any\", 1);", "--fairness strong", 0),
        ],
    );
}

/// tla-rs#63: steps of a fair rule that change nothing counted as fair.
#[test]
fn a_step_that_changes_nothing_is_not_what_fairness_asks_for() {
    let grow = "var x: 0..3; idle: boolean; startstate begin x := 0; idle := false; end;
        fair rule \"grow\" x < 3 ==> begin x := x + (idle ? 0 : 1); end;";
    let idle = "var x: 0..3; startstate begin x := 0; end;
        ruleset d: 0..1 do fair rule \"grow\" x < 3 ==> begin x := x + d; end; end;";
    check(
        "grow",
        &[
            (grow, "ltl \"f\" <> (x = 3);", "-ndl", 0),
            (idle, "ltl \"f\" <> (x = 3);", "-ndl", 0),
            (idle, "ltl \"f\" <> (x = 3);", "-ndl --fairness none", 1),
            (idle, "ltl \"f\" <> [] !fired(\"grow\", 0);", "-ndl", 0),
            (idle, "ltl \"f\" [] <> fired(\"grow\", 0) | <> (x = 3);", "-ndl --fairness none", 0),
        ],
    );
}

/// tla-rs#62: `<> []` was dropped with a warning.
#[test]
fn what_stays_in_the_end_is_checked() {
    check("stays", &[(TOGGLE, "ltl \"f\" <> [] x;", "", 1), (TOGGLE, "ltl \"f\" <> [] (x | !x);", "", 0)]);
}

/// tla-rs#64: a whole component was printed as a cycle, with arrows that are no steps.
#[test]
fn a_loop_is_a_loop() {
    let model = "var x: 0..2; startstate begin x := 0; end; rule \"on\" true ==> begin x := (x + 1) % 3; end;
        rule \"stay\" x = 0 ==> begin end; ltl \"f\" <> [] (x != 0);";
    let (code, said) = run("loop", model, &[]);
    assert_eq!(code, Some(1), "{said}");
    // Each step is one of the model: 2 and 1 never follow each other that way.
    assert!(said.contains("repeated for ever"), "{said}");
    assert!(!said.contains("2 → 1") && !said.contains("1 → 0"), "{said}");
}

/// tlaplus#1348: a finite part of a run was reported, although fairness makes its continuation
/// fulfil the formula.
#[test]
fn a_finite_part_is_no_violation_of_what_may_still_come() {
    let model = "var x: 0..3; startstate begin x := 0; end;
        fair rule \"on\" x < 3 ==> begin x := x + 1; end; rule \"idle\" true ==> begin end;";
    check(
        "prefix",
        &[
            (model, "ltl \"f\" [] (x = 1 -> <> (x = 3));", "-ndl", 0),
            (model, "ltl \"f\" (x < 3) until (x = 3);", "-ndl", 0),
            (model, "ltl \"f\" (x < 3) until (x = 3);", "-ndl --fairness none", 1),
            (model, "ltl \"f\" ((x < 3) until (x = 3)) & [] (x < 4);", "-ndl", 0),
        ],
    );
}

/// tlaplus#1440: a condition that could not be evaluated in the first state ended in a success.
#[test]
fn what_cannot_be_evaluated_is_no_success() {
    let model = "var x, y: 0..3; startstate begin x := 0; undefine y; end;
        rule \"on\" x < 3 ==> begin x := x + 1; y := x; end;";
    check(
        "evaluation",
        &[
            (model, "ltl \"f\" <> (y = 3);", "-ndl", 1),
            (model, "ltl \"f\" <> (!isundefined(y) & y = 3);", "-ndl", 0),
            (model, "liveness \"f\" y = 3;", "-ndl", 1),
            (model, "ltl \"f\" [] (y < 4);", "-ndl", 1),
        ],
    );
}

/// nimble-code/Spin#38: with weak fairness, a run in which all processes end was not considered.
#[test]
fn runs_that_end_are_fair() {
    let model = "var n: 0..2; p, q: boolean; startstate begin n := 0; p := false; q := false; end;
        fair rule \"p\" !p ==> begin n := 1; p := true; end;
        fair rule \"q\" !q ==> begin n := 2; q := true; end;";
    check(
        "ends",
        &[
            (model, "ltl \"f\" <> [] (n = 1);", "-ndl", 1),
            (model, "ltl \"f\" <> [] (n > 0);", "-ndl", 0),
            (model, "ltl \"f\" <> [] (n = 1) | <> [] (n = 2);", "-ndl --fairness strong", 0),
        ],
    );
}

/// ltsmin#222: with a partial order reduction a violation was not found.
#[test]
fn leaving_out_orders_hides_no_run() {
    let model = "var a, b: 0..1; c: 0..2; startstate begin a := 0; b := 0; c := 0; end;
        rule \"a\" true ==> begin a := 1 - a; end; rule \"b\" true ==> begin b := 1 - b; end;
        rule \"c\" c < 2 ==> begin c := c + 1; end;";
    for options in ["", "--sleep", "-vdfs --sleep", "-b -j2 --threads-from 1"] {
        check(
            "orders",
            &[
                (model, "ltl \"f\" <> (c = 2);", options, 1),
                (model, "ltl \"f\" [] <> (a = 1 & b = 1);", options, 1),
                (model, "ltl \"f\" [] (a = 1 -> next (a = 1 | b = 0 | fired(\"a\") | c >= 0));", options, 0),
                (model, "ltl \"f\" [] (fired(\"a\") & b = 1 -> next b = 1);", options, 0),
            ],
        );
    }
}

/// ltsmin#184: a negated condition was evaluated in the state before.
#[test]
fn a_condition_is_evaluated_where_it_stands() {
    check(
        "where",
        &[
            (TOGGLE, "ltl \"f\" [] (!x & fired(\"t\") -> next !(!x));", "", 0),
            (TOGGLE, "ltl \"f\" [] (!x & fired(\"t\") -> next !x);", "", 1),
            (TOGGLE, "ltl \"f\" !(next !x);", "", 0),
        ],
    );
}

/// HasCal#16: a run that never ends fulfilled whatever should come about.
#[test]
fn a_run_without_an_end_has_to_do_what_it_should() {
    check("endless", &[(TOGGLE, "ltl \"f\" <> (x & !x);", "", 1), (TOGGLE, "liveness \"f\" x & !x;", "", 1)]);
}

/// p-org/PSharp#8: what waits before the loop begins, and is answered there, is no violation.
#[test]
fn waiting_before_the_loop_is_no_violation() {
    let model = "var hot: boolean; n: 0..3; startstate begin hot := true; n := 0; end;
        rule \"work\" n < 3 ==> begin n := n + 1; hot := n < 2; end;
        rule \"on\" n = 3 ==> begin n := 2; end;";
    check(
        "hot",
        &[(model, "ltl \"f\" [] (hot -> <> !hot);", "", 0), (model, "ltl \"f\" [] (!hot -> <> hot);", "", 1)],
    );
}
