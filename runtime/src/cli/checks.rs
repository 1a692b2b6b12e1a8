//! Which options cannot be combined, why not, and what to do instead.

use super::Options;
use super::choices::{QueuePlace, SearchOrder, SymmetryChoice};
use crate::graph::form::{FORMS, Form};
use crate::refusal::Refusal;
use crate::text::place;
use crate::visited::plugin::{EXACT_INSTEAD, Feature};
use std::path::PathBuf;

/// Memory that a queue on disk needs for one thread, and for each of several, which have their own
/// blocks for each segment.
const LEAST_QUEUE_MEMORY: u64 = 8 << 10;
const LEAST_EACH: u64 = 40 << 10;

/// What is wrong with an option, and what to do instead.
fn refuse(option: &'static str, why: &'static str, instead: &'static str) -> Result<(), Refusal> {
    Err(Refusal::of(option, why).instead(instead))
}

/// Refuses the first of these that was chosen beside `with`.
fn refused_with(with: &str, refused: &[(bool, &'static str, &'static str)]) -> Result<(), Refusal> {
    match refused.iter().find(|(is_chosen, ..)| *is_chosen) {
        Some((_, option, why)) => {
            Err(Refusal::of(*option, format!("with {with}: {why}")).instead("leave it out"))
        }
        None => Ok(()),
    }
}

