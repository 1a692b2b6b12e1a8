//! The way back from a state, which follows from the predecessor of every state.
//!
//! Only the predecessor's number is kept. Which rule led from one to the other is found out again when a trace is wanted, by expanding
//! the states on it; and where states are not kept, so are they.

use super::rerun::Rerun;
use super::{Broken, Path, Replay};
use crate::context::Context;
use crate::model::{Firing, Model, RuleId, StartId};
use crate::reduction::form::Form;
use crate::successors::Successors;
use crate::visited::{Recalled, StateIndex, Visited};

/// The states on the path by which a state was found, as they were stored, in the form that models compute on. `end` is the last of them,
/// or was walked to from there.
pub fn stored_path(
    mut rerun: Rerun<'_>,
    visited: &dyn Visited,
    state: StateIndex,
    end: &[u64],
) -> Result<Vec<Vec<u64>>, Broken> {
    let chain = chain(visited, state)?;
    let signatures: Option<Vec<u64>> = chain.iter().map(|(_, recalled)| recalled.signature).collect();
    let stored = match signatures {
        Some(signatures) => rerun.find(visited, &signatures, end)?,
        None => chain
            .iter()
            .map(|&(index, _)| {
                let mut words = Vec::new();
                visited.load(index, &mut words);
                rerun.codec.decode_one(&words)
            })
            .collect(),
    };
    rerun.fill(stored, end)
}

/// The path through the states that are stored, checked state by state.
///
/// It is one concrete run: the states on it need not be those that are stored, but have the same form.
pub fn reconstruct(
    model: &dyn Model,
    context: &Context,
    form: &mut Form,
    stored: &[Vec<u64>],
) -> Result<Path, Broken> {
    let stored: Vec<Vec<u64>> = stored.iter().map(|state| form.of(state)).collect();
    let Some((first, others)) = stored.split_first() else {
        return Err(Broken::new(0, "the path is empty"));
    };
    let start = find_start(model, context, form, first)?;
    let mut replay = Replay::new(model, context, start)?;
    let mut rules = Vec::with_capacity(others.len());
    let mut successors = Successors::new(model.description().words);
    for (step, next) in others.iter().enumerate() {
        let rule = find_rule(model, context, form, replay.state(), next, &mut successors)
            .ok_or(Broken::new(step + 1, "no rule leads to the next state"))?;
        if form.of(replay.fire(rule)?) != *next {
            return Err(Broken::new(step + 1, "firing a rule alone gives another state"));
        }
        rules.push(rule);
    }
    Ok(Path { start, rules })
}

/// The states from a start state to this one.
fn chain(visited: &dyn Visited, state: StateIndex) -> Result<Vec<(StateIndex, Recalled)>, Broken> {
    let mut chain = Vec::new();
    let mut next = Some(state);
    while let Some(at) = next {
        // Predecessors were found earlier, so this ends.
        if chain.len() as u64 > visited.len() {
            return Err(Broken::new(0, "a state is its own predecessor"));
        }
        let recalled = visited.recall(at)?;
        let recalled = recalled.ok_or(Broken::new(0, "a state is not there"))?;
        chain.push((at, recalled));
        next = recalled.origin.predecessor();
    }
    chain.reverse();
    Ok(chain)
}

fn find_start(
    model: &dyn Model,
    context: &Context,
    form: &mut Form,
    wanted: &[u64],
) -> Result<StartId, Broken> {
    let mut state = vec![0; model.description().words];
    (0..model.description().start_instances())
        .map(StartId)
        .find(|&start| {
            state.fill(0);
            model.start(context, start, &mut state) == Firing::Fired && form.of(&state) == wanted
        })
        .ok_or(Broken::new(0, "no start state begins the path"))
}

fn find_rule(
    model: &dyn Model,
    context: &Context,
    form: &mut Form,
    state: &[u64],
    wanted: &[u64],
    successors: &mut Successors,
) -> Option<RuleId> {
    let mut state = state.to_vec();
    successors.clear();
    model.expand(context, &mut state, successors);
    let position = (0..successors.len()).find(|&at| form.of(successors.state(at)) == wanted)?;
    successors.rules().get(position).copied()
}
