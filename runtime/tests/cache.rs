//! The cache: every state is visited when a search ends by itself, errors are found at any size,
//! and loops are stopped.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::model::Model;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::wheels::Wheels;
use models::{report, run};
use serde_json::Value;
use std::collections::HashSet;

const WAYS: [&str; 4] =
    ["--replace oldest", "--replace direct", "--replace oldest -b", "--replace oldest -c --seed 5"];

/// The states that a search shows, without their numbers.
fn shown(model: &dyn Model, line: &str) -> HashSet<String> {
    let out = run(model, &format!("--show-states -j1 {line}")).out;
    let states = out
        .split("\n\n")
        .filter_map(|text| text.split_once(":\n").filter(|(head, _)| head.contains("State ")));
    states.map(|(_, state)| state.to_owned()).collect()
}

#[test]
fn with_room_for_all_it_is_the_exact_search() {
    let exact = report(&Wheels::Right, "-j1");
    for threads in [1, 2, 3, 8] {
        for way in WAYS {
            let found = report(&Wheels::Right, &format!("--cache-states 400000 -j{threads} {way}"));
            for key in ["verdict", "states", "rules", "depth", "rule_figures", "property_figures"] {
                assert_eq!(found[key], exact[key], "{threads} {way} {key}");
            }
            assert_eq!(found["cache"]["replaced"], 0);
            assert_eq!(found["cache"]["estimated_states"], 65_536);
            let levels: Vec<u64> = serde_json::from_value(found["cache"]["levels"].clone()).unwrap();
            assert_eq!((levels.len(), levels.iter().sum::<u64>()), (25, 65_536));
        }
    }
}

/// At any size, either all states are visited and it says so, or it does not say so.
#[test]
fn what_ends_by_itself_has_visited_all() {
    let polite = Philosophers { polite: true };
    let all: HashSet<String> = shown(&polite, "-ndl");
    assert!(all.len() > 50);
    let (mut ended, mut stopped) = (0, 0);
    for way in WAYS {
        for size in (16..all.len() + 100).step_by((all.len() / 12).next_multiple_of(16)) {
            let line = format!("-ndl --cache-states {size} {way}");
            let states = shown(&polite, &line);
            let found = report(&polite, &format!("-j1 {line}"));
            assert!(states.is_subset(&all));
            match found["verdict"].as_str().unwrap() {
                "verified" => {
                    assert_eq!(states, all, "{line}");
                    ended += 1;
                }
                verdict => {
                    assert_eq!(verdict, "inconclusive", "{line}");
                    assert!(
                        found["reason"].as_str().unwrap().contains("--max-collisions"),
                        "{}",
                        found["reason"]
                    );
                    stopped += 1;
                }
            }
        }
    }
    assert!(ended > 4 && stopped > 0, "{ended} {stopped}");
}

/// A violated model is never verified, and its trace is a shortest one, whatever was evicted.
#[test]
fn errors_are_found_at_any_size() {
    for (model, length) in [(Wheels::Broken, 16), (Wheels::Stuck, 16), (Wheels::Faulty, 17)] {
        for way in WAYS {
            for threads in [1, 2, 3] {
                for size in [20_000, 60_000] {
                    let line = format!("--cache-states {size} -j{threads} --threads-from 500 {way}");
                    let found = report(&model, &format!("{line} --max-depth 17"));
                    assert_eq!(found["verdict"], "violated", "{model:?} {line} {}", found["reason"]);
                    let trace = found["errors"][0]["trace"].as_array().unwrap();
                    assert_eq!(trace.len(), length, "{model:?} {line}");
                }
            }
        }
    }
    let rude = Philosophers { polite: false };
    let exact = report(&rude, "-j1");
    for way in WAYS {
        for size in (16..200).step_by(16) {
            let line = format!("-j1 --cache-states {size} --max-states 100000 --max-collisions 0 {way}");
            let found = report(&rude, &line);
            assert_eq!(found["errors"][0]["kind"], "deadlock", "{line}");
            let length = |report: &Value| report["errors"][0]["trace"].as_array().unwrap().len();
            assert_eq!(length(&found), length(&exact), "{line}");
        }
    }
    for flavour in [Flavour::Invariant, Flavour::InvariantFault, Flavour::Guard, Flavour::NoJump] {
        let exact = report(&Ladder(flavour), "-j1");
        for way in WAYS {
            let found = report(&Ladder(flavour), &format!("-j1 --cache-states 16 {way}"));
            assert_eq!(found["errors"], exact["errors"], "{flavour:?} {way}");
        }
    }
}

/// A state that is found again has its errors again, but they are reported once.
#[test]
fn an_error_is_reported_once() {
    for way in WAYS {
        for size in [50_000, 64_000] {
            let line = format!("--cache-states {size} --max-errors 0 -j2 {way}");
            let found = report(&Wheels::Broken, &line);
            // There are 64, and a search that is cut off may not have come to all of them.
            let errors = found["errors"].as_array().unwrap();
            let ends: HashSet<String> = errors
                .iter()
                .map(|error| error["trace"].as_array().unwrap().last().unwrap().to_string())
                .collect();
            assert!(
                ends.len() <= 64 && ends.len() == errors.len(),
                "{line}: {} {}",
                ends.len(),
                errors.len()
            );
            assert!(size < 64_000 || way.contains("direct") || errors.len() == 64, "{line}");
        }
    }
}

