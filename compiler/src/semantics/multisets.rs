//! Multisets: adding, removing, counting and choosing.

use super::checker::{Checker, Role};
use super::constants::poison;
use super::designators::Designated;
use super::model::{Expression, ExpressionKind, LocalId, Place, StatementKind, TypeId, TypeKind};
use super::scopes::Binding;
use super::types::{INTEGER, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, Name};

/// A multiset that was found where one is needed.
pub(super) struct Bag {
    pub place: Place,
    pub capacity: u32,
    pub element: TypeId,
}

impl Checker {
    /// A multiset to read from, or to write to: then `action` fits after "cannot be".
    pub fn bag(&mut self, tree: &tree::Expression, action: Option<&str>) -> Option<Bag> {
        let place = match action {
            Some(action) => self.written_place(tree, action)?,
            None => match self.designated(tree) {
                Designated::Place { place, .. } => place,
                Designated::Value(value) => {
                    if value.ty != POISON {
                        self.report_no_multiset(value.ty, tree.span);
                    }
                    return None;
                }
            },
        };
        match self.types.kind(place.ty) {
            Some(TypeKind::Multiset { capacity, element }) => {
                Some(Bag { capacity: *capacity, element: *element, place })
            }
            None => None,
            Some(_) => {
                self.report_no_multiset(place.ty, tree.span);
                None
            }
        }
    }

    fn report_no_multiset(&mut self, ty: TypeId, span: Span) {
        let words = self.types.describe(ty);
        self.report(Diagnostic::error(
            "not-a-multiset",
            span,
            format!("a multiset is needed here, but this is {words}"),
        ));
    }

    /// Declares the variable that numbers the slots of a multiset.
    pub fn slot_variable(&mut self, name: &Name, bag: Option<&Bag>) -> LocalId {
        match bag {
            Some(bag) => {
                let ty = self.types.slot(bag.place.ty, bag.capacity, name.span);
                self.add_value(name, ty, Role::Slot)
            }
            None => {
                self.declare(name, Binding::Poison);
                LocalId(0)
            }
        }
    }

    /// An element of a multiset is named by a variable of `choose`, `multisetcount` or
    /// `multisetremovepred`.
    pub fn require_slot(&mut self, index: &Expression, multiset: TypeId) {
        if index.ty == POISON || self.types.slot_owner(index.ty) == Some(multiset) {
            return;
        }
        let words = match self.types.slot_owner(index.ty) {
            Some(_) => "a slot of another multiset".to_owned(),
            None => self.types.describe(index.ty),
        };
        self.report(
            Diagnostic::error(
                "multiset-index",
                index.span,
                format!("the elements of a multiset are named by its own slots, but this is {words}"),
            )
            .help(
                "elements have no order: reach them with `choose i: m do … end` or `multisetcount(i: m, …)`",
            ),
        );
    }

    pub fn multiset_count(
        &mut self,
        variable: &Name,
        multiset: &tree::Expression,
        condition: &tree::Expression,
        span: Span,
    ) -> Expression {
        let bag = self.bag(multiset, None);
        self.scopes.enter();
        let variable = self.slot_variable(variable, bag.as_ref());
        let condition = self.condition(condition, "the condition of `multisetcount`");
        self.scopes.leave();
        match bag {
            Some(bag) if condition.ty != POISON => {
                let ty = self.types.range(0, i64::from(bag.capacity), None, span);
                let condition = Box::new(condition);
                let kind = ExpressionKind::MultisetCount { variable, multiset: bag.place, condition };
                Expression { kind, ty, span }
            }
            Some(_) | None => Expression { ty: INTEGER, ..poison(span) },
        }
    }

    pub fn multiset_add(
        &mut self,
        value: &tree::Expression,
        multiset: &tree::Expression,
    ) -> Option<StatementKind> {
        let value = self.expression(value);
        let bag = self.bag(multiset, Some("added to"))?;
        let value = self.coerce(value, bag.element, "an element of this multiset");
        Some(StatementKind::MultisetAdd { value, multiset: bag.place })
    }

    pub fn multiset_remove(
        &mut self,
        slot: &tree::Expression,
        multiset: &tree::Expression,
    ) -> Option<StatementKind> {
        let slot = self.expression(slot);
        let bag = self.bag(multiset, Some("removed from"))?;
        self.require_slot(&slot, bag.place.ty);
        Some(StatementKind::MultisetRemove { slot, multiset: bag.place })
    }

    pub fn multiset_remove_predicate(
        &mut self,
        variable: &Name,
        multiset: &tree::Expression,
        condition: &tree::Expression,
    ) -> Option<StatementKind> {
        let bag = self.bag(multiset, Some("removed from"));
        self.scopes.enter();
        let variable = self.slot_variable(variable, bag.as_ref());
        let condition = self.condition(condition, "the condition of `multisetremovepred`");
        self.scopes.leave();
        let bag = bag?;
        Some(StatementKind::MultisetRemovePredicate { variable, multiset: bag.place, condition })
    }
}
