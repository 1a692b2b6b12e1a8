//! Last in, first out: depth first.
//!
//! A state enters the visited set when it is found, and is expanded when it is the newest one that
//! waits. So the levels are those of the paths by which states were first found, which need not be
//! the shortest ones.

use super::{Frontier, Level, Taken};
use crate::spool::Supply;
use crate::spool::lifo::Lifo;
use crate::storage::ResourceError;
use crate::visited::numbers::NUMBER_BITS;
use crate::visited::{Renumbering, Share, StateIndex};

/// Bytes of a block, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;

/// Bits for the difference of two levels; if they are all set, it is in a word of its own.
const APART_BITS: u32 = u64::BITS - NUMBER_BITS;
const FAR: u64 = (1 << APART_BITS) - 1;

#[derive(Debug)]
pub struct Stack {
    /// For each state its number, and in the low bits by how much its level is above that of the
    /// state below. Where that is far, a word with the difference lies below.
    entries: Lifo,
    /// How many states there are, and the level of the topmost.
    count: u64,
    level: u32,
}

impl Stack {
    pub fn new(supply: &Supply) -> Self {
        Stack { entries: Lifo::new(1, BLOCK, supply), count: 0, level: 0 }
    }

    fn put(&mut self, level: Level, index: StateIndex) -> Result<(), ResourceError> {
        let apart = u64::from(level.0.wrapping_sub(self.level));
        if apart >= FAR {
            self.put_word(apart)?;
        }
        self.put_word(index.0 << APART_BITS | apart.min(FAR))?;
        self.level = level.0;
        self.count += 1;
        Ok(())
    }

    fn put_word(&mut self, word: u64) -> Result<(), ResourceError> {
        self.entries.make_room()?;
        if let Some([place]) = self.entries.push() {
            *place = word;
        }
        Ok(())
    }

    /// Takes the topmost state.
    fn pop(&mut self) -> Result<Option<(Level, StateIndex)>, ResourceError> {
        let Some(&[entry]) = self.entries.pop()? else { return Ok(None) };
        let level = Level(self.level);
        let apart = match entry & FAR {
            FAR => self.entries.pop()?.and_then(|words| words.first().copied()).unwrap_or(0),
            near => near,
        };
        self.level = self.level.wrapping_sub(apart as u32);
        self.count -= 1;
        Ok(Some((level, StateIndex(entry >> APART_BITS))))
    }
}

impl Frontier for Stack {
    fn push(&mut self, level: Level, states: &[StateIndex]) -> Result<(), ResourceError> {
        states.iter().try_for_each(|&index| self.put(level, index))
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
        let Some((level, index)) = self.pop()? else { return Ok(None) };
        taken.indices.push(index);
        share.load(&[index], &mut taken.words)?;
        Ok(Some(level))
    }

    fn advance(&mut self) -> u64 {
        self.len()
    }

    fn len(&self) -> u64 {
        self.count
    }

    fn renumber(&mut self, renumbering: &Renumbering) -> Result<(), ResourceError> {
        // It happens once, while there are few states.
        let mut all = Vec::new();
        while let Some(entry) = self.pop()? {
            all.push(entry);
        }
        for (level, old) in all.into_iter().rev() {
            self.put(level, renumbering.new_number(old).unwrap_or(old))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Budget;
    use crate::random::Random;
    use std::sync::Arc;

    #[test]
    fn states_come_back_with_their_levels_however_far_apart() {
        let mut stack = Stack::new(&Supply::memory(Arc::new(Budget::new(1 << 24))));
        let (mut expected, mut random) = (Vec::new(), Random(11));
        for _ in 0..50_000 {
            if random.below(3) == 0 {
                assert_eq!(stack.pop().unwrap(), expected.pop());
            } else {
                let level = Level(match random.below(10) {
                    0 => random.number() as u32,
                    1 => expected.len() as u32 + 65_534 + random.below(3) as u32,
                    _ => expected.len() as u32,
                });
                let index = StateIndex((1 << 32) - 100 + random.below(200));
                stack.push(level, &[index]).unwrap();
                expected.push((level, index));
            }
            assert_eq!(stack.len(), expected.len() as u64);
        }
        while let Some(entry) = expected.pop() {
            assert_eq!(stack.pop().unwrap(), Some(entry));
        }
        assert!(stack.len() == 0);
    }
}
