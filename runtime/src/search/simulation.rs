//! A random walk: one path from a start state, as long as nothing goes wrong.
//!
//! Each step expands the state, so that an error in any rule that is enabled on the way is seen, and not
//! only in the rule that the walk takes. Firings that the walk did not take are not counted.

use super::problem::problem_of;
use super::problem::{Finding, Problem};
use super::{Counts, Ending, Observer, Outcome, Settings};
use crate::context::Context;
use crate::fault::Fault;
use crate::frontier::Level;
use crate::model::{Firing, Model, StartId};
use crate::random::Random;
use crate::reduction::extent::Bags;
use crate::successors::Successors;
use crate::trace::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far to go, and which way.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    pub steps: u64,
    pub seed: u64,
}

/// Walks until something goes wrong, nothing can happen, or the steps are used up.
pub fn simulate(
    model: &dyn Model,
    settings: &Settings,
    walk: Walk,
    interrupted: &AtomicBool,
    observer: &mut dyn Observer,
) -> Outcome {
    let description = model.description();
    let mut context = settings.context(description);
    // One concrete run: what is in a multiset stays in its slot, as in the trace that is told.
    context.bags = Bags::None;
    let mut walker = Walker {
        model,
        settings,
        context: &context,
        random: Random(walk.seed),
        counts: Counts::default(),
        fired: vec![0; description.rule_instances() as usize],
        path: Path { start: StartId(0), rules: Vec::new() },
        successors: Successors::new(description.words),
    };
    let (ending, findings) = match walker.run(walk.steps, interrupted, observer) {
        Ok(ending) => (ending, Vec::new()),
        Err(finding) => {
            observer.found(&finding);
            (Ending::Errors, vec![finding])
        }
    };
    let Walker { counts, fired, path, .. } = walker;
    Outcome {
        ending,
        findings,
        counts,
        fired,
        covered: context.covered().collect(),
        undefined_compared: context.undefined_compared(),
        bits_per_state: settings.codec(description).bits_per_state(),
        compacted: None,
        cached: None,
        on_disk: None,
        descended: None,
        bounded: None,
        assurance: None,
        watched: None,
        walked: None,
        slept: None,
        locality: None,
        checkpointed: None,
        refused_memory: None,
        went_behind: false,
        peak_memory: (path.rules.capacity() * size_of::<u32>()) as u64,
        spilled: None,
        unreduced: 0,
        not_replayed: None,
    }
}

struct Walker<'a> {
    model: &'a dyn Model,
    settings: &'a Settings,
    context: &'a Context,
    random: Random,
    counts: Counts,
    fired: Vec<u64>,
    path: Path,
    successors: Successors,
}

impl Walker<'_> {
    fn run(
        &mut self,
        steps: u64,
        interrupted: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Ending, Finding> {
        let Some(mut state) = self.start()? else {
            return Ok(Ending::NoStart);
        };
        if self.settings.show_states {
            observer.state(&state, 0, None);
        }
        self.check(&mut state)?;
        for step in 0..steps {
            if interrupted.load(Ordering::Relaxed) {
                return Ok(Ending::Interrupted);
            }
            self.successors.clear();
            self.model.expand(self.context, &mut state, &mut self.successors);
            if let Some(faulty) = self.successors.faults().first() {
                let problem = Problem::RuleFault {
                    rule: faulty.rule,
                    fault: faulty.fault,
                    value: faulty.value,
                    in_guard: faulty.in_guard,
                };
                self.counts.rules += u64::from(!faulty.in_guard);
                return Err(self.finding(problem));
            }
            let count = self.successors.len();
            if count == 0 && self.successors.excluded().is_empty() && self.settings.deadlock {
                return Err(self.finding(Problem::Deadlock));
            }
            if count == 0 {
                return Ok(Ending::Halted(step));
            }
            let chosen = self.random.below(count as u64) as usize;
            let Some(&rule) = self.successors.rules().get(chosen) else {
                return Ok(Ending::Halted(step));
            };
            let next = self.successors.state(chosen);
            observer.step(rule, &state, next);
            if self.settings.show_states {
                observer.state(next, step + 1, Some(step));
            }
            state.copy_from_slice(next);
            self.path.rules.push(rule);
            self.counts.rules += 1;
            self.counts.depth = Level(u32::try_from(step + 1).unwrap_or(u32::MAX));
            if let Some(count) = self.fired.get_mut(rule.0 as usize) {
                *count += 1;
            }
            self.check(&mut state)?;
            if step % 256 == 0 {
                observer.progress(&self.counts);
            }
        }
        Ok(Ending::Steps(steps))
    }

    /// One of the start states.
    fn start(&mut self) -> Result<Option<Vec<u64>>, Finding> {
        let mut possible = Vec::new();
        for start in (0..self.model.description().start_instances()).map(StartId) {
            let mut state = vec![0; self.model.description().words];
            match self.model.start(self.context, start, &mut state) {
                Firing::Fired => possible.push((start, state)),
                Firing::Disabled | Firing::Pruned => {}
                Firing::Faulted(fault) => {
                    let problem = Problem::StartFault { start, fault, value: Fault::value() };
                    return Err(Finding { problem, path: None });
                }
            }
        }
        if possible.is_empty() {
            return Ok(None);
        }
        let chosen = self.random.below(possible.len() as u64) as usize;
        let (start, state) = possible.swap_remove(chosen);
        self.path.start = start;
        Ok(Some(state))
    }

    fn check(&mut self, state: &mut [u64]) -> Result<(), Finding> {
        self.counts.states += 1;
        match self.model.check(self.context, state).err().map(problem_of) {
            Some(problem) => Err(self.finding(problem)),
            None => Ok(()),
        }
    }

    fn finding(&self, problem: Problem) -> Finding {
        Finding { problem, path: Some(self.path.clone()) }
    }
}
