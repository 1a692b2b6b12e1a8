//! Constants and types that nothing in the model uses.

use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, NameKind};

pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let unused = model.unused_names.iter();
    unused
        .map(|unused| {
            let (code, what) = match unused.kind {
                NameKind::Constant => ("unused-constant", "constant"),
                NameKind::Type => ("unused-type", "type"),
            };
            Diagnostic::warning(code, unused.span, format!("the {what} `{}` is never used", unused.name))
        })
        .collect()
}
