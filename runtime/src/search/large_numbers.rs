//! Searches whose states have numbers on both sides of 2^32: what they find is what they find with
//! small numbers, for every kind of visited set, with traces, threads and checkpoints.

use super::explore::{Explored, explore_with};
use super::killed::{KINDS, Kind, search, settings, sums};
use super::models::wheels::Wheels;
use super::{Counts, Observer, Outcome};
use crate::contract::model::RuleId;
use crate::contract::problem::Finding;
use crate::interruption::Interruption;
use crate::locality::Locality;
use crate::settings::{Order, Settings, SleepSets};
use crate::storage::faulty::{Fault, FaultyDirectory};
use crate::storage::simulated::{Disk, Left, Trouble};
use crate::visited::SetKind;
use crate::visited::bounded::PathCaching;
use crate::visited::bounded::choice::Eviction;
use crate::visited::cache::plan::Size;
use crate::visited::numbers::numbers_from;
use std::sync::Arc;

/// Of the 4,096 states, about this many have numbers of four bytes.
const SMALL: [u64; 3] = [0, 700, 2500];

/// Somebody who notes which numbers there are.
#[derive(Default)]
struct Numbers {
    least: u64,
    most: u64,
}

impl Observer for Numbers {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], index: u64, origin: Option<u64>) {
        self.least = if self.most == 0 { index } else { self.least.min(index) };
        self.most = self.most.max(index).max(origin.unwrap_or(0));
    }
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}

fn explore(settings: &Settings) -> (Outcome, Numbers) {
    let files = Arc::new(FaultyDirectory::new(Fault::Flip, u64::MAX / 4));
    let mut numbers = Numbers::default();
    let none = Interruption::none();
    let outcome =
        explore_with(&Wheels::SixBroken, settings, files, None, &none, &mut numbers, &mut |_, _| false);
    (outcome, numbers)
}

fn traces(outcome: &Outcome) -> Vec<Option<Vec<RuleId>>> {
    outcome.findings.iter().map(|finding| finding.path.as_ref().map(|path| path.rules.clone())).collect()
}

#[test]
fn every_set_finds_the_same_states_and_traces() {
    for kind in KINDS {
        for threads in [1, 2, 3] {
            let settings = settings(kind, threads);
            let (expected, _) = search(Wheels::SixBroken, &settings, &Disk::sound()).unwrap();
            for small in SMALL {
                let begin = (1 << 32) - small;
                let found = numbers_from(begin, || search(Wheels::SixBroken, &settings, &Disk::sound()));
                let (outcome, _) = found.unwrap();
                assert!(!outcome.findings.is_empty());
                assert!(traces(&outcome).iter().all(Option::is_some), "{kind:?} {threads} {small}");
                // What several threads evict, and so find again, depends on their order.
                if threads == 1 || !kind.forgets() {
                    assert_eq!(sums(&outcome), sums(&expected), "{kind:?} {threads} {small}");
                }
                if threads == 1 {
                    assert_eq!(traces(&outcome), traces(&expected), "{kind:?} {small}");
                }
            }
        }
    }
}

#[test]
fn killed_and_resumed() {
    for kind in KINDS {
        for threads in [1, 2] {
            if threads > 1 && kind.forgets() {
                continue;
            }
            let settings = settings(kind, threads);
            let (expected, _) = search(Wheels::SixBroken, &settings, &Disk::sound()).unwrap();
            let mut resumed = 0;
            for operations in (40..600).step_by(80) {
                numbers_from((1 << 32) - 900, || {
                    let disk = Disk::sound();
                    disk.trouble(Trouble::Kill, operations);
                    let _ = search(Wheels::SixBroken, &settings, &disk);
                    let left = disk.after(Left::Synced);
                    let (outcome, _) = search(Wheels::SixBroken, &settings, &left).unwrap();
                    assert_eq!(sums(&outcome), sums(&expected), "{kind:?} {threads} {operations}");
                    assert!(traces(&outcome).iter().all(Option::is_some));
                    resumed += outcome.checkpointed.map_or(0, |saved| saved.resumed.len());
                });
            }
            assert!(resumed > 2, "{kind:?} {resumed}");
        }
    }
}

#[test]
fn depth_first_and_along_a_path() {
    let depth_first = Order::DepthFirst { compress_paths: false };
    let along = |sleep| Order::AlongPath { sleep };
    let base = Settings { order: depth_first, checkpoints: None, ..settings(Kind::Exact, 1) };
    let cache = PathCaching { size: Size::States(4000), eviction: Eviction::Oldest, seed: 1 };
    let all = [
        base.clone(),
        Settings { set: settings(Kind::Compact, 1).set, ..base.clone() },
        Settings { order: along(None), set: SetKind::PathCache(cache), ..base.clone() },
        Settings { order: along(Some(SleepSets::Revisit)), ..base.clone() },
        Settings { order: along(Some(SleepSets::Path)), ..base },
    ];
    for settings in all {
        let (expected, _) = explore(&settings);
        for small in SMALL {
            let (outcome, _) = numbers_from((1 << 32) - small, || explore(&settings));
            assert!(!outcome.findings.is_empty());
            assert_eq!(sums(&outcome), sums(&expected), "{settings:?}");
            assert_eq!(traces(&outcome), traces(&expected), "{settings:?}");
        }
    }
}

/// The numbers are what these tests say they are.
#[test]
fn numbers_lie_on_both_sides() {
    let settings = Settings { show_states: true, checkpoints: None, ..settings(Kind::Exact, 1) };
    let (outcome, numbers) = numbers_from((1 << 32) - 700, || explore(&settings));
    assert_eq!(numbers.least, (1 << 32) - 700);
    assert_eq!(numbers.most, numbers.least + outcome.counts.states - 1);
    assert!(numbers.most > 1 << 32);
}

#[test]
fn locality_is_measured_with_large_numbers() {
    let settings = Settings { checkpoints: None, ..settings(Kind::Exact, 2) };
    let profile = || {
        let files = Arc::new(FaultyDirectory::new(Fault::Flip, u64::MAX / 4));
        let mut measured = None;
        let mut inspect = |explored: Explored<'_>, observer: &mut dyn Observer| {
            measured = Some(Locality::measure(explored, observer).profile.unwrap());
            false
        };
        let (none, mut nobody) = (Interruption::none(), Numbers::default());
        explore_with(&Wheels::Six, &settings, files, None, &none, &mut nobody, &mut inspect);
        measured.unwrap()
    };
    let expected = profile();
    assert_eq!(numbers_from((1 << 32) - 700, profile), expected);
}
