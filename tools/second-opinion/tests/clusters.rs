//! Searches of several processes against those of one thread, on models of fixed seeds.

#![cfg(test)]

use mcc_second_opinion::clusters::{Outcome, ask};
use mcc_second_opinion::generate::{Dialect, draw};
use mcc_second_opinion::layout::indented;
use std::path::Path;

#[test]
fn several_processes_find_what_one_thread_finds() {
    let (mut models, mut states, mut errors) = (0, 0, 0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clusters");
    for seed in 1..=30 {
        let drawn = draw(seed, Dialect::Full);
        match ask(&drawn, &folder) {
            Outcome::Refused | Outcome::Large => {}
            Outcome::Compared(of_model, wrong) => {
                models += 1;
                states += of_model;
                errors += wrong;
            }
            Outcome::Wrong(why) => panic!("seed {seed}: {why}\n{}", indented(&drawn.tree.text())),
        }
    }
    // Otherwise nothing was tested.
    assert!(models > 20 && states > 50 && errors > 10, "{models} {states} {errors}");
}
