//! Comparisons that come out the same for all values in the ranges of their sides.

use super::truth::{Ranges, Subject};
use super::usage::bodies;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{AliasValue, Expression, ExpressionKind, Frame, Scope, Statement};
use crate::semantics::walk::{each, expressions_of};

pub fn lint(subject: Subject<'_>) -> Vec<Diagnostic> {
    let model = subject.model;
    let mut lint = Lint { subject, found: Vec::new() };
    for function in &model.functions {
        lint.code(&function.frame, &[], None, &function.body);
    }
    for start in &model.starts {
        lint.code(&start.frame, &start.scopes, None, &start.body);
    }
    for rule in &model.rules {
        lint.code(&rule.frame, &rule.scopes, rule.guard.as_ref(), &rule.body);
    }
    for property in &model.properties {
        lint.code(&property.frame, &property.scopes, Some(&property.condition), &[]);
    }
    lint.found
}

struct Lint<'m> {
    subject: Subject<'m>,
    found: Vec<Diagnostic>,
}

impl<'m> Lint<'m> {
    fn code(
        &mut self,
        frame: &'m Frame,
        scopes: &'m [Scope],
        condition: Option<&'m Expression>,
        body: &'m [Statement],
    ) {
        let mut ranges = Ranges::new(self.subject, frame, scopes);
        let aliased = scopes.iter().filter_map(|scope| match scope {
            Scope::Alias(binding) => match &binding.value {
                AliasValue::Expression(value) => Some(value),
                AliasValue::Place(_) => None,
            },
            Scope::Parameter(_) | Scope::Choose { .. } => None,
        });
        let conditions: Vec<&Expression> = aliased.chain(condition).collect();
        conditions.iter().for_each(|condition| ranges.expression(condition));
        ranges.statements(body);
        conditions.iter().for_each(|condition| self.expression(&ranges, condition));
        self.statements(&ranges, body);
    }

    fn statements(&mut self, ranges: &Ranges, body: &[Statement]) {
        for statement in body {
            expressions_of(statement, &mut |expression| self.expression(ranges, expression));
            bodies(statement).into_iter().for_each(|body| self.statements(ranges, body));
        }
    }

    fn expression(&mut self, ranges: &Ranges, expression: &Expression) {
        each(expression, &mut |part| {
            if let ExpressionKind::Compare { operator, left, right } = &part.kind
                && let Some(truth) = ranges.comparison(*operator, left, right)
            {
                let message = format!("this comparison is always {truth}");
                self.found.push(
                    Diagnostic::warning("decided-comparison", part.span, message)
                        .label("decided by the ranges of its sides"),
                );
            }
        });
    }
}
