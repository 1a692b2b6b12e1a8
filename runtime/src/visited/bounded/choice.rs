//! Which state is evicted.
//!
//! As in the paper, an arbitrary few of them are looked at, and one of these is chosen. The paper's
//! order by the type of the transition that led to a state (a jump, a receipt, a sending, …) is
//! here an order of the rules as they are written, and it is not given but learned: how many of the
//! states that a rule led to were found again.

use super::Slot;
use crate::contract::model::{Description, RuleId};
use crate::random::Random;

/// States that are looked at.
const LOOKED_AT: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    /// Any one.
    Random,
    /// The one that was reached by the rule whose states are found again least often.
    Type,
    /// The one that was not left or found for the longest time.
    Oldest,
    /// The one behind which there was least to explore.
    Small,
}

impl Eviction {
    pub fn name(self) -> &'static str {
        match self {
            Eviction::Random => "random",
            Eviction::Type => "type",
            Eviction::Oldest => "oldest",
            Eviction::Small => "small",
        }
    }
}

#[derive(Debug)]
pub struct Choice {
    eviction: Eviction,
    random: Random,
    /// The first instance of each family.
    firsts: Vec<u32>,
    /// Of the states that each family led to: how many were left, and how often one was found
    /// again.
    pub(super) families: Vec<(u64, u64)>,
}

impl Choice {
    pub fn new(description: &Description, eviction: Eviction, seed: u64) -> Self {
        let firsts: Vec<u32> = description.rules.iter().map(|family| family.first).collect();
        let families = vec![(0, 0); firsts.len().max(1)];
        Choice { eviction, random: Random(seed), firsts, families }
    }

    /// The rule as written that an instance belongs to.
    pub fn family(&self, rule: RuleId) -> u32 {
        self.firsts.partition_point(|first| *first <= rule.0).saturating_sub(1) as u32
    }

    pub fn left(&mut self, family: u32) {
        if let Some((left, _)) = self.families.get_mut(family as usize) {
            *left += 1;
        }
    }

    /// A state was found again, by this rule. It counts as one of the rule whose states are found
    /// more often.
    pub fn met(&mut self, state: &mut Slot, rule: RuleId) {
        if let Some((_, met)) = self.families.get_mut(state.family as usize) {
            *met += 1;
        }
        if self.eviction == Eviction::Type {
            let family = self.family(rule);
            if self.rate(family) > self.rate(state.family) {
                state.family = family;
            }
        }
    }

    /// How often a state to which this family led is found again.
    fn rate(&self, family: u32) -> f64 {
        let (left, met) = self.families.get(family as usize).copied().unwrap_or((0, 0));
        // As if one of two had been, before any was.
        (met as f64 + 1.0) / (left as f64 + 2.0)
    }

    /// One of the states that may be evicted.
    pub fn victim(&mut self, beside: &[u32], slots: &[Slot]) -> Option<u32> {
        let count = beside.len() as u64;
        if count == 0 {
            return None;
        }
        let mut any = || beside.get(self.random.below(count) as usize).copied();
        let mut victim = any()?;
        if self.eviction == Eviction::Random {
            return Some(victim);
        }
        let mut others = [0; LOOKED_AT as usize - 1];
        others.iter_mut().for_each(|other| *other = any().unwrap_or(victim));
        let worth = |slot: u32| {
            let state = slots.get(slot as usize).copied().unwrap_or_default();
            match self.eviction {
                Eviction::Random => 0.0,
                Eviction::Type => self.rate(state.family),
                Eviction::Oldest => f64::from(state.last),
                Eviction::Small => f64::from(state.behind),
            }
        };
        for other in others {
            if worth(other) < worth(victim) {
                victim = other;
            }
        }
        Some(victim)
    }
}
