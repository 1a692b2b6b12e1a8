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

use analysis::checks;
use codegen::GeneratedModel;
use codegen::optimisations::Optimisations;
use diagnostics::Diagnostic;
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

/// Likewise, with some of the optimisations only.
pub fn compile_with(source: &Source, optimisations: &Optimisations) -> Compilation {
    let (checked, mut diagnostics) = check(source);
    let generated = checked.and_then(|model| match codegen::generate_with(&model, source, optimisations) {
        Ok(generated) => Some(generated),
        Err(mistake) => {
            diagnostics.push(*mistake);
            None
        }
    });
    let generated = generated.filter(|_| !has_errors(&diagnostics));
    Compilation { diagnostics, generated }
}

/// The syntax tree of a model, in which constants have the values that were set from outside.
fn parse(source: &Source) -> (Option<Program>, Vec<Diagnostic>) {
    let (mut program, mut diagnostics) = syntax::parse(source);
    if let Some(program) = &mut program {
        diagnostics.extend(syntax::definitions::apply(program, &source.definitions));
    }
    (program, diagnostics)
}

/// Parses and checks a model, without generating code.
pub fn check(source: &Source) -> (Option<semantics::model::Model>, Vec<Diagnostic>) {
    let (program, mut diagnostics) = parse(source);
    let model = program.and_then(|program| {
        let (model, found) = checks::check(&program);
        diagnostics.extend(found);
        model
    });
    let model = model.filter(|_| !has_errors(&diagnostics));
    (model, diagnostics)
}

/// Parses and checks a model, and adds what could be better about it.
pub fn check_with_advice(source: &Source) -> Vec<Diagnostic> {
    let (program, mut diagnostics) = parse(source);
    let Some(program) = program else { return diagnostics };
    let (model, found) = checks::check(&program);
    diagnostics.extend(found);
    if let (Some(model), false) = (model, has_errors(&diagnostics)) {
        diagnostics.extend(analysis::lints::lint(&program, &model, &source.text));
        diagnostics.extend(analysis::advice::advise(source, &program));
    }
    diagnostics
}
