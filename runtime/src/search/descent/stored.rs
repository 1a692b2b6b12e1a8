//! The sleep set with which each state was explored, for when it is met again.
//!
//! Many states have the same one, so each set is kept once, and of a state its number. A set that no state has any more
//! stays where it is.

use crate::memory::{Budget, Exhausted};
use crate::state::hash::hash_of;
use crate::visited::{Segmentation, StateIndex};
use std::sync::Arc;

/// The table of sets has room for so many in the beginning.
const FIRST: usize = 1 << 8;

/// The number of a set: where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetNumber(u32);

impl SetNumber {
    pub const EMPTY: SetNumber = SetNumber(0);
}

#[derive(Debug)]
pub struct Stored {
    segmentation: Segmentation,
    /// Of each state, the number of its set.
    numbers: Vec<Vec<u32>>,
    /// The sets one after the other: how many rules, and the rules in order.
    sets: Vec<u32>,
    /// Where sets begin, by their hash; 0 is empty, and the empty set is not looked for.
    table: Vec<u32>,
    used: usize,
    budget: Arc<Budget>,
    bytes: u64,
}

impl Stored {
    pub fn new(segmentation: Segmentation, budget: Arc<Budget>) -> Result<Self, Exhausted> {
        let mut stored = Stored {
            segmentation,
            numbers: vec![Vec::new(); segmentation.segments()],
            sets: vec![0],
            table: Vec::new(),
            used: 0,
            budget,
            bytes: 0,
        };
        stored.take(FIRST)?;
        stored.table = vec![0; FIRST];
        Ok(stored)
    }

    /// Asks for the memory of so many numbers.
    fn take(&mut self, numbers: usize) -> Result<(), Exhausted> {
        let bytes = (numbers * size_of::<u32>()) as u64;
        self.budget.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    pub fn of(&self, state: StateIndex) -> SetNumber {
        let numbers = self.numbers.get(self.segmentation.of_index(state));
        let place = self.segmentation.place(state) as usize;
        SetNumber(numbers.and_then(|numbers| numbers.get(place)).copied().unwrap_or(0))
    }

    /// The rules of a set, in order.
    pub fn rules(&self, set: SetNumber) -> &[u32] {
        let rest = self.sets.get(set.0 as usize..).unwrap_or(&[]);
        match rest.split_first() {
            Some((&count, rules)) => rules.get(..count as usize).unwrap_or(&[]),
            None => &[],
        }
    }

    /// A state was explored without these rules, which are in order.
    pub fn set(&mut self, state: StateIndex, rules: &[u32]) -> Result<(), Exhausted> {
        let number = self.number(rules)?;
        let (segment, place) = (self.segmentation.of_index(state), self.segmentation.place(state) as usize);
        let have = self.numbers.get(segment).map_or(0, Vec::capacity);
        let length = self.numbers.get(segment).map_or(0, Vec::len);
        if place >= have {
            // By a quarter, because there are as many of these as states.
            let more = (have / 4).max(place + 1 - have).max(64);
            self.take(more)?;
            if let Some(numbers) = self.numbers.get_mut(segment) {
                numbers.reserve_exact(have + more - length);
            }
        }
        if let Some(numbers) = self.numbers.get_mut(segment) {
            if place >= length {
                numbers.resize(place + 1, 0);
            }
            if let Some(kept) = numbers.get_mut(place) {
                *kept = number.0;
            }
        }
        Ok(())
    }

    /// The number of a set, which is kept from now on.
    fn number(&mut self, rules: &[u32]) -> Result<SetNumber, Exhausted> {
        if rules.is_empty() {
            return Ok(SetNumber::EMPTY);
        }
        let mut at = self.home(rules);
        while let Some(&number) = self.table.get(at).filter(|number| **number != 0) {
            if self.rules(SetNumber(number)) == rules {
                return Ok(SetNumber(number));
            }
            at = (at + 1) & (self.table.len() - 1);
        }
        let number = u32::try_from(self.sets.len()).map_err(|_| Exhausted)?;
        if self.sets.len() + rules.len() + 1 > self.sets.capacity() {
            let more = (self.sets.capacity() / 2).max(rules.len() + 1).max(1024);
            self.take(more)?;
            self.sets.reserve_exact(self.sets.capacity() + more - self.sets.len());
        }
        self.sets.push(rules.len() as u32);
        self.sets.extend_from_slice(rules);
        self.put(at, number);
        if 2 * self.used > self.table.len() {
            self.grow()?;
        }
        Ok(SetNumber(number))
    }

    fn put(&mut self, at: usize, number: u32) {
        if let Some(slot) = self.table.get_mut(at) {
            *slot = number;
            self.used += 1;
        }
    }

    fn home(&self, rules: &[u32]) -> usize {
        let hash = hash_of(rules.len(), |at| rules.get(at).copied().map_or(0, u64::from));
        (hash >> (u64::BITS - self.table.len().ilog2())) as usize
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Exhausted> {
        let size = 2 * self.table.len();
        self.take(self.table.len())?;
        let old = std::mem::replace(&mut self.table, vec![0; size]);
        self.used = 0;
        for number in old.into_iter().filter(|number| *number != 0) {
            let mut at = self.home(self.rules(SetNumber(number)));
            while self.table.get(at).is_some_and(|slot| *slot != 0) {
                at = (at + 1) & (size - 1);
            }
            self.put(at, number);
        }
        Ok(())
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    #[test]
    fn states_keep_their_sets_until_they_get_others() {
        let budget = Arc::new(Budget::new(1 << 24));
        let segmentation = Segmentation { bits: 4 };
        let mut stored = Stored::new(segmentation, budget.clone()).unwrap();
        let mut expected: HashMap<StateIndex, Vec<u32>> = HashMap::new();
        let mut random = Random(3);
        for _ in 0..20_000 {
            let state = segmentation.index(random.below(16) as usize, random.below(700) as u32);
            let bits = random.below(1 << 10);
            let rules: Vec<u32> = (0..10).filter(|bit| bits >> bit & 1 == 1).map(|bit| bit * 1_000).collect();
            stored.set(state, &rules).unwrap();
            expected.insert(state, rules);
        }
        for (state, rules) in &expected {
            assert_eq!(stored.rules(stored.of(*state)), rules);
        }
        assert_eq!(stored.used, (1 << 10) - 1);
        let never = segmentation.index(3, 100_000);
        assert_eq!(stored.of(never), SetNumber::EMPTY);
        let counted = budget.used();
        let real = stored.sets.capacity() + stored.table.len();
        let real = real + stored.numbers.iter().map(Vec::capacity).sum::<usize>();
        assert!(counted >= 4 * real as u64 - 4_096, "{counted} {real}");
        drop(stored);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn too_little_memory_is_told() {
        let budget = Arc::new(Budget::new(40 << 10));
        let mut stored = Stored::new(Segmentation { bits: 0 }, budget).unwrap();
        let full = (0..100_000u32).find(|&state| stored.set(StateIndex(state), &[state]).is_err());
        assert!(full.is_some_and(|state| state > 1_000), "{full:?}");
    }
}
