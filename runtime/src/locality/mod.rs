//! How far transitions lead: `--locality`.
//!
//! States lie in levels, by the fewest rules that lead to them. For each state, which fraction of
//! its transitions leads k levels on? The profile is the mean and the standard deviation of that
//! over all states, for each k. Where nearly all transitions stay near their level, a search can
//! evict what lies far back (Tronci, Della Penna, Intrigila and Venturini Zilli, *Exploiting
//! Transition Locality in Automatic Verification*).
//!
//! A transition is a rule that fires and changes the state, as in the paper; several rules that
//! lead to one state are several transitions. With symmetry reduction it leads to the state that
//! stands for its orbit. (The paper's figures for symmetric models were taken otherwise: see
//! `docs/bounded-memory.md`.)
//!
//! It is measured after the search, over the states in the visited set ([`pass`]), so it costs
//! searches nothing that do not ask for it and does not depend on their order.

mod pass;
pub(crate) mod svg;
mod tally;

pub use tally::Difference;

use crate::search::explore::Explored;
use crate::search::{Ending, Observer};
use std::fmt;
use std::time::Instant;

/// What came of measuring.
#[derive(Clone, Debug)]
pub struct Locality {
    pub profile: Result<Profile, ProfileError>,
    pub seconds: f64,
}

impl Locality {
    /// The profile of what a search has explored, if that is everything.
    pub fn measure(explored: Explored<'_>, observer: &mut dyn Observer) -> Self {
        let started = Instant::now();
        let profile = match explored.states {
            _ if *explored.ending != Ending::Complete => Err(ProfileError::Incomplete),
            _ if !explored.is_all => Err(ProfileError::Unexpanded),
            Some(states) => pass::measure(explored, states, observer),
            None => Err(ProfileError::Unkept),
        };
        Locality { profile, seconds: started.elapsed().as_secs_f64() }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub states: u64,
    /// Rules that fired in them and led to another state.
    pub transitions: u64,
    /// States without any transition; their fractions are all 0.
    pub stuck: u64,
    /// From 1 down; 1, 0 and -1 are always there, others where there is a transition.
    pub rows: Vec<Row>,
}

/// Transitions that lead equally far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// How many levels on.
    pub difference: Difference,
    /// Over all states, of the fraction of a state's transitions that do.
    pub mean: f64,
    pub deviation: f64,
    /// How many there are.
    pub transitions: u64,
}

impl Profile {
    /// The mean fraction of transitions that stay in their level or lead to a neighbouring one.
    pub fn local(&self) -> f64 {
        self.rows.iter().filter(|row| row.difference >= -1).map(|row| row.mean).sum()
    }
}

/// Why there is no profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// The search was not complete.
    Incomplete,
    /// States that break a property were not expanded.
    Unexpanded,
    /// The visited set does not keep its states.
    Unkept,
    /// The number of bytes that it would take; there are fewer.
    Memory(u64),
    Interrupted,
    /// The second look at the states does not agree with the first one.
    Contradiction,
}

impl fmt::Display for ProfileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileError::Incomplete => out.write_str("the search did not come to its end"),
            ProfileError::Unexpanded => out.write_str("states that break a property were not expanded"),
            ProfileError::Unkept => out.write_str("the states are not kept"),
            ProfileError::Memory(bytes) => {
                write!(out, "it needs {bytes} bytes beside the states, and there is less memory")
            }
            ProfileError::Interrupted => out.write_str("it was interrupted"),
            ProfileError::Contradiction => {
                out.write_str("going over the states again led to others, which is a mistake in the verifier")
            }
        }
    }
}

impl std::error::Error for ProfileError {}
