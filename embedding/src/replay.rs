//! Driving a real implementation along the steps of a model.

use crate::verification::Step;
use std::fmt;

/// A program that is to behave as a model does. `S` is the state of the model, or of the part of it
/// that the implementation can show.
pub trait Implementation<S> {
    /// Begins anew, as a start state says.
    fn start(&mut self, step: &Step<S>);

    /// Does what a rule does; says why if it cannot.
    fn step(&mut self, step: &Step<S>) -> Result<(), String>;

    /// Compares what the implementation shows with a state of the model; says in what they differ.
    fn compare(&self, state: &S) -> Result<(), String>;
}

/// Where an implementation does not follow its model.
#[derive(Clone, PartialEq, Eq)]
pub struct Difference {
    /// The number of the step; the start state is 0.
    pub step: usize,
    /// What is different.
    pub message: String,
    /// The steps up to there.
    pub path: Vec<String>,
}

impl fmt::Debug for Difference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{self}")
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(to, "step {}: {}", self.step, self.message)?;
        for (number, step) in self.path.iter().enumerate() {
            writeln!(to, "  {number}. {step}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Difference {}

/// Drives an implementation along the steps of a trace or a walk, and compares it with the model
/// after each.
pub fn replay<S>(implementation: &mut impl Implementation<S>, steps: &[Step<S>]) -> Result<(), Difference> {
    for (number, step) in steps.iter().enumerate() {
        let done = match number {
            0 => {
                implementation.start(step);
                Ok(())
            }
            _ => implementation.step(step),
        };
        let compared = done.and_then(|()| match &step.state {
            Some(state) => implementation.compare(state),
            None => Ok(()),
        });
        if let Err(message) = compared {
            let path = steps.iter().take(number + 1).map(Step::to_string).collect();
            return Err(Difference { step: number, message, path });
        }
    }
    Ok(())
}
