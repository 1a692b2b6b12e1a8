//! Functions and procedures that no rule, start state or property calls, directly or through
//! others.

use crate::analysis::calls::called;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, Start};

pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let called = called(model, model.starts.iter().map(Start::code).chain(model.executed()));
    let unused = model.functions.iter().zip(called).filter(|(_, called)| !called);
    unused
        .map(|(function, _)| {
            let what = if function.returns.is_some() { "function" } else { "procedure" };
            let message = format!("the {what} `{}` is never called", function.name);
            Diagnostic::warning("unused-function", function.name_span, message)
        })
        .collect()
}
