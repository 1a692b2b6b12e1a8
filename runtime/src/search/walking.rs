//! Path compression: a state with one successor is walked through, and so on, until there is a
//! choice. What is walked through is checked like every other state, and not stored.
//!
//! So the visited set has the start states, and the successors of states that have several. What is
//! walked through follows from where the walk begins, and neither from the order of the search nor
//! from what else is stored: counts do not depend on the number of threads, and a trace finds the
//! states between two that are stored again ([`crate::trace::rerun`]).
//!
//! A walk that comes back to where it was has seen everything there is to see
//! ([`crate::expansion::cycle`]).

use super::errors::waiting::Pending;
use super::inserter::Inserter;
use super::site::Halt;
use crate::contract::model::Description;
use crate::contract::problem::problem_of;
use crate::contract::successors::Successors;
use crate::expansion::Expander;
use crate::expansion::cycle::CycleDetector;
use crate::expansion::portion::{Portion, bytes_of};
use crate::frontier::Level;
use crate::visited::StateIndex;

/// Steps between two looks at whether it is time to stop.
const PATIENCE: u64 = 1024;

/// What was walked through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkStats {
    /// States walked through and not stored; one that several ways lead to is counted each time.
    pub states: u64,
    /// The most of them between two states that are stored.
    pub longest: u64,
    /// Walks that came back to where they were.
    pub circles: u64,
}

impl WalkStats {
    pub fn join(&mut self, other: &WalkStats) {
        self.states += other.states;
        self.longest = self.longest.max(other.longest);
        self.circles += other.circles;
    }
}

/// Walks, for one thread.
#[derive(Debug)]
pub struct PathWalker {
    /// Where the walk is.
    at: Vec<u64>,
    successors: Successors,
    cycle: CycleDetector,
    /// The first successor of a state that has more than a piece of them.
    first: Vec<u64>,
}

/// What a walk has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// A cycle, or a state that is not expanded.
    Nothing,
    /// A state whose successors are all in the buffer.
    Few,
    /// A state with more successors than a piece of them.
    Many,
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// Where in its batch is the state.
    pub from: usize,
    pub index: StateIndex,
    pub level: Level,
}

impl PathWalker {
    pub fn new(description: &Description, portion: Portion) -> Self {
        PathWalker {
            at: Vec::new(),
            successors: Successors::in_pieces(description.words, portion.enough()),
            cycle: CycleDetector::default(),
            first: Vec::new(),
        }
    }

    /// Bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        self.successors.bytes() + bytes_of(&self.at) + bytes_of(&self.first) + self.cycle.bytes()
    }

    /// The state at which a walk has ended.
    pub fn end(&mut self) -> &mut [u64] {
        &mut self.at
    }

    /// Walks from a state, and appends the successors of the one where the walk ends to the
    /// expander's buffer; none where it goes in a cycle or comes to a violating state. True: there
    /// are many of them, and they are still to be made, from [`PathWalker::end`].
    pub fn walk(
        &mut self,
        expander: &mut Expander<'_>,
        inserter: &mut Inserter<'_>,
        beginning: Beginning,
        state: &[u64],
        stopped: &dyn Fn() -> Option<Halt>,
    ) -> Result<bool, Halt> {
        // What it walks through is expanded into a buffer of its own.
        expander.exchange_successors(&mut self.successors);
        let walked = self.walk_on(expander, inserter, beginning, state, stopped);
        expander.exchange_successors(&mut self.successors);
        let end = walked?;
        if end == End::Few {
            for (at, &rule) in self.successors.rules().iter().enumerate() {
                expander.successors_mut().adopt(rule, self.successors.state(at));
            }
        }
        Ok(end == End::Many)
    }

    fn walk_on(
        &mut self,
        expander: &mut Expander<'_>,
        inserter: &mut Inserter<'_>,
        beginning: Beginning,
        state: &[u64],
        stopped: &dyn Fn() -> Option<Halt>,
    ) -> Result<End, Halt> {
        let Beginning { from, index, level } = beginning;
        let pending = |words: &[u64], problem| Pending {
            from,
            level,
            state: Some(index),
            words: words.into(),
            problem,
        };
        self.at.clear();
        self.at.extend_from_slice(state);
        self.cycle.begin(state);
        let mut length = 0;
        let mut end = End::Nothing;
        loop {
            expander.examine(&mut self.at)?;
            expander.begin();
            let (mut has_first, mut is_only) = (false, true);
            let is_wide = loop {
                expander.successors_mut().clear();
                expander.fire(&mut self.at);
                inserter.tally.count(expander.successors());
                expander.problems(&mut self.at, |at, problem| inserter.problems.push(pending(at, problem)));
                expander.reduce();
                let successors = expander.successors();
                if !has_first && !successors.is_empty() {
                    has_first = true;
                    self.first.clear();
                    self.first.extend_from_slice(successors.state(0));
                }
                is_only &= (0..successors.len()).all(|at| *successors.state(at) == *self.first);
                let is_piece = successors.is_piece();
                if !expander.go_on() {
                    break is_piece;
                }
            };
            if !(has_first && is_only) {
                end = if is_wide { End::Many } else { End::Few };
                break;
            }
            if self.cycle.is_met(&self.first) {
                inserter.tally.walked.circles += 1;
                break;
            }
            self.at.copy_from_slice(&self.first);
            length += 1;
            inserter.tally.walked.states += 1;
            inserter.settings.watch.see(&self.at, &mut inserter.watched);
            if let Err(violation) = expander.check(&mut self.at) {
                inserter.problems.violated(expander, pending(&self.at, problem_of(violation)));
                break;
            }
            if length % PATIENCE == 0
                && let Some(halt) = stopped()
            {
                return Err(halt);
            }
            if inserter.stop_early().is_err() {
                break;
            }
        }
        inserter.tally.walked.longest = inserter.tally.walked.longest.max(length);
        Ok(end)
    }
}
