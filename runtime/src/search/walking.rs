//! Path compression: a state with one successor is walked through, and so on, until there is a
//! choice. What is walked through is checked like every other state, and not stored.
//!
//! So the visited set has the start states, and the successors of states that have several. What is
//! walked through follows from where the walk begins, and neither from the order of the search nor
//! from what else is stored: counts do not depend on the number of threads, and a trace finds the
//! states between two that are stored again ([`crate::trace::rerun`]).
//!
//! A walk that comes back to where it was has seen everything there is to see. The algorithm that
//! this follows keeps a set of the states of the walk to notice that. Here it is one state, the
//! *marker*, which is moved on to where the walk is whenever the walk has become twice as long
//! (Brent). In a circle it is met before the walk has gone round three times, and nothing needs to
//! be kept.

use super::Ending;
use super::errors::found::{Before, problems_in};
use super::errors::waiting::Pending;
use super::expansion::reduce;
use super::keeping::Keeper;
use super::portion::{Portion, bytes_of};
use super::site::Halt;
use crate::contract::context::Context;
use crate::contract::model::{Description, Model};
use crate::contract::problem::problem_of;
use crate::contract::successors::Successors;
use crate::frontier::Level;
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::check::SymmetryCheck;
use crate::settings::Settings;
use crate::visited::StateIndex;

/// Whether it is time to stop is asked every so many steps.
const PATIENCE: u64 = 1024;

/// What was walked through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// States walked through and not stored; one that several ways lead to is counted each time.
    pub states: u64,
    /// The most of them between two states that are stored.
    pub longest: u64,
    /// Walks that came back to where they were.
    pub circles: u64,
}

impl Walked {
    pub fn join(&mut self, other: &Walked) {
        self.states += other.states;
        self.longest = self.longest.max(other.longest);
        self.circles += other.circles;
    }
}

/// Notices that a walk goes in a circle.
#[derive(Debug, Default)]
pub struct Marker {
    state: Vec<u64>,
    steps: u64,
}

impl Marker {
    /// A walk begins here.
    pub fn begin(&mut self, state: &[u64]) {
        self.steps = 0;
        self.put(state);
    }

    /// Whether the walk has been in this state, as far as the marker can tell.
    pub fn is_met(&mut self, state: &[u64]) -> bool {
        if self.state == state {
            return true;
        }
        self.steps += 1;
        if self.steps.is_power_of_two() {
            self.put(state);
        }
        false
    }

    fn put(&mut self, state: &[u64]) {
        self.state.clear();
        self.state.extend_from_slice(state);
    }
}

/// Walks, for one thread.
#[derive(Debug)]
pub struct Walker {
    /// Where the walk is.
    at: Vec<u64>,
    successors: Successors,
    marker: Marker,
    /// The first successor of a state that has more than a piece of them.
    first: Vec<u64>,
    /// For expanding the end of a walk once more: what happens there has been counted and printed.
    quiet: Context,
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// Where in its batch is the state.
    pub from: usize,
    pub index: StateIndex,
    pub level: Level,
}

impl Walker {
    pub fn new(description: &Description, settings: &Settings, portion: Portion) -> Self {
        Walker {
            at: Vec::new(),
            successors: Successors::in_pieces(description.words, portion.enough()),
            marker: Marker::default(),
            first: Vec::new(),
            quiet: settings.rerun_context(description),
        }
    }

    /// Bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        self.successors.bytes() + bytes_of(&self.at) + bytes_of(&self.first) + bytes_of(&self.marker.state)
    }

    /// Appends the successors of the state at which a walk has ended, those of the piece that is
    /// due.
    pub fn expand_end(&mut self, model: &dyn Model, into: &mut Successors) {
        model.expand(&self.quiet, &mut self.at, into);
    }

    /// Walks from a state, and appends the successors of the one where the walk ends; none where it
    /// goes in a circle or comes to a state that is wrong. True: there are many of them, and they
    /// are still to be made ([`Walker::expand_end`]).
    pub fn walk(
        &mut self,
        keeper: &mut Keeper<'_>,
        beginning: Beginning,
        state: &[u64],
        (canonicaliser, check): (&mut Option<Canonicaliser<'_>>, &mut Option<SymmetryCheck>),
        stopped: &dyn Fn() -> Option<Halt>,
        into: &mut Successors,
    ) -> Result<bool, Halt> {
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
        self.marker.begin(state);
        let mut length = 0;
        let mut is_wide;
        loop {
            if let Some(check) = check {
                check
                    .examine(keeper.model, &mut self.at)
                    .map_err(|difference| Halt::Ended(Ending::Asymmetric(difference)))?;
            }
            self.successors.begin();
            let (mut has_way_out, mut has_first, mut is_only) = (false, false, true);
            is_wide = loop {
                self.successors.clear();
                keeper.model.expand(&keeper.context, &mut self.at, &mut self.successors);
                keeper.tally.count(&self.successors);
                problems_in(
                    &self.successors,
                    Before::default(),
                    keeper.settings,
                    &mut has_way_out,
                    |problem| keeper.problems.push(pending(&self.at, problem)),
                );
                reduce(canonicaliser, &mut self.successors, 0);
                if !has_first && !self.successors.is_empty() {
                    has_first = true;
                    self.first.clear();
                    self.first.extend_from_slice(self.successors.state(0));
                }
                is_only &= (0..self.successors.len()).all(|at| *self.successors.state(at) == *self.first);
                let is_last = !self.successors.is_cut();
                let is_piece = self.successors.is_piece();
                self.successors.go_on();
                if is_last {
                    break is_piece;
                }
            };
            if !(has_first && is_only) {
                if !is_wide {
                    for (at, &rule) in self.successors.rules().iter().enumerate() {
                        into.adopt(rule, self.successors.state(at));
                    }
                }
                break;
            }
            is_wide = false;
            if self.marker.is_met(&self.first) {
                keeper.tally.walked.circles += 1;
                break;
            }
            self.at.copy_from_slice(&self.first);
            length += 1;
            keeper.tally.walked.states += 1;
            keeper.settings.watch.see(&self.at, &mut keeper.watched);
            if let Err(violation) = keeper.model.check(&keeper.context, &mut self.at) {
                keeper.problems.violated(keeper.model, pending(&self.at, problem_of(violation)));
                break;
            }
            if length % PATIENCE == 0
                && let Some(halt) = stopped()
            {
                return Err(halt);
            }
            if keeper.stop_early().is_err() {
                break;
            }
        }
        keeper.tally.walked.longest = keeper.tally.walked.longest.max(length);
        Ok(is_wide)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However long the way into a circle and the circle are, it is noticed, and not before every
    /// state in it was seen.
    #[test]
    fn circles_are_noticed_in_time() {
        for tail in 0..40u64 {
            for circle in 1..40u64 {
                let next = |state: u64| if state + 1 == tail + circle { tail } else { state + 1 };
                let mut marker = Marker::default();
                marker.begin(&[0]);
                let (mut state, mut seen, mut steps) = (0, vec![0], 0);
                while !marker.is_met(&[next(state)]) {
                    state = next(state);
                    steps += 1;
                    seen.push(state);
                    assert!(steps <= 3 * (tail + circle) + 3, "{tail} {circle}");
                }
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len() as u64, tail + circle, "{tail} {circle}");
            }
        }
    }
}
