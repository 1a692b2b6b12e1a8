//! What expressions mean.

use super::machine::{Binding, Machine};
use super::slots::Slot;
use super::undefined::Purpose;
use crate::semantics::model::{
    ArithmeticOperator, Binder, CompareOperator, ConvertPiece, Domain, Expression, ExpressionKind,
};
use crate::source::Span;
use mcc_runtime::contract::bags::Bags;
use mcc_runtime::fault::{Fault, FaultKind};

/// What a function returns.
#[derive(Clone, Copy)]
pub enum Returned {
    Nothing,
    /// A scalarset or union may be undefined.
    Simple(Slot),
    /// A record, array or multiset, which lies behind everything else in memory.
    Compound(usize),
}

impl<'a> Machine<'a> {
    /// The value of a simple expression, which must be defined.
    #[inline]
    pub fn value(&mut self, expression: &'a Expression) -> Result<i64, Fault> {
        match &expression.kind {
            ExpressionKind::Constant(value) => Ok(*value),
            ExpressionKind::Value(local) => match self.bound(*local) {
                Binding::Value(value) => Ok(value),
                Binding::At(_) | Binding::Nothing => Ok(0),
            },
            _ => self.computed(expression),
        }
    }

    /// The value of an expression that has to be computed.
    fn computed(&mut self, expression: &'a Expression) -> Result<i64, Fault> {
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Value(_) => self.value(expression),
            ExpressionKind::Read(place) => {
                let at = self.place(place)?;
                self.memory[at].ok_or_else(|| self.sites.fault(FaultKind::Undefined, place.span))
            }
            ExpressionKind::Call(call) => match self.call(call)? {
                Returned::Simple(value) => {
                    value.ok_or_else(|| self.sites.fault(FaultKind::Undefined, call.span))
                }
                Returned::Nothing | Returned::Compound(_) => Ok(0),
            },
            ExpressionKind::Not(operand) => Ok(1 - self.value(operand)?),
            ExpressionKind::Negate(operand) => {
                let value = self.value(operand)?;
                value.checked_neg().ok_or_else(|| self.sites.fault(FaultKind::Overflow, expression.span))
            }
            ExpressionKind::BitNot(operand) => Ok(!self.value(operand)?),
            ExpressionKind::Arithmetic { operator, left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.arithmetic(*operator, left, right, expression.span)
            }
            ExpressionKind::Compare { operator, left, right } => {
                let left = self.optional(left, Purpose::Compared)?;
                let right = self.optional(right, Purpose::Compared)?;
                // What has an order is never undefined.
                Ok(i64::from(match operator {
                    CompareOperator::Equal => left == right,
                    CompareOperator::NotEqual => left != right,
                    CompareOperator::Less => left < right,
                    CompareOperator::LessOrEqual => left <= right,
                    CompareOperator::Greater => left > right,
                    CompareOperator::GreaterOrEqual => left >= right,
                }))
            }
            ExpressionKind::CompareCompound { negated, left, right } => {
                let (ty, size) = (left.ty, self.slots.size(left.ty));
                let (left, right) = (self.compound(left)?, self.compound(right)?);
                let mark = self.memory.len();
                let (left, right) = (self.keep(ty, &left), self.keep(ty, &right));
                self.settle_bags_in(left, ty, Bags::All);
                self.settle_bags_in(right, ty, Bags::All);
                let same = self.memory[left..left + size] == self.memory[right..right + size];
                self.memory.truncate(mark);
                Ok(i64::from(same != *negated))
            }
            ExpressionKind::And(operands) => {
                for operand in operands {
                    if self.value(operand)? == 0 {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            ExpressionKind::Or(operands) => {
                for operand in operands {
                    if self.value(operand)? != 0 {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            ExpressionKind::Implies(left, right) => match self.value(left)? {
                0 => Ok(1),
                _ => self.value(right),
            },
            ExpressionKind::Conditional { condition, then, otherwise } => match self.value(condition)? {
                0 => self.value(otherwise),
                _ => self.value(then),
            },
            ExpressionKind::Forall { binder, body } => {
                // Elements of a scalarset have no first one: if the body fails for one of them, it
                // is found.
                let through_all = self.model.is_symmetric(self.local_type(binder.variable));
                let mut all = 1;
                for value in self.domain(binder)? {
                    self.bind(binder.variable, Binding::Value(value));
                    if self.value(body)? == 0 {
                        all = 0;
                        if !through_all {
                            break;
                        }
                    }
                }
                Ok(all)
            }
            ExpressionKind::Exists { binder, body } => {
                let through_all = self.model.is_symmetric(self.local_type(binder.variable));
                let mut any = 0;
                for value in self.domain(binder)? {
                    self.bind(binder.variable, Binding::Value(value));
                    if self.value(body)? != 0 {
                        any = 1;
                        if !through_all {
                            break;
                        }
                    }
                }
                Ok(any)
            }
            ExpressionKind::IsUndefined(place) => {
                let at = self.place(place)?;
                let slots = &self.memory[at..at + self.slots.size(place.ty)];
                Ok(i64::from(slots.iter().all(Option::is_none)))
            }
            ExpressionKind::IsMember { value, ranges } => {
                let value = self.maybe(value)?;
                let inside = |value| ranges.iter().any(|(low, high)| (*low..=*high).contains(&value));
                // Undefined is a member of nothing.
                Ok(i64::from(value.is_some_and(inside)))
            }
            ExpressionKind::MultisetCount { variable, multiset, condition } => {
                let bag = self.place(multiset)?;
                let (mut count, mut from) = (0, 0);
                while let Some(number) = self.next_occupied(bag, multiset.ty, from) {
                    self.bind(*variable, Binding::Value(number));
                    count += i64::from(self.value(condition)? != 0);
                    from = number + 1;
                }
                Ok(count)
            }
            ExpressionKind::Convert { value, pieces } => {
                let value = self.value(value)?;
                self.convert(value, pieces, expression.span)
            }
        }
    }

    /// The value of a simple expression; a mere copy of a variable may be undefined, and a
    /// scalarset or union always.
    pub fn maybe(&mut self, expression: &'a Expression) -> Result<Slot, Fault> {
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let at = self.place(place)?;
                Ok(self.memory[at])
            }
            ExpressionKind::Convert { value, pieces } => match self.maybe(value)? {
                Some(value) => self.convert(value, pieces, expression.span).map(Some),
                None => Ok(None),
            },
            _ => self.optional(expression, Purpose::Copied),
        }
    }

    /// A copy of a record, array or multiset.
    pub fn compound(&mut self, expression: &'a Expression) -> Result<Vec<Slot>, Fault> {
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let at = self.place(place)?;
                Ok(self.slots_at(at, place.ty))
            }
            ExpressionKind::Call(call) => match self.call(call)? {
                Returned::Compound(at) => Ok(self.slots_at(at, expression.ty)),
                Returned::Nothing | Returned::Simple(_) => Ok(Vec::new()),
            },
            ExpressionKind::Conditional { condition, then, otherwise } => match self.value(condition)? {
                0 => self.compound(otherwise),
                _ => self.compound(then),
            },
            // Nothing else has a compound type.
            _ => Ok(Vec::new()),
        }
    }

    pub fn convert(&mut self, value: i64, pieces: &[ConvertPiece], span: Span) -> Result<i64, Fault> {
        let piece = pieces.iter().find(|piece| (piece.low..=piece.high).contains(&value));
        piece
            .map(|piece| value + piece.shift)
            .ok_or_else(|| self.sites.fault_with(FaultKind::Range, span, value))
    }

    fn arithmetic(
        &mut self,
        operator: ArithmeticOperator,
        left: i64,
        right: i64,
        span: Span,
    ) -> Result<i64, Fault> {
        let result = match operator {
            ArithmeticOperator::Divide | ArithmeticOperator::Modulo if right == 0 => {
                return Err(self.sites.fault(FaultKind::Division, span));
            }
            ArithmeticOperator::Add => left.checked_add(right),
            ArithmeticOperator::Subtract => left.checked_sub(right),
            ArithmeticOperator::Multiply => left.checked_mul(right),
            ArithmeticOperator::Divide => left.checked_div(right),
            ArithmeticOperator::Modulo => Some(left.wrapping_rem(right)),
            ArithmeticOperator::BitAnd => Some(left & right),
            ArithmeticOperator::BitOr => Some(left | right),
            ArithmeticOperator::BitXor => Some(left ^ right),
            ArithmeticOperator::ShiftLeft => Some(shift(left, i128::from(right))),
            ArithmeticOperator::ShiftRight => Some(shift(left, -i128::from(right))),
        };
        result.ok_or_else(|| self.sites.fault(FaultKind::Overflow, span))
    }

    /// The values that a loop variable takes: bounds and step are evaluated once.
    pub fn domain(&mut self, binder: &'a Binder) -> Result<impl Iterator<Item = i64> + use<>, Fault> {
        let (first, last, step) = match &binder.domain {
            Domain::Constant { low, high } => (*low, *high, 1),
            Domain::Steps { from, upto, step } => {
                let bounds = (self.value(from)?, self.value(upto)?, self.value(step)?);
                if bounds.2 == 0 {
                    return Err(self.sites.fault(FaultKind::Division, step.span));
                }
                bounds
            }
        };
        let mut next = i128::from(first);
        Ok(std::iter::from_fn(move || {
            let value = next;
            let past = if step > 0 { value > i128::from(last) } else { value < i128::from(last) };
            next += i128::from(step);
            (!past).then_some(value as i64)
        }))
    }
}

/// To the left, or by a negative distance to the right, where the sign stays.
fn shift(value: i64, distance: i128) -> i64 {
    match distance {
        64.. => 0,
        0..=63 => value << distance,
        -63..=-1 => value >> -distance,
        _ => value >> 63,
    }
}
