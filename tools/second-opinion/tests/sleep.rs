//! Searches along a path find what plain ones find, on our models and on some random ones.

#![cfg(test)]

use mcc_murphi::source::Source;
use mcc_second_opinion::generate::{Dialect, draw};
use mcc_second_opinion::layout::indented;
use mcc_second_opinion::sleep::{Answer, Compared, ask, compare};
use std::path::Path;

/// The interpreter is not fast.
const STATES: u64 = 4_000;
const RANDOM_STATES: u64 = 600;
const RANDOM_MODELS: u64 = 80;

#[test]
fn on_our_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut models, mut sum) = (0, Compared::default());
    for folder in ["models", "models/broken", "tests/meaning", "tests/independence"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder of models can be read");
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("the model can be read");
            let source = Source::new("model.m", text);
            let (Some(model), _) = mcc_murphi::check(&source) else { panic!("{}", path.display()) };
            match compare(model, &source, &[], STATES) {
                Answer::Refused | Answer::Large => {}
                Answer::Compared(compared) => {
                    models += 1;
                    add(&mut sum, compared);
                }
                Answer::Wrong(why) => panic!("{}: {why}", path.display()),
            }
        }
    }
    println!("{models} models: {sum:?}");
    assert!(models > 60 && sum.errors > 100, "{models} models: {sum:?}");
    assert!(sum.rules[1] < sum.rules[0] && sum.rules[2] < sum.rules[0], "{sum:?}");
    // A small cache may go on for long; that is given up, and not compared. Most are compared.
    assert!(sum.given_up * 3 < sum.searches, "{sum:?}");
}

#[test]
fn on_random_models() {
    on_models_of(Dialect::Full, RANDOM_MODELS);
}

/// More processes, arrays and buffers, and more that can happen in any order.
#[test]
fn on_random_processes() {
    let sum = on_models_of(Dialect::Processes, RANDOM_MODELS / 2);
    assert!(sum.errors > 50, "{sum:?}");
    assert!(sum.rules[1] < sum.rules[0] && sum.rules[2] < sum.rules[0], "{sum:?}");
}

fn on_models_of(dialect: Dialect, count: u64) -> Compared {
    let (mut models, mut sum) = (0, Compared::default());
    for seed in 1..=count {
        let drawn = draw(seed, dialect);
        match ask(&drawn, RANDOM_STATES) {
            Answer::Refused | Answer::Large => {}
            Answer::Compared(compared) => {
                models += 1;
                add(&mut sum, compared);
            }
            Answer::Wrong(why) => panic!("seed {seed}: {why}\n{}", indented(&drawn.tree.text())),
        }
    }
    println!("{models} models: {sum:?}");
    assert!(models * 2 > count, "{models} models: {sum:?}");
    sum
}

fn add(sum: &mut Compared, compared: Compared) {
    sum.states += compared.states;
    sum.rules.iter_mut().zip(compared.rules).for_each(|(sum, rules)| *sum += rules);
    sum.errors += compared.errors;
    sum.searches += compared.searches;
    sum.given_up += compared.given_up;
}
