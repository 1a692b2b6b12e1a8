//! From a formula to a generalised Büchi automaton, by a tableau with acceptance on transitions
//! (Couvreur, *On-the-fly Verification of Linear Temporal Logic*, 1999).
//!
//! A state of the automaton is a set of formulas that must hold from here on. A transition reads
//! what is true now, and leaves what must hold from the next position on. Whoever has to fulfil
//! `a until b` fulfils `b` now, or `a` now and the whole again next: then it is *postponed*. A run
//! of the automaton is accepted if no `until` is postponed in all of its transitions from some
//! point on.

use super::ltl::{FormulaId, Formulas, Node};
use std::collections::{BTreeSet, HashMap};

/// States that an automaton may have: a formula that needs more is refused.
pub const MOST_STATES: usize = 2_000;
/// Transitions that one state may have.
const MOST_TRANSITIONS: usize = 20_000;
/// Different `until` in one formula, and propositions.
pub const MOST_BITS: usize = 64;

/// A transition that can be taken where all propositions of `positive` are true and all of
/// `negative` are false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    pub positive: u64,
    pub negative: u64,
    pub to: u32,
    /// Each `until` that is not postponed.
    pub fulfils: u64,
}

impl Transition {
    /// Whether it can be taken where these propositions are true.
    #[inline]
    pub fn reads(&self, propositions: u64) -> bool {
        self.positive & !propositions == 0 && self.negative & propositions == 0
    }
}

/// Accepts the runs that fulfil a formula. The first state is where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    pub states: Vec<Vec<Transition>>,
    /// What must be fulfilled again and again.
    pub untils: u64,
}

/// Why there is no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Automaton {
    pub fn new(formulas: &Formulas, formula: FormulaId) -> Result<Automaton, TooLarge> {
        let mut builder = Builder { formulas, untils: HashMap::new() };
        builder.number_untils(formula, &mut BTreeSet::new());
        if builder.untils.len() > MOST_BITS {
            return Err(TooLarge);
        }
        let untils = match builder.untils.len() {
            MOST_BITS => u64::MAX,
            count => (1 << count) - 1,
        };
        let first: BTreeSet<FormulaId> = std::iter::once(formula).collect();
        let mut numbers: HashMap<BTreeSet<FormulaId>, u32> = HashMap::new();
        numbers.insert(first.clone(), 0);
        let mut sets = vec![first];
        let mut states = Vec::new();
        while let Some(set) = sets.get(states.len()).cloned() {
            let mut transitions = Vec::new();
            for Part { positive, negative, next, postponed } in builder.expand(&set)? {
                let number = numbers.len() as u32;
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    sets.push(next);
                    number
                });
                transitions.push(Transition { positive, negative, to, fulfils: untils & !postponed });
            }
            states.push(transitions);
            if sets.len() > MOST_STATES {
                return Err(TooLarge);
            }
        }
        let mut automaton = Automaton { states, untils };
        automaton.trim();
        Ok(automaton)
    }

    /// Whether it accepts no run: from its first state no set of states can be reached in which one
    /// can go on for ever and come to each `until` again and again. The greatest set of states is
    /// found from which that is possible.
    pub fn is_empty(&self) -> bool {
        let mut good = vec![true; self.states.len()];
        let bits: Vec<u64> = match self.untils {
            0 => vec![0],
            untils => (0..MOST_BITS as u32).map(|bit| 1u64 << bit).filter(|bit| untils & bit != 0).collect(),
        };
        loop {
            let before = good.clone();
            for &bit in &bits {
                let mut reaches = vec![false; good.len()];
                let mut changed = true;
                while changed {
                    changed = false;
                    for (state, transitions) in self.states.iter().enumerate() {
                        let leads = |one: &Transition| {
                            let to = one.to as usize;
                            good.get(to) == Some(&true)
                                && (one.fulfils & bit == bit || reaches.get(to) == Some(&true))
                        };
                        let now = good[state] && transitions.iter().any(leads);
                        if now && !reaches[state] {
                            reaches[state] = true;
                            changed = true;
                        }
                    }
                }
                good.iter_mut().zip(&reaches).for_each(|(good, reaches)| *good &= reaches);
            }
            if good == before {
                break;
            }
        }
        let mut seen = vec![false; good.len()];
        let mut queue = vec![0];
        while let Some(state) = queue.pop() {
            if good.get(state) == Some(&true) {
                return false;
            }
            for one in self.states.get(state).into_iter().flatten() {
                let to = one.to as usize;
                if seen.get(to) == Some(&false) {
                    seen[to] = true;
                    queue.push(to);
                }
            }
        }
        true
    }

    /// Takes transitions away that lead to where nothing can be read.
    fn trim(&mut self) {
        loop {
            let dead: Vec<bool> = self.states.iter().map(Vec::is_empty).collect();
            let mut changed = false;
            for transitions in &mut self.states {
                let before = transitions.len();
                transitions.retain(|one| !dead.get(one.to as usize).copied().unwrap_or(true));
                changed |= transitions.len() < before;
            }
            if !changed {
                return;
            }
        }
    }
}

