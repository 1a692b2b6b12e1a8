//! From a state back to a start state, and forward again in words.

pub(crate) mod candidates;
pub(crate) mod end;
pub(crate) mod log;
pub(crate) mod rerun;

use crate::contract::context::Context;
use crate::contract::model::{Firing, Model, RuleId, StartId};
use crate::contract::problem::Path;
use crate::expansion::Expander;
use crate::memory::MemoryError;
use crate::storage::StorageError;
use std::fmt;
use std::ops::ControlFlow;

/// A path cannot be followed: the engine and the model do not agree on it, which is a mistake of
/// ours and never of the user's; or a file cannot be read, or there is no memory left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    pub step: usize,
    pub what: &'static str,
    pub file: Option<StorageError>,
    /// Whether there was no memory.
    pub exhausted: bool,
}

impl TraceError {
    pub fn new(step: usize, what: &'static str) -> Self {
        TraceError { step, what, file: None, exhausted: false }
    }
}

impl From<StorageError> for TraceError {
    fn from(failure: StorageError) -> Self {
        TraceError { file: Some(failure), ..TraceError::new(0, "a file cannot be read") }
    }
}

impl From<MemoryError> for TraceError {
    fn from(MemoryError: MemoryError) -> Self {
        TraceError { exhausted: true, ..TraceError::new(0, "there is no memory left") }
    }
}

impl std::error::Error for TraceError {}

impl fmt::Display for TraceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "replaying a trace, step {}: {}", self.step, self.what)
    }
}

/// The last state of a path.
fn end_of(expander: &Expander<'_>, path: &Path) -> Result<Vec<u64>, TraceError> {
    let mut replay = Replay::new(expander.model(), expander.context(), path.start)?;
    path.rules.iter().try_for_each(|&rule| replay.fire(rule).map(drop))?;
    Ok(replay.state)
}

/// The state at the end of a path. `context` is one for traces.
pub fn end_state(model: &dyn Model, context: &Context, path: &Path) -> Result<Vec<u64>, TraceError> {
    end_of(&Expander::for_trace(model, context), path)
}

/// The rules that fire in the last state of a path and do not change it.
pub fn unchanging_rules(
    model: &dyn Model,
    context: &Context,
    path: &Path,
) -> Result<Vec<RuleId>, TraceError> {
    let mut expander = Expander::for_trace(model, context);
    let mut unchanged = Vec::new();
    expander.each_piece::<()>(&mut end_of(&expander, path)?, |piece| {
        unchanged.extend_from_slice(piece.unchanged());
        ControlFlow::Continue(())
    });
    Ok(unchanged)
}

/// A path on which the model goes along, state by state.
pub struct Replay<'a> {
    model: &'a dyn Model,
    context: &'a Context,
    state: Vec<u64>,
    step: usize,
}

impl<'a> Replay<'a> {
    pub fn new(model: &'a dyn Model, context: &'a Context, start: StartId) -> Result<Self, TraceError> {
        let mut state = vec![0; model.description().words];
        match model.start(context, start, &mut state) {
            Firing::Fired => Ok(Replay { model, context, state, step: 0 }),
            Firing::Disabled | Firing::Pruned | Firing::Faulted(_) => {
                Err(TraceError::new(0, "the start state cannot be made again"))
            }
        }
    }

    pub fn state(&self) -> &[u64] {
        &self.state
    }

    pub fn fire(&mut self, rule: RuleId) -> Result<&[u64], TraceError> {
        self.step += 1;
        match self.model.fire(self.context, rule, &mut self.state) {
            Firing::Fired => Ok(&self.state),
            Firing::Disabled | Firing::Pruned | Firing::Faulted(_) => {
                Err(TraceError::new(self.step, "a rule of the trace does not fire again"))
            }
        }
    }
}
