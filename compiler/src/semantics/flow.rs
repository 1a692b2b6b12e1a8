//! How values flow: what a statement writes into a place, and what an expression hands on as it is.
//!
//! Analyses that follow values ask here instead of naming every kind of statement and expression:
//! a new kind has to be placed in these two matches, and in those analyses is dealt with then.

use super::model::{Call, Expression, ExpressionKind, LocalId, Place, Statement, StatementKind};

/// What becomes of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceChange<'m> {
    /// It gets this value: one that is simple, or all of an object.
    Stored(&'m Expression),
    Cleared,
    Undefined,
    /// It is a multiset, and this is added.
    Added(&'m Expression),
    /// It is a multiset, and what lies in this slot is removed.
    Removed(&'m Expression),
    /// It is a multiset, and all elements that fulfil a condition are removed.
    Filtered,
}

/// The place that a statement itself writes, and what becomes of it. What is written under another
/// name, in functions that are called and in statements inside, is not asked.
pub(crate) fn change(statement: &Statement) -> Option<(&Place, PlaceChange<'_>)> {
    match &statement.kind {
        StatementKind::Assign { target, value } | StatementKind::Copy { target, source: value } => {
            Some((target, PlaceChange::Stored(value)))
        }
        StatementKind::Clear(target) => Some((target, PlaceChange::Cleared)),
        StatementKind::Undefine(target) => Some((target, PlaceChange::Undefined)),
        StatementKind::MultisetAdd { value, multiset } => Some((multiset, PlaceChange::Added(value))),
        StatementKind::MultisetRemove { slot, multiset } => Some((multiset, PlaceChange::Removed(slot))),
        StatementKind::MultisetRemovePredicate { multiset, .. } => Some((multiset, PlaceChange::Filtered)),
        StatementKind::If { .. }
        | StatementKind::Switch { .. }
        | StatementKind::For { .. }
        | StatementKind::While { .. }
        | StatementKind::Alias { .. }
        | StatementKind::Call(_)
        | StatementKind::Error(_)
        | StatementKind::Assert { .. }
        | StatementKind::Assume { .. }
        | StatementKind::Cover { .. }
        | StatementKind::PutText(_)
        | StatementKind::PutValue(_)
        | StatementKind::Return(_) => None,
    }
}

/// Where the value of an expression is from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueSource<'m> {
    /// It is what a place holds, "undefined" included.
    Place(&'m Place),
    /// It is what a name stands for that is never assigned to.
    Local(LocalId),
    /// It is what a function returns.
    Result(&'m Call),
    /// It is the value of one of these.
    Either(&'m Expression, &'m Expression),
    /// It is the value of this, counted in another numbering.
    Converted(&'m Expression),
    /// It is computed, and always defined.
    Computed,
}

pub(crate) fn source(expression: &Expression) -> ValueSource<'_> {
    match &expression.kind {
        ExpressionKind::Read(place) => ValueSource::Place(place),
        ExpressionKind::Value(local) => ValueSource::Local(*local),
        ExpressionKind::Call(call) => ValueSource::Result(call),
        ExpressionKind::Conditional { then, otherwise, .. } => ValueSource::Either(then, otherwise),
        ExpressionKind::Convert { value, .. } => ValueSource::Converted(value),
        ExpressionKind::Constant(_)
        | ExpressionKind::Not(_)
        | ExpressionKind::Negate(_)
        | ExpressionKind::BitNot(_)
        | ExpressionKind::Arithmetic { .. }
        | ExpressionKind::Compare { .. }
        | ExpressionKind::CompareCompound { .. }
        | ExpressionKind::And(_)
        | ExpressionKind::Or(_)
        | ExpressionKind::Implies(..)
        | ExpressionKind::Forall { .. }
        | ExpressionKind::Exists { .. }
        | ExpressionKind::IsUndefined(_)
        | ExpressionKind::IsMember { .. }
        | ExpressionKind::MultisetCount { .. } => ValueSource::Computed,
    }
}
