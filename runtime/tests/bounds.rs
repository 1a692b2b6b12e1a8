//! Bounds on what signatures miss, against how often states are missed: for every kind of visited
//! set, and for one to four threads.
//!
//! The tree has one way to each state, so nothing that was missed is found otherwise, and bounds
//! are as close as they get. Seeds are fixed.

#![cfg(test)]

mod models;

use models::report;
use models::tree::{LEAVES, Tree};
use serde_json::Value;

const SEEDS: u64 = 60;

/// What one run missed, and what it said about that.
struct Measured {
    /// Whether anything was missed, and which part of the leaves.
    any: f64,
    leaves: f64,
    even_one: f64,
    seen: f64,
    /// The bound on any state lies above the one on those within reach.
    error: f64,
    formula: Option<f64>,
}

fn measure(line: &str) -> Measured {
    let tree = Tree::default();
    let found = report(&tree, &format!("{line} -ndl --threads-from 16"));
    assert_eq!(found["verdict"], "verified", "{line}: {found}");
    let bound = |key: &str| found["compaction"]["bounds"][key].as_f64().unwrap();
    let (missed, leaves) = tree.missed();
    Measured {
        any: f64::from(missed > 0),
        leaves: leaves as f64 / LEAVES as f64,
        even_one: bound("missed_any"),
        seen: bound("missed_state_up_to_depth"),
        error: bound("missed_error"),
        formula: found["disk_table"].get("formula_1").and_then(Value::as_f64),
    }
}

/// The mean and its standard error.
fn mean(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// What is missed is not more than what the bound says on average, but for chance; and at least
/// `share` of it, so that this means something.
fn compare(what: &str, missed: &[f64], bounds: &[f64], share: f64) {
    let (missed, error) = mean(missed.iter().copied());
    let (bound, _) = mean(bounds.iter().copied());
    println!("{what}: missed {missed:.5} ± {error:.5}, bound {bound:.5}");
    assert!(bound < 0.6, "{what}: the bound {bound} says little");
    assert!(missed <= bound + 3.0 * error, "{what}: {missed} ± {error} is missed, more than {bound}");
    assert!(missed >= share * bound, "{what}: {missed} is missed, much less than {bound}");
}

/// `leaves` and `any`: options with which leaves are missed often, and with which runs miss
/// anything now and then; and how close the bound is at least.
struct Kind {
    name: &'static str,
    leaves: (&'static str, f64),
    any: (&'static str, f64),
    threads: std::ops::RangeInclusive<u32>,
}

fn check(kind: &Kind) {
    let runs = |options: &str, threads: u32| -> Vec<Measured> {
        (101..101 + SEEDS).map(|seed| measure(&format!("-c {options} --seed {seed} -j{threads}"))).collect()
    };
    let column = |runs: &[Measured], value: fn(&Measured) -> f64| runs.iter().map(value).collect::<Vec<_>>();
    let mut alone: Option<Vec<Vec<f64>>> = None;
    for threads in kind.threads.clone() {
        let what = format!("{}, {threads} threads", kind.name);
        let (options, share) = kind.leaves;
        let often = runs(options, threads);
        let leaves = column(&often, |run| run.leaves);
        compare(&format!("{what}, leaves"), &leaves, &column(&often, |run| run.seen), share);
        if often[0].formula.is_some() {
            let formula = column(&often, |run| run.formula.unwrap());
            compare(&format!("{what}, formula (1)"), &leaves, &formula, share);
        }
        assert!(often.iter().all(|run| run.seen <= run.error));
        let (options, share) = kind.any;
        let seldom = runs(options, threads);
        let even_one = column(&seldom, |run| run.even_one);
        compare(&format!("{what}, any"), &column(&seldom, |run| run.any), &even_one, share);
        let bounds =
            vec![column(&often, |run| run.seen), column(&often, |run| run.formula.unwrap_or(0.0)), even_one];
        let alone = alone.get_or_insert_with(|| bounds.clone());
        // The bounds follow from the states found, and these may be others by a few.
        for (bound, alone) in bounds.iter().flatten().zip(alone.iter().flatten()) {
            assert!((bound - alone).abs() <= 0.02 * alone, "{what}: {bound}, and {alone} alone");
        }
    }
}

#[test]
fn a_table_breadth_first() {
    check(&Kind {
        name: "table",
        leaves: ("--bits 8 --slots 2053", 0.3),
        any: ("--bits 12 --slots 2053", 0.3),
        threads: 1..=4,
    });
}

#[test]
fn a_table_depth_first() {
    check(&Kind {
        name: "table, depth first",
        leaves: ("-vdfs --bits 16 --slots 4099", 0.0),
        any: ("-vdfs --bits 12 --slots 4099", 0.3),
        threads: 1..=1,
    });
}

#[test]
fn a_cache() {
    check(&Kind {
        name: "cache",
        leaves: ("--cache-states 512 --bits 10", 0.3),
        any: ("--cache-states 512 --bits 16", 0.3),
        threads: 1..=4,
    });
}

#[test]
fn on_disk() {
    let directory = std::env::temp_dir();
    let with = |options: &str| -> &'static str {
        format!("--disk {} --table-memory 1M --queue-memory 400K {options}", directory.display()).leak()
    };
    check(&Kind {
        name: "disk",
        leaves: (with("--bits 16"), 0.5),
        any: (with("--bits 24"), 0.3),
        threads: 1..=4,
    });
}
