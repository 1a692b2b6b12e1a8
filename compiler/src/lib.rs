//! The compiler: model text in, a Rust crate out. Data flows down and never back up, which
//! `tests/layers.rs` checks:
//!
//! `source` (text and places in it) → `diagnostics` → `syntax` (tree) → `semantics` (typed model) →
//! `analysis` (what is known without running it) → `layout`, `tables`, `faults` (how its parts are
//! stored, called and complained about) → `codegen` → `package`. Beside `codegen` stands
//! `interpret`, and on it `walk`; `cli` drives them all.

pub mod analysis;
pub mod cli;
pub mod codegen;
pub mod diagnostics;
mod faults;
pub mod interpret;
pub mod layout;
mod package;
pub mod semantics;
pub mod source;
mod suggestions;
pub mod syntax;
mod tables;
pub mod walk;

pub use analysis::checks::has_errors;

use analysis::optimisations::Optimisations;
use analysis::{Analysis, checks};
use codegen::GeneratedModel;
use diagnostics::{Diagnostic, Severity};
use semantics::model::Model;
use source::Source;
use syntax::tree::Program;

/// What became of a model's text.
#[derive(Debug)]
pub struct Compilation {
    /// Everything there is to say about the model, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
    /// There is code if no diagnostic is an error.
    pub generated: Option<GeneratedModel>,
}

/// Parses and checks a model, and generates its code. Touches nothing but memory.
pub fn compile(source: &Source) -> Compilation {
    compile_with(source, &Optimisations::default())
}

/// Compiles a model with some of the optimisations only.
pub fn compile_with(source: &Source, optimisations: &Optimisations) -> Compilation {
    let (checked, mut diagnostics) = check_and_analyse(source);
    let generated = checked.and_then(|(model, analysis)| {
        let generated = codegen::generate(&model, &analysis, source, optimisations);
        generated.map_err(|mistake| diagnostics.push(*mistake)).ok()
    });
    let generated = generated.filter(|_| !has_errors(&diagnostics));
    Compilation { diagnostics, generated }
}

/// Code for a model that has been checked, with some of the optimisations only. What goes wrong
/// here is a mistake of ours, and the diagnostic says so.
pub fn generate(
    model: &Model,
    source: &Source,
    optimisations: &Optimisations,
) -> Result<GeneratedModel, Box<Diagnostic>> {
    codegen::generate(model, &analysis::analyse(model), source, optimisations)
}

/// What a model's text says, as far as it can be parsed and typed.
pub struct Reading {
    /// Constants have the values that were set from outside.
    pub program: Program,
    /// Complete only if no diagnostic is an error.
    pub model: Model,
    /// What is known about the model; nothing if a diagnostic is an error.
    pub analysis: Option<Analysis>,
    /// Everything that is wrong with the model, or deserves a warning.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and types as much of a model as possible. What is wrong with the parts that can be parsed
/// is found, whatever is wrong with the others.
pub fn read(source: &Source) -> Reading {
    let (mut program, mut diagnostics) = syntax::recover(source);
    let found = syntax::definitions::apply(&mut program, &source.definitions);
    // The constant may be declared in the part that cannot be parsed.
    diagnostics.extend(found.into_iter().filter(|_| !program.damaged));
    let (model, analysis, found) = checks::check_what_is_there(&program);
    // Warnings may be about what only seems to be missing.
    let counts = |one: &Diagnostic| !program.damaged || one.severity == Severity::Error;
    diagnostics.extend(found.into_iter().filter(counts));
    if program.damaged {
        diagnostics.sort_by_key(|one| one.primary.span.start);
    }
    let analysis = analysis.filter(|_| !has_errors(&diagnostics));
    Reading { program, model, analysis, diagnostics }
}

/// Parses and checks a model, without generating code.
pub fn check(source: &Source) -> (Option<Model>, Vec<Diagnostic>) {
    let (checked, diagnostics) = check_and_analyse(source);
    (checked.map(|(model, _)| model), diagnostics)
}

/// Parses and checks a model, and keeps what was found out about it on the way.
pub fn check_and_analyse(source: &Source) -> (Option<(Model, Analysis)>, Vec<Diagnostic>) {
    let Reading { model, analysis, diagnostics, .. } = read(source);
    (analysis.map(|analysis| (model, analysis)), diagnostics)
}

/// Parses and checks a model, and adds what could be better about it.
pub fn check_with_advice(source: &Source) -> Vec<Diagnostic> {
    let Reading { program, model, analysis, mut diagnostics } = read(source);
    if analysis.is_some() {
        let advice = analysis::advice::advise(source, &program, &model, &diagnostics);
        diagnostics.extend(analysis::lints::lint(&program, &model, &source.text));
        diagnostics.extend(advice);
    }
    diagnostics
}
