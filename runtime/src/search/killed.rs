//! Searches that are killed at every operation on the disk where they are saved, or whose disk
//! fails: whoever resumes from what is left finds what an undisturbed search finds.

use super::explore::explore_with;
use super::models::wheels::Wheels;
use super::saving::{Checkpoints, identity};
use super::{CheckpointFailed, Counts, Ending, Observer, Outcome};
use crate::checkpoint::directory::DirectoryError;
use crate::checkpoint::{CheckpointDirectory, Identity};
use crate::cli;
use crate::contract::model::{Model, RuleId};
use crate::contract::problem::Finding;
use crate::hashing::signature::Bits;
use crate::report::verdict::{Verdict, judge};
use crate::report::why_cut::checkpoint_failed;
use crate::settings::Settings;
use crate::settings::watch::Watch;
use crate::storage::faulty::{Fault, FaultyDirectory};
use crate::storage::simulated::{Disk, Left, Trouble};
use crate::visited::SetKind;
use crate::visited::cache::CacheStats;
use crate::visited::cache::plan::Size;
use crate::visited::cache::plugin::CacheConfig;
use crate::visited::cache::sets::Replace;
use crate::visited::compact::CompactStats;
use crate::visited::compact::plugin::CompactConfig;
use crate::visited::disk::figures::DiskStats;
use crate::visited::disk::plugin::DiskConfig;
use crate::visited::exact::plugin::ExactConfig;
use crate::visited::signatures::SignatureConfig;
use crate::visited::stats::SetStats;
use crate::visited::tree::plugin::TreeConfig;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

/// An observer that keeps what is reported.
#[derive(Default)]
pub(super) struct Audience {
    warnings: Vec<String>,
    found: usize,
    resumed: Option<Counts>,
}

impl Observer for Audience {
    fn progress(&mut self, _: &Counts) {}
    fn resumed(&mut self, counts: &Counts, _: f64) {
        self.resumed = Some(*counts);
    }
    fn warned(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }
    fn checkpoint_failed(&mut self, failed: &CheckpointFailed<'_>) {
        self.warnings.push(checkpoint_failed(failed));
    }
    fn found(&mut self, _: &Finding) {
        self.found += 1;
    }
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Exact,
    Compact,
    /// Without a word about slots, so that it is small for long.
    SmallCompact,
    Cache,
    DirectCache,
    CompactCache,
    Sorted,
    Plain,
    CompactSorted,
    CompactPlain,
    Tree,
}

impl Kind {
    pub(super) fn forgets(self) -> bool {
        matches!(self, Kind::Cache | Kind::DirectCache | Kind::CompactCache)
    }

    fn has_tables(self) -> bool {
        matches!(self, Kind::Sorted | Kind::CompactSorted)
    }

    fn is_on_disk(self) -> bool {
        self.has_tables() || matches!(self, Kind::Plain | Kind::CompactPlain)
    }

    fn is_compact(self) -> bool {
        use Kind::{Compact, CompactCache, CompactPlain, CompactSorted, SmallCompact};
        matches!(self, Compact | SmallCompact | CompactCache | CompactSorted | CompactPlain)
    }
}

pub(super) const KINDS: [Kind; 11] = [
    Kind::Exact,
    Kind::Compact,
    Kind::SmallCompact,
    Kind::Cache,
    Kind::DirectCache,
    Kind::CompactCache,
    Kind::Sorted,
    Kind::Plain,
    Kind::CompactSorted,
    Kind::CompactPlain,
    Kind::Tree,
];

pub(super) fn settings(kind: Kind, threads: usize) -> Settings {
    let options = cli::parse(["verifier".into()]).unwrap();
    let signatures = SignatureConfig { bits: Bits::DEFAULT, seed: 1, target: None };
    let kept = kind.is_compact().then_some(signatures);
    let slots = (kind == Kind::Compact).then_some(5000);
    let replace = if kind == Kind::DirectCache { Replace::Direct } else { Replace::Oldest };
    let set = if kind.forgets() {
        let size = Size::States(4900);
        SetKind::Cache(CacheConfig { size, replace, max_collisions: Some(0.9), signatures: kept })
    } else if kind.is_on_disk() {
        SetKind::Disk(DiskConfig { memory: 1, plain: !kind.has_tables(), signatures: kept })
    } else if kind.is_compact() {
        SetKind::Compact(CompactConfig { signatures, slots, probes: 256, all_memory: false })
    } else if kind == Kind::Tree {
        SetKind::Tree(TreeConfig)
    } else {
        SetKind::Exact(ExactConfig)
    };
    Settings {
        threads,
        threads_from: 200,
        max_errors: None,
        memory: if kind.is_on_disk() { 1 << 26 } else { 1 << 24 },
        set,
        watch: Watch::Off,
        checkpoints: Some("nowhere".into()),
        ..options.settings()
    }
}

