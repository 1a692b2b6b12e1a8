//! What the segments of a set have in common: the shape of their states, and where their memory
//! comes from.

use super::policy::Policy;
use super::shape::Shape;
use crate::memory::{Budget, MemoryError, Pool, Slabs};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub struct Stock {
    pub shape: Shape,
    pub policy: Policy,
    pub budget: Arc<Budget>,
    /// How many more states may be inserted, where that is limited.
    pub permits: Option<AtomicU64>,
    /// Locked once for many new states, and never where a state is known already.
    supplies: Mutex<Supplies>,
}

#[derive(Debug)]
pub struct Supplies {
    pub chunks: Pool,
    pub tables: Slabs,
}

impl Stock {
    pub fn new(shape: Shape, policy: Policy, single: bool, budget: Arc<Budget>, most: Option<u64>) -> Self {
        let chunks = Pool::new(budget.clone());
        let tables = Slabs::new(single, budget.clone());
        let supplies = Mutex::new(Supplies { chunks, tables });
        Stock { shape, policy, budget, permits: most.map(AtomicU64::new), supplies }
    }

    pub fn supplies(&self) -> MutexGuard<'_, Supplies> {
        // Nothing is left half done in there, whatever happened to the thread that held it.
        self.supplies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a permit to insert one more state.
    pub fn permit(&self) -> bool {
        let Some(permits) = &self.permits else { return true };
        permits.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    /// A segment's first table is as small as can be.
    pub fn segment(&self, lines: usize) -> Result<super::segment::Segment, MemoryError> {
        super::segment::Segment::new(lines, &mut self.supplies(), &self.policy)
    }
}
