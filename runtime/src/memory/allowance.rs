//! Memory for the errors of a search and for replaying a path: fixed parts of the budget, and a
//! small reserve beyond the limit.

use super::{Budget, MemoryError};
use std::sync::Arc;

/// One part in 32 of the limit is for errors that wait, one in 32 for reported ones, and one in 16
/// for those that are kept.
const WAITING: u64 = 32;
const REPORTED: u64 = 32;
const KEPT: u64 = 16;
/// Bytes that each of them may take beyond the limit.
const RESERVE: u64 = 512 << 10;
/// Bytes that replaying a path may take beyond the limit.
const PATH_RESERVE: u64 = 2 << 20;

/// A bounded part of the budget of a search.
#[derive(Debug)]
pub struct Allowance {
    budget: Arc<Budget>,
    most: u64,
    /// Bytes that may be taken although the budget has nothing left.
    reserve: u64,
    /// Taken from the budget, and from the reserve.
    budgeted: u64,
    reserved: u64,
}

impl Allowance {
    /// For the errors that wait at one of `threads` threads.
    pub fn waiting(budget: &Arc<Budget>, threads: usize) -> Self {
        let threads = threads.max(1) as u64;
        Allowance::new(budget, budget.limit() / WAITING / threads, RESERVE / threads)
    }

    /// For reported errors, which a search may find again.
    pub fn reported(budget: &Arc<Budget>) -> Self {
        Allowance::new(budget, budget.limit() / REPORTED, RESERVE)
    }

    /// For errors with their paths.
    pub fn kept(budget: &Arc<Budget>) -> Self {
        Allowance::new(budget, budget.limit() / KEPT, RESERVE)
    }

    /// For replaying a path: all that is left, since it is given back at once.
    pub fn path(budget: &Arc<Budget>) -> Self {
        Allowance::new(budget, budget.limit(), PATH_RESERVE)
    }

    fn new(budget: &Arc<Budget>, part: u64, reserve: u64) -> Self {
        let most = part.max(reserve);
        Allowance { budget: budget.clone(), most, reserve, budgeted: 0, reserved: 0 }
    }

    /// Asks for `bytes` before they are used.
    pub fn take(&mut self, bytes: u64) -> Result<(), MemoryError> {
        if self.taken().saturating_add(bytes) > self.most {
            return Err(MemoryError);
        }
        if self.budget.take(bytes).is_ok() {
            self.budgeted += bytes;
            return Ok(());
        }
        match self.reserved.saturating_add(bytes) <= self.reserve {
            true => {
                self.reserved += bytes;
                Ok(())
            }
            false => Err(MemoryError),
        }
    }

    /// Keeps no more than `bytes` of what was taken.
    pub fn shrink_to(&mut self, bytes: u64) {
        let surplus = self.taken().saturating_sub(bytes);
        let reserved = surplus.min(self.reserved);
        self.reserved -= reserved;
        self.budgeted -= surplus - reserved;
        self.budget.give_back(surplus - reserved);
    }

    pub fn taken(&self) -> u64 {
        self.budgeted + self.reserved
    }

    pub fn most(&self) -> u64 {
        self.most
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_part_of_the_budget_and_comes_back() {
        let budget = Arc::new(Budget::new(320 << 20));
        let mut allowance = Allowance::waiting(&budget, 2);
        assert_eq!(allowance.most(), 5 << 20);
        assert_eq!(allowance.take(5 << 20), Ok(()));
        assert_eq!(allowance.take(1), Err(MemoryError));
        assert_eq!(budget.used(), 5 << 20);
        allowance.shrink_to(1 << 20);
        assert_eq!((budget.used(), allowance.taken()), (1 << 20, 1 << 20));
        drop(allowance);
        assert_eq!(budget.used(), 0);
    }

    /// A visited set that takes everything leaves room for an error all the same, and the budget is
    /// as it was afterwards.
    #[test]
    fn a_little_is_there_beyond_the_limit() {
        let budget = Arc::new(Budget::new(64 << 20));
        budget.take(64 << 20).unwrap();
        let mut allowance = Allowance::kept(&budget);
        assert_eq!(allowance.take(RESERVE), Ok(()));
        assert_eq!(allowance.take(1), Err(MemoryError));
        budget.give_back(1 << 20);
        assert_eq!(allowance.take(1 << 20), Ok(()));
        drop(allowance);
        assert_eq!(budget.used(), 63 << 20);
    }
}
