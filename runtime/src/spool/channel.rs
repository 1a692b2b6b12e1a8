//! A queue's or stack's connection to the thread that reads and writes.
//!
//! Every order gets one answer, in the order of the orders, and failures are answers too. So
//! whoever waits for an answer to an order gets one, and after a failure nothing but failures.

use super::files::{BlockFiles, Order};
use super::thread::{Job, Spool, Work};
use crate::memory::Block;
use crate::storage::ResourceError;
use crate::storage::StorageError;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long an answer is waited for before it is made sure that one can still come.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was done.
#[derive(Debug)]
pub enum Done {
    /// The block was written, and is empty.
    Written(Block),
    /// The block is what was asked for.
    Read(Block),
}

#[derive(Debug)]
pub struct DiskChannel {
    spool: Arc<Spool>,
    files: Arc<Mutex<BlockFiles>>,
    sender: Sender<Result<Done, StorageError>>,
    answers: Mutex<Receiver<Result<Done, StorageError>>>,
    /// Blocks that were sent and not asked back.
    pub away: u64,
    /// Blocks that are being written, and those that are being read.
    pub writing: usize,
    pub reading: usize,
}

impl DiskChannel {
    /// For entries of so many words.
    pub fn new(spool: Arc<Spool>, order: Order, words: usize) -> Self {
        let (sender, answers) = channel();
        let files = Arc::new(Mutex::new(BlockFiles::new(order, words, spool.shared())));
        DiskChannel { spool, files, sender, answers: Mutex::new(answers), away: 0, writing: 0, reading: 0 }
    }

    fn order(&self, work: Work) -> Result<(), StorageError> {
        self.spool.order(Job { files: self.files.clone(), work, answer: self.sender.clone() })
    }

    /// Sends a block away.
    pub fn write(&mut self, block: Block) -> Result<(), StorageError> {
        self.order(Work::Write(block))?;
        self.writing += 1;
        self.away += 1;
        Ok(())
    }

    /// Asks for the next block that is away, which will be in this one.
    pub fn ask(&mut self, block: Block) -> Result<(), StorageError> {
        self.order(Work::Read(block))?;
        self.reading += 1;
        self.away -= 1;
        Ok(())
    }

    /// An answer, if there is one.
    pub fn look(&mut self) -> Result<Option<Done>, StorageError> {
        if self.writing + self.reading == 0 {
            return Ok(None);
        }
        let answers = self.answers.get_mut().unwrap_or_else(PoisonError::into_inner);
        answers.try_recv().ok().map(|answer| self.note(answer)).transpose()
    }

    /// The next answer. `None`: nothing was ordered.
    pub fn wait(&mut self) -> Result<Option<Done>, StorageError> {
        if self.writing + self.reading == 0 {
            return Ok(None);
        }
        let answers = self.answers.get_mut().unwrap_or_else(PoisonError::into_inner);
        loop {
            match answers.recv_timeout(PATIENCE) {
                Ok(answer) => return self.note(answer).map(Some),
                // A disk may be as slow as it likes, as long as there is somebody who waits for it.
                Err(RecvTimeoutError::Timeout) if self.spool.is_running() => {}
                Err(_) => return Err(Spool::lost(io::ErrorKind::BrokenPipe)),
            }
        }
    }

    /// Shows all blocks that are away, in order; each is read into this one. Nothing is being
    /// written or read meanwhile.
    pub fn each(
        &self,
        block: &mut Block,
        visit: &mut dyn FnMut(&Block) -> Result<(), ResourceError>,
    ) -> Result<(), ResourceError> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).each(block, visit)
    }

    fn note(&mut self, answer: Result<Done, StorageError>) -> Result<Done, StorageError> {
        match &answer {
            Ok(Done::Written(_)) => self.writing -= 1,
            Ok(Done::Read(_)) => self.reading -= 1,
            Err(_) => {}
        }
        answer
    }
}
