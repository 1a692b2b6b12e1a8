//! A model that is explored: how a state is reached, whatever was asked before.
//!
//! Requests name a state by the way to it ([`Way`]), so the server keeps nothing that could be
//! lost. States that were reached are remembered, because the next way is mostly one step longer.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex};

use mcc_runtime::contract::problem::Problem;
use mcc_runtime::host::Settings;
use mcc_runtime::model::StartId;
use serde::{Deserialize, Serialize};

use super::search::Search;
use crate::interpret::Interpreter;
use crate::interpret::evaluate::{Evaluation, NoValue};
use crate::source::Source;
use crate::syntax::tree::Program;
use crate::walk::{Effect, Walker};

/// Longer ways are refused.
pub const MOST_STEPS: usize = 100_000;

/// How many numbers the remembered states and ways may have.
const MOST_REMEMBERED: usize = 8 << 20;

/// Expressions that are kept ready.
const MOST_EXPRESSIONS: usize = 256;

/// The way to a state: the number of a start state, and those of the rules' instances.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Way {
    pub start: u32,
    #[serde(default)]
    pub rules: Vec<u32>,
}

/// Where a way leads.
#[derive(Clone, Debug)]
pub enum Reached {
    State(Vec<u64>),
    /// The last rule, or the start state, ends in an error.
    Fault {
        before: Option<Vec<u64>>,
        problem: Problem,
    },
}

/// Why a request has no answer.
#[derive(Debug)]
pub struct Failure {
    pub status: u16,
    pub message: String,
    /// The step of a way that cannot be gone.
    pub step: Option<usize>,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { status: 422, message: message.into(), step: None }
    }

    fn at(step: usize, message: impl Into<String>) -> Failure {
        Failure { step: Some(step), ..Failure::new(message) }
    }
}

#[derive(Debug, Default)]
struct Remembered {
    states: HashMap<Way, Vec<u64>>,
    numbers: usize,
}

pub struct Explorer<'a> {
    pub interpreter: &'a Interpreter,
    pub program: &'a Program,
    pub source: &'a Source,
    pub settings: Settings,
    /// The verifier's options, for searches.
    pub arguments: Vec<OsString>,
    pub search: Search,
    remembered: Mutex<Remembered>,
    expressions: Mutex<HashMap<String, Arc<Evaluation>>>,
}

impl<'a> Explorer<'a> {
    pub fn new(
        interpreter: &'a Interpreter,
        program: &'a Program,
        source: &'a Source,
        settings: Settings,
        arguments: Vec<OsString>,
    ) -> Self {
        Explorer {
            interpreter,
            program,
            source,
            settings,
            arguments,
            search: Search::default(),
            remembered: Mutex::default(),
            expressions: Mutex::default(),
        }
    }

