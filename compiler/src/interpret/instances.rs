//! The values that the parameters of rules, start states and properties run through.

use super::is_parameter;
use crate::semantics::model::{Domain, Expression, ExpressionKind, LocalId, Scope};

/// One parameter: `first`, `first + step`, … `last`; `count` values.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub local: LocalId,
    pub first: i64,
    pub step: i64,
    pub last: i64,
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

    /// The values of the parameters of the first instance.
    pub fn first_values(&self) -> Vec<i64> {
        self.parameters.iter().map(|parameter| parameter.first).collect()
    }

    /// From the values of one instance to those of the next: the last parameter runs fastest.
    pub fn advance(&self, values: &mut [i64]) {
        for (value, parameter) in values.iter_mut().zip(&self.parameters).rev() {
            if *value != parameter.last {
                *value = value.wrapping_add(parameter.step);
                return;
            }
            *value = parameter.first;
        }
    }

    /// The values of the parameters of one instance.
    fn nth(&self, number: u32) -> Vec<i64> {
        let mut rest = number;
        let mut values = self.first_values();
        for (value, parameter) in values.iter_mut().zip(&self.parameters).rev() {
            let digit = i64::from(rest % parameter.count);
            rest /= parameter.count;
            *value = parameter.first.wrapping_add(digit.wrapping_mul(parameter.step));
        }
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
    let (local, first, upto, step) = match scope {
        Scope::Parameter(binder) => match &binder.domain {
            Domain::Constant { low, high } => (binder.variable, *low, *high, 1),
            Domain::Steps { from, upto, step } => {
                (binder.variable, constant(from), constant(upto), constant(step))
            }
        },
        Scope::Choose { variable, capacity, .. } => (*variable, 0, i64::from(*capacity) - 1, 1),
        Scope::Alias(binding) => (binding.local, 0, 0, 1),
    };
    // None where the first is past the last already.
    let past = if step > 0 { first > upto } else { first < upto };
    if past || step == 0 {
        return Parameter { local, first, step, last: first, count: 0 };
    }
    let steps = (i128::from(upto) - i128::from(first)) / i128::from(step);
    let last = (i128::from(first) + steps * i128::from(step)) as i64;
    Parameter { local, first, step, last, count: u32::try_from(steps + 1).unwrap_or(u32::MAX) }
}

/// The checker lets only constants through as the bounds of rulesets.
fn constant(expression: &Expression) -> i64 {
    match expression.kind {
        ExpressionKind::Constant(value) => value,
        _ => 0,
    }
}
