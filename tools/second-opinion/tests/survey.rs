//! What a fixed range of seeds draws: every kind of error and every feature that is worth
//! comparing, and often.

#![cfg(test)]

use mcc_second_opinion::compiled::Workshop;
use mcc_second_opinion::generate::{Dialect, draw};
use mcc_second_opinion::harness::{Harness, Tally};
use mcc_second_opinion::survey::{ERRORS, FEATURES, Survey};
use std::path::Path;

fn survey(models: u64, dialect: Dialect) -> Survey {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("survey");
    let workshop = Workshop::new(&folder, 0).expect("the target directory is writable");
    let mut harness = Harness { workshop, rumur: false, tally: Tally::default() };
    harness.look((1..=models).map(|seed| draw(seed, dialect)).collect());
    println!("{}", harness.tally.survey);
    assert!(harness.tally.refused * 10 < harness.tally.drawn, "{} refused", harness.tally.refused);
    harness.tally.survey
}

/// Asserts that at least `of_a_thousand` in 1000 models have this property.
#[track_caller]
fn often(survey: &Survey, what: &str, of_a_thousand: usize) {
    let count = survey.count(what);
    assert!(count * 1000 >= of_a_thousand * survey.models, "{what}: {count} of {}", survey.models);
}

#[test]
fn everything_is_drawn_often() {
    let survey = survey(2000, Dialect::Full);
    for feature in FEATURES {
        often(&survey, feature, 20);
    }
    for error in ERRORS {
        often(&survey, error, 3);
    }
}

#[test]
fn what_rumur_takes_is_drawn_often() {
    let survey = survey(1000, Dialect::Rumur);
    let features = [
        "a range of one value",
        "a range with a negative bound",
        "a state of one bit",
        "a state of one boolean",
        "a state of more than 64 bytes",
        "types nested three deep",
        "a scalarset",
        "a hidden name",
        "a recursive function",
        "a `var` parameter",
        "an alias",
        "an alias around rules",
        "a quantifier",
    ];
    for feature in features {
        often(&survey, feature, 30);
    }
    for error in ["deadlock", "invariant", "assertion", "error", "range", "index", "undefined", "division"] {
        often(&survey, error, 3);
    }
}
