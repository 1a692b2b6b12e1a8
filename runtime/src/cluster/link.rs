//! The connection to one other process: what waits to be sent, and what is under way.

use super::frames::Progress;
use std::collections::VecDeque;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Messages of states that may be under way to a process: sent, or about to be, and not stored
/// there yet.
pub const WINDOW: usize = 32;
/// With this number of them stored, their sender gets room for as many, at once: each answer costs
/// a message and wakes threads at both ends. Until then fewer than these wait to be reported, so a
/// sender without room has others under way, and gets it.
const RETURNED_AT: usize = WINDOW / 4;

/// What is known of a process, and what goes to it.
#[derive(Debug)]
pub struct Link {
    queue: Mutex<Queue>,
    filled: Condvar,
    /// Messages of states that it has not said to be stored.
    under_way: AtomicUsize,
    /// Messages of states that are stored here, and not reported to it yet.
    stored: AtomicUsize,
    /// It has said farewell.
    pub is_done: AtomicBool,
    pub progress: [AtomicU64; 4],
    /// States that were sent to it, states that were not sent again, and bytes, for the report.
    pub states: AtomicU64,
    pub repeated: AtomicU64,
    pub bytes: AtomicU64,
    stream: TcpStream,
}

#[derive(Debug, Default)]
struct Queue {
    messages: VecDeque<Vec<u8>>,
    is_closed: bool,
}

impl Link {
    pub fn new(stream: TcpStream) -> Self {
        Link {
            queue: Mutex::default(),
            filled: Condvar::new(),
            under_way: AtomicUsize::new(0),
            stored: AtomicUsize::new(0),
            is_done: AtomicBool::new(false),
            progress: Default::default(),
            states: AtomicU64::new(0),
            repeated: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            stream,
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message, soon. After [`Link::close`] nothing is sent.
    pub fn send(&self, message: Vec<u8>) {
        let mut queue = self.queue();
        if !queue.is_closed {
            queue.messages.push_back(message);
            self.filled.notify_one();
        }
    }

    /// The next message to send. `None`: that was the last.
    pub fn next(&self) -> Option<Vec<u8>> {
        let mut queue = self.queue();
        loop {
            if let Some(message) = queue.messages.pop_front() {
                return Some(message);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.filled.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What waits is still sent, and nothing after it.
    pub fn close(&self) {
        self.queue().is_closed = true;
        self.filled.notify_all();
    }

    /// Nothing is sent nor received any more.
    pub fn cut(&self) {
        self.queue().messages.clear();
        self.close();
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }

    pub fn has_room(&self) -> bool {
        self.under_way.load(Ordering::Acquire) < WINDOW
    }

    /// Takes room for one message of states.
    pub fn take_room(&self) -> bool {
        let more = |under_way: usize| (under_way < WINDOW).then_some(under_way + 1);
        self.under_way.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).is_ok()
    }

    /// The process has stored messages. False: more than it was sent.
    pub fn return_room(&self, count: u32) -> bool {
        let less = |under_way: usize| under_way.checked_sub(count as usize);
        self.under_way.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).is_ok()
    }

    /// A message of states was stored here. Returns the number to report to the process now.
    pub fn has_stored(&self) -> usize {
        match self.stored.fetch_add(1, Ordering::AcqRel) + 1 >= RETURNED_AT {
            true => self.stored.swap(0, Ordering::AcqRel),
            false => 0,
        }
    }

    pub fn set_progress(&self, progress: Progress) {
        for (place, number) in self.progress.iter().zip(progress) {
            place.store(number, Ordering::Relaxed);
        }
    }
}
