//! Which options cannot be combined, why not, and what to do instead.

use super::choices::{QueuePlace, SearchOrder};
use super::{Options, Refusal};

/// Memory that a queue on disk needs for one thread, and for each of several, which have their own blocks for each segment.
const LEAST_QUEUE_MEMORY: u64 = 8 << 10;
const LEAST_EACH: u64 = 40 << 10;

/// What is wrong with an option, and what to do instead.
fn refuse(option: &str, why: &str, instead: &str) -> Result<(), Refusal> {
    Err(Refusal::Wrong(format!("error: {option}: {why}\n\n  try: {instead}\n")))
}

impl Options {
    /// Refuses what cannot be combined.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.probes.is_some() && self.search != SearchOrder::Dfs {
            let why = "only a depth-first search gives up after some slots";
            return refuse("--probes", why, "-vdfs, or leave it out");
        }
        if self.steps.is_some() && !self.simulate {
            let why = "that is the length of a random walk, and there is none";
            return refuse("--steps", why, "-s (--simulate), --max-depth or --max-states, or leave it out");
        }
        self.check_queue()?;
        self.check_cache()?;
        self.check_disk()?;
        self.check_locality()?;
        self.check_checkpoints()?;
        self.check_sleep()?;
        self.check_compression()?;
        let many = self.threads.is_some_and(|threads| threads > 1);
        let (what, instead) = match self.search {
            _ if self.simulate => ("a random walk (-s)", "--threads 1, or several walks at once"),
            SearchOrder::Dfs => ("depth first (-vdfs)", "breadth first (-vbfs), or --threads 1"),
            SearchOrder::Bfs => return Ok(()),
        };
        match many {
            true => refuse("--threads", &format!("{what} uses one thread"), instead),
            false => Ok(()),
        }
    }

    fn check_queue(&self) -> Result<(), Refusal> {
        let Some(bytes) = self.queue_memory else { return Ok(()) };
        let least = match self.settings().threads_in_use() as u64 {
            1 => LEAST_QUEUE_MEMORY,
            threads => LEAST_EACH * threads,
        };
        let enough = format!("--queue-memory {}K, or fewer --threads", least >> 10);
        let (why, instead) = match self.queue_place() {
            QueuePlace::Memory => {
                ("the queue is in memory, and takes what it needs", "--queue disk, or leave it out")
            }
            QueuePlace::Disk if bytes < least => {
                ("that is too little for the blocks that every thread needs", &*enough)
            }
            QueuePlace::Disk if self.memory.is_some_and(|memory| bytes > memory) => {
                ("it is a part of --memory, and cannot be larger", "less of it, or a larger --memory")
            }
            QueuePlace::Disk => return Ok(()),
        };
        refuse("--queue-memory", why, instead)
    }

    fn check_cache(&self) -> Result<(), Refusal> {
        match self.cache_size() {
            None if self.replace.is_some() => {
                refuse("--replace", "there is no cache", "--cache 200M, or leave it out")
            }
            None if self.max_collisions.is_some() => {
                refuse("--max-collisions", "there is no cache", "--cache 200M, or leave it out")
            }
            Some(_) if self.search == SearchOrder::Dfs && self.compact => refuse(
                "--cache",
                "depth first (-vdfs) whole states are kept, not signatures of them (-c)",
                "-b, which packs states to the bit, or breadth first (-vbfs)",
            ),
            Some(_) if self.search == SearchOrder::Dfs && self.max_collisions.is_some() => refuse(
                "--max-collisions",
                "depth first (-vdfs) no search goes round in circles",
                "--max-states, which bounds the visits, or leave it out",
            ),
            Some(_) => match self.replace.map(|choice| (choice, choice.forget(), choice.replace())) {
                Some((_, None, _)) if self.search == SearchOrder::Dfs => refuse(
                    "--replace",
                    "that is for breadth first (-vbfs)",
                    "--replace random, type, oldest or small",
                ),
                Some((_, _, None)) if self.search == SearchOrder::Bfs => refuse(
                    "--replace",
                    "that is for depth first (-vdfs)",
                    "--replace oldest or direct, or -vdfs",
                ),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn check_disk(&self) -> Result<(), Refusal> {
        match &self.disk {
            None => Ok(()),
            Some(_) if self.search == SearchOrder::Dfs => refuse(
                "--disk",
                "depth first (-vdfs) there are no levels, of which all states could be checked at once",
                "breadth first (-vbfs)",
            ),
            Some(_) if self.show_states => refuse(
                "--disk",
                "states are shown when they are found (--show-states, -ta), and it is found out later which are new",
                "without --disk, or without --show-states",
            ),
            Some(_) if self.table_memory.zip(self.memory).is_some_and(|(table, memory)| table > memory) => {
                refuse(
                    "--table-memory",
                    "it is a part of --memory, and cannot be larger",
                    "less of it, or a larger --memory",
                )
            }
            Some(_) => Ok(()),
        }
    }

    fn check_sleep(&self) -> Result<(), Refusal> {
        let (why, instead) = match () {
            () if self.sleep.is_none() => return Ok(()),
            () if self.search == SearchOrder::Bfs && self.sleep.flatten().is_some() => (
                "breadth first (-vbfs) there is one way to keep sleep sets, and nothing to choose",
                "--sleep, or -vdfs with what was chosen",
            ),
            () if self.disk.is_some() => (
                "with --disk it is found out later which states are new, and for which of them rules may sleep",
                "one of the two",
            ),
            () if self.checkpoint.is_some() || self.resume.is_some() => {
                ("sleep sets are not saved (--checkpoint, --resume)", "one of the two")
            }
            () if self.compact && self.search == SearchOrder::Dfs => (
                "depth first, hash compaction (-c) may take a state for another, and then rules would sleep that were never explored",
                "breadth first (-vbfs), or an exact search, packed to the bit (-b) where memory is short",
            ),
            () => return Ok(()),
        };
        refuse("--sleep", why, instead)
    }

    /// States that are walked through have no number, and no level.
    fn check_compression(&self) -> Result<(), Refusal> {
        let (option, why, instead) = match () {
            () if !self.compress_paths => return Ok(()),
            () if self.max_depth.is_some() => (
                "--max-depth",
                "with --compress-paths the depth of a state is not how many rules lead to it",
                "--max-states, or a search without --compress-paths",
            ),
            () if self.search == SearchOrder::Dfs && self.cache_size().is_some() => (
                "--cache",
                "depth first (-vdfs) with --compress-paths a path would have to remember what it walked through",
                "breadth first (-vbfs), or a search without --compress-paths",
            ),
            () if self.show_states => (
                "--show-states",
                "with --compress-paths states that are walked through have no number",
                "a search without --compress-paths",
            ),
            () if self.sleep.is_some() => (
                "--sleep",
                "with --compress-paths a state would have one successor because its other rules sleep",
                "one of the two",
            ),
            () if self.disk.is_some() => (
                "--disk",
                "with --compress-paths a state is walked on from when it is found, and here it is found out later which are new",
                "one of the two",
            ),
            () if self.checkpoint.is_some() || self.resume.is_some() => (
                "--checkpoint, --resume",
                "with --compress-paths what was walked through is not saved",
                "one of the two",
            ),
            () if self.locality => (
                "--locality",
                "with --compress-paths states that are walked through are not kept",
                "a search without --compress-paths",
            ),
            () => return Ok(()),
        };
        refuse(option, why, instead)
    }

    /// A profile is measured over all states.
    fn check_locality(&self) -> Result<(), Refusal> {
        let keeps_no_states = match () {
            () if !self.locality => return Ok(()),
            () if self.compact => "hash compaction (-c) keeps signatures instead of states",
            () if self.cache_size().is_some() => "a cache (--cache) forgets states",
            () if self.disk.is_some() => "a set on disk (--disk) cannot be asked for one state",
            () if self.simulate => "a random walk (-s) keeps no states",
            () => return Ok(()),
        };
        let instead = "an exact search, packed to the bit (-b) where memory is short";
        refuse("--locality", keeps_no_states, instead)
    }

    /// A search is saved at the end of a level, by one process, in one run.
    fn check_checkpoints(&self) -> Result<(), Refusal> {
        let option = match (self.checkpoint, &self.resume) {
            (_, Some(_)) => "--resume",
            (Some(_), None) => "--checkpoint",
            (None, None) => return Ok(()),
        };
        let (reason, instead) = match () {
            () if self.simulate => ("a random walk (-s) has nothing to save", "--seed, which repeats a walk"),
            () if self.search == SearchOrder::Dfs => (
                "depth first (-vdfs) there are no levels, at whose end a search is saved",
                "breadth first (-vbfs)",
            ),
            () if self.runs > 1 => (
                "with several --runs it is not known which of them was saved",
                "one run after the other, each with its own --seed and --checkpoint-directory",
            ),
            () if self.watch.is_some() => ("what --watch has seen is not saved", "leave one of them out"),
            () => return Ok(()),
        };
        refuse(option, reason, instead)
    }
}
