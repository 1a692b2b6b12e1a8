//! States of which it is not known yet whether they are new, in the order in which they were found:
//! what is settled by the algorithm of the paper.
//!
//! There is room for a number of them. More may come before somebody finds the time to settle them,
//! and then the memory is asked for more.

use super::identity::Shape;
use crate::memory::{Budget, MemoryError};
use crate::visited::Origin;
use std::sync::Arc;

/// Candidates for which memory is asked at a time when there are more than there should be.
const MORE: usize = 4096;
/// The mark of a candidate that is not new.
const OLD: u32 = 1 << 31;

/// A state that may be new.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub key: u64,
    /// Its number among the candidates, with a mark.
    number: u32,
    /// The lower half of its predecessor.
    origin: u32,
}

impl Candidate {
    #[inline(always)]
    pub fn number(&self) -> usize {
        (self.number & !OLD) as usize
    }

    #[inline(always)]
    pub fn is_new(&self) -> bool {
        self.number & OLD == 0
    }

    #[inline(always)]
    pub fn strike(&mut self) {
        self.number |= OLD;
    }
}

#[derive(Debug)]
pub struct Candidates {
    shape: Shape,
    entries: Vec<Candidate>,
    /// The rest of each.
    rests: Vec<u64>,
    /// The upper half of the predecessor of each, from when the first one is not 0.
    upper: Vec<u16>,
    /// How many there should be at most.
    most: usize,
    /// Bytes taken from the budget.
    taken: u64,
    budget: Arc<Budget>,
}

impl Candidates {
    /// Bytes of one.
    pub fn bytes(shape: Shape) -> u64 {
        (size_of::<Candidate>() + shape.rest_words * size_of::<u64>()) as u64
    }

    pub fn new(shape: Shape, most: usize, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        let taken = most as u64 * Self::bytes(shape);
        budget.take(taken)?;
        Ok(Candidates {
            shape,
            entries: Vec::with_capacity(most),
            rests: Vec::with_capacity(most * shape.rest_words),
            upper: Vec::new(),
            most,
            taken,
            budget,
        })
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_full(&self) -> bool {
        self.entries.len() >= self.most
    }

    /// Appends a state with these words.
    #[inline(always)]
    pub fn push(&mut self, key: u64, origin: Origin, state: &[u64]) -> Result<(), MemoryError> {
        if self.entries.len() == self.entries.capacity() {
            self.grow()?;
        }
        let (low, high) = origin.halves();
        if high > 0 || !self.upper.is_empty() {
            self.push_upper(high)?;
        }
        self.entries.push(Candidate { key, number: self.entries.len() as u32, origin: low });
        self.rests.extend_from_slice(self.shape.rest(state));
        Ok(())
    }

    #[cold]
    fn push_upper(&mut self, high: u16) -> Result<(), MemoryError> {
        let more = self.entries.capacity().saturating_sub(self.upper.capacity());
        if more > 0 {
            let bytes = (more * size_of::<u16>()) as u64;
            self.budget.take(bytes)?;
            self.taken += bytes;
            self.upper.reserve_exact(self.entries.capacity() - self.upper.len());
        }
        self.upper.resize(self.entries.len(), 0);
        self.upper.push(high);
        Ok(())
    }

    /// Where a candidate comes from.
    #[inline(always)]
    pub fn origin(&self, candidate: &Candidate) -> Origin {
        let high = self.upper.get(candidate.number()).copied().unwrap_or(0);
        Origin::from_halves(candidate.origin, high)
    }

    #[cold]
    fn grow(&mut self) -> Result<(), MemoryError> {
        if self.entries.len() + MORE > OLD as usize {
            return Err(MemoryError);
        }
        self.budget.take(MORE as u64 * Self::bytes(self.shape))?;
        self.taken += MORE as u64 * Self::bytes(self.shape);
        self.entries.reserve_exact(MORE);
        self.rests.reserve_exact(MORE * self.shape.rest_words);
        Ok(())
    }

    /// The words of a candidate's rest.
    #[inline(always)]
    pub fn rest(&self, number: usize) -> &[u64] {
        &self.rests[number * self.shape.rest_words..][..self.shape.rest_words]
    }

    pub fn entries(&self) -> &[Candidate] {
        &self.entries
    }

    /// The candidates, and the rests of all of them.
    pub fn parts(&mut self) -> (&mut [Candidate], &[u64]) {
        (&mut self.entries, &self.rests)
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.rests.clear();
        self.upper.clear();
    }
}

impl Drop for Candidates {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}