    pub fn walker(&self) -> Walker<'a> {
        Walker::new(self.interpreter, self.settings.clone())
    }

    /// Goes a way.
    pub fn reach(&self, walker: &Walker, way: &Way) -> Result<Reached, Failure> {
        let mut last = None;
        self.go(walker, way, &mut |_, reached| last = Some(reached))?;
        last.ok_or_else(|| Failure::new("there is no such state"))
    }

    /// Goes a way from the nearest state that is remembered, and says what each step leads to.
    fn go(&self, walker: &Walker, way: &Way, arrived: &mut dyn FnMut(usize, Reached)) -> Result<(), Failure> {
        let (mut at, mut state) = match self.recall(way) {
            Some((at, state)) => {
                arrived(at, Reached::State(state.clone()));
                (at, state)
            }
            None => match start(walker, way.start)? {
                Reached::State(state) => {
                    arrived(0, Reached::State(state.clone()));
                    (0, state)
                }
                fault @ Reached::Fault { .. } if way.rules.is_empty() => {
                    arrived(0, fault);
                    return Ok(());
                }
                Reached::Fault { .. } => return Err(Failure::at(0, "the start state ends in an error")),
            },
        };
        for rule in way.rules.iter().skip(at) {
            let before = state;
            at += 1;
            match step(walker, &before, *rule, at)? {
                Reached::State(next) => {
                    arrived(at, Reached::State(next.clone()));
                    state = next;
                }
                fault @ Reached::Fault { .. } if at == way.rules.len() => {
                    arrived(at, fault);
                    return Ok(());
                }
                Reached::Fault { .. } => {
                    return Err(Failure::at(at, "the rule ends in an error, so nothing follows it"));
                }
            }
        }
        self.remember(way, &state);
        Ok(())
    }

    /// Every state on a way, from the start.
    pub fn all(&self, walker: &Walker, way: &Way) -> Result<Vec<Reached>, Failure> {
        let mut found = Vec::new();
        let first = Way { start: way.start, rules: Vec::new() };
        let mut state = match start(walker, first.start)? {
            Reached::State(state) => state,
            fault @ Reached::Fault { .. } => return Ok(vec![fault]),
        };
        found.push(Reached::State(state.clone()));
        for (at, rule) in way.rules.iter().enumerate() {
            match step(walker, &state, *rule, at + 1)? {
                Reached::State(next) => {
                    found.push(Reached::State(next.clone()));
                    state = next;
                }
                fault @ Reached::Fault { .. } => {
                    found.push(fault);
                    return Ok(found);
                }
            }
        }
        self.remember(way, &state);
        Ok(found)
    }

    /// The state that a way leads to, or the one a step before.
    fn recall(&self, way: &Way) -> Option<(usize, Vec<u64>)> {
        let remembered = self.remembered.lock().ok()?;
        if let Some(state) = remembered.states.get(way) {
            return Some((way.rules.len(), state.clone()));
        }
        let (_, before) = way.rules.split_last()?;
        let shorter = Way { start: way.start, rules: before.to_vec() };
        remembered.states.get(&shorter).map(|state| (before.len(), state.clone()))
    }

    fn remember(&self, way: &Way, state: &[u64]) {
        let Ok(mut remembered) = self.remembered.lock() else { return };
        if remembered.numbers > MOST_REMEMBERED {
            *remembered = Remembered::default();
        }
        remembered.numbers += way.rules.len() + state.len() + 8;
        remembered.states.insert(way.clone(), state.to_vec());
    }

    /// An expression, ready to be evaluated.
    pub fn expression(&self, text: &str) -> Result<Arc<Evaluation>, NoValue> {
        let known = self.expressions.lock().ok().and_then(|known| known.get(text).cloned());
        if let Some(known) = known {
            return Ok(known);
        }
        let fresh = Arc::new(Evaluation::new(self.interpreter, self.program, self.source, text)?);
        if let Ok(mut known) = self.expressions.lock() {
            if known.len() >= MOST_EXPRESSIONS {
                known.clear();
            }
            known.insert(text.to_owned(), fresh.clone());
        }
        Ok(fresh)
    }
}

fn start(walker: &Walker, number: u32) -> Result<Reached, Failure> {
    if number >= walker.description().start_instances() {
        return Err(Failure::at(0, "the model has no such start state"));
    }
    match walker.start(StartId(number)).map(|found| found.effect) {
        Some(Effect::To(state)) => Ok(Reached::State(state)),
        Some(Effect::Fault(problem)) => Ok(Reached::Fault { before: None, problem }),
        Some(Effect::Excluded) | None => Err(Failure::at(0, "the start state breaks an assumption")),
    }
}

fn step(walker: &Walker, state: &[u64], rule: u32, number: usize) -> Result<Reached, Failure> {
    let found = walker.moves(state).into_iter().find(|found| found.number == rule);
    match found.map(|found| found.effect) {
        Some(Effect::To(next)) => Ok(Reached::State(next)),
        Some(Effect::Fault(problem)) => Ok(Reached::Fault { before: Some(state.to_vec()), problem }),
        Some(Effect::Excluded) => {
            Err(Failure::at(number, "the rule leads to a state that breaks an assumption"))
        }
        None => Err(Failure::at(number, "the rule is not enabled")),
    }
}
