//! What executing statements and evaluating expressions reads and writes.

use super::footprint::{AccessKind, Written};
use super::path::Index;
use super::range::Range;
use super::walker::{AccessWalker, LocalMeaning};
use crate::semantics::flow::{PlaceChange, change};
use crate::semantics::model::{
    AliasBinding, Binder, Call, Expression, ExpressionKind, LocalId, Place, Statement,
};
use crate::semantics::visit::{PlaceUse, Visit, visit_statements, walk_slots, walk_statement};

impl<'m> Visit<'m> for AccessWalker<'m> {
    fn visit_statement(&mut self, statement: &'m Statement) {
        self.at = statement.span;
        match change(statement) {
            // The value is read before the target is written.
            Some((target, PlaceChange::Stored(value))) => {
                self.visit_expression(value);
                self.write_place(target, written(value), statement.span);
                self.keep_single(target, value);
            }
            Some((place, PlaceChange::Cleared)) => self.write_place(place, Written::Cleared, statement.span),
            Some((place, PlaceChange::Undefined)) => {
                self.write_place(place, Written::Undefined, statement.span);
            }
            // Whether a rule fails is part of what it does: it must fail after the other rule where
            // it fails before. So the condition of an assertion is read like any other.
            Some((_, PlaceChange::Added(_) | PlaceChange::Removed(_) | PlaceChange::Filtered)) | None => {
                walk_statement(self, statement);
            }
        }
    }

    /// What such statements write is not certain afterwards.
    fn visit_branch(&mut self, statements: &'m [Statement]) {
        let before = self.certain.len();
        visit_statements(self, statements);
        self.certain.truncate(before);
    }

    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        let at = self.at;
        let Some(target) = self.target(place) else { return };
        match usage {
            PlaceUse::Read | PlaceUse::Tested | PlaceUse::Counted => {
                self.note(target.path, AccessKind::Read, place.span);
            }
            // Where an element comes to lie, or whether there is room for it, depends on the
            // others. Nothing is known of what else is written.
            PlaceUse::Changed
            | PlaceUse::Assigned
            | PlaceUse::Replaced
            | PlaceUse::Aliased
            | PlaceUse::Passed => self.change(target.path, at),
        }
    }

    fn visit_call(&mut self, call: &'m Call) {
        self.call(call);
    }

    fn visit_binder(&mut self, binder: &'m Binder) {
        self.bind(binder);
    }

    fn visit_alias(&mut self, binding: &'m AliasBinding) {
        self.alias(binding);
    }

    fn visit_slots(&mut self, variable: LocalId, multiset: &'m Place, usage: PlaceUse) {
        walk_slots(self, variable, multiset, usage);
        self.bounds.insert(variable, LocalMeaning::Value(Index::Within(Range::ANY)));
    }
}

fn written(value: &Expression) -> Written {
    match &value.kind {
        ExpressionKind::Constant(value) => Written::Constant(*value),
        _ => Written::Computed,
    }
}
