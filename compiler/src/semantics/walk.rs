//! Walks through everything inside an expression.

use super::model::{Argument, Domain, Expression, ExpressionKind, Place, Root, Step};

/// The expressions that a domain is made of.
pub(super) fn domain_parts(domain: &Domain) -> Vec<&Expression> {
    match domain {
        Domain::Constant { .. } => Vec::new(),
        Domain::Steps { from, upto, step } => vec![from, upto, step],
    }
}

/// Visits an expression and everything inside it, indices included.
pub(super) fn each<'m>(expression: &'m Expression, visit: &mut dyn FnMut(&'m Expression)) {
    visit(expression);
    match &expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Value(_) => {}
        ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => each_in_place(place, visit),
        ExpressionKind::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Reference(place) => each_in_place(place, visit),
                    Argument::Value(value) => each(value, visit),
                }
            }
        }
        ExpressionKind::Not(operand) | ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => {
            each(operand, visit);
        }
        ExpressionKind::Arithmetic { left, right, .. }
        | ExpressionKind::Compare { left, right, .. }
        | ExpressionKind::CompareCompound { left, right, .. }
        | ExpressionKind::Implies(left, right) => {
            each(left, visit);
            each(right, visit);
        }
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
            parts.iter().for_each(|part| each(part, visit));
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            each(condition, visit);
            each(then, visit);
            each(otherwise, visit);
        }
        ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
            domain_parts(&binder.domain).into_iter().for_each(|part| each(part, visit));
            each(body, visit);
        }
        ExpressionKind::IsMember { value, .. } | ExpressionKind::Convert { value, .. } => each(value, visit),
        ExpressionKind::MultisetCount { multiset, condition, .. } => {
            each_in_place(multiset, visit);
            each(condition, visit);
        }
    }
}

fn each_in_place<'m>(place: &'m Place, visit: &mut dyn FnMut(&'m Expression)) {
    if let Root::Temporary(value) = &place.root {
        each(value, visit);
    }
    for step in &place.steps {
        match step {
            Step::Field(_) => {}
            Step::Index(index) | Step::Slot(index) => each(index, visit),
        }
    }
}
