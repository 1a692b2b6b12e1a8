//! The buffer into which a model puts the successors of a state. The engines own it and reuse it.

use crate::fault::Fault;
use crate::model::RuleId;
use crate::state::cells::Layout;
use std::cell::Cell;

/// A firing that ended in an error, in the guard or in the body.
#[derive(Clone, Copy, Debug)]
pub struct FaultyFiring {
    pub rule: RuleId,
    pub fault: Fault,
    /// The number that caused it, see [`Fault::value`].
    pub value: i64,
    /// The guard itself could not be evaluated: the rule did not fire.
    pub in_guard: bool,
}

/// What the code of a rule knows about what the rule has done to the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// No statement that writes was executed: the state is what it was.
    Nothing,
    /// A part of the state differs from what it was.
    Something,
    /// To be found out by comparing all of it.
    Unknown,
}

impl Change {
    /// Where some places were compared: `differs` if one of them is not what it was.
    #[inline(always)]
    pub fn seen(differs: bool) -> Self {
        if differs { Change::Something } else { Change::Unknown }
    }
}

/// Words of a row that are at hand. Each family asks for its own, and where their numbers are known when the model is compiled nothing is left but to load them.
const NEAR: usize = 4;

/// A bit for each rule, as far as there are words; all others are 0.
#[derive(Debug, Default)]
struct Row {
    near: [u64; NEAR],
    far: Vec<u64>,
}

impl Row {
    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        match self.near.get(at) {
            Some(word) => *word,
            None => self.far.get(at - NEAR).copied().unwrap_or(0),
        }
    }

    #[inline(always)]
    fn has(&self, rule: RuleId) -> bool {
        self.word(rule.0 as usize / 64) >> (rule.0 % 64) & 1 == 1
    }

    #[inline(always)]
    fn fill(&mut self, mut words: impl Iterator<Item = u64>) {
        // What is not written again is 0.
        self.near = std::array::from_fn(|_| words.next().unwrap_or(0));
        self.far.clear();
        self.far.extend(words);
    }
}

/// The bits of a word of a row that belong to the instances from `start` up to `end`.
#[inline(always)]
fn members(start: usize, end: usize, word: usize) -> u64 {
    u64::MAX >> (64 - (end - 64 * word).min(64)) & u64::MAX << start.saturating_sub(64 * word)
}

/// Successor states one after the other, with the rules that led to them.
#[derive(Debug, Default)]
pub struct Successors {
    width: usize,
    words: Vec<u64>,
    rules: Vec<RuleId>,
    faults: Vec<FaultyFiring>,
    excluded: Vec<RuleId>,
    unchanged: Vec<RuleId>,
    /// Firings that an `assume` in the rule took back.
    pruned: u64,
    /// A bit for each rule that sleeps: it is counted where it is enabled, and does not fire. Shorter than there are
    /// rules, or empty, where the others do not.
    asleep: Row,
    /// A bit for each rule that sleeps or is known not to be enabled. Where all of a family have one, none of them need be tried.
    passed_over: Row,
    /// How many rules were enabled and slept.
    slept: u64,
}

