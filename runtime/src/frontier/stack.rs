//! Last in, first out: depth first.
//!
//! A state enters the visited set when it is found, and is expanded when it is the newest one that
//! waits. So the levels are those of the paths by which states were first found, which need not be
//! the shortest ones.

use super::{Frontier, Level, Taken};
use crate::spool::Supply;
use crate::spool::lifo::Lifo;
use crate::storage::ResourceError;
use crate::visited::{Renumbering, Share, StateIndex};

/// Bytes of a block, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;

#[derive(Debug)]
pub struct Stack {
    /// The level in the high half, the state's number in the low one.
    entries: Lifo,
}

impl Stack {
    pub fn new(supply: &Supply) -> Self {
        Stack { entries: Lifo::new(1, BLOCK, supply) }
    }

    fn put(&mut self, level: u64, index: StateIndex) -> Result<(), ResourceError> {
        self.entries.make_room()?;
        if let Some([place]) = self.entries.push() {
            *place = level << 32 | u64::from(index.0);
        }
        Ok(())
    }
}

impl Frontier for Stack {
    fn push(&mut self, level: Level, states: &[StateIndex]) -> Result<(), ResourceError> {
        states.iter().try_for_each(|&index| self.put(u64::from(level.0), index))
    }

    fn leave_out(&mut self, _: StateIndex) -> Result<(), ResourceError> {
        Ok(())
    }

    fn take(
        &mut self,
        share: &mut dyn Share,
        _most: usize,
        taken: &mut Taken,
    ) -> Result<Option<Level>, ResourceError> {
        let Some(&[entry]) = self.entries.pop()? else { return Ok(None) };
        let index = StateIndex(entry as u32);
        taken.indices.push(index);
        share.load(&[index], &mut taken.words)?;
        Ok(Some(Level((entry >> 32) as u32)))
    }

    fn advance(&mut self) -> u64 {
        self.len()
    }

    fn len(&self) -> u64 {
        self.entries.len()
    }

    fn renumber(&mut self, renumbering: &Renumbering) -> Result<(), ResourceError> {
        // It happens once, while there are few states.
        let mut all = Vec::new();
        while let Some(&[entry]) = self.entries.pop()? {
            all.push(entry);
        }
        for entry in all.into_iter().rev() {
            let old = entry as u32 as usize;
            let index = renumbering.indices.get(old).copied().unwrap_or(StateIndex(entry as u32));
            self.put(entry >> 32, index)?;
        }
        Ok(())
    }
}
