//! Why a run ended before its time, in words, and what to try.

use crate::search::{CheckpointFailed, Ending, Outcome};
use crate::settings::Settings;
use crate::storage::{Operation, Purpose, ResourceError, StorageError};
use crate::text::{bytes, grouped, place, plural};
use crate::visited::InsertError;
use crate::visited::plugin::Files;
use crate::visited::stats::Explanation;

/// Which file it was, what could not be done with it, and how much is missing.
fn disk_reason(failure: &StorageError, settings: &Settings) -> String {
    let StorageError { file, offset, bytes, free, .. } = failure;
    let directory = match &settings.checkpoints {
        Some(directory) if failure.is_of_checkpoint() => place(directory),
        _ => place(&settings.directory),
    };
    let (file, cause) = (file.name(), failure.cause());
    let amount = plural(*bytes, "byte");
    match failure.operation {
        Operation::Create => format!("{file} could not be created in {directory}: {cause}"),
        Operation::Write => {
            let free = match free {
                Some(free) if failure.is_full() && !failure.is_too_large() => {
                    format!("; {} are free there", crate::text::bytes(*free))
                }
                _ => String::new(),
            };
            let there = crate::text::bytes(*offset);
            format!(
                "{file} in {directory} could not be written: {cause}, for {amount} after the {there} in the file{free}"
            )
        }
        Operation::Read => {
            format!("{file} in {directory} could not be read: {cause}, for {amount} from byte {offset} on")
        }
        // The checksums are right, so it is not the disk's fault.
        Operation::Check if *bytes == 0 => {
            format!(
                "{file} in {directory} is damaged: what is there at byte {offset} is nothing that this search writes"
            )
        }
        Operation::Check => {
            format!(
                "{file} in {directory} is damaged: {amount} from byte {offset} on are not what was written"
            )
        }
        Operation::Shorten => format!("{file} in {directory} could not be made shorter: {cause}"),
        Operation::Sync => format!("{file} in {directory} could not be made to last: {cause}"),
        Operation::Name => format!("{file} in {directory} could not be given its name: {cause}"),
    }
}

/// A checkpoint could not be written, and the search goes on.
pub fn checkpoint_failed(failed: &CheckpointFailed<'_>) -> String {
    let CheckpointFailed { shortage, level, checkpoints, settings } = failed;
    let reason = match shortage {
        ResourceError::Memory => "out of memory".to_owned(),
        ResourceError::Disk(failure) => disk_reason(failure, settings),
    };
    let before = match checkpoints.level {
        Some(before) => format!("the one of level {before} is still good"),
        None => "there is none before it".to_owned(),
    };
    format!(
        "the checkpoint of level {} was not written: {reason}; {before}, and the search continues",
        level.0
    )
}

/// What to do about a file, in options that are accepted beside those in use.
fn disk_advice(failure: &StorageError, settings: &Settings) -> String {
    let less = match failure.file {
        Purpose::Queue => ", a larger --queue-memory, or --queue memory without --queue-memory",
        Purpose::Records | Purpose::Table => "",
        Purpose::SavedStates | Purpose::SavedSearch | Purpose::Manifest => {
            return "a search from the beginning, without --resume".to_owned();
        }
    };
    // All files of a search on disk are in its directory.
    let option = match settings.set.plugin().files() {
        Files::Own(option) => format!("{option} DIR"),
        Files::Shared | Files::None => "-d DIR".to_owned(),
    };
    match failure.operation {
        Operation::Check | Operation::Read => format!("another disk: {option}{less}"),
        _ if failure.is_too_large() => {
            format!("a larger limit (ulimit -f), or a directory on another file system: {option}{less}")
        }
        _ if failure.is_full() => format!("a directory with more room: {option}{less}"),
        Operation::Create | Operation::Write | Operation::Shorten | Operation::Sync | Operation::Name => {
            format!("another directory: {option}{less}")
        }
    }
}

/// The memory of the process that had too little of it: the limit is that of each process.
struct MemoryUse {
    /// The name of that process, where there are several.
    of: String,
    peak: u64,
    refused: Option<u64>,
    limit: u64,
}

