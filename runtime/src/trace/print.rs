//! Traces for people.

use super::{Replay, TraceError};
use crate::contract::context::Context;
use crate::contract::model::Model;
use crate::contract::print::{LINE, Style, start_name, write_state, write_step};
use crate::contract::problem::Path;
use std::io::Write;

/// Writes the states of a path, and where its loop begins, if it has one. Nobody can do anything
/// about an output that is closed, so its errors are ignored.
pub fn write_path(
    out: &mut dyn Write,
    model: &dyn Model,
    context: &Context,
    path: &Path,
    loop_from: Option<usize>,
    style: Style,
) -> Result<(), TraceError> {
    let description = model.description();
    let mut replay = Replay::new(model, context, path.start)?;
    let _ = writeln!(out, "{} fired.", start_name(description, path.start));
    write_state(out, description, replay.state());
    let _ = writeln!(out, "{LINE}");
    for (step, &rule) in path.rules.iter().enumerate() {
        if loop_from == Some(step) {
            let _ = writeln!(out, "The loop begins here.\n{LINE}");
        }
        let before = replay.state().to_vec();
        let after = replay.fire(rule)?;
        write_step(out, description, rule, &before, after, style);
    }
    Ok(())
}
