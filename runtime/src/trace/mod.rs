//! From a state back to a start state, and forward again in words.

pub mod log;
pub mod print;
pub mod records;
pub mod rerun;
pub mod values;

use crate::context::Context;
use crate::model::{Firing, Model, RuleId, StartId};
use crate::search::problem::{Problem, problem_of};
use crate::storage::Failure;
use crate::successors::{FaultyFiring, Successors};
use std::fmt;

/// A way from a start state: all that is needed to go it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub start: StartId,
    pub rules: Vec<RuleId>,
}

/// A path cannot be followed: the engine and the model do not agree on it, which is a mistake of ours and never of the user's, or a
/// file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub step: usize,
    pub what: &'static str,
    pub file: Option<Failure>,
}

impl Broken {
    pub fn new(step: usize, what: &'static str) -> Self {
        Broken { step, what, file: None }
    }
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Broken { step: 0, what: "a file cannot be read", file: Some(failure) }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "replaying a trace, step {}: {}", self.step, self.what)
    }
}

/// The problem as it is at the end of a concrete path: which instance of a rule or a property goes wrong, and where in it, depends
/// on the names of elements, and on where they are in multisets. A loop that can fail for two elements meets the one or the other
/// first, so the rule counts, and what is reported is what goes wrong at the end of this path.
pub fn relocate(
    model: &dyn Model,
    context: &Context,
    path: Option<&Path>,
    problem: Problem,
) -> Result<Problem, Broken> {
    let Some(path) = path else { return Ok(problem) };
    let end = || end_of(model, context, path);
    let broken = |what| Broken::new(path.rules.len(), what);
    match problem {
        Problem::RuleFault { rule, fault, in_guard, .. } => {
            let rules = model.description().rules;
            let family = |rule: RuleId| rules.partition_point(|family| family.first <= rule.0);
            let mut successors = Successors::new(model.description().words);
            model.expand(context, &mut end()?, &mut successors);
            let faults = || successors.faults().iter().filter(|faulty| family(faulty.rule) == family(rule));
            let same = faults().find(|faulty| faulty.fault == fault && faulty.in_guard == in_guard);
            let faulty = same.or_else(|| faults().next());
            let faulty = faulty.ok_or_else(|| broken("the rule does not go wrong at its end"))?;
            let FaultyFiring { rule, fault, value, in_guard } = *faulty;
            Ok(Problem::RuleFault { rule, fault, value, in_guard })
        }
        Problem::Deadlock => {
            let mut successors = Successors::new(model.description().words);
            model.expand(context, &mut end()?, &mut successors);
            match successors.is_empty() && successors.excluded().is_empty() {
                true => Ok(problem),
                false => Err(broken("a rule changes the state at its end")),
            }
        }
        Problem::Violated { .. } | Problem::PropertyFault { .. } => {
            let violation = model.check(context, &mut end()?).err();
            violation.map(problem_of).ok_or_else(|| broken("no property is wrong at its end"))
        }
        Problem::StartFault { .. } | Problem::NeverCovered { .. } => Ok(problem),
    }
}

/// The last state of a path.
fn end_of(model: &dyn Model, context: &Context, path: &Path) -> Result<Vec<u64>, Broken> {
    let mut replay = Replay::new(model, context, path.start)?;
    path.rules.iter().try_for_each(|&rule| replay.fire(rule).map(drop))?;
    Ok(replay.state)
}

/// The rules that fire in the last state of a path and do not change it.
pub fn unchanging_rules(model: &dyn Model, context: &Context, path: &Path) -> Result<Vec<RuleId>, Broken> {
    let mut successors = Successors::new(model.description().words);
    model.expand(context, &mut end_of(model, context, path)?, &mut successors);
    Ok(successors.unchanged().to_vec())
}

/// A path on which the model goes along, state by state.
pub struct Replay<'a> {
    model: &'a dyn Model,
    context: &'a Context,
    state: Vec<u64>,
    step: usize,
}

impl<'a> Replay<'a> {
    pub fn new(model: &'a dyn Model, context: &'a Context, start: StartId) -> Result<Self, Broken> {
        let mut state = vec![0; model.description().words];
        match model.start(context, start, &mut state) {
            Firing::Fired => Ok(Replay { model, context, state, step: 0 }),
            Firing::Disabled | Firing::Pruned | Firing::Faulted(_) => {
                Err(Broken::new(0, "the start state cannot be made again"))
            }
        }
    }

    pub fn state(&self) -> &[u64] {
        &self.state
    }

    pub fn fire(&mut self, rule: RuleId) -> Result<&[u64], Broken> {
        self.step += 1;
        match self.model.fire(self.context, rule, &mut self.state) {
            Firing::Fired => Ok(&self.state),
            Firing::Disabled | Firing::Pruned | Firing::Faulted(_) => {
                Err(Broken::new(self.step, "a rule of the trace does not fire again"))
            }
        }
    }
}
