//! The trace as a table: variables down, steps across, and only what changes on the way.

use super::changes::cells;
use super::each_step;
use super::text::Page;
use crate::contract::context::Context;
use crate::contract::model::Model;
use crate::contract::problem::Path;
use crate::text::{grouped, plural};
use crate::trace::TraceError;
use std::io::Write;

/// The widest a value may be; longer ones are cut, which an ellipsis shows.
const WIDEST: usize = 24;

/// A row: one value in each state.
struct Row {
    path: String,
    values: Vec<String>,
}

/// Writes the steps of a path with their numbers, and below them the values that change, as many
/// steps beside each other as fit. The result is the last state.
pub fn write_table(
    out: &mut dyn Write,
    model: &dyn Model,
    context: &Context,
    path: &Path,
    loop_from: Option<usize>,
    page: Page,
) -> Result<Vec<u64>, TraceError> {
    let mut rows: Vec<Row> = Vec::new();
    let last = each_step(model, context, path, |step| {
        let number = if step.number == 0 { "start".to_owned() } else { grouped(step.number as u64) };
        let repeats = loop_from.is_some_and(|from| from + 1 == step.number);
        let mark = if repeats { "  (the loop begins here)" } else { "" };
        let _ = writeln!(out, "{:>8}  {}{mark}", number, page.paint.bold(&step.title));
        for (at, (path, value)) in cells(step.after).into_iter().enumerate() {
            match rows.get_mut(at) {
                Some(row) => row.values.push(value),
                None => rows.push(Row { path, values: vec![value] }),
            }
        }
    })?;
    let all = rows.len();
    rows.retain(|row| row.values.windows(2).any(|pair| pair[0] != pair[1]));
    write_rows(out, &rows, path.rules.len(), page);
    let same = (all - rows.len()) as u64;
    if same > 0 {
        let _ = writeln!(out, "\n{} stay as in the start state.", plural(same, "value"));
    }
    Ok(last)
}

fn write_rows(out: &mut dyn Write, rows: &[Row], steps: usize, page: Page) {
    let names = rows.iter().map(|row| row.path.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=steps)
        .map(|step| {
            let shown = rows.iter().map(|row| shown(row, step).chars().count());
            shown.chain([heading(step).chars().count()]).max().unwrap_or(1)
        })
        .collect();
    let mut from = 0;
    while from <= steps && !rows.is_empty() {
        // At least one step on each panel, however narrow the terminal.
        let whole = rows.iter().map(|row| cut(&row.values[from]).chars().count()).max().unwrap_or(1);
        let width = |step: usize| if step == from { whole.max(widths[from]) } else { widths[step] };
        let (mut to, mut used) = (from, names);
        while to <= steps && (to == from || used + 2 + width(to) <= page.width) {
            used += 2 + width(to);
            to += 1;
        }
        let line = |first: String, text: &dyn Fn(usize) -> String| {
            let mut line = format!("{first:<names$}");
            for step in from..to {
                let text = text(step);
                let padding = " ".repeat(width(step).saturating_sub(text.chars().count()));
                let changed = page.paint.yellow(&text);
                line.push_str(&format!("  {}{padding}", if text == "·" { text } else { changed }));
            }
            line.trim_end().to_owned()
        };
        let _ = writeln!(out, "\n{}", line(String::new(), &heading));
        for row in rows {
            // The first column of a panel shows all values, so that it can be read alone.
            let value = |step: usize| if step == from { cut(&row.values[step]) } else { shown(row, step) };
            let _ = writeln!(out, "{}", line(row.path.clone(), &value));
        }
        from = to;
    }
}

fn heading(step: usize) -> String {
    if step == 0 { "start".to_owned() } else { grouped(step as u64) }
}

/// A value where it is new, a dot where it is as before.
fn shown(row: &Row, step: usize) -> String {
    match step.checked_sub(1).map(|before| row.values[before] == row.values[step]) {
        Some(true) => "·".to_owned(),
        Some(false) | None => cut(&row.values[step]),
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() > WIDEST {
        text.chars().take(WIDEST - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
