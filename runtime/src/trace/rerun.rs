//! Finding the states on a path again, of which only signatures are known.
//!
//! From a start state on, each state is expanded as the search did it, and the successor with the signature of the next
//! record is the next state. With few bits there may be several; then each is tried, until the path ends in the right state.

use super::Broken;
use crate::context::Context;
use crate::model::{Firing, Model, StartId};
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::form::canonicaliser;
use crate::search::Settings;
use crate::state::codec::Codec;
use crate::successors::Successors;
use crate::visited::Visited;

/// What it takes to do again what the search did.
pub struct Rerun<'a> {
    model: &'a dyn Model,
    context: Context,
    pub codec: &'a Codec,
    canonicaliser: Option<Canonicaliser<'a>>,
    successors: Successors,
}

impl<'a> Rerun<'a> {
    pub fn new(model: &'a dyn Model, settings: &Settings, codec: &'a Codec) -> Self {
        Rerun {
            model,
            context: settings.rerun_context(model.description()),
            codec,
            canonicaliser: canonicaliser(model, settings.symmetry, settings.keep_slots),
            successors: Successors::new(model.description().words),
        }
    }

    /// States from a start state to `end` that have these signatures.
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
                self.expand(&path[path.len() - 1]);
                possible.push(self.with_signature(visited, signatures.get(path.len()).copied()));
            } else if path[path.len() - 1] == end {
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
                self.successors.push(crate::model::RuleId(start.0), &state);
            }
        }
    }

    fn expand(&mut self, state: &[u64]) {
        self.successors.clear();
        self.model.expand(&self.context, &mut state.to_vec(), &mut self.successors);
    }

    /// The successors with this signature, each once and the first one last.
    fn with_signature(&mut self, visited: &dyn Visited, signature: Option<u64>) -> Vec<Vec<u64>> {
        let mut found: Vec<Vec<u64>> = Vec::new();
        for at in (0..self.successors.len()).rev() {
            let state = self.successors.state_mut(at);
            if let Some(canonicaliser) = &mut self.canonicaliser {
                canonicaliser.canonicalise(state);
            }
            if visited.signature(&self.codec.encode_one(state)) == signature {
                found.retain(|other| other != state);
                found.push(state.to_vec());
            }
        }
        found
    }
}
