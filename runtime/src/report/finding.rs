//! An error as people see it: what it is, where in the model, and the trace to it.

use super::console::Paint;
use super::counterexample::short::{left_out, write_cells, write_slice};
use super::counterexample::slice::slice;
use super::counterexample::table::write_table;
use super::counterexample::text::{Page, numbered, write_path, write_values};
use super::counterexample::{rule_title, words};
use crate::contract::context::Context;
use crate::contract::explanation::Reason;
use crate::contract::model::{Description, Model, Position, RuleId};
use crate::contract::print::{Style, rule_name};
use crate::contract::problem::{Finding, Lasso, Problem, Treated, Treatment, Untraced};
use crate::contract::values::{instance, variables};
use crate::text::{grouped, plural, printable};
use crate::trace::{TraceError, end_state, unchanging_rules};
use std::io::Write;

/// Rules that are named where there are many.
const NAMED: usize = 5;

/// An error with its place in the model's text and its trace.
pub fn write_finding(
    out: &mut dyn Write,
    model: &dyn Model,
    context: &Context,
    page: Page,
    style: Style,
    finding: &Finding,
) -> Result<(), TraceError> {
    let (description, paint) = (model.description(), page.paint);
    let _ = writeln!(out, "\n{} {}", paint.red("Error:"), printable(&finding.problem.message(description)));
    if let Some(position) = finding.problem.position(description) {
        write_place(out, description, paint, position);
    }
    match finding.problem {
        Problem::RuleFault { rule, in_guard, .. } => {
            let part = if in_guard { "in the guard of rule: " } else { "in rule: " };
            let title = match &finding.path {
                Some(path) => rule_title(model, rule, &end_state(model, context, path)?),
                None => rule_name(description, rule),
            };
            let _ = writeln!(out, "   {part}{title}");
        }
        Problem::StartFault { start, .. } => {
            let title = instance(description.starts, start.0).map(|found| words::title(&found, &|_| None));
            let _ = writeln!(out, "   in start state: {}", title.unwrap_or_default());
        }
        Problem::Deadlock | Problem::ClaimedDeadlock { .. } => {
            let (rules, state) = match &finding.path {
                Some(path) => (unchanging_rules(model, context, path)?, end_state(model, context, path)?),
                None => (Vec::new(), Vec::new()),
            };
            write_deadlock(out, model, &rules, &state);
        }
        Problem::Violated { property } => {
            if let Some(path) = &finding.path {
                let mut state = end_state(model, context, path)?;
                write_reasons(out, paint, &model.explain(context, property, &mut state));
            }
        }
        Problem::PropertyFault { .. } | Problem::Temporal { .. } | Problem::NeverCovered { .. } => {}
    }
    let Some(path) = &finding.path else {
        let why = match finding.untraced {
            None => return Ok(()),
            Some(Untraced::Symmetry) => {
                "states on the way to the error defied symmetry reduction, and cannot be followed with\n\
                 the same names from beginning to end. Without the reduction (--symmetry off) there is one."
            }
            Some(Untraced::Memory) => {
                "there is no memory left to follow it. With a larger --memory there is one; breadth first\n\
                 traces are as short as they can be."
            }
        };
        let _ = writeln!(out, "\nThere is no trace: {why}");
        return Ok(());
    };
    if style == Style::Off {
        return Ok(());
    }
    let failing = u64::from(matches!(finding.problem, Problem::RuleFault { .. }));
    let _ = writeln!(out, "\nTrace of {}:\n", plural(path.rules.len() as u64 + failing, "step"));
    let loop_from = finding.lasso.as_ref().map(|lasso| lasso.stem);
    let short = match style {
        Style::Short => slice(model, context, finding, path)?,
        Style::Differences | Style::Full | Style::Table | Style::Off => None,
    };
    if style == Style::Short && short.is_none() {
        let why = match model.dependencies() {
            None => "this verifier does not know what the error depends on; mcc interpret does",
            Some(_) => "the error depends on no value of a state",
        };
        let _ = writeln!(out, "{}\n", paint.dim(&format!("(all steps: {why})")));
    }
    let last = match (style, &short) {
        (_, Some(short)) => {
            write_slice(out, short, loop_from, page);
            short.end.clone()
        }
        (Style::Table, None) => write_table(out, model, context, path, loop_from, page)?,
        (Style::Differences | Style::Short | Style::Full | Style::Off, None) => {
            write_path(out, model, context, path, loop_from, style, page)?
        }
    };
    let steps = path.rules.len() as u64;
    let after = match steps {
        0 => "the start state".to_owned(),
        steps => format!("the state after step {}", grouped(steps)),
    };
    let what = match finding.problem {
        Problem::RuleFault { rule, in_guard, .. } => {
            let title = numbered(&grouped(steps + 1), &rule_title(model, rule, &last), page);
            let how = if in_guard { "its guard ends in the error" } else { "ends in the error" };
            let _ = writeln!(out, "\n{title}\n   {}", paint.red(how));
            format!("This is {after}")
        }
        Problem::Temporal { .. } => {
            let _ = write_end(out, finding, description);
            format!("This is {after}")
        }
        Problem::Deadlock | Problem::ClaimedDeadlock { .. } => format!("No rule changes {after}"),
        Problem::Violated { .. }
        | Problem::PropertyFault { .. }
        | Problem::StartFault { .. }
        | Problem::NeverCovered { .. } => format!("The error is in {after}"),
    };
    if let Some(short) = &short {
        let _ = writeln!(out, "\n{what}:");
        write_cells(out, &short.last, page);
        if let Some(text) = left_out(short) {
            let _ = writeln!(out, "\n{}", paint.dim(&text));
        }
        return Ok(());
    }
    // Where all states were written, or the first is the last, it stands above.
    if steps == 0 || style == Style::Full {
        let _ = writeln!(out, "\n{what}.");
    } else {
        let _ = writeln!(out, "\n{what}:");
        write_values(out, &variables(description, &last), page);
    }
    Ok(())
}

