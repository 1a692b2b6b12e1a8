//! The errors of a page: what is wrong, the trace as a table, its data for the grid, its chart.

use super::escape::{escape, script};
use crate::contract::model::Model;
use crate::contract::problem::{Finding, Path, Problem};
use crate::contract::values::instance;
use crate::report::counterexample::changes::{Change, ChangeKind, cells};
use crate::report::counterexample::{Step, each_step, rule_title, words};
use crate::report::document::{Findings, Report};
use crate::report::finding::{write_deadlock, write_end};
use crate::report::lanes::{Collector, Wanted, drawing};
use crate::text::{grouped, plural};
use crate::trace::{TraceError, end_state, unchanging_rules};
use serde::Serialize;
use std::io::{self, Write};

/// Errors that have a trace on the page; the others are listed.
const TRACED: usize = 20;
/// Steps of a trace that are shown: the last ones.
const STEPS: usize = 5_000;
/// A chart of more steps is not drawn.
const CHARTED: usize = 400;

/// What the grid needs: the first state, and what each step changes in it.
#[derive(Serialize)]
struct Data {
    names: Vec<String>,
    start: Vec<String>,
    steps: Vec<StepData>,
    processes: Vec<String>,
    /// The number of the first state that is shown.
    first: usize,
    /// The number of the state in which the loop begins, of a run that does not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    loops: Option<usize>,
    /// The rule that ends in the error, where that is how the trace ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing: Option<FailingStep>,
}

#[derive(Serialize)]
struct FailingStep {
    title: String,
    line: u32,
}

#[derive(Serialize)]
struct StepData {
    title: String,
    line: u32,
    processes: Vec<String>,
    /// The number of a value, and what it becomes.
    changes: Vec<(usize, String)>,
}

pub(super) fn write_all(report: &Report<'_>, wanted: &Wanted, out: &mut dyn Write) -> io::Result<()> {
    let kept = report.findings.kept;
    writeln!(out, "<section id=\"errors\"><h2>Errors</h2>")?;
    if kept.is_empty() {
        writeln!(out, "<p>None was found.</p>")?;
    }
    for (at, finding) in kept.iter().enumerate() {
        write_one(report, finding, at, wanted, out)?;
    }
    if report.errors_not_kept > 0 {
        writeln!(out, "<p>{} counted, but not kept.</p>", plural(report.errors_not_kept, "error"))?;
    }
    writeln!(out, "</section>")
}

fn write_one(
    report: &Report<'_>,
    finding: &Finding,
    at: usize,
    wanted: &Wanted,
    out: &mut dyn Write,
) -> io::Result<()> {
    let description = report.model;
    let (number, message) = (at + 1, finding.problem.message(description));
    writeln!(out, "<article class=\"error\" id=\"error-{number}\"><h3>{}</h3>", escape(&message))?;
    if let Some(position) = finding.problem.position(description) {
        let text = description.source.lines().nth(position.line.saturating_sub(1) as usize).unwrap_or("");
        writeln!(
            out,
            "<p><a href=\"#L{0}\">{1}:{0}:{2}</a> <code>{3}</code></p>",
            position.line,
            escape(description.name),
            position.column,
            escape(text.trim())
        )?;
    }
    let Some(path) = finding.path.as_ref().filter(|_| at < TRACED) else {
        let why = if finding.path.is_some() { "Its trace is left out here." } else { "It has no trace." };
        return writeln!(out, "<p class=\"note\">{why}</p></article>");
    };
    write_reasons(report.findings, finding, path, out)?;
    write_trace(report.findings, finding, path, at, wanted, out)?;
    writeln!(out, "</article>")
}

fn broken(error: TraceError) -> io::Error {
    io::Error::other(error.to_string())
}

