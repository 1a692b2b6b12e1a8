//! What is known of a visited set when a search is over: its figures, how sure they make the
//! result, and why the set was full. Each kind of set has its own, in its own folder.

use super::InsertError;
use crate::bounds::Probability;
use crate::bounds::assurance::Assurance;
use crate::datum::{Datum, Section};
use crate::hashing::signature::Bits;
use std::any::Any;
use std::fmt::Debug;

/// The figures of one kind of visited set.
pub trait SetStats: Any + Debug {
    /// What a report says about the set. A section `path.cache` stands within the section `path`.
    fn sections(&self, search: &SearchFacts<'_>) -> Vec<Section>;

    /// How sure the result is, if states may have been taken for others. `depth` is the largest
    /// depth of a state.
    fn assurance(&self, _depth: u64, _target: Option<Probability>) -> Option<Assurance> {
        None
    }

    /// What to try when memory ran out, if more is known than for any set.
    fn remedy(&self, _: &SearchFacts<'_>) -> Option<String> {
        None
    }

    /// The figures that other processes need to join them to theirs.
    fn letter(&self) -> Option<serde_json::Value> {
        None
    }

    /// Adds the figures of another process's part of the set. False: they make no sense.
    fn join(&mut self, _letter: &serde_json::Value) -> bool {
        false
    }

    /// Why this set could not take a state, and what to try instead.
    fn explain(&self, _error: InsertError, _search: &SearchFacts<'_>) -> Option<Explanation> {
        None
    }
}

impl dyn SetStats {
    /// The figures of the set, if it is of this kind.
    pub fn of_kind<S: SetStats>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }
}

/// What a set may say about the search that it served.
#[derive(Clone, Copy, Debug)]
pub struct SearchFacts<'a> {
    /// States that were visited, each time counted.
    pub states: u64,
    /// Rules that were fired.
    pub rules: u64,
    /// Whether the search ended neither by itself nor with an error.
    pub is_cut: bool,
    /// Whether states are packed to the bit.
    pub packed: bool,
    /// What a search along a path has counted.
    pub path: Option<PathFacts>,
    pub assurance: Option<&'a Assurance>,
}

/// What a search along a path has counted.
#[derive(Clone, Copy, Debug)]
pub struct PathFacts {
    /// Rules that led to known states.
    pub matched: u64,
    /// The most states on the path.
    pub longest: u64,
    /// Whether rules may sleep.
    pub sleeps: bool,
}

/// Why a search ended before its time, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub reason: String,
    pub advice: String,
}

/// The figures of a table of signatures, of whatever kind of set.
#[derive(Clone, Debug)]
pub struct SignatureTable {
    pub bits: Bits,
    pub slots: u64,
    pub table_bytes: u64,
    /// Bytes of the file from which traces are rebuilt.
    pub record_bytes: u64,
    /// The states of the last run in each level.
    pub levels: Vec<u64>,
    /// Slots in which a signature is looked for, if their number is limited.
    pub probes: Option<u64>,
}

impl SignatureTable {
    /// The section of the report that all sets of signatures have.
    pub fn section(self, assurance: &Assurance, lines: Vec<String>) -> Section {
        let SignatureTable { bits, slots, table_bytes, record_bytes, levels, probes } = self;
        let table = [
            ("bits", bits.get().into()),
            ("slots", slots.into()),
            ("table_bytes", table_bytes.into()),
            ("record_bytes", record_bytes.into()),
            ("levels", levels.into()),
            ("probes", probes.into()),
        ];
        let figures = Datum::Record(table.into_iter().chain(assurance.figures()).collect());
        Section { key: "compaction", figures, lines }
    }
}
