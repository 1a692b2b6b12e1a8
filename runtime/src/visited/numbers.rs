//! Numbers of states: which segment of a visited set a state is in, and its place there.

use std::ops::Range;

/// A state's number: its segment in the high bits, and its place in the segment in the low ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateIndex(pub u32);

/// Where a state comes from: a predecessor's number, or a mark for start states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin(pub u32);

impl Origin {
    /// No state has this number.
    pub const START: Origin = Origin(u32::MAX);

    pub fn predecessor(self) -> Option<StateIndex> {
        (self != Self::START).then_some(StateIndex(self.0))
    }
}

impl From<StateIndex> for Origin {
    fn from(index: StateIndex) -> Self {
        Origin(index.0)
    }
}

/// How numbers are made of segments and places, and which segments belong to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segmentation {
    /// There are `1 << bits` segments.
    pub bits: u32,
}

impl Segmentation {
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
        (u64::from(index.0) >> (32 - self.bits)) as usize
    }

    /// A state's place in its segment.
    #[inline(always)]
    pub fn place(self, index: StateIndex) -> u32 {
        (u64::from(index.0) & ((1u64 << (32 - self.bits)) - 1)) as u32
    }

    #[inline(always)]
    pub fn index(self, segment: usize, place: u32) -> StateIndex {
        StateIndex(((segment as u64) << (32 - self.bits)) as u32 | place)
    }

    /// Places in a segment; the very last number is [`Origin::START`].
    pub fn places(self) -> u32 {
        ((1u64 << (32 - self.bits)) - 1) as u32
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_dealt_out_evenly_and_completely() {
        for bits in [0, 3, 10] {
            let segmentation = Segmentation { bits };
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
                assert_ne!(Origin::from(index), Origin::START);
            }
        }
    }
}
