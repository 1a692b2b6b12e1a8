//! "Have I seen this state?" Every kind of visited set answers through [`Visited`] and [`Share`], a batch at a time.
//!
//! A set is made of *segments*, and the top bits of a state's hash say in which one it belongs. Whoever works on a set
//! holds a [`Share`] of it: some of its segments, and these alone. So several threads work on one set without
//! touching anything of each other's, and what does not belong to a thread is sent to the one that owns it.

pub mod bounded;
pub mod cache;
pub mod compact;
pub mod disk;
pub mod exact;
mod waiting;

use crate::checkpoint::Persist;
use crate::memory::{Budget, Exhausted};
use crate::model::RuleId;
use crate::search::sleeping::Sets;
use crate::spool::Shortage;
use crate::state::codec::Codec;
use crate::storage::Failure;
use bounded::Bounds;
use cache::Cached;
use compact::Compacted;
use disk::figures::OnDisk;
use std::ops::Range;
use std::sync::Arc;

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

    /// Which of `owners` a state with this hash belongs to. Each owns as many segments as the others, or one more.
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

/// Why not all new states of a batch were inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// There is no more memory.
    Memory,
    /// As many states as are allowed were inserted, and there is one more.
    Room,
    /// States have no more numbers.
    Numbers,
    /// A table that cannot grow has no more slots.
    Table,
    /// None of the slots that may be probed is free.
    Probes,
    /// A cache forgets more of what comes in than the user allows.
    Collisions,
    /// A file that the search needs cannot be written or read.
    Disk(Failure),
    /// Whoever asked does not want to know any more.
    Stopped,
}

impl From<Shortage> for Full {
    fn from(shortage: Shortage) -> Self {
        match shortage {
            Shortage::Memory => Full::Memory,
            Shortage::Disk(failure) => Full::Disk(failure),
        }
    }
}

impl From<Failure> for Full {
    fn from(failure: Failure) -> Self {
        Full::Disk(failure)
    }
}

impl From<Exhausted> for Full {
    fn from(Exhausted: Exhausted) -> Self {
        Full::Memory
    }
}

/// States in stored form, with what is known about each.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Their words, one state after the other.
    pub states: &'a [u64],
    pub hashes: &'a [u64],
    /// Empty where the set has no use for them.
    pub signatures: &'a [u64],
    pub origins: &'a [Origin],
    /// Which rules sleep in them.
    pub sets: Sets<'a>,
}

/// A state that was not there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// Its position in the batch.
    pub position: u32,
    pub index: StateIndex,
}

/// A set of stored states.
pub trait Visited: Sync {
    /// How many states were inserted.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn segmentation(&self) -> Segmentation;

    /// Appends the words of a state to `into`.
    fn load(&self, index: StateIndex, into: &mut Vec<u64>);

    /// `None`: there is no such state.
    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, Failure>;

    /// The signature by which a state in stored form is recalled. `None`: states are kept, and loaded.
    fn signature(&self, _: &[u64]) -> Option<u64> {
        None
    }

    /// Deals the segments out to `owners`, as [`Segmentation::owned`] says.
    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>>;

    /// Goes from one segment to many, which a set does once, when it is no longer small. States get other numbers. On an error
    /// nothing has changed.
    fn spread(&mut self, segmentation: Segmentation) -> Result<Renumbering, Exhausted>;

    /// Whether it is worth trying.
    fn spreads(&self) -> bool {
        true
    }

    /// For going over the states once more, where the set keeps them all.
    fn finder(&self) -> Option<&dyn Find> {
        None
    }

    /// For checkpoints, if the set can be saved and made again.
    fn persist(&mut self) -> Option<&mut dyn Persist> {
        None
    }

    /// What bounds and reports need to know, if signatures take the place of states.
    fn compacted(&self) -> Option<Compacted> {
        None
    }

    /// The same if only a path and some others are kept.
    fn bounded(&self) -> Option<Bounds> {
        None
    }

    /// The same if states are forgotten.
    fn cached(&self) -> Option<Cached> {
        None
    }

    /// The same if the states are on disk.
    fn on_disk(&self) -> Option<OnDisk> {
        None
    }
}

/// A set that keeps every state it was given, and tells which is which.
pub trait Find: Visited {
    /// How many states there are in each segment.
    fn lengths(&self) -> Vec<u32>;

    /// Appends the numbers of states in stored form; `None`: it was not inserted.
    fn find(&self, states: &[u64], found: &mut Vec<Option<StateIndex>>);
}

/// What is known about a state after it was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recalled {
    pub origin: Origin,
    /// `None`: the state can be loaded.
    pub signature: Option<u64>,
}

/// The new number of each state that had a number in a set of one segment.
#[derive(Debug)]
pub struct Renumbering {
    pub segmentation: Segmentation,
    pub indices: Vec<StateIndex>,
}

