//! Where a walk is, and how it goes on.
//!
//! The walk keeps the steps behind the current one, so that going back and forth loses nothing;
//! choosing another rule begins a new way from there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcc_runtime::Paint;
use mcc_runtime::context::Context;
use mcc_runtime::contract::deadlock::judged;
use mcc_runtime::contract::problem::Path;
use mcc_runtime::contract::problem::Problem;
use mcc_runtime::host::Settings;
use mcc_runtime::host::random::Random;
use mcc_runtime::host::text::plural;
use mcc_runtime::model::{Model, RuleId, StartId};

use super::commands::Reply;
use crate::interpret::Interpreter;
use crate::walk::{Effect, Move, Walker, is_stuck};

/// Steps of a random walk that are shown.
const LAST_STEPS: usize = 20;

/// A step of the walk; the first is the start state.
pub struct Stage {
    /// The instance of the rule or start state.
    pub number: u32,
    /// `None` where the rule went wrong.
    pub state: Option<Vec<u64>>,
    /// The error that the rule ended in.
    pub problem: Option<Problem>,
}

impl Stage {
    /// A rule that goes wrong.
    pub fn fault(problem: Problem) -> Stage {
        let number = match problem {
            Problem::RuleFault { rule, .. } => rule.0,
            Problem::StartFault { start, .. } => start.0,
            Problem::Deadlock
            | Problem::ClaimedDeadlock { .. }
            | Problem::Temporal { .. }
            | Problem::Violated { .. }
            | Problem::PropertyFault { .. }
            | Problem::NeverCovered { .. } => 0,
        };
        Stage { number, state: None, problem: Some(problem) }
    }
}

pub struct Session<'a> {
    pub walker: Walker<'a>,
    /// For rules that were chosen: it prints what they print, and counts the covers that they
    /// reach.
    context: Context,
    pub paint: Paint,
    random: Random,
    interrupted: Arc<AtomicBool>,
    pub stages: Vec<Stage>,
    /// The current step; `None` before a start state is chosen.
    pub at: Option<usize>,
    /// What can be chosen here.
    pub moves: Vec<Move>,
    starts: Vec<Move>,
    /// Show whole states after each step.
    pub full: bool,
}

impl<'a> Session<'a> {
    pub fn new(
        model: &'a Interpreter,
        settings: Settings,
        paint: Paint,
        seed: u64,
        interrupted: Arc<AtomicBool>,
    ) -> Self {
        let context = settings.context(model.description());
        let walker = Walker::new(model, settings);
        let starts = walker.starts();
        Session {
            walker,
            context,
            paint,
            random: Random(seed),
            interrupted,
            stages: Vec::new(),
            at: None,
            moves: starts.clone(),
            starts,
            full: false,
        }
    }

    /// Other options for the rest of the walk.
    pub fn set_options(&mut self, settings: Settings) {
        self.context = settings.context(self.walker.description());
        self.walker = Walker::new(self.walker.model, settings);
        self.starts = self.walker.starts();
        self.enter(self.at);
    }

    /// The first thing to show: the only start state, or all of them.
    pub fn begin(&mut self) -> Reply {
        match self.moves.as_slice() {
            [] => Reply::wrong("no start state satisfies the assumptions"),
            [Move { effect: Effect::To(_), .. }] => self.choose(1),
            _ => Reply::said(self.arrival()),
        }
    }

    pub fn stage(&self) -> Option<&Stage> {
        self.stages.get(self.at?)
    }

    /// Goes to a step of the walk.
    fn enter(&mut self, at: Option<usize>) {
        self.at = at;
        self.moves = match self.stage() {
            None => self.starts.clone(),
            Some(Stage { state: Some(state), .. }) => self.walker.moves(state),
            Some(Stage { state: None, .. }) => Vec::new(),
        };
    }

    /// Goes on with the rule, or start state, of this number in the list.
    pub fn choose(&mut self, number: usize) -> Reply {
        let Some(found) = number.checked_sub(1).and_then(|at| self.moves.get(at)).cloned() else {
            let what = if self.at.is_none() { "start state" } else { "enabled rule" };
            return Reply::wrong(match self.moves.len() {
                0 => format!("there is no {what} here"),
                count => format!("there is no {what} {number}: choose from 1 to {count}"),
            });
        };
        if matches!(found.effect, Effect::Excluded) {
            return Reply::wrong(format!("{number} leads to a state that breaks an assumption"));
        }
        let before: Vec<u64> = self.context.covered().collect();
        self.take(found);
        Reply::said(self.covers(&before, self.context.covered()) + &self.arrival())
    }

