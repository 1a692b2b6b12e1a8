//! An error as people see it: what it is, where in the model, and the trace to it.

use super::console::Paint;
use crate::contract::context::Context;
use crate::contract::model::{Description, Model, Position, RuleId};
use crate::contract::print::{Style, rule_name, start_name};
use crate::contract::problem::{Finding, Lasso, Problem, Treated, Treatment, Untraced};
use crate::text::{grouped, plural, printable};
use crate::trace::print::write_path;
use crate::trace::{TraceError, unchanging_rules};
use std::io::Write;

/// Rules that are named where there are many.
const NAMED: usize = 5;

/// An error with its place in the model's text and its trace.
pub fn write_finding(
    out: &mut dyn Write,
    model: &dyn Model,
    context: &Context,
    paint: Paint,
    style: Style,
    finding: &Finding,
) -> Result<(), TraceError> {
    let description = model.description();
    let _ = writeln!(out, "\n{} {}", paint.red("Error:"), printable(&finding.problem.message(description)));
    if let Some(position) = finding.problem.position(description) {
        write_place(out, description, paint, position);
    }
    match finding.problem {
        Problem::RuleFault { rule, in_guard, .. } => {
            let part = if in_guard { "in the guard of " } else { "in " };
            let _ = writeln!(out, "   {part}{}", rule_name(description, rule));
        }
        Problem::StartFault { start, .. } => {
            let _ = writeln!(out, "   in {}", start_name(description, start));
        }
        Problem::Deadlock | Problem::ClaimedDeadlock { .. } => {
            let rules = match &finding.path {
                Some(path) => unchanging_rules(model, context, path)?,
                None => Vec::new(),
            };
            write_deadlock(out, description, &rules);
        }
        Problem::Violated { .. }
        | Problem::PropertyFault { .. }
        | Problem::Temporal { .. }
        | Problem::NeverCovered { .. } => {}
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
    write_path(out, model, context, path, finding.lasso.as_ref().map(|lasso| lasso.stem), style)?;
    let _ = match finding.problem {
        Problem::RuleFault { rule, in_guard: false, .. } => {
            writeln!(out, "\n{} ends in the error.", rule_name(description, rule))
        }
        Problem::RuleFault { rule, in_guard: true, .. } => {
            writeln!(out, "\nThe guard of {} ends in the error.", rule_name(description, rule))
        }
        Problem::Temporal { .. } => write_end(out, finding, description),
        Problem::Deadlock | Problem::ClaimedDeadlock { .. } => writeln!(out, "\nNo rule changes this state."),
        Problem::Violated { .. }
        | Problem::PropertyFault { .. }
        | Problem::StartFault { .. }
        | Problem::NeverCovered { .. } => writeln!(out, "\nThe error is in this state."),
    };
    Ok(())
}

/// How a run goes on that breaks a property about runs, and why it counts.
fn write_end(out: &mut dyn Write, finding: &Finding, description: &Description) -> std::io::Result<()> {
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
fn write_deadlock(out: &mut dyn Write, description: &Description, rules: &[RuleId]) {
    let _ = match rules {
        [] => writeln!(out, "   no rule fires"),
        [rule] => writeln!(out, "   {} fires and changes nothing", rule_name(description, *rule)),
        rules => {
            let names: Vec<String> =
                rules.iter().take(NAMED).map(|&rule| rule_name(description, rule)).collect();
            let others = match rules.len().saturating_sub(NAMED) as u64 {
                0 => String::new(),
                others => format!("; and {} more", grouped(others)),
            };
            let count = grouped(rules.len() as u64);
            writeln!(out, "   {count} rules fire and change nothing: {}{others}", names.join("; "))
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
