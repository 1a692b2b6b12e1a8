//! The command line of every verifier.

mod checks;
pub(crate) mod choices;
mod error;
mod heading;
pub(crate) mod murphi;
mod sets;
pub(crate) mod size;
pub(crate) mod table;
mod values;

pub use choices::{
    ColorChoice, FairnessChoice, ProgressChoice, QueuePlace, ReplaceChoice, SearchOrder, SleepChoice,
    SymmetryChoice, TraceStyle,
};
pub use error::CommandLineError;

use crate::cluster::hosts::sharers;
use crate::contract::context::Put;
use crate::contract::print::Style;
use crate::hashing::signature::Bits;
use crate::memory::budget::default_limit;
use crate::reduction::canonical::Reduction;
use crate::settings::Settings;
use crate::settings::watch::Watch;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::PathBuf;
use values::{
    parse_bits, parse_count, parse_minutes, parse_progress, parse_rate, parse_target, parse_threads,
    processors,
};

/// What a user can ask of a verifier.
#[derive(Clone, Debug, Parser)]
#[command(
    disable_version_flag = true,
    args_override_self = true,
    about = "Explores every state that the model can reach, and reports the first error with a trace to it.",
    after_help = AFTER_HELP,
    max_term_width = 100
)]
pub struct Options {
    /// Search exhaustively: the default
    #[arg(long, conflicts_with = "simulate", help_heading = "Search")]
    pub verify: bool,

    /// The order of the search: breadth first finds the shortest traces
    #[arg(long, value_enum, default_value = "bfs", conflicts_with = "simulate", help_heading = "Search")]
    pub search: SearchOrder,

    /// Threads that search together, breadth first [default: one for each processor]
    #[arg(long, short = 'j', value_name = "N", value_parser = parse_threads, help_heading = "Search")]
    pub threads: Option<usize>,

    /// Use several threads for levels of at least N states: for tests
    #[arg(long, value_name = "N", default_value_t = 4096, hide = true)]
    pub threads_from: u64,

    /// Walk at random instead of searching
    #[arg(long, help_heading = "Search")]
    pub simulate: bool,

    /// With --simulate: the length of the walk [default: 1000000]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub steps: Option<u64>,

    /// Repeats the random choices of --simulate, --symmetry-check or --compact of this number
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub seed: Option<u64>,

