//! Comparisons that come out the same for all values in the ranges of their sides.

use super::truth::{Ranges, Subject};
use crate::diagnostics::Diagnostic;
use crate::semantics::code::Code;
use crate::semantics::model::{AliasValue, Expression, ExpressionKind, Scope, Statement};
use crate::semantics::visit::{Visit, visit_statements, walk_bodies, walk_expression, walk_parts};

pub fn lint(subject: Subject<'_>) -> Vec<Diagnostic> {
    subject.model.codes().flat_map(|code| of_code(subject, code)).collect()
}

fn of_code<'m>(subject: Subject<'m>, code: Code<'m>) -> Vec<Diagnostic> {
    let mut ranges = Ranges::new(subject, code.frame, code.scopes);
    let aliased = code.scopes.iter().filter_map(|scope| match scope {
        Scope::Alias(binding) => match &binding.value {
            AliasValue::Expression(value) => Some(value),
            AliasValue::Place(_) => None,
        },
        Scope::Parameter(_) | Scope::Choose { .. } => None,
    });
    let conditions: Vec<&Expression> = aliased.chain(code.condition).collect();
    conditions.iter().for_each(|condition| ranges.expression(condition));
    ranges.statements(code.body);
    let mut decided = Decided { ranges, found: Vec::new() };
    conditions.iter().for_each(|condition| decided.visit_expression(condition));
    visit_statements(&mut decided, code.body);
    decided.found
}

struct Decided<'m> {
    ranges: Ranges<'m>,
    found: Vec<Diagnostic>,
}

impl<'m> Visit<'m> for Decided<'m> {
    /// All conditions of a statement come before what depends on them.
    fn visit_statement(&mut self, statement: &'m Statement) {
        walk_parts(self, statement);
        walk_bodies(self, statement);
    }

    fn visit_expression(&mut self, expression: &'m Expression) {
        if let ExpressionKind::Compare { operator, left, right } = &expression.kind
            && let Some(truth) = self.ranges.comparison(*operator, left, right)
        {
            let message = format!("this comparison is always {truth}");
            self.found.push(
                Diagnostic::warning("decided-comparison", expression.span, message)
                    .label("decided by the ranges of its sides"),
            );
        }
        walk_expression(self, expression);
    }
}
