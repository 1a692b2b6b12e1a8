//! Searches of hand-written models: exact counts, every kind of error, every limit.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use models::ladder::{FAULTS, Flavour, Ladder};
use models::philosophers::Philosophers;
use models::{plain_counts, report, run, run_with};
use serde_json::json;

const WAYS: [&str; 4] = ["", "-b", "-vdfs", "-vdfs -b"];

#[test]
fn counts_agree_with_the_plain_way_in_both_layouts_and_orders() {
    let expected = plain_counts(&Philosophers { polite: true });
    assert!(expected.0 > 1000, "{expected:?}");
    for way in WAYS {
        let report = report(&Philosophers { polite: true }, way);
        assert_eq!(report["verdict"], "verified", "{way}");
        assert_eq!((&report["states"], &report["rules"]), (&json!(expected.0), &json!(expected.1)), "{way}");
        if !way.contains("dfs") {
            assert_eq!(report["depth"], expected.2);
        }
    }
}

#[test]
fn a_ladder_has_eight_rungs() {
    let ladder = Ladder(Flavour::Plain);
    assert_eq!(plain_counts(&ladder), (8, 14, 4));
    for way in WAYS {
        let report = report(&ladder, way);
        assert_eq!((&report["states"], &report["rules"]), (&json!(8), &json!(14)), "{way}");
        assert_eq!(report["rule_figures"][0], json!({"name": "up", "line": 2, "instances": 2, "fired": 13}));
        assert_eq!(report["rule_figures"][1]["fired"], 1);
        assert_eq!(report["property_figures"][0]["status"], "holds");
        assert_eq!(report["property_figures"][1]["count"], 1);
        assert_eq!(report["property_figures"][2]["count"], 1);
    }
}

#[test]
fn a_deadlock_has_the_shortest_trace() {
    let rude = Philosophers { polite: false };
    let found = report(&rude, "");
    assert_eq!(found["verdict"], "violated");
    let error = &found["errors"][0];
    assert_eq!(error["kind"], "deadlock");
    // The start state, and each of the four takes a fork.
    assert_eq!(error["trace"].as_array().unwrap().len(), 5);
    assert_eq!(error["trace"][4]["state"]["forks"]["Philosopher_1"], "Philosopher_1");
    assert_eq!(
        error["trace"][4]["state"]["seats"]["Philosopher_2"],
        json!({"doing": "WAITS", "hunger": null})
    );
    assert_eq!(error["trace"][4]["state"]["served"], json!([]));
    assert_eq!(run(&rude, "-ndl").exit, Exit::Verified);
    for way in WAYS {
        let all = report(&rude, &format!("{way} --max-errors 0"));
        let (states, rules, _) = plain_counts(&rude);
        assert_eq!((&all["states"], &all["rules"]), (&json!(states), &json!(rules)), "{way}");
        assert!(all["errors"].as_array().unwrap().iter().all(|error| error["kind"] == "deadlock"));
        // All wait, nothing is left to clear away, and each has eaten before or not.
        assert_eq!(all["errors"].as_array().unwrap().len(), 16, "{way}");
    }
}

#[test]
fn every_fault_is_named_with_rule_parameters_and_line() {
    for (kind, name) in FAULTS {
        let found = report(&Ladder(Flavour::Body(kind)), "");
        let error = &found["errors"][0];
        assert_eq!(error["kind"], name);
        assert_eq!((&error["line"], &error["column"]), (&json!(3), &json!(2)));
        assert_eq!(error["rule"], "up");
        // Rung 3 is reached by two rules, rung 4 by two: the first of that level goes wrong.
        assert_eq!(error["parameters"], json!({"by": "2"}));
        // The start state, two steps, and the rule that goes wrong.
        assert_eq!(error["trace"].as_array().unwrap().len(), 4);
        assert_eq!(error["trace"][3]["state"], json!(null));
        assert_eq!(found["verdict"], "violated");
    }
    let text = run(&Ladder(Flavour::Body(FAULTS[2].0)), "").out;
    assert!(text.contains("Error: 5 is not in 0..4"), "{text}");
    assert!(text.contains(" --> ladder.m:3:2\n"), "{text}");
    assert!(text.contains("3 | \trung := rung + by;\n  | \t^\n"), "{text}");
    assert!(text.contains("3. up (by = 2)\n   ends in the error\n"), "{text}");
}

#[test]
fn faults_in_guards_invariants_and_starts() {
    let guard = report(&Ladder(Flavour::Guard), "");
    assert_eq!(guard["errors"][0]["message"], "index 4 is outside");
    assert_eq!(guard["errors"][0]["trace"].as_array().unwrap().len(), 4);
    let invariant = report(&Ladder(Flavour::InvariantFault), "");
    assert_eq!(invariant["errors"][0]["kind"], "division");
    assert_eq!(invariant["property_figures"][0]["status"], "violated");
    let start = report(&Ladder(Flavour::StartFault), "");
    assert_eq!(start["errors"][0]["kind"], "range");
    assert_eq!(start["errors"][0]["rule"], "foot");
    assert_eq!(start["errors"][0]["trace"], json!(null));
    assert_eq!(start["states"], 0);
}

