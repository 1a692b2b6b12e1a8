//! What is not proved to be symmetric, as doubts and warnings.

use super::{Doubt, Finding, Search};
use crate::analysis::symmetry::path::Base;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{LocalId, Model, TypeId};
use crate::source::Span;

const HELP: &str = "the elements of a scalarset have no order, so the result must not depend on one; until that is proved, they are not reduced";
const SLOTS_HELP: &str = "the elements of a multiset have no order, so the result must not depend on one; until that is proved, they are not sorted";

impl Search<'_, '_> {
    pub(super) fn doubt_slots(&mut self, ty: TypeId, span: Span, message: String) {
        self.proof.multisets.entry(ty).or_insert_with(|| Doubt { span, message: message.clone() });
        self.diagnostics.push(Diagnostic::warning("dependent-slots", span, message).help(SLOTS_HELP));
    }

    pub(super) fn doubt_elements(&mut self, ty: TypeId, span: Span, message: String, finding: Finding) {
        for scalarset in self.model.scalarsets(ty) {
            self.proof
                .scalarsets
                .entry(scalarset)
                .or_insert_with(|| Doubt { span, message: message.clone() });
        }
        let mut diagnostic = Diagnostic::warning("dependent-iterations", span, message).help(HELP);
        if let Some((at, text)) = finding.label {
            diagnostic = diagnostic.also(at, text);
        }
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn name(&self, base: Base) -> String {
        let local = |local: LocalId| self.frame.locals.get(local.index()).map(|local| local.name.clone());
        match base {
            Base::Global(global) => self.model.globals.get(global.index()).map(|global| global.name.clone()),
            Base::Local(_, id) | Base::Reference(id, _) => local(id),
            Base::Temporary => None,
        }
        .unwrap_or_default()
    }
}

pub(super) fn type_words(model: &Model, ty: TypeId) -> String {
    match model.ty(ty).name.as_deref() {
        Some(name) => format!("`{name}`"),
        None => "a scalarset".to_string(),
    }
}
