//! The sleep set with which each state was explored, for when it is met again.
//!
//! A set of up to 64 rules is one word, and is kept with each state. Larger ones are kept once,
//! since many states have the same one, and of a state the number of its set. A set that no state
//! has any more stays where it is.

use crate::hashing::words::hash;
use crate::memory::{Account, Budget, MemoryError};
use crate::visited::{Segmentation, StateIndex};
use std::sync::Arc;

/// Sets that the table has room for in the beginning.
const FIRST: usize = 1 << 8;
/// States in a chunk.
const CHUNK: usize = 1 << 12;

/// Something of each state, 0 in the beginning. States that were there do not move when there are
/// more.
#[derive(Debug)]
struct OfStates<T> {
    segmentation: Segmentation,
    chunks: Vec<Vec<Box<[T]>>>,
}

impl<T: Copy + Default> OfStates<T> {
    fn new(segmentation: Segmentation) -> Self {
        OfStates { segmentation, chunks: (0..segmentation.segments()).map(|_| Vec::new()).collect() }
    }

    #[inline(always)]
    fn get(&self, state: StateIndex) -> Option<&T> {
        let place = self.segmentation.place(state) as usize;
        let chunks = self.chunks.get(self.segmentation.of_index(state))?;
        chunks.get(place / CHUNK).and_then(|chunk| chunk.get(place % CHUNK))
    }

    #[inline(always)]
    fn set(&mut self, state: StateIndex, value: T, account: &mut Account) -> Result<(), MemoryError> {
        let place = self.segmentation.place(state) as usize;
        let Some(chunks) = self.chunks.get_mut(self.segmentation.of_index(state)) else { return Ok(()) };
        while chunks.len() <= place / CHUNK {
            account.add((CHUNK * size_of::<T>() + size_of::<Box<[T]>>()) as u64)?;
            chunks.push(vec![T::default(); CHUNK].into_boxed_slice());
        }
        if let Some(kept) = chunks.get_mut(place / CHUNK).and_then(|chunk| chunk.get_mut(place % CHUNK)) {
            *kept = value;
        }
        Ok(())
    }
}

#[derive(Debug)]
pub struct Stored {
    kept: Kept,
    account: Account,
}

#[derive(Debug)]
enum Kept {
    Words(OfStates<u64>),
    Numbers(OfStates<u32>, DistinctSets),
}

impl Stored {
    /// For sets of `width` words.
    pub fn new(segmentation: Segmentation, width: usize, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        let mut account = Account::new(budget);
        let kept = match width {
            1 => Kept::Words(OfStates::new(segmentation)),
            _ => Kept::Numbers(OfStates::new(segmentation), DistinctSets::new(width, &mut account)?),
        };
        Ok(Stored { kept, account })
    }

    /// The rules that slept when a state was explored.
    #[inline(always)]
    pub fn of(&self, state: StateIndex) -> &[u64] {
        match &self.kept {
            Kept::Words(words) => words.get(state).map_or(&[0], std::slice::from_ref),
            Kept::Numbers(numbers, sets) => sets.get(numbers.get(state).copied().unwrap_or(0)),
        }
    }

    /// A state was explored without these rules.
    #[inline(always)]
    pub fn set(&mut self, state: StateIndex, rules: &[u64]) -> Result<(), MemoryError> {
        match &mut self.kept {
            Kept::Words(words) => words.set(state, rules.first().copied().unwrap_or(0), &mut self.account),
            Kept::Numbers(numbers, sets) => {
                let number = sets.number(rules, &mut self.account)?;
                numbers.set(state, number, &mut self.account)
            }
        }
    }
}

/// Different sets, each with its number; that of the empty one is 0.
#[derive(Debug)]
struct DistinctSets {
    width: usize,
    /// One after the other.
    words: Vec<u64>,
    /// Their numbers by hash, and 0 where there is none.
    table: Vec<u32>,
}

