//! Where threads agree: at the end of a level all of them meet, and leave with the same sums. Until
//! then any of them can stop all.

use super::bell::Bell;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Numbers that are added up at a meeting.
pub const SUMS: usize = 4;

#[derive(Debug)]
pub struct Meeting {
    /// One for each thread.
    bells: Vec<Bell>,
    arrived: AtomicUsize,
    /// Meetings that are over.
    round: AtomicUsize,
    gathered: [AtomicU64; SUMS],
    /// The sums of the last meeting.
    agreed: [AtomicU64; SUMS],
    stopped: AtomicBool,
}

impl Meeting {
    pub fn new(threads: usize) -> Self {
        Meeting {
            bells: (0..threads).map(|_| Bell::default()).collect(),
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            gathered: std::array::from_fn(|_| AtomicU64::new(0)),
            agreed: std::array::from_fn(|_| AtomicU64::new(0)),
            stopped: AtomicBool::new(false),
        }
    }

    pub fn threads(&self) -> usize {
        self.bells.len()
    }

    /// Makes all threads stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.bells.iter().for_each(Bell::ring);
    }

    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Something may have changed for this thread.
    pub fn ring(&self, thread: usize) {
        if let Some(bell) = self.bells.get(thread) {
            bell.ring();
        }
    }

    /// Waits until `ready`, or until all are stopped. Whoever makes it so must ring for this
    /// thread.
    pub fn wait(&self, thread: usize, mut ready: impl FnMut() -> bool) {
        if let Some(bell) = self.bells.get(thread) {
            bell.wait(|| self.stopped() || ready());
        }
    }

    /// Waits for all threads, and adds up what they bring. `None`: they were stopped.
    pub fn meet(&self, thread: usize, brought: [u64; SUMS]) -> Option<[u64; SUMS]> {
        // Nobody can come to the next meeting before this thread has left this one.
        let round = self.round.load(Ordering::Relaxed);
        for (sum, number) in self.gathered.iter().zip(brought) {
            sum.fetch_add(number, Ordering::Relaxed);
        }
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads() {
            for (agreed, sum) in self.agreed.iter().zip(&self.gathered) {
                agreed.store(sum.swap(0, Ordering::Relaxed), Ordering::Relaxed);
            }
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round + 1, Ordering::Release);
            self.bells.iter().for_each(Bell::ring);
        } else {
            self.wait(thread, || self.round.load(Ordering::Acquire) != round);
        }
        if self.round.load(Ordering::Acquire) == round {
            return None;
        }
        Some(std::array::from_fn(|at| self.agreed[at].load(Ordering::Relaxed)))
    }
}