fn write_reasons(
    findings: Findings<'_>,
    finding: &Finding,
    path: &Path,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Findings { model, context, .. } = findings;
    let mut state = end_state(model, context, path).map_err(broken)?;
    let reasons = match finding.problem {
        Problem::Violated { property } => model.explain(context, property, &mut state),
        Problem::Deadlock | Problem::ClaimedDeadlock { .. } => {
            let rules = unchanging_rules(model, context, path).map_err(broken)?;
            return write_lines(out, |text| write_deadlock(text, model, &rules, &state));
        }
        Problem::Temporal { .. } => {
            return write_lines(out, |text| drop(write_end(text, finding, model.description())));
        }
        Problem::RuleFault { .. }
        | Problem::PropertyFault { .. }
        | Problem::StartFault { .. }
        | Problem::NeverCovered { .. } => return Ok(()),
    };
    if reasons.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h4>Why</h4><ul class=\"why\">")?;
    for reason in reasons {
        writeln!(
            out,
            "<li style=\"margin-left:{}em\"><code>{}</code> <b{}>{}</b></li>",
            reason.depth,
            escape(&reason.text),
            if reason.value.starts_with("false") { " class=\"false\"" } else { "" },
            escape(&reason.value)
        )?;
    }
    writeln!(out, "</ul>")
}

/// What a terminal says, line by line.
fn write_lines(out: &mut dyn Write, write: impl FnOnce(&mut dyn Write)) -> io::Result<()> {
    let mut text = Vec::new();
    write(&mut text);
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.try_for_each(|line| writeln!(out, "<p class=\"because\">{}</p>", escape(line)))
}

/// A value that changes, as text, for people.
fn change_markup(Change { path, kind }: &Change) -> String {
    let path = escape(path);
    match kind {
        ChangeKind::Changed { old, new } => {
            format!("<li><code>{path}</code> <del>{}</del> → <ins>{}</ins></li>", escape(old), escape(new))
        }
        ChangeKind::Added(value) => {
            format!("<li><code>{path}</code> <ins>+ {}</ins></li>", escape(&words::compact(value)))
        }
        ChangeKind::Removed(value) => {
            format!("<li><code>{path}</code> <del>− {}</del></li>", escape(&words::compact(value)))
        }
    }
}

fn write_trace(
    findings: Findings<'_>,
    finding: &Finding,
    path: &Path,
    at: usize,
    wanted: &Wanted,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Findings { model, context, .. } = findings;
    let description = model.description();
    let first = path.rules.len().saturating_sub(STEPS);
    let mut collector = Collector::new(description, model.choices(), wanted);
    let mut data = Data {
        names: Vec::new(),
        start: Vec::new(),
        steps: Vec::new(),
        processes: Vec::new(),
        first,
        loops: finding.lasso.as_ref().map(|lasso| lasso.stem),
        failing: None,
    };
    let mut rows: Vec<String> = Vec::new();
    let mut values: Vec<String> = Vec::new();
    let last = each_step(model, context, path, |step| {
        if step.number < first {
            return;
        }
        let (names, now): (Vec<String>, Vec<String>) = cells(step.after).into_iter().unzip();
        if step.number == first {
            (data.names, data.start) = (names, now.clone());
            rows.push(start_row(step, &data, path.rules.len() == first));
            collector.begin(step.after);
        } else {
            let changed = now.iter().zip(&values).enumerate().filter(|(_, (new, old))| new != old);
            data.steps.push(StepData {
                title: step.title.clone(),
                line: step.instance.map_or(0, |found| found.family.position.line),
                processes: Vec::new(),
                changes: changed.map(|(number, (new, _))| (number, new.clone())).collect(),
            });
            rows.push(step_row(step, finding));
            collector.add(step);
        }
        values = now;
    })
    .map_err(broken)?;
    let ty = collector.lane_type();
    for (step, processes) in data.steps.iter_mut().zip(collector.processes(ty.map(|ty| ty.name))) {
        for process in &processes {
            if !data.processes.contains(process) {
                data.processes.push(process.clone());
            }
        }
        step.processes = processes;
    }
    if let Problem::RuleFault { rule, .. } = finding.problem
        && let Some(failing) = instance(description.rules, rule.0)
    {
        let title = rule_title(model, rule, &last);
        collector.fail(path.rules.len() + 1, &failing, &title);
        data.failing = Some(FailingStep { title, line: failing.family.position.line });
    }
    let steps = path.rules.len() as u64;
    let failing = u64::from(matches!(finding.problem, Problem::RuleFault { .. }));
    writeln!(out, "<h4>Trace of {}</h4>", plural(steps + failing, "step"))?;
    if first > 0 {
        let left_out = plural(first as u64, "step");
        writeln!(out, "<p class=\"note\">The first {left_out} are left out here; --json has all.</p>")?;
    }
    let json = serde_json::to_string(&data).map_err(io::Error::other)?;
    writeln!(
        out,
        "<div class=\"player\" data-error=\"{0}\" hidden></div>\n\
         <script type=\"application/json\" id=\"trace-{0}\">{1}</script>",
        at + 1,
        script(&json)
    )?;
    writeln!(
        out,
        "<div class=\"scroll\"><table class=\"steps\"><thead><tr><th>step</th><th>rule</th><th>what changes</th>\
         </tr></thead><tbody>"
    )?;
    for row in &rows {
        writeln!(out, "{row}")?;
    }
    write_last_row(model, finding, &last, steps, out)?;
    writeln!(out, "</tbody></table></div>")?;
    write_chart(&collector, out)
}

