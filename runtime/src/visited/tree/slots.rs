//! The memory of a table of pairs, and its dimensions.
//!
//! The crate `interleavings` has a file of its own in the place of this one: smaller tables, in
//! memory that loom watches.

use crate::memory::Pages;
use crate::sync::AtomicU64;

/// Slots of a cache line.
pub const LINE: usize = 8;
/// A pair is looked for in this number of lines of a generation, at most.
pub const LINES: usize = 16;
/// The first two generations have `1 << FIRST` slots each.
pub const FIRST: u32 = 4;
/// Numbers have 32 bits, and none of them is `u32::MAX`.
pub const GENERATIONS: usize = 2 * (31 - FIRST) as usize;

/// The slots of one generation, all 0 in the beginning.
#[derive(Debug)]
pub struct Slots(Pages);

impl Slots {
    pub const BYTES: usize = size_of::<AtomicU64>();

    /// `None`: the system has no memory for them.
    pub fn new(count: usize) -> Option<Self> {
        Pages::zeroed(count * Self::BYTES).map(Slots)
    }

    /// The first of them; the others follow. They live as long as `self`, wherever that is moved.
    pub fn start(&self) -> *mut AtomicU64 {
        // Pages are aligned to 64 bytes, and zeros are atomics of value 0.
        self.0.start().cast()
    }
}
