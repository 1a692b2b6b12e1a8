//! The errors of the JSON report. They are written one state at a time: the path of an error is
//! replayed while it is written, so that neither the number of errors nor the length of their
//! traces matters for memory.

use crate::contract::context::Context;
use crate::contract::model::{Description, Model, RuleId, StartId};
use crate::contract::problem::Path;
use crate::contract::problem::{Finding, Lasso, Problem, Treatment};
use crate::contract::values::{Instance, State, instance, variables};
use crate::report::document::Findings;
use crate::trace::{Replay, TraceError};
use serde::Serialize;
use serde::ser::{Error, SerializeSeq, Serializer};
use std::collections::BTreeMap;

/// All errors that are kept.
pub struct Errors<'a>(pub Findings<'a>);

impl Serialize for Errors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Findings { model, context, kept } = self.0;
        serializer.collect_seq(kept.iter().map(|finding| error(model, context, finding)))
    }
}

/// An error.
#[derive(Serialize)]
pub struct ErrorFigures<'a> {
    kind: &'static str,
    message: String,
    property: Option<&'static str>,
    rule: Option<&'static str>,
    parameters: Option<Parameters>,
    line: Option<u32>,
    column: Option<u32>,
    pub trace: Option<Trace<'a>>,
    /// Of a run that goes on for ever.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    looped: Option<LoopFigures>,
    /// Why there is no trace, where there should be one.
    trace_missing: Option<&'static str>,
}

/// The loop of a run: the states of the trace from `begins` on, counted from 0, come again and
/// again.
#[derive(Debug, Serialize)]
struct LoopFigures {
    begins: usize,
    fairness: Vec<FairFigures>,
}

/// Why a rule is treated fairly in the loop: a step that fires it, or a state of the trace in which
/// it is not enabled.
#[derive(Debug, Serialize)]
struct FairFigures {
    rule: &'static str,
    parameters: Parameters,
    strong: bool,
    fired_in_step: Option<usize>,
    disabled_in_state: Option<usize>,
}

fn looped(description: &Description, lasso: &Lasso) -> LoopFigures {
    let fair = lasso.fair.iter().map(|treated| {
        let found = instance(description.rules, treated.rule.0);
        let (fired_in_step, disabled_in_state) = match treated.how {
            Treatment::Fires(step) => (Some(step + 1), None),
            Treatment::Disabled(state) => (None, Some(state)),
            Treatment::NeverEnabled => (None, None),
        };
        FairFigures {
            rule: found.as_ref().map_or("", |found| found.family.name),
            parameters: found.as_ref().map(parameters).unwrap_or_default(),
            strong: treated.strong,
            fired_in_step,
            disabled_in_state,
        }
    });
    LoopFigures { begins: lasso.stem, fairness: fair.collect() }
}

/// The names of parameters and their values as they print. Of parameters of one name the last
/// counts.
pub type Parameters = BTreeMap<&'static str, String>;

#[derive(Debug, Serialize)]
struct Step {
    rule: &'static str,
    family: usize,
    parameters: Parameters,
    /// `None` for a rule that went wrong.
    state: Option<State>,
}

/// The steps of a path; the last is the rule that goes wrong, if that is the problem.
pub struct Trace<'a> {
    pub model: &'a dyn Model,
    pub context: &'a Context,
    pub path: &'a Path,
    pub problem: Option<Problem>,
}

/// An error with the trace to it.
pub fn error<'a>(model: &'a dyn Model, context: &'a Context, finding: &'a Finding) -> ErrorFigures<'a> {
    let description = model.description();
    // The rule that failed, or else the one that led to the state.
    let last = || finding.path.as_ref().and_then(|path| path.rules.last());
    let led = || last().and_then(|rule| instance(description.rules, rule.0));
    let culprit = finding.problem.culprit(description).or_else(led);
    let position = finding.problem.position(description);
    let trace = |path| Trace { model, context, path, problem: Some(finding.problem) };
    ErrorFigures {
        kind: finding.problem.kind(description),
        message: finding.problem.message(description),
        property: finding.problem.property_name(description),
        rule: culprit.as_ref().map(|found| found.family.name),
        parameters: culprit.as_ref().map(parameters),
        line: position.map(|position| position.line),
        column: position.map(|position| position.column),
        trace: finding.path.as_ref().map(trace),
        looped: finding.lasso.as_ref().map(|lasso| looped(description, lasso)),
        trace_missing: finding.untraced.map(|why| why.word()),
    }
}

pub fn parameters(instance: &Instance) -> Parameters {
    instance
        .arguments
        .iter()
        .map(|argument| (argument.parameter.name, argument.label().into_owned()))
        .collect()
}

impl Serialize for Trace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Trace { model, context, path, problem } = *self;
        let description = model.description();
        let step = |found: Option<Instance>, state: Option<&[u64]>| Step {
            rule: found.as_ref().map_or("", |found| found.family.name),
            family: found.as_ref().map_or(0, |found| found.index),
            parameters: found.as_ref().map(parameters).unwrap_or_default(),
            state: state.map(|state| State(variables(description, state))),
        };
        let broken = |broken: TraceError| S::Error::custom(broken);
        let mut steps = serializer.serialize_seq(None)?;
        let mut replay = Replay::new(model, context, path.start).map_err(broken)?;
        let StartId(start) = path.start;
        steps.serialize_element(&step(instance(description.starts, start), Some(replay.state())))?;
        for &RuleId(rule) in &path.rules {
            let state = replay.fire(RuleId(rule)).map_err(broken)?;
            steps.serialize_element(&step(instance(description.rules, rule), Some(state)))?;
        }
        if let Some(Problem::RuleFault { rule: RuleId(rule), .. }) = problem {
            steps.serialize_element(&step(instance(description.rules, rule), None))?;
        }
        steps.end()
    }
}
