//! What is wrong at the end of a concrete path, where the search found something wrong with the
//! state that stands for it.
//!
//! Which instance of a rule goes wrong, and where in it, depends on the names of scalarset elements
//! and on the slots of multisets. The properties that are violated do not, nor how many instances
//! of a rule fail: so each error of the stored state has one of its own at the end of the path.

use super::{TraceError, end_of};
use crate::contract::fault::Fault;
use crate::contract::model::{PropertyId, PropertyKind, RuleId};
use crate::contract::problem::Path;
use crate::contract::problem::{Problem, problem_of};
use crate::contract::successors::FaultyFiring;
use crate::expansion::Expander;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The last state of a path, and the state that the search has in its place.
pub struct End {
    steps: usize,
    words: Vec<u64>,
    stored: Arc<[u64]>,
    /// The faults of rules in the stored state, with those that they are here. Found out when the
    /// first is asked for.
    faults: Option<Vec<(FaultyFiring, FaultyFiring)>>,
}

impl End {
    /// `expander` is one for traces.
    pub fn new(expander: &Expander<'_>, path: &Path, stored: Arc<[u64]>) -> Result<Self, TraceError> {
        let words = end_of(expander, path)?;
        Ok(End { steps: path.rules.len(), words, stored, faults: None })
    }

    /// What a problem of the stored state is in this one.
    pub fn problem(&mut self, expander: &mut Expander<'_>, problem: Problem) -> Result<Problem, TraceError> {
        match problem {
            Problem::RuleFault { rule, fault, in_guard, .. } => {
                let of_rule = |there: &FaultyFiring| there.rule == rule && there.in_guard == in_guard;
                let faults = self.faults(expander);
                let exact = faults.iter().find(|(there, _)| of_rule(there) && there.fault == fault);
                let found = exact.or_else(|| faults.iter().find(|(there, _)| of_rule(there)));
                let found = found.map(|&(_, FaultyFiring { rule, fault, value, in_guard })| {
                    Problem::RuleFault { rule, fault, value, in_guard }
                });
                found.ok_or_else(|| self.broken("the rule does not go wrong at its end"))
            }
            Problem::Deadlock | Problem::ClaimedDeadlock { .. } => self.deadlock(expander),
            Problem::PropertyFault { property, .. } if is_deadlock(expander, property) => {
                self.deadlock(expander)
            }
            Problem::Violated { .. } | Problem::PropertyFault { .. } => {
                let mut found = None;
                expander.violations(&mut self.words, &mut |violation| {
                    let here = problem_of(violation);
                    if here.property() == problem.property() {
                        found = Some(here);
                    }
                });
                found.ok_or_else(|| self.broken("the property is not violated at its end"))
            }
            Problem::StartFault { .. } | Problem::NeverCovered { .. } | Problem::Temporal { .. } => {
                Ok(problem)
            }
        }
    }