/// The part of a set that somebody owns.
pub trait Share: Send {
    /// Appends the hashes of stored states, which say to which segments they belong, and their signatures if the set has a use for
    /// them.
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>);

    /// Inserts the states of a batch at these positions, in this order, and appends those that are new to `fresh`. They all belong
    /// to this share. On an error the states in `fresh` are in the set nevertheless.
    fn insert(&mut self, batch: &Batch<'_>, positions: &[u32], fresh: &mut Vec<Fresh>) -> Result<(), Full>;

    /// Whether the states of a batch at these positions are all known.
    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool;

    /// For a search along a path; `None`: the set cannot tell which state is which.
    fn trail(&mut self) -> Option<&mut dyn Trail> {
        None
    }

    /// Appends the words of these states, which belong to this share, to `into`. They may have to be fetched, and each can be had once.
    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), Shortage>;

    /// Says that these states will be loaded soon.
    fn prefetch(&self, indices: &[StateIndex]);

    fn segmentation(&self) -> Segmentation;

    /// Whether there is something to do when all states of a level are expanded.
    fn gathers(&self) -> bool {
        false
    }

    /// Does that. Nobody inserts before all shares have done it.
    fn end_level(&mut self) {}

    /// Whether it is found out later which states are new: [`Share::insert`] gathers candidates and tells of none, and
    /// [`Share::settle`] tells. Whoever takes such a state checks it then, when its words are at hand.
    fn delays(&self) -> bool {
        false
    }

    /// Whether candidates should be settled before more of them come.
    fn is_full(&self) -> bool {
        false
    }

    /// Finds out which of the candidates gathered so far are new, and says how many. They are in the set from then on,
    /// unless they shall only be counted.
    fn settle(&mut self, _: Settlement, _: &mut dyn Clerk) -> Result<u64, Full> {
        Ok(0)
    }
}

/// How candidates are to be settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// All states of the level were expanded.
    pub ends_level: bool,
    /// New states are wanted. Otherwise it is only asked whether there are any.
    pub keeps: bool,
}

/// Somebody who waits while candidates are settled.
pub trait Clerk {
    /// New states, in the order in which they were found.
    fn found(&mut self, states: &[StateIndex]) -> Result<(), Shortage>;

    /// Called now and then. False: there is no need to go on.
    fn goes_on(&mut self) -> bool;
}

/// What became of a state that a path goes on to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// It is new, and on the path until it is left.
    Fresh(StateIndex),
    Known(StateIndex),
}

/// A set that serves a search along a path. States on the path are always known.
pub trait Trail {
    /// Appends the number of each state of a batch that is known. They all belong here, and these rules lead to them.
    fn known(&mut self, batch: &Batch<'_>, rules: &[RuleId], known: &mut Vec<Option<StateIndex>>);

    /// The path goes on by this rule to the only state of a batch.
    fn enter(&mut self, batch: &Batch<'_>, rule: RuleId) -> Result<Entered, Full>;

    /// A state of this hash will be looked up soon.
    fn ask(&self, _hash: u64) {}

    /// The path goes on to a known state once more. It is left once more, too.
    fn enter_again(&mut self, _state: StateIndex, _from: Origin) {}

    /// All that lies behind a state was explored. This rule led to it.
    fn leave(&mut self, _state: StateIndex, _rule: RuleId) {}

    /// How it does, if states are forgotten.
    fn bounds(&self) -> Option<Bounds> {
        None
    }
}

/// An exact set of states in the form of this codec, with `most` of them at most.
pub fn exact(codec: &Codec, budget: &Arc<Budget>, most: Option<u64>) -> Result<Box<dyn Visited>, Exhausted> {
    use crate::state::stride::{Dynamic, Fixed};
    use exact::{Exact, Shape};
    let shape = Shape::new(codec.stored_bytes(), codec.bits_per_state());
    let budget = budget.clone();
    Ok(match shape.words() {
        1 => Box::new(Exact::new(Fixed::<1>, shape, budget, most)?),
        2 => Box::new(Exact::new(Fixed::<2>, shape, budget, most)?),
        3 => Box::new(Exact::new(Fixed::<3>, shape, budget, most)?),
        4 => Box::new(Exact::new(Fixed::<4>, shape, budget, most)?),
        5 => Box::new(Exact::new(Fixed::<5>, shape, budget, most)?),
        6 => Box::new(Exact::new(Fixed::<6>, shape, budget, most)?),
        7 => Box::new(Exact::new(Fixed::<7>, shape, budget, most)?),
        8 => Box::new(Exact::new(Fixed::<8>, shape, budget, most)?),
        words => Box::new(Exact::new(Dynamic(words), shape, budget, most)?),
    })
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
