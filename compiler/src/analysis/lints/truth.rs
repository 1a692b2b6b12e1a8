//! Conditions that have the same value in every state, by the ranges of the types alone.

use std::collections::HashMap;

use crate::analysis::interval::{self, Interval, Known};
use crate::semantics::model::{
    Binder, CompareOperator, Domain, Expression, ExpressionKind, Frame, LocalId, Model, Scope, Statement,
};
use crate::semantics::visit::{Visit, visit_statements, walk_binder};

/// A model and its text.
#[derive(Clone, Copy)]
pub struct Subject<'m> {
    pub model: &'m Model,
    pub text: &'m str,
}

/// What is known of the locals of a rule, function or property: of variables that run through
/// constant bounds these bounds, of others their type.
pub struct Ranges<'m> {
    model: &'m Model,
    text: &'m str,
    frame: &'m Frame,
    bounds: HashMap<LocalId, Interval>,
}

impl<'m> Ranges<'m> {
    pub fn new(subject: Subject<'m>, frame: &'m Frame, scopes: &'m [Scope]) -> Self {
        let Subject { model, text } = subject;
        let mut ranges = Ranges { model, text, frame, bounds: HashMap::new() };
        for scope in scopes {
            if let Scope::Parameter(binder) = scope {
                ranges.domain(binder.variable, &binder.domain);
            }
        }
        ranges
    }

    /// Takes in the loops of a body.
    pub fn statements(&mut self, body: &'m [Statement]) {
        visit_statements(self, body);
    }

    /// Takes in the quantifiers of an expression.
    pub fn expression(&mut self, expression: &'m Expression) {
        self.visit_expression(expression);
    }

    fn domain(&mut self, variable: LocalId, domain: &Domain) {
        if let Domain::Constant { low, high } = domain {
            self.bounds.insert(variable, Interval::new(*low, *high));
        }
    }

    /// The value that a condition has wherever it can be evaluated; `None` if that depends on the
    /// state.
    pub fn truth(&self, condition: &Expression) -> Option<bool> {
        match &condition.kind {
            ExpressionKind::Constant(value) => {
                // What follows from constants is a choice of the author, unless it is written out.
                let text = condition.span.text(self.text).trim_matches(['(', ')', ' ']);
                let is_literal = ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
                is_literal.then_some(*value != 0)
            }
            ExpressionKind::Not(operand) => self.truth(operand).map(|value| !value),
            ExpressionKind::And(operands) => self.all(operands, false),
            ExpressionKind::Or(operands) => self.all(operands, true),
            ExpressionKind::Implies(left, right) => match (self.truth(left), self.truth(right)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                (_, _) => None,
            },
            ExpressionKind::Conditional { condition, then, otherwise } => match self.truth(condition) {
                Some(true) => self.truth(then),
                Some(false) => self.truth(otherwise),
                None => self.truth(then).filter(|value| Some(*value) == self.truth(otherwise)),
            },
            ExpressionKind::Compare { operator, left, right } => self.comparison(*operator, left, right),
            // The bounds of a domain that is not constant may be such that it is empty.
            ExpressionKind::Forall { binder, body } => {
                self.truth(body).filter(|value| *value || matches!(binder.domain, Domain::Constant { .. }))
            }
            ExpressionKind::Exists { binder, body } => {
                self.truth(body).filter(|value| !*value || matches!(binder.domain, Domain::Constant { .. }))
            }
            // It depends on the state, or nothing is said about it.
            _ => None,
        }
    }

    /// A conjunction, which one `false` decides, or a disjunction, which one `true` does.
    fn all(&self, operands: &[Expression], decisive: bool) -> Option<bool> {
        let mut truths = operands.iter().map(|operand| self.truth(operand));
        if truths.clone().any(|truth| truth == Some(decisive)) {
            return Some(decisive);
        }
        truths.all(|truth| truth == Some(!decisive)).then_some(!decisive)
    }

    /// What a comparison comes to for all values in the ranges of its sides. A type of one value is
    /// left alone: it stands for one that will have more.
    pub fn comparison(
        &self,
        operator: CompareOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<bool> {
        let (left, right) = (self.side(left)?, self.side(right)?);
        let order = |less: bool, never: bool| match (less, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            (false, false) => None,
        };
        match operator {
            CompareOperator::Less => order(left.high < right.low, left.low >= right.high),
            CompareOperator::LessOrEqual => order(left.high <= right.low, left.low > right.high),
            CompareOperator::Greater => order(left.low > right.high, left.high <= right.low),
            CompareOperator::GreaterOrEqual => order(left.low >= right.high, left.high < right.low),
            CompareOperator::Equal => order(false, left.high < right.low || right.high < left.low),
            CompareOperator::NotEqual => order(left.high < right.low || right.high < left.low, false),
        }
    }

    fn side(&self, expression: &Expression) -> Option<Interval> {
        let interval = interval::of(self.model, self, expression);
        let is_constant = matches!(expression.kind, ExpressionKind::Constant(_));
        (is_constant || interval.low < interval.high).then_some(interval)
    }
}

impl<'m> Visit<'m> for Ranges<'m> {
    fn visit_binder(&mut self, binder: &'m Binder) {
        self.domain(binder.variable, &binder.domain);
        walk_binder(self, binder);
    }
}

impl Known for Ranges<'_> {
    fn local(&self, local: LocalId) -> Interval {
        if let Some(bounds) = self.bounds.get(&local) {
            return *bounds;
        }
        let bounds = self.frame.locals.get(local.index()).and_then(|local| self.model.bounds(local.ty));
        bounds.map_or(Interval::ALL, |(low, high)| Interval::new(low, high))
    }
}
