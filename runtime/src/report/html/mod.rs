//! The report as one page for a browser: self-contained, without the network, readable without
//! scripts.
//!
//! Scripts add a grid of variables and steps with a slider, filters and a search to what is there
//! without them: verdict, figures, each trace as a table of steps and changes, message sequence
//! charts, the model's text with how often each rule fired, and how to reproduce the run. All text
//! of the model goes through [`escape`].

pub(crate) mod escape;
mod growth;
mod plot;
mod source;
mod trace;

use super::document::Report;
use super::lanes::Wanted;
use super::progress::Sample;
use super::verdict::Verdict;
use crate::contract::coverage::PartKind;
use crate::contract::model::PropertyKind;
use crate::text::{bytes, grouped};
use escape::escape;
use std::io::{self, Write};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a page shows beside the report.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    pub wanted: &'a Wanted,
    pub samples: &'a [Sample],
}

/// Writes the page.
pub fn write(report: &Report<'_>, page: Page<'_>, out: &mut dyn Write) -> io::Result<()> {
    let judgement = &report.judgement;
    let (word, class) = match judgement.verdict {
        Verdict::Verified => ("verified", "good"),
        Verdict::Violated => ("violated", "bad"),
        Verdict::Inconclusive => ("inconclusive", "unsure"),
    };
    let title = report.model.title();
    let title = escape(&title);
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{word}: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><h1><span class=\"verdict {class}\">{word}</span> {title}</h1>\n"
    )?;
    let condition = judgement.condition.as_ref().map_or(String::new(), |text| format!(", {text}"));
    writeln!(out, "<p class=\"reason\">{}{}</p>", escape(&judgement.full_reason()), escape(&condition))?;
    if let Some(advice) = &judgement.advice {
        writeln!(out, "<p>Try: {}</p>", escape(advice))?;
    }
    write_figures(report, out)?;
    writeln!(
        out,
        "<nav><a href=\"#errors\">Errors</a> <a href=\"#rules\">Rules</a> <a href=\"#growth\">Growth</a> \
         <a href=\"#model\">Model</a> <a href=\"#run\">How to reproduce</a></nav></header>\n<main>"
    )?;
    trace::write_all(report, page.wanted, out)?;
    write_rules(report, out)?;
    growth::write(page.samples, report.locality, out)?;
    source::write(report, out)?;
    write_run(report, out)?;
    writeln!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>")
}

fn write_figures(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts;
    let rate = if report.seconds >= 0.1 {
        format!(", {} states/s", grouped((counts.states as f64 / report.seconds) as u64))
    } else {
        String::new()
    };
    let figures = [
        ("states", grouped(counts.states)),
        ("rules fired", grouped(counts.rules)),
        ("depth", grouped(u64::from(counts.depth.0))),
        ("time", format!("{:.2} s{rate}", report.seconds)),
        ("memory", bytes(report.memory_bytes)),
        ("bits per state", grouped(u64::from(report.bits_per_state))),
        ("search", report.search.to_owned()),
    ];
    writeln!(out, "<dl class=\"figures\">")?;
    for (name, value) in figures {
        writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value))?;
    }
    writeln!(out, "</dl>")?;
    for line in report.sections.iter().flat_map(|section| &section.lines) {
        writeln!(out, "<p class=\"note\">{}</p>", escape(line))?;
    }
    Ok(())
}

/// How often each rule fired, and what became of each property.
fn write_rules(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let most = report.rules.iter().map(|rule| rule.fired).max().unwrap_or(0).max(1);
    writeln!(
        out,
        "<section id=\"rules\"><h2>Rules and properties</h2>\n<div class=\"scroll\"><table>\
         <thead><tr><th>rule</th><th>line</th><th>instances</th><th>fired</th><th></th></tr></thead><tbody>"
    )?;
    for rule in &report.rules {
        let share = 100.0 * rule.fired as f64 / most as f64;
        let class = if rule.fired == 0 { " class=\"never\"" } else { "" };
        writeln!(
            out,
            "<tr{class}><td>{}</td><td><a href=\"#L{1}\">{1}</a></td><td class=\"n\">{2}</td>\
             <td class=\"n\">{3}</td><td class=\"bar\"><span style=\"width:{share:.1}%\"></span></td></tr>",
            escape(rule.name),
            rule.line,
            grouped(u64::from(rule.instances)),
            match rule.fired {
                0 if report.is_complete() => "never".to_owned(),
                fired => grouped(fired),
            }
        )?;
    }
    writeln!(out, "</tbody></table></div>")?;
    if !report.properties.is_empty() {
        let evaluated = if report.coverage.is_empty() { "" } else { "<th>evaluated</th>" };
        writeln!(
            out,
            "<div class=\"scroll\"><table><thead><tr><th>property</th><th>kind</th><th>line</th>\
             <th>status</th><th>reached</th>{evaluated}</tr></thead><tbody>"
        )?;
        for (number, property) in report.properties.iter().enumerate() {
            let status = property.status.word();
            writeln!(
                out,
                "<tr class=\"{status}\"><td>{}</td><td>{}</td><td><a href=\"#L{2}\">{2}</a></td>\
                 <td>{status}</td><td class=\"n\">{3}</td>{4}</tr>",
                escape(property.name),
                property.kind.word(),
                property.line,
                property.count.map_or(String::new(), grouped),
                evaluations(report, number)
            )?;
        }
        writeln!(out, "</tbody></table></div>")?;
    }
    writeln!(out, "</section>")
}

/// A cell with how often the condition of a property was evaluated: the first one that begins after
/// its head.
fn evaluations(report: &Report<'_>, property: usize) -> String {
    if report.coverage.is_empty() {
        return String::new();
    }
    let count = report.model.properties.get(property).and_then(|property| match property.kind {
        PropertyKind::Invariant | PropertyKind::Assume | PropertyKind::Cover | PropertyKind::Reject => {
            let mut conditions = report.coverage.iter().filter(|part| part.kind == PartKind::Property);
            conditions.find(|part| part.position >= property.position).map(|part| part.count)
        }
        PropertyKind::Deadlock | PropertyKind::Liveness | PropertyKind::Ltl | PropertyKind::Safety => None,
    });
    format!("<td class=\"n\">{}</td>", count.map_or(String::new(), grouped))
}

/// Options, constants and version.
fn write_run(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let model = report.model;
    writeln!(out, "<section id=\"run\"><h2>How to reproduce</h2>\n<dl class=\"run\">")?;
    let mut line = |name: &str, value: &str| {
        writeln!(out, "<dt>{}</dt><dd><code>{}</code></dd>", escape(name), escape(value))
    };
    line("model", &format!("{} ({:016x})", model.name, model.fingerprint))?;
    line("constants set", &model.constants_set().unwrap_or_else(|| "none".to_owned()))?;
    line("version", concat!("mcc-runtime ", env!("CARGO_PKG_VERSION")))?;
    for (name, value) in &report.options {
        let text = serde_json::to_string(value).unwrap_or_default();
        line(name, &text)?;
    }
    writeln!(out, "</dl></section>")
}
