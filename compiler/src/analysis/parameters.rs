//! The values that the parameters of rules and start states run through, known without a run.

use super::interval::Interval;
use crate::semantics::model::{Domain, Expression, ExpressionKind, LocalId, Scope};

/// The values that one parameter of a rule runs through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParameterValues {
    pub local: LocalId,
    pub first: i64,
    pub step: i64,
    pub count: u32,
}

impl ParameterValues {
    /// Its smallest and its largest value; `None` where it has none.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let turns = i64::from(self.count).checked_sub(1).filter(|turns| *turns >= 0)?;
        let last = self.first.checked_add(self.step.checked_mul(turns)?)?;
        Some((self.first.min(last), self.first.max(last)))
    }

    /// Between which bounds it lies wherever code that depends on it is executed.
    pub fn interval(&self) -> Interval {
        let distance = self.step.wrapping_mul(i64::from(self.count.max(1)) - 1);
        let last = self.first.wrapping_add(distance);
        Interval::new(self.first.min(last), self.first.max(last))
    }
}

/// The parameters of a rule, from the outside in: of rulesets and of `choose`.
pub(crate) fn parameters(scopes: &[Scope]) -> Vec<ParameterValues> {
    scopes.iter().filter_map(parameter).collect()
}

/// The parameter that a scope stands for; an alias is none.
pub(crate) fn parameter(scope: &Scope) -> Option<ParameterValues> {
    match scope {
        Scope::Parameter(binder) => {
            let (first, last, step) = constant_domain(&binder.domain);
            let count = match step {
                0 => 0,
                step => (i128::from(last) - i128::from(first)) / i128::from(step) + 1,
            };
            let backwards = (step > 0 && last < first) || (step < 0 && last > first);
            let count = if backwards { 0 } else { u32::try_from(count).unwrap_or(0) };
            Some(ParameterValues { local: binder.variable, first, step, count })
        }
        Scope::Choose { variable, capacity, .. } => {
            Some(ParameterValues { local: *variable, first: 0, step: 1, count: *capacity })
        }
        Scope::Alias(_) => None,
    }
}

/// The checker has made sure that the bounds of rulesets are constants.
fn constant_domain(domain: &Domain) -> (i64, i64, i64) {
    let constant = |expression: &Expression| match expression.kind {
        ExpressionKind::Constant(value) => value,
        _ => 0,
    };
    match domain {
        Domain::Constant { low, high } => (*low, *high, 1),
        Domain::Steps { from, upto, step } => (constant(from), constant(upto), constant(step)),
    }
}
