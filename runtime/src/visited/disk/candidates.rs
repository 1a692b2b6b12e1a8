//! States of which it is not known yet whether they are new, in the order in which they were found.
//!
//! There is room for a number of them. More may come before somebody finds the time to settle them, and then the memory is
//! asked for more.

use super::identity::Shape;
use crate::memory::{Budget, Exhausted};
use crate::visited::Origin;
use std::sync::Arc;

/// Candidates for which memory is asked at a time when there are more than there should be.
const MORE: usize = 4096;
/// Up to so many, sorting by comparing is faster than dealing out.
const FEW: usize = 256;
/// The mark of a candidate that is not new.
const OLD: u32 = 1 << 31;

/// A state that may be new.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub key: u64,
    /// Its number among the candidates, with a mark.
    number: u32,
    pub origin: Origin,
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
    /// In the order in which they came, or sorted.
    entries: Vec<Candidate>,
    /// Their rests, always in the order in which they came.
    rests: Vec<u64>,
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

    pub fn new(shape: Shape, most: usize, budget: Arc<Budget>) -> Result<Self, Exhausted> {
        let taken = most as u64 * Self::bytes(shape);
        budget.take(taken)?;
        Ok(Candidates {
            shape,
            entries: Vec::with_capacity(most),
            rests: Vec::with_capacity(most * shape.rest_words),
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
    pub fn push(&mut self, key: u64, origin: Origin, state: &[u64]) -> Result<(), Exhausted> {
        if self.entries.len() == self.entries.capacity() {
            self.grow()?;
        }
        self.entries.push(Candidate { key, number: self.entries.len() as u32, origin });
        self.rests.extend_from_slice(self.shape.rest(state));
        Ok(())
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Exhausted> {
        if self.entries.len() + MORE > OLD as usize {
            return Err(Exhausted);
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

    /// Sorts them by their keys, and strikes out all but the first of those that are the same.
    pub fn sort(&mut self) {
        sort(&mut self.entries, 56);
        let words = self.shape.rest_words;
        let rests = &self.rests;
        let rest = |candidate: &Candidate| &rests[candidate.number() * words..][..words];
        let mut first = 0;
        for at in 1..self.entries.len() {
            if self.entries[at].key != self.entries[first].key {
                first = at;
                continue;
            }
            let (before, from) = self.entries.split_at_mut(at);
            if before[first..].iter().any(|other| rest(other) == rest(&from[0])) {
                from[0].strike();
            }
        }
    }

    /// Puts them back into the order in which they came.
    pub fn restore(&mut self) {
        let entries = &mut self.entries[..];
        for at in 0..entries.len() {
            loop {
                let home = entries[at].number();
                if home == at {
                    break;
                }
                entries.swap(at, home);
            }
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.rests.clear();
    }
}

impl Drop for Candidates {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

/// Sorts by key and then by number: keys are spread evenly, so they are dealt out by eight bits at a time, in place.
fn sort(entries: &mut [Candidate], shift: u32) {
    if entries.len() <= FEW || shift == 0 {
        entries.sort_unstable_by_key(|candidate| (candidate.key, candidate.number));
        return;
    }
    let digit = |candidate: &Candidate| (candidate.key >> shift) as usize & 255;
    let mut counts = [0usize; 256];
    entries.iter().for_each(|candidate| counts[digit(candidate)] += 1);
    let mut ends = [0; 256];
    let mut next = [0; 256];
    let mut sum = 0;
    for bucket in 0..256 {
        next[bucket] = sum;
        sum += counts[bucket];
        ends[bucket] = sum;
    }
    for bucket in 0..256 {
        while next[bucket] < ends[bucket] {
            let at = next[bucket];
            let other = digit(&entries[at]);
            entries.swap(at, next[other]);
            next[other] += 1;
        }
    }
    let mut rest = entries;
    for count in counts {
        let (bucket, others) = rest.split_at_mut(count);
        sort(bucket, shift - 8);
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sorted_and_back_again() {
        let budget = Arc::new(Budget::new(100 << 20));
        let shape = Shape { key_bits: 64, rest_words: 1, rest_bytes: 8 };
        for (count, spread) in [(0, 1), (1, 1), (200, 50), (30_000, 20_000), (30_000, u64::MAX), (5000, 1)] {
            let mut candidates = Candidates::new(shape, 1000, budget.clone()).unwrap();
            let mut random = Random(count);
            let mut expected = std::collections::HashSet::new();
            let mut fresh = Vec::new();
            let mut came = Vec::new();
            for number in 0..count as u32 {
                let key = random.below(spread).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let rest = random.below(2);
                candidates.push(key, Origin(number), &[7, rest]).unwrap();
                fresh.push(expected.insert((key, rest)));
                came.push((key, rest));
            }
            assert_eq!(candidates.is_full(), count >= 1000);
            candidates.sort();
            assert!(candidates.entries().is_sorted_by_key(|entry| (entry.key, entry.number())));
            candidates.restore();
            for (at, entry) in candidates.entries().iter().enumerate() {
                assert_eq!(
                    (entry.number(), entry.origin, entry.is_new()),
                    (at, Origin(at as u32), fresh[at])
                );
                assert_eq!((entry.key, candidates.rest(at)[0]), came[at]);
            }
        }
        assert_eq!(budget.used(), 0);
    }
}
