//! Last in, first out.
//!
//! The newest entries are in the *top* block. The blocks below it are in memory as far as there is
//! room; the lowest of them go to disk, and come back when few are left in memory. Between the two
//! marks there is room for a stack that goes up and down without touching the disk.
//!
//! As in a queue, half of the blocks at most lie below the top or are on their way back, so an
//! empty one is always to be had.

use super::blocks::Blocks;
use super::buffers::Buffers;
use super::files::Order;
use super::{Measure, Supply};
use crate::memory::Block;
use crate::storage::ResourceError;

#[derive(Debug)]
pub struct Lifo {
    measure: Measure,
    blocks: Blocks,
    top: Option<Block>,
    /// Entries in the top.
    used: usize,
    length: u64,
}

impl Lifo {
    /// A stack of entries of `words` words, in blocks of about `bytes` bytes if they stay in
    /// memory.
    pub fn new(words: usize, bytes: u64, supply: &Supply) -> Self {
        let measure = supply.measure(words, bytes);
        let buffers = Buffers::new(measure, supply.budget.clone());
        Lifo {
            measure,
            blocks: Blocks::new(buffers, measure.words, supply, Order::Stack),
            top: None,
            used: 0,
            length: 0,
        }
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Makes sure that there is room for an entry.
    #[inline(always)]
    pub fn make_room(&mut self) -> Result<(), ResourceError> {
        if self.top.is_none() || self.used >> self.measure.shift > 0 { self.extend() } else { Ok(()) }
    }

    /// Puts an entry on top, and says where, so that it can be filled in. There must be room.
    #[inline(always)]
    pub fn push(&mut self) -> Option<&mut [u64]> {
        let words = self.measure.words;
        let place = self.top.as_mut()?.get_mut(self.used * words..(self.used + 1) * words)?;
        self.used += 1;
        self.length += 1;
        Some(place)
    }

    #[cold]
    fn extend(&mut self) -> Result<(), ResourceError> {
        let empty = self.blocks.empty()?;
        if let Some(full) = self.top.replace(empty) {
            self.blocks.here.push_back(full);
        }
        self.used = 0;
        let Some(line) = &mut self.blocks.line else { return Ok(()) };
        if self.blocks.here.len() + line.reading > self.blocks.buffers.most() / 2 {
            // What is on its way back lies lower than everything here.
            while self.blocks.line.as_ref().is_some_and(|line| line.reading > 0) {
                self.blocks.wait()?;
            }
            if let (Some(line), Some(lowest)) = (&mut self.blocks.line, self.blocks.here.pop_front()) {
                line.write(lowest)?;
            }
        }
        Ok(())
    }

    /// Goes down to the next block. False: there is none.
    #[cold]
    fn descend(&mut self) -> Result<bool, ResourceError> {
        if let Some(top) = self.top.take() {
            self.blocks.buffers.give_back(top);
        }
        self.used = 0;
        self.blocks.collect()?;
        loop {
            // Few are left here: more of them come back.
            self.blocks.read_ahead((self.blocks.buffers.most() / 4).max(1))?;
            if let Some(block) = self.blocks.here.pop_back() {
                self.top = Some(block);
                self.used = 1 << self.measure.shift;
                return Ok(true);
            }
            if self.blocks.pending() == 0 {
                return Ok(false);
            }
            self.blocks.wait()?;
        }
    }

    /// The newest entry.
    #[inline(always)]
    pub fn last(&mut self) -> Result<Option<&[u64]>, ResourceError> {
        if self.used == 0 && !self.descend()? {
            return Ok(None);
        }
        let words = self.measure.words;
        Ok(self.top.as_ref().and_then(|top| top.get((self.used - 1) * words..self.used * words)))
    }

    /// The newest entry, if it is at hand.
    #[inline(always)]
    pub fn peek(&self) -> Option<&[u64]> {
        let words = self.measure.words;
        self.top.as_ref()?.get(self.used.checked_sub(1)? * words..self.used * words)
    }

    /// Takes the newest entry off.
    #[inline(always)]
    pub fn pop(&mut self) -> Result<Option<&[u64]>, ResourceError> {
        if self.used == 0 && !self.descend()? {
            return Ok(None);
        }
        self.used -= 1;
        self.length -= 1;
        let words = self.measure.words;
        Ok(self.top.as_ref().and_then(|top| top.get(self.used * words..(self.used + 1) * words)))
    }

    /// The entries that are in memory, the newest first.
    pub fn entries(&self) -> impl Iterator<Item = &[u64]> {
        let words = self.measure.words;
        let top = self.top.iter().flat_map(move |top| top[..self.used * words].rchunks_exact(words));
        top.chain(self.blocks.here.iter().rev().flat_map(move |block| block.rchunks_exact(words)))
    }
}
