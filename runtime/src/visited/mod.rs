//! "Have I seen this state?" Every kind of visited set answers through [`Visited`], a batch at a time.

pub mod exact;

use crate::memory::Exhausted;

/// A state's number: the order in which states were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateIndex(pub u32);

/// Why not all new states of a batch were inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// There is no more memory.
    Memory,
    /// As many states as the caller has room for were inserted, and there is one more.
    Room,
    /// States have no more numbers.
    Numbers,
}

impl From<Exhausted> for Full {
    fn from(Exhausted: Exhausted) -> Self {
        Full::Memory
    }
}

/// A set of stored states.
pub trait Visited {
    /// Inserts `count` states that lie one after the other in `states`, in this order, and appends the positions in the
    /// batch of those that are new to `fresh`. New states are numbered on from [`Visited::len`]. At most `room` are inserted; on an error the
    /// states in `fresh` are in the set nevertheless.
    fn insert(&mut self, states: &[u64], count: usize, room: u64, fresh: &mut Vec<u32>) -> Result<(), Full>;

    /// How many states were inserted.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the words of these states to `into`.
    fn load(&self, indices: &[StateIndex], into: &mut Vec<u64>);
}

/// An exact set for states of `words` stored words.
pub fn exact(
    words: usize,
    budget: &std::sync::Arc<crate::memory::Budget>,
) -> Result<Box<dyn Visited>, Exhausted> {
    use crate::state::stride::{Dynamic, Fixed};
    use exact::Exact;
    let budget = budget.clone();
    Ok(match words {
        1 => Box::new(Exact::new(Fixed::<1>, budget)?),
        2 => Box::new(Exact::new(Fixed::<2>, budget)?),
        3 => Box::new(Exact::new(Fixed::<3>, budget)?),
        4 => Box::new(Exact::new(Fixed::<4>, budget)?),
        5 => Box::new(Exact::new(Fixed::<5>, budget)?),
        6 => Box::new(Exact::new(Fixed::<6>, budget)?),
        7 => Box::new(Exact::new(Fixed::<7>, budget)?),
        8 => Box::new(Exact::new(Fixed::<8>, budget)?),
        words => Box::new(Exact::new(Dynamic(words), budget)?),
    })
}
