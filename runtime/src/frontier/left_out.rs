//! States that wait and are not to be expanded, because they break a property.

use crate::memory::{Account, Budget, MemoryError};
use crate::visited::StateIndex;
use std::collections::HashSet;
use std::sync::Arc;

/// Bytes that an entry takes. A set may be half empty.
const ENTRY: u64 = 10;
/// Entries for which a small set has room.
const FEW: usize = 32;

/// A set of them, whose memory is counted.
#[derive(Debug)]
pub struct LeftOut {
    states: HashSet<StateIndex>,
    account: Account,
}

impl LeftOut {
    pub fn new(budget: Arc<Budget>) -> Self {
        LeftOut { states: HashSet::new(), account: Account::new(budget) }
    }

    pub fn insert(&mut self, state: StateIndex) -> Result<(), MemoryError> {
        let room = self.states.capacity();
        if self.states.len() == room && room >= FEW {
            // While the entries are moved both sets are there.
            self.account.set(3 * room as u64 * ENTRY)?;
            self.states.reserve(room);
            self.account.set(self.states.capacity() as u64 * ENTRY)?;
        }
        self.states.insert(state);
        Ok(())
    }

    pub fn remove(&mut self, state: StateIndex) -> bool {
        self.states.remove(&state)
    }

    pub fn iter(&self) -> impl Iterator<Item = StateIndex> {
        self.states.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
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
    }
}
