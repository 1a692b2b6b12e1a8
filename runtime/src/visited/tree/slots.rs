//! The memory of a table of pairs, and its dimensions.
//!
//! The crate `interleavings` has a file of its own in the place of this one: smaller tables, in
//! memory that loom watches.

use crate::memory::Pages;
use crate::sync::{AtomicU32, AtomicU64};
use std::marker::PhantomData;

/// Entries of a line of the index: a cache line of them.
pub const ENTRIES: usize = 16;
/// Parts of the index, each with a lock of its own: a power of two.
pub const STRIPES: usize = 8;
/// The first chunks of pairs have `1 << FIRST_PAIRS` places each.
pub const FIRST_PAIRS: u32 = 6;
/// The first chunks of the index have `1 << FIRST_LINES` lines each: one for each stripe.
pub const FIRST_LINES: u32 = STRIPES.ilog2();
/// Chunks of each size; then they are twice as large. A power of two.
pub const EQUAL: usize = 4;
/// Enough for 2^32 pairs, and for lines with an entry for each of them.
pub const CHUNKS: usize = EQUAL * 25;

/// What a chunk is made of: atomics, for which zeroed memory is the value 0.
pub trait Element: Sized {
    const BYTES: usize = size_of::<Self>();
}

impl Element for AtomicU32 {}

impl Element for AtomicU64 {}

/// A line of the index.
pub type Line = [AtomicU32; ENTRIES];

impl Element for Line {}

/// The elements of one chunk, all 0 in the beginning.
#[derive(Debug)]
pub struct Slots<T>(Pages, PhantomData<T>);

impl<T: Element> Slots<T> {
    /// `None`: the system has no memory for them.
    pub fn new(count: usize) -> Option<Self> {
        Pages::zeroed(count * T::BYTES).map(|pages| Slots(pages, PhantomData))
    }

    /// The first of them; the others follow. They live as long as `self`, wherever that is moved.
    pub fn start(&self) -> *mut T {
        // Pages are aligned to 64 bytes.
        self.0.start().cast()
    }
}
