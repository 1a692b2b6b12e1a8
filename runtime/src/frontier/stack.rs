//! Last in, first out: depth first.
//!
//! A state enters the visited set when it is found, and is expanded when it is the newest one that waits. So the
//! levels are those of the paths by which states were first found, which need not be the shortest ones.

use super::{Found, Frontier, Level, Taken};
use crate::memory::chunks::List;
use crate::memory::{Budget, Exhausted};
use crate::visited::{StateIndex, Visited};
use std::sync::Arc;

#[derive(Debug)]
pub struct Stack {
    /// The level in the high half, the state's number in the low one.
    entries: List<u64>,
}

impl Stack {
    pub fn new(budget: Arc<Budget>) -> Self {
        Stack { entries: List::new(budget) }
    }
}

impl Frontier for Stack {
    fn push(&mut self, found: Found<'_>) -> Result<(), Exhausted> {
        let level = u64::from(found.level.0) << 32;
        for index in (found.first.0..).take(found.positions.len()) {
            self.entries.push(level | u64::from(index))?;
        }
        Ok(())
    }

    fn take(&mut self, visited: &dyn Visited, _most: usize, taken: &mut Taken) -> Option<Level> {
        let entry = self.entries.pop()?;
        let index = StateIndex(entry as u32);
        taken.indices.push(index);
        visited.load(&[index], &mut taken.words);
        Some(Level((entry >> 32) as u32))
    }

    fn len(&self) -> u64 {
        self.entries.len()
    }
}
