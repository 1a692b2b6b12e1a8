//! A mark for each of some states, which several threads set: a bit of memory for each.
//!
//! A mark that is set stays. So threads may look at marks and set them in any order: a thread that
//! sees an old value misses a mark at most, and a sweep over everything after the threads were
//! joined sees it.

use crate::sync::{AtomicU64, Ordering};

#[derive(Debug, Default)]
pub struct Marks {
    words: Vec<AtomicU64>,
}

impl Marks {
    /// For numbers below `size`; none is marked.
    pub fn new(size: usize) -> Self {
        Marks { words: (0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Bytes of marks for numbers below `size`.
    pub fn bytes_for(size: usize) -> u64 {
        size.div_ceil(64) as u64 * 8
    }

    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    #[inline(always)]
    pub fn has(&self, number: u32) -> bool {
        self.words[number as usize / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1
    }

    /// Sets a mark, and says whether it was not set.
    #[inline(always)]
    pub fn set(&self, number: u32) -> bool {
        let bit = 1 << (number % 64);
        self.words[number as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Marks a state that leads to these, if one of them is marked. Says whether that is new.
    #[inline(always)]
    pub fn lead(&self, source: u32, targets: &[u32]) -> bool {
        !self.has(source) && targets.iter().any(|&target| self.has(target)) && self.set(source)
    }

    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }
}
