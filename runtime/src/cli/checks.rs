//! Which options cannot be combined, why not, and what to do instead.

use super::Options;
use super::choices::{QueuePlace, SearchOrder};
use crate::refusal::Refusal;
use crate::visited::plugin::{EXACT_INSTEAD, Feature};

/// Memory that a queue on disk needs for one thread, and for each of several, which have their own
/// blocks for each segment.
const LEAST_QUEUE_MEMORY: u64 = 8 << 10;
const LEAST_EACH: u64 = 40 << 10;

/// What is wrong with an option, and what to do instead.
fn refuse(option: &'static str, why: &'static str, instead: &'static str) -> Result<(), Refusal> {
    Err(Refusal::of(option, why).instead(instead))
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
            let instead = "-s (--simulate), --max-depth or --max-states, or leave it out";
            return refuse("--steps", why, instead);
        }
        self.check_queue()?;
        self.check_cache()?;
        self.check_disk()?;
        self.check_locality()?;
        self.check_checkpoints()?;
        self.check_sleep()?;
        self.check_compression()?;
        self.check_threads()
    }

    fn check_threads(&self) -> Result<(), Refusal> {
        if self.threads.is_none_or(|threads| threads <= 1) {
            return Ok(());
        }
        let (why, instead) = match self.search {
            _ if self.simulate => {
                ("a random walk (-s) uses one thread", "--threads 1, or several walks at once")
            }
            SearchOrder::Dfs => {
                ("depth first (-vdfs) uses one thread", "breadth first (-vbfs), or --threads 1")
            }
            SearchOrder::Bfs => return Ok(()),
        };
        refuse("--threads", why, instead)
    }

    fn check_queue(&self) -> Result<(), Refusal> {
        let Some(bytes) = self.queue_memory else { return Ok(()) };
        let least = match self.settings().threads_in_use() as u64 {
            1 => LEAST_QUEUE_MEMORY,
            threads => LEAST_EACH * threads,
        };
        let option = "--queue-memory";
        match self.queue_place() {
            QueuePlace::Memory => {
                let why = "the queue is in memory, and takes what it needs";
                refuse(option, why, "--queue disk, or leave it out")
            }
            QueuePlace::Disk if bytes < least => {
                let why = "that is too little for the blocks that every thread needs";
                let enough = format!("--queue-memory {}K, or fewer --threads", least >> 10);
                Err(Refusal::of(option, why).instead(enough))
            }
            QueuePlace::Disk if self.memory.is_some_and(|memory| bytes > memory) => {
                let why = "it is a part of --memory, and cannot be larger";
                refuse(option, why, "less of it, or a larger --memory")
            }
            QueuePlace::Disk => Ok(()),
        }
    }

    fn check_cache(&self) -> Result<(), Refusal> {
        if self.cache_size().is_none() {
            let instead = "--cache 200M, or leave it out";
            if self.replace.is_some() {
                return refuse("--replace", "there is no cache", instead);
            } else if self.max_collisions.is_some() {
                return refuse("--max-collisions", "there is no cache", instead);
            }
            return Ok(());
        }
        match self.search {
            SearchOrder::Dfs if self.compact => refuse(
                "--cache",
                "depth first (-vdfs) whole states are kept, not signatures of them (-c)",
                "-b, which packs states to the bit, or breadth first (-vbfs)",
            ),
            SearchOrder::Dfs if self.max_collisions.is_some() => refuse(
                "--max-collisions",
                "depth first (-vdfs) no search goes round in circles",
                "--max-states, which bounds the visits, or leave it out",
            ),
            SearchOrder::Dfs if self.replace.is_some_and(|choice| choice.eviction().is_none()) => refuse(
                "--replace",
                "that is for breadth first (-vbfs)",
                "--replace random, type, oldest or small",
            ),
            SearchOrder::Bfs if self.replace.is_some_and(|choice| choice.replace().is_none()) => {
                let instead = "--replace oldest or direct, or -vdfs";
                refuse("--replace", "that is for depth first (-vdfs)", instead)
            }
            SearchOrder::Bfs | SearchOrder::Dfs => Ok(()),
        }
    }

    /// Whether the visited set can serve such a search.
    fn check_set(&self, feature: Feature) -> Result<(), Refusal> {
        self.set(0).plugin().refuses(feature).map_or(Ok(()), Err)
    }

    fn check_disk(&self) -> Result<(), Refusal> {
        if self.search == SearchOrder::Dfs {
            self.check_set(Feature::DepthFirst)?;
        }
        if self.show_states {
            self.check_set(Feature::ShowStates)?;
        }
        if self.table_memory.zip(self.memory).is_some_and(|(table, memory)| table > memory) {
            let why = "it is a part of --memory, and cannot be larger";
            refuse("--table-memory", why, "less of it, or a larger --memory")
        } else {
            Ok(())
        }
    }

    fn check_sleep(&self) -> Result<(), Refusal> {
        let Some(choice) = self.sleep else { return Ok(()) };
        let (why, instead) = if self.search == SearchOrder::Bfs && choice.is_some() {
            (
                "breadth first (-vbfs) there is one way to keep sleep sets, and nothing to choose",
                "--sleep, or -vdfs with what was chosen",
            )
        } else if self.is_saved() {
            ("sleep sets are not saved (--checkpoint, --resume)", "one of the two")
        } else {
            return self.check_set(Feature::SleepSets { depth_first: self.search == SearchOrder::Dfs });
        };
        refuse("--sleep", why, instead)
    }

    /// States that are walked through have no number, and no level.
    fn check_compression(&self) -> Result<(), Refusal> {
        if !self.compress_paths {
            return Ok(());
        }
        let without = "a search without --compress-paths";
        if self.max_depth.is_some() {
            refuse(
                "--max-depth",
                "with --compress-paths the depth of a state is not how many rules lead to it",
                "--max-states, or a search without --compress-paths",
            )
        } else if self.show_states {
            let why = "with --compress-paths states that are walked through have no number";
            refuse("--show-states", why, without)
        } else if self.sleep.is_some() {
            refuse(
                "--sleep",
                "with --compress-paths a state would have one successor because its other rules sleep",
                "one of the two",
            )
        } else if self.is_saved() {
            let why = "with --compress-paths what was walked through is not saved";
            refuse("--checkpoint, --resume", why, "one of the two")
        } else if self.locality {
            let why = "with --compress-paths states that are walked through are not kept";
            refuse("--locality", why, without)
        } else {
            self.check_set(Feature::CompressPaths)
        }
    }

    /// A profile is measured over all states.
    fn check_locality(&self) -> Result<(), Refusal> {
        if !self.locality {
            return Ok(());
        }
        if self.simulate {
            return refuse("--locality", "a random walk (-s) keeps no states", EXACT_INSTEAD);
        }
        self.check_set(Feature::Locality)
    }

    /// A search is saved at the end of a level, by one process, in one run.
    fn check_checkpoints(&self) -> Result<(), Refusal> {
        let option = match (self.checkpoint, &self.resume) {
            (_, Some(_)) => "--resume",
            (Some(_), None) => "--checkpoint",
            (None, None) => return Ok(()),
        };
        let (why, instead) = if self.simulate {
            ("a random walk (-s) has nothing to save", "--seed, which repeats a walk")
        } else if self.search == SearchOrder::Dfs {
            (
                "depth first (-vdfs) there are no levels, at whose end a search is saved",
                "breadth first (-vbfs)",
            )
        } else if self.runs > 1 {
            (
                "with several --runs it is not known which of them was saved",
                "one run after the other, each with its own --seed and --checkpoint-directory",
            )
        } else if self.watch.is_some() {
            ("what --watch has seen is not saved", "leave one of them out")
        } else {
            return Ok(());
        };
        refuse(option, why, instead)
    }

    /// Whether checkpoints are written or read.
    fn is_saved(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}
