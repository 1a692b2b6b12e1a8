//! Which states were sent to other processes lately, and need not be sent again.
//!
//! A successor is found from several states, and most of these are expanded soon after each other.
//! A state that was sent is in the owner's set, or will be before the owner's level ends: messages
//! arrive whole, once and in order. So it makes no difference whether it is sent again. A cache may
//! have evicted it since; but it waits there, or was expanded, and need not be once more. States
//! are compared word by word; a hash only says where to look.

/// A table of whole states, each at one place, where the one that came last stays.
#[derive(Debug)]
pub struct Lately {
    words: usize,
    /// Places less one; they are a power of two.
    mask: usize,
    states: Vec<u64>,
    is_taken: Vec<bool>,
}

/// States that are remembered, at most.
const MOST: u64 = 1 << 15;
/// The part of the memory that all threads of a process may use for it.
const PART: u64 = 64;

impl Lately {
    /// How many states of `words` words each of these threads remembers, with this much memory.
    pub fn places(words: usize, threads: usize, memory: u64) -> u64 {
        let fits = memory / PART / threads.max(1) as u64 / Self::bytes_of(words);
        match fits.min(MOST) {
            0 => 0,
            places => 1 << places.ilog2(),
        }
    }

    fn bytes_of(words: usize) -> u64 {
        (words * size_of::<u64>() + 1) as u64
    }

    /// Bytes for this number of states.
    pub fn bytes(words: usize, places: u64) -> u64 {
        places * Self::bytes_of(words)
    }

    pub fn new(words: usize, places: u64) -> Self {
        let places = places as usize;
        Lately {
            words,
            mask: places.saturating_sub(1),
            states: vec![0; places * words],
            is_taken: vec![false; places],
        }
    }

    /// Whether this state of this hash was sent lately; from now on it was.
    #[inline(always)]
    pub fn is_there(&mut self, hash: u64, state: &[u64]) -> bool {
        // The top bits are those that name the owner.
        let place = hash as usize & self.mask;
        let (Some(kept), Some(is_taken)) =
            (self.states.get_mut(place * self.words..(place + 1) * self.words), self.is_taken.get_mut(place))
        else {
            return false;
        };
        if *is_taken && kept == state {
            return true;
        }
        kept.copy_from_slice(state);
        *is_taken = true;
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
        // Of one hash, and other states.
        assert!(!lately.is_there(4, &[0, 1]) && lately.is_there(4, &[0, 1]));
        assert!(!lately.is_there(0, &[0, 0]) && !lately.is_there(1, &[0, 0]));
        let mut none = Lately::new(2, 0);
        assert!(!none.is_there(7, &[1, 1]) && !none.is_there(7, &[1, 1]));
        assert_eq!((Lately::places(2, 2, 0), Lately::places(2, 1, 1 << 40)), (0, MOST));
    }
}
