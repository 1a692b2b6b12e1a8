//! Several threads: the same results as one, whatever their number, run after run.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use models::wheels::Wheels;
use models::{plain_counts, report, run, run_with};
use serde_json::{Value, json};

const MANY: [usize; 4] = [1, 2, 3, 8];

/// What must not depend on the number of threads.
fn figures(report: &Value) -> Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures", "property_figures"];
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

/// The states with errors, with the lengths of the traces to them, in the order of the report.
fn errors(report: &Value) -> Vec<(usize, String)> {
    let errors = report["errors"].as_array().unwrap().iter();
    errors
        .map(|error| {
            let trace = error["trace"].as_array().unwrap();
            let state = trace.iter().rev().map(|step| &step["state"]).find(|state| !state.is_null());
            (trace.len(), state.unwrap().to_string())
        })
        .collect()
}

#[test]
fn counts_are_those_of_the_plain_way() {
    let (states, rules, depth) = plain_counts(&Wheels::Right);
    assert_eq!((states, rules, depth), (65_536, 8 * 65_536, 24));
    for threads in MANY {
        for way in ["", "-b"] {
            let report = report(&Wheels::Right, &format!("-j{threads} {way}"));
            assert_eq!(report["verdict"], "verified");
            assert_eq!(
                (&report["states"], &report["rules"], &report["depth"]),
                (&json!(states), &json!(rules), &json!(depth)),
                "{threads} {way}"
            );
            assert_eq!(report["options"]["threads"], threads);
            assert_eq!(report["property_figures"][1]["count"], 4096);
            assert_eq!(report["property_figures"][2]["count"], 8 * 65_536 / 4);
        }
    }
    assert_eq!(report(&Wheels::Right, "-vdfs")["states"], states);
}

/// From the first level to the last, where there is next to nothing to do.
#[test]
fn tiny_levels_are_shared_as_well() {
    let expected = figures(&report(&Wheels::Right, "-j1"));
    for round in 0..20 {
        let threads = [2, 3, 7, 16][round % 4];
        let line = format!("-j{threads} --threads-from {}", [0, 1, 2, 300][round % 4]);
        assert_eq!(figures(&report(&Wheels::Right, &line)), expected, "{line}");
    }
}

/// More threads than processors, over and over.
#[test]
fn every_run_gives_the_same_figures() {
    let expected = figures(&report(&Wheels::Right, "-j1"));
    for round in 0..60 {
        let threads = [2, 3, 5, 8, 16][round % 5];
        let way = ["", "-b"][round % 2];
        assert_eq!(figures(&report(&Wheels::Right, &format!("-j{threads} {way}"))), expected, "{round}");
    }
}

#[test]
fn all_errors_are_found_in_the_same_order() {
    for (model, nearest) in [(Wheels::Broken, 16), (Wheels::Stuck, 16), (Wheels::Faulty, 17)] {
        let alone = report(&model, "-j1 --max-errors 0");
        let mut expected = errors(&alone);
        assert_eq!(expected.len(), 64, "{model:?}");
        expected.sort();
        assert_eq!(expected[0].0, nearest);
        let mut order = None;
        for threads in [2, 3, 8] {
            let together = report(&model, &format!("-j{threads} --max-errors 0"));
            assert_eq!(figures(&together), figures(&alone), "{model:?} {threads}");
            let found = errors(&together);
            assert!(order.get_or_insert_with(|| found.clone()) == &found, "{model:?} {threads}");
            let mut sorted = found;
            sorted.sort();
            assert_eq!(sorted, expected, "{model:?} {threads}");
        }
    }
}

#[test]
fn the_first_error_stops_all_and_its_trace_is_shortest() {
    for (model, length) in [(Wheels::Broken, 16), (Wheels::Stuck, 16), (Wheels::Faulty, 17)] {
        for threads in MANY {
            let found = report(&model, &format!("-j{threads}"));
            assert_eq!(found["verdict"], "violated");
            let errors = errors(&found);
            assert_eq!((errors.len(), errors[0].0), (1, length), "{model:?} {threads}");
        }
        // One thread always reports the same one.
        assert_eq!(errors(&report(&model, "-j1")), errors(&report(&model, "-j1")));
        for threads in MANY {
            let found = report(&model, &format!("-j{threads} --max-errors 3"));
            assert_eq!(errors(&found).len(), 3, "{model:?} {threads}");
        }
    }
}

#[test]
fn limits_hold_for_every_number_of_threads() {
    for threads in MANY {
        for most in [5000, 30_000, 65_535] {
            let ran = run(&Wheels::Right, &format!("-j{threads} --max-states {most} --json -"));
            assert_eq!((ran.exit, &ran.json()["states"]), (Exit::Inconclusive, &json!(most)), "{threads}");
        }
        let all = run(&Wheels::Right, &format!("-j{threads} --max-states 65536"));
        assert_eq!(all.exit, Exit::Verified);
        let shallow = run(&Wheels::Right, &format!("-j{threads} --max-depth 12 --json -"));
        let expected = report(&Wheels::Right, "-j1 --max-depth 12");
        assert_eq!(shallow.exit, Exit::Inconclusive);
        assert_eq!(figures(&shallow.json()), figures(&expected));
        assert_eq!(run(&Wheels::Right, &format!("-j{threads} --max-depth 24")).exit, Exit::Verified);
    }
}

#[test]
fn memory_and_interruption_end_all_threads() {
    for threads in MANY {
        for memory in ["200K", "700K", "1000K"] {
            let ran = run(&Wheels::Right, &format!("-j{threads} --memory {memory} --json -"));
            assert_eq!(ran.exit, Exit::Inconclusive, "{threads} {memory}");
            assert!(ran.json()["reason"].to_string().contains("out of memory"), "{threads} {memory}");
            assert!(ran.json()["memory_bytes"].as_u64().unwrap() <= 1000 << 10);
        }
        let ran = run_with(&Wheels::Right, &format!("-j{threads}"), &Interruption::at_once());
        assert_eq!(ran.exit, Exit::Inconclusive);
        for round in 0..5 {
            let interruption = Interruption::none();
            let ran = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(std::time::Duration::from_millis(3 * round));
                    interruption.request();
                });
                run_with(&Wheels::Right, &format!("-j{threads}"), &interruption)
            });
            assert!(
                ran.exit == Exit::Verified || ran.out.contains("inconclusive: interrupted"),
                "{}",
                ran.out
            );
        }
    }
}
