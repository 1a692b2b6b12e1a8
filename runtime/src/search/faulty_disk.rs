//! Searches on a disk that fails, at every operation in turn: what comes out is right, or it is a
//! refusal that says why.

use super::explore::explore_with;
use super::models::philosophers::Philosophers;
use super::models::wheels::Wheels;
use super::{Counts, Ending, Observer, Outcome};
use crate::cli;
use crate::contract::model::{Model, RuleId};
use crate::contract::problem::Finding;
use crate::hashing::signature::Bits;
use crate::interruption::Interruption;
use crate::report::verdict::{Verdict, judge};
use crate::settings::watch::Watch;
use crate::settings::{Order, Settings, Shortcut};
use crate::storage::Directory;
use crate::storage::faulty::{Fault, FaultyDirectory};
use crate::visited::SetKind;
use crate::visited::bounded::PathCaching;
use crate::visited::bounded::choice::Eviction;
use crate::visited::cache::plan::Size;
use crate::visited::cache::plugin::CacheConfig;
use crate::visited::cache::sets::Replace;
use crate::visited::compact::plugin::CompactConfig;
use crate::visited::disk::plugin::DiskConfig;
use crate::visited::exact::plugin::ExactConfig;
use crate::visited::signatures::SignatureConfig;
use std::io::ErrorKind;
use std::sync::Arc;

struct Nobody;

impl Observer for Nobody {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}

const BREADTH_FIRST: Order = Order::BreadthFirst(Shortcut::None);
const DEPTH_FIRST: Order = Order::DepthFirst { compress_paths: false };
const SIGNATURES: SignatureConfig = SignatureConfig { bits: Bits::DEFAULT, seed: 1, target: None };

fn settings(order: Order, compact: bool, threads: usize) -> Settings {
    let options = cli::parse(["verifier".into()]).unwrap();
    let config =
        CompactConfig { signatures: SIGNATURES, slots: Some(70_000), probes: 256, all_memory: false };
    Settings {
        order,
        threads,
        threads_from: 200,
        set: if compact { SetKind::Compact(config) } else { SetKind::Exact(ExactConfig) },
        queue_memory: Some(1),
        watch: Watch::Off,
        ..options.settings()
    }
}

fn search(model: &dyn Model, settings: &Settings, directory: Arc<dyn Directory>) -> Outcome {
    explore_with(model, settings, directory, None, &Interruption::none(), &mut Nobody, &mut |_, _| false)
}

/// Everything that should not depend on where states wait.
fn result(outcome: &Outcome) -> (Ending, u64, u64, Vec<usize>) {
    let traces = outcome.findings.iter().filter_map(|finding| finding.path.as_ref());
    let lengths = traces.map(|path| path.rules.len()).collect();
    (outcome.ending.clone(), outcome.counts.states, outcome.counts.rules, lengths)
}

fn survives(model: &dyn Model, settings: &Settings, fault: Fault, step: u64) {
    let sound = Arc::new(FaultyDirectory::new(fault, u64::MAX / 4));
    let outcome = search(model, settings, sound);
    assert!(outcome.spilled.unwrap().written_bytes > 1000, "{settings:?}");
    let expected = result(&outcome);
    let verdict = judge(model.description(), &outcome, settings).verdict;
    let (mut told, mut operations) = (0, 0);
    loop {
        let directory = Arc::new(FaultyDirectory::new(fault, operations));
        let outcome = search(model, settings, directory.clone());
        let judgement = judge(model.description(), &outcome, settings);
        match &outcome.ending {
            Ending::Disk(_) => {
                told += 1;
                assert_eq!(judgement.verdict, Verdict::Inconclusive);
                let files = ["the disk queue", "for traces", "a table of visited states"];
                assert!(files.iter().any(|file| judgement.reason.contains(file)), "{}", judgement.reason);
            }
            // Other states of the batch may not have been stored any more.
            Ending::Errors => assert_eq!(result(&outcome).3, expected.3, "{fault:?} {operations}"),
            _ => assert_eq!((result(&outcome), judgement.verdict), (expected.clone(), verdict)),
        }
        if directory.is_undisturbed() {
            break;
        }
        operations += step;
    }
    assert!(told > 10, "{fault:?} {told}");
}

