//! Whether a run is to end before it is complete.
//!
//! There is one [`Interruption`] for a run. Long-running code polls it, once for each batch of
//! states: whatever else may end a run from outside (a limit of time, say) is added here.

use std::sync::atomic::{AtomicBool, Ordering};

/// A request to end early, which any thread and any signal handler may make.
#[derive(Debug, Default)]
pub struct Interruption {
    requested: AtomicBool,
}

impl Interruption {
    /// Nobody has requested anything yet.
    pub const fn none() -> Self {
        Interruption { requested: AtomicBool::new(false) }
    }

    /// A run that ends as soon as it asks.
    pub const fn at_once() -> Self {
        Interruption { requested: AtomicBool::new(true) }
    }

    /// The run is to end. This is allowed in signal handlers.
    pub fn request(&self) {
        self.requested.store(true, Ordering::Relaxed);
    }

    /// Whether the run is to end.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }
}
