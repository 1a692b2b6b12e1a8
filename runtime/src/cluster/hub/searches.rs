//! The search that the processes work on: its beginning, its end, its states, and how far it is.

use super::{Hub, Parcel, Wake, Waker, lock};
use crate::cluster::frames::{Frame, Progress};
use std::sync::atomic::Ordering;

impl Hub {
    /// Begins a search, after the last one was over.
    pub fn begin(&self, waker: Waker) -> u32 {
        let search = self.search.fetch_add(1, Ordering::AcqRel) + 1;
        *lock(&self.waker) = Some(waker);
        search
    }

    /// The threads that were woken are gone.
    pub fn end(&self) {
        *lock(&self.waker) = None;
    }

    pub(super) fn wake(&self, wake: Wake) {
        let waker = lock(&self.waker).clone();
        if let Some(waker) = waker {
            waker(wake);
        }
    }

    /// Stops a search everywhere.
    pub fn stop(&self, search: u32) {
        if self.stopped.fetch_max(search, Ordering::AcqRel) < search {
            self.send_to_all(&Frame::Stop { search });
            self.arrived.notify_all();
        }
        self.wake(Wake::Stop);
    }

    /// Whether the search at work was stopped, or cannot go on.
    pub fn has_stopped(&self) -> bool {
        self.failed.load(Ordering::Acquire)
            || self.stopped.load(Ordering::Acquire) >= self.search.load(Ordering::Acquire).max(1)
    }

    pub fn has_parcel(&self, thread: usize) -> bool {
        self.waiting.get(thread).is_some_and(|waiting| waiting.load(Ordering::Acquire) > 0)
    }

    /// The oldest message of states of this search for a thread. Another process may have begun
    /// earlier than this one, so messages of this search may have come before it began; those of
    /// a search that was stopped are discarded here.
    pub fn parcel(&self, thread: usize) -> Option<Parcel> {
        while self.has_parcel(thread) {
            let parcel = lock(self.inboxes.get(thread)?).pop_front()?;
            self.waiting.get(thread)?.fetch_sub(1, Ordering::AcqRel);
            if parcel.search >= self.search.load(Ordering::Acquire) {
                return Some(parcel);
            }
            self.stored(parcel);
        }
        None
    }

    /// A message of states of this process was stored.
    pub(super) fn stored_one(&self, from: usize) {
        let Some(link) = self.link(from) else { return };
        let count = link.has_stored();
        if count > 0 {
            link.send(Frame::Room(count as u32).bytes());
        }
    }

    pub fn publish(&self, progress: Progress) {
        self.progress.iter().zip(progress).for_each(|(place, number)| place.store(number, Ordering::Relaxed));
    }

    /// What all other processes have published last, together.
    pub fn elsewhere(&self) -> Progress {
        let mut sums = [0; 4];
        for (_, link) in self.all_links() {
            let numbers = link.progress.iter().map(|number| number.load(Ordering::Relaxed));
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
        sums
    }
}
