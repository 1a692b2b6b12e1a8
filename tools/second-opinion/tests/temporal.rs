//! What the search says of random models and formulas is what Spin says, where that is installed,
//! and it is the same with symmetry reduction and without.

#![cfg(test)]

use mcc_second_opinion::temporal::orbits;
use mcc_second_opinion::temporal::pairs::{Tally, draw};
use mcc_second_opinion::temporal::spin;
use std::path::Path;

const MODELS: u64 = 2;
const FORMULAS: usize = 6;

#[test]
fn spin_agrees() {
    if !spin::is_installed() {
        eprintln!("spin is not on the path: the comparison with it is skipped");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("temporal-pairs");
    let mut tally = Tally::default();
    for seed in 1..=MODELS {
        let compared = draw(seed, FORMULAS).compare(&folder).expect("the target directory is writable");
        tally.add(compared.unwrap_or_else(|why| panic!("seed {seed}: {why}")));
    }
    println!("{tally:?}");
    // Spin leaves out formulas that take it long, which depends on the machine.
    assert!(tally.pairs + tally.silent > 0, "{tally:?}");
}

/// A few of those that `mcc-temporal-symmetry` draws.
#[test]
fn reduced_states_and_all_states_agree() {
    let mut tally = orbits::Tally::default();
    for seed in 1..=60 {
        let found = orbits::compare(&orbits::draw(seed));
        tally.add(found.unwrap_or_else(|why| panic!("seed {seed}: {why}")));
    }
    let orbits::Tally { left_out, apart, violated, replayed, .. } = tally;
    assert!(left_out < 20 && apart > 5 && violated > 5 && replayed > violated, "{tally:?}");
}
