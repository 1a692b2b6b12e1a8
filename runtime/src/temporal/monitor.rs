//! Formulas whose violation shows in a finite prefix of a run, as deterministic automata.
//!
//! A formula in negation normal form without `until` has an automaton without acceptance
//! ([`Automaton`] of the formula itself, not of its negation): it accepts a word if it can read all
//! of it. States that cannot read on for ever are trimmed away, so every state that is left can. By
//! König's lemma a word is accepted if each of its finite prefixes can be read. So the set of
//! states that a prefix leads to is empty exactly if no continuation fulfils the formula. These
//! sets are the states here; the empty one is [`Monitor::VIOLATED`]. States that no continuation
//! distinguishes are merged, so each stands for what may follow, and for nothing else.
//!
//! Without `next` a formula cannot count positions: whether a word fulfils it does not change when
//! a letter is repeated. Then what may follow `ua` may follow `uaa`, and the two lead to one state:
//! reading a letter again changes nothing. [`Monitor::new`] checks that of the finished table, so
//! nothing depends on the argument being right; those who step a monitor depend on the property.

use super::automaton::Automaton;
use super::ltl::{FormulaId, Formulas};
use std::collections::{BTreeSet, HashMap};

/// Propositions of a formula that is made deterministic: each doubles the table.
pub const MOST_PROPOSITIONS: usize = 8;
/// States of a monitor, which are numbered by bytes.
const MOST_STATES: usize = 250;

/// A deterministic automaton that reads a run from position to position. A letter has a bit for
/// each proposition that is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Where each state leads by each letter, state by state.
    next: Vec<u8>,
    propositions: usize,
    first: u8,
}

impl Monitor {
    /// The state after which no continuation fulfils the formula.
    pub const VIOLATED: u8 = 0;

    /// `None`: a violation need not show in a finite prefix, repeating a letter may change
    /// something, or it is too large.
    pub fn new(formulas: &Formulas, formula: FormulaId, propositions: usize) -> Option<Monitor> {
        if !formulas.is_safety(formula) || propositions > MOST_PROPOSITIONS {
            return None;
        }
        let automaton = Automaton::new(formulas, formula).ok()?;
        // The first state may be one that cannot read on.
        let live = automaton.states.first().is_some_and(|transitions| !transitions.is_empty());
        let first: BTreeSet<u32> = live.then_some(0).into_iter().collect();
        let mut numbers: HashMap<BTreeSet<u32>, u8> = HashMap::from([(BTreeSet::new(), Self::VIOLATED)]);
        let mut sets = vec![BTreeSet::new()];
        let first = number(&mut numbers, &mut sets, first)?;
        let mut next = Vec::new();
        let mut at = 0;
        while let Some(set) = sets.get(at).cloned() {
            at += 1;
            for letter in 0..1u64 << propositions {
                let transitions = set.iter().filter_map(|state| automaton.states.get(*state as usize));
                let read = transitions.flatten().filter(|one| one.reads(letter)).map(|one| one.to);
                next.push(number(&mut numbers, &mut sets, read.collect())?);
            }
        }
        let monitor = Monitor { next, propositions, first }.merged();
        monitor.ignores_repetition().then_some(monitor)
    }

    pub fn states(&self) -> usize {
        self.next.len() >> self.propositions
    }

    /// Where it is before it has read anything.
    pub fn first(&self) -> u8 {
        self.first
    }

    pub fn next(&self, state: u8, letter: u64) -> u8 {
        let at = (usize::from(state) << self.propositions) | letter as usize;
        // There is no other letter.
        self.next.get(at).copied().unwrap_or(Self::VIOLATED)
    }

    /// Whether a letter that was just read may be read again without a difference.
    fn ignores_repetition(&self) -> bool {
        (0..self.states()).all(|state| {
            (0..1u64 << self.propositions).all(|letter| {
                let then = self.next(state as u8, letter);
                self.next(then, letter) == then
            })
        })
    }

    /// With one state for all that no continuation distinguishes.
    fn merged(self) -> Monitor {
        let width = 1usize << self.propositions;
        let rows: Vec<&[u8]> = self.next.chunks(width).collect();
        let mut class: Vec<u8> = (0..rows.len()).map(|state| u8::from(state != 0)).collect();
        loop {
            let mut known: HashMap<(u8, Vec<u8>), u8> = HashMap::new();
            let mut refined = Vec::with_capacity(rows.len());
            for (state, row) in rows.iter().enumerate() {
                let leads: Vec<u8> = row.iter().map(|to| class[usize::from(*to)]).collect();
                let fresh = known.len() as u8;
                refined.push(*known.entry((class[state], leads)).or_insert(fresh));
            }
            // Classes are only ever split, and numbered in the order of their first states.
            if refined == class {
                break;
            }
            class = refined;
        }
        let mut next = Vec::new();
        let mut made = 0u8;
        for (row, own) in rows.iter().zip(&class) {
            if *own == made {
                next.extend(row.iter().map(|to| class[usize::from(*to)]));
                made = made.saturating_add(1);
            }
        }
        Monitor { next, propositions: self.propositions, first: class[usize::from(self.first)] }
    }
}

fn number(
    numbers: &mut HashMap<BTreeSet<u32>, u8>,
    sets: &mut Vec<BTreeSet<u32>>,
    set: BTreeSet<u32>,
) -> Option<u8> {
    if let Some(known) = numbers.get(&set) {
        return Some(*known);
    }
    let fresh = u8::try_from(sets.len()).ok().filter(|fresh| usize::from(*fresh) < MOST_STATES)?;
    sets.push(set.clone());
    numbers.insert(set, fresh);
    Some(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precedence_has_two_states_beside_the_violated_one() {
        // not b weakuntil a = a release (not b or a).
        let mut formulas = Formulas::default();
        let (a, not_b) = (formulas.literal(0, true), formulas.literal(1, false));
        let either = formulas.or(a, not_b);
        let formula = formulas.release(a, either);
        let monitor = Monitor::new(&formulas, formula, 2).unwrap();
        assert_eq!(monitor.states(), 3);
        let first = monitor.first();
        assert_eq!(monitor.next(first, 0b00), first);
        assert_eq!(monitor.next(first, 0b10), Monitor::VIOLATED);
        let done = monitor.next(first, 0b01);
        assert!((0..4).all(|letter| monitor.next(done, letter) == done));
    }

    #[test]
    fn counting_positions_and_liveness_have_no_monitor() {
        let mut formulas = Formulas::default();
        let (p, yes) = (formulas.literal(0, true), formulas.constant(true));
        let next = formulas.next(p);
        assert_eq!(Monitor::new(&formulas, next, 1), None);
        let eventually = formulas.until(yes, p);
        assert_eq!(Monitor::new(&formulas, eventually, 1), None);
    }
}
