//! Going through the states of a model: the settings of a search, what comes out of it, and the loops.
//!
//! There is one loop, [`expansion`], for every order, visited set, frontier and number of threads; [`explore`] says who goes
//! through it, and [`together`] is what threads share. [`descent`] goes depth first along one path. A random walk has its own, [`simulation`].

pub mod caching;
pub mod descent;
pub mod disk_set;
pub mod errors;
pub mod expansion;
pub mod explore;
#[cfg(test)]
mod faulty_disk;
pub mod fired;
pub mod keeping;
#[cfg(test)]
mod killed;
#[cfg(test)]
#[path = "../../tests/models/mod.rs"]
pub mod models;
pub mod portion;
pub mod problem;
pub mod saving;
pub mod sets;
pub mod settling;
pub mod simulation;
pub mod site;
pub mod sleeping;
pub mod starts;
mod teamwork;
pub mod together;
pub mod walking;
pub mod watch;

use crate::bounds::assurance::Assurance;
use crate::context::{Context, Put};
use crate::frontier::Level;
use crate::locality::Locality;
use crate::model::{Description, Model};
use crate::reduction::canonical::Reduction;
use crate::reduction::extent::{Bags, Extent};
use crate::reduction::form::Form;
use crate::search::problem::{Finding, Problem};
use crate::search::saving::Checkpointed;
use crate::spool::Spilled;
use crate::state::codec::Codec;
use crate::storage::Failure;
use crate::trace::Broken;
use crate::undefined::Places;
use crate::visited::Full;
use crate::visited::bounded::{Bounds, PathCaching};
use crate::visited::cache::Cached;
use crate::visited::cache::plan::Size;
use crate::visited::cache::sets::Replace;
use crate::visited::compact::Compacted;
use crate::visited::compact::table::Bits;
use crate::visited::disk::figures::OnDisk;
use descent::Descended;
use descent::outlook::Outlook;
use errors::kept::ErrorStats;
use std::path::PathBuf;
use walking::Walked;
use watch::{Watch, Watched};

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    BreadthFirst,
    DepthFirst,
}

/// What the user wants of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    pub order: Order,
    /// Store states packed to the bit.
    pub packed: bool,
    /// Whether a deadlock is an error.
    pub deadlock: bool,
    /// Bytes that may be used.
    pub memory: u64,
    pub max_states: Option<u64>,
    pub max_depth: Option<u32>,
    /// Stop after so many errors; `None`: find all.
    pub max_errors: Option<u64>,
    pub loop_limit: u64,
    pub strict_undefined: bool,
    /// How states that differ in the names of scalarset elements are reduced to one; `None`: not at all.
    pub symmetry: Option<Reduction>,
    /// Rename the elements of each state explored, and see whether it behaves the same; the seed.
    pub symmetry_check: Option<u64>,
    /// Reduce also what was not proved to be symmetric.
    pub trust: bool,
    /// Elements of multisets stay in their slots: bags with the same elements may be different states.
    pub keep_slots: bool,
    /// Honour rule priorities.
    pub priorities: bool,
    pub put: Put,
    /// Show every state as it is found.
    pub show_states: bool,
    /// Threads that may be used.
    pub threads: usize,
    /// They are used for levels of so many states; the visited set is small up to there.
    pub threads_from: u64,
    /// Keep signatures instead of states.
    pub compaction: Option<Compaction>,
    /// Forget states where there is no room for them.
    pub cache: Option<Caching>,
    /// Keep what was visited on disk.
    pub disk: Option<Disk>,
    /// Depth first, keep the path and some other states, and forget the rest.
    pub path_cache: Option<PathCaching>,
    /// Rules whose effect is found in another order sleep.
    pub sleep: Option<SleepSets>,
    /// Walk through states with one successor, and do not store them.
    pub compress_paths: bool,
    /// Where files go that a search needs.
    pub directory: PathBuf,
    /// Where the search is saved, if it is.
    pub checkpoints: Option<PathBuf>,
    /// What waits in memory goes to disk beyond so many bytes; `None`: it stays there.
    pub queue_memory: Option<u64>,
    /// A state to look out for.
    pub watch: Watch,
    /// Measure how far transitions lead.
    pub locality: bool,
}

/// How it is seen to that what sleeping rules lead to is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepSets {
    /// Breadth first: the sets of the states that wait, see [`sleeping`].
    Levels,
    /// Depth first: the sleep set of each state is kept. A state that is met again with a smaller one is explored for the rules that are
    /// not in it.
    Revisit,
    /// The same by the paper's Figure 3: a rule does not sleep if it leads to a state on the path.
    Path,
}

impl SleepSets {
    pub fn name(self) -> &'static str {
        match self {
            SleepSets::Levels => "levels",
            SleepSets::Revisit => "revisit",
            SleepSets::Path => "path",
        }
    }
}

/// How states are forgotten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caching {
    pub size: Size,
    pub replace: Replace,
    /// The search ends when more than this part of the states stored took the place of others.
    pub max_collisions: Option<f64>,
}

