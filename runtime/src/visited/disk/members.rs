//! Which candidates there are, found by their keys: the paper's main memory table.

use super::candidates::Candidates;
use crate::memory::{Budget, MemoryError};
use std::sync::Arc;

/// Numbers of candidates, each one more than it is; 0 is an empty slot.
#[derive(Debug)]
pub struct Members {
    slots: Vec<u32>,
    /// The slot of a key is in its bits from here on; all keys of a segment have the top ones in
    /// common.
    shift: u32,
    common: u32,
    budget: Arc<Budget>,
}

impl Members {
    /// Bytes for each candidate, at most.
    pub const BYTES: u64 = 8;

    /// A table for about `most` candidates, whose keys have their top `common` bits in common.
    pub fn new(most: usize, common: u32, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        let bits = (most.max(8) * 4 / 3).next_power_of_two().ilog2();
        budget.take(4 << bits)?;
        Ok(Members { slots: vec![0; 1 << bits], shift: 64 - bits, common, budget })
    }

    #[inline(always)]
    fn first(&self, key: u64) -> usize {
        // Signatures may have fewer bits than there are slots; what they have is spread over all of
        // them.
        ((key << self.common).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// The slot of a candidate with this key and rest, or the empty one where it belongs.
    #[inline(always)]
    fn slot(&self, key: u64, candidates: &Candidates, same: impl Fn(usize) -> bool) -> (usize, u32) {
        let mut slot = self.first(key);
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return (slot, 0);
            }
            let number = found as usize - 1;
            if candidates.entries()[number].key == key && same(number) {
                return (slot, found);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The candidate with this key, and with a rest for which `same` says so.
    pub fn find(&self, key: u64, candidates: &Candidates, same: impl Fn(usize) -> bool) -> Option<usize> {
        match self.slot(key, candidates, same) {
            (_, 0) => None,
            (_, found) => Some(found as usize - 1),
        }
    }

    /// Whether a state is no candidate yet. Then it is entered as the next one, and must become
    /// that.
    pub fn add(&mut self, key: u64, rest: &[u64], candidates: &Candidates) -> Result<bool, MemoryError> {
        if candidates.len() * 4 >= self.slots.len() * 3 {
            self.grow(candidates)?;
        }
        let (slot, found) = self.slot(key, candidates, |number| candidates.rest(number) == rest);
        if found == 0 {
            self.slots[slot] = candidates.len() as u32 + 1;
        }
        Ok(found == 0)
    }

    #[cold]
    fn grow(&mut self, candidates: &Candidates) -> Result<(), MemoryError> {
        self.budget.take(4 * self.slots.len() as u64)?;
        self.slots = vec![0; 2 * self.slots.len()];
        self.shift -= 1;
        for (number, candidate) in candidates.entries().iter().enumerate() {
            let (slot, _) = self.slot(candidate.key, candidates, |_| false);
            self.slots[slot] = number as u32 + 1;
        }
        Ok(())
    }

    pub fn clear(&mut self) {
        self.slots.fill(0);
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        self.budget.give_back(4 * self.slots.len() as u64);
    }
}
