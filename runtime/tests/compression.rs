//! Path compression: what is walked through is neither stored nor missed.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::railway::Railway;
use models::wheels::Wheels;
use models::{plain_counts, report, run, run_with};
use serde_json::json;

const WAYS: [&str; 9] = [
    "",
    "-b",
    "-vdfs",
    "-vdfs -b",
    "-c --seed 1",
    "-c -vdfs --seed 1",
    "--cache-states 1000 -j1",
    "-j2 --threads-from 1",
    "-j3 --threads-from 1 -c -b --seed 1",
];

/// Three states are stored: where the points are, and where they lead to. Both lines are walked
/// from there round to the points.
#[test]
fn states_between_points_are_not_stored() {
    assert_eq!(plain_counts(&Railway::Right).0, 702);
    for way in WAYS {
        let found = report(&Railway::Right, &format!("{way} --compress-paths --watch distinct"));
        assert_eq!(found["verdict"], "verified", "{way}");
        assert_eq!(found["states"], 3, "{way}");
        // On each line 299 stations, 101 that both share, and station 0 again.
        assert_eq!(found["walked"], json!({"states": 2 * 401, "longest": 401, "circles": 0}), "{way}");
        assert_eq!(found["watched"]["distinct"], 702, "{way}");
        assert_eq!(found["rules"], 2 + 2 * (401 + 2), "{way}");
        assert_eq!(found["property_figures"][1]["status"], "reached", "{way}");
    }
    assert_eq!(report(&Railway::Right, "")["walked"], json!(null));
}

#[test]
fn a_walk_in_a_circle_ends() {
    for way in WAYS {
        let found = report(&Railway::Circle, &format!("{way} --compress-paths --watch distinct"));
        assert_eq!((&found["verdict"], &found["states"]), (&json!("verified"), &json!(1)), "{way}");
        assert_eq!(found["watched"]["distinct"], 1000, "{way}");
        assert_eq!(found["walked"]["circles"], 1, "{way}");
        assert!(found["walked"]["states"].as_u64().unwrap() < 3 * 1000, "{way}: {}", found["walked"]);
    }
}

/// The trace goes through every state, and every error on the way is reported, once.
#[test]
fn errors_on_a_walk_have_whole_traces() {
    for (railway, kind, steps) in [
        (Railway::Closed, "invariant", 351),
        (Railway::Unclear, "assertion", 351),
        (Railway::Derailed, "assertion", 352),
        (Railway::DeadEnd, "deadlock", 351),
    ] {
        for way in WAYS.iter().chain(&["-c --bits 8 --seed 3"]) {
            let found = report(&railway, &format!("{way} --compress-paths"));
            assert_eq!(found["verdict"], "violated", "{way}");
            let error = &found["errors"][0];
            assert_eq!(error["kind"], kind, "{way}");
            let trace = error["trace"].as_array().unwrap();
            assert_eq!(trace.len(), steps + 1, "{way}");
            let stations: Vec<_> =
                trace.iter().filter_map(|step| step["state"]["station"].as_u64()).collect();
            assert_eq!((stations[0], stations.last()), (0, Some(&750)), "{way}");
            let all = report(&railway, &format!("{way} --compress-paths --max-errors 0"));
            let told = all["errors"].as_array().unwrap().iter().filter(|error| error["kind"] == kind);
            assert_eq!(told.count(), 1, "{way}");
        }
    }
    let found = report(&Railway::Line, "--compress-paths");
    assert_eq!(found["errors"][0]["trace"].as_array().unwrap().len(), 1000);
}

/// Whatever goes wrong without compression goes wrong with it, and nothing else does.
#[test]
fn verdicts_are_those_without_compression() {
    use Flavour::*;
    let flavours = [
        Plain,
        Invariant,
        InvariantFault,
        Guard,
        NoJump,
        Pruned,
        Excluded,
        NoStart,
        StartFault,
        ManyStarts,
        Uncovered,
    ];
    for way in WAYS {
        for flavour in flavours {
            let ladder = Ladder(flavour);
            let (plain, walked) = (run(&ladder, way), run(&ladder, &format!("{way} --compress-paths")));
            assert_eq!(plain.exit, walked.exit, "{way} {flavour:?}");
            if flavour != NoStart {
                let kinds = |line: &str| {
                    let found = report(&ladder, line);
                    let errors = found["errors"].as_array().unwrap().clone();
                    errors.iter().map(|error| error["kind"].clone()).collect::<Vec<_>>()
                };
                let all = format!("{way} --max-errors 0");
                assert_eq!(kinds(&all), kinds(&format!("{all} --compress-paths")), "{way} {flavour:?}");
            }
        }
        for polite in [true, false] {
            let model = Philosophers { polite };
            let (plain, walked) = (run(&model, way), run(&model, &format!("{way} --compress-paths")));
            assert_eq!(plain.exit, walked.exit, "{way} {polite}");
        }
    }
}

/// Where every state has a choice there is nothing to walk through, and all counts stay what they
/// were.
#[test]
fn nothing_changes_where_all_states_have_a_choice() {
    for way in ["-j1", "-j2 --threads-from 1", "-b -c --seed 1"] {
        let (plain, walked) = (
            report(&Wheels::Six, way),
            report(&Wheels::Six, &format!("{way} --compress-paths --watch distinct")),
        );
        assert_eq!(walked["watched"]["distinct"], plain["states"], "{way}");
        // The last turn of the last wheel is the only one left: those states have one successor.
        assert!(walked["walked"]["states"].as_u64().unwrap() <= 12 * 6, "{way} {}", walked["walked"]);
    }
}

/// Counts do not depend on who walks.
#[test]
fn counts_do_not_depend_on_threads() {
    for model in [Railway::Right, Railway::Circle] {
        let counts = |way: &str| {
            let found = report(&model, &format!("{way} --compress-paths"));
            (found["states"].clone(), found["rules"].clone(), found["depth"].clone(), found["walked"].clone())
        };
        let alone = counts("-j1");
        for threads in [2, 3, 5] {
            assert_eq!(counts(&format!("-j{threads} --threads-from 1")), alone, "{threads} threads");
        }
    }
}

#[test]
fn what_cannot_be_right_is_refused_by_name() {
    for (line, option) in [
        ("--max-depth 5", "--max-depth"),
        ("--show-states", "--show-states"),
        ("--locality", "--locality"),
        ("--cache 1M -vdfs", "--cache"),
        ("--sleep", "--sleep"),
        ("--simulate", "--simulate"),
    ] {
        let ran = run(&Railway::Right, &format!("{line} --compress-paths"));
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(option) && ran.err.contains("--compress-paths"), "{line}: {}", ran.err);
    }
}

#[test]
fn a_walk_can_be_interrupted_and_the_summary_tells_of_it() {
    let ran = run_with(&Railway::Circle, "--compress-paths", &Interruption::at_once());
    assert_eq!(ran.exit, Exit::Inconclusive);
    let ran = run(&Railway::Right, "--compress-paths");
    assert!(ran.out.contains("3 states stored, 802 walked through"), "{}", ran.out);
}
