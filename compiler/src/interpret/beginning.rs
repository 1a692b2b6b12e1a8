//! Formulas that every run breaks in its start state, whatever the model does afterwards: there the
//! conditions have values, and what a temporal operator says about later states is not known.

use super::Interpreter;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, PropertyKind};
use crate::source::Source;
use mcc_runtime::contract::context::Context;
use mcc_runtime::contract::deadlock::Choices;
use mcc_runtime::contract::model::{Firing, Model as _, StartId};
use mcc_runtime::contract::temporal::Formula;

/// Start states that are looked at; with more of them nothing is said.
const MOST_STARTS: u32 = 1 << 10;

/// A warning for each such formula.
pub(crate) fn lint(model: &Model, source: &Source) -> Vec<Diagnostic> {
    let is_ltl =
        |property: usize| model.properties.get(property).is_some_and(|one| one.kind == PropertyKind::Ltl);
    if !model.claims.iter().any(|claim| is_ltl(claim.property)) {
        return Vec::new();
    }
    let interpreter = Interpreter::new(model.clone(), source);
    let description = interpreter.description();
    let counters = description.properties.len() + description.cover_statements.len();
    let context = Context::new(counters).quiet();
    let Some(starts) = start_states(&interpreter, &context) else { return Vec::new() };
    let claims = interpreter.temporal().map_or(&[][..], |temporal| temporal.claims);
    let mut found = Vec::new();
    for (claim, formula) in model.claims.iter().zip(claims).filter(|(claim, _)| is_ltl(claim.property)) {
        let is_false = |start: &Vec<u64>| {
            let at = At { interpreter: &interpreter, context: &context, state: start };
            Choices::new(formula.parameters)
                .any(|mut values| at.value(&formula.formula, &mut values) == Some(false))
        };
        if !starts.is_empty()
            && starts.iter().all(is_false)
            && let Some(property) = model.properties.get(claim.property)
        {
            let name = &property.name;
            let message = format!("every run breaks the formula \"{name}\" in its start state");
            let help = "without `always` or `eventually` a condition speaks of the start state alone";
            found.push(Diagnostic::warning("formula-false-at-start", property.header, message).help(help));
        }
    }
    found
}

/// `None`: there are too many, or one cannot be made.
fn start_states(interpreter: &Interpreter, context: &Context) -> Option<Vec<Vec<u64>>> {
    let description = interpreter.description();
    let count = Some(description.start_instances()).filter(|count| *count <= MOST_STARTS)?;
    let made = |start| {
        let mut state = vec![0; description.words];
        match interpreter.start(context, StartId(start), &mut state) {
            Firing::Fired => Some(Some(state)),
            // There is no such run.
            Firing::Disabled | Firing::Pruned => Some(None),
            Firing::Faulted(_) => None,
        }
    };
    let made: Option<Vec<_>> = (0..count).map(made).collect();
    Some(made?.into_iter().flatten().collect())
}

/// A start state.
struct At<'a> {
    interpreter: &'a Interpreter,
    context: &'a Context,
    state: &'a [u64],
}

impl At<'_> {
    /// The value of a formula that all runs from here have in common; `None`: it is not known.
    fn value(&self, formula: &Formula, values: &mut Vec<i64>) -> Option<bool> {
        match formula {
            Formula::Constant(value) => Some(*value),
            Formula::Atom(atom) => {
                self.interpreter.atom(self.context, *atom, values, &mut self.state.to_vec()).ok()
            }
            Formula::Fired { .. } | Formula::Next(_) => None,
            Formula::Not(one) => self.value(one, values).map(|value| !value),
            Formula::And(all) => join(false, all.iter().map(|one| self.value(one, values))),
            Formula::Or(all) => join(true, all.iter().map(|one| self.value(one, values))),
            Formula::Always(one) => self.value(one, values).filter(|value| !value),
            Formula::Eventually(one) => self.value(one, values).filter(|value| *value),
            Formula::Until(left, right) | Formula::WeakUntil(left, right) => {
                match (self.value(left, values), self.value(right, values)) {
                    (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            Formula::Release(left, right) => match (self.value(left, values), self.value(right, values)) {
                (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Formula::Forall(parameter, body) | Formula::Exists(parameter, body) => {
                let decisive = matches!(formula, Formula::Exists(..));
                let turns = (0..i64::from(parameter.count)).map(|turn| {
                    values.push(parameter.first.wrapping_add(parameter.step.wrapping_mul(turn)));
                    let value = self.value(body, values);
                    values.pop();
                    value
                });
                join(decisive, turns)
            }
        }
    }
}

/// `decisive` if one of them is that, its opposite if all are.
fn join(decisive: bool, mut values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    let is_decided = values.any(|value| {
        known &= value.is_some();
        value == Some(decisive)
    });
    match (is_decided, known) {
        (true, _) => Some(decisive),
        (false, true) => Some(!decisive),
        (false, false) => None,
    }
}
