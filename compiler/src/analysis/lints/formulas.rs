//! Formulas that say nothing about the model, with what the ranges of types decide.

use super::truth::{Ranges, Subject};
use crate::analysis::monitors;
use crate::diagnostics::Diagnostic;

pub fn lint(subject: Subject<'_>) -> Vec<Diagnostic> {
    let decided = subject.model.atoms.iter().map(|atom| {
        let mut ranges = Ranges::new(subject, &atom.frame, &atom.scopes);
        ranges.expression(&atom.condition);
        ranges.truth(&atom.condition)
    });
    monitors::lint::lint(subject.model, &decided.collect::<Vec<_>>())
}
