//! Walks through expressions and statements.

use super::model::{
    AliasValue, Argument, Domain, Expression, ExpressionKind, Place, Root, Statement, StatementKind, Step,
};

/// The expressions that a domain is made of.
pub(crate) fn domain_parts(domain: &Domain) -> Vec<&Expression> {
    match domain {
        Domain::Constant { .. } => Vec::new(),
        Domain::Steps { from, upto, step } => vec![from, upto, step],
    }
}

/// Visits an expression and everything inside it, indices included.
pub(crate) fn each<'m>(expression: &'m Expression, visit: &mut dyn FnMut(&'m Expression)) {
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

/// Visits the expressions that a place is reached by, and everything inside them.
pub(crate) fn each_in_place<'m>(place: &'m Place, visit: &mut dyn FnMut(&'m Expression)) {
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

/// Visits the expressions that stand in a statement itself, not in the statements inside it.
pub(crate) fn expressions_of<'m>(statement: &'m Statement, visit: &mut dyn FnMut(&'m Expression)) {
    let place = |place: &'m Place, visit: &mut dyn FnMut(&'m Expression)| {
        if let Root::Temporary(value) = &place.root {
            visit(value);
        }
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) | Step::Slot(index) => visit(index),
            }
        }
    };
    match &statement.kind {
        StatementKind::Assign { target, value } | StatementKind::Copy { target, source: value } => {
            place(target, visit);
            visit(value);
        }
        StatementKind::If { arms, .. } => arms.iter().for_each(|(condition, _)| visit(condition)),
        StatementKind::Switch { subject, cases, .. } => {
            visit(subject);
            cases.iter().flat_map(|case| &case.values).for_each(visit);
        }
        StatementKind::For { binder, .. } => domain_parts(&binder.domain).into_iter().for_each(visit),
        StatementKind::While { condition, .. } => visit(condition),
        StatementKind::Alias { binding, .. } => match &binding.value {
            AliasValue::Place(aliased) => place(aliased, visit),
            AliasValue::Expression(value) => visit(value),
        },
        StatementKind::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Reference(passed) => place(passed, visit),
                    Argument::Value(value) => visit(value),
                }
            }
        }
        StatementKind::Clear(target) | StatementKind::Undefine(target) => place(target, visit),
        StatementKind::Assert { condition, .. }
        | StatementKind::Assume { condition }
        | StatementKind::Cover { condition, .. } => visit(condition),
        StatementKind::PutValue(value) => visit(value),
        StatementKind::Return(value) => value.iter().for_each(visit),
        StatementKind::MultisetAdd { value, multiset } => {
            visit(value);
            place(multiset, visit);
        }
        StatementKind::MultisetRemove { slot, multiset } => {
            visit(slot);
            place(multiset, visit);
        }
        StatementKind::MultisetRemovePredicate { multiset, condition, .. } => {
            place(multiset, visit);
            visit(condition);
        }
        StatementKind::Error(_) | StatementKind::PutText(_) => {}
    }
}

/// Visits the statements that stand directly inside a statement.
pub(crate) fn inner_statements<'m>(statement: &'m Statement, visit: &mut dyn FnMut(&'m Statement)) {
    match &statement.kind {
        StatementKind::If { arms, otherwise } => {
            arms.iter().flat_map(|(_, body)| body).for_each(&mut *visit);
            otherwise.iter().for_each(visit);
        }
        StatementKind::Switch { cases, otherwise, .. } => {
            cases.iter().flat_map(|case| &case.body).for_each(&mut *visit);
            otherwise.iter().for_each(visit);
        }
        StatementKind::For { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::Alias { body, .. } => body.iter().for_each(visit),
        StatementKind::Assign { .. }
        | StatementKind::Copy { .. }
        | StatementKind::Call(_)
        | StatementKind::Clear(_)
        | StatementKind::Undefine(_)
        | StatementKind::Error(_)
        | StatementKind::Assert { .. }
        | StatementKind::Assume { .. }
        | StatementKind::Cover { .. }
        | StatementKind::PutText(_)
        | StatementKind::PutValue(_)
        | StatementKind::Return(_)
        | StatementKind::MultisetAdd { .. }
        | StatementKind::MultisetRemove { .. }
        | StatementKind::MultisetRemovePredicate { .. } => {}
    }
}