/// How what was visited is kept on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// Bytes of memory for the table.
    pub memory: u64,
    /// As in the paper: one table, in the order of the search, and nothing in memory but candidates.
    pub plain: bool,
}

/// How signatures take the place of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compaction {
    pub bits: Bits,
    /// The table has at least so many slots; `None`: as many as fit into the memory.
    pub slots: Option<u64>,
    /// Depth first, a state is looked for in at most so many slots.
    pub probes: u64,
    /// Whether the limit of the memory was set by the user, so that all of it may be used.
    pub all_memory: bool,
    /// The hash functions are drawn with it.
    pub seed: u64,
}

impl Settings {
    /// A context for the search itself.
    pub fn context(&self, description: &Description) -> Context {
        let counters = description.properties.len() + description.cover_statements.len();
        let mut context = Context::new(counters);
        context.loop_limit = self.loop_limit;
        context.strict_undefined = self.strict_undefined;
        context.priorities = self.priorities;
        context.bags = self.extent().bags();
        context.put = self.put;
        context
    }

    /// A context for one concrete run, such as a trace: it prints nothing, and what is in a multiset stays in its slot.
    pub fn trace_context(&self, description: &Description) -> Context {
        let mut context = self.context(description);
        context.put = Put::Nowhere;
        context.bags = Bags::None;
        context
    }

    /// A context for doing again what the search did: it prints nothing.
    pub fn rerun_context(&self, description: &Description) -> Context {
        let mut context = self.context(description);
        context.put = Put::Nowhere;
        context
    }

    /// A form that is the same for all states that the search may take for one. The fast reduction gives several forms
    /// to an orbit, depending on the names at hand, so going over what it did takes the exact one.
    pub fn form<'m>(&self, model: &'m dyn Model) -> Form<'m> {
        Form::new(model, Extent { renaming: self.symmetry.map(|_| Reduction::Exact), ..self.extent() })
    }

    /// How far states are reduced.
    pub fn extent(&self) -> Extent {
        Extent { renaming: self.symmetry, trust: self.trust, keep_slots: self.keep_slots }
    }

    /// Why a search ends whose visited set is full.
    pub fn ending_of(&self, full: Full) -> Option<Ending> {
        Some(match full {
            Full::Room => Ending::States(self.max_states.unwrap_or_default()),
            Full::Memory => Ending::Memory,
            Full::Numbers => Ending::Numbers,
            Full::Table => Ending::Table,
            Full::Probes => Ending::Probes,
            Full::Collisions => Ending::Collisions(Rate(self.collision_limit())),
            Full::Disk(failure) => Ending::Disk(failure),
            Full::Stopped => return None,
        })
    }

    /// Whether the search goes along a path, state by state.
    pub fn follows_path(&self) -> bool {
        self.order == Order::DepthFirst && (self.sleep.is_some() || self.path_cache.is_some())
    }

    /// Whether a state that breaks a property is expanded nevertheless, if the search goes on at all: depth first with sleep sets.
    pub fn goes_behind(&self) -> bool {
        self.order == Order::DepthFirst && self.sleep.is_some()
    }

    /// Whether rules sleep, level after level.
    pub fn sleeps_by_level(&self) -> bool {
        self.sleep == Some(SleepSets::Levels)
    }

    /// Whether a state may be found and checked more than once.
    pub fn finds_again(&self) -> bool {
        self.cache.is_some() || self.path_cache.is_some() || self.compress_paths
    }

    /// The part of the states stored that may take the place of others.
    pub fn collision_limit(&self) -> f64 {
        self.cache.and_then(|cache| cache.max_collisions).unwrap_or(1.0)
    }

    /// Threads that a search with these settings can use.
    pub fn threads_in_use(&self) -> usize {
        match self.order {
            // States are shown in the order in which one thread finds them.
            Order::BreadthFirst if !self.show_states => self.threads.max(1),
            Order::BreadthFirst | Order::DepthFirst => 1,
        }
    }

    pub fn codec(&self, description: &Description) -> Codec {
        match self.packed {
            true => Codec::packed(description),
            false => Codec::aligned(description),
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    /// Rules fired.
    pub rules: u64,
    /// The largest level that a state was found in.
    pub depth: Level,
    /// States that wait to be expanded.
    pub queue: u64,
    /// Bytes in use.
    pub memory: u64,
    /// Where states are forgotten along a path.
    pub repeated: Option<Repeated>,
}

/// How a search does that forgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// How often about a hundred different states were visited.
    pub visits: u64,
    pub outlook: Outlook,
}

/// A part of a whole that was set by the user, and is compared as such.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(pub f64);

impl Eq for Rate {}

