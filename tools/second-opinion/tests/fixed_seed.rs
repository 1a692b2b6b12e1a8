//! A run of moderate size with a fixed seed: everyone must agree on every model.

#![cfg(test)]

use mcc_second_opinion::compiled::Workshop;
use mcc_second_opinion::generate::{Dialect, Drawn, draw};
use mcc_second_opinion::harness::{Harness, Tally};
use mcc_second_opinion::layout::indented;
use mcc_second_opinion::rumur;
use std::path::Path;

/// Rules that reach a `cover` statement, and of which some sleep: then they do not reach it.
const COVER_IN_SLEEP: [u64; 3] = [1_000_437, 1_001_326, 1_001_838];

/// One folder for all, so that the runtime is built once; hence one test.
#[test]
fn opinions_agree() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("second-opinion");
    let workshop = Workshop::new(&folder, 0).expect("the target directory is writable");
    let mut harness = Harness { workshop, rumur: false, tally: Tally::default() };
    let seeds = (1..=60).chain(COVER_IN_SLEEP);
    run(&mut harness, seeds.map(|seed| draw(seed, Dialect::Full)).collect());
    let tally = &harness.tally;
    assert!(tally.compared >= 50, "most models are accepted: {tally:?}");

    if !rumur::is_installed() {
        eprintln!("rumur is not on the path: the comparison with it is skipped");
        return;
    }
    harness.rumur = true;
    run(&mut harness, (1..=12).map(|seed| draw(seed, Dialect::Rumur)).collect());
    assert!(harness.tally.rumur_compared >= 6, "Rumur takes most models: {:?}", harness.tally);
}

fn run(harness: &mut Harness, drawn: Vec<Drawn>) {
    let found = harness.batch(drawn, true).expect("the models build");
    for one in &found {
        eprintln!("seed {}: {}\n{}", one.drawn.seed, one.details, indented(&one.drawn.tree.text()));
    }
    assert!(found.is_empty(), "{} disagreements", found.len());
}
