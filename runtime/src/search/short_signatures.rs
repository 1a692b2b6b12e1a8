//! Traces when records say next to nothing about their states: they are as long and as valid as
//! those of the exact set, since what does not fit leads nowhere else.
//!
//! With no bits at all every state of a level is a candidate for the state of a path, with one bit
//! every other; with as many as there are by default hardly any.

use super::killed::{KINDS, Kind, search, settings, sums};
use super::models::wheels::Wheels;
use super::{Counts, Observer, Outcome, explore::explore_with};
use crate::contract::model::{Model, RuleId};
use crate::contract::problem::{Finding, Path};
use crate::interruption::Interruption;
use crate::settings::{Order, Settings};
use crate::storage::faulty::{Fault, FaultyDirectory};
use crate::storage::simulated::{Disk, Left, Trouble};
use crate::trace::end_state;
use crate::visited::records::signatures_of;
use std::sync::Arc;

struct Nobody;

impl Observer for Nobody {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}

fn explore(model: &dyn Model, settings: &Settings) -> Outcome {
    let files = Arc::new(FaultyDirectory::new(Fault::Flip, u64::MAX / 4));
    explore_with(model, settings, files, None, &Interruption::none(), &mut Nobody, &mut |_, _| false)
}

fn paths(outcome: &Outcome) -> Vec<&Path> {
    assert!(!outcome.findings.is_empty());
    outcome.findings.iter().map(|finding| finding.path.as_ref().expect("a path")).collect()
}

/// The lengths of all traces, each of which was followed to a state of the kind that it should lead
/// to.
fn lengths(model: &dyn Model, settings: &Settings, outcome: &Outcome) -> Vec<usize> {
    let context = settings.trace_context(model.description());
    let followed = |path: &&Path| {
        end_state(model, &context, path).unwrap();
        path.rules.len()
    };
    let mut lengths: Vec<usize> = paths(outcome).iter().map(followed).collect();
    lengths.sort_unstable();
    lengths
}

#[test]
fn traces_are_as_long_with_any_signature() {
    let model = Wheels::SixBroken;
    let exact = Settings { checkpoints: None, ..settings(Kind::Exact, 1) };
    let expected = lengths(&model, &exact, &explore(&model, &exact));
    for kind in KINDS {
        for threads in [1, 2, 8] {
            let settings = Settings { checkpoints: None, ..settings(kind, threads) };
            for bits in [0, 1, 3, 10] {
                let outcome = signatures_of(bits, || explore(&model, &settings));
                let found = lengths(&model, &settings, &outcome);
                // A cache finds states again, later, and their errors with them.
                match kind.forgets() {
                    true => assert_eq!(found.first(), expected.first(), "{kind:?} {threads} {bits}"),
                    false => assert_eq!(found, expected, "{kind:?} {threads} {bits}"),
                }
            }
        }
    }
}

/// Depth first there is one path to each state, and others may lead there in as many steps.
#[test]
fn depth_first_too() {
    for compress_paths in [false, true] {
        for kind in [Kind::Tree, Kind::SmallCompact] {
            let order = Order::DepthFirst { compress_paths };
            let settings = Settings { order, checkpoints: None, ..settings(kind, 1) };
            let expected = signatures_of(40, || explore(&Wheels::SixBroken, &settings));
            for bits in [3, 5] {
                let outcome = signatures_of(bits, || explore(&Wheels::SixBroken, &settings));
                assert_eq!(sums(&outcome), sums(&expected));
                let found = lengths(&Wheels::SixBroken, &settings, &outcome);
                if !compress_paths {
                    assert_eq!(found, lengths(&Wheels::SixBroken, &settings, &expected), "{kind:?} {bits}");
                }
            }
        }
    }
}

#[test]
fn killed_and_resumed() {
    for kind in [Kind::Tree, Kind::Compact, Kind::Sorted, Kind::CompactPlain] {
        let settings = settings(kind, 2);
        for bits in [0, 1] {
            let mut resumed = 0;
            for operations in (40..600).step_by(120) {
                signatures_of(bits, || {
                    let disk = Disk::sound();
                    disk.trouble(Trouble::Kill, operations);
                    let _ = search(Wheels::SixBroken, &settings, &disk);
                    let (outcome, _) =
                        search(Wheels::SixBroken, &settings, &disk.after(Left::Synced)).unwrap();
                    lengths(&Wheels::SixBroken, &settings, &outcome);
                    resumed += outcome.checkpointed.map_or(0, |saved| saved.resumed.len());
                });
            }
            assert!(resumed > 1, "{kind:?} {resumed}");
        }
    }
}