impl Options {
    /// Refuses what cannot be combined.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.probes.is_some() && self.search != SearchOrder::Dfs {
            let why = "only a depth-first search limits its probes";
            return refuse("--probes", why, "-vdfs, or leave it out");
        }
        if self.steps.is_some() && !self.simulate {
            let why = "it is the length of a random walk, and this is a search";
            let instead = "-s (--simulate), --max-depth or --max-states, or leave it out";
            return refuse("--steps", why, instead);
        }
        self.check_pictures()?;
        self.check_queue()?;
        self.check_cache()?;
        self.check_disk()?;
        self.check_locality()?;
        self.check_graph()?;
        self.check_checkpoints()?;
        self.check_sleep()?;
        self.check_compression()?;
        self.check_cluster()?;
        self.check_serve()?;
        self.check_work()?;
        self.check_threads()
    }

    fn check_pictures(&self) -> Result<(), Refusal> {
        let files = [("--json", &self.json), ("--html", &self.html), ("--sequence", &self.sequence)];
        let on_output = |file: &&Option<PathBuf>| file.as_ref().is_some_and(|path| path.as_os_str() == "-");
        let mut taken = files.iter().filter(|(_, file)| on_output(file)).skip(1);
        if let Some((option, _)) = taken.next() {
            let why = "another report already goes to standard output";
            return refuse(option, why, "a file for one of them");
        }
        if self.html.is_some() || self.sequence.is_some() {
            return Ok(());
        }
        let why = "there is no picture to draw";
        match (&self.lanes, &self.messages) {
            (Some(_), _) => refuse("--lanes", why, "--html FILE or --sequence FILE with it"),
            (None, Some(_)) => refuse("--messages", why, "--html FILE or --sequence FILE with it"),
            (None, None) => Ok(()),
        }
    }

    /// What several processes cannot do together.
    fn check_cluster(&self) -> Result<(), Refusal> {
        if self.cluster.is_none() {
            return Ok(());
        }
        const ALONE: &str = "leave it out, or search without --cluster";
        let refused = [
            (self.simulate, "--simulate", "a random walk (-s) is the work of one process"),
            (
                self.search == SearchOrder::Dfs,
                "-vdfs",
                "depth first there are no levels that processes share",
            ),
            (self.runs > 1, "--runs", "a cluster runs one search; start the next one with another --seed"),
            (self.sleep.is_some(), "--sleep", "sleep sets are not sent to other processes"),
            (self.compress_paths, "--compress-paths", "it needs one process"),
            (self.show_states, "--show-states", "it shows the states that one thread finds"),
            (self.watch.is_some(), "--watch", "it needs one process"),
            (self.locality, "--locality", "it needs all states in one process"),
            (
                self.is_saved() && (self.disk.is_some() || self.tree || self.cache_size().is_some()),
                "--checkpoint, --resume",
                "a cluster cannot save --disk, --tree or --cache",
            ),
        ];
        match refused.into_iter().find(|(is_chosen, ..)| *is_chosen) {
            Some((_, option, why)) => {
                Err(Refusal::of(option, format!("with --cluster: {why}")).instead(ALONE))
            }
            None => Ok(()),
        }
    }

    /// What a server does not do.
    fn check_serve(&self) -> Result<(), Refusal> {
        if self.serve.is_none() && self.work.is_none() && self.cluster.is_none() {
            let why = "this search has no other process";
            let instead = "--cluster, --serve or --work with it, or leave it out";
            return if self.secret.is_some() {
                refuse("--secret", why, instead)
            } else if self.plain {
                refuse("--plain", why, instead)
            } else {
                Ok(())
            };
        }
        if self.serve.is_none() {
            return Ok(());
        }
        const WORKER: &str = "that is for workers (--work)";
        let refused = [
            (self.simulate, "--simulate", "a random walk (-s) is the work of one process"),
            (self.search == SearchOrder::Dfs, "-vdfs", "depth first there are no levels to distribute"),
            (self.work_for.is_some(), "--work-for", WORKER),
            (self.nice, "--nice", WORKER),
            (self.pace.is_some(), "--pace", WORKER),
            (self.sleep.is_some(), "--sleep", "sleep sets are not sent to workers"),
            (self.symmetry_check, "--symmetry-check", "workers do not compare permuted states"),
            (self.show_states, "--show-states", "states of workers are not shown"),
            (self.watch.is_some(), "--watch", "states of workers are not inspected"),
            (self.locality, "--locality", "workers cannot expand states a second time"),
        ];
        refused_with("--serve", &refused)
    }

    /// A worker has its options from the server.
    fn check_work(&self) -> Result<(), Refusal> {
        if self.work.is_none() {
            return Ok(());
        }
        const SERVER: &str = "the server decides how states are expanded";
        let refused = [
            (self.simulate, "--simulate", "a random walk (-s) is the work of one process"),
            (self.search == SearchOrder::Dfs, "-vdfs", SERVER),
            (self.packed, "--packed", SERVER),
            (self.compact, "--compact", SERVER),
            (self.cache_size().is_some(), "--cache", SERVER),
            (self.disk.is_some(), "--disk", SERVER),
            (self.tree, "--tree", SERVER),
            (self.sleep.is_some(), "--sleep", SERVER),
            (self.compress_paths, "--compress-paths", SERVER),
            (self.symmetry != SymmetryChoice::Exact, "--symmetry", SERVER),
            (self.symmetry_check, "--symmetry-check", SERVER),
            (self.no_multiset, "--no-multiset", SERVER),
            (self.no_priorities, "--no-priorities", SERVER),
            (self.no_deadlock, "--no-deadlock", SERVER),
            (self.strict_undefined, "--strict-undefined", SERVER),
            (self.loop_limit != 1000, "--loop-limit", SERVER),
            (self.max_errors != 1, "--max-errors", SERVER),
            (self.max_depth.is_some(), "--max-depth", SERVER),
            (self.max_states.is_some(), "--max-states", SERVER),
            (self.show_states, "--show-states", SERVER),
            (self.watch.is_some(), "--watch", SERVER),
            (self.locality, "--locality", SERVER),
            (self.is_saved(), "--checkpoint, --resume", SERVER),
            (self.json.is_some(), "--json", "the server writes the report"),
            (self.html.is_some(), "--html", "the server writes the report"),
            (self.sequence.is_some(), "--sequence", "the server writes the report"),
        ];
        refused_with("--work", &refused)
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
                let why = "the queue is in memory, without a limit of its own";
                refuse(option, why, "--queue disk, or leave it out")
            }
            QueuePlace::Disk if bytes < least => {
                let why = "that is less than the blocks of all threads take";
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
                "depth first (-vdfs), a cache stores whole states, not signatures (-c)",
                "-b, which packs states to the bit, or breadth first (-vbfs)",
            ),
            SearchOrder::Dfs if self.max_collisions.is_some() => refuse(
                "--max-collisions",
                "a depth-first search (-vdfs) always ends, so it needs no limit on collisions",
                "--max-states, which limits the visits, or leave it out",
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
            ("breadth first (-vbfs), there is only one algorithm for sleep sets", "--sleep alone, or -vdfs")
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
                "with --compress-paths, the depth of a state is not its distance from a start state",
                "--max-states, or a search without --compress-paths",
            )
        } else if self.show_states {
            let why = "with --compress-paths, not all states are stored";
            refuse("--show-states", why, without)
        } else if self.sleep.is_some() {
            refuse(
                "--sleep",
                "with --compress-paths, a state could seem to have one successor because other rules sleep",
                "one of the two",
            )
        } else if self.is_saved() {
            let why = "with --compress-paths, states in chains are not saved";
            refuse("--checkpoint, --resume", why, "one of the two")
        } else if self.locality {
            let why = "with --compress-paths, not all states are stored";
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
            return refuse("--locality", "a random walk (-s) stores no states", EXACT_INSTEAD);
        }
        self.check_set(Feature::Locality)
    }

    /// Whether the search keeps all states, and leaves out no transition.
    fn check_graph(&self) -> Result<(), Refusal> {
        let Some(path) = &self.graph else { return Ok(()) };
        if Form::of(path).is_none() {
            return Err(Refusal::of("--graph", format!("{}: {FORMS}", place(path))));
        }
        let refused = [
            (self.simulate, "--simulate", "a random walk (-s) stores no states"),
            (self.compact, "--compact", "hash compaction (-c) stores signatures instead of states"),
            (self.cache_size().is_some(), "--cache", "a cache evicts states"),
            (self.disk.is_some(), "--disk", "states on disk have no numbers"),
            (self.tree, "--tree", "states in a tree have no numbers"),
            (self.sleep.is_some(), "--sleep", "it skips transitions"),
            (self.compress_paths, "--compress-paths", "it does not store states with one successor"),
            (self.cluster.is_some(), "--cluster", "each process has only a part of the states"),
            (self.serve.is_some(), "--serve", "workers cannot expand states a second time"),
            (self.work.is_some(), "--work", "the server stores the states"),
        ];
        refused_with("--graph", &refused)?;
        self.check_set(Feature::Locality).map_err(|refusal| refusal.about("--graph"))
    }

    /// A search is saved at the end of a level, by one process, in one run.
    fn check_checkpoints(&self) -> Result<(), Refusal> {
        let option = match (self.checkpoint, &self.resume) {
            (_, Some(_)) => "--resume",
            (Some(_), None) => "--checkpoint",
            (None, None) => return Ok(()),
        };
        let (why, instead) = if self.simulate {
            ("a random walk (-s) stores nothing", "--seed, which repeats a walk")
        } else if self.search == SearchOrder::Dfs {
            (
                "a depth-first search (-vdfs) has no levels, at the end of which it could be saved",
                "breadth first (-vbfs)",
            )
        } else if self.runs > 1 {
            (
                "a checkpoint belongs to one run, and there are several --runs",
                "one run after the other, each with its own --seed and --checkpoint-directory",
            )
        } else if self.watch.is_some() {
            ("the states that --watch follows are not saved", "leave one of them out")
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
