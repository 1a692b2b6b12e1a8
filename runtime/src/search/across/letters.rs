//! What processes write to each other between levels, as JSON.
//!
//! Each process sends a [`Report`] to process 0. Process 0 answers with a [`Decision`]: a question
//! about a state, which gets an [`Answer`], or how all go on.

use super::ProcessStats;
use super::endings::Ended;
use crate::checkpoint::Entry;
use crate::contract::model::Description;
use crate::contract::model::PropertyId;
use crate::contract::undefined::Places;
use crate::frontier::Level;
use crate::search::errors::kept::ErrorStats;
use crate::search::errors::waiting::Pending;
use crate::search::saving::{Totals, problem_of_words, problem_words};
use crate::visited::StateIndex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How a process came back from a level, and what it has counted up to there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub returned: Return,
    pub problems: Vec<Waiting>,
    pub dropped: Dropped,
    pub counted: Counted,
    pub waiting: u64,
    pub stats: ProcessStats,
    /// The figures of the visited set, if it has some.
    pub set: Option<serde_json::Value>,
}

/// Why the threads of a process came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Return {
    /// There is nothing left anywhere.
    Done,
    /// There are errors to report.
    Problems,
    /// The search wants to be saved.
    Paused,
    /// Another process has ended the search.
    Stopped,
    Ended(Ended),
}

/// An error that waits to be reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Waiting {
    level: u32,
    state: Option<u64>,
    words: Vec<u64>,
    problem: [u64; 5],
}

/// Errors that are counted only.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dropped {
    found: u64,
    hides_states: bool,
    repeated: bool,
    violated: Vec<u32>,
}

/// [`Totals`], without what only a resumed search needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counted {
    states: u64,
    rules: u64,
    depth: u32,
    unreduced: u64,
    fired: Vec<u64>,
    covered: Vec<u64>,
    undefined_compared: Vec<u64>,
    beyond_depth: bool,
}

/// What process 0 writes to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    Ask(Question),
    /// Write a part of the checkpoint with this number.
    Save(u64),
    GoOn,
    End(Ended),
}

/// About the state of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Where does it come from?
    Recall(u64),
    /// What are its words?
    Load(u64),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The origin, and the signature where there is one.
    Recalled(u64, Option<u64>),
    Loaded(Vec<u64>),
    /// There is no such state.
    Unknown,
    /// The files that were written.
    Saved(Vec<Entry>),
    /// Why they were not.
    NotSaved(String),
}

/// The bytes of a letter.
pub fn write(letter: &impl Serialize) -> Vec<u8> {
    // There is nothing in a letter that JSON does not have.
    serde_json::to_vec(letter).unwrap_or_default()
}

/// What a letter says; `None`: it makes no sense.
pub fn read<L: DeserializeOwned>(letter: &[u8]) -> Option<L> {
    serde_json::from_slice(letter).ok()
}

impl From<&Pending> for Waiting {
    fn from(pending: &Pending) -> Self {
        Waiting {
            level: pending.level.0,
            state: pending.state.map(|state| state.0),
            words: pending.words.to_vec(),
            problem: problem_words(&pending.problem),
        }
    }
}

impl Waiting {
    /// `None`: there is no such error in this model.
    pub fn pending(self, description: &Description) -> Option<Pending> {
        let Waiting { level, state, words, problem } = self;
        if !words.is_empty() && words.len() != description.words {
            return None;
        }
        Some(Pending {
            from: 0,
            level: Level(level),
            state: state.map(StateIndex),
            words: words.into(),
            problem: problem_of_words(problem, description)?,
        })
    }
}

impl From<&ErrorStats> for Dropped {
    fn from(stats: &ErrorStats) -> Self {
        let ErrorStats { found, hides_states, repeated, violated } = stats;
        let violated = violated.iter().map(|property| property.0).collect();
        Dropped { found: *found, hides_states: *hides_states, repeated: *repeated, violated }
    }
}

impl From<Dropped> for ErrorStats {
    fn from(dropped: Dropped) -> Self {
        let Dropped { found, hides_states, repeated, violated } = dropped;
        let violated = violated.into_iter().map(PropertyId).collect();
        ErrorStats { found, hides_states, repeated, violated }
    }
}

impl From<&Totals> for Counted {
    fn from(totals: &Totals) -> Self {
        Counted {
            states: totals.states,
            rules: totals.rules,
            depth: totals.depth.0,
            unreduced: totals.unreduced,
            fired: totals.fired.clone(),
            covered: totals.covered.clone(),
            undefined_compared: totals.undefined_compared.words().to_vec(),
            beyond_depth: totals.beyond_depth,
        }
    }
}

impl Counted {
    pub fn states(&self) -> u64 {
        self.states
    }

    pub fn is_beyond_depth(&self) -> bool {
        self.beyond_depth
    }

    /// Adds what was counted elsewhere. False: it is not of this model.
    pub fn add_to(&self, totals: &mut Totals, description: &Description) -> bool {
        let places = Places::from_words(self.undefined_compared.clone(), description);
        let lengths = (self.fired.len(), self.covered.len()) == (totals.fired.len(), totals.covered.len());
        let (Some(places), true) = (places, lengths) else { return false };
        totals.states += self.states;
        totals.rules += self.rules;
        totals.depth = totals.depth.max(Level(self.depth));
        totals.unreduced += self.unreduced;
        totals.fired.iter_mut().zip(&self.fired).for_each(|(sum, count)| *sum += count);
        totals.covered.iter_mut().zip(&self.covered).for_each(|(sum, count)| *sum += count);
        totals.undefined_compared.join(&places);
        totals.beyond_depth |= self.beyond_depth;
        true
    }
}
