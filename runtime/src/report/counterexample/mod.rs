//! A counterexample as data: its steps in words, and what each of them changes.
//!
//! - [`words`]: values and rules as people read them
//! - [`changes`]: what a step changes
//! - [`slice`]: the steps and values that an error depends on
//! - [`text`]: the trace on a terminal
//! - [`short`]: the slice on a terminal
//! - [`table`]: the trace as a table of variables and steps
//!
//! [`each_step`] replays a path, one state at a time; a trace may be longer than what fits into
//! memory.

pub(crate) mod changes;
pub(crate) mod short;
pub(crate) mod slice;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod words;

use crate::contract::context::Context;
use crate::contract::model::{Model, RuleId};
use crate::contract::problem::Path;
use crate::contract::values::{Instance, Value, instance, variables};
use crate::trace::{Replay, TraceError};
use changes::{Change, changes};

/// The values of all variables.
pub type Values = Vec<(&'static str, Value)>;

/// A step of a path, as it is shown.
pub struct Step<'a> {
    /// From 1 on; 0 is the start state.
    pub number: usize,
    /// The rule or start state with its parameters.
    pub instance: Option<&'a Instance>,
    /// Its name and parameters in words.
    pub title: String,
    pub changes: Vec<Change>,
    pub after: &'a Values,
}

/// Replays a path and shows each of its steps, the start state first. The result is the last state.
pub fn each_step(
    model: &dyn Model,
    context: &Context,
    path: &Path,
    mut show: impl FnMut(&Step<'_>),
) -> Result<Vec<u64>, TraceError> {
    let description = model.description();
    let mut replay = Replay::new(model, context, path.start)?;
    let mut before = variables(description, replay.state());
    let start = instance(description.starts, path.start.0);
    let title = start.as_ref().map_or_else(String::new, |found| words::title(found, &|_| None));
    show(&Step { number: 0, instance: start.as_ref(), title, changes: Vec::new(), after: &before });
    for (at, &rule) in path.rules.iter().enumerate() {
        let title = rule_title(model, rule, replay.state());
        let found = instance(description.rules, rule.0);
        let after = variables(description, replay.fire(rule)?);
        let changes = changes(&before, &after);
        show(&Step { number: at + 1, instance: found.as_ref(), title, changes, after: &after });
        before = after;
    }
    Ok(replay.state().to_vec())
}

/// A rule with its parameters in words, as it fires in a state.
pub fn rule_title(model: &dyn Model, rule: RuleId, state: &[u64]) -> String {
    let description = model.description();
    let Some(found) = instance(description.rules, rule.0) else {
        return format!("Rule {}", rule.0);
    };
    let element = |parameter: usize| {
        crate::contract::choice::chosen(model.choices(), description, &found, parameter, state)
    };
    words::title(&found, &element)
}
