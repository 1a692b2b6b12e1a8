//! "Have I seen this state?" Every kind of visited set answers through [`Visited`] and [`Share`], a
//! batch at a time.
//!
//! A set is made of *segments*, and the top bits of a state's hash say in which one it belongs.
//! A thread that works on a set holds a [`Share`] of it: some of its segments, and these alone. So
//! several threads work on one set without touching anything of each other's, and what does not
//! belong to a thread is sent to the one that owns it.

pub(crate) mod batch;
pub(crate) mod bounded;
pub(crate) mod cache;
pub(crate) mod compact;
pub(crate) mod disk;
pub(crate) mod exact;
pub(crate) mod kinds;
pub(crate) mod numbers;
pub(crate) mod plugin;
pub(crate) mod records;
pub(crate) mod signatures;
pub(crate) mod stats;
pub mod steps;
pub(crate) mod tree;
mod waiting;
mod wide;

use crate::checkpoint::{Persist, PersistPart};
use crate::contract::model::RuleId;
use crate::memory::{Budget, MemoryError};
use crate::state::codec::Codec;
use crate::storage::ResourceError;
use crate::storage::StorageError;
pub use batch::{Batch, Fresh};
use bounded::PathCacheStats;
pub use kinds::SetKind;
pub use numbers::{Origin, Own, Segmentation, StateIndex};
pub use stats::SetStats;
use std::ops::Range;
use std::sync::Arc;
pub use steps::Steps;

/// Why not all new states of a batch were inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertError {
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
    /// A cache evicts more states than the user allows.
    Collisions,
    /// A file that the search needs cannot be written or read.
    Disk(StorageError),
    /// The caller cancelled.
    Stopped,
}

impl std::fmt::Display for InsertError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let why = match self {
            InsertError::Memory => "out of memory",
            InsertError::Room => "as many states as are allowed were inserted",
            InsertError::Numbers => "states have no more numbers",
            InsertError::Table => "the table is full",
            InsertError::Probes => "none of the slots that may be probed is free",
            InsertError::Collisions => "too many states were evicted",
            InsertError::Disk(failure) => return failure.cause().fmt(formatter),
            InsertError::Stopped => "cancelled",
        };
        formatter.write_str(why)
    }
}

impl std::error::Error for InsertError {}

impl From<ResourceError> for InsertError {
    fn from(shortage: ResourceError) -> Self {
        match shortage {
            ResourceError::Memory => InsertError::Memory,
            ResourceError::Disk(failure) => InsertError::Disk(failure),
        }
    }
}

impl From<StorageError> for InsertError {
    fn from(failure: StorageError) -> Self {
        InsertError::Disk(failure)
    }
}

impl From<MemoryError> for InsertError {
    fn from(MemoryError: MemoryError) -> Self {
        InsertError::Memory
    }
}

/// A set of stored states.
pub trait Visited: Sync {
    /// How many states were inserted.
    fn len(&self) -> u64;

    fn segmentation(&self) -> Segmentation;

    /// Appends the words of a state to `into`.
    fn load(&self, index: StateIndex, into: &mut Vec<u64>);

    /// `None`: there is no such state.
    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError>;

    /// The signature by which a state in stored form is recalled. `None`: states are kept, and
    /// loaded.
    fn signature(&self, _: &[u64]) -> Option<u64> {
        None
    }

    /// Deals the segments out to `owners`, as [`Segmentation::owned`] says.
    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>>;

    /// The parts of a set that have these segments, one range after the other. None, where the set
    /// cannot be one of several processes.
    fn shares_of(&mut self, _: &[Range<usize>]) -> Vec<Box<dyn Share + '_>> {
        Vec::new()
    }

    /// Goes from one segment to many, which a set does once, when it is no longer small. States get
    /// other numbers. On an error nothing has changed. A set with records on disk cannot do that:
    /// it has as many segments from the beginning as it will ever have.
    fn spread(&mut self, _: Segmentation) -> Result<Renumbering, MemoryError> {
        Err(MemoryError)
    }

    /// From now on the steps to all states that are inserted are noted, if the set can do that; it
    /// is asked while it is empty.
    fn note_steps(&mut self) {}

    /// Whether it is worth trying.
    fn spreads(&self) -> bool {
        false
    }

    /// For going over the states once more, where the set keeps them all.
    fn finder(&self) -> Option<&dyn Find> {
        None
    }

    /// For checkpoints, if the set can be saved and made again.
    fn persist(&mut self) -> Option<&mut dyn Persist> {
        None
    }

    /// For checkpoints of several processes, if the set can be saved by segments.
    fn persist_part(&mut self) -> Option<&mut dyn PersistPart> {
        None
    }

    /// What bounds and reports need to know; `None`: this kind of set has nothing to report.
    fn stats(&self) -> Option<Box<dyn SetStats>> {
        None
    }
}

