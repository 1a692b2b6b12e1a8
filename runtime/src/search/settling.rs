//! What a thread does where the visited set finds out late which states are new: it lets the set
//! settle its candidates, when there are many of them or a level is over, and checks a new state
//! when it is taken to be expanded.
//!
//! The set may take seconds for that, so progress is reported meanwhile, and an interruption is
//! heard.

use super::errors::waiting::Pending;
use super::inserter::{Inserter, Tally};
use super::partners::Partners;
use super::site::{Figures, Halt};
use super::{Counts, Ending, Observer};
use crate::contract::problem::problem_of;
use crate::expansion::Expander;
use crate::frontier::{Frontier, Level};
use crate::interruption::Interruption;
use crate::memory::Budget;
use crate::storage::ResourceError;
use crate::sync::{AtomicU64, Ordering};
use crate::visited::{InsertError, Settlement, Share, StateIndex, StateSink};

/// What a thread shows of itself, and what it hears.
pub struct Signs<'s, 'a> {
    pub figures: &'a [Figures],
    pub interrupted: &'a Interruption,
    pub budget: &'a Budget,
    /// `None`: it works alone.
    pub partners: Option<&'s mut (dyn Partners + 'a)>,
    /// Of one thread only.
    pub observer: &'s mut Option<&'a mut dyn Observer>,
}

impl Signs<'_, '_> {
    /// Reports how far it has come.
    pub fn report(&mut self, tally: &Tally, waiting: u64) {
        let me = self.partners.as_ref().map_or(0, |partners| partners.me());
        if let Some(figures) = self.figures.get(me) {
            figures.states.store(tally.states, Ordering::Relaxed);
            figures.rules.store(tally.rules, Ordering::Relaxed);
            figures.waiting.store(waiting, Ordering::Relaxed);
        }
        if let Some(observer) = &mut self.observer {
            let sum = |number: fn(&Figures) -> &AtomicU64| {
                self.figures.iter().map(|figures| number(figures).load(Ordering::Relaxed)).sum()
            };
            let mut counts = Counts {
                repeated: None,
                states: sum(|figures| &figures.states),
                rules: sum(|figures| &figures.rules),
                depth: tally.depth,
                queue: sum(|figures| &figures.waiting),
                memory: self.budget.used(),
            };
            if let Some(partners) = &self.partners {
                partners.publish(&mut counts);
            }
            observer.progress(&counts);
        }
    }
}

/// Takes note of states while they are found to be new.
struct NewStates<'d, 's, 'a> {
    tally: &'d mut Tally,
    frontier: &'d mut dyn Frontier,
    level: Level,
    signs: &'d mut Signs<'s, 'a>,
}

impl StateSink for NewStates<'_, '_, '_> {
    fn found(&mut self, states: &[StateIndex]) -> Result<(), ResourceError> {
        if states.is_empty() {
            return Ok(());
        }
        self.tally.states += states.len() as u64;
        self.tally.depth = self.tally.depth.max(self.level);
        self.frontier.push(self.level, states)
    }

    fn goes_on(&mut self) -> bool {
        self.signs.report(self.tally, self.frontier.len());
        let stopped = self.signs.partners.as_ref().is_some_and(|partners| partners.stopped());
        !stopped && !self.signs.interrupted.is_requested()
    }
}

impl Inserter<'_> {
    /// Lets the visited set find out which states are new, and queues them.
    #[cold]
    pub fn settle(
        &mut self,
        ends_level: bool,
        share: &mut dyn Share,
        frontier: &mut dyn Frontier,
        signs: &mut Signs<'_, '_>,
    ) -> Result<(), Halt> {
        let level = self.inserted;
        let keeps = !self.is_beyond(level);
        let mut new_states = NewStates { tally: &mut self.tally, frontier, level, signs };
        let settled = share.settle(Settlement { ends_level, keeps }, &mut new_states);
        match settled {
            Ok(new) => {
                self.beyond_depth |= !keeps && new > 0;
                Ok(())
            }
            Err(InsertError::Stopped) if signs.interrupted.is_requested() => {
                Err(Halt::Ended(Ending::Interrupted))
            }
            Err(full) => Err(self.halt(full)),
        }
    }

    /// Checks states that were taken without having been checked. Those that are valid move
    /// together; returns their number.
    pub fn check_taken(
        &mut self,
        level: Level,
        indices: &mut Vec<StateIndex>,
        states: &mut [u64],
        expander: &Expander<'_>,
    ) -> usize {
        let width = self.codec.aligned_words();
        let mut valid = 0;
        for from in 0..indices.len() {
            let state = &mut states[from * width..(from + 1) * width];
            self.settings.watch.see(state, &mut self.watched);
            match expander.check(state) {
                Ok(()) => {
                    if valid < from {
                        states.copy_within(from * width..(from + 1) * width, valid * width);
                        indices[valid] = indices[from];
                    }
                    valid += 1;
                }
                Err(violation) => {
                    let (problem, words) = (problem_of(violation), (&*state).into());
                    let state = Some(indices[from]);
                    self.problems.violated(expander, Pending { from, level, state, words, problem });
                }
            }
        }
        indices.truncate(valid);
        valid
    }
}
