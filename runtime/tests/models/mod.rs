//! Models written by hand against the contract, and the tools to run them.
#![allow(dead_code)]

pub mod comb;
pub mod detour;
pub mod ladder;
pub mod philosophers;
pub mod railway;
pub mod tree;
pub mod wheels;

use mcc_runtime::Console;
use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use mcc_runtime::context::Context;
use mcc_runtime::model::{Firing, Labels, Model, Simple, StartId, Width};
use mcc_runtime::successors::Successors;
use std::collections::HashSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub const fn numbers(name: &'static str, low: i64, high: i64) -> Simple {
    Simple { name, width: Width::One, low, high, labels: Labels::Numbers, spans: &[] }
}

pub const fn names(name: &'static str, names: &'static [&'static str]) -> Simple {
    Simple {
        name,
        width: Width::One,
        low: 0,
        high: names.len() as i64 - 1,
        labels: Labels::Names(names),
        spans: &[],
    }
}

/// What a run printed, and how it ended.
pub struct Ran {
    pub exit: Exit,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

pub fn run(model: &dyn Model, line: &str) -> Ran {
    run_with(model, line, &Interruption::none())
}

pub fn run_with(model: &dyn Model, line: &str, interrupted: &Interruption) -> Ran {
    run_heard(model, line, interrupted, &Heard::default())
}

/// A run whose standard error can be read while it goes on.
pub fn run_heard(model: &dyn Model, line: &str, interrupted: &Interruption, heard: &Heard) -> Ran {
    let (mut out, mut err) = (Vec::new(), heard.clone());
    let console = Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let arguments = std::iter::once("verifier").chain(line.split_whitespace()).map(Into::into);
    let exit = mcc_runtime::run(model, arguments, console, interrupted);
    Ran { exit, out: String::from_utf8(out).unwrap(), err: heard.text() }
}

/// What a run has printed on standard error so far.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// Waits until the run has printed these words.
    pub fn wait_for(&self, words: &str) {
        let begun = Instant::now();
        while !self.text().contains(words) {
            assert!(begun.elapsed() < Duration::from_secs(120), "{words}: {}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A run with its report as data.
pub fn report(model: &dyn Model, line: &str) -> serde_json::Value {
    run(model, &format!("{line} --json -")).json()
}

/// States, rules fired and depth, counted in the plainest way there is.
pub fn plain_counts(model: &dyn Model) -> (u64, u64, u64) {
    let description = model.description();
    let context = Context::new(description.counters());
    let mut seen = HashSet::new();
    let mut level: Vec<Vec<u64>> = Vec::new();
    for start in 0..description.start_instances() {
        let mut state = vec![0; description.words];
        if model.start(&context, StartId(start), &mut state) == Firing::Fired && seen.insert(state.clone()) {
            level.push(state);
        }
    }
    let (mut rules, mut depth) = (0, 0);
    loop {
        let mut next = Vec::new();
        for mut state in level {
            let mut successors = Successors::new(description.words);
            model.expand(&context, &mut state, &mut successors);
            rules += (successors.len() + successors.excluded().len()) as u64;
            for at in 0..successors.len() {
                let successor = successors.state(at).to_vec();
                if seen.insert(successor.clone()) {
                    next.push(successor);
                }
            }
        }
        if next.is_empty() {
            return (seen.len() as u64, rules, depth);
        }
        depth += 1;
        level = next;
    }
}