/// A set that keeps every inserted state, and finds its number.
pub trait Find: Visited {
    /// How many states there are in each segment.
    fn lengths(&self) -> Vec<u64>;

    /// Appends the numbers of states in stored form; `None`: it was not inserted.
    fn find(&self, states: &[u64], found: &mut Vec<Option<StateIndex>>);

    /// All steps by which states were inserted or found, where they were noted and are still there.
    fn steps(&self) -> Option<&Steps> {
        None
    }
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
    /// By their places in the one segment.
    pub indices: Vec<StateIndex>,
}

impl Renumbering {
    /// The new number of the state that had this one.
    pub fn new_number(&self, old: StateIndex) -> Option<StateIndex> {
        let place = Segmentation::new(0).place(old);
        self.indices.get(usize::try_from(place).ok()?).copied()
    }
}

/// The part of a set that one thread owns.
pub trait Share: Send {
    /// Appends the hashes of stored states, which say to which segments they belong, and their
    /// signatures if the set has a use for them.
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>);

    /// As [`Share::hash`] does, for successors. `origins` says of which states: most are among
    /// those loaded last, from which a successor differs in a few words. A set may use that, and
    /// need not.
    fn hash_successors(
        &self,
        states: &[u64],
        _origins: &[Origin],
        hashes: &mut Vec<u64>,
        signatures: &mut Vec<u64>,
    ) {
        self.hash(states, hashes, signatures);
    }

    /// Inserts the states of a batch at these positions, in this order, and appends those that are
    /// new to `fresh`. They all belong to this share. On an error the states in `fresh` are in the
    /// set nevertheless.
    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError>;

    /// Whether the states of a batch at these positions are all known.
    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool;

    /// For a search along a path; `None`: the set does not keep states.
    fn trail(&mut self) -> Option<&mut dyn Trail> {
        None
    }

    /// Appends the words of these states, which belong to this share, to `into`. They may have to
    /// be fetched, and each can be had once.
    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError>;

    /// Says that these states will be loaded soon.
    fn prefetch(&self, indices: &[StateIndex]);

    /// Whether there is something to do when all states of a level are expanded.
    fn gathers(&self) -> bool {
        false
    }

    /// Ends the level. No share inserts before all shares have done it.
    fn end_level(&mut self) {}

    /// Whether it is found out later which states are new: [`Share::insert`] gathers candidates and
    /// reports none, and [`Share::settle`] reports them. The thread that expands such a state
    /// checks it then, when its words are loaded.
    fn delays(&self) -> bool {
        false
    }

    /// Whether candidates should be settled before more of them come.
    fn is_full(&self) -> bool {
        false
    }

    /// Finds out which of the candidates gathered so far are new, and says how many. They are in
    /// the set from then on, unless they shall only be counted.
    fn settle(&mut self, _: Settlement, _: &mut dyn StateSink) -> Result<u64, InsertError> {
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

/// Receives the new states while candidates are settled, and may cancel that.
pub trait StateSink {
    /// New states, in the order in which they were found.
    fn found(&mut self, states: &[StateIndex]) -> Result<(), ResourceError>;

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
    /// Appends the number of each state of a batch that is known. They all belong here, and these
    /// rules lead to them.
    fn known(&mut self, batch: &Batch<'_>, rules: &[RuleId], known: &mut Vec<Option<StateIndex>>);

    /// The path goes on by this rule to the only state of a batch.
    fn enter(&mut self, batch: &Batch<'_>, rule: RuleId) -> Result<Entered, InsertError>;

    /// A state of this hash will be looked up soon.
    fn ask(&self, _hash: u64) {}

    /// The path goes on to a known state once more. It is left once more, too.
    fn enter_again(&mut self, _state: StateIndex, _from: Origin) {}

    /// All that lies behind a state was explored. This rule led to it.
    fn leave(&mut self, _state: StateIndex, _rule: RuleId) {}

    /// Its figures, if states are evicted.
    fn bounds(&self) -> Option<PathCacheStats> {
        None
    }
}

/// An exact set of states in the form of this codec, with `most` of them at most.
pub fn exact(
    codec: &Codec,
    budget: &Arc<Budget>,
    most: Option<u64>,
) -> Result<Box<dyn Visited>, MemoryError> {
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
