//! Which states were sent to other processes lately, and need not be sent again.
//!
//! A successor is found from several states, and most of these are expanded soon after each other.
//! A state that was sent is in the owner's set, or will be before the owner's level ends: messages
//! arrive whole, once and in order. So it makes no difference whether it is sent again. A cache may
//! have evicted it since; but it waits there, or was expanded, and need not be once more. States
//! are compared word by word; a hash only says where to look.

use crate::memory::prefetch;

/// A table of whole states, each at one place, where the one that came last stays.
#[derive(Debug)]
pub struct Lately {
    /// Words of a row: those of a state, and before them its hash, with the lowest bit set.
    row: usize,
    /// Places less one; they are a power of two.
    mask: usize,
    rows: Vec<u64>,
}

/// Bytes of it, at most: what fits into the caches of a processor.
const MOST: u64 = 5 << 20;
/// The part of the memory that all threads of a process may use for it.
const PART: u64 = 64;

impl Lately {
    /// How many states of `words` words each of these threads remembers, with this much memory.
    pub fn places(words: usize, threads: usize, memory: u64) -> u64 {
        let bytes = (memory / PART / threads.max(1) as u64).min(MOST);
        match bytes / Self::bytes_of(words) {
            0 => 0,
            places => 1 << places.ilog2(),
        }
    }

    fn bytes_of(words: usize) -> u64 {
        ((words + 1) * size_of::<u64>()) as u64
    }

    /// Bytes for this number of states.
    pub fn bytes(words: usize, places: u64) -> u64 {
        places * Self::bytes_of(words)
    }

    pub fn new(words: usize, places: u64) -> Self {
        let places = places as usize;
        Lately { row: words + 1, mask: places.saturating_sub(1), rows: vec![0; places * (words + 1)] }
    }

    /// Where a state of this hash would be. The top bits are those that name the owner.
    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        (hash >> 1) as usize & self.mask
    }

    /// A state of this hash is looked for soon.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.rows.as_ptr().wrapping_add(self.place(hash) * self.row));
    }

    /// Whether this state of this hash was sent lately; from now on it was.
    #[inline(always)]
    pub fn is_there(&mut self, hash: u64, state: &[u64]) -> bool {
        let start = self.place(hash) * self.row;
        let Some((tag, kept)) = self.rows.get_mut(start..start + self.row).and_then(<[u64]>::split_first_mut)
        else {
            return false;
        };
        if *tag == hash | 1 && kept == state {
            return true;
        }
        *tag = hash | 1;
        kept.copy_from_slice(state);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_states_are_there() {
        let mut lately = Lately::new(2, 4);
        assert!(!lately.is_there(0, &[0, 0]));
        assert!(lately.is_there(0, &[0, 0]));
        // Of one place, and of one hash, and other states.
        assert!(!lately.is_there(8, &[0, 1]) && lately.is_there(8, &[0, 1]));
        assert!(!lately.is_there(8, &[0, 0]) && lately.is_there(8, &[0, 0]));
        assert!(!lately.is_there(0, &[0, 0]) && !lately.is_there(2, &[0, 0]));
        let mut none = Lately::new(2, 0);
        assert!(!none.is_there(7, &[1, 1]) && !none.is_there(7, &[1, 1]));
        assert_eq!((Lately::places(2, 2, 0), Lately::places(2, 1, 1 << 40)), (0, 1 << 17));
    }
}
