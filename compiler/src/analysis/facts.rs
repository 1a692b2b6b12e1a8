//! What is known about the expressions of one rule, start state, function or property: which values
//! need no check at run time, and which quantifiers may stop early.

use std::collections::BTreeSet;

use super::failure::{self, Failure};
use super::interval::{self, Interval};
use super::intervals::Intervals;
use super::optimisations::{Optimisation, Optimisations};
use crate::semantics::code::Code;
use crate::semantics::model::{ArithmeticOperator, Binder, Expression, ExpressionKind, LocalId, Model};
use crate::semantics::visit::{Visit, walk_expression};

/// Facts about the code of one frame.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(super) intervals: Intervals,
    /// The variables of quantifiers that go through all their values.
    exhaustive: BTreeSet<LocalId>,
}

impl Facts {
    /// Facts about a function or property.
    pub(super) fn of_code(model: &Model, code: Code<'_>, optimisations: &Optimisations) -> Self {
        Facts::new(model, code, Intervals::of_code(model, code), optimisations)
    }

    /// Facts about a rule or start state, whose parameters run through known values.
    pub(super) fn of_instances(model: &Model, code: Code<'_>, optimisations: &Optimisations) -> Self {
        Facts::new(model, code, Intervals::of_instances(model, code), optimisations)
    }

    fn new(model: &Model, code: Code<'_>, intervals: Intervals, optimisations: &Optimisations) -> Self {
        let failure = Failure::new(model, code.frame, &intervals);
        let stops = optimisations.has(Optimisation::Quantifiers);
        let mut quantifiers = Quantifiers { model, code, failure, stops, exhaustive: BTreeSet::new() };
        code.visit(&mut quantifiers);
        let exhaustive = quantifiers.exhaustive;
        Facts { intervals, exhaustive }
    }

    fn interval(&self, model: &Model, expression: &Expression) -> Interval {
        interval::of(model, &self.intervals, expression)
    }

    /// Whether a value certainly lies in `low ..= high`.
    pub fn fits(&self, model: &Model, value: &Expression, (low, high): (i64, i64)) -> bool {
        self.interval(model, value).within(low, high)
    }

    /// Whether the negative of a value is certainly a number of 64 bits.
    pub fn negates(&self, model: &Model, operand: &Expression) -> bool {
        self.interval(model, operand).low > i128::from(i64::MIN)
    }

    /// Whether an operation can fail: divide by zero, or leave 64 bits.
    pub fn can_fail(
        &self,
        model: &Model,
        operator: ArithmeticOperator,
        left: &Expression,
        right: &Expression,
    ) -> bool {
        failure::operation(operator, self.interval(model, left), self.interval(model, right))
    }

    /// Whether a quantifier must not stop early: the elements of a scalarset have no first one, so
    /// that if the body fails for one of them, or is seen, it has to be found whatever the others
    /// say.
    pub fn goes_through_all(&self, binder: &Binder) -> bool {
        self.exhaustive.contains(&binder.variable)
    }
}

/// Looks for quantifiers that go through all their values.
struct Quantifiers<'a> {
    model: &'a Model,
    code: Code<'a>,
    failure: Failure<'a>,
    /// Quantifiers stop early where they can.
    stops: bool,
    exhaustive: BTreeSet<LocalId>,
}

impl<'m> Visit<'m> for Quantifiers<'_> {
    fn visit_expression(&mut self, expression: &'m Expression) {
        if let ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } =
            &expression.kind
        {
            let local = self.code.frame.locals.get(binder.variable.index());
            let is_symmetric = local.is_none_or(|local| self.model.is_symmetric(local.ty));
            if is_symmetric && (!self.stops || self.failure.expression(body)) {
                self.exhaustive.insert(binder.variable);
            }
        }
        walk_expression(self, expression);
    }
}
