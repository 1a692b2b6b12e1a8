//! Last in, first out: depth first.
//!
//! A state enters the visited set when it is found, and is expanded when it is the newest one that waits. So the
//! levels are those of the paths by which states were first found, which need not be the shortest ones.

use super::{Frontier, Level, Taken};
use crate::memory::chunks::List;
use crate::memory::{Budget, Exhausted};
use crate::visited::{Renumbering, Share, StateIndex};
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

fn entry(level: u64, index: StateIndex) -> u64 {
    level << 32 | u64::from(index.0)
}

impl Frontier for Stack {
    fn push(&mut self, level: Level, states: &[StateIndex]) -> Result<(), Exhausted> {
        states.iter().try_for_each(|&index| self.entries.push(entry(u64::from(level.0), index)))
    }

    fn leave_out(&mut self, _: StateIndex) -> Result<(), Exhausted> {
        Ok(())
    }

    fn take(&mut self, share: &dyn Share, _most: usize, taken: &mut Taken) -> Option<Level> {
        let entry = self.entries.pop()?;
        let index = StateIndex(entry as u32);
        taken.indices.push(index);
        share.load(&[index], &mut taken.words);
        Some(Level((entry >> 32) as u32))
    }

    fn advance(&mut self) -> u64 {
        self.len()
    }

    fn len(&self) -> u64 {
        self.entries.len()
    }

    fn renumber(&mut self, renumbering: &Renumbering) -> Result<(), Exhausted> {
        for at in 0..self.entries.len() {
            let old = self.entries.get(at).unwrap_or_default();
            if let Some(&index) = renumbering.indices.get(old as u32 as usize) {
                self.entries.set(at, entry(old >> 32, index));
            }
        }
        Ok(())
    }
}