impl Successors {
    /// For states of `width` words.
    pub fn new(width: usize) -> Self {
        Successors { width, ..Default::default() }
    }

    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.rules.clear();
        self.faults.clear();
        self.excluded.clear();
        self.unchanged.clear();
        self.pruned = 0;
        self.slept = 0;
    }

    /// Puts the rules of a set to sleep, and wakes all others. A rule may sleep only in states in which it would fire and change
    /// something. No family is passed over ([`Successors::pass_over`]). Stays until the next call.
    pub fn put_to_sleep(&mut self, rules: &[u64]) {
        self.asleep.fill(rules.iter().copied());
        self.passed_over.fill(std::iter::empty());
    }

    /// Says that these rules need not be tried: they sleep, or are not enabled.
    pub fn pass_over(&mut self, rules: impl Iterator<Item = u64>) {
        self.passed_over.fill(rules);
    }

    /// Whether a rule sleeps.
    #[inline(always)]
    pub fn sleeps(&self, rule: RuleId) -> bool {
        self.asleep.has(rule)
    }

    /// Whether one of these instances, `count` of them, is to be tried. Otherwise those that sleep are counted, and it is
    /// as if all had been tried.
    #[inline(always)]
    pub fn tries(&mut self, first: u32, count: u32) -> bool {
        let (start, end) = (first as usize, first as usize + count as usize);
        for word in start / 64..end.div_ceil(64) {
            let passed_over = self.passed_over.word(word);
            if members(start, end, word) & !passed_over != 0 {
                return true;
            }
        }
        for word in start / 64..end.div_ceil(64) {
            let mut asleep = members(start, end, word) & self.asleep.word(word);
            // Few sleep, and mostly none: that takes less than counting bits does on a machine that has no instruction for it.
            while asleep != 0 {
                asleep &= asleep - 1;
                self.slept += 1;
            }
        }
        false
    }

    /// A rule that sleeps was enabled, for models that do not use [`Successors::attempt`].
    pub fn count_sleeping(&mut self) {
        self.slept += 1;
    }

    /// How many enabled rules slept.
    pub fn slept(&self) -> u64 {
        self.slept
    }

    /// One rule instance: if `guard` holds, copies the state and lets `body` make it the successor.
    #[inline(always)]
    pub fn attempt<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        guard: Result<bool, Fault>,
        body: impl FnOnce(&S) -> Result<(), Fault>,
    ) {
        self.attempt_told(rule, state, guard, |next| body(next).map(|()| Change::Unknown));
    }

    /// The same for a body that tells what it knows about what it has changed.
    #[inline(always)]
    pub fn attempt_told<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        guard: Result<bool, Fault>,
        body: impl FnOnce(&S) -> Result<Change, Fault>,
    ) {
        match guard {
            Ok(false) => {}
            Ok(true) if self.sleeps(RuleId(rule)) => self.slept += 1,
            Ok(true) => {
                let start = self.words.len();
                state.append_to(&mut self.words);
                let result = match self.words.get_mut(start..) {
                    Some(words) => body(S::view(words)),
                    None => Ok(Change::Unknown),
                };
                match result {
                    Ok(change) => self.keep(RuleId(rule), state, start, change),
                    Err(fault) => self.abandon(RuleId(rule), fault, start),
                }
            }
            Err(fault) => self.refuse(RuleId(rule), fault),
        }
    }

    /// The same for a rule whose guard may change the state: `fire` evaluates it in the successor, sets its second
    /// argument where it holds, does what the body does, and says whether the rule fires.
    pub fn attempt_in_successor<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        fire: impl FnOnce(&S, &Cell<bool>) -> Result<bool, Fault>,
    ) {
        if self.sleeps(RuleId(rule)) {
            self.slept += 1;
            return;
        }
        let start = self.words.len();
        state.append_to(&mut self.words);
        let Some(words) = self.words.get_mut(start..) else { return };
        let enabled = Cell::new(false);
        match fire(S::view(words), &enabled) {
            Ok(true) => self.keep(RuleId(rule), state, start, Change::Unknown),
            Ok(false) => self.words.truncate(start),
            Err(fault) if enabled.get() => self.abandon(RuleId(rule), fault, start),
            Err(fault) => {
                self.words.truncate(start);
                self.refuse(RuleId(rule), fault);
            }
        }
    }

    /// A rule has fired. Where it changed nothing there is no successor to look for.
    #[inline(always)]
    fn keep<S: Layout>(&mut self, rule: RuleId, state: &S, start: usize, change: Change) {
        let same = |words: &[u64]| words.get(start..).is_some_and(|words| state.is(words));
        let unchanged = match change {
            Change::Nothing => true,
            Change::Something => false,
            Change::Unknown => same(&self.words),
        };
        debug_assert_eq!(unchanged, same(&self.words), "what a rule tells about itself is true");
        if unchanged {
            self.words.truncate(start);
            self.unchanged.push(rule);
        } else {
            self.rules.push(rule);
        }
    }

    /// Firings of rules of which only the number is known, and rules that failed: what was enabled cannot be told from the other lists.
    #[inline]
    pub fn has_nameless(&self) -> bool {
        self.pruned > 0 || !self.faults.is_empty()
    }

    /// Whether rules did anything but lead to another state.
    #[inline]
    pub fn has_rare(&self) -> bool {
        !(self.unchanged.is_empty() && self.excluded.is_empty() && self.faults.is_empty())
    }

    /// How many firings there have been, of whatever end: tells whether any rule was enabled.
    #[inline]
    pub fn firings(&self) -> u64 {
        let told = self.rules.len() + self.unchanged.len() + self.faults.len() + self.excluded.len();
        told as u64 + self.pruned + self.slept
    }

    /// Whether a part of the guard that several instances share lets them pass; `rule` is the first of them.
    #[inline(always)]
    pub fn enabled(&mut self, rule: u32, guard: Result<bool, Fault>) -> bool {
        match guard {
            Ok(holds) => holds,
            Err(fault) => {
                self.refuse(RuleId(rule), fault);
                false
            }
        }
    }

    /// Adds a successor whose words are known, for models that do not use [`Successors::attempt`].
    pub fn push(&mut self, rule: RuleId, state: &[u64]) {
        if self.sleeps(rule) {
            self.slept += 1;
            return;
        }
        self.words.extend_from_slice(state);
        self.rules.push(rule);
    }

    /// The same for a rule that fired in state `from`.
    pub fn push_from(&mut self, from: &[u64], rule: RuleId, state: &[u64]) {
        if from == state && !self.sleeps(rule) { self.unchanged.push(rule) } else { self.push(rule, state) }
    }

    /// The body failed, or an assumption does not hold: takes the unfinished successor back.
    #[cold]
    #[inline(never)]
    pub fn abandon(&mut self, rule: RuleId, fault: Fault, start: usize) {
        self.words.truncate(start);
        if self.sleeps(rule) {
            self.slept += 1;
        } else if fault == Fault::EXCLUDED {
            self.excluded.push(rule);
        } else if fault == Fault::PRUNED {
            self.pruned += 1;
        } else {
            self.faults.push(FaultyFiring { rule, fault, value: Fault::value(), in_guard: false });
        }
    }

    /// The guard could not be evaluated, or assumes what does not hold: then the rule is not enabled.
    #[cold]
    #[inline(never)]
    pub fn refuse(&mut self, rule: RuleId, fault: Fault) {
        if fault == Fault::PRUNED {
            return;
        }
        self.faults.push(FaultyFiring { rule, fault, value: Fault::value(), in_guard: true });
    }

    /// Successors that differ from the state they come from.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub fn rules(&self) -> &[RuleId] {
        &self.rules
    }

    /// All successors' words, one state after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of one successor.
    pub fn state(&self, at: usize) -> &[u64] {
        self.words.get(at * self.width..(at + 1) * self.width).unwrap_or(&[])
    }

    pub fn state_mut(&mut self, at: usize) -> &mut [u64] {
        self.words.get_mut(at * self.width..(at + 1) * self.width).unwrap_or(&mut [])
    }

    pub fn faults(&self) -> &[FaultyFiring] {
        &self.faults
    }

    /// Rules that fired and led to the state itself.
    pub fn unchanged(&self) -> &[RuleId] {
        &self.unchanged
    }

    /// Rules that fired but led to a state that breaks an assumption: they count as fired, and as a way
    /// out of the state.
    pub fn excluded(&self) -> &[RuleId] {
        &self.excluded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::cells::{One, SimpleCell, Storage};

    #[repr(C, align(8))]
    struct State {
        first: One<0>,
        rest: [One<0>; 7],
    }

    // SAFETY: eight bytes of cells, aligned to eight.
    unsafe impl Layout for State {}

    /// What a rule tells is believed; what it does not tell is found out.
    #[test]
    fn a_change_is_told_or_found_out() {
        let mut words = [0u64];
        let state = State::view(&mut words);
        let mut successors = Successors::new(1);
        successors.attempt_told(0, state, Ok(true), |_| Ok(Change::Nothing));
        successors.attempt_told(1, state, Ok(true), |next| {
            next.first.set(3);
            Ok(Change::seen(!next.first.same(&state.first)))
        });
        // The place that is looked at stays, another one does not.
        successors.attempt_told(2, state, Ok(true), |next| {
            next.rest[6].set(4);
            Ok(Change::seen(!next.first.same(&state.first)))
        });
        successors.attempt_told(3, state, Ok(true), |next| {
            next.first.set(3);
            next.first.undefine();
            Ok(Change::seen(!next.first.same(&state.first)))
        });
        successors.attempt_told(4, state, Ok(false), |_| Ok(Change::Something));
        assert_eq!(successors.rules(), [RuleId(1), RuleId(2)]);
        assert_eq!(successors.unchanged(), [RuleId(0), RuleId(3)]);
        assert_eq!(successors.words(), [4, 5 << 56]);
        assert_eq!(successors.firings(), 4);
    }

    /// Only the code of a rule knows whether it is so, and builds for debugging ask.
    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "what a rule tells about itself is true")]
    fn a_wrong_claim_is_noticed() {
        let mut words = [0u64];
        let state = State::view(&mut words);
        Successors::new(1).attempt_told(0, state, Ok(true), |next| {
            next.first.set(3);
            Ok(Change::Nothing)
        });
    }
}
