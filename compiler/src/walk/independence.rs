//! Tests a relation of independence on the states of a model, by the definition.
//!
//! In each state that is explored, for each rule that fires and each other one that is said to be
//! independent of it: the other one does before and after the same (stay disabled, fire, be
//! excluded, fail in the same place), and if both fire, both orders lead to the same state. Where
//! rules are said to be apart, the other one also changes the same bits before and after. The
//! relation is any function, so that tests can pass a wrong one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use super::{Effect, Move, Walker};
use crate::analysis::Demand;
use crate::analysis::Independence;
use mcc_runtime::contract::problem::Problem;
use mcc_runtime::model::{Description, RuleId};

/// States whose enabled rules are kept; when there are more, all of them are dropped.
const MOST_KNOWN: usize = 20_000;

/// The independence of rules by the numbers of their instances.
pub struct Instances {
    independence: Independence,
    /// The rule of each instance, and the values of its parameters.
    values: Vec<(usize, Vec<i64>)>,
}

impl Instances {
    pub fn new(independence: Independence, description: &Description) -> Self {
        let mut values = Vec::with_capacity(description.rule_instances() as usize);
        for (family, rule) in description.rules.iter().enumerate() {
            for instance in rule.first..rule.first + rule.instances {
                let mut parameters = vec![0; rule.parameters.len()];
                rule.fill_values(instance, &mut parameters);
                values.push((family, parameters));
            }
        }
        Instances { independence, values }
    }

    pub fn is_independent(&self, one: RuleId, other: RuleId) -> bool {
        match (self.values.get(one.0 as usize), self.values.get(other.0 as usize)) {
            (Some(one), Some(other)) => {
                self.independence.is_independent((one.0, &one.1), (other.0, &other.1))
            }
            (_, _) => false,
        }
    }

    /// How many pairs of different instances there are, and how many of them are independent.
    pub fn share(&self) -> (u64, u64) {
        let count = self.values.len() as u32;
        let (mut pairs, mut independent) = (0, 0);
        for one in 0..count {
            for other in one + 1..count {
                pairs += 1;
                independent += u64::from(self.is_independent(RuleId(one), RuleId(other)));
            }
        }
        (pairs, independent)
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// What was tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tested {
    pub states: u64,
    /// Pairs of a rule that fired and another one, in one state, that are said to be independent.
    pub pairs: u64,
    /// There are more states than were asked for.
    pub bounded: bool,
}

/// Two rules that are not independent, and the state that shows it.
#[derive(Clone, Debug)]
pub struct Refutation {
    pub state: Vec<u64>,
    /// The rule that fires.
    pub first: RuleId,
    /// The rule that does something else after it.
    pub second: RuleId,
    pub difference: Difference,
}

#[derive(Clone, Debug)]
pub enum Difference {
    /// What the second rule does before and after the first, in words.
    Outcome { before: &'static str, after: &'static str },
    /// Where the first and then the second lead, and the other way round.
    States { one: Vec<u64>, other: Vec<u64> },
    /// The second rule does not change after the first what it changes before.
    Change,
}

/// What can be done in the states met so far.
struct Known<'a, 'm> {
    walker: &'a Walker<'m>,
    moves: HashMap<Rc<[u64]>, Rc<[Move]>>,
}

impl Known<'_, '_> {
    fn moves(&mut self, state: &[u64]) -> Rc<[Move]> {
        if let Some(moves) = self.moves.get(state) {
            return moves.clone();
        }
        if self.moves.len() >= MOST_KNOWN {
            self.moves.clear();
        }
        let moves: Rc<[Move]> = self.walker.moves(state).into();
        self.moves.insert(state.into(), moves.clone());
        moves
    }
}

/// Explores up to `most` states breadth first. Priorities, bags and assumptions are those of the
/// walker's context.
pub fn test(
    walker: &Walker,
    independent: &mut dyn FnMut(RuleId, RuleId) -> bool,
    demand: Demand,
    most: u64,
) -> Result<Tested, Box<Refutation>> {
    let mut tested = Tested::default();
    let mut known = Known { walker, moves: HashMap::new() };
    let mut met: HashSet<Rc<[u64]>> = HashSet::new();
    let mut open: VecDeque<Rc<[u64]>> = VecDeque::new();
    for start in walker.starts() {
        if let Effect::To(state) = start.effect {
            let state: Rc<[u64]> = state.into();
            if met.insert(state.clone()) {
                open.push_back(state);
            }
        }
    }
    while let Some(state) = open.pop_front() {
        if tested.states == most {
            tested.bounded = true;
            break;
        }
        tested.states += 1;
        let moves = known.moves(&state);
        for found in moves.iter() {
            let Effect::To(next) = &found.effect else { continue };
            let after = known.moves(next);
            let first = RuleId(found.number);
            let at = At { state: &state, next, demand, before: &moves, first, after: &after };
            tested.pairs += at.test(&mut known, independent)?;
            if !met.contains(next.as_slice()) {
                let next: Rc<[u64]> = next.as_slice().into();
                met.insert(next.clone());
                open.push_back(next);
            }
        }
    }
    Ok(tested)
}

/// A rule that fires in a state.
struct At<'a> {
    state: &'a [u64],
    next: &'a [u64],
    demand: Demand,
    before: &'a [Move],
    first: RuleId,
    after: &'a [Move],
}

