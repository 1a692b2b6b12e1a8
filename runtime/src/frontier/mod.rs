//! "What is left to expand?" Every kind of frontier answers through [`Frontier`], a batch at a time.

pub mod queue;
pub mod stack;

use crate::memory::Exhausted;
use crate::visited::{StateIndex, Visited};

/// The number of rules fired on the way from a start state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(pub u32);

impl Level {
    #[must_use]
    pub fn next(self) -> Level {
        Level(self.0.saturating_add(1))
    }
}

/// New states of one level.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    pub level: Level,
    /// The number of the first; they are numbered consecutively.
    pub first: StateIndex,
    /// Where they are in `states`, counted in states.
    pub positions: &'a [u32],
    /// A batch of stored states; frontiers that keep states themselves copy from it.
    pub states: &'a [u64],
}

/// States taken to be expanded.
#[derive(Debug, Default)]
pub struct Taken {
    pub indices: Vec<StateIndex>,
    /// Their words in stored form, one state after the other.
    pub words: Vec<u64>,
}

impl Taken {
    pub fn clear(&mut self) {
        self.indices.clear();
        self.words.clear();
    }
}

/// States that are waiting.
pub trait Frontier {
    fn push(&mut self, found: Found<'_>) -> Result<(), Exhausted>;

    /// Moves states of one level, `most` of them at most, into `taken` (which is empty). `None`: there is nothing left.
    fn take(&mut self, visited: &dyn Visited, most: usize, taken: &mut Taken) -> Option<Level>;

    /// How many states are waiting.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
