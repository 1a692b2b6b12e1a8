//! The path back from a state, which follows from the predecessor of every state.
//!
//! Only the predecessor's number is kept. Which rule led from one to the other is found out again
//! when a trace is wanted, by expanding the states on it; and where states are not kept, so are
//! they.
//!
//! A path may be as long as there are states. What is held of it while it is followed is the
//! numbers of its states, and one of the states at a time. All that is counted.

use super::candidates::find;
use super::rerun::Rerun;
use super::{Replay, TraceError};
use crate::contract::context::Context;
use crate::contract::model::{Model, RuleId, StartId};
use crate::contract::problem::Path;
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::memory::Allowance;
use crate::reduction::form::Form;
use crate::visited::{StateIndex, Visited};
use std::ops::ControlFlow;

/// The path by which a state was found. `end` is that state in the form that models compute on, or
/// was walked to from there.
pub fn follow(
    mut rerun: Rerun<'_>,
    visited: &dyn Visited,
    mut tracer: Tracer<'_, '_>,
    (state, end): (StateIndex, &[u64]),
) -> Result<Path, TraceError> {
    let Chain { states, signatures } = chain(visited, state, tracer.memory)?;
    let kept = signatures.len() < states.len();
    let choices = match kept {
        true => Vec::new(),
        false => find(&mut rerun, visited, &signatures, end, tracer.memory)?,
    };
    let mut last: Vec<u64> = Vec::new();
    let mut go = |next: &[u64], rerun: &mut Rerun<'_>| match rerun.fills() && !last.is_empty() {
        true => {
            let walked = rerun.walk(&last, next, &mut |state| tracer.step(state))?;
            set(&mut last, next);
            if walked { Ok(()) } else { Err(TraceError::new(0, "no walk leads to the next state")) }
        }
        false => {
            set(&mut last, next);
            tracer.step(next)
        }
    };
    if kept {
        let mut words = Vec::new();
        for &index in &states {
            words.clear();
            visited.load(index, &mut words);
            go(&rerun.codec.decode_one(&words), &mut rerun)?;
        }
    } else {
        let mut state = Vec::new();
        for (step, &choice) in choices.iter().enumerate() {
            state = choice.state(step, &mut rerun, &state)?;
            go(&state, &mut rerun)?;
        }
    }
    if rerun.fills() {
        go(end, &mut rerun)?;
    }
    tracer.finish()
}

fn set(state: &mut Vec<u64>, words: &[u64]) {
    state.clear();
    state.extend_from_slice(words);
}

/// Finds one concrete run along the states of a path: its states need not be those that are stored,
/// but have the same form.
pub struct Tracer<'a, 'm> {
    model: &'m dyn Model,
    context: &'a Context,
    expander: Expander<'m>,
    form: &'a mut Form<'m>,
    memory: &'a mut Allowance,
    start: StartId,
    /// Where the run is; `None` before it has begun.
    replay: Option<Replay<'a>>,
    rules: Vec<RuleId>,
}

impl<'a, 'm: 'a> Tracer<'a, 'm> {
    pub fn new(
        model: &'m dyn Model,
        context: &'a Context,
        form: &'a mut Form<'m>,
        memory: &'a mut Allowance,
    ) -> Self {
        let (start, replay, rules) = (StartId(0), None, Vec::new());
        let expander = Expander::for_trace(model, context);
        Tracer { model, context, expander, form, memory, start, replay, rules }
    }

    /// Goes on to the next stored state.
    fn step(&mut self, next: &[u64]) -> Result<(), TraceError> {
        let next = self.form.of(next);
        let Some(replay) = &mut self.replay else {
            self.start = find_start(&mut self.expander, self.form, &next)?;
            self.replay = Some(Replay::new(self.model, self.context, self.start)?);
            return Ok(());
        };
        let step = self.rules.len() + 1;
        let rule = find_rule(&mut self.expander, self.form, replay.state(), &next)
            .ok_or(TraceError::new(step, "no rule leads to the next state"))?;
        if self.form.of(replay.fire(rule)?) != next {
            return Err(TraceError::new(step, "firing a rule alone gives another state"));
        }
        push(&mut self.rules, rule, self.memory)
    }

    fn finish(mut self) -> Result<Path, TraceError> {
        if self.replay.is_none() {
            return Err(TraceError::new(0, "the path is empty"));
        }
        self.rules.shrink_to_fit();
        Ok(Path { start: self.start, rules: self.rules })
    }
}

/// The numbers of the states from a start state to some state, and their signatures, where these
/// are stored.
struct Chain {
    states: Vec<StateIndex>,
    signatures: Vec<u64>,
}

fn chain(visited: &dyn Visited, state: StateIndex, memory: &mut Allowance) -> Result<Chain, TraceError> {
    let mut chain = Chain { states: Vec::new(), signatures: Vec::new() };
    let mut next = Some(state);
    while let Some(at) = next {
        // Predecessors were found earlier, so this ends.
        if chain.states.len() as u64 > visited.len() {
            return Err(TraceError::new(0, "a state is its own predecessor"));
        }
        let recalled = visited.recall(at)?;
        let recalled = recalled.ok_or(TraceError::new(0, "a state is not there"))?;
        push(&mut chain.states, at, memory)?;
        if let Some(signature) = recalled.signature {
            push(&mut chain.signatures, signature, memory)?;
        }
        next = recalled.origin.predecessor();
    }
    chain.states.reverse();
    chain.signatures.reverse();
    Ok(chain)
}

/// Appends to a list whose growth is counted.
fn push<T>(list: &mut Vec<T>, item: T, memory: &mut Allowance) -> Result<(), TraceError> {
    if list.len() == list.capacity() {
        let more = list.len().max(256) / 2;
        memory.take((more * size_of::<T>()) as u64)?;
        list.reserve_exact(more);
    }
    list.push(item);
    Ok(())
}

fn find_start(expander: &mut Expander<'_>, form: &mut Form, wanted: &[u64]) -> Result<StartId, TraceError> {
    let mut starts = Starts::default();
    loop {
        let more = expander.start_again(&mut starts);
        let made = expander.successors();
        let found = (0..made.len()).find(|&at| form.of(made.state(at)) == wanted);
        match found.and_then(|at| made.rules().get(at)) {
            Some(&RuleId(start)) => return Ok(StartId(start)),
            None if more => {}
            None => return Err(TraceError::new(0, "no start state begins the path")),
        }
    }
}

fn find_rule(expander: &mut Expander<'_>, form: &mut Form, state: &[u64], wanted: &[u64]) -> Option<RuleId> {
    expander.each_piece(&mut state.to_vec(), |piece| {
        let position = (0..piece.len()).find(|&at| form.of(piece.state(at)) == wanted);
        match position.and_then(|at| piece.rules().get(at)) {
            Some(&rule) => ControlFlow::Break(rule),
            None => ControlFlow::Continue(()),
        }
    })
}
