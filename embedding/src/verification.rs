//! What a generated module does with its model.

use crate::decode::{Decode, DecodeError};
use mcc_runtime::embedding::{self, Move, Options, Report, State, TooLarge, Value, Verdict, Walker};
use mcc_runtime::model::Model;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The outcome of a search, with states of the type `S` of the generated module.
#[derive(Clone, Debug)]
pub struct Verification<S> {
    /// Everything that is known about the search.
    pub report: Report,
    states: PhantomData<S>,
}

/// A rule (or a start state) with its parameters, and the state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<S> {
    /// The name of the rule, or of the start state.
    pub rule: String,
    /// Its parameters by their names, as they print: `process_1`, `3`.
    pub parameters: BTreeMap<String, String>,
    /// The state after it; none after a rule that goes wrong.
    pub state: Option<S>,
}

impl<S> Step<S> {
    /// A parameter as a type of the generated module, or as a number.
    pub fn parameter<T: Decode>(&self, name: &str) -> Result<T, DecodeError> {
        let text = self.parameters.get(name).cloned().unwrap_or_default();
        let value = match text.parse() {
            Ok(number) => Value::Number(number),
            Err(_) if text == "true" || text == "false" => Value::Boolean(text == "true"),
            Err(_) => Value::Name(text),
        };
        T::decode(&value)
    }
}

impl<S> fmt::Display for Step<S> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.rule)?;
        for (name, value) in &self.parameters {
            write!(to, ", {name}: {value}")?;
        }
        Ok(())
    }
}

impl<S: Decode> Verification<S> {
    /// Whether all states were searched and no error is in them.
    pub fn is_verified(&self) -> bool {
        self.report.verdict == Verdict::Verified
    }

    /// For tests: `Ok` if the model was verified, otherwise the error with its trace, to read.
    pub fn verified(&self) -> Result<(), Violated> {
        self.report.verified().map_err(Violated)
    }

    /// The counterexample of the first error, if there is one.
    pub fn trace(&self) -> Result<Option<Vec<Step<S>>>, DecodeError> {
        let Some(trace) = self.report.errors.first().and_then(|error| error.trace.as_ref()) else {
            return Ok(None);
        };
        let step = |step: &embedding::Step| {
            Ok(Step {
                rule: step.rule.clone(),
                parameters: step.parameters.clone(),
                state: step.state.as_ref().map(decode_state).transpose()?,
            })
        };
        trace.iter().map(step).collect::<Result<_, _>>().map(Some)
    }
}

/// A model that was not verified. Its `Debug` is for people, since that is what a failing test
/// prints.
#[derive(Clone, PartialEq, Eq)]
pub struct Violated(String);

impl fmt::Debug for Violated {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.0)
    }
}

impl fmt::Display for Violated {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.0)
    }
}

impl std::error::Error for Violated {}

fn decode_state<S: Decode>(state: &State) -> Result<S, DecodeError> {
    S::decode(&Value::Parts(state.variables.clone()))
}

/// Searches a model; generated modules call it.
pub fn verify<S>(model: &dyn Model, options: &Options) -> Result<Verification<S>, embedding::VerifyError> {
    embedding::verify(model, options).map(|report| Verification { report, states: PhantomData })
}

/// A random walk through a model: its start state, and at most `length` steps.
pub fn random_walk<S: Decode>(
    model: &dyn Model,
    seed: u64,
    length: usize,
) -> Result<Vec<Step<S>>, DecodeError> {
    let mut walker = Walker::new(model);
    walker.random_walk(seed, length).iter().map(|found| step(&walker, found)).collect()
}

/// For each edge of a model's graph, the shortest path to it and the edge itself.
pub fn edges<S: Decode>(model: &dyn Model, most_states: usize) -> Result<Vec<Vec<Step<S>>>, EdgesError> {
    let mut walker = Walker::new(model);
    let graph = walker.graph(most_states).map_err(EdgesError::TooLarge)?;
    graph
        .edges()
        .map(|(from, found, _)| {
            let path = graph.path(from).into_iter().chain([found]);
            path.map(|found| step(&walker, found)).collect::<Result<_, _>>().map_err(EdgesError::Decode)
        })
        .collect()
}

/// Why there is no list of edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgesError {
    /// There are more states than the limit.
    TooLarge(TooLarge),
    /// A state does not have the types of the module.
    Decode(DecodeError),
}

impl fmt::Display for EdgesError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EdgesError::TooLarge(error) => write!(to, "{error}"),
            EdgesError::Decode(error) => write!(to, "{error}"),
        }
    }
}

impl std::error::Error for EdgesError {}

fn step<S: Decode>(walker: &Walker<'_>, found: &Move) -> Result<Step<S>, DecodeError> {
    Ok(Step {
        rule: found.rule.clone(),
        parameters: found.parameters.clone(),
        state: Some(decode_state(&walker.state(found))?),
    })
}
