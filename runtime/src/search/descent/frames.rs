//! The path, and the successors of its states that wait for their turn. Both are stacks, and may go to disk.

use crate::frontier::Level;
use crate::model::RuleId;
use crate::spool::lifo::Lifo;
use crate::spool::{Shortage, Supply};
use crate::visited::Origin;

/// Bytes of a block, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;

/// A state on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its number in the visited set.
    pub index: u32,
    /// The rule that led to it.
    pub rule: RuleId,
    /// How many of its successors wait.
    pub waiting: u32,
    /// How many rules slept in the state before it.
    pub asleep: u32,
    /// See [`super::sums`].
    pub sum: u64,
}

impl Frame {
    /// What is before the start states.
    pub const ROOT: Frame = Frame { index: Origin::START.0, rule: RuleId(0), waiting: 0, asleep: 0, sum: 0 };

    pub fn is_root(&self) -> bool {
        self.index == Origin::START.0
    }
}

#[derive(Debug)]
pub struct Frames {
    /// The path without its end: three words for each state.
    path: Lifo,
    /// The words of each state, its rule and its sum.
    waiting: Lifo,
    words: usize,
}

impl Frames {
    /// For stored states of so many words.
    pub fn new(words: usize, supply: &Supply) -> Self {
        Frames {
            path: Lifo::new(3, BLOCK, &supply.part(1, 3)),
            waiting: Lifo::new(words + 2, BLOCK, &supply.part(2, 3)),
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

    pub fn push(&mut self, frame: Frame) -> Result<(), Shortage> {
        self.path.make_room()?;
        if let Some([first, second, sum]) = self.path.push() {
            *first = u64::from(frame.rule.0) << 32 | u64::from(frame.index);
            *second = u64::from(frame.asleep) << 32 | u64::from(frame.waiting);
            *sum = frame.sum;
        }
        Ok(())
    }

    pub fn pop(&mut self) -> Result<Option<Frame>, Shortage> {
        Ok(match self.path.pop()? {
            Some(&[first, second, sum]) => Some(Frame {
                index: first as u32,
                rule: RuleId((first >> 32) as u32),
                waiting: second as u32,
                asleep: (second >> 32) as u32,
                sum,
            }),
            Some(_) | None => None,
        })
    }

    /// A successor of the state at the end of the path waits.
    pub fn wait(&mut self, state: &[u64], rule: RuleId, sum: u64) -> Result<(), Shortage> {
        self.waiting.make_room()?;
        if let Some(place) = self.waiting.push() {
            let (words, rest) = place.split_at_mut(self.words.min(place.len()));
            words.copy_from_slice(state);
            if let [number, of_state] = rest {
                (*number, *of_state) = (u64::from(rule.0), sum);
            }
        }
        Ok(())
    }

    /// The one that came last: its rule and its sum.
    pub fn take(&mut self, state: &mut Vec<u64>) -> Result<Option<(RuleId, u64)>, Shortage> {
        state.clear();
        let Some(place) = self.waiting.pop()? else { return Ok(None) };
        let (words, rest) = place.split_at(self.words.min(place.len()));
        state.extend_from_slice(words);
        Ok(match rest {
            [rule, sum] => Some((RuleId(*rule as u32), *sum)),
            _ => None,
        })
    }
}
