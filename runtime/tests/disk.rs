//! The visited set on disk: the same results as in memory, whatever the memory, the table and the
//! number of threads.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::wheels::Wheels;
use models::{report, run};
use serde_json::Value;

const WAYS: [&str; 6] =
    ["", "-b", "-c --seed 3", "--disk-plain", "-b --disk-plain", "-c --seed 4 --disk-plain"];

fn disk() -> String {
    format!("--disk {}", std::env::temp_dir().display())
}

/// What must not depend on where states are kept.
fn figures(report: &Value) -> Value {
    let keys = ["verdict", "states", "rules", "depth", "rule_figures", "property_figures"];
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

fn number(report: &Value, key: &str) -> u64 {
    report["disk_table"][key].as_u64().unwrap()
}

#[test]
fn every_table_finds_the_same() {
    let exact = report(&Wheels::Right, "-j1");
    for way in WAYS {
        for threads in [1, 2, 3, 8] {
            for memory in ["1K", "400K", "64M"] {
                let line = format!("{} {way} -j{threads} --table-memory {memory}", disk());
                let found = report(&Wheels::Right, &line);
                assert_eq!(figures(&found), figures(&exact), "{line}");
                let levels: Vec<u64> = serde_json::from_value(found["disk_table"]["levels"].clone()).unwrap();
                assert_eq!((levels.len(), levels.iter().sum::<u64>()), (25, 65_536), "{line}");
                // There is a check for each level at least, and many where there is little memory.
                let checks = number(&found, "checks");
                assert!(checks >= 20 && (memory != "1K" || threads > 1 || checks > 50), "{line} {checks}");
                assert!(number(&found, "candidates") >= 65_536);
                assert!(number(&found, "table_bytes") > 65_536 && number(&found, "written_bytes") > 65_536);
            }
        }
    }
}

#[test]
fn few_rules_and_many_levels() {
    let polite = Philosophers { polite: true };
    let exact = report(&polite, "-ndl -j1");
    for way in WAYS {
        let found = report(&polite, &format!("-ndl -j1 {} {way}", disk()));
        assert_eq!(figures(&found), figures(&exact), "{way}");
    }
}

/// Every kind of error is found, and the way to it is a shortest one.
#[test]
fn errors_are_found_with_their_traces() {
    for (model, length) in [(Wheels::Broken, 16), (Wheels::Stuck, 16), (Wheels::Faulty, 17)] {
        for way in WAYS {
            for threads in [1, 2, 3] {
                let line = format!("{} -j{threads} --threads-from 500 --table-memory 100K {way}", disk());
                let found = report(&model, &line);
                assert_eq!(found["verdict"], "violated", "{model:?} {line} {}", found["reason"]);
                let trace = found["errors"][0]["trace"].as_array().unwrap();
                assert_eq!(trace.len(), length, "{model:?} {line}");
            }
        }
    }
    for flavour in [Flavour::Invariant, Flavour::InvariantFault, Flavour::Guard, Flavour::NoJump] {
        let exact = report(&Ladder(flavour), "-j1");
        for way in WAYS {
            let found = report(&Ladder(flavour), &format!("-j1 {} {way}", disk()));
            assert_eq!(found["errors"], exact["errors"], "{flavour:?} {way}");
        }
    }
}

/// All errors are reported, each once, and what lies behind a violating state is not explored.
#[test]
fn all_errors_are_reported_once() {
    let exact = report(&Wheels::Broken, "--max-errors 0 -j1");
    for way in WAYS {
        for threads in [1, 2] {
            let line = format!("{} --max-errors 0 --table-memory 100K -j{threads} {way}", disk());
            let found = report(&Wheels::Broken, &line);
            let errors = |report: &Value| report["errors"].as_array().unwrap().len();
            assert_eq!(errors(&found), errors(&exact), "{line}");
            for key in ["states", "rules", "depth", "verdict"] {
                assert_eq!(found[key], exact[key], "{line} {key}");
            }
        }
    }
}

#[test]
fn limits_hold() {
    for way in WAYS {
        for threads in [1, 2] {
            let line = format!("{} -j{threads} --threads-from 500 --table-memory 100K {way}", disk());
            let found = report(&Wheels::Right, &format!("{line} --max-states 30000"));
            assert_eq!(
                (&found["verdict"], &found["states"]),
                (&"inconclusive".into(), &30_000.into()),
                "{line}"
            );
            assert!(found["reason"].as_str().unwrap().contains("--max-states"));
            let exact = report(&Wheels::Right, "--max-depth 12 -j1");
            let found = report(&Wheels::Right, &format!("{line} --max-depth 12"));
            for key in ["verdict", "reason", "states", "rules", "depth"] {
                assert_eq!(found[key], exact[key], "{line} {key}");
            }
            // The last level has no successors that are new.
            let found = report(&Wheels::Right, &format!("{line} --max-depth 24"));
            assert_eq!((&found["verdict"], &found["states"]), (&"verified".into(), &65_536.into()), "{line}");
        }
    }
}

/// With few bits states are missed, and the bounds say so.
#[test]
fn few_bits_are_told() {
    let found = report(&Wheels::Right, &format!("{} -c --bits 20 --seed 1 -j1", disk()));
    let states = found["states"].as_u64().unwrap();
    assert!(states > 40_000 && states < 65_536, "{states}");
    let bounds = &found["compaction"]["bounds"];
    let (error, any) = (bounds["missed_error"].as_f64().unwrap(), bounds["missed_any"].as_f64().unwrap());
    assert!(error > 0.1 && any > 0.99, "{bounds}");
    assert!(found["disk_table"]["formula_1"].as_f64().unwrap() > 0.1);
    assert_eq!(found["disk_table"]["bits"], 20);
    let wanted = report(&Wheels::Right, &format!("{} -c --seed 1 -j1 --target 1e-9", disk()));
    assert!(wanted["disk_table"]["bits"].as_u64().unwrap() > 48);
    let usual = run(&Wheels::Right, &format!("{} -c --seed 1 -j1", disk()));
    assert_eq!(usual.exit, Exit::Verified);
    assert!(usual.out.contains("probability of a missed error at most"), "{}", usual.out);
    assert!(usual.out.contains("l = 2^48"), "{}", usual.out);
}

/// Few bits differ from each other in what they miss, but one seed always misses the same.
#[test]
fn one_seed_has_one_result() {
    for way in ["", "--disk-plain"] {
        let line = format!("{} -c --bits 22 --seed 5 -j1 {way}", disk());
        let (first, second) = (report(&Wheels::Right, &line), report(&Wheels::Right, &line));
        assert_eq!(figures(&first), figures(&second));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let cases = [
        ("-vdfs", "--disk: depth first"),
        ("--show-states", "--show-states"),
        ("--cache 1M", "cannot be used with"),
        ("-s", "cannot be used with"),
        ("-c --slots 1000", "cannot be used with"),
        ("--locality", "--locality"),
        ("-d .", "cannot be used with"),
        ("--memory 10M --table-memory 11M", "--table-memory: it is a part of --memory"),
    ];
    for (line, message) in cases {
        let ran = run(&Wheels::Right, &format!("{} {line}", disk()));
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    }
    for (line, message) in [
        ("--disk /dev/null/directory", "--disk: /dev/null/directory cannot be created"),
        ("--table-memory 1M", "--disk"),
        ("--disk-plain", "--disk"),
    ] {
        let ran = run(&Wheels::Right, line);
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    }
    let small = run(&Wheels::Right, &format!("{} --memory 100K --table-memory 90K -j1", disk()));
    assert_eq!(small.exit, Exit::Inconclusive, "{}", small.out);
    assert!(small.out.contains("out of memory"), "{}", small.out);
}
