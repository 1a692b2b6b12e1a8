//! States that wait and are not to be expanded, because they break a property.

use crate::memory::{Account, Budget, MemoryError};
use crate::visited::StateIndex;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

/// Entries for which a small set has room.
const FEW: usize = 32;

/// A set of them, whose memory is counted. Numbers below 2^32 take half as much.
#[derive(Debug)]
pub struct LeftOut {
    narrow: Numbers<u32>,
    wide: Numbers<u64>,
}

impl LeftOut {
    pub fn new(budget: Arc<Budget>) -> Self {
        LeftOut { narrow: Numbers::new(budget.clone()), wide: Numbers::new(budget) }
    }

    pub fn insert(&mut self, state: StateIndex) -> Result<(), MemoryError> {
        match u32::try_from(state.0) {
            Ok(number) => self.narrow.insert(number),
            Err(_) => self.wide.insert(state.0),
        }
    }

    pub fn remove(&mut self, state: StateIndex) -> bool {
        match u32::try_from(state.0) {
            Ok(number) => self.narrow.numbers.remove(&number),
            Err(_) => self.wide.numbers.remove(&state.0),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = StateIndex> {
        let narrow = self.narrow.numbers.iter().map(|&number| u64::from(number));
        narrow.chain(self.wide.numbers.iter().copied()).map(StateIndex)
    }

    pub fn len(&self) -> usize {
        self.narrow.numbers.len() + self.wide.numbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Debug)]
struct Numbers<T> {
    numbers: HashSet<T>,
    account: Account,
}

impl<T: Eq + Hash> Numbers<T> {
    /// Bytes that an entry takes. A set may be half empty.
    const ENTRY: u64 = 2 * (size_of::<T>() as u64 + 1);

    fn new(budget: Arc<Budget>) -> Self {
        Numbers { numbers: HashSet::new(), account: Account::new(budget) }
    }

    fn insert(&mut self, number: T) -> Result<(), MemoryError> {
        let room = self.numbers.capacity();
        if self.numbers.len() == room && room >= FEW {
            // While the entries are moved both sets are there.
            self.account.set(3 * room as u64 * Self::ENTRY)?;
            self.numbers.reserve(room);
            self.account.set(self.numbers.capacity() as u64 * Self::ENTRY)?;
        }
        self.numbers.insert(number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_counted() {
        let budget = Arc::new(Budget::new(1 << 20));
        let mut left_out = LeftOut::new(budget.clone());
        let full = (0..1 << 20).find(|&state| left_out.insert(StateIndex(state)).is_err());
        assert!(full.is_some_and(|state| state > 20_000), "{full:?}");
        assert!(budget.used() >= 5 * left_out.len() as u64);
        assert!(left_out.remove(StateIndex(7)) && !left_out.remove(StateIndex(7)));
        drop(left_out);
        assert_eq!(budget.used(), 0);
        let mut left_out = LeftOut::new(budget.clone());
        let numbers = [0, 5, u64::from(u32::MAX), 1 << 32, (1 << 32) + 5];
        numbers.iter().for_each(|&number| left_out.insert(StateIndex(number)).unwrap());
        let mut found: Vec<u64> = left_out.iter().map(|state| state.0).collect();
        found.sort_unstable();
        assert_eq!(found, numbers);
        assert!(left_out.remove(StateIndex(5)) && left_out.len() == 4);
        assert!(left_out.remove(StateIndex((1 << 32) + 5)) && !left_out.remove(StateIndex(5)));
    }
}
