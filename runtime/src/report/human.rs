//! The report for people: errors as they are found, then the summary.

use super::console::Paint;
use super::counterexample::changes::changes;
use super::counterexample::rule_title;
use super::counterexample::text::{Page, numbered, write_changes, write_values};
use super::document::Report;
use super::figures::RuleStats;
use super::finding::write_finding;
use super::locality::write_locality;
use super::progress::{Progress, Samples};
use super::undefined;
use super::verdict::Verdict;
use super::why_cut::checkpoint_failed;
use crate::contract::context::Context;
use crate::contract::model::{Model, RuleId};
use crate::contract::print::{Style, write_state};
use crate::contract::problem::Finding;
use crate::contract::values::variables;
use crate::search::{CheckpointFailed, Counts, Ending, Observer};
use crate::text::{bytes, grouped, plural, printable};
use crate::trace::TraceError;
use std::io::{BufWriter, Write};

/// Rules that are named where there are many.
const NAMED: usize = 5;

fn quoted(rule: &RuleStats) -> String {
    format!("\"{}\" (line {})", printable(rule.name), rule.line)
}

/// States for each second, where the search took long enough to say so.
fn rate(states: u64, seconds: f64) -> String {
    if seconds >= 0.1 {
        format!(" ({} states/s)", grouped((states as f64 / seconds) as u64))
    } else {
        String::new()
    }
}

/// Writes what the user sees.
pub struct Human<'a> {
    pub model: &'a dyn Model,
    /// For replaying traces.
    pub context: Context,
    pub out: &'a mut dyn Write,
    pub paint: Paint,
    /// Columns of a line.
    pub width: usize,
    pub progress: Progress,
    /// How the search grew.
    pub samples: Samples,
    pub style: Style,
    /// Nothing but the verdict.
    pub quiet: bool,
    /// Print each step of a random walk.
    pub verbose: bool,
    /// Steps of a random walk that were printed.
    pub walked: u64,
    /// A trace that could not be replayed.
    pub broken: Option<TraceError>,
}

impl Observer for Human<'_> {
    fn progress(&mut self, counts: &Counts) {
        self.samples.add(self.progress.seconds(), counts);
        self.progress.tell(self.out, counts);
    }

    fn resumed(&mut self, counts: &Counts, seconds: f64) {
        self.progress.resume(counts, seconds);
    }

    fn checkpoint_failed(&mut self, failed: &CheckpointFailed<'_>) {
        self.warned(&checkpoint_failed(failed));
    }

    fn warned(&mut self, warning: &str) {
        if self.quiet {
            return;
        }
        let (out, paint) = (&mut *self.out, self.paint.yellow("warning:"));
        self.progress.suspend(|| {
            let _ = writeln!(out, "{paint} {}", printable(warning));
            let _ = out.flush();
        });
    }

    fn workers(&mut self, notice: &str, count: usize) {
        self.progress.set_workers(count);
        if self.quiet {
            return;
        }
        let out = &mut *self.out;
        self.progress.suspend(|| {
            let _ = writeln!(out, "{}", printable(notice));
            let _ = out.flush();
        });
    }

    fn profiled(&mut self, states: u64, all: u64) {
        self.progress.tell_share(self.out, "locality", states, all);
    }

    fn checked_runs(&mut self, states: u64, all: u64) {
        self.progress.tell_share(self.out, "runs", states, all);
    }

    fn found(&mut self, finding: &Finding) {
        if self.quiet {
            return;
        }
        let page = self.page();
        let Human { model, context, style, .. } = self;
        let mut out = BufWriter::new(&mut *self.out);
        // As it is replayed: a trace may be longer than what fits into memory as text.
        let written = self.progress.suspend(|| {
            let written = write_finding(&mut out, *model, context, page, *style, finding);
            let _ = out.flush();
            written
        });
        if let Err(broken) = written {
            self.broken = Some(broken);
        }
    }

    fn shortened(&mut self, from: u64, to: u64) {
        if self.quiet {
            return;
        }
        let (from, to, out) = (plural(from, "step"), grouped(to), &mut *self.out);
        self.progress.suspend(|| {
            let _ = writeln!(
                out,
                "\nThe walk of {from} was shortened to {to} by replaying it without the others."
            );
        });
    }

    fn state(&mut self, state: &[u64], number: u64, predecessor: Option<u64>) {
        let _ = match predecessor {
            Some(predecessor) => writeln!(self.out, "State {number}, from state {predecessor}:"),
            None => writeln!(self.out, "State {number}, a start state:"),
        };
        write_state(self.out, self.model.description(), state);
        let _ = writeln!(self.out);
    }

    fn step(&mut self, rule: RuleId, before: &[u64], after: &[u64]) {
        if !self.verbose || self.quiet {
            return;
        }
        self.walked += 1;
        let page = self.page();
        let title = numbered(&grouped(self.walked), &rule_title(self.model, rule, before), page);
        let _ = writeln!(self.out, "\n{title}");
        let description = self.model.description();
        let after = variables(description, after);
        match self.style {
            Style::Differences | Style::Short | Style::Table => {
                write_changes(self.out, &changes(&variables(description, before), &after), page);
            }
            Style::Full => write_values(self.out, &after, page),
            Style::Off => {}
        }
    }
}

