//! The sleep set of the state at the end of the path, and of those before it.
//!
//! A rule that was explored in a state falls asleep there, and what the rules after it lead to gets it handed on as long as they are
//! independent of it: what it leads to from there has been found in the other order. `docs/sleep.md` tells the two ways
//! to see to it that it really is, [`SleepSets`], and why they find all states.

use super::stored::{SetNumber, Stored};
use super::sums::{OnPath, Sums};
use crate::independence::Pairs;
use crate::memory::Exhausted;
use crate::model::{Model, RuleId};
use crate::search::SleepSets;
use crate::spool::lifo::Lifo;
use crate::spool::{Shortage, Supply};
use crate::visited::{Segmentation, StateIndex};

/// Bytes of a block of sleeping rules, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;

/// A rule that sleeps, and what it would add to the sum of the state.
#[derive(Clone, Copy, Debug)]
struct Sleeper {
    rule: RuleId,
    change: u64,
}

pub struct Sleep<'a> {
    pairs: Pairs<'a>,
    instances: u32,
    /// Of the state at the end of the path, in the order of the rules.
    now: Vec<Sleeper>,
    /// Of those before it, two words for each rule.
    before: Lifo,
    way: Way,
    // A set that is handed on, and one of those to be woken up.
    handed: Vec<u32>,
    awake: Vec<u32>,
}

/// How it is seen to that what is left out is found.
enum Way {
    Revisit(Stored),
    Path { sums: Sums, path: OnPath },
}

/// What a state that is met again is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Nothing is new.
    Nothing,
    /// Rules have slept there that do not now.
    Awake,
}

impl<'a> Sleep<'a> {
    /// `None`: the model does not say which rules are independent.
    pub fn new(
        model: &'a dyn Model,
        sets: SleepSets,
        segmentation: Segmentation,
        supply: &Supply,
    ) -> Option<Result<Self, Exhausted>> {
        let pairs = Pairs::new(model)?;
        let budget = supply.budget();
        let description = model.description();
        let way = budget.take(pairs.bytes()).and_then(|()| {
            Ok(match sets {
                // A path has no levels.
                SleepSets::Revisit | SleepSets::Levels => {
                    Way::Revisit(Stored::new(segmentation, budget.clone())?)
                }
                SleepSets::Path => {
                    Way::Path { sums: Sums::new(description.words), path: OnPath::new(budget.clone())? }
                }
            })
        });
        Some(way.map(|way| Sleep {
            pairs,
            instances: description.rule_instances(),
            now: Vec::new(),
            before: Lifo::new(2, BLOCK, supply),
            way,
            handed: Vec::new(),
            awake: Vec::new(),
        }))
    }

    /// See [`super::sums`]; 0 where nobody asks for it.
    #[inline]
    pub fn sum(&self, state: &[u64]) -> u64 {
        match &self.way {
            Way::Revisit(_) => 0,
            Way::Path { sums, .. } => sums.of(state),
        }
    }

    /// How many rules sleep.
    pub fn count(&self) -> usize {
        self.now.len()
    }

    pub fn rules(&self) -> impl Iterator<Item = RuleId> {
        self.now.iter().map(|sleeper| sleeper.rule)
    }

    /// All rules but those that the last [`Sleep::revisit`] woke up; and how many these are.
    pub fn all_but_awake(&self) -> (impl Iterator<Item = RuleId>, u64) {
        let mut awake = self.awake.iter().peekable();
        let others = (0..self.instances).filter(move |rule| awake.next_if_eq(&rule).is_none());
        (others.map(RuleId), self.awake.len() as u64)
    }

    /// Puts away the sleep set of the state at the end of the path, and says how many rules are in it.
    fn put_away(&mut self) -> Result<u32, Shortage> {
        for sleeper in &self.now {
            self.before.make_room()?;
            if let Some([place, change]) = self.before.push() {
                (*place, *change) = (u64::from(sleeper.rule.0), sleeper.change);
            }
        }
        Ok(self.now.len() as u32)
    }

