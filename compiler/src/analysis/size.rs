//! How large an expression or a statement is: the number of its nodes, which the code for it grows with.

use crate::semantics::model::{Expression, ExpressionKind, Statement, StatementKind};
use crate::semantics::walk;

/// The nodes of an expression.
pub fn of_expression(expression: &Expression) -> usize {
    let mut nodes = 0;
    walk::each(expression, &mut |inner| {
        nodes += match &inner.kind {
            ExpressionKind::IsMember { ranges, .. } => 1 + ranges.len(),
            ExpressionKind::Convert { pieces, .. } => pieces.len(),
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => 1 + place.steps.len(),
            _ => 1,
        };
    });
    nodes
}

/// The nodes of a statement and of the statements inside it.
pub fn of_statement(statement: &Statement) -> usize {
    let mut nodes = 1;
    walk::expressions_of(statement, &mut |expression| nodes += of_expression(expression));
    walk::inner_statements(statement, &mut |inner| nodes += of_statement(inner));
    nodes
}

pub fn of_statements(statements: &[Statement]) -> usize {
    statements.iter().map(of_statement).sum()
}

/// Whether an expression has more levels than this. Looks no deeper than it has to.
pub fn is_deeper(expression: &Expression, levels: u32) -> bool {
    use crate::semantics::model::{Argument, Place, Root, Step};
    let Some(inside) = levels.checked_sub(1) else { return true };
    let deeper = |inner: &Expression| is_deeper(inner, inside);
    let place_is_deeper = |place: &Place| {
        let root = match &place.root {
            Root::Temporary(value) => deeper(value),
            Root::Global(_) | Root::Local(_) => false,
        };
        root || place.steps.iter().any(|step| match step {
            Step::Field(_) => false,
            Step::Index(index) | Step::Slot(index) => deeper(index),
        })
    };
    match &expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Value(_) => false,
        ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => place_is_deeper(place),
        ExpressionKind::Call(call) => call.arguments.iter().any(|argument| match argument {
            Argument::Reference(place) => place_is_deeper(place),
            Argument::Value(value) => deeper(value),
        }),
        ExpressionKind::Not(operand) | ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => {
            deeper(operand)
        }
        ExpressionKind::Arithmetic { left, right, .. }
        | ExpressionKind::Compare { left, right, .. }
        | ExpressionKind::CompareCompound { left, right, .. }
        | ExpressionKind::Implies(left, right) => deeper(left) || deeper(right),
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => parts.iter().any(deeper),
        ExpressionKind::Conditional { condition, then, otherwise } => {
            deeper(condition) || deeper(then) || deeper(otherwise)
        }
        ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
            deeper(body) || walk::domain_parts(&binder.domain).into_iter().any(deeper)
        }
        ExpressionKind::IsMember { value, .. } | ExpressionKind::Convert { value, .. } => deeper(value),
        ExpressionKind::MultisetCount { multiset, condition, .. } => {
            place_is_deeper(multiset) || deeper(condition)
        }
    }
}

/// Whether a `return` is among the statements or inside of them.
pub fn returns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| {
        let mut found = matches!(statement.kind, StatementKind::Return(_));
        walk::inner_statements(statement, &mut |inner| {
            found = found || returns(std::slice::from_ref(inner));
        });
        found
    })
}