impl Human<'_> {
    fn page(&self) -> Page {
        Page { paint: self.paint, width: self.width }
    }

    /// What is going to be done.
    pub fn write_heading(&mut self, lines: &[String]) {
        if self.quiet {
            return;
        }
        for line in lines {
            let _ = writeln!(self.out, "{line}");
        }
        let _ = self.out.flush();
    }

    /// The end of the report.
    pub fn write_summary(&mut self, report: &Report<'_>, statistics: bool) {
        self.progress.finish();
        let judgement = &report.judgement;
        let word = judgement.verdict.word();
        let word = match judgement.verdict {
            Verdict::Verified => self.paint.green(word),
            Verdict::Violated => self.paint.red(word),
            Verdict::Inconclusive => self.paint.yellow(word),
        };
        if !self.quiet {
            self.write_covers(report);
            if statistics {
                self.write_rules(report);
            }
            let _ = writeln!(self.out);
        }
        if let Ending::Asymmetric(text) = report.ending {
            let _ = writeln!(self.out, "{text}");
        }
        let condition =
            judgement.condition.as_ref().map_or(String::new(), |condition| format!(", {condition}"));
        let _ = writeln!(self.out, "{word}{condition}: {}", judgement.reason);
        if !self.quiet {
            self.write_counts(report);
            self.write_coverage(report);
            self.write_features(report);
            self.write_notes(report);
        }
        let _ = self.out.flush();
    }

    fn write_counts(&mut self, report: &Report<'_>) {
        let Report { counts, seconds, bits_per_state, memory_bytes, .. } = report;
        let _ = writeln!(
            self.out,
            "\t{}, {} fired in {seconds:.2}s{}, depth {}, {} per state, {}",
            plural(counts.states, "state"),
            plural(counts.rules, "rule"),
            rate(counts.states, *seconds),
            grouped(u64::from(counts.depth.0)),
            plural(u64::from(*bits_per_state), "bit"),
            bytes(*memory_bytes)
        );
    }

    /// What only some searches have.
    fn write_features(&mut self, report: &Report<'_>) {
        for line in report.sections.iter().flat_map(|section| &section.lines) {
            let _ = writeln!(self.out, "\t{line}");
        }
        if let Some(locality) = report.locality {
            write_locality(self.out, self.paint, locality);
        }
    }

    /// What to know about the figures above, and what to do next.
    fn write_notes(&mut self, report: &Report<'_>) {
        let warning = self.paint.yellow("warning:");
        if report.states_unreduced > 0 {
            let _ = writeln!(
                self.out,
                "{warning} {} defied symmetry reduction, so some may be counted more than once; the verdict is not \
                 affected. Elements that are told apart by more than their links to each other would help",
                plural(report.states_unreduced, "successor")
            );
        }
        if let Some(line) = undefined::summary(report.model, &report.undefined_comparisons) {
            let _ = writeln!(self.out, "\t{line}");
        }
        if report.errors_not_kept > 0 {
            let more = plural(report.errors_not_kept, "error");
            let again = if report.errors_repeated { ", perhaps some of them more than once" } else { "" };
            let _ = writeln!(
                self.out,
                "\t{more} counted{again}, but not kept: errors may take an eighth of --memory"
            );
        }
        if report.counts.queue > 0 {
            let _ = writeln!(self.out, "\t{} not expanded", plural(report.counts.queue, "state"));
        }
        if let Some(advice) = &report.judgement.advice {
            let _ = writeln!(self.out, "\ttry: {advice}");
        }
        let idle: Vec<&RuleStats> = report.rules.iter().filter(|rule| rule.fired == 0).collect();
        // A search that was cut off says nothing about the rules that it did not come to.
        if !idle.is_empty() && report.is_complete() {
            let names: Vec<String> = idle.iter().take(NAMED).map(|rule| quoted(rule)).collect();
            let more = match idle.len().saturating_sub(NAMED) as u64 {
                0 => String::new(),
                more => format!(" and {} more (-pr lists them)", grouped(more)),
            };
            let count = plural(idle.len() as u64, "rule");
            let _ = writeln!(self.out, "{warning} {count} never fired: {}{more}", names.join(", "));
        }
    }

    /// How many of the rules as written fired.
    fn write_coverage(&mut self, report: &Report<'_>) {
        let all = report.rules.len();
        let fired = report.rules.iter().filter(|rule| rule.fired > 0).count();
        let so_far = if report.is_complete() { "" } else { " so far" };
        let _ = match all - fired {
            _ if all == 0 => Ok(()),
            0 => writeln!(self.out, "\tevery rule of the text fired"),
            _ => writeln!(self.out, "\t{fired} of {all} rules of the text fired{so_far}"),
        };
    }

    fn write_covers(&mut self, report: &Report<'_>) {
        let covers = report.properties.iter().filter_map(|property| Some((property.name, property.count?)));
        for (at, (name, count)) in covers.enumerate() {
            if at == 0 {
                let _ = writeln!(self.out);
            }
            let name = printable(name);
            let _ = writeln!(self.out, "cover \"{name}\": reached {}", plural(count, "time"));
        }
    }

    fn write_rules(&mut self, report: &Report<'_>) {
        let _ = writeln!(self.out, "\nRules fired:");
        for RuleStats { name, line, fired, .. } in &report.rules {
            let note = match fired {
                0 if report.is_complete() => self.paint.yellow("  (never: is its guard ever true?)"),
                0 => "  (not yet)".to_owned(),
                _ => String::new(),
            };
            let name = printable(name);
            let _ = writeln!(self.out, "\t{:>14}  \"{name}\" (line {line}){note}", grouped(*fired));
        }
    }
}
