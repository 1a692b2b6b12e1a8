//! The bytes that one part of a search has taken from the budget; they are given back on drop.

use super::{Budget, MemoryError};
use std::sync::Arc;

/// Bytes of buffers and tables that each owner has free of charge. Every search needs them,
/// whatever the model, and a small search fits into a small limit.
const FREE: u64 = 256 << 10;

/// The part of `bytes` of buffers that is taken from the budget.
pub fn counted(bytes: u64) -> u64 {
    bytes.saturating_sub(FREE)
}

/// The bytes taken from the budget by something that grows.
#[derive(Debug)]
pub struct Account {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Account {
    pub fn new(budget: Arc<Budget>) -> Self {
        Account { budget, bytes: 0 }
    }

    /// Takes `bytes` more from the budget.
    #[cold]
    pub fn add(&mut self, bytes: u64) -> Result<(), MemoryError> {
        self.budget.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Sets the size to `bytes`, and takes or gives back the difference.
    #[inline]
    pub fn set(&mut self, bytes: u64) -> Result<(), MemoryError> {
        if bytes > self.bytes {
            return self.add(bytes - self.bytes);
        }
        if bytes < self.bytes {
            self.budget.give_back(self.bytes - bytes);
            self.bytes = bytes;
        }
        Ok(())
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_given_back() {
        let budget = Arc::new(Budget::new(100));
        let mut account = Account::new(budget.clone());
        assert_eq!(account.set(60), Ok(()));
        assert_eq!(account.add(30), Ok(()));
        assert_eq!(account.set(101), Err(MemoryError));
        assert_eq!(budget.used(), 90);
        assert_eq!(account.set(40), Ok(()));
        assert_eq!(budget.used(), 40);
        drop(account);
        assert_eq!((budget.used(), budget.peak()), (0, 90));
    }
}
