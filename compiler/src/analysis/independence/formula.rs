//! Values that follow from the parameters of a rule alone, whatever the state: `i`, `3`,
//! `(i + 1) % N`.
//!
//! An index of this kind is a number for each instance of the rule, so two of them can be compared
//! pair by pair.

use std::sync::Arc;

use super::range::Range;
use crate::semantics::model::{ArithmeticOperator, CompareOperator, ConvertPiece};

/// Larger formulas are given up: they are as good as unknown.
const MOST_NODES: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Formula {
    Constant(i64),
    /// The position of a parameter among those of the rule.
    Parameter(usize),
    Arithmetic(Arithmetic, Arc<Formula>, Arc<Formula>),
    Compare(Comparison, Arc<Formula>, Arc<Formula>),
    Conditional(Arc<Formula>, Arc<Formula>, Arc<Formula>),
    /// From one numbering to another, as `(low, high, shift)`.
    Convert(Arc<Formula>, Vec<(i64, i64, i64)>),
}

/// The operators that indices are computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Formula {
    /// For use in another one, unless it has become too large.
    pub fn limited(self) -> Option<Arc<Formula>> {
        (self.nodes() <= MOST_NODES).then(|| Arc::new(self))
    }

    fn nodes(&self) -> usize {
        1 + match self {
            Formula::Constant(_) | Formula::Parameter(_) => 0,
            Formula::Arithmetic(_, left, right) | Formula::Compare(_, left, right) => {
                left.nodes() + right.nodes()
            }
            Formula::Conditional(condition, then, otherwise) => {
                condition.nodes() + then.nodes() + otherwise.nodes()
            }
            Formula::Convert(value, _) => value.nodes(),
        }
    }

    /// The value for one instance; `None` where computing it is an error, so that the rule stops
    /// there.
    pub fn value(&self, parameters: &[i64]) -> Option<i64> {
        match self {
            Formula::Constant(value) => Some(*value),
            Formula::Parameter(position) => parameters.get(*position).copied(),
            Formula::Arithmetic(operator, left, right) => {
                let (left, right) = (left.value(parameters)?, right.value(parameters)?);
                match operator {
                    Arithmetic::Add => left.checked_add(right),
                    Arithmetic::Subtract => left.checked_sub(right),
                    Arithmetic::Multiply => left.checked_mul(right),
                    Arithmetic::Divide => left.checked_div(right),
                    Arithmetic::Modulo if right == 0 => None,
                    Arithmetic::Modulo => Some(left.wrapping_rem(right)),
                }
            }
            Formula::Compare(operator, left, right) => {
                let (left, right) = (left.value(parameters)?, right.value(parameters)?);
                Some(i64::from(match operator {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::LessOrEqual => left <= right,
                    Comparison::Greater => left > right,
                    Comparison::GreaterOrEqual => left >= right,
                }))
            }
            Formula::Conditional(condition, then, otherwise) => match condition.value(parameters)? {
                0 => otherwise.value(parameters),
                _ => then.value(parameters),
            },
            Formula::Convert(value, pieces) => {
                let value = value.value(parameters)?;
                let (_, _, shift) = pieces.iter().find(|(low, high, _)| (*low..=*high).contains(&value))?;
                value.checked_add(*shift)
            }
        }
    }

    /// What its value lies in, given what the parameters run through.
    pub fn range(&self, parameters: &[Range]) -> Range {
        match self {
            Formula::Constant(value) => Range::single(*value),
            Formula::Parameter(position) => parameters.get(*position).copied().unwrap_or(Range::ANY),
            Formula::Conditional(_, then, otherwise) => {
                then.range(parameters).hull(otherwise.range(parameters))
            }
            Formula::Compare(..) => Range { low: 0, high: 1 },
            Formula::Arithmetic(..) | Formula::Convert(..) => Range::ANY,
        }
    }
}

impl Arithmetic {
    /// `None` for the operators on bits, which no index is computed with.
    pub fn new(operator: ArithmeticOperator) -> Option<Self> {
        match operator {
            ArithmeticOperator::Add => Some(Arithmetic::Add),
            ArithmeticOperator::Subtract => Some(Arithmetic::Subtract),
            ArithmeticOperator::Multiply => Some(Arithmetic::Multiply),
            ArithmeticOperator::Divide => Some(Arithmetic::Divide),
            ArithmeticOperator::Modulo => Some(Arithmetic::Modulo),
            ArithmeticOperator::BitAnd
            | ArithmeticOperator::BitOr
            | ArithmeticOperator::BitXor
            | ArithmeticOperator::ShiftLeft
            | ArithmeticOperator::ShiftRight => None,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Modulo => "%",
        }
    }
}

impl Comparison {
    pub fn new(operator: CompareOperator) -> Self {
        match operator {
            CompareOperator::Equal => Comparison::Equal,
            CompareOperator::NotEqual => Comparison::NotEqual,
            CompareOperator::Less => Comparison::Less,
            CompareOperator::LessOrEqual => Comparison::LessOrEqual,
            CompareOperator::Greater => Comparison::Greater,
            CompareOperator::GreaterOrEqual => Comparison::GreaterOrEqual,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

/// The pieces of a conversion in a form that can be compared.
pub fn pieces(pieces: &[ConvertPiece]) -> Vec<(i64, i64, i64)> {
    pieces.iter().map(|piece| (piece.low, piece.high, piece.shift)).collect()
}