#[test]
fn an_invariant_is_broken_after_three_steps() {
    let ladder = Ladder(Flavour::Invariant);
    for way in WAYS {
        let found = report(&ladder, way);
        assert_eq!(found["errors"][0]["kind"], "invariant", "{way}");
        assert_eq!(found["errors"][0]["line"], 4);
    }
    let text = run(&ladder, "").out;
    let expected = "\nError: invariant \"low\" is false
 --> ladder.m:4:1
  |
4 | invariant \"low\" rung < 5;
  | ^

Trace of 3 steps:

Start state: foot
   rung: 0

1. up (by = 1)
   rung  0 → 1

2. up (by = 2)
   rung  1 → 3

3. up (by = 2)
   rung  3 → 5

The error is in the state after step 3:
   rung: 5
";
    assert!(text.contains(expected), "{text}");
    assert!(!run(&ladder, "-tn").out.contains("Trace"));
    // Rung 5 is not expanded, so the error state is reported once, and rung 6 is reached another
    // way.
    let all = report(&ladder, "--max-errors 0");
    assert_eq!(all["errors"].as_array().unwrap().len(), 1);
    assert_eq!((&all["states"], &all["rules"]), (&json!(8), &json!(12)));
    // What lies only behind rung 5 stays unknown, and nobody says otherwise.
    assert_eq!(
        all["reason"],
        "1 error found; what lies behind a state that breaks a property was not explored"
    );
}

#[test]
fn assumptions_prune_as_in_rumur() {
    // Leaving rung 3 does not count, and rung 3 is then a deadlock.
    let pruned = report(&Ladder(Flavour::Pruned), "");
    assert_eq!(pruned["errors"][0]["kind"], "deadlock");
    let pruned = report(&Ladder(Flavour::Pruned), "-ndl");
    assert_eq!((&pruned["states"], &pruned["rules"]), (&json!(8), &json!(12)));
    // Going to rung 4 counts as fired, and rung 3 is no deadlock.
    let excluded = report(&Ladder(Flavour::Excluded), "--max-errors 0");
    assert_eq!((&excluded["states"], &excluded["rules"]), (&json!(4), &json!(8)));
    assert!(excluded["errors"].as_array().unwrap().iter().all(|error| error["kind"] == "cover"));
    let none = run(&Ladder(Flavour::NoStart), "");
    assert_eq!(none.exit, Exit::Wrong);
    assert!(none.out.contains("no start state satisfies the assumptions"), "{}", none.out);
}

#[test]
fn start_states_count_once_each() {
    let many = report(&Ladder(Flavour::ManyStarts), "");
    assert_eq!((&many["states"], &many["rules"], &many["depth"]), (&json!(8), &json!(14), &json!(3)));
}

#[test]
fn covers_that_are_never_reached_are_errors() {
    let uncovered = report(&Ladder(Flavour::Uncovered), "");
    assert_eq!(uncovered["verdict"], "violated");
    assert_eq!(uncovered["errors"][0]["message"], "cover property \"high\" was never reached");
    assert_eq!(uncovered["errors"][1]["message"], "cover statement \"jumped\" was never reached");
    assert_eq!(uncovered["errors"][1]["line"], 3);
    assert_eq!(uncovered["property_figures"][1]["status"], "never-reached");
}

#[test]
fn limits_are_exact_and_never_say_verified() {
    let ladder = Ladder(Flavour::Plain);
    for (line, exit, states) in [
        ("--max-states 8", Exit::Verified, 8),
        ("--max-states 7", Exit::Inconclusive, 7),
        ("--max-states 0", Exit::Inconclusive, 0),
        ("--max-depth 4", Exit::Verified, 8),
        ("--max-depth 3", Exit::Inconclusive, 7),
        ("--max-depth 0", Exit::Inconclusive, 1),
    ] {
        for way in ["", "-b"] {
            let ran = run(&ladder, &format!("{line} {way} --json -"));
            assert_eq!((ran.exit, &ran.json()["states"]), (exit, &json!(states)), "{line} {way}");
            assert!(exit == Exit::Verified || ran.json()["advice"].is_string());
        }
    }
    let deep = run(&ladder, "-vdfs --max-depth 2");
    assert_eq!(deep.exit, Exit::Inconclusive);
    // An error counts, whatever ended the search.
    let found = report(&Ladder(Flavour::Body(FAULTS[0].0)), "--max-states 6 --max-errors 0");
    assert_eq!(found["verdict"], "violated");
    assert!(found["reason"].as_str().unwrap().contains("cut off"));
}

#[test]
fn memory_and_interruption_are_inconclusive() {
    let polite = Philosophers { polite: true };
    for line in ["-k30", "--memory 100b", "-vdfs -k40", "-m0000000001 --memory 60K"] {
        let ran = run(&polite, &format!("{} --json -", line.replace("-m0000000001 ", "")));
        assert_eq!(ran.exit, Exit::Inconclusive, "{line}");
        let reason = ran.json()["reason"].to_string();
        assert!(
            reason.starts_with("\"out of memory: ") && reason.contains("the limit is"),
            "{line}: {reason}"
        );
        assert!(ran.json()["advice"].as_str().unwrap().contains("-b"));
        assert!(ran.json()["memory_bytes"].as_u64().unwrap() <= 60 << 10);
    }
    let ran = run_with(&polite, "", &Interruption::at_once());
    assert_eq!(ran.exit, Exit::Inconclusive);
    assert!(ran.out.contains("inconclusive: interrupted"), "{}", ran.out);
}
