//! What the checker accepts, what it refuses, and what it says: small models, one question each.

#![cfg(test)]

mod calls;
mod expressions;
mod limits;
mod meaning;
mod names;
mod rules;
mod statements;
mod symmetry;
mod types;
mod validate;

use mcc_murphi::diagnostics::{Diagnostic, Severity};
use mcc_murphi::semantics::model::Model;
use mcc_murphi::source::Source;

fn check(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let source = Source::new("test.m", text);
    let (program, diagnostics) = mcc_murphi::syntax::parse(&source);
    assert!(program.is_some(), "the test does not parse: {diagnostics:#?}\n{text}");
    mcc_murphi::check(&source)
}

/// Each diagnostic as `code: underlined text`.
fn said(text: &str, severity: Severity) -> Vec<String> {
    let (model, diagnostics) = check(text);
    let failed = diagnostics.iter().any(|one| one.severity == Severity::Error);
    assert_eq!(model.is_none(), failed, "a model exists if and only if there is no error");
    model.iter().for_each(validate::model);
    diagnostics
        .iter()
        .filter(|one| one.severity == severity)
        .map(|one| format!("{}: {}", one.code, one.primary.span.text(text)))
        .collect()
}

/// A model of declarations and the body of one rule.
fn model(declarations: &str, body: &str) -> String {
    format!("{declarations}\nstartstate begin end;\nrule begin {body} end;\n")
}

#[track_caller]
fn accepts(declarations: &str, body: &str) -> Model {
    let text = model(declarations, body);
    let (model, diagnostics) = check(&text);
    assert_eq!(diagnostics, [], "{text}");
    let model = model.expect("no errors, so there is a model");
    validate::model(&model);
    model
}

#[track_caller]
fn refuses(declarations: &str, body: &str, expected: &[&str]) {
    let text = model(declarations, body);
    assert_eq!(said(&text, Severity::Error), expected, "{text}");
}

#[track_caller]
fn warns(declarations: &str, body: &str, expected: &[&str]) {
    let text = model(declarations, body);
    assert_eq!(said(&text, Severity::Error), [""; 0], "{text}");
    assert_eq!(said(&text, Severity::Warning), expected, "{text}");
}

/// The help of the first diagnostic.
fn help(declarations: &str, body: &str) -> String {
    let (_, diagnostics) = check(&model(declarations, body));
    diagnostics.into_iter().find_map(|one| one.help).unwrap_or_default()
}
