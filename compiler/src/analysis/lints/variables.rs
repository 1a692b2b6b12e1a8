//! Variables that are never read, never written, or neither.

use super::usage::{Follower, Usage};
use crate::diagnostics::Diagnostic;
use crate::semantics::code::Code;
use crate::semantics::model::{Model, Root, TypeId, TypeKind};
use crate::source::Span;

pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let globals = vec![Usage::default(); model.globals.len()];
    let mut lint = Lint { model, globals, found: Vec::new() };
    model.codes().for_each(|code| lint.code(code));
    let Lint { globals, mut found, .. } = lint;
    for (global, usage) in model.globals.iter().zip(globals) {
        found.extend(verdict(model, "variable", (&global.name, global.ty, global.span), usage));
    }
    found
}

struct Lint<'m> {
    model: &'m Model,
    globals: Vec<Usage>,
    found: Vec<Diagnostic>,
}

impl Lint<'_> {
    fn code(&mut self, code: Code<'_>) {
        let frame = code.frame;
        let mut locals = vec![Usage::default(); frame.locals.len()];
        let globals = &mut self.globals;
        let mut report = |root: &Root, usage: Usage| match root {
            Root::Global(global) => {
                globals.get_mut(global.index()).into_iter().for_each(|one| one.add(usage))
            }
            Root::Local(local) => locals.get_mut(local.index()).into_iter().for_each(|one| one.add(usage)),
            Root::Temporary(_) => {}
        };
        code.visit(&mut Follower::new(&mut report));
        for variable in code.variables {
            if let (Some(local), Some(usage)) =
                (frame.locals.get(variable.index()), locals.get(variable.index()))
            {
                let declared = (local.name.as_str(), local.ty, local.span);
                self.found.extend(verdict(self.model, "local variable", declared, *usage));
            }
        }
    }
}

fn verdict(
    model: &Model,
    what: &str,
    (name, ty, span): (&str, TypeId, Span),
    usage: Usage,
) -> Option<Diagnostic> {
    let warning =
        |code, said: &str| Diagnostic::warning(code, span, format!("the {what} `{name}` is {said}"));
    match usage {
        Usage { read: false, written: false, .. } => Some(warning("unused-variable", "never used")),
        Usage { needed: true, written: false, .. } => {
            let label = match &model.ty(ty).kind {
                TypeKind::Multiset { .. } => "it is always empty",
                TypeKind::Array { .. } | TypeKind::Record { .. } => "none of its parts ever has a value",
                _ => "it is undefined whenever it is read",
            };
            Some(warning("never-written", "never written").label(label))
        }
        Usage { read: false, written_with_a_value: true, .. } => {
            Some(warning("never-read", "written, but never read"))
        }
        Usage { .. } => None,
    }
}
