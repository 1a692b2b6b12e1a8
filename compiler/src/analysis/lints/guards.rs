//! Guards that are never true: the rule never fires.

use super::truth::{Ranges, Subject};
use crate::diagnostics::Diagnostic;

pub fn lint(subject: Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for rule in &subject.model.rules {
        let Some(guard) = &rule.guard else { continue };
        let mut ranges = Ranges::new(subject, &rule.frame, &rule.scopes);
        ranges.expression(guard);
        if ranges.truth(guard) == Some(false) {
            let message = format!("the guard of the rule \"{}\" is never true", rule.name);
            found.push(
                Diagnostic::warning("guard-never-true", guard.span, message).label("the rule never fires"),
            );
        }
    }
    found
}
