//! Making the start states, a portion at a time: a model may have more of them than there is memory
//! for.

use super::Ending;
use super::errors::waiting::Pending;
use super::keeping::Keeper;
use super::portion::Portion;
use super::site::Halt;
use crate::contract::context::Context;
use crate::contract::fault::Fault;
use crate::contract::model::{Firing, Model, RuleId, StartId};
use crate::contract::problem::Problem;
use crate::contract::successors::Successors;
use crate::frontier::Level;
use std::sync::Arc;

/// Start states that are tried before others get a turn, whatever becomes of them.
const TRIED: u32 = 1 << 16;

/// The start states that are still to be made.
#[derive(Debug)]
pub struct Starts {
    next: u32,
    portion: Portion,
    /// There was a start state, or an error instead of one.
    found: bool,
}

impl Starts {
    pub fn new(portion: Portion) -> Self {
        Starts { next: 0, portion, found: false }
    }

    /// Appends a portion of them to the successors of nothing, and notes what goes wrong with them.
    /// False: these were the last.
    pub fn make(&mut self, keeper: &mut Keeper<'_>, successors: &mut Successors) -> bool {
        let model = keeper.model;
        let one_is_enough = keeper.settings.max_errors == Some(1);
        let problems = &mut keeper.problems;
        let before = successors.len() + problems.len();
        let more = self.each(model, &keeper.context, |start, firing, state| match firing {
            Firing::Fired => {
                successors.adopt(RuleId(start.0), state);
                successors.words().len()
            }
            Firing::Disabled | Firing::Pruned => 0,
            Firing::Faulted(fault) => {
                let problem = Problem::StartFault { start, fault, value: Fault::value() };
                let (level, words) = (Level::default(), Arc::default());
                problems.push(Pending { from: 0, level, state: None, words, problem });
                if one_is_enough { usize::MAX } else { 0 }
            }
        });
        self.found |= successors.len() + problems.len() > before;
        more
    }

    /// Appends a portion of them, and passes by what goes wrong, for going over what a search did.
    /// False: these were the last.
    pub fn make_again(&mut self, model: &dyn Model, context: &Context, successors: &mut Successors) -> bool {
        self.each(model, context, |start, firing, state| {
            if firing == Firing::Fired {
                successors.adopt(RuleId(start.0), state);
            }
            successors.words().len()
        })
    }

    /// Makes one after the other, until `deal` says that it has so many words.
    fn each(
        &mut self,
        model: &dyn Model,
        context: &Context,
        mut deal: impl FnMut(StartId, Firing, &[u64]) -> usize,
    ) -> bool {
        let description = model.description();
        let mut state = vec![0; description.words];
        let last = description.start_instances();
        let end = self.next.saturating_add(TRIED).min(last);
        while self.next < end {
            let start = StartId(self.next);
            self.next += 1;
            state.fill(0);
            let firing = model.start(context, start, &mut state);
            if deal(start, firing, &state) >= self.portion.words {
                break;
            }
        }
        self.next < last
    }

    /// All have been made.
    pub fn end(&self) -> Result<(), Halt> {
        if self.found { Ok(()) } else { Err(Halt::Ended(Ending::NoStart)) }
    }
}
