//! The thread that reads and writes, for all queues and stacks of a search.
//!
//! It is started when the first block goes to disk. Orders reach it through a channel, and it
//! answers through a channel of whoever gave the order; nothing else is shared but figures. It ends
//! when the last queue is gone.

use super::line::Done;
use super::tape::Tape;
use super::{Figures, Spilled};
use crate::memory::Block;
use crate::storage::{Directory, Failure, Operation, Purpose};
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
    pub tape: Arc<Mutex<Tape>>,
    pub work: Work,
    pub answer: Sender<Result<Done, Failure>>,
}

/// What all tapes have in common.
#[derive(Debug)]
pub struct Common {
    pub directory: Arc<dyn Directory>,
    pub(super) figures: Figures,
    /// The first failure. The search is over then, and nobody needs to find out by himself.
    failure: OnceLock<Failure>,
}

#[derive(Debug)]
pub struct Spool {
    common: Arc<Common>,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

impl Spool {
    pub fn new(directory: Arc<dyn Directory>) -> Self {
        let common = Common { directory, figures: Figures::default(), failure: OnceLock::new() };
        Spool { common: Arc::new(common), running: Mutex::default() }
    }

    pub fn common(&self) -> Arc<Common> {
        self.common.clone()
    }

    pub fn spilled(&self) -> Spilled {
        self.common.figures.spilled()
    }

    /// Whether there is somebody who does what was ordered.
    pub fn is_running(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// The thread itself is missing.
    pub fn lost(kind: io::ErrorKind) -> Failure {
        Failure::new(Purpose::Queue, Operation::Create, &kind.into())
    }

    /// Has something done.
    pub fn order(&self, job: Job) -> Result<(), Failure> {
        if let Some(&failure) = self.common.failure.get() {
            return Err(failure);
        }
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Running { jobs, .. } = match &mut *running {
            Some(running) => running,
            none => none.insert(start(self.common.clone()).map_err(|error| Self::lost(error.kind()))?),
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

fn start(common: Arc<Common>) -> io::Result<Running> {
    let (jobs, orders) = channel();
    let thread = std::thread::Builder::new().name("disk queue".to_owned());
    let thread = thread.spawn(move || run(&orders, &common))?;
    Ok(Running { jobs, thread })
}

fn run(orders: &Receiver<Job>, common: &Common) {
    let mut bytes = Vec::new();
    for Job { tape, work, answer } in orders {
        let mut tape = tape.lock().unwrap_or_else(PoisonError::into_inner);
        let done = match work {
            Work::Write(block) => tape.write(&block, &mut bytes).map(|()| Done::Written(block)),
            Work::Read(mut block) => tape.read(&mut block, &mut bytes).map(|()| Done::Read(block)),
        };
        if let Err(failure) = done {
            let _ = common.failure.set(failure);
        }
        // Somebody who is gone needs no answer.
        let _ = answer.send(done);
    }
}
