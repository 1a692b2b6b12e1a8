//! The values that the parameters of rules, start states and properties run through.

use super::is_parameter;
use crate::semantics::model::{Domain, Expression, ExpressionKind, LocalId, Scope};

/// One parameter: `first`, `first + step`, …
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub local: LocalId,
    pub first: i64,
    pub step: i64,
    pub count: u32,
}

/// All instances of one rule.
#[derive(Debug)]
pub struct Instances {
    pub first: u32,
    pub count: u32,
    pub parameters: Vec<Parameter>,
}

impl Instances {
    pub fn new(scopes: &[Scope], first: u32) -> Self {
        let parameters: Vec<Parameter> =
            scopes.iter().filter(|scope| is_parameter(scope)).map(parameter).collect();
        let count = parameters.iter().map(|parameter| parameter.count).fold(1, u32::saturating_mul);
        Instances { first, count, parameters }
    }

    /// The values of the parameters of each instance, in order: the last parameter runs fastest.
    pub fn values(&self) -> impl Iterator<Item = Vec<i64>> {
        (0..self.count).map(|number| self.nth(number))
    }

    fn nth(&self, number: u32) -> Vec<i64> {
        let mut rest = number;
        let mut values: Vec<i64> = self
            .parameters
            .iter()
            .rev()
            .map(|parameter| {
                let digit = rest % parameter.count;
                rest /= parameter.count;
                parameter.first.wrapping_add(i64::from(digit).wrapping_mul(parameter.step))
            })
            .collect();
        values.reverse();
        values
    }
}

/// Numbers the instances of several rules one after the other.
pub fn number<'a>(scopes: impl Iterator<Item = &'a [Scope]>) -> Vec<Instances> {
    let mut first = 0;
    scopes
        .map(|scopes| {
            let instances = Instances::new(scopes, first);
            first += instances.count;
            instances
        })
        .collect()
}

/// The rule that an instance belongs to, and the values of its parameters.
pub fn find(families: &[Instances], number: u32) -> Option<(usize, Vec<i64>)> {
    let family = families
        .iter()
        .position(|instances| (instances.first..instances.first + instances.count).contains(&number))?;
    Some((family, families[family].nth(number - families[family].first)))
}

fn parameter(scope: &Scope) -> Parameter {
    match scope {
        Scope::Parameter(binder) => {
            let (first, last, step) = match &binder.domain {
                Domain::Constant { low, high } => (*low, *high, 1),
                Domain::Steps { from, upto, step } => (constant(from), constant(upto), constant(step)),
            };
            // How many steps fit between the two; none where the first is past the last already.
            let past = if step > 0 { first > last } else { first < last };
            let steps = i128::from(last).abs_diff(i128::from(first)) / i128::from(step).unsigned_abs().max(1);
            let count = if past || step == 0 { 0 } else { u32::try_from(steps + 1).unwrap_or(u32::MAX) };
            Parameter { local: binder.variable, first, step, count }
        }
        Scope::Choose { variable, capacity, .. } => {
            Parameter { local: *variable, first: 0, step: 1, count: *capacity }
        }
        Scope::Alias(binding) => Parameter { local: binding.local, first: 0, step: 1, count: 1 },
    }
}

/// The checker lets only constants through as the bounds of rulesets.
fn constant(expression: &Expression) -> i64 {
    match expression.kind {
        ExpressionKind::Constant(value) => value,
        _ => 0,
    }
}