/// Settings for a model of sixteen times as many states.
fn large(kind: Kind, threads: usize) -> Settings {
    let mut settings = settings(kind, threads);
    if let SetKind::Compact(compact) = &mut settings.set {
        compact.slots = compact.slots.map(|slots| 16 * slots);
    }
    if let SetKind::Cache(cache) = &mut settings.set {
        cache.size = Size::States(80_000);
    }
    settings
}

fn whose(model: Wheels, settings: &Settings) -> Identity {
    let description = model.description();
    identity(description, settings, &settings.codec(description), crate::cli::table::identity(settings))
}

/// A search that is saved after each level on this disk, from where it was saved if it was; or why
/// the disk cannot be used.
pub(super) fn search(
    model: Wheels,
    settings: &Settings,
    disk: &Disk,
) -> Result<(Outcome, Audience), DirectoryError> {
    let vault = CheckpointDirectory::open(Arc::new(disk.clone()))?;
    let identity = whose(model, settings);
    if let Some(manifest) = vault.current() {
        assert_eq!(manifest.identity.differences(&identity), []);
    }
    let mut checkpoints = Checkpoints::new(vault, identity, vec!["verifier".into()], Duration::ZERO);
    let files = Arc::new(FaultyDirectory::new(Fault::Flip, u64::MAX / 4));
    let mut audience = Audience::default();
    let dead = disk.dead();
    let outcome =
        explore_with(&model, settings, files, Some(&mut checkpoints), &dead, &mut audience, &mut |_, _| {
            false
        });
    Ok((outcome, audience))
}

/// The figures of the visited set, if it is of this kind.
fn stats<S: SetStats>(outcome: &Outcome) -> Option<&S> {
    outcome.set.as_ref().and_then(|set| set.of_kind())
}

