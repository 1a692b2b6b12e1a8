//! Going through a model step by step in the interpreter: what is possible in a state, and what is
//! wrong with it.
//!
//! - [`document`]: walks and reports as files
//! - [`compare`]: a recorded state against the interpreter's own
//! - [`itf`]: traces in the Informal Trace Format
//! - [`replay`]: judges a recorded trace
//! - [`runs`]: judges a run that goes on for ever
//! - [`independence`]: tests which rules are independent, state by state

pub mod compare;
pub mod document;
pub mod independence;
pub mod itf;
pub mod replay;
mod runs;

use crate::interpret::Interpreter;
use mcc_runtime::context::Context;
use mcc_runtime::contract::explanation::Reason;
use mcc_runtime::contract::problem::Problem;
use mcc_runtime::contract::problem::problem_of;
use mcc_runtime::fault::Fault;
use mcc_runtime::host::Settings;
use mcc_runtime::model::{Description, Firing, Model, RuleId, StartId};
use mcc_runtime::successors::Successors;

/// What a rule or start state leads to.
#[derive(Clone, Debug)]
pub enum Effect {
    To(Vec<u64>),
    /// A state that breaks an assumption: it does not count.
    Excluded,
    Fault(Problem),
}

/// An instance of a rule (or start state) that can be chosen.
#[derive(Clone, Debug)]
pub struct Move {
    /// The number of the instance: a [`RuleId`], or a [`StartId`].
    pub number: u32,
    pub effect: Effect,
}

/// A model that is gone through. It neither prints nor counts anything.
pub struct Walker<'a> {
    pub model: &'a Interpreter,
    pub settings: Settings,
    pub context: Context,
}

impl<'a> Walker<'a> {
    pub fn new(model: &'a Interpreter, settings: Settings) -> Self {
        let context = settings.trace_context(model.description());
        Walker { model, settings, context }
    }

    /// A walker that does what a search does: bags are sorted, as in a search.
    pub fn of_search(model: &'a Interpreter, settings: Settings) -> Self {
        let context = settings.rerun_context(model.description());
        Walker { model, settings, context }
    }

    pub fn description(&self) -> &'static Description {
        self.model.description()
    }

    /// One start state; `None` where an assumption in its text takes it back.
    pub fn start(&self, start: StartId) -> Option<Move> {
        let mut state = vec![0; self.description().words];
        let effect = match self.model.start(&self.context, start, &mut state) {
            Firing::Fired => Effect::To(state),
            Firing::Faulted(fault) => {
                Effect::Fault(Problem::StartFault { start, fault, value: Fault::value() })
            }
            Firing::Disabled | Firing::Pruned => return None,
        };
        Some(Move { number: start.0, effect })
    }

    /// All start states, in the order of the text.
    pub fn starts(&self) -> Vec<Move> {
        (0..self.description().start_instances()).filter_map(|start| self.start(StartId(start))).collect()
    }

    /// All rules that are enabled in a state, in the order of the text.
    pub fn moves(&self, state: &[u64]) -> Vec<Move> {
        self.moves_in(&self.context, state)
    }

    fn moves_in(&self, context: &Context, state: &[u64]) -> Vec<Move> {
        let mut successors = Successors::new(self.description().words);
        self.model.expand(context, &mut state.to_vec(), &mut successors);
        let fired = successors
            .rules()
            .iter()
            .enumerate()
            .map(|(at, rule)| Move { number: rule.0, effect: Effect::To(successors.state(at).to_vec()) });
        let unchanged = successors
            .unchanged()
            .iter()
            .map(|rule| Move { number: rule.0, effect: Effect::To(state.to_vec()) });
        let excluded =
            successors.excluded().iter().map(|rule| Move { number: rule.0, effect: Effect::Excluded });
        let faults = successors.faults().iter().map(|faulty| Move {
            number: faulty.rule.0,
            effect: Effect::Fault(Problem::RuleFault {
                rule: faulty.rule,
                fault: faulty.fault,
                value: faulty.value,
                in_guard: faulty.in_guard,
            }),
        });
        let mut moves: Vec<Move> = fired.chain(unchanged).chain(excluded).chain(faults).collect();
        moves.sort_by_key(|found| found.number);
        moves
    }

    /// Whether a rule would be enabled if there were no priorities.
    pub fn is_outranked(&self, state: &[u64], rule: RuleId) -> bool {
        let mut context = self.settings.trace_context(self.description());
        context.priorities = false;
        self.moves_in(&context, state).iter().any(|found| found.number == rule.0)
    }

    /// All properties that a state violates, in the order of the text.
    pub fn violations(&self, state: &[u64]) -> Vec<Problem> {
        let mut found = Vec::new();
        self.model.check_all(&self.context, &mut state.to_vec(), &mut |one| found.push(problem_of(one)));
        found
    }

    /// Why a property is false in a state.
    pub fn reasons(&self, problem: &Problem, state: &[u64]) -> Vec<Reason> {
        match problem {
            Problem::Violated { property } => {
                self.model.explain(&self.context, *property, &mut state.to_vec())
            }
            _ => Vec::new(),
        }
    }

    /// The first property that a state breaks.
    pub fn violation(&self, state: &[u64]) -> Option<Problem> {
        self.model.check(&self.context, &mut state.to_vec()).err().map(problem_of)
    }
}

/// Whether no rule changes the state. A rule that goes wrong, or leads to an excluded state, is a
/// way out.
pub fn is_stuck(state: &[u64], moves: &[Move]) -> bool {
    moves.iter().all(|found| match &found.effect {
        Effect::To(next) => next == state,
        Effect::Excluded | Effect::Fault(_) => false,
    })
}
