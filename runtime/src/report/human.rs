//! The report for people: errors as they are found, then the summary.

use super::console::Paint;
use super::document::Report;
use super::figures::RuleStats;
use super::finding::write_finding;
use super::locality::write_locality;
use super::progress::Progress;
use super::undefined;
use super::verdict::{Verdict, checkpoint_failed};
use crate::contract::context::Context;
use crate::contract::model::{Model, RuleId};
use crate::contract::print::{Style, write_state, write_step};
use crate::contract::problem::Finding;
use crate::search::{CheckpointFailed, Counts, Ending, Observer};
use crate::text::{bytes, grouped, plural, printable};
use crate::trace::TraceError;
use std::io::{BufWriter, Write};

/// Writes what the user sees.
pub struct Human<'a> {
    pub model: &'a dyn Model,
    /// For replaying traces.
    pub context: Context,
    pub out: &'a mut dyn Write,
    pub paint: Paint,
    pub progress: Progress,
    pub style: Style,
    /// Nothing but the verdict.
    pub quiet: bool,
    /// Print each step of a random walk.
    pub verbose: bool,
    /// A trace that could not be replayed.
    pub broken: Option<TraceError>,
}

impl Observer for Human<'_> {
    fn progress(&mut self, counts: &Counts) {
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
        let Human { model, context, paint, style, .. } = self;
        let mut out = BufWriter::new(&mut *self.out);
        // As it is replayed: a trace may be longer than what fits into memory as text.
        let written = self.progress.suspend(|| {
            let written = write_finding(&mut out, *model, context, *paint, *style, finding);
            let _ = out.flush();
            written
        });
        if let Err(broken) = written {
            self.broken = Some(broken);
        }
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
        if self.verbose && !self.quiet {
            write_step(self.out, self.model.description(), rule, before, after, self.style);
        }
    }
}

impl Human<'_> {
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
            self.write_features(report);
            self.write_notes(report);
        }
        let _ = self.out.flush();
    }

    fn write_counts(&mut self, report: &Report<'_>) {
        let Report { counts, seconds, bits_per_state, memory_bytes, .. } = report;
        let _ = writeln!(
            self.out,
            "\t{}, {} fired in {seconds:.2}s, depth {}, {} per state, {}",
            plural(counts.states, "state"),
            plural(counts.rules, "rule"),
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
        let idle = report.rules.iter().filter(|rule| rule.fired == 0).count() as u64;
        // A search that was cut off says nothing about the rules that it did not come to.
        if idle > 0 && report.is_complete() {
            let _ = writeln!(self.out, "{warning} {} never fired (-pr lists them)", plural(idle, "rule"));
        }
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