/// The first state; with all its values to be seen if it is the `only` one.
fn start_row(step: &Step<'_>, data: &Data, only: bool) -> String {
    let number = if step.number == 0 { "start".to_owned() } else { grouped(step.number as u64) };
    let values = data
        .names
        .iter()
        .zip(&data.start)
        .map(|(name, value)| format!("<li><code>{}</code> {}</li>", escape(name), escape(value)));
    let values: String = values.collect();
    format!(
        "<tr data-step=\"{}\"><td class=\"n\">{number}</td><td>{}</td><td><details{}><summary>{}</summary><ul>{values}</ul></details></td></tr>",
        step.number,
        escape(&step.title),
        if only { " open" } else { "" },
        plural(data.names.len() as u64, "value")
    )
}

fn step_row(step: &Step<'_>, finding: &Finding) -> String {
    let begins = finding.lasso.as_ref().is_some_and(|lasso| lasso.stem + 1 == step.number);
    let mark =
        if begins { "<tr class=\"loop\"><td colspan=\"3\">The loop begins here.</td></tr>" } else { "" };
    let changes: String = step.changes.iter().map(change_markup).collect();
    format!(
        "{mark}<tr data-step=\"{0}\"><td class=\"n\">{1}</td><td>{2}</td><td><ul>{changes}</ul></td></tr>",
        step.number,
        grouped(step.number as u64),
        escape(&step.title)
    )
}

/// How the trace ends, where that is no state.
fn write_last_row(
    model: &dyn Model,
    finding: &Finding,
    last: &[u64],
    steps: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    match finding.problem {
        Problem::RuleFault { rule, .. } => writeln!(
            out,
            "<tr class=\"wrong\"><td class=\"n\">{}</td><td>{}</td><td>ends in the error</td></tr>",
            grouped(steps + 1),
            escape(&rule_title(model, rule, last))
        ),
        Problem::Temporal { .. } if finding.lasso.is_some() => {
            writeln!(out, "<tr class=\"loop\"><td colspan=\"3\">From here on the loop is repeated.</td></tr>")
        }
        Problem::Deadlock
        | Problem::ClaimedDeadlock { .. }
        | Problem::Temporal { .. }
        | Problem::Violated { .. }
        | Problem::PropertyFault { .. }
        | Problem::StartFault { .. }
        | Problem::NeverCovered { .. } => Ok(()),
    }
}

fn write_chart(collector: &Collector<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(chart) = collector.chart() else { return Ok(()) };
    if chart.lanes.len() < 2 || chart.actions.len() > CHARTED {
        return Ok(());
    }
    writeln!(
        out,
        "<h4>Who does what</h4><p class=\"note\">Processes and messages are guessed from the types; \
         --lanes TYPE and --messages VARIABLE choose others.</p><div class=\"scroll\">{}</div>",
        drawing::draw(&chart)
    )
}
