//! A random walk: one path from a start state, as long as nothing goes wrong.
//!
//! Each step expands the state, so that an error in any rule that is enabled on the way is seen,
//! and not only in the rule that the walk takes. Firings that the walk did not take are not
//! counted. The path to the error that is shown is shorter than the walk, where replaying finds a
//! shorter one ([`super::shortening`]).

use super::errors::kept::ErrorStats;
use super::fired::Fired;
use super::shortening::shortened;
use super::{Counts, Ending, Observer, Outcome};
use crate::contract::bags::Bags;
use crate::contract::model::{Model, RuleId, StartId};
use crate::contract::problem::Path;
use crate::contract::problem::{Finding, Problem, problem_of};
use crate::expansion::Expander;
use crate::expansion::portion::Portion;
use crate::expansion::starts::Starts;
use crate::frontier::Level;
use crate::interruption::Interruption;
use crate::memory::counted;
use crate::random::Random;
use crate::settings::Settings;
use std::ops::ControlFlow;

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
    interrupted: &Interruption,
    observer: &mut dyn Observer,
) -> Outcome {
    let description = model.description();
    let mut context = settings.context(description);
    // One concrete run: what is in a multiset stays in its slot, as in the trace that is shown.
    context.bags = Bags::None;
    let portion = Portion::new(settings, description, 0);
    let mut walker = RandomWalk {
        settings,
        expander: Expander::new(model, context, portion.words),
        random: Random(walk.seed),
        counts: Counts::default(),
        fired: Fired::new(description.rules),
        path: Path { start: StartId(0), rules: Vec::new() },
    };
    let (ending, findings) = match walker.run(walk.steps, interrupted, observer) {
        Ok(ending) => (ending, Vec::new()),
        Err(finding) => {
            let finding = shorter(model, settings, finding, observer);
            observer.found(&finding);
            (Ending::Errors, vec![finding])
        }
    };
    let RandomWalk { counts, fired, path, expander, .. } = walker;
    let context = expander.context();
    Outcome {
        errors: ErrorStats::of(&findings),
        findings,
        counts,
        fired: fired.counts(),
        covered: context.covered().collect(),
        undefined_compared: context.undefined_compared(),
        bits_per_state: settings.codec(description).bits_per_state(),
        peak_memory: (path.rules.capacity() * size_of::<u32>()) as u64,
        ..Outcome::of(ending)
    }
}

/// The error with a shorter path to it, if replaying finds one.
fn shorter(model: &dyn Model, settings: &Settings, finding: Finding, observer: &mut dyn Observer) -> Finding {
    let context = settings.trace_context(model.description());
    let path = finding.path.as_ref();
    let Some(path) = path.and_then(|path| shortened(model, settings, &context, path, finding.problem)) else {
        return finding;
    };
    let walked = finding.path.as_ref().map_or(0, |path| path.rules.len() as u64);
    observer.shortened(walked, path.rules.len() as u64);
    Finding { path: Some(path), ..finding }
}

/// Where one can go from a state.
struct Ways {
    /// Successors.
    count: u64,
    /// A rule leads to a state that breaks an assumption.
    has_other: bool,
}

struct RandomWalk<'a> {
    settings: &'a Settings,
    expander: Expander<'a>,
    random: Random,
    counts: Counts,
    fired: Fired,
    path: Path,
}

