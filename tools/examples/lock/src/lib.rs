//! A lock that is handed over in the order of requests, as plain data: what a scheduler would do
//! under its own protection. The model in `models/lock.m` says what it has to do.

use std::collections::VecDeque;

/// A thread, by its number.
pub type Thread = usize;

/// The lock.
#[derive(Clone, Debug, Default)]
pub struct Lock {
    owner: Option<Thread>,
    queue: VecDeque<Thread>,
    youngest_first: bool,
}

impl Lock {
    /// A lock with the mistake that the tests find: the youngest thread is served first.
    pub fn mistaken() -> Lock {
        Lock { youngest_first: true, ..Lock::default() }
    }

    /// Takes it from everybody.
    pub fn reset(&mut self) {
        self.owner = None;
        self.queue.clear();
    }

    /// Takes the lock, or waits for it; says whether the thread has it now.
    pub fn request(&mut self, thread: Thread) -> bool {
        match self.owner {
            None => self.owner = Some(thread),
            Some(_) => self.queue.push_back(thread),
        }
        self.owner == Some(thread)
    }

    /// Gives the lock to a thread that waits; returns it.
    pub fn release(&mut self) -> Option<Thread> {
        self.owner = if self.youngest_first { self.queue.pop_back() } else { self.queue.pop_front() };
        self.owner
    }

    /// Who has it.
    pub fn owner(&self) -> Option<Thread> {
        self.owner
    }

    /// Who waits, the oldest first.
    pub fn queue(&self) -> impl Iterator<Item = Thread> + '_ {
        self.queue.iter().copied()
    }
}
