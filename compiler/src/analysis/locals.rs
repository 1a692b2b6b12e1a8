//! Which locals an expression mentions.

use crate::semantics::model::{
    Argument, Binder, Call, Domain, Expression, ExpressionKind, LocalId, Place, Root, Step,
};

/// Calls `found` for every local that the expression mentions, those that it binds itself included.
pub fn mentioned(expression: &Expression, found: &mut impl FnMut(LocalId)) {
    match &expression.kind {
        ExpressionKind::Constant(_) => {}
        ExpressionKind::Value(local) => found(*local),
        ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => in_place(place, found),
        ExpressionKind::Call(call) => in_call(call, found),
        ExpressionKind::Not(operand) | ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => {
            mentioned(operand, found);
        }
        ExpressionKind::Arithmetic { left, right, .. }
        | ExpressionKind::Compare { left, right, .. }
        | ExpressionKind::CompareCompound { left, right, .. }
        | ExpressionKind::Implies(left, right) => {
            mentioned(left, found);
            mentioned(right, found);
        }
        ExpressionKind::And(operands) | ExpressionKind::Or(operands) => {
            operands.iter().for_each(|operand| mentioned(operand, found));
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            mentioned(condition, found);
            mentioned(then, found);
            mentioned(otherwise, found);
        }
        ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
            in_binder(binder, found);
            mentioned(body, found);
        }
        ExpressionKind::IsMember { value, .. } | ExpressionKind::Convert { value, .. } => {
            mentioned(value, found)
        }
        ExpressionKind::MultisetCount { multiset, condition, .. } => {
            in_place(multiset, found);
            mentioned(condition, found);
        }
    }
}

/// The same for a place.
pub fn in_place(place: &Place, found: &mut impl FnMut(LocalId)) {
    match &place.root {
        Root::Global(_) => {}
        Root::Local(local) => found(*local),
        Root::Temporary(expression) => mentioned(expression, found),
    }
    for step in &place.steps {
        match step {
            Step::Field(_) => {}
            Step::Index(index) | Step::Slot(index) => mentioned(index, found),
        }
    }
}

fn in_call(call: &Call, found: &mut impl FnMut(LocalId)) {
    for argument in &call.arguments {
        match argument {
            Argument::Reference(place) => in_place(place, found),
            Argument::Value(value) => mentioned(value, found),
        }
    }
}

fn in_binder(binder: &Binder, found: &mut impl FnMut(LocalId)) {
    match &binder.domain {
        Domain::Constant { .. } => {}
        Domain::Steps { from, upto, step } => {
            mentioned(from, found);
            mentioned(upto, found);
            mentioned(step, found);
        }
    }
}