/// Why a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing was left.
    Complete,
    /// As many errors as were asked for.
    Errors,
    /// States are left beyond the largest depth.
    Depth(u32),
    /// States are left beyond the largest number of them.
    States(u64),
    Memory,
    /// More states than can be numbered.
    Numbers,
    /// A table of signatures is full.
    Table,
    /// Too many of the states stored in a cache took the place of others; the limit.
    Collisions(Rate),
    /// A signature found no place in the slots that may be probed.
    Probes,
    /// A file that the search needs could not be written or read.
    Disk(Failure),
    Interrupted,
    /// All start states break an assumption.
    NoStart,
    /// A random walk ended after so many steps.
    Steps(u64),
    /// A random walk came to a state without successors, which is allowed.
    Halted(u64),
    /// The model is not symmetric in its scalarsets; the text tells where.
    Asymmetric(String),
    /// An error was found in the reduced state space, in these words, and no run with stable names leads to it.
    NotReplayed(String),
    /// The engine contradicts itself.
    Internal(String),
}

/// What came out of a search.
#[derive(Debug)]
pub struct Outcome {
    pub ending: Ending,
    /// The errors that are kept: in the order in which they were reported, as many as fit.
    pub findings: Vec<Finding>,
    /// What is known of all errors.
    pub errors: ErrorStats,
    pub counts: Counts,
    /// How often each rule as written fired.
    pub fired: Vec<u64>,
    /// How often each property and each `cover` statement was reached.
    pub covered: Vec<u64>,
    /// Where undefined scalarsets and unions were compared.
    pub undefined_compared: Places,
    pub bits_per_state: u32,
    /// The most bytes in use at any time.
    pub peak_memory: u64,
    /// Bytes that the system refused although the limit allowed them.
    pub refused_memory: Option<u64>,
    /// Whether what lies behind a state that breaks a property was explored as well.
    pub went_behind: bool,
    /// What the search was like if signatures took the place of states.
    pub compacted: Option<Compacted>,
    /// What it was like if states were forgotten.
    pub cached: Option<Cached>,
    /// What it was like if the visited set was on disk.
    pub on_disk: Option<OnDisk>,
    /// What it was like if it went along a path.
    pub descended: Option<Descended>,
    /// The same if only the path and some other states were kept.
    pub bounded: Option<Bounds>,
    /// How sure its result is if signatures took the place of states.
    pub assurance: Option<Assurance>,
    /// What was seen of a state that was looked out for.
    pub watched: Option<Watched>,
    /// Rules that were enabled and slept, if any may, level after level.
    pub slept: Option<u64>,
    /// What was walked through, if paths were compressed.
    pub walked: Option<Walked>,
    /// What of the queue went to disk, if it may.
    pub spilled: Option<Spilled>,
    /// What was saved, and from where the search was resumed, if it may be.
    pub checkpointed: Option<Checkpointed>,
    /// How far transitions lead, or why that was not measured, if the settings ask for it.
    pub locality: Option<Locality>,
    /// States that were not reduced to the one that stands for their orbit, because that would have taken too long.
    pub unreduced: u64,
    /// The error because of which the search was repeated without reduction: with it no trace could be replayed.
    pub not_replayed: Option<String>,
}

impl Outcome {
    /// Whether every state was explored. As a rule a state that breaks a property is not expanded, so what can be
    /// reached only through it stays unknown.
    pub fn explored_all(&self) -> bool {
        explored_all(&self.ending, &self.errors, self.went_behind)
    }

    /// Errors that were counted and are not kept.
    pub fn errors_not_kept(&self) -> u64 {
        self.errors.found.saturating_sub(self.findings.len() as u64)
    }
}

fn explored_all(ending: &Ending, errors: &ErrorStats, went_behind: bool) -> bool {
    *ending == Ending::Complete && (went_behind || !errors.hides_states)
}

/// Somebody who wants to see how a search goes on.
pub trait Observer {
    /// Called now and then.
    fn progress(&mut self, counts: &Counts);

    /// The profile of locality was measured over so many of all states. Called now and then.
    fn profiled(&mut self, _states: u64, _all: u64) {}

    /// The search goes on where another one was when it was saved: so far, after so many seconds.
    fn resumed(&mut self, _counts: &Counts, _seconds: f64) {}

    /// Something that does not end the search, but that the user should know.
    fn warned(&mut self, _warning: &str) {}

    /// An error was found.
    fn found(&mut self, finding: &Finding);

    /// A new state, byte-aligned, with its number and its predecessor's. Called only if the settings ask for it.
    fn state(&mut self, state: &[u64], number: u64, predecessor: Option<u64>);

    /// A random walk took a step.
    fn step(&mut self, rule: crate::model::RuleId, before: &[u64], after: &[u64]);
}

/// Adds the errors that only a complete search can find: `cover`s that were never reached.
fn never_covered(model: &dyn Model, covered: &[u64]) -> Vec<Finding> {
    let description = model.description();
    let properties =
        description.properties.iter().map(|property| property.kind == crate::model::PropertyKind::Cover);
    let statements = description.cover_statements.iter().map(|_| true);
    properties
        .chain(statements)
        .zip(covered)
        .enumerate()
        .filter(|(_, (is_cover, count))| *is_cover && **count == 0)
        .map(|(counter, _)| Finding::pathless(Problem::NeverCovered { counter }))
        .collect()
}

impl From<Broken> for Ending {
    fn from(broken: Broken) -> Self {
        match broken.file {
            Some(failure) => Ending::Disk(failure),
            None => Ending::Internal(broken.to_string()),
        }
    }
}
