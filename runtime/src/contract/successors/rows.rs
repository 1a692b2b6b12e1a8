//! A bit for each rule, of which most are looked at by families.

use crate::contract::model::RuleId;

/// Words of a row that are at hand. Each family asks for its own, and where their numbers are known
/// when the model is compiled nothing is left but to load them.
const NEAR: usize = 4;

/// A bit for each rule, as far as there are words; all others are 0.
#[derive(Debug, Default)]
pub struct Row {
    near: [u64; NEAR],
    far: Vec<u64>,
}

impl Row {
    #[inline(always)]
    pub fn word(&self, at: usize) -> u64 {
        match self.near.get(at) {
            Some(word) => *word,
            None => self.far.get(at - NEAR).copied().unwrap_or(0),
        }
    }

    #[inline(always)]
    pub fn has(&self, rule: RuleId) -> bool {
        self.word(rule.0 as usize / 64) >> (rule.0 % 64) & 1 == 1
    }

    #[inline(always)]
    pub fn fill(&mut self, mut words: impl Iterator<Item = u64>) {
        // What is not written again is 0.
        self.near = std::array::from_fn(|_| words.next().unwrap_or(0));
        self.far.clear();
        self.far.extend(words);
    }
}

/// The bits of a word of a row that belong to the instances from `start` up to `end`.
#[inline(always)]
pub fn members(start: usize, end: usize, word: usize) -> u64 {
    u64::MAX >> (64 - (end - 64 * word).min(64)) & u64::MAX << start.saturating_sub(64 * word)
}
