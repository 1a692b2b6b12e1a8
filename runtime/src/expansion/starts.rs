//! Making the start states, a portion at a time: a model may have more of them than there is memory
//! for.

use super::{Before, Expander};
use crate::contract::context::Context;
use crate::contract::fault::Fault;
use crate::contract::model::{Firing, Model, RuleId, StartId};
use crate::contract::problem::Problem;
use std::ops::ControlFlow;

/// Start rules that are tried in one portion, whatever their result.
const TRIED: u32 = 1 << 16;

/// The start states that are still to be made.
#[derive(Debug, Default)]
pub struct Starts {
    next: u32,
    /// There was a start state, or an error instead of one.
    found: bool,
}

impl Starts {
    /// Whether there was no start state so far, nor an error instead of one.
    pub fn none(&self) -> bool {
        !self.found
    }
}

impl Expander<'_> {
    /// Fills the buffer with a portion of the start states, as successors of nothing, in canonical
    /// form. The rule of each is the number of its start rule. What fails is reported; a break ends
    /// the portion. False: these were the last.
    pub fn start(&mut self, starts: &mut Starts, mut report: impl FnMut(Problem) -> ControlFlow<()>) -> bool {
        self.successors.clear();
        self.before = Before::default();
        let Expander { model, context, portion, successors, .. } = self;
        let mut found = false;
        let more = each(*model, context, &mut starts.next, |start, firing, state| match firing {
            Firing::Fired => {
                found = true;
                successors.adopt(RuleId(start.0), state);
                enough(successors.words().len() >= *portion)
            }
            Firing::Disabled | Firing::Pruned => ControlFlow::Continue(()),
            Firing::Faulted(fault) => {
                found = true;
                report(Problem::StartFault { start, fault, value: Fault::value() })
            }
        });
        starts.found |= found;
        self.reduce();
        more
    }

    /// Fills the buffer with a portion of the start states as [`Expander::start`] does, once more:
    /// nothing is counted or printed, and what fails is passed by. False: these were the last.
    pub fn start_again(&mut self, starts: &mut Starts) -> bool {
        self.successors.clear();
        self.before = Before::default();
        let Expander { model, quiet, portion, successors, .. } = self;
        let more = each(*model, quiet, &mut starts.next, |start, firing, state| {
            if firing == Firing::Fired {
                successors.adopt(RuleId(start.0), state);
            }
            enough(successors.words().len() >= *portion)
        });
        self.reduce();
        more
    }
}

fn enough(is_enough: bool) -> ControlFlow<()> {
    if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Makes one start state after the other, from `next` on, until `deal` breaks off. False: there are
/// no more.
fn each(
    model: &dyn Model,
    context: &Context,
    next: &mut u32,
    mut deal: impl FnMut(StartId, Firing, &[u64]) -> ControlFlow<()>,
) -> bool {
    let description = model.description();
    let mut state = vec![0; description.words];
    let last = description.start_instances();
    let end = next.saturating_add(TRIED).min(last);
    while *next < end {
        let start = StartId(*next);
        *next += 1;
        state.fill(0);
        let firing = model.start(context, start, &mut state);
        if deal(start, firing, &state).is_break() {
            break;
        }
    }
    *next < last
}