const FULL: Fault = Fault::Fail(ErrorKind::StorageFull);

#[test]
fn breadth_first_on_a_failing_disk() {
    for fault in [FULL, Fault::Short, Fault::Flip, Fault::Drop] {
        survives(&Wheels::Six, &settings(BREADTH_FIRST, true, 1), fault, 1);
        survives(&Wheels::Six, &settings(BREADTH_FIRST, false, 1), fault, 1);
    }
}

#[test]
fn depth_first_on_a_failing_disk() {
    for fault in [FULL, Fault::Short, Fault::Flip, Fault::Drop] {
        survives(&Wheels::Six, &settings(DEPTH_FIRST, true, 1), fault, 1);
        survives(&Wheels::Six, &settings(DEPTH_FIRST, false, 1), fault, 1);
    }
}

#[test]
fn threads_on_a_failing_disk() {
    for fault in [FULL, Fault::Flip] {
        survives(&Wheels::Right, &settings(BREADTH_FIRST, false, 2), fault, 31);
        survives(&Wheels::Right, &settings(BREADTH_FIRST, true, 2), fault, 97);
    }
}

#[test]
fn a_cache_on_a_failing_disk() {
    for fault in [FULL, Fault::Short, Fault::Flip, Fault::Drop] {
        for compact in [true, false] {
            let cache = SetKind::Cache(CacheConfig {
                size: Size::States(16 << 12),
                replace: Replace::Oldest,
                max_collisions: Some(0.9),
                signatures: compact.then_some(SIGNATURES),
            });
            let plain = settings(BREADTH_FIRST, compact, 1);
            survives(&Wheels::Six, &Settings { set: cache, ..plain }, fault, 1);
        }
    }
}

#[test]
fn a_path_on_a_failing_disk() {
    let beside = PathCaching { size: Size::States(1 << 16), eviction: Eviction::Random, seed: 1 };
    let plain = settings(Order::AlongPath { sleep: None }, false, 1);
    survives(&Wheels::Six, &Settings { set: SetKind::PathCache(beside), ..plain }, FULL, 5);
}

/// Where there is an error, its trace comes from another file.
#[test]
fn errors_on_a_failing_disk() {
    for fault in [FULL, Fault::Short, Fault::Flip] {
        survives(&Wheels::SixBroken, &settings(BREADTH_FIRST, true, 1), fault, 1);
    }
}

/// Settings with a visited set on disk, in both kinds of tables.
fn on_disk(compact: bool, plain: bool, threads: usize) -> Settings {
    let disk = DiskConfig { memory: 1, plain, signatures: compact.then_some(SIGNATURES) };
    Settings { set: SetKind::Disk(disk), deadlock: false, ..settings(BREADTH_FIRST, compact, threads) }
}

#[test]
fn tables_on_a_failing_disk() {
    let polite = Philosophers { polite: true };
    for fault in [FULL, Fault::Short, Fault::Flip, Fault::Drop] {
        survives(&polite, &on_disk(false, false, 1), fault, 67);
        survives(&polite, &on_disk(false, true, 1), fault, 67);
        survives(&Wheels::Six, &on_disk(true, false, 1), fault, 31);
        survives(&Wheels::Six, &on_disk(true, true, 1), fault, 31);
    }
}

#[test]
fn threads_and_tables_on_a_failing_disk() {
    for fault in [FULL, Fault::Flip] {
        survives(&Wheels::Right, &on_disk(true, false, 2), fault, 997);
        survives(&Philosophers { polite: true }, &on_disk(false, false, 2), fault, 211);
    }
}

#[test]
fn errors_and_tables_on_a_failing_disk() {
    for fault in [FULL, Fault::Short, Fault::Flip] {
        for plain in [false, true] {
            survives(&Wheels::SixBroken, &on_disk(true, plain, 1), fault, 13);
            survives(&Wheels::SixBroken, &on_disk(false, plain, 1), fault, 13);
        }
    }
}