#[test]
fn a_search_that_loops_is_stopped() {
    let polite = Philosophers { polite: true };
    let ran = run(&polite, "-ndl -j1 --cache-states 16");
    assert_eq!(ran.exit, Exit::Inconclusive);
    for expected in
        ["--max-collisions", "levels", "states stored", "so far", "try: --cache-states ", "different states"]
    {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    let by_depth = run(&polite, "-ndl -j1 --cache-states 16 --max-collisions 0 --max-depth 8");
    assert_eq!(by_depth.exit, Exit::Inconclusive);
    assert!(by_depth.out.contains("--max-depth"), "{}", by_depth.out);
    let found: Value = report(&polite, "-ndl -j1 --cache-states 16 --max-collisions 0.5");
    let cache = &found["cache"];
    let rate = cache["collision_rate"].as_f64().unwrap();
    assert!(rate > 0.5 && rate < 0.7, "{rate}");
    assert_eq!(cache["insertions"], found["states"]);
    assert_eq!(cache["entries"], 16);
    // What it advises is enough, at the latest when all states were seen.
    let mut size = "400B".to_owned();
    let ended = (0..8).any(|_| {
        let found = report(&polite, &format!("-ndl -j1 --cache {size}"));
        size =
            found["advice"].as_str().and_then(|text| text.split_whitespace().nth(1)).unwrap_or("").to_owned();
        found["verdict"] == "verified"
    });
    assert!(ended, "{size}");
}

#[test]
fn signatures_have_a_bound() {
    let found = report(&Wheels::Right, "-c --cache 430K -j1 --seed 3");
    assert_eq!((&found["verdict"], &found["cache"]["bits"]), (&"verified".into(), &40.into()));
    assert!(found["cache"]["replaced"].as_u64().unwrap() > 100);
    assert!(found["cache"]["bytes"].as_u64().unwrap() <= 430 << 10);
    let bounds = &found["compaction"]["bounds"];
    let missed = bounds["missed_error"].as_f64().unwrap();
    let depth = found["depth"].as_f64().unwrap();
    assert!((missed / ((depth + 2.0) * 16.0 / 2f64.powi(40)) - 1.0).abs() < 1e-3, "{missed}");
    assert!(bounds["missed_any"].as_f64().unwrap() > missed);
    assert!(found["reason"].as_str().unwrap().contains("probability of a missed error at most"));
    let runs = report(&Wheels::Right, "-c --cache 500K -j1 --seed 3 --runs 2");
    assert_eq!(runs["compaction"]["runs"].as_array().unwrap().len(), 2);
    let missed = run(&Wheels::Right, "-c --bits 16 --cache 500K -j1 --seed 3 --target 1e-9");
    assert_eq!(missed.exit, Exit::Inconclusive, "{}", missed.out);
}

#[test]
fn limits_hold() {
    for threads in [1, 3] {
        let few =
            run(&Wheels::Right, &format!("--cache-states 20000 -j{threads} --max-states 3000 --json -"));
        assert_eq!((few.exit, &few.json()["states"]), (Exit::Inconclusive, &3000.into()));
        let little = run(&Wheels::Right, &format!("--cache 1M --memory 600K -j{threads}"));
        assert_eq!(little.exit, Exit::Inconclusive);
        assert!(little.out.contains("out of memory"), "{}", little.out);
    }
}

#[test]
fn what_is_wrong_is_told() {
    let cases = [
        ("--cache 100B", "--cache: too small: there must be room for 16 states"),
        ("--cache-states 15", "--cache-states 16"),
        ("--cache-states 255 -j2", "--cache-states 256"),
        ("--cache 0M", "no amount of memory"),
        ("--cache 12", "write a number with its unit"),
        ("--cache-states 0", "a number of at least 1"),
        ("--cache 1M --cache-states 5", "--cache-states"),
        ("--cache 1M --replace random", "--replace: that is for depth first (-vdfs)"),
        ("--cache 1M -s", "--simulate"),
        ("-c --slots 100 --cache 1M", "--slots"),
        ("--replace oldest", "--replace: there is no cache"),
        ("--max-collisions 0.5", "--max-collisions: there is no cache"),
        ("--cache 1M --max-collisions 1.5", "a number from 0 to 1"),
        ("--cache 1M --max-collisions some", "a number from 0 to 1"),
        ("--cache 1M --replace newest", "oldest"),
    ];
    for (line, expected) in cases {
        let line = if line.contains("-j") { line.to_owned() } else { format!("{line} -j1") };
        let ran = run(&Wheels::Right, &line);
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(expected), "{line}: {}", ran.err);
    }
    assert_eq!(run(&Wheels::Right, "--cache 2M -maxc90 -maxl0").exit, Exit::Verified);
}