    /// That there is no way on, and what that is to the user.
    fn deadlock(&mut self, expander: &mut Expander<'_>) -> Result<Problem, TraceError> {
        let way_out = expander.each_piece(&mut self.words, |piece| {
            match piece.is_empty() && piece.excluded().is_empty() {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        if way_out.is_some() {
            return Err(self.broken("a rule changes the state at its end"));
        }
        let found = expander.deadlock_in(&mut self.words);
        found.ok_or_else(|| self.broken("no deadlock property holds at its end"))
    }

    fn broken(&self, what: &'static str) -> TraceError {
        TraceError::new(self.steps, what)
    }

    fn faults(&mut self, expander: &mut Expander<'_>) -> &[(FaultyFiring, FaultyFiring)] {
        let End { words, stored, faults, .. } = self;
        faults.get_or_insert_with(|| {
            let rules = expander.model().description().rules;
            let family = |rule: RuleId| rules.partition_point(|family| family.first <= rule.0);
            let here = faults_in(expander, words, &family);
            match words[..] == stored[..] {
                true => here.iter().map(|&faulty| (faulty, faulty)).collect(),
                false => paired(&faults_in(expander, &mut stored.to_vec(), &family), &here, &family),
            }
        })
    }
}

/// Whether a property says which states without a way on are errors.
fn is_deadlock(expander: &Expander<'_>, property: PropertyId) -> bool {
    let properties = expander.model().description().properties;
    properties.get(property.0 as usize).is_some_and(|one| one.kind == PropertyKind::Deadlock)
}

/// The faults of all rules in a state. A guard that cannot be evaluated is one for each rule as
/// written and place.
fn faults_in(
    expander: &mut Expander<'_>,
    state: &mut [u64],
    family: &dyn Fn(RuleId) -> usize,
) -> Vec<FaultyFiring> {
    let mut guards: HashSet<(usize, Fault)> = HashSet::new();
    let mut faults = Vec::new();
    expander.each_piece::<()>(state, |piece| {
        let is_new =
            |faulty: &&FaultyFiring| !faulty.in_guard || guards.insert((family(faulty.rule), faulty.fault));
        faults.extend(piece.faults().iter().filter(is_new).copied());
        ControlFlow::Continue(())
    });
    faults
}

/// Each fault there with one here, of the same rule as written. Those at the same place of the text
/// belong together, in their order; a loop that can fail at two places may fail at the other one
/// here, so those that are left belong together, in theirs.
fn paired(
    there: &[FaultyFiring],
    here: &[FaultyFiring],
    family: &dyn Fn(RuleId) -> usize,
) -> Vec<(FaultyFiring, FaultyFiring)> {
    let by_place = |faulty: &FaultyFiring| (family(faulty.rule), faulty.in_guard, Some(faulty.fault));
    let by_rule = |faulty: &FaultyFiring| (family(faulty.rule), faulty.in_guard, None);
    let (mut pairs, there, here) = paired_by(there.to_vec(), here.to_vec(), &by_place);
    let (others, there, here) = paired_by(there, here, &by_rule);
    pairs.extend(others);
    // Guards are counted by place, so there may be more of them there: what goes wrong is the same
    // rule.
    let any: HashMap<_, _> = here
        .iter()
        .chain(pairs.iter().map(|(_, here)| here))
        .map(|faulty| (by_rule(faulty), *faulty))
        .collect();
    let rest = there.iter().filter_map(|faulty| Some((*faulty, *any.get(&by_rule(faulty))?)));
    let rest: Vec<_> = rest.collect();
    pairs.extend(rest);
    pairs
}

type Key = (usize, bool, Option<Fault>);
type Faults = Vec<FaultyFiring>;

/// Pairs of the same key, in their order, and what is left on both sides.
fn paired_by(
    there: Faults,
    here: Faults,
    key: &dyn Fn(&FaultyFiring) -> Key,
) -> (Vec<(FaultyFiring, FaultyFiring)>, Faults, Faults) {
    let mut of_key: HashMap<Key, std::collections::VecDeque<usize>> = HashMap::new();
    for (at, faulty) in here.iter().enumerate() {
        of_key.entry(key(faulty)).or_default().push_back(at);
    }
    let mut used = vec![false; here.len()];
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    for faulty in there {
        match of_key.get_mut(&key(&faulty)).and_then(|positions| positions.pop_front()) {
            Some(at) => {
                used[at] = true;
                pairs.push((faulty, here[at]));
            }
            None => left.push(faulty),
        }
    }
    let unused = here.into_iter().zip(used).filter(|(_, used)| !used).map(|(faulty, _)| faulty).collect();
    (pairs, left, unused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faulty(rule: u32, site: u32) -> FaultyFiring {
        FaultyFiring { rule: RuleId(rule), fault: Fault::at(site), value: 0, in_guard: false }
    }

    fn rules(pairs: &[(FaultyFiring, FaultyFiring)]) -> Vec<(u32, u32)> {
        let mut rules: Vec<(u32, u32)> =
            pairs.iter().map(|(there, here)| (there.rule.0, here.rule.0)).collect();
        rules.sort_unstable();
        rules
    }

    /// Ten instances of each rule as written.
    fn family(rule: RuleId) -> usize {
        rule.0 as usize / 10
    }

    #[test]
    fn different_errors_stay_different() {
        let there = [faulty(1, 5), faulty(2, 5), faulty(4, 6), faulty(12, 5)];
        let here = [faulty(0, 6), faulty(7, 5), faulty(9, 5), faulty(11, 5)];
        assert_eq!(rules(&paired(&there, &here, &family)), [(1, 7), (2, 9), (4, 0), (12, 11)]);
    }

    /// A loop meets another of two mistakes first under other names.
    #[test]
    fn the_place_may_be_another_one() {
        let there = [faulty(1, 5), faulty(2, 5), faulty(3, 6)];
        let here = [faulty(4, 5), faulty(5, 6), faulty(6, 6)];
        assert_eq!(rules(&paired(&there, &here, &family)), [(1, 4), (2, 6), (3, 5)]);
    }

    /// Guards are counted by place, and so may be more there than here.
    #[test]
    fn a_guard_at_another_place_is_the_same_rule() {
        let guard = |rule, site| FaultyFiring { in_guard: true, ..faulty(rule, site) };
        let pairs = paired(&[guard(1, 5), guard(2, 6)], &[guard(3, 5)], &family);
        assert_eq!(rules(&pairs), [(1, 3), (2, 3)]);
        assert!(paired(&[guard(1, 5)], &[faulty(3, 5)], &family).is_empty());
    }
}
