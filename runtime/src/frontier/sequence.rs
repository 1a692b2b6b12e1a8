//! A queue of small numbers in blocks, which serve again when they have been emptied.

use crate::memory::{Budget, Exhausted};
use std::collections::VecDeque;
use std::sync::Arc;

/// Numbers of a block.
const BLOCK: usize = 2048;

type Block = Box<[u16; BLOCK]>;

#[derive(Debug)]
pub struct Sequence {
    blocks: VecDeque<Block>,
    spare: Vec<Block>,
    /// Numbers of the first block that were taken, and numbers of the last one that are there.
    taken: usize,
    there: usize,
    budget: Arc<Budget>,
}

impl Sequence {
    pub fn new(budget: Arc<Budget>) -> Self {
        Sequence { blocks: VecDeque::new(), spare: Vec::new(), taken: 0, there: BLOCK, budget }
    }

    #[inline]
    pub fn push(&mut self, number: u16) -> Result<(), Exhausted> {
        if self.there == BLOCK {
            self.extend()?;
        }
        if let Some(block) = self.blocks.back_mut() {
            block[self.there] = number;
        }
        self.there += 1;
        Ok(())
    }

    #[inline]
    pub fn pop(&mut self) -> Option<u16> {
        let last = self.blocks.len() == 1;
        let end = if last { self.there } else { BLOCK };
        let number = self.blocks.front().filter(|_| self.taken < end)?[self.taken];
        self.taken += 1;
        if self.taken == BLOCK {
            self.taken = 0;
            self.spare.extend(self.blocks.pop_front());
            if last {
                self.there = BLOCK;
            }
        }
        Some(number)
    }

    #[cold]
    fn extend(&mut self) -> Result<(), Exhausted> {
        let block = match self.spare.pop() {
            Some(block) => block,
            None => {
                self.budget.take(size_of::<[u16; BLOCK]>() as u64)?;
                Box::new([0; BLOCK])
            }
        };
        self.blocks.push_back(block);
        self.there = 0;
        Ok(())
    }

    pub fn len(&self) -> u64 {
        (self.blocks.len() * BLOCK) as u64 - self.taken as u64 - (BLOCK - self.there) as u64
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        let all = self.blocks.iter().flat_map(|block| block.iter().copied());
        all.skip(self.taken).take(self.len() as usize)
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        let blocks = self.blocks.len() + self.spare.len();
        self.budget.give_back((blocks * size_of::<[u16; BLOCK]>()) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_in_first_out() {
        let budget = Arc::new(Budget::new(1 << 20));
        let mut sequence = Sequence::new(budget.clone());
        let (mut pushed, mut popped) = (0u64, 0u64);
        for round in 0..300u64 {
            for _ in 0..(round * 37) % 211 + 20 {
                sequence.push(pushed as u16).unwrap();
                pushed += 1;
            }
            for _ in 0..(round * 53) % 223 {
                let Some(number) = sequence.pop() else { break };
                assert_eq!(number, popped as u16);
                popped += 1;
            }
            assert_eq!(sequence.len(), pushed - popped);
            assert!(sequence.iter().eq((popped..pushed).map(|number| number as u16)));
        }
        while sequence.pop().is_some() {
            popped += 1;
        }
        assert_eq!((pushed, sequence.len(), sequence.pop()), (popped, 0, None));
        assert!(budget.used() < 100_000);
        drop(sequence);
        assert_eq!(budget.used(), 0);
    }
}
