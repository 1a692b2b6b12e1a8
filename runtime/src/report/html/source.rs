//! The model's text, with how often each rule fired beside its first line.

use super::escape::escape;
use crate::report::document::Report;
use crate::text::grouped;
use std::collections::BTreeMap;
use std::io::{self, Write};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut fired: BTreeMap<u32, (u64, bool)> = BTreeMap::new();
    for rule in &report.rules {
        let entry = fired.entry(rule.line).or_insert((0, false));
        *entry = (entry.0 + rule.fired, entry.1 || rule.fired == 0);
    }
    // Of several parts in a line the one that ran least often.
    let mut least: BTreeMap<u32, u64> = BTreeMap::new();
    for part in report.coverage {
        let count = least.entry(part.position.line).or_insert(part.count);
        *count = part.count.min(*count);
    }
    let description = report.model;
    let wrong: Vec<u32> = report
        .findings
        .kept
        .iter()
        .filter_map(|finding| finding.problem.position(description))
        .map(|position| position.line)
        .collect();
    writeln!(
        out,
        "<section id=\"model\"><h2>{}</h2>\n<p class=\"note\">The number beside the first line of a rule is \
         how often it fired{}.</p>\n<div class=\"scroll\"><table class=\"source\"><tbody>",
        escape(description.name),
        if report.coverage.is_empty() {
            "; --coverage counts every line"
        } else {
            ", beside other lines how often they were evaluated"
        }
    )?;
    for (at, line) in description.source.lines().enumerate() {
        let number = at as u32 + 1;
        let (count, never) = match (fired.get(&number), least.get(&number)) {
            (Some((count, never)), _) => (grouped(*count), *never),
            (None, Some(count)) => (grouped(*count), *count == 0),
            (None, None) => (String::new(), false),
        };
        let class = match (wrong.contains(&number), never) {
            (true, _) => " class=\"wrong\"",
            (false, true) => " class=\"never\"",
            (false, false) => "",
        };
        let line = escape(line);
        writeln!(
            out,
            "<tr id=\"L{number}\"{class}><td class=\"n\">{count}</td><td class=\"n\">{number}</td><td><code>{line}</code></td></tr>"
        )?;
    }
    writeln!(out, "</tbody></table></div></section>")
}
