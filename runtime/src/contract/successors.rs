//! The buffer into which a model puts the successors of a state. The engines own it and reuse it.
//!
//! # Pieces
//! A state may have more successors than there is memory for. So a buffer has a bound on its
//! words: successors beyond it are *left out*. Once the engine has dealt with those in the buffer,
//! it has the model expand the same state again ([`Successors::go_on`]). Every rule
//! that is enabled, or cannot be evaluated, is one *event*; a model makes the same events in the
//! same order whenever it expands the same state. So the next piece passes by as many events as
//! were taken before, without running the bodies of their rules, and takes those that follow.
//! Guards are evaluated again for each piece.

mod attempt;
mod events;
mod rows;
mod sleep;
#[cfg(test)]
mod tests;
mod window;

pub use attempt::Change;

use crate::contract::fault::Fault;
use crate::contract::model::RuleId;
use rows::Row;
use window::Window;

/// A firing that ended in an error, in the guard or in the body.
#[derive(Clone, Copy, Debug)]
pub struct FaultyFiring {
    pub rule: RuleId,
    pub fault: Fault,
    /// The number that caused it, see [`Fault::value`].
    pub value: i64,
    /// The guard itself could not be evaluated: the rule did not fire.
    pub in_guard: bool,
}

/// Successor states one after the other, with the rules that led to them.
#[derive(Debug)]
pub struct Successors {
    width: usize,
    words: Vec<u64>,
    /// While there are fewer words, events are taken without further questions.
    most: usize,
    window: Window,
    rules: Vec<RuleId>,
    faults: Vec<FaultyFiring>,
    excluded: Vec<RuleId>,
    unchanged: Vec<RuleId>,
    /// Firings that an `assume` in the rule took back.
    pruned: u64,
    /// A bit for each rule that sleeps: it is counted where it is enabled, and does not fire.
    /// Shorter than there are rules, or empty, where the others do not.
    asleep: Row,
    /// A bit for each rule that sleeps or is known not to be enabled. Where all of a family have
    /// one, none of them need be tried.
    passed_over: Row,
    /// How many rules were enabled and slept.
    slept: u64,
}

impl Successors {
    /// For states of `width` words, however many of them there are.
    pub fn new(width: usize) -> Self {
        Successors::with_bound(width, None)
    }

    /// For expansion in pieces of about `words` words.
    pub fn in_pieces(width: usize, words: usize) -> Self {
        Successors::with_bound(width, Some(words.max(1)))
    }

    fn with_bound(width: usize, bound: Option<usize>) -> Self {
        Successors {
            width,
            words: Vec::new(),
            most: bound.unwrap_or(usize::MAX),
            window: Window::new(bound),
            rules: Vec::new(),
            faults: Vec::new(),
            excluded: Vec::new(),
            unchanged: Vec::new(),
            pruned: 0,
            asleep: Row::default(),
            passed_over: Row::default(),
            slept: 0,
        }
    }

    /// Bytes of its memory.
    pub fn bytes(&self) -> u64 {
        let lists = self.rules.capacity() + self.unchanged.capacity() + self.excluded.capacity();
        (self.words.capacity() * size_of::<u64>()
            + lists * size_of::<RuleId>()
            + self.faults.capacity() * size_of::<FaultyFiring>()) as u64
    }

    /// Removes all successors, but keeps the memory and the position of the next piece.
    pub fn clear(&mut self) {
        self.window.clear();
        self.words.clear();
        self.rules.clear();
        self.faults.clear();
        self.excluded.clear();
        self.unchanged.clear();
        self.pruned = 0;
        self.slept = 0;
    }

    /// Firings of rules of which only the number is known, and rules that failed: what was enabled
    /// does not follow from the other lists.
    #[inline]
    pub fn has_nameless(&self) -> bool {
        self.pruned > 0 || !self.faults.is_empty()
    }

    /// Whether rules did anything but lead to another state.
    #[inline]
    pub fn has_rare(&self) -> bool {
        !(self.unchanged.is_empty() && self.excluded.is_empty() && self.faults.is_empty())
    }

    /// How many firings there have been, of whatever end: says whether any rule was enabled.
    #[inline]
    pub fn firings(&self) -> u64 {
        self.taken() + self.window.elsewhere()
    }

    /// Events that are in the buffer.
    #[inline]
    fn taken(&self) -> u64 {
        let listed = self.rules.len() + self.unchanged.len() + self.faults.len() + self.excluded.len();
        listed as u64 + self.pruned + self.slept
    }

    /// Adds a state whatever the bound is, for engines that bring states here themselves.
    pub fn adopt(&mut self, rule: RuleId, state: &[u64]) {
        self.words.extend_from_slice(state);
        self.rules.push(rule);
    }

    /// Successors that differ from the state they come from.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub fn rules(&self) -> &[RuleId] {
        &self.rules
    }

    /// All successors' words, one state after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of one successor.
    pub fn state(&self, at: usize) -> &[u64] {
        self.words.get(at * self.width..(at + 1) * self.width).unwrap_or(&[])
    }

    pub fn state_mut(&mut self, at: usize) -> &mut [u64] {
        self.words.get_mut(at * self.width..(at + 1) * self.width).unwrap_or(&mut [])
    }

    pub fn faults(&self) -> &[FaultyFiring] {
        &self.faults
    }

    /// Rules that fired and led to the state itself.
    pub fn unchanged(&self) -> &[RuleId] {
        &self.unchanged
    }

    /// Rules that fired but led to a state that breaks an assumption: they count as fired, and as a
    /// way out of the state.
    pub fn excluded(&self) -> &[RuleId] {
        &self.excluded
    }
}
