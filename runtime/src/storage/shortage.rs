//! What stops a search that is out of memory or cannot use its files.

use super::Failure;
use crate::memory::Exhausted;

/// Why something cannot be kept, or cannot be had back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    Memory,
    Disk(Failure),
}

impl From<Exhausted> for Shortage {
    fn from(Exhausted: Exhausted) -> Self {
        Shortage::Memory
    }
}

impl From<Failure> for Shortage {
    fn from(failure: Failure) -> Self {
        Shortage::Disk(failure)
    }
}
