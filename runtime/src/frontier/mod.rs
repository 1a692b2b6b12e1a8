//! "What is left to expand?" Every kind of frontier answers through [`Frontier`], a batch at a
//! time.

pub(crate) mod left_out;
pub(crate) mod levels;
pub(crate) mod stack;

use crate::storage::ResourceError;
use crate::visited::{Renumbering, Share, StateIndex};

/// The number of rules fired on the way from a start state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(pub u32);

impl Level {
    #[must_use]
    pub fn next(self) -> Level {
        Level(self.0.saturating_add(1))
    }
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
    /// New states of one level. All states come here, or are left out, in the order in which they
    /// were found.
    fn push(&mut self, level: Level, states: &[StateIndex]) -> Result<(), ResourceError>;

    /// A new state that is not to be expanded.
    fn leave_out(&mut self, state: StateIndex) -> Result<(), ResourceError>;

    /// Moves states of one level, `most` of them at most, into `taken` (which is empty). `None`:
    /// there is nothing left that may be expanded now.
    fn take(
        &mut self,
        share: &mut dyn Share,
        most: usize,
        taken: &mut Taken,
    ) -> Result<Option<Level>, ResourceError>;

    /// After [`Frontier::take`] has given `None`: goes on to the next level. Says how many states
    /// wait in it.
    fn advance(&mut self) -> u64;

    /// How many states are waiting.
    fn len(&self) -> u64;

    /// How many of them belong to the level at work, about; all, where there are no levels.
    fn left(&self) -> u64 {
        self.len()
    }

    /// The states of the visited set have other numbers now. Happens between two levels, where
    /// there are levels.
    fn renumber(&mut self, renumbering: &Renumbering) -> Result<(), ResourceError>;
}
