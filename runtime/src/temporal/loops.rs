//! From a part of the product in which a violating run can stay to one such run: the way there, and
//! a loop.
//!
//! The loop is built from nearest pieces: from where it is, it goes on to the nearest step that
//! fulfils what is still missing, and in the end back. What fairness asks for is added only where
//! the loop at hand is not fair without it.

use super::components::{Poll, STEPS, Stopped};
use super::graph::STUTTER;
use super::product::{Place, Product, Step};
use crate::contract::temporal::Fairness;
use std::collections::{HashMap, VecDeque};

/// A run through the product: where it begins, its steps, and how many come before the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: Place,
    pub steps: Vec<Step>,
    pub stem: usize,
}

/// What a loop still needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// A step that fulfils this.
    Fulfil(u64),
    /// A step that fires this rule and changes the state.
    Fire(u32),
    /// A place where this rule is not enabled, or a step that fires it.
    FireOrDisable(u32),
}

impl Product<'_> {
    /// A run that ends in a loop within these places, which are in order, strongly connected, and
    /// as [`Product::find`] says. `None`: they are not. `poll` is asked as there.
    pub fn run_into(&self, places: &[Place], poll: &mut Poll<'_>) -> Result<Option<Run>, Stopped> {
        let inside = |place: Place| places.binary_search(&place).is_ok();
        let held = 8 * places.len() as u64;
        let mut poll = |bytes: u64| poll(held + bytes);
        let Some((start, mut steps)) = self.way_to(&inside, &mut poll)? else { return Ok(None) };
        let stem = steps.len();
        let entry = steps.last().map_or(start, |step| step.to);
        let Some(around) = self.loop_at(entry, &inside, &mut poll)? else { return Ok(None) };
        steps.extend(around);
        Ok(Some(Run { start, steps, stem }))
    }

    /// The shortest way from a start to one of the places that are wanted.
    fn way_to(
        &self,
        wanted: &dyn Fn(Place) -> bool,
        poll: &mut Poll<'_>,
    ) -> Result<Option<(Place, Vec<Step>)>, Stopped> {
        let mut taken = 0usize;
        let mut before: HashMap<Place, Option<(Place, Step)>> = HashMap::new();
        let mut queue = VecDeque::new();
        for start in self.starts() {
            if before.insert(start, None).is_none() {
                queue.push_back(start);
            }
        }
        while let Some(place) = queue.pop_front() {
            taken += 1;
            if taken.is_multiple_of(STEPS as usize) {
                poll(bytes(before.capacity()))?;
            }
            if wanted(place) {
                let (mut steps, mut at) = (Vec::new(), place);
                while let Some(Some((from, step))) = before.get(&at) {
                    steps.push(*step);
                    at = *from;
                }
                steps.reverse();
                return Ok(Some((at, steps)));
            }
            for step in self.steps(place) {
                before.entry(step.to).or_insert_with(|| {
                    queue.push_back(step.to);
                    Some((place, step))
                });
            }
        }
        Ok(None)
    }

    /// The shortest way within some places that has at least one step and ends with a step that is
    /// wanted, or an empty one where the place itself is enough.
    fn nearest(
        &self,
        from: Place,
        inside: &dyn Fn(Place) -> bool,
        wanted: &dyn Fn(&Step) -> bool,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Vec<Step>>, Stopped> {
        let mut taken = 0usize;
        let mut before: HashMap<Place, (Place, Step)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(place) = queue.pop_front() {
            taken += 1;
            if taken.is_multiple_of(STEPS as usize) {
                poll(bytes(before.capacity()))?;
            }
            for step in self.steps(place).filter(|step| inside(step.to)) {
                if wanted(&step) {
                    let (mut steps, mut at) = (vec![step], place);
                    while at != from {
                        let Some((earlier, step)) = before.get(&at) else { return Ok(None) };
                        steps.push(*step);
                        at = *earlier;
                    }
                    steps.reverse();
                    return Ok(Some(steps));
                }
                if step.to != from && !before.contains_key(&step.to) {
                    before.insert(step.to, (place, step));
                    queue.push_back(step.to);
                }
            }
        }
        Ok(None)
    }

    /// A loop from a place back to it that is accepted and fair.
    fn loop_at(
        &self,
        entry: Place,
        inside: &dyn Fn(Place) -> bool,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Vec<Step>>, Stopped> {
        let untils = self.automaton.untils;
        let mut needs: Vec<Need> =
            (0..64).map(|bit| 1u64 << bit).filter(|bit| untils & bit != 0).map(Need::Fulfil).collect();
        loop {
            let mut steps: Vec<Step> = Vec::new();
            for need in &needs {
                if self.is_met(entry, &steps, *need) {
                    continue;
                }
                let at = steps.last().map_or(entry, |step| step.to);
                let meets = |step: &Step| self.meets(step, *need);
                match self.nearest(at, inside, &meets, poll)? {
                    Some(way) => steps.extend(way),
                    None => return Ok(None),
                }
            }
            let at = steps.last().map_or(entry, |step| step.to);
            if at != entry || steps.is_empty() {
                match self.nearest(at, inside, &|step| step.to == entry, poll)? {
                    Some(way) => steps.extend(way),
                    None => return Ok(None),
                }
            }
            match self.unfair_to(&steps) {
                None => return Ok(Some(steps)),
                // What is needed was looked for already, so there is none: it cannot be.
                Some(need) if needs.contains(&need) => return Ok(None),
                Some(need) => needs.push(need),
            }
        }
    }

    fn meets(&self, step: &Step, need: Need) -> bool {
        match need {
            Need::Fulfil(bit) => step.fulfils & bit != 0,
            Need::Fire(rule) => step.changes && step.rule == rule,
            Need::FireOrDisable(rule) => {
                step.changes && step.rule == rule || !self.enabled(step.to).any(|one| one == rule)
            }
        }
    }

    fn is_met(&self, entry: Place, steps: &[Step], need: Need) -> bool {
        let at_entry = match need {
            Need::Fulfil(_) | Need::Fire(_) => false,
            Need::FireOrDisable(rule) => !self.enabled(entry).any(|one| one == rule),
        };
        at_entry || steps.iter().any(|step| self.meets(step, need))
    }

    /// What a loop lacks for being fair to all rules.
    fn unfair_to(&self, steps: &[Step]) -> Option<Need> {
        if self.fairness.is_empty() {
            return None;
        }
        let mut enabled: Vec<u32> = steps.iter().flat_map(|step| self.enabled(step.to)).collect();
        enabled.sort_unstable();
        enabled.chunk_by(|left, right| left == right).find_map(|same| {
            let rule = *same.first()?;
            let fires = steps.iter().any(|step| step.changes && step.rule == rule);
            match self.fairness_of(rule) {
                _ if fires => None,
                Fairness::Weak if same.len() == steps.len() => Some(Need::FireOrDisable(rule)),
                Fairness::Strong => Some(Need::Fire(rule)),
                Fairness::Weak | Fairness::None => None,
            }
        })
    }
}

/// Of a table of places with the step before each, and their queue.
fn bytes(capacity: usize) -> u64 {
    let entry = size_of::<(Place, Option<(Place, Step)>)>() + size_of::<Place>() + 1;
    (capacity * entry) as u64
}

impl Run {
    /// The rules of the run, and how many of them come before the loop: without what is no step of
    /// the model, since a state without a way on is the end.
    pub fn rules(&self) -> (Vec<u32>, usize) {
        let mut rules: Vec<u32> = self.steps.iter().map(|step| step.rule).collect();
        let mut stem = self.stem;
        if let Some(end) = rules.iter().position(|&rule| rule == STUTTER) {
            rules.truncate(end);
            stem = end;
        }
        (rules, stem)
    }
}
