//! The figures of a search whose visited set is on disk.

use crate::hashing::signature::Bits;
use serde::{Deserialize, Serialize};

/// Bytes that went to the tables and came back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    pub read: u64,
    pub written: u64,
}

/// For bounds and reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskStats {
    /// The algorithm of the paper, without what was added to it.
    pub plain: bool,
    /// Width and seed of the signatures that are kept instead of states, the same in all processes.
    #[serde(skip)]
    pub signatures: Option<(Bits, u64)>,
    /// Memory for the table, and what it is for: states that are known, candidates, and blocks that
    /// are read and written.
    pub memory_bytes: u64,
    pub known_entries: u64,
    pub candidate_entries: u64,
    pub states: u64,
    /// Successors that the memory table knew, and those that had to be checked.
    pub hits: u64,
    pub candidates: u64,
    /// How many states were on disk each time that candidates were checked.
    pub checks: Vec<u64>,
    /// States that were on disk at the end of each level.
    pub level_ends: Vec<u64>,
    pub traffic: Traffic,
    /// Bytes of the tables now, and at most.
    pub table_bytes: u64,
    pub peak_bytes: u64,
    /// Sorted tables now, and entries that were written once more to merge them.
    pub tables: u64,
    pub merged: u64,
    /// Bytes of the file from which traces are rebuilt.
    pub record_bytes: u64,
    /// Seconds spent settling candidates, by all threads together.
    pub seconds: f64,
}

impl DiskStats {
    /// Adds what another part of the set has. Parts are checked at times of their own: of the i-th
    /// checks of all, the states are added up.
    pub fn join(&mut self, other: &DiskStats) {
        add(&mut self.checks, &other.checks);
        add(&mut self.level_ends, &other.level_ends);
        let numbers = [
            (&mut self.memory_bytes, other.memory_bytes),
            (&mut self.known_entries, other.known_entries),
            (&mut self.candidate_entries, other.candidate_entries),
            (&mut self.states, other.states),
            (&mut self.hits, other.hits),
            (&mut self.candidates, other.candidates),
            (&mut self.traffic.read, other.traffic.read),
            (&mut self.traffic.written, other.traffic.written),
            (&mut self.table_bytes, other.table_bytes),
            (&mut self.peak_bytes, other.peak_bytes),
            (&mut self.tables, other.tables),
            (&mut self.merged, other.merged),
            (&mut self.record_bytes, other.record_bytes),
        ];
        numbers.into_iter().for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self.seconds += other.seconds;
    }

    /// New states of each level.
    pub fn levels(&self) -> Vec<u64> {
        let before = std::iter::once(0).chain(self.level_ends.iter().copied());
        self.level_ends.iter().zip(before).map(|(end, before)| end - before).filter(|&new| new > 0).collect()
    }
}

/// Adds numbers that never fall; one that has fewer of them stays where it is.
fn add(all: &mut Vec<u64>, other: &[u64]) {
    let last = |numbers: &[u64]| numbers.last().copied().unwrap_or(0);
    let (own, others) = (last(all), last(other));
    let length = all.len().max(other.len());
    all.resize(length, own);
    for (at, sum) in all.iter_mut().enumerate() {
        *sum = sum.saturating_add(other.get(at).copied().unwrap_or(others));
    }
}
