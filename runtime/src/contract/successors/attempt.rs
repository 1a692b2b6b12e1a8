//! Firing rules into the buffer, as generated code does it: one instance after the other.

use super::Successors;
use crate::contract::cells::Layout;
use crate::contract::fault::Fault;
use crate::contract::model::RuleId;
use std::cell::Cell;

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

impl Successors {
    /// One rule instance: if `guard` holds, copies the state and lets `body` make it the successor.
    #[inline(always)]
    pub fn attempt<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        guard: Result<bool, Fault>,
        body: impl FnOnce(&S) -> Result<(), Fault>,
    ) {
        self.attempt_with_change(rule, state, guard, |next| body(next).map(|()| Change::Unknown));
    }

    /// One rule instance whose body says what it knows about what it has changed.
    #[inline(always)]
    pub fn attempt_with_change<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        guard: Result<bool, Fault>,
        body: impl FnOnce(&S) -> Result<Change, Fault>,
    ) {
        match guard {
            Ok(false) => {}
            Ok(true) if self.sleeps(RuleId(rule)) => self.count_sleeping(),
            Ok(true) if !self.takes() => {}
            Ok(true) => {
                let start = self.words.len();
                state.append_to(&mut self.words);
                let result = match self.words.get_mut(start..) {
                    Some(words) => body(S::view(words)),
                    None => Ok(Change::Unknown),
                };
                match result {
                    Ok(change) => self.keep(RuleId(rule), state, start, change),
                    Err(fault) => self.set_aside(RuleId(rule), fault, start),
                }
            }
            Err(fault) => self.refuse(RuleId(rule), fault),
        }
    }

    /// One rule instance whose guard may change the state: `fire` evaluates it in the successor,
    /// sets its second argument where it holds, does what the body does, and says whether the rule
    /// fires.
    pub fn attempt_in_successor<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        fire: impl FnOnce(&S, &Cell<bool>) -> Result<bool, Fault>,
    ) {
        if self.sleeps(RuleId(rule)) {
            self.count_sleeping();
            return;
        }
        let start = self.words.len();
        state.append_to(&mut self.words);
        let Some(words) = self.words.get_mut(start..) else { return };
        let enabled = Cell::new(false);
        let fired = fire(S::view(words), &enabled);
        // Only now is it known whether this is an event.
        let takes = |buffer: &mut Self| {
            let copy = buffer.words.len() - start;
            buffer.words.len() - copy < buffer.most || buffer.takes_late()
        };
        match fired {
            Ok(false) => self.words.truncate(start),
            Ok(true) if !takes(self) => self.words.truncate(start),
            Ok(true) => self.keep(RuleId(rule), state, start, Change::Unknown),
            Err(_) if enabled.get() && !takes(self) => self.words.truncate(start),
            Err(fault) if enabled.get() => self.set_aside(RuleId(rule), fault, start),
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
        debug_assert_eq!(unchanged, same(&self.words), "what a rule says about itself is true");
        if unchanged {
            self.words.truncate(start);
            self.unchanged.push(rule);
            self.bound_list(self.unchanged.len());
        } else {
            self.rules.push(rule);
        }
    }

    /// Whether a part of the guard that several instances share lets them pass; `rule` is the first
    /// of them.
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
}
