//! Whether evaluating something can fail or be seen. Every optimisation that leaves an evaluation
//! out, repeats it or moves it asks here, and nowhere else.
//!
//! *Fail*: an undefined value is read, a value is outside its range or an index outside its array,
//! a divisor is zero, a result leaves 64 bits, a slot is empty. *Be seen*: the state is written, a
//! `cover` counts, a `put` prints, an `assume` takes the firing back. In expressions only calls can
//! be seen, and a call may also end without `return`, recurse too deeply or turn a loop too often,
//! so each call can.
//!
//! The answers are on the safe side: what is not known to be harmless can fail. Comparing undefined
//! values of scalarsets and unions counts as a failure, since `--strict-undefined` makes it one.
//! That the *interval* of an index fits its array says nothing about whether the index can be
//! evaluated: both are asked.

use super::interval::{self, Interval};
use super::intervals::Intervals;
use crate::semantics::model::{
    AliasBinding, AliasValue, ArithmeticOperator, Domain, Expression, ExpressionKind, Frame, Model, Place,
    Root, Scope, Step, TypeId, TypeKind,
};

/// Answers for the expressions of one rule, function or property.
#[derive(Clone, Copy)]
pub struct Failure<'a> {
    model: &'a Model,
    frame: &'a Frame,
    intervals: &'a Intervals,
}

impl<'a> Failure<'a> {
    /// `intervals`: between which bounds the locals of the frame lie.
    pub fn new(model: &'a Model, frame: &'a Frame, intervals: &'a Intervals) -> Self {
        Failure { model, frame, intervals }
    }

    /// Whether evaluating an expression can fail or be seen. Of a simple one the value is needed; a
    /// compound one is compared or copied, undefined parts included.
    pub fn expression(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Value(_) => false,
            // Any simple variable may be undefined.
            ExpressionKind::Read(place) => self.model.is_simple(place.ty) || self.place(place),
            ExpressionKind::Call(_) => true,
            ExpressionKind::Not(operand) | ExpressionKind::BitNot(operand) => self.expression(operand),
            ExpressionKind::Negate(operand) => {
                self.expression(operand) || self.interval(operand).low <= i128::from(i64::MIN)
            }
            ExpressionKind::Arithmetic { operator, left, right } => {
                self.expression(left)
                    || self.expression(right)
                    || operation(*operator, self.interval(left), self.interval(right))
            }
            ExpressionKind::Compare { left, right, .. }
            | ExpressionKind::CompareCompound { left, right, .. }
            | ExpressionKind::Implies(left, right) => self.expression(left) || self.expression(right),
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                parts.iter().any(|part| self.expression(part))
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.expression(condition) || self.expression(then) || self.expression(otherwise)
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.domain(&binder.domain) || self.expression(body)
            }
            ExpressionKind::IsUndefined(place) => self.place(place),
            // Undefined is a member of nothing.
            ExpressionKind::IsMember { value, .. } => match &value.kind {
                ExpressionKind::Read(place) => self.place(place),
                _ => self.expression(value),
            },
            ExpressionKind::MultisetCount { multiset, condition, .. } => {
                self.place(multiset) || self.expression(condition)
            }
            ExpressionKind::Convert { value, pieces } => {
                let interval = self.interval(value);
                let fits = pieces.iter().any(|piece| interval.within(piece.low, piece.high));
                self.expression(value) || !fits
            }
        }
    }

    /// Whether following the path to a place can fail or be seen; what the place holds is not asked
    /// for.
    pub fn place(&self, place: &Place) -> bool {
        let mut ty = match &place.root {
            Root::Global(global) => self.model.globals.get(global.index()).map(|global| global.ty),
            // Bound before, or storage of its own.
            Root::Local(local) => self.frame.locals.get(local.index()).map(|local| local.ty),
            Root::Temporary(value) => {
                if self.expression(value) {
                    return true;
                } else {
                    Some(value.ty)
                }
            }
        };
        for step in &place.steps {
            let fails = match (step, ty.and_then(|ty| self.index_bounds(ty))) {
                (Step::Field(_), _) => false,
                (Step::Index(index), Some((low, high))) => {
                    self.expression(index) || !self.interval(index).within(low, high)
                }
                (Step::Index(_), None) => true,
                // The slot may be empty.
                (Step::Slot(_), _) => true,
            };
            if fails {
                return true;
            }
            ty = ty.and_then(|ty| self.after(ty, step));
        }
        false
    }

    /// Whether binding an alias can fail or be seen.
    pub fn alias(&self, binding: &AliasBinding) -> bool {
        match &binding.value {
            AliasValue::Place(place) => self.place(place),
            AliasValue::Expression(value) => self.expression(value),
        }
    }

    /// Whether evaluating the bounds of a loop can fail or be seen.
    pub fn domain(&self, domain: &Domain) -> bool {
        match domain {
            Domain::Constant { .. } => false,
            Domain::Steps { from, upto, step } => {
                let steps = self.interval(step);
                let may_stand = steps.low <= 0 && steps.high >= 0;
                may_stand || [from, upto, step].into_iter().any(|part| self.expression(part))
            }
        }
    }

    /// Whether entering a scope around a rule can fail, be seen, or lead nowhere because it has no
    /// value: then nothing that stands inside may be evaluated outside.
    pub fn scope(&self, scope: &Scope) -> bool {
        match scope {
            Scope::Parameter(binder) => matches!(binder.domain, Domain::Steps { .. }),
            Scope::Alias(binding) => self.alias(binding),
            // The slot may be empty.
            Scope::Choose { .. } => true,
        }
    }

    fn interval(&self, expression: &Expression) -> Interval {
        interval::of(self.model, self.intervals, expression)
    }

    /// The first and the last index of an array; `None` for everything else.
    fn index_bounds(&self, ty: TypeId) -> Option<(i64, i64)> {
        match &self.model.types.get(ty.index())?.kind {
            TypeKind::Array { index, .. } => self.model.bounds(*index),
            _ => None,
        }
    }

    /// The type that one step leads to.
    fn after(&self, ty: TypeId, step: &Step) -> Option<TypeId> {
        match (&self.model.types.get(ty.index())?.kind, step) {
            (TypeKind::Record { fields }, Step::Field(field)) => {
                fields.get(*field as usize).map(|field| field.ty)
            }
            (TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. }, _) => Some(*element),
            (_, _) => None,
        }
    }
}

/// Whether an operation on values of these intervals can fail: divide by zero, or leave 64 bits.
pub fn operation(operator: ArithmeticOperator, left: Interval, right: Interval) -> bool {
    let may_be_zero = right.low <= 0 && right.high >= 0;
    let overflows = !interval::exact(operator, left, right).fits_64_bits();
    match operator {
        ArithmeticOperator::Add | ArithmeticOperator::Subtract | ArithmeticOperator::Multiply => overflows,
        ArithmeticOperator::Divide => may_be_zero || overflows,
        // The smallest number has no remainder by -1 that a processor could compute.
        ArithmeticOperator::Modulo => may_be_zero || (right.low <= 0 && left.low <= i128::from(i64::MIN)),
        ArithmeticOperator::BitAnd
        | ArithmeticOperator::BitOr
        | ArithmeticOperator::BitXor
        | ArithmeticOperator::ShiftLeft
        | ArithmeticOperator::ShiftRight => false,
    }
}

#[cfg(test)]
mod tests;