/// Everything that must not depend on whether a search was resumed.
fn result(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug + use<> {
    let findings: Vec<_> =
        outcome.findings.iter().map(|finding| (finding.problem, finding.path.clone())).collect();
    let counts = Counts { memory: 0, ..outcome.counts };
    // What is known in memory beside sorted tables is not saved, so more may have to be looked up.
    let checked = |on_disk: &DiskStats| (on_disk.checks.clone(), on_disk.candidates, on_disk.hits);
    let on_disk = stats::<DiskStats>(outcome)
        .map(|on_disk| (on_disk.states, on_disk.level_ends.clone(), on_disk.plain.then(|| checked(on_disk))));
    let kept = (stats::<CompactStats>(outcome).cloned(), stats::<CacheStats>(outcome).cloned(), on_disk);
    (
        (outcome.ending.clone(), counts, outcome.fired.clone(), outcome.covered.clone()),
        outcome.undefined_compared.clone(),
        (findings, kept, outcome.unreduced, outcome.spilled.map(|spilled| spilled.entry_bytes)),
    )
}

/// With several threads the order is another one each time, so errors may be reached on other ways.
pub(super) fn sums(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug + use<> {
    let lengths: Vec<_> =
        outcome.findings.iter().map(|finding| finding.path.as_ref().map(|path| path.rules.len())).collect();
    let levels = stats::<CompactStats>(outcome).map(|compacted| compacted.levels.clone());
    let on_disk = stats(outcome).map(DiskStats::levels);
    let counts = Counts { memory: 0, ..outcome.counts };
    (outcome.ending.clone(), counts, outcome.fired.clone(), outcome.covered.clone(), lengths, levels, on_disk)
}

/// Kills a search after `operations` operations, and resumes it; and says whether it was killed.
fn survives(model: Wheels, settings: &Settings, operations: u64, left: &[Left], expected: &Outcome) -> bool {
    let disk = Disk::sound();
    disk.trouble(Trouble::Kill, operations);
    // A process that dies before it has opened the directory reports nothing.
    let _ = search(model, settings, &disk);
    let killed = !disk.is_undisturbed();
    for &left in left {
        let found = disk.after(left);
        let (outcome, audience) = search(model, settings, &found).unwrap();
        assert_eq!(result(&outcome), result(expected), "{operations} {left:?}");
        assert_eq!(audience.found, outcome.findings.len());
        assert!(audience.warnings.is_empty(), "{:?}", audience.warnings);
    }
    killed
}

#[test]
fn killed_at_every_operation() {
    for kind in KINDS {
        for model in [Wheels::Six, Wheels::SixBroken] {
            if model == Wheels::Six && kind != Kind::Exact {
                continue;
            }
            let settings = settings(kind, 1);
            let (expected, _) = search(model, &settings, &Disk::sound()).unwrap();
            // A search that evicts another state evicts others from then on.
            assert!(stats::<CacheStats>(&expected).is_none_or(|cached| cached.all().replaced > 0));
            assert!(expected.checkpointed.as_ref().unwrap().written > 15);
            let merged = stats::<DiskStats>(&expected).map_or(0, |on_disk| on_disk.merged);
            assert_eq!(merged > 0, kind.has_tables());
            assert_eq!(expected.findings.is_empty(), model == Wheels::Six);
            let mut operations = 0;
            // That the system has written everything is the easiest case: once is enough for it.
            let all = [Left::Synced, Left::All];
            let left = |operations| match kind {
                Kind::Exact => [Left::Some(operations), all[operations as usize % 2]],
                _ => [Left::Some(operations), Left::Synced],
            };
            while survives(model, &settings, operations, &left(operations), &expected) {
                operations += 1;
            }
            assert!(operations > 250, "{operations}");
        }
    }
}

/// Killed, resumed and killed again, until it comes to its end.
#[test]
fn killed_again_and_again() {
    for kind in KINDS {
        let settings = settings(kind, 1);
        let (expected, _) = search(Wheels::SixBroken, &settings, &Disk::sound()).unwrap();
        // Whoever goes on has more files to read where there are tables.
        for step in if kind.has_tables() { [110, 130, 150] } else { [60, 90, 140] } {
            let mut disk = Disk::sound();
            let mut deaths = 0;
            let outcome = loop {
                disk.trouble(Trouble::Kill, step);
                let outcome = search(Wheels::SixBroken, &settings, &disk);
                if let (Ok((outcome, _)), true) = (outcome, disk.is_undisturbed()) {
                    break outcome;
                }
                deaths += 1;
                assert!(deaths < 1000);
                disk = disk.after(Left::Some(deaths * 7919 + step));
            };
            assert_eq!(result(&outcome), result(&expected));
            let resumed = outcome.checkpointed.unwrap().resumed.len() as u64;
            assert!((2..=deaths).contains(&resumed), "{step}: {resumed} of {deaths}");
        }
    }
}

/// A process is killed, another one goes on from what the system still knows, and then the power
/// goes.
#[test]
fn killed_and_then_cut_off() {
    let settings = settings(Kind::Exact, 1);
    let (expected, _) = search(Wheels::SixBroken, &settings, &Disk::sound()).unwrap();
    for first in 0..280 {
        for second in [8, 11, 12, 13, 14, 20 + first % 20] {
            let disk = Disk::sound();
            disk.trouble(Trouble::Kill, first);
            let _ = search(Wheels::SixBroken, &settings, &disk);
            disk.revive();
            disk.trouble(Trouble::Kill, second);
            let _ = search(Wheels::SixBroken, &settings, &disk);
            let left = Left::Some(first * 100 + second);
            let (outcome, _) = search(Wheels::SixBroken, &settings, &disk.after(left)).unwrap();
            assert_eq!(result(&outcome), result(&expected), "{first} {second}");
        }
    }
}

/// A search goes on when it cannot be saved, says so, and what was saved before is as good as it
/// was.
#[test]
fn a_disk_that_fails() {
    for kind in KINDS {
        let settings = settings(kind, 1);
        let (expected, _) = search(Wheels::SixBroken, &settings, &Disk::sound()).unwrap();
        for once in [true, false] {
            let mut operations = 0;
            loop {
                let disk = Disk::sound();
                let full = ErrorKind::StorageFull;
                disk.trouble(if once { Trouble::Once(full) } else { Trouble::Always(full) }, operations);
                let outcome = search(Wheels::SixBroken, &settings, &disk);
                let undisturbed = disk.is_undisturbed();
                match outcome {
                    Err(unusable) => assert!(matches!(unusable, DirectoryError::Failed(_)) && operations < 2),
                    Ok((outcome, audience)) => {
                        assert_eq!(result(&outcome), result(&expected));
                        let checkpointed = outcome.checkpointed.unwrap();
                        assert_eq!(checkpointed.failed, audience.warnings.len() as u64);
                        let told = |warning: &String| {
                            warning.contains("the search continues") && warning.contains("the checkpoint")
                        };
                        assert!(audience.warnings.iter().all(told), "{:?}", audience.warnings);
                        disk.trouble(Trouble::Kill, u64::MAX / 2);
                        let left = if operations % 2 == 0 { Left::Synced } else { Left::Some(operations) };
                        let (outcome, audience) =
                            search(Wheels::SixBroken, &settings, &disk.after(left)).unwrap();
                        assert_eq!(result(&outcome), result(&expected), "{operations}");
                        assert!(checkpointed.level.is_none() || audience.resumed.is_some());
                        if undisturbed {
                            assert_eq!(checkpointed.failed, 0);
                            break;
                        }
                    }
                }
                operations += 1;
            }
            assert!(operations > 250, "{operations}");
        }
    }
}

/// A disk as a search has left it that was killed in its middle.
fn half_done(settings: &Settings) -> Disk {
    let disk = Disk::sound();
    disk.trouble(Trouble::Kill, 200);
    let _ = search(Wheels::SixBroken, settings, &disk);
    disk.after(Left::Synced)
}

#[test]
fn every_byte_counts() {
    for kind in KINDS {
        let settings = settings(kind, 1);
        let disk = half_done(&settings);
        let (expected, _) = search(Wheels::SixBroken, &settings, &disk.after(Left::All)).unwrap();
        let manifest =
            CheckpointDirectory::open(Arc::new(disk.after(Left::All))).unwrap().current().unwrap().clone();
        let mut names: Vec<String> = manifest.files.into_iter().map(|file| file.name).collect();
        names.push("manifest".to_owned());
        assert!(names.len() == 3 || kind.has_tables() && names.len() > 3, "{names:?}");
        for name in names {
            let mut length = 0;
            disk.with(&name, |bytes| {
                length = bytes.len();
                true
            });
            assert!(length > 50);
            let refused = |disk: Disk, what: &str| match search(Wheels::SixBroken, &settings, &disk) {
                Err(_) => {}
                Ok((outcome, _)) => {
                    let judgement = judge(Wheels::SixBroken.description(), &outcome, &settings);
                    assert!(matches!(outcome.ending, Ending::Disk(_)), "{name} {what}: {outcome:?}");
                    assert_eq!(judgement.verdict, Verdict::Inconclusive);
                    assert!(judgement.reason.contains("damaged"), "{}", judgement.reason);
                    assert!(judgement.reason.contains("the checkpoint's"), "{}", judgement.reason);
                }
            };
            let step = length / 900 + 1;
            for at in (0..length).step_by(step).chain(length - 1..length) {
                let flipped = disk.with(&name, |bytes| {
                    bytes[at] ^= 1 << (at % 8);
                    true
                });
                refused(flipped, &format!("flipped at {at}"));
            }
            for at in [0, 1, length / 2, length - 1] {
                let cut = disk.with(&name, |bytes| {
                    bytes.truncate(at);
                    true
                });
                refused(cut, &format!("cut at {at}"));
            }
            if name != "manifest" {
                refused(disk.with(&name, |_| false), "missing");
                refused(
                    disk.with(&name, |bytes| {
                        bytes.push(0);
                        true
                    }),
                    "longer",
                );
            }
        }
        // And what was not touched is right.
        let (outcome, audience) = search(Wheels::SixBroken, &settings, &disk).unwrap();
        assert_eq!(result(&outcome), result(&expected));
        assert!(audience.resumed.unwrap().states > 10);
    }
}

/// Another number of threads, before and after.
#[test]
fn threads_may_be_others() {
    for kind in KINDS {
        let (expected, _) = search(Wheels::Broken, &large(kind, 1), &Disk::sound()).unwrap();
        for (before, after) in [(1, 2), (2, 1), (2, 3), (3, 40)] {
            for operations in [60, 150, 260] {
                let disk = Disk::sound();
                disk.trouble(Trouble::Kill, operations);
                let _ = search(Wheels::Broken, &large(kind, before), &disk);
                let disk = disk.after(Left::Synced);
                let (outcome, audience) = search(Wheels::Broken, &large(kind, after), &disk).unwrap();
                assert!(audience.resumed.is_some());
                match kind.forgets() {
                    true => assert_eq!(outcome.findings.len(), expected.findings.len()),
                    false => assert_eq!(sums(&outcome), sums(&expected), "{kind:?} {before} {after}"),
                }
            }
        }
    }
}

/// A queue on disk is in the checkpoint too, and a search that is resumed may have its queue
/// elsewhere.
#[test]
fn the_queue_may_be_elsewhere() {
    for kind in KINDS {
        for threads in [1, 2] {
            let memory = large(kind, threads);
            let disk_queue = Settings { queue_memory: Some(1), ..memory.clone() };
            let (expected, _) = search(Wheels::Broken, &memory, &Disk::sound()).unwrap();
            let (queued, _) = search(Wheels::Broken, &disk_queue, &Disk::sound()).unwrap();
            assert!(queued.spilled.unwrap().written_bytes > 10_000);
            for (before, after) in
                [(&memory, &disk_queue), (&disk_queue, &memory), (&disk_queue, &disk_queue)]
            {
                let disk = Disk::sound();
                disk.trouble(Trouble::Kill, 230);
                let _ = search(Wheels::Broken, before, &disk);
                let (outcome, audience) = search(Wheels::Broken, after, &disk.after(Left::Synced)).unwrap();
                assert!(audience.resumed.unwrap().states > 1000);
                if threads == 1 || !kind.forgets() {
                    assert_eq!(sums(&outcome), sums(&expected), "{kind:?}");
                }
            }
        }
    }
}

/// What was saved before and does not change is not written again.
#[test]
fn tables_are_saved_once() {
    for kind in KINDS.into_iter().filter(|kind| kind.is_on_disk()) {
        let mut kept = 0;
        for operations in (150..350).step_by(20) {
            let disk = Disk::sound();
            disk.trouble(Trouble::Kill, operations);
            let _ = search(Wheels::Broken, &settings(kind, 1), &disk);
            let vault = CheckpointDirectory::open(Arc::new(disk.after(Left::Synced))).unwrap();
            let manifest = vault.current().unwrap();
            let new = format!("-{:06}.checkpoint", manifest.generation);
            kept += manifest.files.iter().filter(|file| !file.name.ends_with(&new)).count();
        }
        assert_eq!(kept > 0, kind.has_tables(), "{kind:?} {kept}");
    }
}

/// With another memory for candidates than before, and so with other blocks.
#[test]
fn tables_may_have_other_memory() {
    for kind in KINDS.into_iter().filter(|kind| kind.is_on_disk()) {
        let small = settings(kind, 1);
        let mut ample = small.clone();
        let SetKind::Disk(disk) = &mut ample.set else { panic!("{kind:?}") };
        disk.memory = 4 << 20;
        let (expected, _) = search(Wheels::Broken, &small, &Disk::sound()).unwrap();
        for (before, after) in [(&small, &ample), (&ample, &small)] {
            for operations in [150, 260] {
                let disk = Disk::sound();
                disk.trouble(Trouble::Kill, operations);
                let _ = search(Wheels::Broken, before, &disk);
                let (outcome, audience) = search(Wheels::Broken, after, &disk.after(Left::Synced)).unwrap();
                assert!(audience.resumed.unwrap().states > 1000);
                assert_eq!(sums(&outcome), sums(&expected), "{kind:?} {operations}");
            }
        }
    }
}

/// Another kind of table, or other signatures, make another search.
#[test]
fn other_tables_are_another_search() {
    let differences = |left: &Settings, right: &Settings| {
        let found = whose(Wheels::Six, left).differences(&whose(Wheels::Six, right));
        found.into_iter().map(|found| found.what).collect::<Vec<_>>()
    };
    let sorted = settings(Kind::CompactSorted, 1);
    assert_eq!(differences(&sorted, &settings(Kind::CompactPlain, 1)), ["--disk-plain"]);
    assert_eq!(differences(&sorted, &settings(Kind::SmallCompact, 1)), ["--disk", "--disk-plain"]);
    assert_eq!(
        differences(&sorted, &settings(Kind::Sorted, 1)),
        ["--bits", "--compact", "--seed", "--slots"]
    );
    let mut wider = sorted.clone();
    wider.set.plugin_mut().signatures_mut().unwrap().bits = Bits::new(48).unwrap();
    assert_eq!(differences(&sorted, &wider), ["--bits"]);
    let elsewhere = Settings { directory: "elsewhere".into(), ..sorted.clone() };
    assert_eq!(differences(&sorted, &elsewhere), [""; 0]);
}

/// Two processes with one directory.
#[test]
fn one_at_a_time() {
    let disk = Disk::sound();
    let first = CheckpointDirectory::open(Arc::new(disk.clone())).unwrap();
    assert!(matches!(CheckpointDirectory::open(Arc::new(disk.clone())), Err(DirectoryError::InUse)));
    drop(first);
    assert!(CheckpointDirectory::open(Arc::new(disk)).is_ok());
}
