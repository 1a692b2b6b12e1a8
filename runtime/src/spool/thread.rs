//! The thread that reads and writes, for all queues and stacks of a search.
//!
//! It is started when the first block goes to disk. Requests reach it through one channel,
//! and it answers through a channel of the queue; nothing else is shared but counters. It ends when
//! the last queue is dropped.

use super::channel::Done;
use super::files::BlockFiles;
use super::{SpillCounters, SpillStats};
use crate::memory::Block;
use crate::storage::{Directory, Operation, Purpose, StorageError};
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

#[derive(Debug)]
pub enum Work {
    Write(Block),
    Read(Block),
}

#[derive(Debug)]
pub struct Job {
    pub files: Arc<Mutex<BlockFiles>>,
    pub work: Work,
    pub answer: Sender<Result<Done, StorageError>>,
}

/// What the files of all queues and stacks share.
#[derive(Debug)]
pub struct Shared {
    pub directory: Arc<dyn Directory>,
    pub(super) figures: SpillCounters,
    /// The first error. It ends the search, so all queues return it from then on.
    failure: OnceLock<StorageError>,
}

#[derive(Debug)]
pub struct Spool {
    shared: Arc<Shared>,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

impl Spool {
    pub fn new(directory: Arc<dyn Directory>) -> Self {
        let shared = Shared { directory, figures: SpillCounters::default(), failure: OnceLock::new() };
        Spool { shared: Arc::new(shared), running: Mutex::default() }
    }

    pub fn shared(&self) -> Arc<Shared> {
        self.shared.clone()
    }

    pub fn spilled(&self) -> SpillStats {
        self.shared.figures.spilled()
    }

    /// Whether the thread is alive.
    pub fn is_running(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// The error for a thread that cannot be started or has ended.
    pub fn lost(kind: io::ErrorKind) -> StorageError {
        StorageError::new(Purpose::Queue, Operation::Create, &kind.into())
    }

    /// Sends a request, and starts the thread before the first one.
    pub fn order(&self, job: Job) -> Result<(), StorageError> {
        if let Some(&failure) = self.shared.failure.get() {
            return Err(failure);
        }
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Running { jobs, .. } = match &mut *running {
            Some(running) => running,
            none => none.insert(start(self.shared.clone()).map_err(|error| Self::lost(error.kind()))?),
        };
        jobs.send(job).map_err(|_| Self::lost(io::ErrorKind::BrokenPipe))
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        let running = self.running.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Running { jobs, thread }) = running {
            drop(jobs);
            let _ = thread.join();
        }
    }
}

fn start(shared: Arc<Shared>) -> io::Result<Running> {
    let (jobs, orders) = channel();
    let thread = std::thread::Builder::new().name("disk queue".to_owned());
    let thread = thread.spawn(move || run(&orders, &shared))?;
    Ok(Running { jobs, thread })
}

fn run(orders: &Receiver<Job>, shared: &Shared) {
    let mut bytes = Vec::new();
    for Job { files, work, answer } in orders {
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let done = match work {
            Work::Write(block) => files.write(&block, &mut bytes).map(|()| Done::Written(block)),
            Work::Read(mut block) => files.read(&mut block, &mut bytes).map(|()| Done::Read(block)),
        };
        if let Err(failure) = done {
            let _ = shared.failure.set(failure);
        }
        // The queue may have been dropped; then nobody needs the answer.
        let _ = answer.send(done);
    }
}
