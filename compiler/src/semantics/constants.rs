//! Constants: folding what is known, and insisting on it where it must be.

use super::checker::Checker;
use super::model::{ArithmeticOperator, CompareOperator, Expression, ExpressionKind, TypeId};
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree;

/// Why an operation on constants has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    DivisionByZero,
    Overflow,
    /// A shift by a negative number of bits, or one that loses bits: left to the run.
    OddShift,
}

pub(super) fn constant(value: i64, ty: TypeId, span: Span) -> Expression {
    Expression { kind: ExpressionKind::Constant(value), ty, span }
}

/// What stands for an expression that is wrong.
pub(super) fn poison(span: Span) -> Expression {
    constant(0, POISON, span)
}

/// The opposite of a condition.
pub(super) fn negated(condition: Expression) -> Expression {
    let (ty, span) = (condition.ty, condition.span);
    match value_of(&condition) {
        Some(value) => constant(i64::from(value == 0), ty, span),
        None => Expression { kind: ExpressionKind::Not(Box::new(condition)), ty, span },
    }
}

pub(super) fn value_of(expression: &Expression) -> Option<i64> {
    if let ExpressionKind::Constant(value) = expression.kind
        && expression.ty != POISON
    {
        Some(value)
    } else {
        None
    }
}

pub(super) fn arithmetic(operator: ArithmeticOperator, left: i64, right: i64) -> Result<i64, Failure> {
    let result = match operator {
        ArithmeticOperator::Add => left.checked_add(right),
        ArithmeticOperator::Subtract => left.checked_sub(right),
        ArithmeticOperator::Multiply => left.checked_mul(right),
        ArithmeticOperator::Divide | ArithmeticOperator::Modulo if right == 0 => {
            return Err(Failure::DivisionByZero);
        }
        ArithmeticOperator::Divide => left.checked_div(right),
        ArithmeticOperator::Modulo => left.checked_rem(right),
        ArithmeticOperator::BitAnd => Some(left & right),
        ArithmeticOperator::BitOr => Some(left | right),
        ArithmeticOperator::BitXor => Some(left ^ right),
        ArithmeticOperator::ShiftLeft => return shift_left(left, right).ok_or(Failure::OddShift),
        ArithmeticOperator::ShiftRight => return shift_right(left, right).ok_or(Failure::OddShift),
    };
    result.ok_or(Failure::Overflow)
}

/// Left by `by` bits. Only what every reading of a shift agrees on is folded: a shift by a sensible
/// number of bits that loses none of them.
fn shift_left(value: i64, by: i64) -> Option<i64> {
    let by = u32::try_from(by).ok().filter(|by| *by < 63)?;
    value.checked_mul(1i64 << by)
}

fn shift_right(value: i64, by: i64) -> Option<i64> {
    u32::try_from(by).ok().and_then(|by| value.checked_shr(by))
}

pub(super) fn compare(operator: CompareOperator, left: i64, right: i64) -> bool {
    match operator {
        CompareOperator::Equal => left == right,
        CompareOperator::NotEqual => left != right,
        CompareOperator::Less => left < right,
        CompareOperator::LessOrEqual => left <= right,
        CompareOperator::Greater => left > right,
        CompareOperator::GreaterOrEqual => left >= right,
    }
}

impl Checker {
    /// Says that an operation on constants cannot succeed: an error where a constant is needed,
    /// otherwise a warning, since the statement may never be reached.
    pub fn report_failure(&mut self, failure: Failure, span: Span) {
        if self.unreached {
            return;
        }
        let (code, message) = match failure {
            Failure::DivisionByZero => ("division-by-zero", "this divides by zero"),
            Failure::Overflow => ("arithmetic-overflow", "the result does not fit into 64 bits"),
            Failure::OddShift if !self.constant_needed => return,
            Failure::OddShift => ("shift-out-of-range", "this shift loses bits of the number"),
        };
        self.report(if self.constant_needed {
            Diagnostic::error(code, span, message)
        } else {
            Diagnostic::warning(code, span, message).label("a run-time error, if it is ever reached")
        });
    }

    /// An expression that must be known now; `None` after an error.
    pub fn constant_expression(&mut self, tree: &tree::Expression, what: &str) -> Option<(i64, TypeId)> {
        let before = self.diagnostics.len();
        let outer = std::mem::replace(&mut self.constant_needed, true);
        let expression = self.expression(tree);
        self.constant_needed = outer;
        if expression.ty == POISON {
            return None;
        }
        if let Some(value) = value_of(&expression) {
            return Some((value, expression.ty));
        }
        // A failed operation has been reported already.
        if self.diagnostics.len() == before {
            let mut diagnostic = Diagnostic::error(
                "not-constant",
                tree.span,
                format!("{what} must be a constant, known before the model runs"),
            );
            if let tree::ExpressionKind::Name(name) = &tree.kind
                && let Some(entry) = self.scopes.lookup(name)
            {
                let words = self.binding_words(entry.binding);
                diagnostic = diagnostic.also(entry.span, format!("`{name}` is {words}"));
            }
            self.report(diagnostic);
        }
        None
    }

    /// A constant that must be a number.
    pub fn constant_number(&mut self, tree: &tree::Expression, what: &str) -> Option<i64> {
        let (value, ty) = self.constant_expression(tree, what)?;
        if self.types.is_number(ty) {
            return Some(value);
        }
        let words = self.types.describe(ty);
        self.report(Diagnostic::error(
            "number-needed",
            tree.span,
            format!("{what} must be a number, but this is {words}"),
        ));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_keep_every_bit_or_fail() {
        assert_eq!(arithmetic(ArithmeticOperator::ShiftLeft, 3, 2), Ok(12));
        assert_eq!(arithmetic(ArithmeticOperator::ShiftLeft, 1, 63), Err(Failure::OddShift));
        assert_eq!(arithmetic(ArithmeticOperator::ShiftLeft, 8, -2), Err(Failure::OddShift));
        assert_eq!(arithmetic(ArithmeticOperator::ShiftRight, -8, 1), Ok(-4));
        assert_eq!(arithmetic(ArithmeticOperator::ShiftRight, 8, 200), Err(Failure::OddShift));
    }

    #[test]
    fn division_fails_where_it_must() {
        assert_eq!(arithmetic(ArithmeticOperator::Divide, 7, -2), Ok(-3));
        assert_eq!(arithmetic(ArithmeticOperator::Modulo, -7, 2), Ok(-1));
        assert_eq!(arithmetic(ArithmeticOperator::Modulo, 1, 0), Err(Failure::DivisionByZero));
        assert_eq!(arithmetic(ArithmeticOperator::Divide, i64::MIN, -1), Err(Failure::Overflow));
    }
}
