//! The building blocks of everything that threads share.
//!
//! Files that use only these (and say `crate::sync`) also run under loom, which tries every order
//! in which threads can meet: see the crate `interleavings`, which brings a `sync` of its own.

pub use std::hint::spin_loop;
pub use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
pub use std::sync::{Condvar, Mutex, MutexGuard};
pub use std::thread::yield_now;

/// How often something is looked at again before a thread goes to sleep.
pub const SPINS: u32 = 200;

/// Memory that several threads may reach, with the interface that loom can watch.
#[derive(Debug, Default)]
pub struct Shared<T>(std::cell::UnsafeCell<T>);

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Shared(std::cell::UnsafeCell::new(value))
    }

    /// Hands out the address, for writing.
    #[inline(always)]
    pub fn with_mut<R>(&self, work: impl FnOnce(*mut T) -> R) -> R {
        work(self.0.get())
    }
}
