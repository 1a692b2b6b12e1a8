//! Trees of shared parts: the same states, errors and traces as in the plain exact set.

#![cfg(test)]

mod models;

use mcc_runtime::model::Model;
use models::comb::Comb;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::report;
use models::wheels::Wheels;
use serde_json::Value;

const SAME: [&str; 7] =
    ["verdict", "states", "rules", "depth", "rule_figures", "property_figures", "bits_per_state"];

fn lengths(report: &Value) -> Vec<usize> {
    let errors = report["errors"].as_array().unwrap();
    errors.iter().map(|error| error["trace"].as_array().map_or(0, Vec::len)).collect()
}

/// Compares a search with and without trees.
fn compare(model: &dyn Model, line: &str) -> Value {
    let plain = report(model, line);
    let tree = report(model, &format!("{line} --tree"));
    for key in SAME {
        assert_eq!(tree[key], plain[key], "{line}: {key}");
    }
    assert_eq!(lengths(&tree), lengths(&plain), "{line}");
    assert_eq!(tree["options"]["tree"], true);
    assert!(tree["tree"]["bytes_per_state"].as_f64().unwrap() > 0.0);
    tree
}

#[test]
fn breadth_first_it_is_the_exact_search() {
    for threads in [1, 2, 3, 8] {
        for form in ["", "-b"] {
            let line = format!("-j{threads} --threads-from 500 {form}");
            compare(&Wheels::Right, &line);
            for model in [Wheels::Broken, Wheels::Stuck, Wheels::Faulty] {
                compare(&model, &format!("{line} --max-depth 17 --max-errors 0"));
            }
        }
    }
    compare(&Wheels::Right, "-j1 --queue disk --queue-memory 1M");
    compare(&Philosophers { polite: true }, "-j1 -ndl");
    compare(&Philosophers { polite: false }, "-j1");
    compare(&Comb { last: 50, one_tooth: false }, "-j1");
}

/// One error is enough, and a shortest trace leads to it.
#[test]
fn traces_are_shortest() {
    for (model, length) in [(Wheels::Broken, 16), (Wheels::Stuck, 16), (Wheels::Faulty, 17)] {
        for threads in [1, 2, 3] {
            let found = report(&model, &format!("--tree -j{threads} --threads-from 500"));
            assert_eq!(found["verdict"], "violated");
            assert_eq!(lengths(&found), [length], "{model:?} {threads}");
        }
    }
    for flavour in [Flavour::Invariant, Flavour::InvariantFault, Flavour::Guard, Flavour::NoJump] {
        let (plain, tree) = (report(&Ladder(flavour), "-j1"), report(&Ladder(flavour), "-j1 --tree"));
        assert_eq!(tree["errors"], plain["errors"], "{flavour:?}");
    }
}

#[test]
fn depth_first_it_is_the_exact_search() {
    for form in ["", "-b"] {
        compare(&Wheels::Right, &format!("-vdfs {form}"));
        compare(&Philosophers { polite: true }, &format!("-vdfs -ndl {form}"));
    }
    let found = report(&Wheels::Broken, "-vdfs --tree");
    assert_eq!(found["verdict"], "violated");
}

/// Rules that sleep, paths that are compressed, and a limit on the number of states.
#[test]
fn it_combines() {
    for threads in [1, 3] {
        let line = format!("-j{threads} --threads-from 500");
        compare(&Philosophers { polite: true }, &format!("{line} -ndl --compress-paths"));
        for most in [1, 100, 20_000] {
            let found = report(&Wheels::Right, &format!("{line} --tree --max-states {most}"));
            assert_eq!((&found["verdict"], &found["states"]), (&"inconclusive".into(), &most.into()));
        }
    }
}

#[test]
fn too_little_memory_is_inconclusive() {
    for threads in [1, 2] {
        let line = format!("--tree -j{threads} --threads-from 500 --memory 600K");
        let found = report(&Wheels::Right, &line);
        assert_eq!(found["verdict"], "inconclusive", "{}", found["reason"]);
        assert!(found["reason"].as_str().unwrap().contains("memory"), "{}", found["reason"]);
    }
}

#[test]
fn what_it_cannot_be_combined_with_is_refused() {
    for line in ["-c", "--cache 1M", "--disk /nowhere", "-vdfs --sleep", "--locality", "-s"] {
        let run = models::run(&Wheels::Right, &format!("--tree {line}"));
        assert_eq!(run.exit.code(), 2, "{line}: {}", run.err);
        assert!(run.err.contains("--tree"), "{line}: {}", run.err);
    }
}
