//! Finding the states on a path again, of which only signatures are known.
//!
//! From a start state on, each state is expanded as the search did it, and the successor with the
//! signature of the next record is the next state. With few bits there may be several; then each is
//! tried, until the path ends in the state that was found.
//!
//! Where paths were compressed, it walks through states as the search did, and puts them into the
//! path.

use super::TraceError;
use crate::contract::model::Model;
use crate::expansion::Expander;
use crate::expansion::cycle::CycleDetector;
use crate::expansion::starts::Starts;
use crate::settings::Settings;
use crate::state::codec::Codec;
use crate::visited::Visited;
use std::ops::ControlFlow;

/// What it takes to do again what the search did.
pub struct Rerun<'a> {
    expander: Expander<'a>,
    pub codec: &'a Codec,
    /// Whether states with one successor were walked through.
    compress_paths: bool,
    cycle: CycleDetector,
}

impl<'a> Rerun<'a> {
    pub fn new(model: &'a dyn Model, settings: &Settings, codec: &'a Codec) -> Self {
        Rerun {
            expander: Expander::for_rerun(model, settings),
            codec,
            compress_paths: settings.compresses_paths(),
            cycle: CycleDetector::default(),
        }
    }

    /// States from a start state that have these signatures; the last one is `end`, or leads there
    /// by a walk.
    pub fn find(
        &mut self,
        visited: &dyn Visited,
        signatures: &[u64],
        end: &[u64],
    ) -> Result<Vec<Vec<u64>>, TraceError> {
        let mut path: Vec<Vec<u64>> = Vec::new();
        // For each state on the path, those that are still to be tried in its place.
        let mut possible = vec![self.starts_with(visited, signatures.first().copied())];
        let mut furthest = 0;
        while let Some(states) = possible.last_mut() {
            let state = states.pop();
            path.truncate(possible.len() - 1);
            let Some(state) = state else {
                possible.pop();
                continue;
            };
            furthest = furthest.max(path.len());
            path.push(state);
            if path.len() < signatures.len() {
                let signature = signatures.get(path.len()).copied();
                possible.push(self.successors_with(visited, &path[path.len() - 1], signature));
            } else if self.walk(&path[path.len() - 1], end, &mut |_| Ok(()))? {
                return Ok(path);
            }
        }
        Err(TraceError::new(furthest + 1, "no state has the signature of the next record"))
    }

    /// The start states with this signature, as [`Rerun::successors_with`] has them.
    fn starts_with(&mut self, visited: &dyn Visited, signature: Option<u64>) -> Vec<Vec<u64>> {
        let mut starts = Starts::default();
        let mut found = Vec::new();
        loop {
            let more = self.expander.start_again(&mut starts);
            let made = self.expander.successors();
            for at in 0..made.len() {
                keep(visited, self.codec, signature, made.state(at), &mut found);
            }
            if !more {
                break;
            }
        }
        found.reverse();
        found
    }

    /// The states that were stored as successors of a stored state and have this signature, each
    /// once and the first one last.
    fn successors_with(
        &mut self,
        visited: &dyn Visited,
        state: &[u64],
        signature: Option<u64>,
    ) -> Vec<Vec<u64>> {
        let mut found = Vec::new();
        if let Some(end) = self.end_of_walk(state) {
            let codec = self.codec;
            self.each::<()>(&end, |next| {
                keep(visited, codec, signature, next, &mut found);
                ControlFlow::Continue(())
            });
        }
        found.reverse();
        found
    }

    /// Goes through the successors of a state, in the form in which states are stored.
    fn each<B>(&mut self, state: &[u64], mut deal: impl FnMut(&[u64]) -> ControlFlow<B>) -> Option<B> {
        self.expander.each_piece(&mut state.to_vec(), |piece| {
            (0..piece.len()).try_for_each(|at| deal(piece.state(at)))
        })
    }

    /// The only state that a state leads to, by however many rules.
    fn only(&mut self, state: &[u64]) -> Option<Vec<u64>> {
        let mut first: Option<Vec<u64>> = None;
        let other = self.each(state, |next| match &first {
            None => {
                first = Some(next.to_vec());
                ControlFlow::Continue(())
            }
            Some(first) if first == next => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        });
        first.filter(|_| other.is_none())
    }

    /// Where the walk from a stored state ends, whose successors were stored. `None`: it goes in a
    /// cycle.
    fn end_of_walk(&mut self, state: &[u64]) -> Option<Vec<u64>> {
        let mut at = state.to_vec();
        if !self.compress_paths {
            return Some(at);
        }
        self.cycle.begin(state);
        while let Some(next) = self.only(&at) {
            if self.cycle.is_met(&next) {
                return None;
            }
            at = next;
        }
        Some(at)
    }

    /// Visits the states on the walk from a stored state to another one, which is the last of them;
    /// none if it is the same state. False: no walk leads there.
    pub fn walk(
        &mut self,
        from: &[u64],
        to: &[u64],
        visit: &mut dyn FnMut(&[u64]) -> Result<(), TraceError>,
    ) -> Result<bool, TraceError> {
        if from == to {
            return Ok(true);
        }
        if !self.compress_paths {
            return Ok(false);
        }
        self.cycle.begin(from);
        let mut at = from.to_vec();
        loop {
            let leads_there = self.each(&at, |next| match next == to {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            if leads_there.is_some() {
                visit(to)?;
                return Ok(true);
            }
            let Some(next) = self.only(&at) else { return Ok(false) };
            if self.cycle.is_met(&next) {
                return Ok(false);
            }
            visit(&next)?;
            at = next;
        }
    }

    /// Whether states between two that are stored were walked through.
    pub fn fills(&self) -> bool {
        self.compress_paths
    }
}

/// Keeps a state that has this signature, if it is not kept already.
fn keep(
    visited: &dyn Visited,
    codec: &Codec,
    signature: Option<u64>,
    state: &[u64],
    found: &mut Vec<Vec<u64>>,
) {
    if visited.signature(&codec.encode_one(state)) == signature && !found.iter().any(|other| other == state) {
        found.push(state.to_vec());
    }
}
