//! The report as Markdown tables: what a person reads, and what the documents quote.

use crate::report::{Report, RunComparison, ToolReport};
use std::fmt::Write;

const NOTHING: &str = "–";

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_report(&mut text, report);
    text
}

fn write_report(text: &mut String, report: &Report) -> std::fmt::Result {
    let machine = &report.machine;
    writeln!(
        text,
        "{}, {} cores, {}; medians of {}; {} thread(s), no symmetry, no deadlock check, packed states.\n\
         Ratios are the peer's figure divided by that of mcc: above 1, mcc is ahead.\n",
        machine.processor, machine.cores, machine.system, report.repeat, report.threads
    )?;
    writeln!(
        text,
        "| model | tool | build s | × | verdict | states | rules | run s | states/s | rules/s | × | peak MB | × |"
    )?;
    writeln!(text, "|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for model in &report.models {
        for (index, tool) in model.tools.iter().enumerate() {
            let name = if index == 0 { model.model.as_str() } else { "" };
            write_row(text, name, tool)?;
        }
    }
    write_means(text, report)?;
    write_notes(text, report)
}

fn write_row(text: &mut String, model: &str, report: &ToolReport) -> std::fmt::Result {
    let build_ratio = ratio(report.comparison.as_ref().and_then(|comparison| comparison.build));
    let (speed, memory) = match report.comparison.as_ref().map(|comparison| comparison.run) {
        Some(RunComparison::Ratio { speed, memory }) => (ratio(Some(speed)), ratio(Some(memory))),
        Some(RunComparison::Differs) => ("differs".to_owned(), "differs".to_owned()),
        Some(RunComparison::Missing) | None => (String::new(), String::new()),
    };
    let build = report.build_seconds.map_or(NOTHING.to_owned(), seconds);
    let run = match &report.run {
        Some(run) => [
            format!("{:?}", run.verdict).to_lowercase(),
            run.states.to_string(),
            run.rules.to_string(),
            seconds(run.seconds),
            rate(run.states_per_second),
            rate(run.rules_per_second),
            speed,
            format!("{:.1}", run.peak_memory_bytes as f64 / 1e6),
            memory,
        ],
        None => std::array::from_fn(|_| NOTHING.to_owned()),
    };
    writeln!(text, "| {model} | {} | {build} | {build_ratio} | {} |", report.tool.label(), run.join(" | "))
}

fn write_means(text: &mut String, report: &Report) -> std::fmt::Result {
    if report.means.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n| peer | its runs | speed, geometric mean | least | memory, geometric mean |")?;
    writeln!(text, "|---|---|--:|--:|--:|")?;
    for mean in &report.means {
        writeln!(
            text,
            "| {} | {} of {} s and more | {} | {} | {} |",
            mean.peer.label(),
            mean.models,
            mean.floor_seconds,
            ratio(Some(mean.geometric_mean_speed)),
            ratio(Some(mean.least_speed)),
            ratio(Some(mean.geometric_mean_memory)),
        )?;
    }
    Ok(())
}

/// What a reader must know before trusting a row.
fn write_notes(text: &mut String, report: &Report) -> std::fmt::Result {
    let rows = report.models.iter().flat_map(|model| model.tools.iter().map(move |tool| (model, tool)));
    let mut notes = Vec::new();
    for (model, tool) in rows {
        let (name, label) = (&model.model, tool.tool.label());
        if let Some(why) = &tool.setback {
            notes.push(format!("- {name}, {label}: {why}"));
        }
        if tool.run.as_ref().is_some_and(|run| run.disturbed()) {
            notes.push(format!("- {name}, {label}: shared the processor with other work; measure again"));
        }
    }
    if !notes.is_empty() {
        writeln!(text, "\n{}", notes.join("\n"))?;
    }
    Ok(())
}

fn ratio(value: Option<f64>) -> String {
    match value {
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.2}"),
        None => String::new(),
    }
}

fn seconds(value: f64) -> String {
    if value < 1.0 { format!("{value:.3}") } else { format!("{value:.2}") }
}

/// A rate in the shortest form that keeps three digits: `812`, `15.3k`, `29.5M`.
pub fn rate(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    match scaled {
        s if s >= 100.0 => format!("{s:.0}{unit}"),
        s if s >= 10.0 => format!("{s:.1}{unit}"),
        s => format!("{s:.2}{unit}"),
    }
}
