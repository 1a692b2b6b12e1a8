//! Everything that is wrong with a program, or deserves a warning, without running it: what the
//! checker finds while it types the program, and what is found by looking at the finished model.

use std::collections::HashSet;

use super::{slots, symmetry};
use crate::diagnostics::{Diagnostic, Severity};
use crate::semantics;
use crate::semantics::model::Model;
use crate::syntax::tree::Program;

/// Checks a program. The model is `None` only if one of the diagnostics is an error; the
/// diagnostics stand in the order of the text.
pub(crate) fn check(program: &Program) -> (Option<Model>, Vec<Diagnostic>) {
    let (model, diagnostics) = check_what_is_there(program);
    (Some(model).filter(|_| !has_errors(&diagnostics)), diagnostics)
}

/// Checks a program that may be damaged. The model means something only where no diagnostic is an
/// error.
pub(crate) fn check_what_is_there(program: &Program) -> (Model, Vec<Diagnostic>) {
    let (model, mut diagnostics) = semantics::check(program);
    slots::check(&model, &mut diagnostics);
    // A model with mistakes has types that are none.
    if !has_errors(&diagnostics) && !program.damaged {
        symmetry::warn(&model, &mut diagnostics);
    }
    (model, tidy(diagnostics))
}

/// Whether one of them is an error, so that there is no model.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// In the order of the text, and nothing said twice.
fn tidy(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut said = HashSet::new();
    diagnostics.retain(|one| said.insert((one.code, one.primary.span, one.message.clone())));
    diagnostics.sort_by_key(|one| (one.primary.span.start, one.severity));
    diagnostics
}
