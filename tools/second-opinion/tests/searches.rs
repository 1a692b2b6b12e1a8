//! Searches with sleep sets and path compression against plain ones, on models of fixed seeds.

#![cfg(test)]

use mcc_second_opinion::generate::{Dialect, draw};
use mcc_second_opinion::layout::indented;
use mcc_second_opinion::searches::{Compared, Outcome, ask};

#[test]
fn what_is_left_out_is_found_nevertheless() {
    let (mut models, mut sum) = (0, Compared::default());
    for seed in 1..=200 {
        let drawn = draw(seed, Dialect::Full);
        match ask(&drawn) {
            Outcome::Refused | Outcome::Large => {}
            Outcome::Compared(compared) => {
                models += 1;
                sum.errors += compared.errors;
                sum.slept += compared.slept;
                sum.unstored += compared.unstored;
            }
            Outcome::Wrong(why) => panic!("seed {seed}: {why}\n{}", indented(&drawn.tree.text())),
        }
    }
    // Otherwise nothing was tested.
    assert!(models > 150 && sum.errors > 100 && sum.slept > 100 && sum.unstored > 50, "{models} {sum:?}");
}
