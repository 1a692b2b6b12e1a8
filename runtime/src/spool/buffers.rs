//! The blocks that one queue or stack has, wherever they are at the moment.

use super::Measure;
use crate::memory::{Block, Budget, MemoryError};
use std::sync::Arc;

/// Where the number of blocks has no bound, so many that are not needed are kept for later.
const SPARE: usize = 2;

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

    fn bytes(&self) -> u64 {
        (self.words * size_of::<u64>()) as u64
    }

    pub fn most(&self) -> usize {
        self.most
    }

    /// A block that nobody uses. `None`: all there may be are in use.
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

    /// A block is not needed any more.
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