    /// Takes a step.
    fn take(&mut self, chosen: Move) {
        let state = self.stage().and_then(|stage| stage.state.clone());
        match &state {
            Some(state) => self.walker.model.perform(&self.context, RuleId(chosen.number), state),
            None => {
                let mut state = vec![0; self.walker.description().words];
                self.walker.model.start(&self.context, StartId(chosen.number), &mut state);
            }
        }
        let stage = match chosen.effect {
            Effect::To(mut next) => {
                // The error, if there is one, is shown by `arrival`.
                let _ = self.walker.model.check(&self.context, &mut next);
                Stage { number: chosen.number, state: Some(next), problem: None }
            }
            Effect::Fault(problem) => Stage::fault(problem),
            Effect::Excluded => return,
        };
        let at = self.at.map_or(0, |at| at + 1);
        let again = self.stages.get(at).is_some_and(|old| old.number == stage.number);
        if !again {
            self.stages.truncate(at);
            self.stages.push(stage);
        }
        self.enter(Some(at));
    }

    pub fn back(&mut self, count: usize) -> Reply {
        let several = self.starts.len() > 1;
        let Some(at) = self.at.filter(|at| *at > 0 || several) else {
            return Reply::wrong("this is the beginning");
        };
        let to = at.checked_sub(count).or(if several { None } else { Some(0) });
        self.enter(to);
        Reply::said(self.arrival())
    }

    pub fn forward(&mut self, count: usize) -> Reply {
        let next = self.at.map_or(0, |at| at + 1);
        match next.saturating_add(count).saturating_sub(1).min(self.stages.len().saturating_sub(1)) {
            to if next < self.stages.len() => self.goto(to),
            _ => Reply::wrong("this is the end of the walk"),
        }
    }

    pub fn goto(&mut self, step: usize) -> Reply {
        match self.stages.len() {
            0 => Reply::wrong("there are no steps yet: choose a start state"),
            count if step >= count => Reply::wrong(format!("the walk ends at step {}", count - 1)),
            _ => {
                self.enter(Some(step));
                Reply::said(self.arrival())
            }
        }
    }

    /// Goes on at random, until something is wrong or the user has seen enough.
    pub fn random(&mut self, count: usize) -> Reply {
        let before: Vec<u64> = self.context.covered().collect();
        let mut headings = Vec::new();
        let mut wrong = None;
        for _ in 0..count {
            let possible: Vec<&Move> =
                self.moves.iter().filter(|found| !matches!(found.effect, Effect::Excluded)).collect();
            let chosen = self.random.below(possible.len() as u64) as usize;
            let Some(chosen) = possible.get(chosen).map(|found| (*found).clone()) else {
                wrong = Some("no rule is enabled here".to_owned());
                break;
            };
            self.take(chosen);
            headings.push(self.heading());
            if self.problem().is_some() || self.interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        // The last one is part of what is shown on arrival.
        headings.pop();
        let mut text = String::new();
        if let Some(hidden) = headings.len().checked_sub(LAST_STEPS).filter(|hidden| *hidden > 0) {
            text += &format!("{}, which `walk` lists\n", plural(hidden as u64, "step"));
            headings.drain(..hidden);
        }
        text += &headings.concat();
        text += &self.covers(&before, self.context.covered());
        Reply { text: text + &self.arrival(), wrong, quit: false }
    }

    /// What is wrong here.
    pub fn problem(&self) -> Option<Problem> {
        let stage = self.stage()?;
        let Some(state) = &stage.state else {
            return stage.problem;
        };
        self.walker.violation(state).or_else(|| {
            let deadlock = self.walker.settings.deadlock && is_stuck(state, &self.moves);
            let judged =
                |problem| judged(self.walker.model, &self.walker.context, &mut state.clone(), problem);
            deadlock.then_some(Problem::Deadlock).and_then(judged)
        })
    }

    /// The way to the current step, and what is wrong there.
    pub fn finding(&self) -> Option<(Path, Option<Problem>)> {
        let steps = self.stages.get(..=self.at?)?;
        let (start, rules) = steps.split_first()?;
        start.state.as_ref()?;
        let gone = rules.iter().filter(|stage| stage.state.is_some());
        let path =
            Path { start: StartId(start.number), rules: gone.map(|stage| RuleId(stage.number)).collect() };
        Some((path, self.problem()))
    }
}
