//! Intervals of values, for indices of which no more is known.

use crate::semantics::model::{Domain, Expression, ExpressionKind};

/// From `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    pub const ANY: Range = Range { low: i64::MIN, high: i64::MAX };

    pub fn single(value: i64) -> Self {
        Range { low: value, high: value }
    }

    /// What a variable lies in while it runs through a domain.
    pub fn of(domain: &Domain) -> Self {
        let constant = |expression: &Expression| match expression.kind {
            ExpressionKind::Constant(value) => Some(value),
            _ => None,
        };
        match domain {
            Domain::Constant { low, high } => Range { low: *low, high: *high },
            Domain::Steps { from, upto, .. } => match (constant(from), constant(upto)) {
                (Some(from), Some(upto)) => Range { low: from.min(upto), high: from.max(upto) },
                (_, _) => Range::ANY,
            },
        }
    }

    pub fn meets(self, other: Range) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    pub fn contains(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    pub fn covers(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The smallest range with both in it.
    pub fn hull(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}
