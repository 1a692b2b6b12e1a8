//! Whether a strongly connected part of the product is accepted and fair.
//!
//! A large part is gone over by several threads, some places each, that add up what they see; the
//! sums are the same whichever thread sees what.

use super::components::{Poll, STEPS, Stopped};
use super::marks::Marks;
use super::product::{Place, Product};
use super::threads::share;
use crate::contract::temporal::Fairness;

/// Places that a thread takes at a time.
const TOGETHER: usize = 1 << 12;

/// How the work on a product is divided.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub threads: usize,
    /// From this number of places on, all threads look at a part.
    pub large: usize,
}

impl Effort {
    pub fn of(threads: usize) -> Self {
        Effort { threads, large: TOGETHER }
    }
}

pub(super) enum Judged {
    Good,
    Bad,
    /// It is not fair to these rules, which are strongly fair; where they are not enabled it may
    /// be.
    Without(Vec<u32>),
}

/// What there is to see in some places.
#[derive(Default)]
struct Seen {
    has_edge: bool,
    fulfilled: u64,
    /// For each instance of a rule, in how many places it is enabled if it is fair, and whether it
    /// fires on a step that stays within the part.
    enabled: Vec<u32>,
    taken: Vec<bool>,
}

impl Product<'_> {
    /// What there is to say of a strongly connected part, whose places are in order.
    pub(super) fn judge(
        &self,
        places: &[Place],
        effort: Effort,
        poll: &mut Poll<'_>,
    ) -> Result<Judged, Stopped> {
        match places.len() < effort.large {
            true => self.judge_small(places, poll),
            false => self.judge_large(places, effort.threads, poll),
        }
    }

    fn judge_large(&self, places: &[Place], threads: usize, poll: &mut Poll<'_>) -> Result<Judged, Stopped> {
        let inside = Marks::new(self.size());
        let instances = self.fairness.len();
        let held = inside.bytes() + (threads * instances * 5) as u64;
        poll(held)?;
        places.iter().for_each(|&place| _ = inside.set(place as u32));
        let begin = || Seen { enabled: vec![0; instances], taken: vec![false; instances], ..Seen::default() };
        let look = |seen: &mut Seen, at: usize| {
            let part = &places[at * TOGETHER..((at + 1) * TOGETHER).min(places.len())];
            for &place in part {
                for step in self.steps(place).filter(|step| inside.has(step.to as u32)) {
                    seen.has_edge = true;
                    seen.fulfilled |= step.fulfils;
                    if step.changes
                        && let Some(taken) = seen.taken.get_mut(step.rule as usize)
                    {
                        *taken = true;
                    }
                }
                for rule in self.enabled(place) {
                    seen.enabled[rule as usize] += 1;
                }
            }
        };
        let parts = places.len().div_ceil(TOGETHER);
        let mut all = share(parts, threads, &begin, &look, &mut || poll(held))?.into_iter();
        let mut seen = all.next().unwrap_or_default();
        for other in all {
            seen.has_edge |= other.has_edge;
            seen.fulfilled |= other.fulfilled;
            seen.enabled.iter_mut().zip(other.enabled).for_each(|(sum, more)| *sum += more);
            seen.taken.iter_mut().zip(other.taken).for_each(|(taken, too)| *taken |= too);
        }
        if !seen.has_edge || seen.fulfilled & self.automaton.untils != self.automaton.untils {
            return Ok(Judged::Bad);
        }
        let mut starved = Vec::new();
        for (rule, (&enabled, &taken)) in (0..).zip(seen.enabled.iter().zip(&seen.taken)) {
            match self.fairness_of(rule) {
                _ if taken || enabled == 0 => {}
                Fairness::None => {}
                Fairness::Weak if enabled as usize == places.len() => return Ok(Judged::Bad),
                Fairness::Weak => {}
                Fairness::Strong => starved.push(rule),
            }
        }
        Ok(if starved.is_empty() { Judged::Good } else { Judged::Without(starved) })
    }

    fn judge_small(&self, places: &[Place], poll: &mut Poll<'_>) -> Result<Judged, Stopped> {
        let inside = |place: Place| places.binary_search(&place).is_ok();
        let (mut has_edge, mut fulfilled) = (false, 0);
        let mut taken = Vec::new();
        let mut enabled: Vec<u32> = Vec::new();
        for (at, &place) in places.iter().enumerate() {
            if at % STEPS as usize == STEPS as usize - 1 {
                poll(4 * (taken.capacity() + enabled.capacity()) as u64)?;
            }
            for step in self.steps(place).filter(|step| inside(step.to)) {
                has_edge = true;
                fulfilled |= step.fulfils;
                if step.changes && self.fairness_of(step.rule) != Fairness::None {
                    taken.push(step.rule);
                }
            }
            enabled.extend(self.enabled(place));
            if taken.len() > 1 << 16 {
                taken.sort_unstable();
                taken.dedup();
            }
        }
        if !has_edge || fulfilled & self.automaton.untils != self.automaton.untils {
            return Ok(Judged::Bad);
        }
        taken.sort_unstable();
        taken.dedup();
        enabled.sort_unstable();
        let mut starved = Vec::new();
        for same in enabled.chunk_by(|left, right| left == right) {
            let rule = same[0];
            if taken.binary_search(&rule).is_ok() {
                continue;
            }
            match self.fairness_of(rule) {
                Fairness::None => {}
                Fairness::Weak if same.len() == places.len() => return Ok(Judged::Bad),
                Fairness::Weak => {}
                Fairness::Strong => starved.push(rule),
            }
        }
        Ok(if starved.is_empty() { Judged::Good } else { Judged::Without(starved) })
    }
}
