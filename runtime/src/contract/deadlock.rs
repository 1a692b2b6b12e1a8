//! Which states without a way on are errors: all of them, unless the model has `deadlock`
//! properties, which say it instead.

use crate::contract::context::Context;
use crate::contract::fault::Fault;
use crate::contract::model::{Model, Parameter};
use crate::contract::problem::Problem;
use crate::contract::temporal::{Claim, ClaimKind, Formula};

/// What a problem of this state is to the user: of a deadlock, what the model's `deadlock`
/// properties make of it, which may be nothing.
pub fn judged(model: &dyn Model, context: &Context, state: &mut [u64], problem: Problem) -> Option<Problem> {
    if problem != Problem::Deadlock {
        return Some(problem);
    }
    let claims = model.temporal().map_or(&[][..], |temporal| temporal.claims);
    let mut deadlocks = claims.iter().filter(|claim| claim.kind == ClaimKind::Deadlock).peekable();
    if deadlocks.peek().is_none() {
        return Some(problem);
    }
    deadlocks.find_map(|claim| match holds_for_some(model, context, state, claim) {
        Ok(true) => Some(Problem::ClaimedDeadlock { property: claim.property }),
        Ok(false) => None,
        Err(fault) => Some(Problem::PropertyFault { property: claim.property, fault, value: Fault::value() }),
    })
}

fn holds_for_some(
    model: &dyn Model,
    context: &Context,
    state: &mut [u64],
    claim: &Claim,
) -> Result<bool, Fault> {
    let atom = match claim.formula {
        Formula::Atom(atom) => atom,
        Formula::Constant(value) => return Ok(value),
        // The compiler makes a single condition of it.
        _ => return Ok(true),
    };
    let mut found = false;
    // All of them are evaluated: elements of a scalarset have no order, so one for which the
    // evaluation fails is found, whatever it says about the others.
    for values in Choices::new(claim.parameters) {
        found |= match model.atom(context, atom, &values, state) {
            Err(Fault::PRUNED) => false,
            evaluated => evaluated?,
        };
    }
    Ok(found)
}

/// All choices of values for parameters; one where there are none. The last runs fastest.
#[derive(Clone, Debug)]
pub struct Choices {
    parameters: Vec<(i64, i64, u32)>,
    next: Option<Vec<u32>>,
}

impl Choices {
    pub fn new(parameters: &[Parameter]) -> Self {
        let parameters: Vec<_> = parameters.iter().map(|one| (one.first, one.step, one.count)).collect();
        let is_empty = parameters.iter().any(|(_, _, count)| *count == 0);
        let next = (!is_empty).then(|| vec![0; parameters.len()]);
        Choices { parameters, next }
    }
}

impl Iterator for Choices {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        let digits = self.next.take()?;
        let value = |(digit, (first, step, _)): (&u32, &(i64, i64, u32))| {
            first.wrapping_add(step.wrapping_mul(i64::from(*digit)))
        };
        let values = digits.iter().zip(&self.parameters).map(value).collect();
        let mut following = digits;
        for (digit, (_, _, count)) in following.iter_mut().zip(&self.parameters).rev() {
            *digit += 1;
            if *digit < *count {
                self.next = Some(following);
                break;
            }
            *digit = 0;
        }
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_parameter_runs_fastest() {
        let choices = |parameters: Vec<(i64, i64, u32)>| {
            let is_empty = parameters.iter().any(|(_, _, count)| *count == 0);
            let next = (!is_empty).then(|| vec![0; parameters.len()]);
            Choices { parameters, next }.collect::<Vec<_>>()
        };
        assert_eq!(choices(vec![(1, 1, 2), (5, -2, 2)]), [[1, 5], [1, 3], [2, 5], [2, 3]]);
        assert_eq!(choices(Vec::new()), [[0i64; 0]]);
        assert!(choices(vec![(1, 1, 2), (0, 1, 0)]).is_empty());
    }
}
