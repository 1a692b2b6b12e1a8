//! A block of words, which moves between a queue, its spare blocks and the thread that reads and
//! writes files.

use super::Pages;
use std::ops::{Deref, DerefMut};

#[derive(Debug)]
pub struct Block {
    pages: Pages,
    words: usize,
}

impl Block {
    /// A block of `words` zeros. `None`: the system refuses the memory.
    pub fn zeroed(words: usize) -> Option<Block> {
        let bytes = words.checked_mul(size_of::<u64>())?;
        Some(Block { pages: Pages::zeroed(bytes)?, words })
    }
}

impl Deref for Block {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        // SAFETY: the pages have `self.words` words, aligned to 64 bytes, which were zero to begin
        // with; nothing is written while `self` is shared.
        unsafe { std::slice::from_raw_parts(self.pages.start().cast(), self.words) }
    }
}

impl DerefMut for Block {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.pages.start().cast(), self.words) }
    }
}
