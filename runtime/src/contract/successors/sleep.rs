//! Rules that sleep in the state that is expanded, and families that need not be tried.

use super::Successors;
use super::rows::members;
use crate::contract::model::RuleId;

impl Successors {
    /// Puts the rules of a set to sleep, and wakes all others. A rule may sleep only in states in
    /// which it would fire and change something. No family is passed over
    /// ([`Successors::pass_over`]). Stays until the next call.
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

    /// Whether one of these instances, `count` of them, is to be tried. Otherwise those that sleep
    /// are counted, and it is as if all had been tried.
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
            // Few sleep, and mostly none: that takes less than counting bits does on a machine that
            // has no instruction for it.
            while asleep != 0 {
                asleep &= asleep - 1;
                self.slept += u64::from(self.takes());
            }
        }
        false
    }

    /// A rule that sleeps was enabled, for models that do not use [`Successors::attempt`].
    pub fn count_sleeping(&mut self) {
        self.slept += u64::from(self.takes());
    }

    /// How many enabled rules slept.
    pub fn slept(&self) -> u64 {
        self.slept
    }
}
