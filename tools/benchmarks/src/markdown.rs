//! The report as Markdown tables: what a person reads, and what the documents quote.

use crate::report::{Report, RunComparison, RunReport, ToolReport};
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
        "{}, {} cores, {}; medians of {}; packed states, no deadlock check, symmetry reduction only where it says so.\n\
         Ratios (×) are the peer's figure divided by that of mcc on as many threads: above 1, mcc is ahead.\n",
        machine.processor, machine.cores, machine.system, report.repeat
    )?;
    write_models(text, report)?;
    write_means(text, report)?;
    write_speed_ups(text, report)?;
    write_growth(text, report)?;
    write_notes(text, report)
}

/// The columns of the main table, and which of them are numbers.
const COLUMNS: [(&str, bool); 16] = [
    ("model", false),
    ("tool", false),
    ("threads", true),
    ("build s", true),
    ("×", true),
    ("verdict", false),
    ("states", true),
    ("rules", true),
    ("run s", true),
    ("states/s", true),
    ("rules/s", true),
    ("×", true),
    (SPEED_UP, true),
    ("peak MB", true),
    ("bytes/state", true),
    ("×", true),
];
/// The column that is there only if there are several numbers of threads.
const SPEED_UP: &str = "speed-up";

fn write_models(text: &mut String, report: &Report) -> std::fmt::Result {
    let shown = |column: &(&str, bool)| column.0 != SPEED_UP || report.threads.len() > 1;
    let columns = || COLUMNS.iter().filter(|column| shown(column));
    let titles: Vec<&str> = columns().map(|column| column.0).collect();
    let rules: Vec<&str> = columns().map(|column| if column.1 { "--:" } else { "---" }).collect();
    writeln!(text, "| {} |\n|{}|", titles.join(" | "), rules.join("|"))?;
    for model in &report.models {
        for (index, tool) in model.tools.iter().enumerate() {
            let name = if index == 0 { model.model.as_str() } else { "" };
            let row = row(name, tool);
            let cells: Vec<&str> = row
                .iter()
                .zip(&COLUMNS)
                .filter(|(_, column)| shown(column))
                .map(|(cell, _)| cell.as_str())
                .collect();
            writeln!(text, "| {} |", cells.join(" | "))?;
        }
    }
    Ok(())
}

fn row(model: &str, report: &ToolReport) -> [String; COLUMNS.len()] {
    let comparison = report.comparison.as_ref();
    let build_ratio = ratio(comparison.and_then(|comparison| comparison.build));
    let (speed, memory) = ratios(comparison.map(|comparison| comparison.run));
    let (speed_up, _) = ratios(report.speed_up);
    let of = |figure: fn(&RunReport) -> String| report.run.as_ref().map_or(NOTHING.to_owned(), figure);
    [
        model.to_owned(),
        report.tool.label().to_owned(),
        report.threads.to_string(),
        report.build_seconds.map_or(NOTHING.to_owned(), seconds),
        build_ratio,
        of(|run| format!("{:?}", run.verdict).to_lowercase()),
        of(|run| run.states.to_string()),
        of(|run| run.rules.to_string()),
        of(|run| seconds(run.seconds)),
        of(|run| rate(run.states_per_second)),
        of(|run| rate(run.rules_per_second)),
        speed,
        speed_up,
        of(|run| format!("{:.1}", run.peak_memory_bytes as f64 / 1e6)),
        of(|run| rate(run.bytes_per_state)),
        memory,
    ]
}

/// Of speed and memory, in words where there are none.
fn ratios(comparison: Option<RunComparison>) -> (String, String) {
    match comparison {
        Some(RunComparison::Ratio { speed, memory }) => (ratio(Some(speed)), ratio(Some(memory))),
        Some(RunComparison::Differs) => ("differs".to_owned(), "differs".to_owned()),
        Some(RunComparison::Missing) | None => (String::new(), String::new()),
    }
}

fn write_means(text: &mut String, report: &Report) -> std::fmt::Result {
    if report.means.is_empty() {
        return Ok(());
    }
    writeln!(
        text,
        "\n| peer | threads | its runs | speed, geometric mean | least | memory, geometric mean |"
    )?;
    writeln!(text, "|---|--:|---|--:|--:|--:|")?;
    for mean in &report.means {
        writeln!(
            text,
            "| {} | {} | {} of {} s and more | {} | {} | {} |",
            mean.peer.label(),
            mean.threads,
            mean.models,
            mean.floor_seconds,
            ratio(Some(mean.geometric_mean_speed)),
            ratio(Some(mean.least_speed)),
            ratio(Some(mean.geometric_mean_memory)),
        )?;
    }
    Ok(())
}

fn write_speed_ups(text: &mut String, report: &Report) -> std::fmt::Result {
    if report.speed_ups.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n| tool | threads | its runs | speed-up, geometric mean | least |")?;
    writeln!(text, "|---|---|---|--:|--:|")?;
    for speed_up in &report.speed_ups {
        writeln!(
            text,
            "| {} | {} against {} | {} of {} states and more | {} | {} |",
            speed_up.tool.label(),
            speed_up.threads,
            speed_up.fewest_threads,
            speed_up.models,
            speed_up.least_states,
            ratio(Some(speed_up.geometric_mean)),
            ratio(Some(speed_up.least)),
        )?;
    }
    Ok(())
}

fn write_growth(text: &mut String, report: &Report) -> std::fmt::Result {
    if report.growth.is_empty() {
        return Ok(());
    }
    writeln!(
        text,
        "\n| growth of | tool | threads | size | states | ns/state | growth | rules/s | bytes/state |"
    )?;
    writeln!(text, "|---|---|--:|---|--:|--:|--:|--:|--:|")?;
    for growth in &report.growth {
        for size in &growth.sizes {
            writeln!(
                text,
                "| {} | {} | {} | {} | {} | {:.0} | {} | {} | {} |",
                growth.model,
                growth.tool.label(),
                growth.threads,
                size.size,
                size.states,
                size.nanoseconds_per_state,
                ratio(Some(size.growth)),
                rate(size.rules_per_second),
                rate(size.bytes_per_state),
            )?;
        }
    }
    Ok(())
}

/// What a reader must know before trusting a row.
fn write_notes(text: &mut String, report: &Report) -> std::fmt::Result {
    let rows = report.models.iter().flat_map(|model| model.tools.iter().map(move |tool| (model, tool)));
    let mut notes = Vec::new();
    for (model, tool) in rows {
        let (name, label) = (&model.model, tool.label());
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