/// A transition in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    positive: u64,
    negative: u64,
    next: BTreeSet<FormulaId>,
    postponed: u64,
}

impl Part {
    /// Whether whatever the other one allows is allowed by this one.
    fn includes(&self, other: &Part) -> bool {
        self.positive & !other.positive == 0
            && self.negative & !other.negative == 0
            && self.postponed & !other.postponed == 0
            && self.next.is_subset(&other.next)
    }
}

struct Builder<'a> {
    formulas: &'a Formulas,
    untils: HashMap<FormulaId, u32>,
}

impl Builder<'_> {
    fn number_untils(&mut self, formula: FormulaId, seen: &mut BTreeSet<FormulaId>) {
        if !seen.insert(formula) {
            return;
        }
        match self.formulas.node(formula) {
            Node::True | Node::False | Node::Literal { .. } => {}
            Node::Next(inner) => self.number_untils(inner, seen),
            Node::And(left, right) | Node::Or(left, right) | Node::Release(left, right) => {
                self.number_untils(left, seen);
                self.number_untils(right, seen);
            }
            Node::Until(left, right) => {
                let number = self.untils.len() as u32;
                self.untils.entry(formula).or_insert(number);
                self.number_untils(left, seen);
                self.number_untils(right, seen);
            }
        }
    }

    /// What can be read where all formulas of a set hold, and what is left to be fulfilled then.
    fn expand(&self, set: &BTreeSet<FormulaId>) -> Result<Vec<Part>, TooLarge> {
        let mut parts: Vec<Part> = Vec::new();
        // What is still to be taken apart, what was, and what came of it.
        let todo: Vec<FormulaId> = set.iter().copied().collect();
        let mut work = vec![(todo, BTreeSet::new(), Part::default())];
        while let Some((mut todo, mut done, mut part)) = work.pop() {
            let Some(formula) = todo.pop() else {
                if !parts.iter().any(|other| other.includes(&part)) {
                    parts.retain(|other| !part.includes(other));
                    parts.push(part);
                }
                if parts.len() > MOST_TRANSITIONS {
                    return Err(TooLarge);
                }
                continue;
            };
            if work.len() > MOST_TRANSITIONS {
                return Err(TooLarge);
            }
            if !done.insert(formula) {
                work.push((todo, done, part));
                continue;
            }
            match self.formulas.node(formula) {
                Node::True => work.push((todo, done, part)),
                Node::False => {}
                Node::Literal { proposition, positive } => {
                    let bit = 1u64.checked_shl(proposition).ok_or(TooLarge)?;
                    match positive {
                        true => part.positive |= bit,
                        false => part.negative |= bit,
                    }
                    if part.positive & part.negative == 0 {
                        work.push((todo, done, part));
                    }
                }
                Node::And(left, right) => {
                    todo.extend([left, right]);
                    work.push((todo, done, part));
                }
                Node::Or(left, right) => {
                    for one in [left, right] {
                        let mut todo = todo.clone();
                        todo.push(one);
                        work.push((todo, done.clone(), part.clone()));
                    }
                }
                Node::Next(inner) => {
                    part.next.insert(inner);
                    work.push((todo, done, part));
                }
                Node::Until(left, right) => {
                    let mut now = todo.clone();
                    now.push(right);
                    work.push((now, done.clone(), part.clone()));
                    todo.push(left);
                    part.next.insert(formula);
                    part.postponed |= self.untils.get(&formula).map_or(0, |number| 1 << number);
                    work.push((todo, done, part));
                }
                Node::Release(left, right) => {
                    todo.push(right);
                    let mut now = todo.clone();
                    now.push(left);
                    work.push((now, done.clone(), part.clone()));
                    part.next.insert(formula);
                    work.push((todo, done, part));
                }
            }
        }
        Ok(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_negated_waits_for_ever() {
        // Not always (p -> eventually q): eventually (p and always not q).
        let mut formulas = Formulas::default();
        let (yes, no) = (formulas.constant(true), formulas.constant(false));
        let (p, q) = (formulas.literal(0, true), formulas.literal(1, false));
        let never = formulas.release(no, q);
        let both = formulas.and(p, never);
        let formula = formulas.until(yes, both);
        let automaton = Automaton::new(&formulas, formula).unwrap();
        assert_eq!(automaton.states.len(), 2);
        assert_eq!(automaton.untils, 1);
        assert!(automaton.states[1].iter().all(|one| one.to == 1 && one.fulfils == 1));
    }

    #[test]
    fn what_contradicts_itself_has_no_transition() {
        let mut formulas = Formulas::default();
        let (p, not_p) = (formulas.literal(0, true), formulas.literal(0, false));
        let next = formulas.next(not_p);
        let (no, both) = (formulas.constant(false), formulas.and(p, next));
        let formula = formulas.release(no, both);
        let automaton = Automaton::new(&formulas, formula).unwrap();
        assert!(automaton.states.iter().all(Vec::is_empty), "{automaton:?}");
    }
}
