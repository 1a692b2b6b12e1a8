//! Everything that is wrong with a program, or deserves a warning, without running it: what the
//! checker finds while it types the program, and what is found by looking at the finished model.

use std::collections::HashSet;

use super::reach::Reach;
use super::{Analysis, slots, symmetry};
use crate::diagnostics::{Diagnostic, Severity};
use crate::semantics;
use crate::semantics::model::Model;
use crate::syntax::tree::Program;

/// Checks a program. The model is `None` only if one of the diagnostics is an error; the
/// diagnostics stand in the order of the text. What was found out about the model on the way comes
/// with it.
pub(crate) fn check(program: &Program) -> (Option<(Model, Analysis)>, Vec<Diagnostic>) {
    let (model, analysis, diagnostics) = check_what_is_there(program);
    (analysis.map(|analysis| (model, analysis)), diagnostics)
}

/// Checks a program that may be damaged. The model means something only where no diagnostic is an
/// error, and only then there is an analysis.
pub(crate) fn check_what_is_there(program: &Program) -> (Model, Option<Analysis>, Vec<Diagnostic>) {
    let (model, mut diagnostics) = semantics::check(program);
    let reach = Reach::new(&model);
    slots::check(&model, &reach, &mut diagnostics);
    // A model with mistakes has types that are none.
    let analysis = (!has_errors(&diagnostics) && !program.damaged).then(|| {
        let (proof, doubts) = symmetry::prove(&model, &reach);
        diagnostics.extend(doubts);
        Analysis::new(reach, proof)
    });
    (model, analysis, tidy(diagnostics))
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
