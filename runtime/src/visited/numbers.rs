//! Numbers of states: which segment of a visited set a state is in, and its place there.
//!
//! A number has 48 bits. Its lowest bits are the segment, those above them the place in the
//! segment. States are dealt out to segments by their hashes, so places grow in all segments alike,
//! and numbers are about as large as there are states: a search of less than 2^32 states stores
//! four bytes for a predecessor, whatever the number of its segments, and the predecessors of
//! states that were found one after the other are near each other.
//!
//! Segments are counted over all partners of a search, and each partner, be it a thread or a
//! process with its threads, owns a range of them ([`Segmentation::owned`]). So a number names the
//! partner as well, and stays what it is when segments are dealt out to others.

use std::ops::Range;

/// Bits of the largest number.
pub const NUMBER_BITS: u32 = 48;

/// A state's number: its place in its segment, and in the low bits the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateIndex(pub u64);

/// Where a state comes from: 0 for a start state, otherwise the predecessor's number plus one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin(pub u64);

impl Origin {
    pub const START: Origin = Origin(0);
    /// Up to here four bytes are enough.
    pub const NARROW: u64 = u32::MAX as u64;

    #[inline(always)]
    pub fn predecessor(self) -> Option<StateIndex> {
        self.0.checked_sub(1).map(StateIndex)
    }

    /// The lowest four bytes, and the two above them.
    #[inline(always)]
    pub fn halves(self) -> (u32, u16) {
        (self.0 as u32, (self.0 >> u32::BITS) as u16)
    }

    #[inline(always)]
    pub fn from_halves(low: u32, high: u16) -> Self {
        Origin(u64::from(high) << u32::BITS | u64::from(low))
    }
}

impl From<StateIndex> for Origin {
    #[inline(always)]
    fn from(index: StateIndex) -> Self {
        Origin(index.0 + 1)
    }
}

/// How numbers are made of segments and places, and which segments belong to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segmentation {
    /// There are `1 << bits` segments.
    pub bits: u32,
    /// The number of the first state of a segment begins with this instead of 0. A test sets it, to
    /// have large numbers with few states.
    first: u64,
}

impl Segmentation {
    /// The segments of each of `owners`.
    pub fn ranges(self, owners: usize) -> Vec<Range<usize>> {
        (0..owners).map(|owner| self.owned(owner, owners)).collect()
    }

    pub fn new(bits: u32) -> Self {
        Segmentation { bits, first: first_number() >> bits }
    }

    pub fn segments(self) -> usize {
        1 << self.bits
    }

    /// The segment of the states with this hash.
    #[inline(always)]
    pub fn of_hash(self, hash: u64) -> usize {
        // In two steps, because a shift by 64 is none.
        ((hash >> 1) >> (63 - self.bits)) as usize
    }

    #[inline(always)]
    pub fn of_index(self, index: StateIndex) -> usize {
        (index.0 & ((1 << self.bits) - 1)) as usize
    }

    /// A state's place in its segment. A number that no state can have gives a place that none has.
    #[inline(always)]
    pub fn place(self, index: StateIndex) -> u64 {
        (index.0 >> self.bits).wrapping_sub(self.first)
    }

    #[inline(always)]
    pub fn index(self, segment: usize, place: u64) -> StateIndex {
        StateIndex((place + self.first) << self.bits | segment as u64)
    }

    /// Places in a segment: as many as have numbers.
    pub fn places(self) -> u64 {
        (((1 << NUMBER_BITS) - 1) >> self.bits) - self.first
    }

    /// Which of `owners` a state with this hash belongs to. Each owns as many segments as the
    /// others, or one more.
    #[inline(always)]
    pub fn owner(self, hash: u64, owners: usize) -> usize {
        self.owner_of_segment(self.of_hash(hash), owners)
    }

    #[inline(always)]
    pub fn owner_of_segment(self, segment: usize, owners: usize) -> usize {
        (segment * owners) >> self.bits
    }

    /// The segments of one of `owners`.
    pub fn owned(self, owner: usize, owners: usize) -> Range<usize> {
        let from = (owner << self.bits).div_ceil(owners);
        from..((owner + 1) << self.bits).div_ceil(owners)
    }
}

/// The segments of a set that are in this process: all of them, or a range where other processes
/// have the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    pub segmentation: Segmentation,
    pub first: usize,
    pub count: usize,
}

impl Own {
    /// Where the segment of a state is among those of this process, or a number that none has.
    #[inline(always)]
    pub fn of_index(self, index: StateIndex) -> usize {
        self.segmentation.of_index(index).wrapping_sub(self.first)
    }
}

impl From<Segmentation> for Own {
    fn from(segmentation: Segmentation) -> Self {
        Own { segmentation, first: 0, count: segmentation.segments() }
    }
}

/// What the number of the first state is, about.
#[cfg(not(test))]
const fn first_number() -> u64 {
    0
}

/// The elements of each of these ranges, which come one after the other. The first element of
/// `rest` has the number `first`.
pub fn cut<'a, T>(mut rest: &'a mut [T], mut first: usize, ranges: &[Range<usize>]) -> Vec<&'a mut [T]> {
    let each = ranges.iter().map(|range| {
        // Those before are of another process.
        let all = std::mem::take(&mut rest);
        let (_, behind) = all.split_at_mut(range.start.saturating_sub(first).min(all.len()));
        let (own, others) = behind.split_at_mut(range.len().min(behind.len()));
        (rest, first) = (others, range.end);
        own
    });
    each.collect()
}

#[cfg(test)]
fn first_number() -> u64 {
    FIRST_NUMBER.get()
}

#[cfg(test)]
thread_local! {
    static FIRST_NUMBER: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Does something with numbers that begin near this one, in sets that this thread makes.
#[cfg(test)]
pub fn numbers_from<T>(first: u64, work: impl FnOnce() -> T) -> T {
    let before = FIRST_NUMBER.replace(first);
    let result = work();
    FIRST_NUMBER.set(before);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_dealt_out_evenly_and_completely() {
        for bits in [0, 3, 10] {
            let segmentation = Segmentation::new(bits);
            for owners in 1..=9usize.min(1 << bits) {
                let mut next = 0;
                for owner in 0..owners {
                    let owned = segmentation.owned(owner, owners);
                    assert_eq!(owned.start, next);
                    assert!(owned.len() >= segmentation.segments() / owners);
                    assert!(owned.len() <= segmentation.segments().div_ceil(owners));
                    for segment in owned.clone() {
                        let hash = ((segment as u128) << (64 - bits)) as u64 | 5;
                        assert_eq!(segmentation.of_hash(hash), segment);
                        assert_eq!(segmentation.owner(hash, owners), owner);
                    }
                    next = owned.end;
                }
                assert_eq!(next, segmentation.segments());
            }
            for (segment, place) in
                [(0, 0), (0, 77), (segmentation.segments() - 1, segmentation.places() - 1)]
            {
                let index = segmentation.index(segment, place);
                assert_eq!((segmentation.of_index(index), segmentation.place(index)), (segment, place));
                let origin = Origin::from(index);
                assert_ne!(origin, Origin::START);
                assert_eq!(origin.predecessor(), Some(index));
                let (low, high) = origin.halves();
                assert_eq!(Origin::from_halves(low, high), origin);
            }
        }
    }
}
