//! Finding the states on a path again, of which only signatures are known.
//!
//! From a start state on, each state is expanded as the search did it, and the successor with the signature of the next
//! record is the next state. With few bits there may be several; then each is tried, until the path ends in the right state.
//!
//! Where paths were compressed, it walks through states as the search did, and puts them into the path.

use super::Broken;
use crate::context::Context;
use crate::model::{Firing, Model, RuleId, StartId};
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::form::canonicaliser;
use crate::search::Settings;
use crate::search::expansion::reduce;
use crate::search::walking::{Marker, only};
use crate::state::codec::Codec;
use crate::successors::Successors;
use crate::visited::Visited;

/// What it takes to do again what the search did.
pub struct Rerun<'a> {
    model: &'a dyn Model,
    context: Context,
    pub codec: &'a Codec,
    canonicaliser: Option<Canonicaliser<'a>>,
    /// In the form in which states are stored.
    successors: Successors,
    /// Whether states with one successor were walked through.
    compress_paths: bool,
    marker: Marker,
}

impl<'a> Rerun<'a> {
    pub fn new(model: &'a dyn Model, settings: &Settings, codec: &'a Codec) -> Self {
        Rerun {
            model,
            context: settings.rerun_context(model.description()),
            codec,
            canonicaliser: canonicaliser(model, settings.extent()),
            successors: Successors::new(model.description().words),
            compress_paths: settings.compress_paths,
            marker: Marker::default(),
        }
    }

    /// States from a start state that have these signatures; the last one is `end`, or leads there by a walk.
    pub fn find(
        &mut self,
        visited: &dyn Visited,
        signatures: &[u64],
        end: &[u64],
    ) -> Result<Vec<Vec<u64>>, Broken> {
        let mut path: Vec<Vec<u64>> = Vec::new();
        self.begin();
        // For each state on the path, those that are still to be tried in its place.
        let mut possible = vec![self.with_signature(visited, signatures.first().copied())];
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
                self.expand_stored(&path[path.len() - 1]);
                possible.push(self.with_signature(visited, signatures.get(path.len()).copied()));
            } else if self.walk(&path[path.len() - 1], end, &mut |_| Ok(()))? {
                return Ok(path);
            }
        }
        Err(Broken::new(furthest + 1, "no state has the signature of the next record"))
    }

    /// The start states, as if they were successors.
    fn begin(&mut self) {
        self.successors.clear();
        let mut state = vec![0; self.model.description().words];
        for start in (0..self.model.description().start_instances()).map(StartId) {
            state.fill(0);
            if self.model.start(&self.context, start, &mut state) == Firing::Fired {
                self.successors.push(RuleId(start.0), &state);
            }
        }
        reduce(&mut self.canonicaliser, &mut self.successors, 0);
    }

    fn expand(&mut self, state: &[u64]) {
        self.successors.clear();
        self.model.expand(&self.context, &mut state.to_vec(), &mut self.successors);
        reduce(&mut self.canonicaliser, &mut self.successors, 0);
    }

    /// The same for a stored state: the successors are those that were stored in turn.
    fn expand_stored(&mut self, state: &[u64]) {
        self.expand(state);
        if !self.compress_paths {
            return;
        }
        self.marker.begin(state);
        while let Some(next) = only(&self.successors).map(<[u64]>::to_vec) {
            if self.marker.is_met(&next) {
                self.successors.clear();
                return;
            }
            self.expand(&next);
        }
    }

    /// Visits the states on the walk from a stored state to another one, which is the last of them; none if it is the same state. False: no
    /// walk leads there.
    pub fn walk(
        &mut self,
        from: &[u64],
        to: &[u64],
        visit: &mut dyn FnMut(&[u64]) -> Result<(), Broken>,
    ) -> Result<bool, Broken> {
        if from == to {
            return Ok(true);
        }
        if !self.compress_paths {
            return Ok(false);
        }
        self.marker.begin(from);
        self.expand(from);
        loop {
            if (0..self.successors.len()).any(|at| self.successors.state(at) == to) {
                visit(to)?;
                return Ok(true);
            }
            let Some(next) = only(&self.successors).map(<[u64]>::to_vec) else { return Ok(false) };
            if self.marker.is_met(&next) {
                return Ok(false);
            }
            self.expand(&next);
            visit(&next)?;
        }
    }

    /// Whether states between two that are stored were walked through.
    pub fn fills(&self) -> bool {
        self.compress_paths
    }

    /// The successors with this signature, each once and the first one last.
    fn with_signature(&mut self, visited: &dyn Visited, signature: Option<u64>) -> Vec<Vec<u64>> {
        let mut found: Vec<Vec<u64>> = Vec::new();
        for at in (0..self.successors.len()).rev() {
            let state = self.successors.state(at);
            if visited.signature(&self.codec.encode_one(state)) == signature {
                found.retain(|other| other != state);
                found.push(state.to_vec());
            }
        }
        found
    }
}
