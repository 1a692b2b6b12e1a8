//! The blocks of one queue or stack, wherever they are at the moment.

use super::Measure;
use crate::memory::{Block, Budget, MemoryError};
use std::sync::Arc;

/// Unused blocks that are kept for later where the number of blocks has no bound.
const SPARE: usize = 2;

/// What the system's allocator takes for a block that is aligned to 64 bytes, in addition to the
/// block: blocks may be as small as a kibibyte, and then this is a sixteenth of the memory.
const OVERHEAD: usize = 64;

#[derive(Debug)]
pub struct Buffers {
    /// Words of a block.
    words: usize,
    most: usize,
    made: usize,
    spare: Vec<Block>,
    budget: Arc<Budget>,
}

impl Buffers {
    pub(super) fn new(measure: Measure, budget: Arc<Budget>) -> Self {
        let words = measure.words << measure.shift;
        Buffers { words, most: measure.most, made: 0, spare: Vec::new(), budget }
    }

    /// The memory that a block takes. Of blocks whose number is fixed, because the others are on
    /// disk, there are few, and their share of the memory was divided without the overhead.
    fn bytes(&self) -> u64 {
        let overhead = if self.most == usize::MAX { OVERHEAD } else { 0 };
        (self.words * size_of::<u64>() + overhead) as u64
    }

    pub fn most(&self) -> usize {
        self.most
    }

    /// A free block. `None`: all blocks that are allowed are in use.
    pub fn take(&mut self) -> Result<Option<Block>, MemoryError> {
        if let Some(block) = self.spare.pop() {
            return Ok(Some(block));
        }
        if self.made == self.most {
            return Ok(None);
        }
        self.budget.take(self.bytes())?;
        match Block::zeroed(self.words) {
            Some(block) => {
                self.made += 1;
                Ok(Some(block))
            }
            None => Err(self.budget.refuse(self.bytes())),
        }
    }

    /// Takes back a block that is not needed any more.
    pub fn give_back(&mut self, block: Block) {
        if self.most < usize::MAX || self.spare.len() < SPARE {
            self.spare.push(block);
        } else {
            self.made -= 1;
            self.budget.give_back(self.bytes());
        }
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        self.budget.give_back(self.made as u64 * self.bytes());
    }
}
