//! The comments and pages of this repository keep the conventions, as far as they did before.

#![cfg(test)]

use mcc_conventions::checks::Check;
use mcc_conventions::files::{collect, root};
use mcc_conventions::ratchet::{Ratchet, path};

fn judge(check: Check) {
    let files = collect(&root()).expect("the repository can be read");
    assert!(files.len() > 500, "only {} files: is this the repository?", files.len());
    let ratchet = Ratchet::parse(&std::fs::read_to_string(path()).expect("ratchet.txt can be read"));
    if let Err(above) = ratchet.judge(check, &check.run(&files, &root())) {
        panic!("{above}");
    }
}

#[test]
fn prose_keeps_within_its_width() {
    judge(Check::Width);
}

#[test]
fn words_are_those_of_the_field() {
    judge(Check::Words);
}

#[test]
fn files_that_are_named_exist() {
    judge(Check::Paths);
}

#[test]
fn links_lead_somewhere() {
    judge(Check::Links);
}

#[test]
fn files_open_with_what_they_are_for() {
    judge(Check::Heads);
}
