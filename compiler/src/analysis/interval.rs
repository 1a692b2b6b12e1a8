//! Between which bounds the value of an expression lies. What is inside its bounds for certain is
//! not checked again at run time.

use crate::semantics::model::{
    ArithmeticOperator, Call, Domain, Expression, ExpressionKind, LocalId, Model, TypeKind,
};

/// Inclusive bounds, in 128 bits so that the result of one operation on 64-bit numbers always fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    pub const ALL: Interval = Interval { low: i64::MIN as i128, high: i64::MAX as i128 };

    pub fn new(low: i64, high: i64) -> Self {
        Interval { low: low.into(), high: high.into() }
    }

    /// Whether every value of this interval is in `low ..= high`.
    pub fn within(self, low: i64, high: i64) -> bool {
        self.low >= low.into() && self.high <= high.into()
    }

    pub fn fits_64_bits(self) -> bool {
        self.within(i64::MIN, i64::MAX)
    }

    /// What is left after a check has passed.
    fn clamped(self) -> Self {
        if self.fits_64_bits() {
            self
        } else {
            let low = self.low.clamp(Self::ALL.low, Self::ALL.high);
            Interval { low, high: self.high.clamp(low, Self::ALL.high) }
        }
    }

    fn hull(self, other: Self) -> Self {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn of_corners(corners: [i128; 4]) -> Self {
        let [a, b, c, d] = corners;
        Interval { low: a.min(b).min(c).min(d), high: a.max(b).max(c).max(d) }
    }
}

/// What is known of the locals that are in scope.
pub trait Known {
    fn local(&self, local: LocalId) -> Interval;
}

/// The interval of a simple expression's value.
pub fn of(model: &Model, known: &impl Known, expression: &Expression) -> Interval {
    let by_type =
        || model.bounds(expression.ty).map_or(Interval::ALL, |(low, high)| Interval::new(low, high));
    match &expression.kind {
        ExpressionKind::Constant(value) => Interval::new(*value, *value),
        ExpressionKind::Value(local) => known.local(*local),
        ExpressionKind::Read(place) => {
            model.bounds(place.ty).map_or(Interval::ALL, |(low, high)| Interval::new(low, high))
        }
        ExpressionKind::Call(Call { function, .. }) => model.functions[function.index()]
            .returns
            .and_then(|ty| model.bounds(ty))
            .map_or(Interval::ALL, |(low, high)| Interval::new(low, high)),
        ExpressionKind::Negate(operand) => {
            let inner = of(model, known, operand);
            Interval { low: -inner.high, high: -inner.low }.clamped()
        }
        ExpressionKind::BitNot(operand) => {
            let inner = of(model, known, operand);
            Interval { low: !inner.high, high: !inner.low }
        }
        ExpressionKind::Arithmetic { operator, left, right } => {
            exact(*operator, of(model, known, left), of(model, known, right)).clamped()
        }
        ExpressionKind::Conditional { then, otherwise, .. } => {
            of(model, known, then).hull(of(model, known, otherwise))
        }
        ExpressionKind::MultisetCount { multiset, .. } => match &model.ty(multiset.ty).kind {
            TypeKind::Multiset { capacity, .. } => Interval { low: 0, high: (*capacity).into() },
            _ => Interval::ALL,
        },
        // Every value is one of its type: a condition is 0 or 1.
        _ => by_type(),
    }
}

/// The interval of an operation's mathematical result, which may be outside 64 bits.
pub fn exact(operator: ArithmeticOperator, left: Interval, right: Interval) -> Interval {
    match operator {
        ArithmeticOperator::Add => Interval { low: left.low + right.low, high: left.high + right.high },
        ArithmeticOperator::Subtract => Interval { low: left.low - right.high, high: left.high - right.low },
        ArithmeticOperator::Multiply => Interval::of_corners([
            left.low * right.low,
            left.low * right.high,
            left.high * right.low,
            left.high * right.high,
        ]),
        ArithmeticOperator::Divide => {
            // The quotient is never larger than the dividend, but dividing by -1 may turn its sign.
            let most = left.low.abs().max(left.high.abs());
            let low = if left.low >= 0 && right.low > 0 { 0 } else { -most };
            let high = if left.high <= 0 && right.low > 0 { 0 } else { most };
            Interval { low, high }
        }
        ArithmeticOperator::Modulo => {
            // The result has the sign of the dividend and is smaller than the divisor.
            let most = right.low.abs().max(right.high.abs()).max(1) - 1;
            Interval {
                low: if left.low >= 0 { 0 } else { left.low.max(-most) },
                high: if left.high <= 0 { 0 } else { left.high.min(most) },
            }
        }
        ArithmeticOperator::BitAnd if left.low >= 0 && right.low >= 0 => {
            Interval { low: 0, high: left.high.min(right.high) }
        }
        ArithmeticOperator::BitAnd
        | ArithmeticOperator::BitOr
        | ArithmeticOperator::BitXor
        | ArithmeticOperator::ShiftLeft
        | ArithmeticOperator::ShiftRight => Interval::ALL,
    }
}

/// The interval of a loop variable.
pub fn of_domain(model: &Model, known: &impl Known, domain: &Domain) -> Interval {
    match domain {
        Domain::Constant { low, high } => Interval::new(*low, *high),
        Domain::Steps { from, upto, .. } => of(model, known, from).hull(of(model, known, upto)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_and_modulo_keep_the_sign_rules() {
        let check = |operator, left: (i64, i64), right: (i64, i64)| {
            let bounds = exact(operator, Interval::new(left.0, left.1), Interval::new(right.0, right.1));
            for a in left.0..=left.1 {
                for b in right.0..=right.1 {
                    if b != 0 {
                        let value = if operator == ArithmeticOperator::Divide { a / b } else { a % b };
                        assert!(bounds.low <= value.into() && bounds.high >= value.into(), "{a} {b}");
                    }
                }
            }
        };
        for operator in [ArithmeticOperator::Divide, ArithmeticOperator::Modulo] {
            for left in [(-5, 7), (0, 7), (-7, -2), (3, 3), (-7, 0)] {
                for right in [(-3, 4), (1, 4), (-4, -1), (0, 2)] {
                    check(operator, left, right);
                }
            }
        }
    }

    #[test]
    fn products_look_at_all_corners() {
        let product = exact(ArithmeticOperator::Multiply, Interval::new(-3, 2), Interval::new(-5, 4));
        assert_eq!(product, Interval { low: -12, high: 15 });
    }
}
