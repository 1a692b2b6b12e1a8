//! Formulas that say nothing about the model: true, false or never triggered whatever its states
//! are. Conditions count as independent of each other, unless the ranges of types decide them.

use super::Why;
use super::normal::Normal;
use super::parts::conjuncts;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, PropertyKind};
use crate::semantics::temporal::Formula;
use mcc_runtime::temporal::automaton::Automaton;

/// What is strange about the `ltl` properties of a model. `decided` has the value of each condition
/// that has the same value in every state.
pub(crate) fn lint(model: &Model, decided: &[Option<bool>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for claim in &model.claims {
        let property = model.properties.get(claim.property);
        let Some(property) = property.filter(|property| property.kind == PropertyKind::Ltl) else { continue };
        let parts = conjuncts(&claim.formula);
        let is_true = parts.iter().all(|part| is_empty(part, false, decided));
        let is_false = parts.iter().any(|part| is_empty(part, true, decided));
        let idle = parts.iter().filter_map(trigger).any(|trigger| is_empty(trigger, true, decided));
        let name = &property.name;
        let warn = |code, message: String, help: &str| {
            Diagnostic::warning(code, property.header, message).help(help.to_owned())
        };
        if is_false {
            let message = format!("no run fulfils the formula \"{name}\", whatever the model does");
            let help = "it is violated by every model; check its signs and operators";
            found.push(warn("formula-always-false", message, help));
        } else if idle {
            let message = format!("the formula \"{name}\" is never triggered");
            let help = "what stands before `->` or `leadsto` is false in every state";
            found.push(warn("formula-never-triggered", message, help));
        } else if is_true {
            let message = format!("every run fulfils the formula \"{name}\", whatever the model does");
            let help = "it checks nothing; check its signs and operators";
            found.push(warn("formula-always-true", message, help));
        }
    }
    found
}

/// Whether no word fulfils a formula, or its negation. What is not known is taken not to be so.
fn is_empty(formula: &Formula, positive: bool, decided: &[Option<bool>]) -> bool {
    let mut normal = Normal { decided: decided.to_vec(), ..Normal::default() };
    let built: Result<_, Why> = normal.build(formula, positive);
    let Ok(built) = built else { return false };
    Automaton::new(&normal.formulas, built).is_ok_and(|automaton| automaton.is_empty())
}

/// What stands before `->`.
fn trigger(formula: &Formula) -> Option<&Formula> {
    match formula {
        Formula::Always(inner) => trigger(inner),
        Formula::Or(parts) => match parts.as_slice() {
            [Formula::Not(before), _] => Some(before),
            _ => None,
        },
        _ => None,
    }
}
