//! The command line of every verifier.

mod checks;
pub(crate) mod choices;
mod error;
mod heading;
pub(crate) mod murphi;
mod options;
mod sets;
pub(crate) mod size;
pub(crate) mod table;
mod values;

pub use choices::{
    ColorChoice, FairnessChoice, ProgressChoice, QueuePlace, ReplaceChoice, SearchOrder, SleepChoice,
    SymmetryChoice, TraceStyle,
};
pub use error::CommandLineError;
pub use options::Options;

use crate::cluster::hosts::sharers;
use crate::contract::context::Put;
use crate::contract::print::Style;
use crate::memory::budget::default_limit;
use crate::reduction::canonical::Reduction;
use crate::settings::Settings;
use std::ffi::OsString;
use std::path::PathBuf;
use values::processors;

const AFTER_HELP: &str = "\
As in CMurphi:
  -h -l                 this help, the licence
  -v  -vbfs  -vdfs  -s  --search bfs, the same, --search dfs, --simulate
  -b                    --packed
  -c  -c -b40           --compact, --compact --bits 40
  -ndl                  --no-deadlock
  -nosym -nomultiset    --symmetry off, --no-multiset
  -sym1 -sym2 -sym3     --symmetry exact
  -sym4 -permlimit 10   --symmetry fast; -permlimit 0 is --symmetry exact
  -m200  -k500          --memory 200M, --memory 500K
  -loop5000             --loop-limit 5000
  -maxc90  -maxl500     --max-collisions 0.9, --max-depth 500; 0 is no limit
  -p  -p4  -pn  -pr     --verbose, --progress 4, --progress off, --rule-statistics
  -tv -td -tf -tn -ta   a trace to the error (default), --trace diff, full, off, --show-states
  -d DIR                --directory DIR

Exit codes:
  0  verified: every state was explored, and there is no error
  1  violated: there is an error
  2  the command line or the model is wrong
  3  inconclusive: memory, a limit or an interruption ended the search; the report says why";

pub const LICENCE: &str = "\
This verifier was made by mcc and contains its runtime, which is licensed under
the MIT licence. It comes without warranty of any kind. The model is its
author's.
";

/// Reads the command line, the program's name first.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Options, CommandLineError> {
    let arguments = murphi::rewrite(arguments)?;
    let mut command = table::command();
    // The interpreter is a command of several words, of which clap would show what follows a slash.
    let name = arguments.first().map(|name| name.to_string_lossy().into_owned());
    if let Some(name) = name.filter(|name| name.starts_with("mcc ")) {
        command.set_bin_name(name);
    }
    let matches = command.try_get_matches_from(arguments).map_err(|error| match error.kind() {
        clap::error::ErrorKind::DisplayHelp => CommandLineError::Help(error.render().to_string()),
        _ => CommandLineError::Usage(error.render().to_string()),
    })?;
    let options = table::read(matches);
    options.check()?;
    Ok(options)
}

/// Steps of a random walk, unless the user says otherwise.
const STEPS: u64 = 1_000_000;
/// Memory for a queue on disk, unless the user says otherwise: so much, or this part of all memory.
const QUEUE_MEMORY: u64 = 64 << 20;
const QUEUE_PART: u64 = 8;

impl Options {
    pub fn queue_place(&self) -> QueuePlace {
        let usual = if self.disk.is_some() { QueuePlace::Disk } else { QueuePlace::Memory };
        self.queue.unwrap_or(usual)
    }

    /// The memory for what waits, if the rest of it goes to disk.
    fn memory_of_queue(&self, memory: u64) -> Option<u64> {
        match self.queue_place() {
            QueuePlace::Memory => None,
            QueuePlace::Disk => Some(self.queue_memory.unwrap_or(QUEUE_MEMORY.min(memory / QUEUE_PART))),
        }
    }

    /// Where the search is saved, if it is, for a model of this name.
    pub fn checkpoints(&self, model: &str) -> Option<PathBuf> {
        let usual = || {
            let name = model.strip_suffix(".m").unwrap_or(model);
            PathBuf::from(format!("{name}.checkpoint"))
        };
        match &self.resume {
            Some(directory) => Some(directory.clone()),
            None => self.checkpoint.map(|_| self.checkpoint_directory.clone().unwrap_or_else(usual)),
        }
    }

    /// The settings of the first run, if no random choice is left to the clock.
    pub fn settings(&self) -> Settings {
        self.settings_with(self.seed.unwrap_or(1))
    }

    /// The settings of the first run, if random choices are made with this seed.
    pub fn settings_with(&self, seed: u64) -> Settings {
        let memory = self.memory_of_process();
        Settings {
            order: self.order(),
            set: self.set(seed),
            packed: self.packed,
            deadlock: !self.no_deadlock,
            memory,
            queue_memory: self.memory_of_queue(memory),
            max_states: self.max_states,
            max_depth: self.max_depth,
            max_errors: (self.max_errors > 0).then_some(self.max_errors),
            loop_limit: self.loop_limit,
            strict_undefined: self.strict_undefined,
            symmetry: match self.symmetry {
                SymmetryChoice::Exact | SymmetryChoice::Trust => Some(Reduction::Exact),
                SymmetryChoice::Fast => Some(Reduction::Fast),
                SymmetryChoice::Off => None,
            },
            symmetry_check: self.symmetry_check.then(|| self.seed.unwrap_or(1)),
            trust: self.symmetry == SymmetryChoice::Trust,
            keep_slots: self.no_multiset,
            priorities: !self.no_priorities,
            put: if self.quiet {
                Put::Nowhere
            } else if self.report_on_standard_output() {
                Put::StandardError
            } else {
                Put::StandardOutput
            },
            show_states: self.show_states && !self.quiet,
            threads: match (self.threads, &self.serve) {
                (Some(threads), _) => threads,
                // A server that only stores.
                (None, Some(_)) => 1,
                (None, None) => processors(),
            },
            threads_from: self.threads_from,
            locality: self.locality,
            fairness: self.fairness.map(FairnessChoice::fairness),
            apart: Vec::new(),
            alike: Vec::new(),
            steps: false,
            watch: self.watch.clone().unwrap_or_default(),
            directory: self.disk.clone().or(self.directory.clone()).unwrap_or_else(std::env::temp_dir),
            checkpoints: None,
            cluster: None,
            serve: None,
        }
    }

    /// The limit of this process: processes that share a machine share what it has.
    pub(super) fn memory_of_process(&self) -> u64 {
        let sharers = self.cluster.as_deref().map_or(1, sharers);
        self.memory.unwrap_or_else(|| default_limit() / sharers)
    }

    /// The length of a random walk.
    pub fn walk_steps(&self) -> u64 {
        self.steps.unwrap_or(STEPS)
    }

    pub fn style(&self) -> Style {
        match self.trace {
            TraceStyle::Diff => Style::Differences,
            TraceStyle::Full => Style::Full,
            TraceStyle::Short => Style::Short,
            TraceStyle::Table => Style::Table,
            TraceStyle::Off => Style::Off,
        }
    }

    /// Whether standard output is a report for a program, so that text for people goes elsewhere.
    pub fn report_on_standard_output(&self) -> bool {
        let files = [&self.json, &self.html, &self.sequence];
        files.into_iter().flatten().any(|path| path.as_os_str() == "-")
    }
}
