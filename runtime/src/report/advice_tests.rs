//! Whatever a report advises is accepted beside the options in use.

use super::why_cut::why_cut;
use crate::cli;
use crate::contract::problem::Finding;
use crate::interruption::Interruption;
use crate::search::explore::explore;
use crate::search::models::wheels::Wheels;
use crate::search::{Counts, Ending, Observer, Outcome};
use crate::settings::Settings;
use crate::storage::{Operation, Purpose, StorageError};
use crate::visited::SetKind;
use crate::visited::plugin::Files;
use std::ffi::OsString;
use std::io;

struct Nobody;

impl Observer for Nobody {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: crate::contract::model::RuleId, _: &[u64], _: &[u64]) {}
}

const LINES: [&str; 14] = [
    "",
    "-b",
    "-c",
    "-c --bits 12 --slots 500",
    "-c --queue disk --queue-memory 1M",
    "--queue disk",
    "-d /tmp --queue disk",
    "--cache 1M",
    "--cache-states 5000",
    "-c --cache-states 5000 --max-collisions 0.9",
    "--disk /tmp",
    "--disk /tmp --disk-plain --queue memory",
    "-c --disk /tmp --queue-memory 1M",
    "-vdfs --sleep",
];

fn endings() -> Vec<Ending> {
    let mut endings = vec![
        Ending::Memory,
        Ending::Depth(3),
        Ending::States(9),
        Ending::Collisions,
        Ending::NotReplayed(String::new()),
        Ending::Lost("process 1 is lost".to_owned()),
    ];
    let purposes = [Purpose::Queue, Purpose::Records, Purpose::Table];
    let operations =
        [Operation::Create, Operation::Write, Operation::Read, Operation::Check, Operation::Sync];
    let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::FileTooLarge, io::ErrorKind::PermissionDenied];
    for purpose in purposes {
        for operation in operations {
            let failures = kinds.map(|kind| StorageError::new(purpose, operation, &kind.into()));
            endings.extend(failures.map(Ending::Disk));
        }
    }
    endings
}

/// A value for an option that is advised without one.
fn value(option: &str) -> Option<&'static str> {
    match option {
        "--memory" | "--queue-memory" => Some("64M"),
        "--max-depth" | "--max-states" => Some("100000"),
        "--disk" | "-d" => Some("/tmp"),
        _ => None,
    }
}

/// The options in an advice, each with its value; those after "without", and those of other
/// programs, are not advised.
fn advised(advice: &str) -> Vec<Vec<String>> {
    let words: Vec<&str> =
        advice.split_whitespace().map(|word| word.trim_matches([',', ';', ':', '(', ')'])).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        if !word.starts_with('-') || matches!(before, "without" | "ulimit") {
            continue;
        }
        let given = words.get(at + 1).filter(|next| {
            next.starts_with(|c: char| c.is_ascii_digit()) || matches!(**next, "off" | "memory")
        });
        let mut option = vec![(*word).to_owned()];
        option.extend(given.copied().or(value(word)).map(str::to_owned));
        found.push(option);
    }
    found
}

/// The words of a line without an option and its value, whether it is typed in its long form or in
/// its short one.
fn without(line: &str, option: &str) -> Vec<String> {
    let mut words = line.split_whitespace().peekable();
    let mut left = Vec::new();
    while let Some(word) = words.next() {
        // What is advised instead of it is typed instead of it.
        let goes = word == option || (option == "--queue" && word == "--queue-memory");
        if goes && words.peek().is_some_and(|next| !next.starts_with('-')) {
            words.next();
        } else if !goes {
            left.push(word.to_owned());
        }
    }
    left
}

fn accepted(words: &[String]) -> bool {
    let words = std::iter::once("verifier".to_owned()).chain(words.iter().cloned()).map(OsString::from);
    cli::parse(words).is_ok()
}

fn searched(line: &str) -> (Settings, Outcome) {
    let words = std::iter::once("verifier").chain(line.split_whitespace()).map(OsString::from);
    let options = cli::parse(words).unwrap_or_else(|_| panic!("{line}"));
    let settings = Settings { max_states: Some(300), ..options.settings_with(1) };
    let outcome = explore(&Wheels::Six, &settings, &Interruption::none(), &mut Nobody);
    (settings, outcome)
}

#[test]
fn every_advice_is_accepted_beside_the_options_in_use() {
    let mut tried = 0;
    for line in LINES {
        let (settings, mut outcome) = searched(line);
        // Nothing collides where there is no cache, and no file fails that is not there.
        let possible = |ending: &Ending| match ending {
            Ending::Collisions => matches!(settings.set, SetKind::Cache(_)),
            Ending::Disk(failure) => match failure.file {
                Purpose::Queue => settings.queue_memory.is_some(),
                Purpose::Table => matches!(settings.set, SetKind::Disk(_)),
                _ => settings.set.plugin().files() != Files::None,
            },
            _ => true,
        };
        for ending in endings().into_iter().filter(possible) {
            for refused in [None, Some(4096)] {
                (outcome.ending, outcome.refused_memory) = (ending.clone(), refused);
                let Some(advice) = why_cut(&outcome, &settings).1 else { continue };
                for option in advised(&advice) {
                    let mut words = without(line, &option[0]);
                    words.extend(option.clone());
                    assert!(accepted(&words), "`{line}`, which ended with {ending:?}, is advised: {advice}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 300, "{tried}");
}
