//! How several threads fill one table together: by locks, one for each group of slots.
//!
//! This file uses nothing of the standard library but through `crate::sync`, so that the crate
//! `interleavings` can try every order in which threads can meet here.

use crate::sync::{AtomicBool, Ordering, spin_loop, yield_now};

/// Tries after which a thread yields: the thread that holds the lock may not be running.
const TRIES: u32 = 128;

/// What is filled: slots with values, where 0 is an empty one.
pub trait Slots {
    fn get(&self, slot: u64) -> u64;

    /// Slots of one group may be written by one thread at a time.
    fn set(&self, slot: u64, value: u64);

    /// Where a value that cannot stay in a slot goes next.
    fn after(&self, slot: u64, value: u64) -> u64;

    /// The group to which a slot belongs.
    fn group(slot: u64) -> u64;
}

/// A value, and the slot of its probe sequence that is next.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProbeWalker {
    pub slot: u64,
    pub value: u64,
}

/// Leaves the larger value in the slot where the walker is, and goes on with the smaller one. True:
/// that was nothing. There must be room. If other threads do so at the same time, all use the same
/// locks.
#[inline(always)]
pub fn leave<S: Slots>(slots: &S, locks: Option<&Locks>, walker: &mut ProbeWalker) -> bool {
    let _held = locks.map(|locks| locks.lock(S::group(walker.slot)));
    let found = slots.get(walker.slot);
    if found < walker.value {
        slots.set(walker.slot, walker.value);
        if found == 0 {
            return true;
        }
        walker.value = found;
    }
    walker.slot = slots.after(walker.slot, walker.value);
    false
}

/// Locks that groups share.
#[derive(Debug)]
pub struct Locks(Box<[AtomicBool]>);

impl Locks {
    pub fn new(count: usize) -> Self {
        Locks((0..count).map(|_| AtomicBool::new(false)).collect())
    }

    /// Waits until nobody else has the lock of a group.
    pub fn lock(&self, group: u64) -> Held<'_> {
        let lock = &self.0[group as usize % self.0.len()];
        let mut tries = 0u32;
        while lock.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            tries += 1;
            match tries % TRIES {
                0 => yield_now(),
                _ => spin_loop(),
            }
        }
        Held(lock)
    }
}

/// A lock that is held until this is dropped.
pub struct Held<'a>(&'a AtomicBool);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
