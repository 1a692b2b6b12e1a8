//! The value of a formula on a run that goes round in a loop, by its meaning: for checking what a
//! search has found. Nothing of this is used by the search, and nothing of the search here.
//!
//! A part of a formula has a value at each position. Where it speaks of later positions, values are
//! taken from those behind, from the end of the loop to the beginning of the run, again and again
//! until they no longer change: `until` begins with false everywhere, `release` with true.

use crate::contract::context::Context;
use crate::contract::fault::Fault;
use crate::contract::model::{Description, Model, RuleId};
use crate::contract::temporal::{Argument, Fairness, Formula};
use crate::contract::values::instance;
use crate::expansion::Expander;
use std::ops::ControlFlow;

/// A run: its states, which rule fires in each, and where the last one leads back to. A run that
/// ends without a way on has no rule in its last state, which leads back to itself.
#[derive(Clone, Debug)]
pub struct LoopingRun {
    pub states: Vec<Vec<u64>>,
    pub rules: Vec<Option<RuleId>>,
    pub back_to: usize,
}

/// The values of a formula at all positions of a run.
pub fn values(
    model: &dyn Model,
    context: &Context,
    run: &LoopingRun,
    formula: &Formula,
    parameters: &mut Vec<i64>,
) -> Result<Vec<bool>, Fault> {
    let of = |one: &Formula, parameters: &mut Vec<i64>| values(model, context, run, one, parameters);
    let count = run.states.len();
    Ok(match formula {
        Formula::Constant(value) => vec![*value; count],
        Formula::Atom(atom) => {
            let mut found = Vec::with_capacity(count);
            for state in &run.states {
                found.push(match model.atom(context, *atom, parameters, &mut state.clone()) {
                    Err(Fault::PRUNED) => false,
                    evaluated => evaluated?,
                });
            }
            found
        }
        Formula::Fired { family, arguments } => {
            let description = model.description();
            let fires = |rule: &Option<RuleId>| {
                rule.is_some_and(|rule| is_meant(description, rule, *family, *arguments, parameters))
            };
            run.rules.iter().map(fires).collect()
        }
        Formula::Not(one) => of(one, parameters)?.into_iter().map(|value| !value).collect(),
        Formula::And(all) => {
            let mut whole = vec![true; count];
            for one in *all {
                whole.iter_mut().zip(of(one, parameters)?).for_each(|(whole, value)| *whole &= value);
            }
            whole
        }
        Formula::Or(all) => {
            let mut whole = vec![false; count];
            for one in *all {
                whole.iter_mut().zip(of(one, parameters)?).for_each(|(whole, value)| *whole |= value);
            }
            whole
        }
        Formula::Forall(parameter, body) | Formula::Exists(parameter, body) => {
            let all = matches!(formula, Formula::Forall(..));
            let mut whole = vec![all; count];
            for turn in 0..i64::from(parameter.count) {
                parameters.push(parameter.first.wrapping_add(parameter.step.wrapping_mul(turn)));
                let values = of(body, parameters);
                parameters.pop();
                for (whole, value) in whole.iter_mut().zip(values?) {
                    *whole = if all { *whole && value } else { *whole || value };
                }
            }
            whole
        }
        Formula::Next(one) => {
            let values = of(one, parameters)?;
            (0..count).map(|at| values[run.following(at)]).collect()
        }
        Formula::Eventually(one) => {
            let values = of(one, parameters)?;
            run.settled(false, |at, behind| values[at] || behind)
        }
        Formula::Always(one) => {
            let values = of(one, parameters)?;
            run.settled(true, |at, behind| values[at] && behind)
        }
        Formula::Until(left, right) => {
            let (left, right) = (of(left, parameters)?, of(right, parameters)?);
            run.settled(false, |at, behind| right[at] || left[at] && behind)
        }
        Formula::WeakUntil(left, right) => {
            let (left, right) = (of(left, parameters)?, of(right, parameters)?);
            run.settled(true, |at, behind| right[at] || left[at] && behind)
        }
        Formula::Release(left, right) => {
            let (left, right) = (of(left, parameters)?, of(right, parameters)?);
            run.settled(true, |at, behind| right[at] && (left[at] || behind))
        }
    })
}

impl LoopingRun {
    fn following(&self, at: usize) -> usize {
        if at + 1 < self.states.len() { at + 1 } else { self.back_to }
    }

    fn settled(&self, first: bool, value: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![first; self.states.len()];
        loop {
            let before = values.clone();
            for at in (0..values.len()).rev() {
                values[at] = value(at, values[self.following(at)]);
            }
            if values == before {
                return values;
            }
        }
    }

    /// The first rule to which the loop is not fair.
    pub fn unfair_to(
        &self,
        model: &dyn Model,
        context: &Context,
        fairness: &dyn Fn(RuleId) -> Fairness,
    ) -> Option<RuleId> {
        let positions = self.back_to..self.states.len();
        let mut expander = Expander::for_trace(model, context);
        // Of each position, which rules would change the state.
        let mut enabled: Vec<Vec<RuleId>> = Vec::new();
        for at in positions.clone() {
            let mut rules = Vec::new();
            expander.each_piece::<()>(&mut self.states[at].clone(), |piece| {
                rules.extend_from_slice(piece.rules());
                ControlFlow::Continue(())
            });
            enabled.push(rules);
        }
        let fires = |rule: RuleId| {
            positions
                .clone()
                .any(|at| self.rules[at] == Some(rule) && self.states[at] != self.states[self.following(at)])
        };
        let count = |rule: RuleId| enabled.iter().filter(|rules| rules.contains(&rule)).count();
        let asked = enabled.iter().flatten().copied();
        asked.filter(|&rule| !fires(rule)).find(|&rule| match fairness(rule) {
            Fairness::None => false,
            Fairness::Weak => count(rule) == enabled.len(),
            Fairness::Strong => count(rule) > 0,
        })
    }
}

/// Whether a rule that fires is the one that a formula speaks of.
fn is_meant(
    description: &Description,
    rule: RuleId,
    family: u32,
    arguments: Option<&[Argument]>,
    parameters: &[i64],
) -> bool {
    let Some(found) = instance(description.rules, rule.0) else { return false };
    if found.index != family as usize {
        return false;
    }
    let Some(arguments) = arguments else { return true };
    let mut own = vec![0; found.family.parameters.len()];
    found.family.fill_values(rule.0, &mut own);
    let given = arguments.iter().map(|argument| match argument {
        Argument::Value(value) => Some(*value),
        Argument::Parameter(at) => parameters.get(*at as usize).copied(),
    });
    own.len() == arguments.len() && own.iter().zip(given).all(|(own, given)| Some(*own) == given)
}