impl At<'_> {
    /// Tests it against every rule that does something before or after it.
    fn test(
        &self,
        known: &mut Known,
        independent: &mut dyn FnMut(RuleId, RuleId) -> bool,
    ) -> Result<u64, Box<Refutation>> {
        let mut pairs = 0;
        let mut others: Vec<u32> = self.before.iter().chain(self.after).map(|found| found.number).collect();
        others.sort_unstable();
        others.dedup();
        for second in others.into_iter().map(RuleId) {
            if second == self.first || !independent(self.first, second) {
                continue;
            }
            pairs += 1;
            let (before, after) = (effect_of(self.before, second), effect_of(self.after, second));
            if !is_same_outcome(before, after) {
                let difference = Difference::Outcome { before: outcome(before), after: outcome(after) };
                return Err(self.refutation(second, difference));
            }
            let (Some(Effect::To(other_way)), Some(Effect::To(one))) = (before, after) else { continue };
            if self.demand == Demand::Apart && !is_same_change((self.state, other_way), (self.next, one)) {
                return Err(self.refutation(second, Difference::Change));
            }
            // Both rules are tested in both roles; comparing the states once is enough.
            if self.first > second {
                continue;
            }
            let moves = known.moves(other_way);
            match effect_of(&moves, self.first) {
                Some(Effect::To(other)) if other == one => {}
                Some(Effect::To(other)) => {
                    let difference = Difference::States { one: one.clone(), other: other.clone() };
                    return Err(self.refutation(second, difference));
                }
                // The pair with exchanged roles gives the better report.
                Some(Effect::Excluded | Effect::Fault(_)) | None => {}
            }
        }
        Ok(pairs)
    }

    fn refutation(&self, second: RuleId, difference: Difference) -> Box<Refutation> {
        Box::new(Refutation { state: self.state.to_vec(), first: self.first, second, difference })
    }
}

fn is_same_change(before: (&[u64], &[u64]), after: (&[u64], &[u64])) -> bool {
    let changed = |(from, to): (&[u64], &[u64])| -> Vec<u64> {
        from.iter().zip(to).map(|(from, to)| from ^ to).collect()
    };
    changed(before) == changed(after)
}

fn effect_of(moves: &[Move], rule: RuleId) -> Option<&Effect> {
    let at = moves.binary_search_by_key(&rule.0, |found| found.number).ok()?;
    moves.get(at).map(|found| &found.effect)
}

fn is_same_outcome(before: Option<&Effect>, after: Option<&Effect>) -> bool {
    match (before, after) {
        (None, None)
        | (Some(Effect::To(_)), Some(Effect::To(_)))
        | (Some(Effect::Excluded), Some(Effect::Excluded)) => true,
        (Some(Effect::Fault(before)), Some(Effect::Fault(after))) => match (before, after) {
            (
                Problem::RuleFault { fault: before, in_guard, .. },
                Problem::RuleFault { fault: after, in_guard: in_guard_after, .. },
            ) => before == after && in_guard == in_guard_after,
            (_, _) => false,
        },
        (_, _) => false,
    }
}

fn outcome(effect: Option<&Effect>) -> &'static str {
    match effect {
        None => "is not enabled",
        Some(Effect::To(_)) => "fires",
        Some(Effect::Excluded) => "leads to a state that breaks an assumption",
        Some(Effect::Fault(_)) => "fails",
    }
}
