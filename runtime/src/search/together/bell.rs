//! How a thread waits for another: it looks a while, and then sleeps until it is woken.

use crate::sync::{AtomicBool, Condvar, Mutex, MutexGuard, Ordering, SPINS, fence, spin_loop};

/// Wakes the one thread that it belongs to.
#[derive(Debug)]
pub struct Bell {
    asleep: AtomicBool,
    door: Mutex<()>,
    bell: Condvar,
}

impl Default for Bell {
    fn default() -> Self {
        Bell { asleep: AtomicBool::new(false), door: Mutex::new(()), bell: Condvar::new() }
    }
}

impl Bell {
    /// Returns when `ready` says so. Whoever makes it so must ring afterwards.
    pub fn wait(&self, mut ready: impl FnMut() -> bool) {
        for _ in 0..SPINS {
            if ready() {
                return;
            }
            spin_loop();
        }
        let mut door = self.lock();
        loop {
            self.asleep.store(true, Ordering::Relaxed);
            // Either the other thread sees that this one sleeps, or this one sees what the other
            // did before it rang.
            fence(Ordering::SeqCst);
            if ready() {
                self.asleep.store(false, Ordering::Relaxed);
                return;
            }
            door = match self.bell.wait(door) {
                Ok(door) => door,
                Err(poisoned) => poisoned.into_inner(),
            };
        }
    }

    /// Wakes the thread if it sleeps.
    pub fn ring(&self) {
        fence(Ordering::SeqCst);
        if self.asleep.load(Ordering::Relaxed) {
            // The door is open only while the thread does really sleep.
            let _door = self.lock();
            self.bell.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        match self.door.lock() {
            Ok(door) => door,
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}
