//! How large an expression or a statement is: the number of its nodes, which the code for it grows
//! with.

use crate::semantics::model::{Expression, Statement};
use crate::semantics::visit;

/// The nodes of an expression.
pub fn of_expression(expression: &Expression) -> usize {
    let mut nodes = 0;
    visit::each(expression, |inner| nodes += inner.own_nodes());
    nodes
}

/// The nodes of statements and of the statements inside them.
pub fn of_statements(statements: &[Statement]) -> usize {
    statements.iter().map(of_statement).sum()
}

/// The nodes of a statement and of the statements inside it.
pub fn of_statement(statement: &Statement) -> usize {
    let mut nodes = 1;
    visit::expressions_of(statement, |expression| nodes += of_expression(expression));
    nodes + visit::Nesting::of(statement).bodies().into_iter().map(of_statements).sum::<usize>()
}

/// Whether an expression has more levels than this. Looks no deeper than it has to.
pub fn is_deeper(expression: &Expression, levels: u32) -> bool {
    let Some(inside) = levels.checked_sub(1) else { return true };
    let mut found = false;
    visit::each_part(expression, |part| found = found || is_deeper(part, inside));
    found
}
