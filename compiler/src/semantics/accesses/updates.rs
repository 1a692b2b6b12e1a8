//! Assignments that make something of what was there before.

use super::Accesses;
use super::paths::Path;
use super::values::{Direction, Form, Term, Written};
use crate::semantics::model::{
    ArithmeticOperator, CompareOperator, Expression, ExpressionKind, Place, Statement, StatementKind,
};
use crate::syntax::span::Span;

impl<'m> Accesses<'m> {
    pub(super) fn written(expression: &Expression, term: Term) -> Written {
        match &expression.kind {
            ExpressionKind::Constant(value) => Written::Constant(*value),
            _ => Written::Computed(term),
        }
    }

    pub(super) fn reads(&mut self, expression: &'m Expression, path: &Path) -> bool {
        match &expression.kind {
            ExpressionKind::Read(place) => self.path_alone(place).is(path, false),
            _ => false,
        }
    }

    /// Whether two expressions certainly have the same value at the same moment.
    pub(super) fn same(&mut self, left: &'m Expression, right: &'m Expression) -> bool {
        self.silently(|all| {
            let (left, right) = (all.see(left).index, all.see(right).index);
            left.is(&right, false)
        })
    }

    pub(super) fn assignment(&mut self, target: &'m Place, value: &'m Expression, span: Span) {
        let path = self.path_alone(target);
        let (form, rest) = self.update(&path, value);
        let mut term = Term::default();
        for part in rest {
            term.take(self.read(part));
        }
        self.write(target, form, Self::written(value, term), span);
    }

    /// How an assignment uses what was in the place before, and what else it reads.
    pub(super) fn update(&mut self, path: &Path, value: &'m Expression) -> (Form, Vec<&'m Expression>) {
        match &value.kind {
            ExpressionKind::Arithmetic { operator, left, right } => {
                let (commutes, falls) = match operator {
                    ArithmeticOperator::Add => (true, false),
                    ArithmeticOperator::Subtract => (false, true),
                    ArithmeticOperator::Multiply
                    | ArithmeticOperator::Divide
                    | ArithmeticOperator::Modulo
                    | ArithmeticOperator::BitAnd
                    | ArithmeticOperator::BitOr
                    | ArithmeticOperator::BitXor
                    | ArithmeticOperator::ShiftLeft
                    | ArithmeticOperator::ShiftRight => return (Form::Plain, vec![value]),
                };
                if self.reads(left, path) {
                    (Form::Sum(self.direction(right, falls)), vec![&**right])
                } else if commutes && self.reads(right, path) {
                    (Form::Sum(self.direction(left, falls)), vec![&**left])
                } else {
                    (Form::Plain, vec![value])
                }
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                let mut rest = Vec::with_capacity(parts.len());
                for part in parts {
                    if !self.reads(part, path) {
                        rest.push(part);
                    }
                }
                if rest.len() == parts.len() {
                    (Form::Plain, vec![value])
                } else if matches!(value.kind, ExpressionKind::And(_)) {
                    (Form::And, rest)
                } else {
                    (Form::Or, rest)
                }
            }
            _ => (Form::Plain, vec![value]),
        }
    }

    pub(super) fn direction(&self, addend: &Expression, falls: bool) -> Option<Direction> {
        let (low, high) = match &addend.kind {
            ExpressionKind::Constant(value) => (*value, *value),
            _ => self.model.bounds(addend.ty)?,
        };
        if low >= 0 {
            Some(if falls { Direction::Down } else { Direction::Up })
        } else if high <= 0 {
            Some(if falls { Direction::Up } else { Direction::Down })
        } else {
            None
        }
    }

    /// One arm of an `if`. Keeping the largest or the smallest of many values is the same in any order.
    pub(super) fn arm(&mut self, condition: &'m Expression, body: &'m [Statement]) {
        let parts = match &condition.kind {
            ExpressionKind::And(parts) => parts.as_slice(),
            _ => std::slice::from_ref(condition),
        };
        let mut kept: Vec<(usize, Form)> = Vec::new();
        for part in parts {
            let mut found = None;
            for (at, statement) in body.iter().enumerate() {
                if let StatementKind::Assign { target, value } = &statement.kind
                    && let Some((form, rest)) = self.extreme(part, target, value)
                {
                    found = Some((at, form, rest));
                    break;
                }
            }
            match found {
                Some((at, form, rest)) => {
                    self.read(rest);
                    kept.push((at, form));
                }
                None => {
                    self.read(part);
                }
            }
        }
        for (at, statement) in body.iter().enumerate() {
            if let StatementKind::Assign { target, value } = &statement.kind
                && let Some((_, form)) = kept.iter().find(|(position, _)| *position == at)
            {
                let term = self.read(value);
                self.write(target, *form, Self::written(value, term), statement.span);
            } else {
                self.statement(statement);
            }
        }
    }

    /// Whether a condition compares a place with the value that it is about to get.
    pub(super) fn extreme(
        &mut self,
        condition: &'m Expression,
        target: &'m Place,
        value: &'m Expression,
    ) -> Option<(Form, &'m Expression)> {
        let ExpressionKind::Compare { operator, left, right } = &condition.kind else { return None };
        let (when_left, when_right) = match operator {
            CompareOperator::Less | CompareOperator::LessOrEqual => (Form::Maximum, Form::Minimum),
            CompareOperator::Greater | CompareOperator::GreaterOrEqual => (Form::Minimum, Form::Maximum),
            CompareOperator::Equal | CompareOperator::NotEqual => return None,
        };
        let path = self.path_alone(target);
        if self.reads(left, &path) && self.same(right, value) {
            Some((when_left, right))
        } else if self.reads(right, &path) && self.same(left, value) {
            Some((when_right, left))
        } else {
            None
        }
    }
}