impl RandomWalk<'_> {
    fn run(
        &mut self,
        steps: u64,
        interrupted: &Interruption,
        observer: &mut dyn Observer,
    ) -> Result<Ending, Finding> {
        let Some(mut state) = self.start(interrupted)? else {
            return Ok(match interrupted.is_requested() {
                true => Ending::Interrupted,
                false => Ending::NoStart,
            });
        };
        if self.settings.show_states {
            observer.state(&state, 0, None);
        }
        self.check(&mut state)?;
        for step in 0..steps {
            if interrupted.is_requested() {
                return Ok(Ending::Interrupted);
            }
            let Ways { count, has_other } = self.expand(&mut state)?;
            let stuck = count == 0 && !has_other && self.settings.deadlock;
            let deadlock = stuck.then(|| self.expander.deadlock_in(&mut state));
            if let Some(problem) = deadlock.flatten() {
                return Err(self.finding(problem));
            }
            if count == 0 {
                return Ok(Ending::Halted(step));
            }
            let chosen = self.random.below(count);
            let Some((rule, at)) = self.choose(&mut state, count, chosen) else {
                return Ok(Ending::Halted(step));
            };
            let next = self.expander.successors().state(at);
            observer.step(rule, &state, next);
            if self.settings.show_states {
                observer.state(next, step + 1, Some(step));
            }
            state.copy_from_slice(next);
            if !self.has_room() {
                return Ok(Ending::Memory);
            }
            self.path.rules.push(rule);
            self.counts.rules += 1;
            self.counts.depth = Level(u32::try_from(step + 1).unwrap_or(u32::MAX));
            self.fired.count(rule);
            self.check(&mut state)?;
            if step % 256 == 0 {
                observer.progress(&self.counts);
            }
        }
        Ok(Ending::Steps(steps))
    }

    /// Fires all rules in a state, so that an error in any of them is seen. Where there are many
    /// successors, only some of them are in the buffer then.
    fn expand(&mut self, state: &mut [u64]) -> Result<Ways, Finding> {
        let mut ways = Ways { count: 0, has_other: false };
        let faulty = self.expander.each_piece(state, |piece| {
            ways.count += piece.len() as u64;
            ways.has_other |= !piece.excluded().is_empty();
            match piece.faults().first() {
                Some(&faulty) => ControlFlow::Break(faulty),
                None => ControlFlow::Continue(()),
            }
        });
        match faulty {
            Some(faulty) => {
                self.counts.rules += u64::from(!faulty.in_guard);
                Err(self.finding(faulty.into()))
            }
            None => Ok(ways),
        }
    }

    /// The rule that leads to one of the `count` successors of a state that was expanded, and where
    /// it is in the buffer now.
    fn choose(&mut self, state: &mut [u64], count: u64, chosen: u64) -> Option<(RuleId, usize)> {
        let successors = self.expander.successors();
        if successors.len() as u64 == count {
            let at = usize::try_from(chosen).ok()?;
            return Some((*successors.rules().get(at)?, at));
        }
        let mut rest = chosen;
        self.expander.each_piece_again(state, |piece| {
            match usize::try_from(rest).ok().and_then(|at| Some((*piece.rules().get(at)?, at))) {
                Some(found) => ControlFlow::Break(found),
                None => {
                    rest -= piece.len() as u64;
                    ControlFlow::Continue(())
                }
            }
        })
    }

    /// One of the start states. `None`: there is none.
    fn start(&mut self, interrupted: &Interruption) -> Result<Option<Vec<u64>>, Finding> {
        let mut starts = Starts::default();
        let mut possible = 0;
        loop {
            let mut failed = None;
            let more = self.expander.start(&mut starts, |problem| {
                failed = Some(problem);
                ControlFlow::Break(())
            });
            if let Some(problem) = failed {
                return Err(Finding::pathless(problem));
            }
            possible += self.expander.successors().len() as u64;
            if !more || interrupted.is_requested() {
                break;
            }
        }
        if possible == 0 {
            return Ok(None);
        }
        let mut rest = self.random.below(possible);
        let mut starts = Starts::default();
        loop {
            let more = self.expander.start_again(&mut starts);
            let made = self.expander.successors();
            if let Some((at, &start)) =
                usize::try_from(rest).ok().and_then(|at| Some((at, made.rules().get(at)?)))
            {
                self.path.start = StartId(start.0);
                return Ok(Some(made.state(at).to_vec()));
            }
            rest -= made.len() as u64;
            if !more {
                return Ok(None);
            }
        }
    }

    /// Whether the path may become longer. It takes twice the memory when its list is full.
    fn has_room(&self) -> bool {
        let room = self.path.rules.capacity();
        let bytes = 2 * (room * size_of::<RuleId>()) as u64;
        self.path.rules.len() < room || counted(bytes) <= self.settings.memory
    }

    fn check(&mut self, state: &mut [u64]) -> Result<(), Finding> {
        self.counts.states += 1;
        match self.expander.check(state).err().map(problem_of) {
            Some(problem) => Err(self.finding(problem)),
            None => Ok(()),
        }
    }

    fn finding(&self, problem: Problem) -> Finding {
        Finding::traced(problem, self.path.clone())
    }
}
