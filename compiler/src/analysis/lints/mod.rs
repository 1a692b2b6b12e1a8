//! What `mcc --check` warns of: things that are legal and have a meaning, and yet are hardly what
//! the author meant.
//!
//! A model is written for many values of its constants, and with the ones at hand a comparison may
//! be decided or a variable idle that matters with others. So a lint is reported only if it is
//! still there when the constants have other values ([`variants`]). Each lint is a file of its own;
//! a [`Diagnostic`] is all that it returns.

mod comparisons;
mod formulas;
mod functions;
mod guards;
mod invariants;
mod names;
mod rule_names;
mod truth;
mod usage;
mod variables;
mod variants;

use std::collections::HashSet;

use crate::analysis::checks;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::Model;
use crate::source::Span;
use crate::syntax::tree::Program;
use truth::Subject;

/// The lints of a model that has no errors.
pub fn lint(program: &Program, model: &Model, text: &str) -> Vec<Diagnostic> {
    // Whether a name is used does not depend on values, and in a variant constants are set, which
    // counts as a use.
    let mut found = of_values(program, model, text);
    found.extend(names::lint(model));
    found
}

/// Those lints that could be different with other values of the constants.
fn of_values(program: &Program, model: &Model, text: &str) -> Vec<Diagnostic> {
    let mut found = all(Subject { model, text });
    if found.is_empty() {
        return found;
    }
    for variant in variants::of(program, text.len()) {
        let (Some((model, _)), _) = checks::check(&variant) else { continue };
        let there: HashSet<(&str, Span)> =
            all(Subject { model: &model, text }).iter().map(|one| (one.code, one.primary.span)).collect();
        found.retain(|one| there.contains(&(one.code, one.primary.span)));
        if found.is_empty() {
            break;
        }
    }
    found
}

fn all(subject: Subject<'_>) -> Vec<Diagnostic> {
    let decided: Vec<Diagnostic> =
        guards::lint(subject).into_iter().chain(invariants::lint(subject)).collect();
    let model = subject.model;
    // What a guard or an invariant is decided by need not be said again.
    let is_said = |one: &Diagnostic| {
        let inside = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
        decided.iter().any(|said| inside(said.primary.span, one.primary.span))
    };
    let comparisons: Vec<Diagnostic> =
        comparisons::lint(subject).into_iter().filter(|one| !is_said(one)).collect();
    let mut found = decided;
    found.extend(comparisons);
    found.extend(formulas::lint(subject));
    found.extend(functions::lint(model));
    found.extend(variables::lint(model));
    found.extend(rule_names::lint(model));
    found
}
