//! What came out of a search: why it ended, what it found, and its figures.

use super::across::ClusterStats;
use super::descent::DescentStats;
use super::errors::kept::ErrorStats;
use super::saving::CheckpointStats;
use super::walking::WalkStats;
use crate::bounds::assurance::Assurance;
use crate::contract::model::{Model, PropertyId, PropertyKind};
use crate::contract::problem::{Finding, Problem};
use crate::contract::undefined::Places;
use crate::frontier::Level;
use crate::serve::seats::WorkerStats;
use crate::settings::Settings;
use crate::settings::watch::Watched;
use crate::spool::SpillStats;
use crate::storage::StorageError;
use crate::trace::TraceError;
use crate::visited::InsertError;
use crate::visited::bounded::outlook::Outlook;
use crate::visited::stats::{PathFacts, SearchFacts, SetStats};
use std::collections::BTreeSet;

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
    /// For a cache along a path, how often states are visited again.
    pub repeated: Option<Repeated>,
}

/// How often states are visited again in a search that evicts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// How often about a hundred different states were visited.
    pub visits: u64,
    pub outlook: Outlook,
}

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
    /// Too many of the states stored in a cache evicted another one.
    Collisions,
    /// A signature found no place in the slots that may be probed.
    Probes,
    /// A file that the search needs could not be written or read.
    Disk(StorageError),
    Interrupted,
    /// All start states break an assumption.
    NoStart,
    /// A random walk ended after its limit of steps.
    Steps(u64),
    /// A random walk came to a state without successors, which is allowed.
    Halted(u64),
    /// The model is not symmetric in its scalarsets; the text says where.
    Asymmetric(String),
    /// An error was found in the reduced state space, in these words, and no run with stable names
    /// leads to it.
    NotReplayed(String),
    /// A process of the search is lost; the text says which and why.
    Lost(String),
    /// The engine contradicts itself.
    Internal(String),
}

impl Ending {
    /// Why a search with these settings ends when its visited set is full; `None`: the caller
    /// cancelled.
    pub fn of_full(full: InsertError, settings: &Settings) -> Option<Ending> {
        Some(match full {
            InsertError::Room => Ending::States(settings.max_states.unwrap_or_default()),
            InsertError::Memory => Ending::Memory,
            InsertError::Numbers => Ending::Numbers,
            InsertError::Table => Ending::Table,
            InsertError::Probes => Ending::Probes,
            InsertError::Collisions => Ending::Collisions,
            InsertError::Disk(failure) => Ending::Disk(failure),
            InsertError::Stopped => return None,
        })
    }
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
    /// What the visited set was like, if there is something to say about its kind.
    pub set: Option<Box<dyn SetStats>>,
    /// What the search was like if it went along a path.
    pub descended: Option<DescentStats>,
    /// How sure the result is if signatures were kept instead of states.
    pub assurance: Option<Assurance>,
    /// What was seen of a state that was looked out for.
    pub watched: Option<Watched>,
    /// Rules that were enabled and slept, if any may, level after level.
    pub slept: Option<u64>,
    /// What was walked through, if paths were compressed.
    pub walked: Option<WalkStats>,
    /// What of the queue went to disk, if it may.
    pub spilled: Option<SpillStats>,
    /// What was saved, and from where the search was resumed, if it may be.
    pub checkpointed: Option<CheckpointStats>,
    /// States that were not reduced to the one that stands for their orbit, because that would have
    /// taken too long.
    pub unreduced: u64,
    /// The error because of which the search was repeated without reduction: with it no trace could
    /// be replayed.
    pub not_replayed: Option<String>,
    /// What became of `liveness` and `ltl` properties, where the model has some.
    pub temporal: Option<Checked>,
    /// What each process has done, if there were several.
    pub cluster: Option<ClusterStats>,
    /// What each worker has done, if this was their server.
    pub workers: Option<Vec<WorkerStats>>,
}

/// What became of the properties about runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Those that hold, by their number.
    pub hold: BTreeSet<PropertyId>,
    /// Why others were not decided.
    pub undecided: Option<String>,
    /// What to do about that.
    pub advice: Option<String>,
    /// Edges of the graph of states, or steps that the search has noted.
    pub edges: u64,
    /// Whether all was decided by the steps that the search has noted.
    pub by_noted: bool,
    /// States of the products with automata, for all formulas together.
    pub product: u64,
    /// Of reduced scalarsets, by their names, how many elements were kept apart from the others.
    pub apart: Vec<(&'static str, u64)>,
    pub seconds: f64,
}

impl Outcome {
    /// A search that ended before it had anything to report.
    pub fn of(ending: Ending) -> Self {
        Outcome {
            ending,
            findings: Vec::new(),
            errors: ErrorStats::default(),
            counts: Counts::default(),
            fired: Vec::new(),
            covered: Vec::new(),
            undefined_compared: Places::default(),
            bits_per_state: 0,
            peak_memory: 0,
            refused_memory: None,
            went_behind: false,
            set: None,
            descended: None,
            assurance: None,
            watched: None,
            slept: None,
            walked: None,
            spilled: None,
            checkpointed: None,
            unreduced: 0,
            not_replayed: None,
            temporal: None,
            cluster: None,
            workers: None,
        }
    }

    /// What the visited set may say about the search.
    pub fn facts(&self, settings: &Settings) -> SearchFacts<'_> {
        SearchFacts {
            states: self.counts.states,
            rules: self.counts.rules,
            is_cut: !matches!(self.ending, Ending::Complete | Ending::Errors),
            packed: settings.packed,
            path: self.descended.map(|DescentStats { matched, slept, longest }| PathFacts {
                matched,
                longest,
                sleeps: slept.is_some(),
            }),
            assurance: self.assurance.as_ref(),
        }
    }

    /// Whether every state was explored. As a rule a state that breaks a property is not expanded,
    /// so what can be reached only through it stays unknown.
    pub fn explored_all(&self) -> bool {
        explored_all(&self.ending, &self.errors, self.went_behind)
    }

    /// Errors that were counted and are not kept.
    pub fn errors_not_kept(&self) -> u64 {
        self.errors.found.saturating_sub(self.findings.len() as u64)
    }
}

pub fn explored_all(ending: &Ending, errors: &ErrorStats, went_behind: bool) -> bool {
    *ending == Ending::Complete && (went_behind || !errors.hides_states)
}

/// Adds the errors that only a complete search can find: `cover`s that were never reached.
pub fn never_covered(model: &dyn Model, covered: &[u64]) -> Vec<Finding> {
    let description = model.description();
    let properties = description.properties.iter().map(|property| property.kind == PropertyKind::Cover);
    let statements = description.cover_statements.iter().map(|_| true);
    properties
        .chain(statements)
        .zip(covered)
        .enumerate()
        .filter(|(_, (is_cover, count))| *is_cover && **count == 0)
        .map(|(counter, _)| Finding::pathless(Problem::NeverCovered { counter }))
        .collect()
}

impl From<TraceError> for Ending {
    fn from(broken: TraceError) -> Self {
        match broken.file {
            Some(failure) => Ending::Disk(failure),
            None => Ending::Internal(broken.to_string()),
        }
    }
}
