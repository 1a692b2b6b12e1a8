//! A bounded queue from one thread to one other, without locks.
//!
//! The ring owns its slots, and their contents stay in them: the sender fills a slot in place, the
//! receiver reads it in place, and what a slot has allocated serves again the next time round.

use crate::sync::{AtomicUsize, Ordering, Shared};

/// Keeps what two threads write apart, so that they do not take the cache line from each other.
#[derive(Debug)]
#[repr(align(128))]
struct Apart<T>(T);

#[derive(Debug)]
pub struct Ring<T> {
    slots: Vec<Shared<T>>,
    /// Slots sent, ever.
    sent: Apart<AtomicUsize>,
    /// Slots given back, ever.
    returned: Apart<AtomicUsize>,
}

// SAFETY: a slot is used by the sender while it is not sent, and by the receiver from then on until
// it is given back; the counters hand it over with release and acquire. There is one of each,
// because `ends` borrows exclusively.
unsafe impl<T: Send> Sync for Ring<T> {}

impl<T> Ring<T> {
    pub fn new(slots: impl IntoIterator<Item = T>) -> Self {
        let slots = slots.into_iter().map(Shared::new).collect();
        Ring { slots, sent: Apart(AtomicUsize::new(0)), returned: Apart(AtomicUsize::new(0)) }
    }

    /// The two ends, for as long as the ring is borrowed. It begins empty.
    pub fn ends(&mut self) -> (Sender<'_, T>, Receiver<'_, T>) {
        self.sent = Apart(AtomicUsize::new(0));
        self.returned = Apart(AtomicUsize::new(0));
        let ring = &*self;
        (Sender { ring, sent: 0, returned: 0 }, Receiver { ring, sent: 0, returned: 0 })
    }

    #[inline(always)]
    fn slot(&self, count: usize) -> &Shared<T> {
        &self.slots[count % self.slots.len()]
    }
}

/// The end that fills slots.
#[derive(Debug)]
pub struct Sender<'a, T> {
    ring: &'a Ring<T>,
    sent: usize,
    /// What was seen of the other end's counter.
    returned: usize,
}

impl<T> Sender<'_, T> {
    /// Whether there is a slot to fill.
    #[inline(always)]
    pub fn has_room(&mut self) -> bool {
        let all = self.ring.slots.len();
        if self.sent - self.returned < all {
            return true;
        }
        self.returned = self.ring.returned.0.load(Ordering::Acquire);
        self.sent - self.returned < all
    }

    /// Works on the slot that is sent next; its contents are those of an earlier round. `None`:
    /// there is no room.
    #[inline(always)]
    pub fn fill<R>(&mut self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        if !self.has_room() {
            return None;
        }
        // SAFETY: the slot was never sent, or was given back and that was seen, so it is the
        // sender's alone.
        Some(self.ring.slot(self.sent).with_mut(|slot| work(unsafe { &mut *slot })))
    }

    /// Sends the slot at work.
    pub fn send(&mut self) {
        if self.has_room() {
            self.sent += 1;
            self.ring.sent.0.store(self.sent, Ordering::Release);
        }
    }
}

/// The end that empties slots.
#[derive(Debug)]
pub struct Receiver<'a, T> {
    ring: &'a Ring<T>,
    sent: usize,
    returned: usize,
}

impl<T> Receiver<'_, T> {
    /// Whether there is a slot to read.
    #[inline(always)]
    pub fn has_mail(&mut self) -> bool {
        if self.sent == self.returned {
            self.sent = self.ring.sent.0.load(Ordering::Acquire);
        }
        self.sent != self.returned
    }

    /// Works on the oldest slot that was sent, and gives it back. `None`: there is none.
    pub fn receive<R>(&mut self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        if !self.has_mail() {
            return None;
        }
        // SAFETY: the slot was sent and that was seen, and it was not given back, so it is the
        // receiver's alone.
        let result = self.ring.slot(self.returned).with_mut(|slot| work(unsafe { &mut *slot }));
        self.returned += 1;
        self.ring.returned.0.store(self.returned, Ordering::Release);
        Some(result)
    }
}
