//! Syntax tree in, typed model out: names, types, constants, and every check that needs no run.
//!
//! Two passes. The first walks the top level in the order of the text and declares constants,
//! types, variables and the signatures of functions; the second checks the bodies of functions and
//! the rules, which may therefore use whatever the model declares anywhere. A mistake becomes a
//! diagnostic and a *poisoned* type, which is compatible with everything, so that one mistake is
//! reported once.

pub(crate) mod code;
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
pub(crate) mod flow;
mod functions;
mod membership;
mod multisets;
mod operators;
mod rules;
mod scopes;
mod statements;
pub mod temporal;
mod type_expressions;
mod types;
mod usage;
pub(crate) mod visit;

use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{self, Program};
use model::{Expression, Frame, Model};

/// Checks a program and types it. Where a diagnostic is an error, parts of the model mean nothing.
///
/// What can be wrong with a finished model is looked for in `analysis`, and [`crate::check`] asks
/// for both.
pub(crate) fn check(program: &Program) -> (Model, Vec<Diagnostic>) {
    checker::Checker::new().program(program)
}

/// Types an expression that stands outside of a sound program, in the scope of its rules. The model
/// is that of the program with the types that the expression declares behind its own.
pub(crate) fn check_expression(
    program: &Program,
    expression: &tree::Expression,
) -> (Model, Frame, Expression, Vec<Diagnostic>) {
    checker::Checker::new().lone_expression(program, expression)
}
