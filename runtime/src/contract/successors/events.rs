//! Events one by one, for models that do not use [`Successors::attempt`], and for what fails.

use super::{FaultyFiring, Successors};
use crate::contract::fault::Fault;
use crate::contract::model::RuleId;

impl Successors {
    /// Adds a successor whose words are known, for models that do not use [`Successors::attempt`].
    pub fn push(&mut self, rule: RuleId, state: &[u64]) {
        if self.sleeps(rule) {
            self.count_sleeping();
        } else if self.takes() {
            self.words.extend_from_slice(state);
            self.rules.push(rule);
        }
    }

    /// Whether the body of a rule need not be run, because the buffer has no use for what it leads
    /// to. Then, if the rule is enabled, [`Successors::pass_by`] is called instead.
    pub fn passes_by(&self) -> bool {
        self.words.len() >= self.most
    }

    /// A rule is enabled whose body was not run.
    pub fn pass_by(&mut self) {
        // It would not have been taken either.
        self.takes_late();
    }

    /// Adds the successor of `from` under a rule that fired in it.
    pub fn push_from(&mut self, from: &[u64], rule: RuleId, state: &[u64]) {
        if from != state || self.sleeps(rule) {
            self.push(rule, state);
        } else if self.takes() {
            self.unchanged.push(rule);
            self.bound_list(self.unchanged.len());
        }
    }

    /// The body failed, or an assumption does not hold, for models that do not use
    /// [`Successors::attempt`].
    #[cold]
    pub fn abandon(&mut self, rule: RuleId, fault: Fault) {
        if self.sleeps(rule) {
            self.count_sleeping();
        } else if self.takes() {
            self.set_aside(rule, fault, self.words.len());
        }
    }

    /// The body of an event that was taken failed, or an assumption does not hold: takes the
    /// unfinished successor back.
    #[cold]
    #[inline(never)]
    pub(super) fn set_aside(&mut self, rule: RuleId, fault: Fault, start: usize) {
        self.words.truncate(start);
        if fault == Fault::EXCLUDED {
            self.excluded.push(rule);
            self.bound_list(self.excluded.len());
        } else if fault == Fault::PRUNED {
            self.pruned += 1;
        } else {
            self.faults.push(FaultyFiring { rule, fault, value: Fault::value(), in_guard: false });
            self.bound_list(self.faults.len());
        }
    }

    /// The guard could not be evaluated, or assumes what does not hold: then the rule is not
    /// enabled.
    #[cold]
    #[inline(never)]
    pub fn refuse(&mut self, rule: RuleId, fault: Fault) {
        if fault != Fault::PRUNED && self.takes() {
            self.faults.push(FaultyFiring { rule, fault, value: Fault::value(), in_guard: true });
            self.bound_list(self.faults.len());
        }
    }
}
