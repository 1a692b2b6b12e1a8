//! The blocks of a queue or a stack between its two ends: empty ones, full ones that are in memory,
//! and the channel to the thread that writes the others to disk and reads them back.

use super::Supply;
use super::buffers::Buffers;
use super::channel::{DiskChannel, Done};
use super::files::Order;
use crate::memory::Block;
use crate::storage::ResourceError;
use std::collections::VecDeque;

#[derive(Debug)]
pub(super) struct Blocks {
    pub buffers: Buffers,
    /// Full blocks in memory, those first that were filled first.
    pub here: VecDeque<Block>,
    pub line: Option<DiskChannel>,
    order: Order,
}

impl Blocks {
    pub fn new(buffers: Buffers, words: usize, supply: &Supply, order: Order) -> Self {
        let line = supply.disk.as_ref().map(|disk| DiskChannel::new(disk.spool.clone(), order, words));
        Blocks { buffers, here: VecDeque::new(), line, order }
    }

    /// Blocks that are being written or read.
    pub fn pending(&self) -> usize {
        self.line.as_ref().map_or(0, |line| line.writing + line.reading)
    }

    /// A free block.
    pub fn empty(&mut self) -> Result<Block, ResourceError> {
        loop {
            if let Ok(Some(block)) = self.buffers.take() {
                return Ok(block);
            }
            match &self.line {
                Some(line) if line.writing > 0 => self.wait()?,
                // There is less memory than was granted.
                _ => return Err(ResourceError::Memory),
            }
        }
    }

    /// Handles the answers that have arrived.
    pub fn collect(&mut self) -> Result<(), ResourceError> {
        while let Some(done) = self.line.as_mut().map_or(Ok(None), DiskChannel::look)? {
            self.note(done);
        }
        Ok(())
    }

    /// Waits for the next answer, if there is a request.
    pub fn wait(&mut self) -> Result<(), ResourceError> {
        if let Some(done) = self.line.as_mut().map_or(Ok(None), DiskChannel::wait)? {
            self.note(done);
        }
        Ok(())
    }

    fn note(&mut self, done: Done) {
        match (done, self.order) {
            (Done::Written(block), _) => self.buffers.give_back(block),
            (Done::Read(block), Order::Queue) => self.here.push_back(block),
            (Done::Read(block), Order::Stack) => self.here.push_front(block),
        }
    }

    /// Asks for blocks that are on disk until this number of them are here or on their way.
    pub fn read_ahead(&mut self, enough: usize) -> Result<(), ResourceError> {
        let Some(line) = &mut self.line else { return Ok(()) };
        while line.away > 0 && self.here.len() + line.reading < enough {
            let Ok(Some(block)) = self.buffers.take() else { break };
            line.ask(block)?;
        }
        Ok(())
    }
}
