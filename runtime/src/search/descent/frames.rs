//! The path, and the successors of its states that wait for their turn. Both are stacks, and may go
//! to disk.

use crate::contract::model::RuleId;
use crate::frontier::Level;
use crate::spool::Supply;
use crate::spool::lifo::Lifo;
use crate::storage::ResourceError;
use crate::visited::Origin;

/// Bytes of a block, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;

/// A state on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its number in the visited set, as its successors have it.
    pub state: Origin,
    /// The rule that led to it.
    pub rule: RuleId,
    /// How many of its successors wait.
    pub waiting: u32,
    /// See [`super::sums`].
    pub sum: u64,
}

/// What is known of a successor that waits, beside the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The rule that leads to it.
    pub rule: RuleId,
    pub hash: u64,
    /// See [`super::sums`].
    pub sum: u64,
}

impl Frame {
    /// What is before the start states.
    pub const ROOT: Frame = Frame { state: Origin::START, rule: RuleId(0), waiting: 0, sum: 0 };

    pub fn is_root(&self) -> bool {
        self.state == Origin::START
    }
}

#[derive(Debug)]
pub struct Frames {
    /// The path without its end: three words for each state.
    path: Lifo,
    /// The words of each state, and [`Next`].
    waiting: Lifo,
    words: usize,
}

impl Frames {
    /// For stored states of `words` words.
    pub fn new(words: usize, supply: &Supply) -> Self {
        Frames {
            path: Lifo::new(3, BLOCK, &supply.part(1, 3)),
            waiting: Lifo::new(words + 3, BLOCK, &supply.part(2, 3)),
            words,
        }
    }

    pub fn waiting(&self) -> u64 {
        self.waiting.len()
    }

    /// The level of the successors of the state at the end of the path.
    pub fn next_level(&self) -> Level {
        Level(u32::try_from(self.path.len()).unwrap_or(u32::MAX))
    }

    pub fn push(&mut self, frame: Frame) -> Result<(), ResourceError> {
        self.path.make_room()?;
        if let Some([first, second, sum]) = self.path.push() {
            *first = frame.state.0;
            *second = u64::from(frame.rule.0) << 32 | u64::from(frame.waiting);
            *sum = frame.sum;
        }
        Ok(())
    }

    pub fn pop(&mut self) -> Result<Option<Frame>, ResourceError> {
        Ok(match self.path.pop()? {
            Some(&[first, second, sum]) => Some(Frame {
                state: Origin(first),
                rule: RuleId((second >> 32) as u32),
                waiting: second as u32,
                sum,
            }),
            Some(_) | None => None,
        })
    }

    /// A successor of the state at the end of the path waits.
    #[inline]
    pub fn wait(&mut self, state: &[u64], next: Next) -> Result<(), ResourceError> {
        self.waiting.make_room()?;
        if let Some(place) = self.waiting.push() {
            let (words, rest) = place.split_at_mut(self.words.min(place.len()));
            words.copy_from_slice(state);
            if let [rule, hash, sum] = rest {
                (*rule, *hash, *sum) = (u64::from(next.rule.0), next.hash, next.sum);
            }
        }
        Ok(())
    }

    /// The hash of the one that is taken next, if it is at hand.
    #[inline]
    pub fn peek(&self) -> Option<u64> {
        self.waiting.peek().and_then(|place| place.get(self.words + 1)).copied()
    }

    /// The one that came last.
    #[inline]
    pub fn take(&mut self, state: &mut Vec<u64>) -> Result<Option<Next>, ResourceError> {
        state.clear();
        let Some(place) = self.waiting.pop()? else { return Ok(None) };
        let (words, rest) = place.split_at(self.words.min(place.len()));
        state.extend_from_slice(words);
        Ok(match *rest {
            [rule, hash, sum] => Some(Next { rule: RuleId(rule as u32), hash, sum }),
            _ => None,
        })
    }
}
