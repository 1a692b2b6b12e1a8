//! Which locals an expression mentions, and which of those of a piece of code are bound outside of
//! it.

use crate::semantics::model::{Expression, ExpressionKind, LocalId, Place, Root, Statement};
use crate::semantics::visit::{self, PlaceUse, Visit};
use std::collections::BTreeSet;

/// Every local that the expression mentions, those that it binds itself included.
pub fn mentioned(expression: &Expression) -> BTreeSet<LocalId> {
    let mut locals = FreeLocals::default();
    locals.add_expression(expression);
    locals.used
}

/// Locals that some code uses and does not bind itself: what it has to be given where it stands
/// elsewhere.
#[derive(Debug, Default)]
pub struct FreeLocals {
    used: BTreeSet<LocalId>,
    bound: BTreeSet<LocalId>,
}

impl FreeLocals {
    pub fn add_expression(&mut self, expression: &Expression) {
        self.visit_expression(expression);
    }

    pub fn add_statements(&mut self, statements: &[Statement]) {
        visit::visit_statements(self, statements);
    }

    /// In the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = LocalId> {
        self.used.difference(&self.bound).copied()
    }
}

impl<'m> Visit<'m> for FreeLocals {
    fn visit_expression(&mut self, expression: &'m Expression) {
        if let ExpressionKind::Value(local) = &expression.kind {
            self.used.insert(*local);
        }
        visit::walk_expression(self, expression);
    }

    fn visit_place(&mut self, place: &'m Place, _usage: PlaceUse) {
        if let Root::Local(local) = &place.root {
            self.used.insert(*local);
        }
        visit::walk_place(self, place);
    }

    fn visit_bound(&mut self, local: LocalId) {
        self.bound.insert(local);
    }
}