impl MemoryUse {
    fn of(outcome: &Outcome, settings: &Settings) -> Self {
        match outcome.cluster.as_ref().and_then(|cluster| cluster.culprit()) {
            Some((name, place, done)) => MemoryUse {
                of: format!("{name}: "),
                peak: done.memory,
                refused: done.refused,
                limit: place.memory,
            },
            None => MemoryUse {
                of: String::new(),
                peak: outcome.peak_memory,
                refused: outcome.refused_memory,
                limit: settings.memory,
            },
        }
    }
}

/// Why something was left out, and what to try.
pub(super) fn why_cut(outcome: &Outcome, settings: &Settings) -> (Option<String>, Option<String>) {
    let full = |error: InsertError| {
        let explained = outcome.set.as_ref().and_then(|set| set.explain(error, &outcome.facts(settings)));
        match explained {
            Some(Explanation { reason, advice }) => (reason, advice),
            None => (error.to_string(), "a larger --memory".to_owned()),
        }
    };
    let memory = MemoryUse::of(outcome, settings);
    let (reason, advice) = match &outcome.ending {
        Ending::Complete | Ending::Errors => return (None, None),
        Ending::Depth(depth) => (
            format!("there are states beyond the depth of {} (--max-depth)", grouped(u64::from(*depth))),
            "a larger --max-depth, or none".to_owned(),
        ),
        Ending::States(most) => (
            format!("there are more than {} (--max-states)", plural(*most, "state")),
            "a larger --max-states, or none".to_owned(),
        ),
        Ending::Memory if memory.refused.is_some() => (
            format!(
                "{}the system refused {} of memory, although the limit of {} (--memory) is not reached",
                memory.of,
                bytes(memory.refused.unwrap_or_default()),
                bytes(memory.limit)
            ),
            format!(
                "a larger limit of this shell (ulimit -v) or of the control group, a machine with more memory{}",
                if settings.packed { "" } else { ", or -b, which packs states to the bit" }
            ),
        ),
        Ending::Memory => (
            format!(
                "{}out of memory: {} in use, and the limit is {} (--memory)",
                memory.of,
                bytes(memory.peak),
                bytes(memory.limit)
            ),
            match outcome.set.as_ref().and_then(|set| set.remedy(&outcome.facts(settings))) {
                Some(remedy) => remedy,
                None if settings.packed => {
                    "a larger --memory, a machine with more of it, or a smaller model".to_owned()
                }
                None => "-b, which packs states to the bit, or a larger --memory".to_owned(),
            },
        ),
        Ending::Numbers => ("more states than have numbers".to_owned(), "a smaller model".to_owned()),
        Ending::Table => full(InsertError::Table),
        Ending::Collisions => full(InsertError::Collisions),
        Ending::Probes => full(InsertError::Probes),
        Ending::Disk(failure) => {
            (format!("{}{}", memory.of, disk_reason(failure, settings)), disk_advice(failure, settings))
        }
        Ending::Interrupted => ("interrupted".to_owned(), "let it run to its end".to_owned()),
        Ending::NoStart => (
            "no start state satisfies the assumptions".to_owned(),
            "weaker assumptions, or other start states".to_owned(),
        ),
        Ending::Steps(steps) => (
            format!("a random walk of {} found no error, which proves nothing", plural(*steps, "step")),
            "another --seed, more --steps, or a search without -s".to_owned(),
        ),
        Ending::Halted(steps) => (
            format!(
                "the random walk came to a state without successors after {}, without an error, which proves nothing",
                plural(*steps, "step")
            ),
            "another --seed, or a search without -s".to_owned(),
        ),
        Ending::Asymmetric(_) => (
            "the model is not as symmetric as the reduction assumes".to_owned(),
            "look at what the rule does with the elements, or search with --symmetry off --no-multiset"
                .to_owned(),
        ),
        Ending::NotReplayed(error) => (
            format!("an error was found in the reduced state space, and no trace leads to it: {error}"),
            "--symmetry off --no-multiset".to_owned(),
        ),
        Ending::Lost(what) if settings.serve.is_some() => {
            (what.clone(), "look at what the workers printed, or search without --serve".to_owned())
        }
        Ending::Lost(what) => (
            what.clone(),
            "look at what that process printed last and at its machine, and begin again".to_owned(),
        ),
        Ending::Internal(what) => {
            (format!("internal error: {what}"), "please report this, with the model".to_owned())
        }
    };
    (Some(reason), Some(advice))
}
