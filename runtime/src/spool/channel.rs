//! The channel between a queue or stack and the thread that reads and writes its blocks.
//!
//! Every request gets one answer, in the order of the requests, and errors are answers too. So a
//! caller that waits gets an answer, and after an error every answer is an error.

use super::files::{BlockFiles, Order};
use super::thread::{Job, Spool, Work};
use crate::memory::Block;
use crate::storage::ResourceError;
use crate::storage::StorageError;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long to wait for an answer before checking that the thread is still there.
const PATIENCE: Duration = Duration::from_secs(2);

/// A request that was carried out.
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
    /// A channel for blocks of entries of `words` words.
    pub fn new(spool: Arc<Spool>, order: Order, words: usize) -> Self {
        let (sender, answers) = channel();
        let files = Arc::new(Mutex::new(BlockFiles::new(order, words, spool.shared())));
        DiskChannel { spool, files, sender, answers: Mutex::new(answers), away: 0, writing: 0, reading: 0 }
    }

    fn order(&self, work: Work) -> Result<(), StorageError> {
        self.spool.order(Job { files: self.files.clone(), work, answer: self.sender.clone() })
    }

    /// Has a block written.
    pub fn write(&mut self, block: Block) -> Result<(), StorageError> {
        self.order(Work::Write(block))?;
        self.writing += 1;
        self.away += 1;
        Ok(())
    }

    /// Has the next block read into this one.
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

    /// Waits for the next answer. `None`: no request is pending.
    pub fn wait(&mut self) -> Result<Option<Done>, StorageError> {
        if self.writing + self.reading == 0 {
            return Ok(None);
        }
        let answers = self.answers.get_mut().unwrap_or_else(PoisonError::into_inner);
        loop {
            match answers.recv_timeout(PATIENCE) {
                Ok(answer) => return self.note(answer).map(Some),
                // A slow disk is waited for as long as the thread is alive.
                Err(RecvTimeoutError::Timeout) if self.spool.is_running() => {}
                Err(_) => return Err(Spool::lost(io::ErrorKind::BrokenPipe)),
            }
        }
    }

    /// Visits all blocks on disk in order; each is read into this one. No request may be pending.
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
