//! Which errors were reported, where a state may be found more than once: because it was evicted,
//! or never stored.
//!
//! Of a state and a problem only a hash of 128 bits is kept, so that it does not matter how large
//! the state is. That two errors have the same one is less likely than a fault of the machine; the
//! second would not be reported, after others were.

use crate::checkpoint::{Reader, Writer};
use crate::contract::model::Description;
use crate::contract::problem::Problem;
use crate::hashing::words::wide_hash_of;
use crate::memory::{Allowance, Budget};
use crate::search::saving::problem_words;
use crate::storage::StorageError;
use std::collections::HashSet;
use std::sync::Arc;

/// Bytes for each: a set is half empty after it has grown, and while it grows the old one is there
/// as well.
const ENTRY: u64 = 64;

/// The errors that were reported.
#[derive(Debug)]
pub struct Reported {
    hashes: HashSet<u128>,
    allowance: Allowance,
}

/// Whether an error was reported before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    New,
    Known,
    /// There is no room to keep it, so it is unknown whether it is one of those for which there was
    /// none before.
    Unknown,
}

impl Reported {
    pub fn new(budget: &Arc<Budget>) -> Self {
        Reported { hashes: HashSet::new(), allowance: Allowance::reported(budget) }
    }

    /// Whether this problem of a state is reported for the first time.
    pub fn novelty(&mut self, description: &Description, state: &[u64], problem: Problem) -> Novelty {
        self.add(hash_of_error(description, state, problem))
    }

    fn add(&mut self, hash: u128) -> Novelty {
        if self.hashes.contains(&hash) {
            return Novelty::Known;
        }
        if self.allowance.take(ENTRY).is_err() {
            return Novelty::Unknown;
        }
        self.hashes.insert(hash);
        Novelty::New
    }

    /// Always in the same order.
    pub fn save(&self, file: &mut Writer) -> Result<(), StorageError> {
        let mut hashes: Vec<u128> = self.hashes.iter().copied().collect();
        hashes.sort_unstable();
        file.number(hashes.len() as u64)?;
        hashes.iter().try_for_each(|&hash| file.words(&[(hash >> 64) as u64, hash as u64]))
    }

    pub fn restore(file: &mut Reader, budget: &Arc<Budget>) -> Result<Self, StorageError> {
        let mut reported = Reported::new(budget);
        for _ in 0..file.count(16)? {
            let mut words = [0; 2];
            file.words(&mut words)?;
            reported.add(u128::from(words[0]) << 64 | u128::from(words[1]));
        }
        Ok(reported)
    }
}

fn hash_of_error(description: &Description, state: &[u64], problem: Problem) -> u128 {
    let problem = problem_words(&problem.identity(description));
    let count = problem.len() + state.len();
    let word = |at: usize| match problem.get(at) {
        Some(&word) => word,
        None => state.get(at - problem.len()).copied().unwrap_or_default(),
    };
    wide_hash_of(count, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::model::Model;
    use crate::contract::model::PropertyId;
    use crate::search::models::wheels::Wheels;

    fn violated(property: u32) -> Problem {
        Problem::Violated { property: PropertyId(property) }
    }

    #[test]
    fn each_problem_of_each_state_is_new_once() {
        let description = Wheels::Right.description();
        let mut reported = Reported::new(&Arc::new(Budget::new(1 << 30)));
        for round in [Novelty::New, Novelty::Known] {
            for state in 0..1000 {
                for property in 0..3 {
                    assert_eq!(reported.novelty(description, &[state, 7], violated(property)), round);
                }
                assert_eq!(reported.novelty(description, &[7, state, 0], Problem::Deadlock), round);
            }
        }
        assert_eq!(reported.hashes.len(), 4000);
    }

    #[test]
    fn what_has_no_room_is_not_called_new() {
        let budget = Arc::new(Budget::new(32 << 20));
        let description = Wheels::Right.description();
        let mut reported = Reported::new(&budget);
        let fit = (1 << 20) / ENTRY;
        for state in 0..fit {
            assert_eq!(reported.novelty(description, &[state], Problem::Deadlock), Novelty::New);
        }
        assert_eq!(reported.novelty(description, &[fit], Problem::Deadlock), Novelty::Unknown);
        assert_eq!(reported.novelty(description, &[fit], Problem::Deadlock), Novelty::Unknown);
        assert_eq!(reported.novelty(description, &[0], Problem::Deadlock), Novelty::Known);
        assert!(budget.used() <= 1 << 20);
    }
}