impl DistinctSets {
    fn new(width: usize, account: &mut Account) -> Result<Self, MemoryError> {
        account.add((FIRST * size_of::<u32>() + width * size_of::<u64>()) as u64)?;
        Ok(DistinctSets { width, words: vec![0; width], table: vec![0; FIRST] })
    }

    #[inline(always)]
    fn get(&self, number: u32) -> &[u64] {
        let start = number as usize * self.width;
        self.words.get(start..start + self.width).unwrap_or(&[])
    }

    /// Where a set is in the table, or the empty entry where it could be.
    #[inline(always)]
    fn find(&self, set: &[u64]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = (hash(set) >> 32) as usize & mask;
        while self.table[at] != 0 && self.get(self.table[at]) != set {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a set, which is kept from now on.
    fn number(&mut self, set: &[u64], account: &mut Account) -> Result<u32, MemoryError> {
        if set.iter().all(|word| *word == 0) {
            return Ok(0);
        }
        let at = self.find(set);
        if self.table[at] != 0 {
            return Ok(self.table[at]);
        }
        let number = self.words.len() / self.width;
        if self.words.len() == self.words.capacity() {
            let more = self.words.len().max(self.width * FIRST);
            // While they are copied both are there.
            account.add(((self.words.len() + more) * size_of::<u64>()) as u64)?;
            self.words.reserve_exact(more);
        }
        self.words.extend_from_slice(set);
        self.table[at] = u32::try_from(number).map_err(|_| MemoryError)?;
        if 2 * number > self.table.len() {
            self.grow(account)?;
        }
        Ok(number as u32)
    }

    #[cold]
    fn grow(&mut self, account: &mut Account) -> Result<(), MemoryError> {
        let size = 2 * self.table.len();
        account.add((self.table.len() * size_of::<u32>()) as u64)?;
        let old = std::mem::replace(&mut self.table, vec![0; size]);
        for number in old.into_iter().filter(|number| *number != 0) {
            let at = self.find(self.get(number));
            self.table[at] = number;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    #[test]
    fn states_keep_their_sets_until_they_get_others() {
        for width in [1, 2, 5] {
            let budget = Arc::new(Budget::new(1 << 24));
            let segmentation = Segmentation::new(4);
            let mut stored = Stored::new(segmentation, width, budget.clone()).unwrap();
            let mut expected: HashMap<StateIndex, Vec<u64>> = HashMap::new();
            let mut random = Random(3);
            for _ in 0..20_000 {
                let state = segmentation.index(random.below(16) as usize, random.below(7_000));
                let set: Vec<u64> =
                    (0..width).map(|_| random.below(if width > 2 { 4 } else { 40 })).collect();
                stored.set(state, &set).unwrap();
                expected.insert(state, set);
            }
            for (state, set) in &expected {
                assert_eq!(stored.of(*state), set);
            }
            let never = segmentation.index(3, 100_000);
            assert!(stored.of(never).iter().all(|word| *word == 0));
            let real = match &stored.kept {
                Kept::Words(words) => 8 * CHUNK * words.chunks.iter().flatten().count(),
                Kept::Numbers(numbers, sets) => {
                    let different = expected.values().collect::<std::collections::HashSet<_>>().len();
                    assert!(sets.words.len() / width >= different, "{different}");
                    let chunks = numbers.chunks.iter().flatten().count();
                    4 * (CHUNK * chunks + sets.table.len()) + 8 * sets.words.capacity()
                }
            };
            assert!(budget.used() >= real as u64, "{} {real}", budget.used());
            drop(stored);
            assert_eq!(budget.used(), 0);
        }
    }

    #[test]
    fn too_little_memory_is_told() {
        for width in [1, 3] {
            let budget = Arc::new(Budget::new(80 << 10));
            let mut stored = Stored::new(Segmentation::new(0), width, budget).unwrap();
            let set = |state: u64| vec![state; width];
            let full = (0..100_000).find(|&state| stored.set(StateIndex(state), &set(state)).is_err());
            assert!(full.is_some_and(|state| state > 100), "{full:?}");
        }
    }
}