    /// The path goes on by a rule to a new state. Says how many rules are to be fetched again on the way back.
    pub fn descend(&mut self, rule: RuleId, state: StateIndex, sum: u64) -> Result<u32, Shortage> {
        let kept = self.put_away()?;
        let pairs = &mut self.pairs;
        self.now.retain(|sleeper| pairs.independent(sleeper.rule, rule));
        match &mut self.way {
            Way::Revisit(stored) => {
                self.handed.clear();
                self.handed.extend(self.now.iter().map(|sleeper| sleeper.rule.0));
                stored.set(state, &self.handed)?;
            }
            Way::Path { path, .. } => path.insert(sum)?,
        }
        Ok(kept)
    }

    /// Whether a rule leads to a known state in which rules slept that would not if it were explored now.
    #[inline]
    pub fn again(&mut self, rule: RuleId, state: StateIndex) -> Again {
        let Way::Revisit(stored) = &self.way else { return Again::Nothing };
        let set = stored.of(state);
        if set == SetNumber::EMPTY {
            return Again::Nothing;
        }
        let mut now = self.now.iter().peekable();
        for &slept in stored.rules(set) {
            while now.next_if(|sleeper| sleeper.rule.0 < slept).is_some() {}
            let sleeps = now.peek().is_some_and(|sleeper| sleeper.rule.0 == slept);
            if !sleeps || !self.pairs.independent(RuleId(slept), rule) {
                return Again::Awake;
            }
        }
        Again::Nothing
    }

    /// The path goes on by a rule to a known state, for the rules that slept there and would not now. They are to be fired; of those
    /// that slept the others go on to sleep.
    pub fn revisit(&mut self, rule: RuleId, state: StateIndex) -> Result<u32, Shortage> {
        let kept = self.put_away()?;
        self.awake.clear();
        self.handed.clear();
        if let Way::Revisit(stored) = &mut self.way {
            let pairs = &mut self.pairs;
            self.now.retain(|sleeper| pairs.independent(sleeper.rule, rule));
            let mut now = self.now.iter().peekable();
            for &slept in stored.rules(stored.of(state)) {
                while now.next_if(|sleeper| sleeper.rule.0 < slept).is_some() {}
                match now.next_if(|sleeper| sleeper.rule.0 == slept) {
                    Some(_) => self.handed.push(slept),
                    None => self.awake.push(slept),
                }
            }
            stored.set(state, &self.handed)?;
        }
        self.now.clear();
        self.now.extend(self.handed.iter().map(|&rule| Sleeper { rule: RuleId(rule), change: 0 }));
        Ok(kept)
    }

    /// Rules that would lead to a state on the path are not handed on. They are not fired in this state either.
    pub fn drop_those_to_path(&mut self, sum: u64) {
        if let Way::Path { path, .. } = &self.way {
            self.now.retain(|sleeper| !path.contains(sum.wrapping_add(sleeper.change)));
        }
    }

    /// A rule was explored in the state of one sum, and led to that of another.
    #[inline]
    pub fn explored(&mut self, rule: RuleId, from: u64, to: u64) {
        if let Way::Path { path, .. } = &self.way
            && path.contains(to)
        {
            return;
        }
        let at = self.now.partition_point(|sleeper| sleeper.rule < rule);
        self.now.insert(at, Sleeper { rule, change: to.wrapping_sub(from) });
    }

    /// The path goes back from a state of this sum to the one before, in which so many rules slept.
    pub fn ascend(&mut self, sum: u64, kept: u32) -> Result<(), Shortage> {
        if let Way::Path { path, .. } = &mut self.way {
            path.remove(sum);
        }
        self.now.clear();
        for _ in 0..kept {
            if let Some(&[rule, change]) = self.before.pop()? {
                self.now.push(Sleeper { rule: RuleId(rule as u32), change });
            }
        }
        self.now.reverse();
        Ok(())
    }
}
