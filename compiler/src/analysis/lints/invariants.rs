//! Invariants that have the same value in every state: they check nothing.

use super::truth::{Ranges, Subject};
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{ExpressionKind, PropertyKind};
use crate::semantics::visit::has_call;

pub fn lint(subject: Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let properties = subject.model.properties.iter();
    let invariants = properties.filter(|property| property.kind == PropertyKind::Invariant);
    for invariant in invariants {
        let mut ranges = Ranges::new(subject, &invariant.frame, &invariant.scopes);
        ranges.expression(&invariant.condition);
        let Some(truth) = ranges.truth(&invariant.condition) else { continue };
        // A function may be called for the assertions in it.
        if has_call(&invariant.condition) {
            continue;
        }
        let message = format!("the invariant \"{}\" is {truth} in every state", invariant.name);
        let mut diagnostic = Diagnostic::warning("constant-invariant", invariant.condition.span, message);
        if !matches!(invariant.condition.kind, ExpressionKind::Constant(_)) {
            diagnostic = diagnostic.label("decided by the ranges of its types").help(if truth {
                "all it can find is an error of its own evaluation, such as a variable that is undefined"
            } else {
                "the search ends in the first state"
            });
        }
        found.push(diagnostic);
    }
    found
}
