//! The way back from a state, which follows from the predecessor of every state.
//!
//! Only the predecessor's number is kept, in the visited set: four bytes a state. Which rule led from one to the other is found out
//! again when a trace is wanted, by expanding the states on it.

use super::{Broken, Path, Replay};
use crate::context::Context;
use crate::model::{Firing, Model, RuleId, StartId};
use crate::reduction::form::Form;
use crate::state::codec::Codec;
use crate::successors::Successors;
use crate::visited::{StateIndex, Visited};

/// The path by which a state was found, checked state by state against what is stored.
///
/// It is one concrete run: the states on it need not be those that are stored, but have the same form.
pub fn reconstruct(
    model: &dyn Model,
    context: &Context,
    codec: &Codec,
    visited: &dyn Visited,
    form: &mut Form,
    state: StateIndex,
) -> Result<Path, Broken> {
    let chain = chain(visited, state)?;
    let stored: Vec<Vec<u64>> = chain
        .iter()
        .map(|&index| {
            let mut words = Vec::new();
            visited.load(index, &mut words);
            form.of(&codec.decode_one(&words))
        })
        .collect();
    let Some((first, others)) = stored.split_first() else {
        return Err(Broken { step: 0, what: "the path is empty" });
    };
    let start = find_start(model, context, form, first)?;
    let mut replay = Replay::new(model, context, start)?;
    let mut rules = Vec::with_capacity(others.len());
    let mut successors = Successors::new(model.description().words);
    for (step, next) in others.iter().enumerate() {
        let rule = find_rule(model, context, form, replay.state(), next, &mut successors)
            .ok_or(Broken { step: step + 1, what: "no rule leads to the next state" })?;
        if form.of(replay.fire(rule)?) != *next {
            return Err(Broken { step: step + 1, what: "firing a rule alone gives another state" });
        }
        rules.push(rule);
    }
    Ok(Path { start, rules })
}

/// The states from a start state to this one.
fn chain(visited: &dyn Visited, state: StateIndex) -> Result<Vec<StateIndex>, Broken> {
    let mut chain = vec![state];
    let mut at = state;
    while let Some(predecessor) =
        visited.origin(at).ok_or(Broken { step: 0, what: "a state is not there" })?.predecessor()
    {
        // Predecessors were found earlier, so this ends.
        if chain.len() as u64 >= visited.len() {
            return Err(Broken { step: 0, what: "a state is its own predecessor" });
        }
        at = predecessor;
        chain.push(at);
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
        .ok_or(Broken { step: 0, what: "no start state begins the path" })
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
