//! Which of the constants and types that a model declares are used anywhere.

use std::collections::HashSet;

use super::model::{NameKind, UnusedName};
use crate::source::Span;
use crate::syntax::tree::Name;

/// A declaration is known by the place of its name.
#[derive(Default)]
pub(super) struct Names {
    declared: Vec<UnusedName>,
    used: HashSet<Span>,
}

impl Names {
    pub fn declare(&mut self, name: &Name, kind: NameKind) {
        self.declared.push(UnusedName { name: name.text.clone(), kind, span: name.span });
    }

    /// Notes that the name that is declared here is used.
    pub fn mark(&mut self, span: Span) {
        self.used.insert(span);
    }

    /// The names that were declared and not used.
    pub fn unused(&mut self) -> Vec<UnusedName> {
        let declared = std::mem::take(&mut self.declared);
        declared.into_iter().filter(|one| !self.used.contains(&one.span)).collect()
    }
}
