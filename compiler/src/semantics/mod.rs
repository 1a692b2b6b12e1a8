//! Syntax tree in, typed model out: names, types, constants, and every check that needs no run.
//!
//! Two passes. The first walks the top level in the order of the text and declares constants, types,
//! variables and the signatures of functions; the second checks the bodies of functions and the rules,
//! which may therefore use whatever the model declares anywhere. A mistake becomes a diagnostic and a
//! *poisoned* type, which is compatible with everything, so that one mistake is reported once.

pub mod model;

mod calls;
mod checker;
mod compatibility;
mod constants;
mod cycles;
mod declarations;
mod definitions;
mod describe;
mod designators;
mod domains;
mod effects;
mod expressions;
mod functions;
mod membership;
mod multisets;
mod operators;
pub(crate) mod reach;
mod rules;
mod scopes;
pub(crate) mod slots;
mod statements;
mod type_expressions;
mod types;
mod undefined;
mod usage;
pub(crate) mod walk;

use std::collections::HashSet;

use crate::diagnostics::{Diagnostic, Severity};
use crate::syntax::tree::Program;
use model::Model;

/// Checks a model. The model is `None` only if one of the diagnostics is an error; the diagnostics
/// stand in the order of the text.
pub fn check(program: &Program) -> (Option<Model>, Vec<Diagnostic>) {
    let (model, diagnostics) = checker::Checker::new().program(program);
    let diagnostics = tidy(diagnostics);
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    (if failed { None } else { Some(model) }, diagnostics)
}

/// In the order of the text, and nothing said twice.
fn tidy(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut said = HashSet::new();
    diagnostics.retain(|one| said.insert((one.code, one.primary.span, one.message.clone())));
    diagnostics.sort_by_key(|one| (one.primary.span.start, one.severity));
    diagnostics
}
