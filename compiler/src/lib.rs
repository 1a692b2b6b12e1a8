//! Compiles Murphi models into verifiers, and runs them.
//!
//! ```
//! use mcc_murphi::{Model, Options};
//!
//! let text = "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end;";
//! let report = Model::from_text("stuck.m", text).interpret(&Options::new())?;
//! assert_eq!(report.errors[0].kind, "deadlock");
//! println!("{report}");
//! # Ok::<(), mcc_murphi::Error>(())
//! ```
//!
//! [`Model::interpret`] needs nothing else; [`Model::build`] has cargo build a verifier, which is
//! much faster. [`harness`] makes tests of a folder of models, [`expectation`] is what it compares
//! with. What is not documented here is no part of the interface and changes without notice.
//!
//! # The compiler inside
//!
//! Model text in, a Rust crate out. Data flows down and never back up, which `tests/layers.rs`
//! checks: `source` (text and places in it) → `diagnostics`, `input` → `syntax` (tree) →
//! `semantics` (typed model) → `analysis` (what is known without running it) → `layout`, `tables`,
//! `faults` (how its parts are stored, called and complained about) → `codegen` → `package`. Beside
//! `codegen` stands `interpret`, and on it `walk` and `explore`; `library` is the public face of
//! them all, and `cli` drives it.

#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod cli;
mod codegen;
#[doc(hidden)]
pub mod diagnostics;
mod explore;
mod faults;
mod format;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod interpret;
mod layout;
mod library;
mod lsp;
mod package;
#[doc(hidden)]
pub mod semantics;
#[doc(hidden)]
pub mod source;
mod suggestions;
#[doc(hidden)]
pub mod syntax;
mod tables;
#[doc(hidden)]
pub mod walk;

pub use library::{Check, Error, Message, Model, Place, Severity, Verifier, expectation, harness};
pub use mcc_runtime::embedding::{
    Cancellation, ErrorReport, ModelReport, Options, Progress, PropertyReport, Report, RuleReport, State,
    Step, Value, Verdict, VerifyError,
};

#[doc(hidden)]
pub use analysis::checks::has_errors;
use codegen::Flavour;
#[doc(hidden)]
pub use codegen::GeneratedModel;
#[doc(hidden)]
pub use layout::Layout;

use analysis::{Analysis, Optimisations, checks};
use diagnostics::Diagnostic;
use semantics::model::Model as CheckedModel;
use source::Source;
use syntax::tree::Program;

#[doc(hidden)]
/// What became of a model's text.
#[derive(Debug)]
pub struct Compilation {
    /// Everything there is to say about the model, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
    /// There is code if no diagnostic is an error.
    pub generated: Option<GeneratedModel>,
}

#[doc(hidden)]
/// Parses and checks a model, and generates its code. Touches nothing but memory.
pub fn compile(source: &Source) -> Compilation {
    compile_with(source, &Optimisations::default())
}

#[doc(hidden)]
/// Compiles a model with some of the optimisations only.
pub fn compile_with(source: &Source, optimisations: &Optimisations) -> Compilation {
    compile_as(source, &Flavour { optimisations, coverage: false })
}

#[doc(hidden)]
/// Compiles a model into code that counts how often its parts are evaluated.
pub fn compile_counting(source: &Source, optimisations: &Optimisations) -> Compilation {
    compile_as(source, &Flavour { optimisations, coverage: true })
}

fn compile_as(source: &Source, flavour: &Flavour<'_>) -> Compilation {
    let (checked, mut diagnostics) = check_and_analyse(source);
    let generated = checked.and_then(|(model, analysis)| {
        let generated = codegen::generate(&model, &analysis, source, flavour);
        generated.map_err(|mistake| diagnostics.push(*mistake)).ok()
    });
    let generated = generated.filter(|_| !has_errors(&diagnostics));
    Compilation { diagnostics, generated }
}

#[doc(hidden)]
/// Code for a model that has been checked, with some of the optimisations only. What goes wrong
/// here is a mistake of ours, and the diagnostic says so.
pub fn generate(
    model: &CheckedModel,
    source: &Source,
    optimisations: &Optimisations,
) -> Result<GeneratedModel, Box<Diagnostic>> {
    codegen::generate(model, &analysis::analyse(model), source, &Flavour { optimisations, coverage: false })
}

#[doc(hidden)]
/// What a model's text says, as far as it can be parsed and typed.
pub struct Reading {
    /// Constants have the values that were set from outside.
    pub program: Program,
    /// Complete only if no diagnostic is an error.
    pub model: CheckedModel,
    /// What is known about the model; nothing if a diagnostic is an error.
    pub analysis: Option<Analysis>,
    /// Everything that is wrong with the model, or deserves a warning.
    pub diagnostics: Vec<Diagnostic>,
}

#[doc(hidden)]
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

#[doc(hidden)]
/// Parses and checks a model, without generating code.
pub fn check(source: &Source) -> (Option<CheckedModel>, Vec<Diagnostic>) {
    let (checked, diagnostics) = check_and_analyse(source);
    (checked.map(|(model, _)| model), diagnostics)
}

#[doc(hidden)]
/// Parses and checks a model, and keeps what was found out about it on the way. Formulas whose
/// violation shows in a finite part of a run are part of the model's code.
pub fn check_and_analyse(source: &Source) -> (Option<(CheckedModel, Analysis)>, Vec<Diagnostic>) {
    let Reading { model, analysis, diagnostics, .. } = read(source);
    (analysis.map(|analysis| analysis::monitors::weave(model, analysis)), diagnostics)
}

#[doc(hidden)]
/// Parses and checks a model, and adds what could be better about it.
pub fn check_with_advice(source: &Source) -> Vec<Diagnostic> {
    let Reading { program, model, analysis, mut diagnostics } = read(source);
    if let Some(analysis) = analysis {
        let notes = analysis::monitors::notes(&model, &analysis);
        diagnostics.extend(interpret::beginning::lint(&model, source));
        let advice = analysis::advice::advise(source, &program, &model, &diagnostics);
        diagnostics.extend(analysis::lints::lint(&program, &model, &source.text));
        diagnostics.extend(advice);
        diagnostics.extend(notes);
    }
    diagnostics
}
