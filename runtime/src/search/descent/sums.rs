//! Where a rule would lead, without firing it.
//!
//! The *sum* of a state is a sum over its bytes, each multiplied by a number of its own. What a
//! rule adds to it, the *change*, depends on nothing but the bytes that it changes. Rules that are
//! independent write to different places, so the change of one is the same before and after the
//! other (see [`crate::contract::independence`]). So a search knows the sum of the state that a
//! sleeping rule leads to, and can look for it among the sums of the path.
//!
//! Two states may have the same sum. Then a state is taken to be on the path that is not, and a
//! rule is fired that could have slept: nothing is lost.

use crate::memory::{Budget, MemoryError};
use crate::random::Random;
use std::sync::Arc;

/// Where the multipliers come from: digits of e. They are the same in every run.
const SEED: u64 = 0xb7e1_5162_8aed_2a6a;
/// Sums that the table has room for in the beginning.
const FIRST: usize = 1 << 8;

/// The multipliers.
#[derive(Debug)]
pub struct Multipliers {
    /// For the low and the high half of each word: so at least forty bits of a product depend on
    /// what differs.
    multipliers: Vec<[u64; 2]>,
}

impl Multipliers {
    /// For states of `words` words.
    pub fn new(words: usize) -> Self {
        let mut random = Random(SEED);
        Multipliers { multipliers: (0..words).map(|_| [random.number() | 1, random.number() | 1]).collect() }
    }

    #[inline(always)]
    pub fn of(&self, words: &[u64]) -> u64 {
        let products = words.iter().zip(&self.multipliers).map(|(&word, &[low, high])| {
            (word & u64::from(u32::MAX)).wrapping_mul(low).wrapping_add((word >> 32).wrapping_mul(high))
        });
        products.fold(0, u64::wrapping_add)
    }
}

/// A bag of sums: those of the states on the path.
#[derive(Debug)]
pub struct OnPath {
    /// A power of two of them, at most half of them in use; 0 is empty.
    slots: Vec<u64>,
    used: usize,
    budget: Arc<Budget>,
}

impl OnPath {
    pub fn new(budget: Arc<Budget>) -> Result<Self, MemoryError> {
        budget.take(bytes(FIRST))?;
        Ok(OnPath { slots: vec![0; FIRST], used: 0, budget })
    }

    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.slots.len().ilog2())) as usize
    }

    #[inline(always)]
    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    /// Where a key is, or the empty slot where it could be.
    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        let mut at = self.home(key);
        while self.slots[at] != 0 && self.slots[at] != key {
            at = self.next(at);
        }
        at
    }

    #[inline(always)]
    pub fn contains(&self, sum: u64) -> bool {
        let key = sum.max(1);
        self.slots[self.find(key)] == key
    }

    pub fn insert(&mut self, sum: u64) -> Result<(), MemoryError> {
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow()?;
        }
        self.put(sum.max(1));
        Ok(())
    }

    fn put(&mut self, key: u64) {
        // Another one with the same sum has a slot of its own.
        let mut at = self.home(key);
        while self.slots[at] != 0 {
            at = self.next(at);
        }
        self.slots[at] = key;
        self.used += 1;
    }

    /// Takes one of the sums out that are equal to this.
    pub fn remove(&mut self, sum: u64) {
        let key = sum.max(1);
        let mut gap = self.find(key);
        if self.slots[gap] != key {
            return;
        }
        self.used -= 1;
        let mut at = gap;
        loop {
            at = self.next(at);
            let moved = self.slots[at];
            if moved == 0 {
                break;
            }
            // What comes after the gap moves into it unless its home lies behind the gap.
            let mask = self.slots.len() - 1;
            let (from_home, from_gap) =
                (at.wrapping_sub(self.home(moved)) & mask, at.wrapping_sub(gap) & mask);
            if from_home >= from_gap {
                self.slots[gap] = moved;
                gap = at;
            }
        }
        self.slots[gap] = 0;
    }

    #[cold]
    fn grow(&mut self) -> Result<(), MemoryError> {
        let slots = 2 * self.slots.len();
        self.budget.take(bytes(slots))?;
        let old = std::mem::replace(&mut self.slots, vec![0; slots]);
        self.used = 0;
        old.iter().filter(|key| **key != 0).for_each(|key| self.put(*key));
        self.budget.give_back(bytes(old.len()));
        Ok(())
    }
}

impl Drop for OnPath {
    fn drop(&mut self) {
        self.budget.give_back(bytes(self.slots.len()));
    }
}

fn bytes(slots: usize) -> u64 {
    (slots * size_of::<u64>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_the_same_whatever_else_is_in_the_state() {
        let sums = Multipliers::new(3);
        let mut random = Random(5);
        let numbers = |random: &mut Random| -> Vec<u64> { (0..3).map(|_| random.number()).collect() };
        for _ in 0..200 {
            let (mut one, mut other) = (numbers(&mut random), numbers(&mut random));
            let before = [sums.of(&one), sums.of(&other)];
            // Some bytes are the same in both, and are changed alike.
            for _ in 0..4 {
                let (word, byte) = (random.below(3) as usize, 8 * random.below(8));
                let mask = 0xff << byte;
                let (old, new) = (random.number() & mask, random.number() & mask);
                for (state, before) in [&mut one, &mut other].into_iter().zip(before) {
                    assert!(before == sums.of(state) || byte < 64);
                    state[word] = state[word] & !mask | old;
                }
                let middle = [sums.of(&one), sums.of(&other)];
                for state in [&mut one, &mut other] {
                    state[word] = state[word] & !mask | new;
                }
                assert_eq!(sums.of(&one).wrapping_sub(middle[0]), sums.of(&other).wrapping_sub(middle[1]));
            }
        }
    }

    #[test]
    fn a_bag_forgets_what_is_taken_out_and_nothing_else() {
        let budget = Arc::new(Budget::new(1 << 20));
        let mut bag = OnPath::new(budget.clone()).unwrap();
        let mut random = Random(9);
        let mut path: Vec<u64> = Vec::new();
        for round in 0..20_000 {
            // Many of them twice, some of them 0.
            if path.is_empty() || random.below(100) < if round < 10_000 { 60 } else { 40 } {
                let sum = random.below(3_000).wrapping_mul(0x0100_0000_0000_0001);
                path.push(sum);
                bag.insert(sum).unwrap();
            } else if let Some(sum) = path.pop() {
                bag.remove(sum);
            }
            let asked = random.below(3_000).wrapping_mul(0x0100_0000_0000_0001);
            let there = path.iter().any(|sum| (*sum).max(1) == asked.max(1));
            assert_eq!(bag.contains(asked), there);
        }
        assert_eq!(bag.used, path.len());
        drop(bag);
        assert_eq!(budget.used(), 0);
    }
}
