//! The trace on a terminal: numbered steps, old and new values, whole states where they help.

use super::changes::{Change, ChangeKind};
use super::words::compact;
use super::{Values, each_step};
use crate::contract::context::Context;
use crate::contract::model::Model;
use crate::contract::print::Style;
use crate::contract::problem::Path;
use crate::contract::values::Value;
use crate::report::console::Paint;
use crate::text::{grouped, printable};
use crate::trace::TraceError;
use std::io::Write;

/// How text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub paint: Paint,
    /// Columns of a line. What cannot be broken may be longer.
    pub width: usize,
}

/// What stands in front of the lines of a step.
const INDENT: &str = "   ";
/// Columns up to which values of a step stand under each other.
const ALIGNED: usize = 40;

/// Writes the steps of a path, and where its loop begins, if it has one. The result is the last
/// state.
pub fn write_path(
    out: &mut dyn Write,
    model: &dyn Model,
    context: &Context,
    path: &Path,
    loop_from: Option<usize>,
    style: Style,
    page: Page,
) -> Result<Vec<u64>, TraceError> {
    let paint = page.paint;
    each_step(model, context, path, |step| {
        let repeats = loop_from.is_some_and(|from| from + 1 == step.number);
        if repeats {
            let _ = writeln!(out, "\n{}", paint.blue("The loop begins here."));
        }
        if step.number == 0 {
            let _ = writeln!(out, "Start state: {}", paint.bold(&step.title));
            write_values(out, step.after, page);
            return;
        }
        let number = grouped(step.number as u64);
        let _ = writeln!(out, "\n{}", numbered(&number, &step.title, page));
        match style {
            Style::Full => write_values(out, step.after, page),
            Style::Differences | Style::Short | Style::Table if step.changes.is_empty() => {
                let _ = writeln!(out, "{INDENT}(nothing changes)");
            }
            Style::Differences | Style::Short | Style::Table => write_changes(out, &step.changes, page),
            Style::Off => {}
        }
    })
}

/// `3. name (parameters)`.
pub fn numbered(number: &str, title: &str, page: Page) -> String {
    format!("{} {}", page.paint.dim(&format!("{number}.")), page.paint.bold(title))
}

pub fn write_changes(out: &mut dyn Write, changes: &[Change], page: Page) {
    let longest = changes.iter().map(|change| change.path.chars().count()).max().unwrap_or(0);
    let column = longest.min(ALIGNED);
    for change in changes {
        write_change(out, change, column, page);
    }
}

fn write_change(out: &mut dyn Write, Change { path, kind }: &Change, column: usize, page: Page) {
    let paint = page.paint;
    let name = format!("{INDENT}{path:<column$}  ");
    let used = name.chars().count();
    let fits = |text: usize| used + text <= page.width;
    let _ = match kind {
        ChangeKind::Changed { old, new } => {
            let short = fits(old.chars().count() + new.chars().count() + 3);
            let between = if short { " ".to_owned() } else { format!("\n{}", " ".repeat(used)) };
            writeln!(out, "{name}{}{between}→ {}", paint.dim(old), paint.yellow(new))
        }
        ChangeKind::Added(element) => {
            let lines = wrapped(&compact(element), page.width.saturating_sub(used + 2));
            writeln!(out, "{name}{}", hanging("+ ", &lines, used, |text| paint.green(text)))
        }
        ChangeKind::Removed(element) => {
            let lines = wrapped(&compact(element), page.width.saturating_sub(used + 2));
            writeln!(out, "{name}{}", hanging("- ", &lines, used, |text| paint.red(text)))
        }
    };
}

/// Lines under each other behind a sign.
fn hanging(sign: &str, lines: &[String], column: usize, paint: impl Fn(&str) -> String) -> String {
    let margin = format!("\n{}", " ".repeat(column + sign.len()));
    let painted: Vec<String> = lines.iter().map(|line| paint(line)).collect();
    format!("{}{}", paint(sign), painted.join(&margin))
}

/// Text broken at commas into lines of a width.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.trim_end().chars().count() <= width => {
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Writes a whole state: a variable on a line where it fits, otherwise its parts.
pub fn write_values(out: &mut dyn Write, values: &Values, page: Page) {
    for (name, value) in values {
        write_value(out, &printable(name), value, page);
    }
}

/// Writes a variable or a part of one.
pub(super) fn write_value(out: &mut dyn Write, path: &str, value: &Value, page: Page) {
    let text = compact(value);
    if INDENT.len() + path.chars().count() + 2 + text.chars().count() <= page.width {
        let _ = writeln!(out, "{INDENT}{path}: {}", page.paint.cyan(&text));
        return;
    }
    match value {
        Value::Array(elements) => {
            for (index, element) in elements {
                write_value(out, &format!("{path}[{index}]"), element, page);
            }
        }
        Value::Record(fields) => {
            for (name, field) in fields {
                write_value(out, &format!("{path}.{}", printable(name)), field, page);
            }
        }
        Value::Bag(slots) => {
            let _ = writeln!(out, "{INDENT}{path}:");
            for element in slots.iter().flatten() {
                let lines = wrapped(&compact(element), page.width.saturating_sub(INDENT.len() + 4));
                let text = hanging("  ", &lines, INDENT.len(), |text| page.paint.cyan(text));
                let _ = writeln!(out, "{INDENT}{text}");
            }
        }
        Value::Undefined | Value::Number(_) | Value::Boolean(_) | Value::Name(_) => {
            let _ = writeln!(out, "{INDENT}{path}: {}", page.paint.cyan(&text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_broken_at_commas() {
        assert_eq!(wrapped("{a: 1, b: 2, c: 3}", 12), ["{a: 1, b: 2,", "c: 3}"]);
        assert_eq!(wrapped("longer-than-that", 3), ["longer-than-that"]);
    }
}