/// The parts of a condition that decide, with their values.
pub fn write_reasons(out: &mut dyn Write, paint: Paint, reasons: &[Reason]) {
    if reasons.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nWhy:");
    for Reason { depth, text, value } in reasons {
        let margin = " ".repeat(3 + 2 * depth);
        let (text, value) = (printable(text), printable(value));
        let _ = if value.is_empty() {
            writeln!(out, "{margin}{}", paint.bold(&text))
        } else {
            writeln!(out, "{margin}{text}   {}", paint.yellow(&value))
        };
    }
}

/// How a run goes on that breaks a property about runs, and why it counts.
pub(super) fn write_end(
    out: &mut dyn Write,
    finding: &Finding,
    description: &Description,
) -> std::io::Result<()> {
    let Some(Lasso { stem, fair }) = &finding.lasso else {
        return writeln!(out, "\nFrom this state it cannot be reached again.");
    };
    let steps = finding.path.as_ref().map_or(0, |path| path.rules.len());
    match steps.saturating_sub(*stem) as u64 {
        0 => writeln!(out, "\nThe run stays in this state for ever: no rule fires.")?,
        1 => writeln!(out, "\nThe last step is repeated for ever.")?,
        steps => writeln!(out, "\nThe last {} steps are repeated for ever.", grouped(steps))?,
    }
    for Treated { rule, strong, how } in fair {
        let (name, how_fair) = (rule_name(description, *rule), if *strong { "strongly" } else { "weakly" });
        let why = match how {
            Treatment::Fires(step) => format!("it fires in step {}", grouped(*step as u64 + 1)),
            Treatment::Disabled(0) => "it is not enabled in the start state".to_owned(),
            Treatment::Disabled(step) => format!("it is not enabled after step {}", grouped(*step as u64)),
            Treatment::NeverEnabled => "it is never enabled".to_owned(),
        };
        writeln!(out, "   {how_fair} fair to {name}: {why}")?;
    }
    Ok(())
}

/// Which rules fire in vain, so that nobody has to look for them, and what to do where the model
/// may end.
pub(super) fn write_deadlock(out: &mut dyn Write, model: &dyn Model, rules: &[RuleId], state: &[u64]) {
    let name = |rule: &RuleId| rule_title(model, *rule, state);
    let _ = match rules {
        [] => writeln!(out, "   no rule is enabled"),
        [rule] => writeln!(out, "   one rule is enabled, and changes nothing: {}", name(rule)),
        rules => {
            let names: Vec<String> = rules.iter().take(NAMED).map(name).collect();
            let others = match rules.len().saturating_sub(NAMED) as u64 {
                0 => String::new(),
                others => format!("; and {} more", grouped(others)),
            };
            let count = grouped(rules.len() as u64);
            writeln!(out, "   {count} rules are enabled, and change nothing: {}{others}", names.join("; "))
        }
    };
    let _ = writeln!(out, "   if the model may end like this: -ndl (--no-deadlock)");
}

/// The line of the model's text, with a mark under the column.
pub fn write_place(out: &mut dyn Write, description: &Description, paint: Paint, position: Position) {
    let Position { line, column } = position;
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let bar = paint.blue("|");
    let _ = writeln!(out, "{margin}{} {}:{line}:{column}", paint.blue("-->"), printable(description.name));
    let Some(text) = (line as usize).checked_sub(1).and_then(|at| description.source.lines().nth(at)) else {
        return;
    };
    // Tabs stay tabs, so that the mark stands under its column whatever their width.
    let before: String = text
        .chars()
        .take((column as usize).saturating_sub(1))
        .map(|character| if character == '\t' { '\t' } else { ' ' })
        .collect();
    let _ = writeln!(out, "{margin} {bar}\n{} {bar} {}", paint.blue(&number), printable(text));
    let _ = writeln!(out, "{margin} {bar} {before}{}", paint.red("^"));
}