    /// Leave out rules whose effect is found in another order, by the model's independent rules
    /// (sleep sets)
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, conflicts_with = "simulate", help_heading = "Search")]
    pub sleep: Option<Option<SleepChoice>>,

    /// Walk through states with one successor and do not store them: less memory where much is
    /// determined, more rules fired
    #[arg(long, conflicts_with = "simulate", help_heading = "Search")]
    pub compress_paths: bool,

    /// Store states as trees of shared parts: exact, in a fraction of the memory
    #[arg(long, conflicts_with_all = ["simulate", "compact", "cache", "cache_states", "disk"], help_heading = "Search")]
    pub tree: bool,

    /// Store states packed to the bit: less memory, a little slower
    #[arg(long, help_heading = "Search")]
    pub packed: bool,

    /// Keep a signature of each state instead of the state: much less memory, and a bound on what
    /// may be missed
    #[arg(long, conflicts_with = "simulate", help_heading = "Hash compaction")]
    pub compact: bool,

    /// Bits of a signature, from 8 to 64 [default: 40, with --disk 48, or what --target asks for]
    #[arg(long, value_name = "B", value_parser = parse_bits, requires = "compact", help_heading = "Hash compaction")]
    pub bits: Option<Bits>,

    /// Slots of the table of signatures, rounded up to a prime number [default: as many as fit into
    /// --memory beside the states that wait; without --memory not more than fit into 128 MiB]
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "compact", help_heading = "Hash compaction")]
    pub slots: Option<u64>,

    /// The probability of a missed error that you are ready to take, such as 0.001
    #[arg(long, value_name = "P", value_parser = parse_target, requires = "compact", help_heading = "Hash compaction")]
    pub target: Option<f64>,

    /// With --target: states that you expect [default: as many as there are slots]
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "target", help_heading = "Hash compaction")]
    pub expect_states: Option<u64>,

    /// With --target: depth that you expect
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        requires = "target",
        help_heading = "Hash compaction"
    )]
    pub expect_depth: u64,

    /// Keep visited states in a cache of this size, such as 200M, which evicts some when it is
    /// full: a search that ends by itself has visited all
    #[arg(long, value_name = "SIZE", value_parser = size::parse, conflicts_with_all = ["simulate", "cache_states", "slots"], help_heading = "Cache")]
    pub cache: Option<u64>,

    /// Keep visited states in a cache of N states
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with_all = ["simulate", "slots"], help_heading = "Cache")]
    pub cache_states: Option<u64>,

    /// Which state is evicted [default: oldest; with -vdfs: small]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Cache")]
    pub replace: Option<ReplaceChoice>,

    /// Give up when more than this fraction of the stored states evicted another one; 0 never does
    /// [default: 0.9]
    #[arg(long, value_name = "P", value_parser = parse_rate, help_heading = "Cache")]
    pub max_collisions: Option<f64>,

    /// Keep the visited states in files in this directory, or with --compact their signatures, and
    /// check the states of a level against them all at once
    #[arg(long, value_name = "DIR", conflicts_with_all = ["simulate", "slots", "cache", "cache_states", "directory"], help_heading = "Disk")]
    pub disk: Option<PathBuf>,

    /// With --disk: memory for states that are still to be checked, and for those that are known
    /// [default: half of --memory, or 64M without it]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, requires = "disk", help_heading = "Disk")]
    pub table_memory: Option<u64>,

    /// With --disk: one table in the order of the search, read from beginning to end, as in the
    /// paper: for comparison
    #[arg(long, requires = "disk", help_heading = "Disk")]
    pub disk_plain: bool,

    /// Tell whether this state was found, or how many different ones: for experiments
    #[arg(long, value_name = "STATE", value_parser = Watch::parse, hide = true)]
    pub watch: Option<Watch>,

    /// Search N times, each time with other signatures: the bounds multiply
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000), requires = "compact", help_heading = "Hash compaction")]
    pub runs: u64,

    /// Depth first: look for a signature in at most T slots [default: 256]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=1_000_000), requires = "compact", help_heading = "Hash compaction")]
    pub probes: Option<u64>,

    /// A state in which nothing can happen is no error
    #[arg(long, help_heading = "Errors")]
    pub no_deadlock: bool,

    /// Continue until N errors are found; 0 finds all
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Errors")]
    pub max_errors: u64,

    /// Which runs count for `ltl` properties: all, or those that are weakly or strongly fair to
    /// each instance of each rule [default: as `fair` in the model says]
    #[arg(long, value_enum, value_name = "HOW", conflicts_with = "simulate", help_heading = "Errors")]
    pub fairness: Option<FairnessChoice>,

    /// Comparing or copying an undefined variable is an error, as in Rumur
    #[arg(long, help_heading = "Errors")]
    pub strict_undefined: bool,

    /// Store one state for all that differ only in the names of scalarset elements. Scalarsets and
    /// multisets that were not proved to be symmetric are left as they are, unless you trust them
    #[arg(long, value_enum, default_value = "exact", value_name = "HOW", help_heading = "Search")]
    pub symmetry: SymmetryChoice,

    /// In each state, rename the scalarset elements in all ways (or some by chance, if there are
    /// many), put elements of multisets into other slots, and stop if the model behaves otherwise
    #[arg(long, conflicts_with = "simulate", help_heading = "Search")]
    pub symmetry_check: bool,

    /// Elements of multisets stay in their slots: bags are not reduced to one order
    #[arg(long, help_heading = "Search")]
    pub no_multiset: bool,

    /// Ignore rule priorities: every enabled rule fires
    #[arg(long, help_heading = "Search")]
    pub no_priorities: bool,

    /// Memory that the search may use, such as 2G [default: 80 % of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, help_heading = "Limits")]
    pub memory: Option<u64>,

    /// Do not go deeper than N rules from a start state
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u32>,

    /// Do not store more than N states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Where states wait, and what says in which order: in memory, or also on disk, in files in
    /// --directory [default: memory, with --disk on disk]
    #[arg(long, value_enum, value_name = "WHERE", conflicts_with = "simulate", help_heading = "Limits")]
    pub queue: Option<QueuePlace>,

    /// With --queue disk: the part of the memory that the queue may use [default: 64M, or an eighth
    /// of --memory if that is less]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, help_heading = "Limits")]
    pub queue_memory: Option<u64>,

    /// Save the search at the end of a level when MINUTES have passed since the last time,
    /// such as 30 or 0.5; 0 saves it after each level
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes, help_heading = "Checkpoints")]
    pub checkpoint: Option<f64>,

    /// Where it is saved [default: the model's name with .checkpoint, in the current directory]
    #[arg(
        long,
        value_name = "DIR",
        requires = "checkpoint",
        conflicts_with = "resume",
        help_heading = "Checkpoints"
    )]
    pub checkpoint_directory: Option<PathBuf>,

    /// Go on with a search that was saved in this directory, with the same options, and save it
    /// there again
    #[arg(long, value_name = "DIR", help_heading = "Checkpoints")]
    pub resume: Option<PathBuf>,

    /// Search with several processes: a file with a line host:port for each, or local:N, which
    /// starts N on this machine
    #[arg(long, value_name = "LIST", help_heading = "Cluster")]
    pub cluster: Option<String>,

    /// Which process of the list this one is, from 0 on [default: what Slurm, Open MPI or an
    /// indexed job of Kubernetes says]
    #[arg(long, value_name = "K", requires = "cluster", help_heading = "Cluster")]
    pub process: Option<usize>,

    /// A file with the secret of all processes, without which no other machine is listened to
    #[arg(long, value_name = "FILE", help_heading = "Cluster")]
    pub secret: Option<PathBuf>,

    /// Do not encrypt what processes send to each other
    #[arg(long, help_heading = "Cluster")]
    pub plain: bool,

    /// Store states here, and let workers that come to this address compute their successors:
    /// HOST:PORT, or unix:PATH
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["cluster", "work"], help_heading = "Workers")]
    pub serve: Option<String>,

    /// Compute successors for the server at this address, with the options that it has and as many
    /// threads as --threads says
    #[arg(long, value_name = "ADDRESS", conflicts_with = "cluster", help_heading = "Workers")]
    pub work: Option<String>,

    /// With --work: try for this many seconds to reach the server, again if it is lost
    #[arg(long, value_name = "SECONDS", default_value_t = 10, requires = "work", help_heading = "Workers")]
    pub retry: u64,

    /// With --work: leave the server after this time
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes, requires = "work", help_heading = "Workers")]
    pub work_for: Option<f64>,

    /// With --work: let all other programs of this machine come first
    #[arg(long, requires = "work", help_heading = "Workers")]
    pub nice: bool,

    /// With --work: take at least this many microseconds for each rule fired, as a slower processor
    /// would; for experiments
    #[arg(long, value_name = "MICROSECONDS", requires = "work", help_heading = "Workers")]
    pub pace: Option<u64>,

    /// A `while` loop that turns more often is an error
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Limits")]
    pub loop_limit: u64,

    /// What a trace shows of its states
    #[arg(long, value_enum, default_value = "diff", value_name = "HOW", help_heading = "Output")]
    pub trace: TraceStyle,

    /// Print the trace to an error: the default
    #[arg(long, conflicts_with = "show_states", hide = true)]
    pub violating_trace: bool,

    /// Print every state when it is found
    #[arg(long, help_heading = "Output")]
    pub show_states: bool,

    /// Measure how far transitions lead: the fraction that goes k levels on, for each k
    #[arg(long, help_heading = "Output")]
    pub locality: bool,

    /// With --locality: draw it as a histogram (SVG); - is standard output
    #[arg(long, value_name = "FILE", requires = "locality", help_heading = "Output")]
    pub locality_svg: Option<PathBuf>,

    /// List how often each rule fired
    #[arg(long, help_heading = "Output")]
    pub rule_statistics: bool,

    /// Count how often statements and properties are evaluated, in the interpreter also guards, and
    /// name the lines that never are; mcc builds a verifier that counts
    #[arg(long, help_heading = "Output")]
    pub coverage: bool,

    /// A line of progress every 10^N states, or "off" [default: a live line on a terminal,
    /// otherwise 6]
    #[arg(long, value_name = "N|off", value_parser = parse_progress, help_heading = "Output")]
    pub progress: Option<ProgressChoice>,

    /// With --simulate: print each step
    #[arg(long, help_heading = "Output")]
    pub verbose: bool,

    /// Print nothing but the verdict
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,

    /// Write a report as JSON; - is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,

    /// Write a page for a browser: verdict, figures, traces, charts and the model's text in one
    /// file; - is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,

    /// Write the trace of the first error as a sequence diagram: Mermaid, or PlantUML if FILE ends
    /// in .puml; - is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sequence: Option<PathBuf>,

    /// Write the graph of states and labelled transitions that was searched: .aut (Aldebaran), .dot
    /// (Graphviz) or .json (JSON lines)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub graph: Option<PathBuf>,

    /// With --graph: do not write a graph of more states than N
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "graph", help_heading = "Output")]
    pub graph_limit: u64,

    /// With --html or --sequence: the type whose values are processes, each with a lane of its own
    /// [default: guessed from the rules]
    #[arg(long, value_name = "TYPE", help_heading = "Output")]
    pub lanes: Option<String>,

    /// With --html or --sequence: the variable whose multisets messages go through [default: all
    /// multisets of records]
    #[arg(long, value_name = "VARIABLE", help_heading = "Output")]
    pub messages: Option<String>,

    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,

    /// A directory for files that a search needs: the records behind the traces of --compact and
    /// --cache, and what of --queue disk is not in memory [default: the system's temporary one]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub directory: Option<PathBuf>,

    /// Print the licence
    #[arg(long, alias = "license")]
    pub licence: bool,

    /// Print the version and the model's name
    #[arg(long, short = 'V')]
    pub version: bool,
}

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
    let matches = Options::command()
        .try_get_matches_from(arguments)
        .and_then(|matches| Options::from_arg_matches(&matches));
    let options = matches.map_err(|error| match error.kind() {
        clap::error::ErrorKind::DisplayHelp => CommandLineError::Help(error.render().to_string()),
        _ => CommandLineError::Usage(error.render().to_string()),
    })?;
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
            put: match () {
                () if self.quiet => Put::Nowhere,
                () if self.report_on_standard_output() => Put::StandardError,
                () => Put::StandardOutput,
            },
            show_states: self.show_states && !self.quiet,
            threads: self.threads.unwrap_or_else(processors),
            threads_from: self.threads_from,
            locality: self.locality,
            fairness: self.fairness.map(FairnessChoice::fairness),
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
