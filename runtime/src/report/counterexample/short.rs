//! The trace as `--trace short` writes it: the steps and values that the error depends on, and what
//! was left out.

use super::slice::{Slice, SliceStep};
use super::text::{Page, numbered, write_changes, write_value};
use crate::contract::values::Value;
use crate::text::{grouped, plural};
use std::io::Write;

/// Writes the start state and the steps of a slice. Steps that lie between are counted.
pub fn write_slice(out: &mut dyn Write, slice: &Slice, loop_from: Option<usize>, page: Page) {
    let _ = writeln!(out, "Start state: {}", page.paint.bold(&slice.start));
    write_cells(out, &slice.first, page);
    let mut before = 0;
    let mut loops = loop_from.map(|from| from + 1);
    for SliceStep { number, title, changes } in &slice.steps {
        write_gap(out, number - before - 1, page);
        before = *number;
        if loops.is_some_and(|from| from <= *number) {
            loops = None;
            let _ =
                writeln!(out, "\n{}", page.paint.blue("The loop begins here, or in a step left out before."));
        }
        let _ = writeln!(out, "\n{}", numbered(&grouped(*number as u64), title, page));
        write_changes(out, changes, page);
    }
    write_gap(out, slice.all_steps - before, page);
}

fn write_gap(out: &mut dyn Write, steps: usize, page: Page) {
    if steps > 0 {
        let text = format!("… {} left out", plural(steps as u64, "step"));
        let _ = writeln!(out, "\n{}", page.paint.dim(&text));
    }
}

/// Writes the values that matter, each on its own line.
pub fn write_cells(out: &mut dyn Write, cells: &[(String, Value)], page: Page) {
    for (path, value) in cells {
        write_value(out, path, value, page);
    }
}

/// What was left out, in one sentence. `None`: nothing was.
pub fn left_out(slice: &Slice) -> Option<String> {
    let steps = slice.all_steps.saturating_sub(slice.steps.len()) as u64;
    let values = slice.all_values.saturating_sub(slice.first.len()) as u64;
    let what = match (steps, values) {
        (0, 0) => return None,
        (steps, 0) => plural(steps, "step"),
        (0, values) => plural(values, "value"),
        (steps, values) => format!("{} and {}", plural(steps, "step"), plural(values, "value")),
    };
    Some(format!("Left out, since the error does not depend on them: {what}. --trace diff shows all."))
}
