//! Models of the shapes that optimisations key on, with and without each optimisation, and
//! interpreted: a few with fixed seeds.

#![cfg(test)]

use mcc_second_opinion::compiled::Workshop;
use mcc_second_opinion::generate::{Dialect, draw};
use mcc_second_opinion::layout::indented;
use mcc_second_opinion::optimisations::OptimisationHarness;
use std::path::Path;

#[test]
fn optimisations_change_nothing_but_time() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimisations");
    let workshop = Workshop::new(&folder, 0).expect("the target directory is writable");
    let mut harness = OptimisationHarness::new(workshop, true);
    let drawn = (1..=12).map(|seed| draw(seed, Dialect::Optimised)).collect();
    let found = harness.batch(drawn, false).expect("the models build");
    for one in &found {
        eprintln!("seed {}: {}\n{}", one.drawn.seed, one.details, indented(&one.drawn.tree.text()));
    }
    assert!(found.is_empty(), "{} disagreements", found.len());
    let stats = &harness.stats;
    assert!(stats.compared >= 11 && stats.faults > 0, "{stats:?}");
    for name in ["selection", "hoisting", "guards", "recheck", "writing", "signs"] {
        assert!(stats.concerned.get(name).is_some_and(|&count| count > 0), "{name}: {stats:?}");
    }
}
