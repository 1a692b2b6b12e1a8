//! The report for people: errors as they are found, then the summary.

use super::cache;
use super::checkpoints;
use super::console::{Paint, bytes, plural, printable};
use super::disk;
use super::locality::write_locality;
use super::path;
use super::progress::Progress;
use super::undefined;
use super::verdict::{Judgement, Verdict};
use crate::bounds::assurance::{Assurance, at_most};
use crate::context::Context;
use crate::model::{Description, Model, Position, PropertyKind, RuleId};
use crate::search::problem::{Finding, Problem};
use crate::search::{Counts, Ending, Observer, Outcome};
use crate::trace::Broken;
use crate::trace::print::{Style, rule_name, start_name, write_path, write_state, write_step};
use crate::visited::compact::Compacted;
use std::io::Write;

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
    pub broken: Option<Broken>,
}

impl Observer for Human<'_> {
    fn progress(&mut self, counts: &Counts) {
        self.progress.tell(self.out, counts);
    }

    fn resumed(&mut self, counts: &Counts, seconds: f64) {
        self.progress.resume(counts, seconds);
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

    fn found(&mut self, finding: &Finding) {
        if self.quiet {
            return;
        }
        let mut text = Vec::new();
        if let Err(broken) =
            write_finding(&mut text, self.model, &self.context, self.paint, self.style, finding)
        {
            self.broken = Some(broken);
        }
        let out = &mut *self.out;
        self.progress.suspend(|| {
            let _ = out.write_all(&text);
            let _ = out.flush();
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
        if self.verbose && !self.quiet {
            write_step(self.out, self.model.description(), rule, before, after, self.style);
        }
    }
}

/// An error with its place in the model's text and its trace.
fn write_finding(
    out: &mut Vec<u8>,
    model: &dyn Model,
    context: &Context,
    paint: Paint,
    style: Style,
    finding: &Finding,
) -> Result<(), Broken> {
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
        Problem::Deadlock
        | Problem::Violated { .. }
        | Problem::PropertyFault { .. }
        | Problem::NeverCovered { .. } => {}
    }
    let Some(path) = &finding.path else {
        if !matches!(finding.problem, Problem::StartFault { .. } | Problem::NeverCovered { .. }) {
            let _ = writeln!(
                out,
                "\nThere is no trace: states on the way to the error defied symmetry reduction, and cannot be followed with\n\
                 the same names from beginning to end. Without the reduction (--symmetry off) there is one."
            );
        }
        return Ok(());
    };
    if style == Style::Off {
        return Ok(());
    }
    let failing = u64::from(matches!(finding.problem, Problem::RuleFault { .. }));
    let _ = writeln!(out, "\nTrace of {}:\n", plural(path.rules.len() as u64 + failing, "step"));
    write_path(out, model, context, path, style)?;
    let _ = match finding.problem {
        Problem::RuleFault { rule, in_guard: false, .. } => {
            writeln!(out, "\n{} ends in the error.", rule_name(description, rule))
        }
        Problem::RuleFault { rule, in_guard: true, .. } => {
            writeln!(out, "\nThe guard of {} ends in the error.", rule_name(description, rule))
        }
        Problem::Deadlock => writeln!(out, "\nNo rule changes this state."),
        Problem::Violated { .. }
        | Problem::PropertyFault { .. }
        | Problem::StartFault { .. }
        | Problem::NeverCovered { .. } => writeln!(out, "\nThe error is in this state."),
    };
    Ok(())
}

/// The line of the model's text, with a mark under the column.
pub fn write_place(out: &mut Vec<u8>, description: &Description, paint: Paint, position: Position) {
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
    pub fn write_summary(
        &mut self,
        outcome: &Outcome,
        judgement: &Judgement,
        seconds: f64,
        statistics: bool,
    ) {
        self.progress.finish();
        let word = judgement.verdict.word();
        let word = match judgement.verdict {
            Verdict::Verified => self.paint.green(word),
            Verdict::Violated => self.paint.red(word),
            Verdict::Inconclusive => self.paint.yellow(word),
        };
        if !self.quiet {
            self.write_covers(outcome);
            if statistics {
                self.write_rules(outcome);
            }
            let _ = writeln!(self.out);
        }
        if let Ending::Asymmetric(text) = &outcome.ending {
            let _ = writeln!(self.out, "{text}");
        }
        let _ = writeln!(self.out, "{word}: {}", judgement.reason);
        if !self.quiet {
            self.write_counts(outcome, judgement, seconds);
        }
        let _ = self.out.flush();
    }

    fn write_counts(&mut self, outcome: &Outcome, judgement: &Judgement, seconds: f64) {
        let counts = &outcome.counts;
        let _ = writeln!(
            self.out,
            "\t{}, {} fired in {seconds:.2}s, depth {}, {} per state, {}",
            plural(counts.states, "state"),
            plural(counts.rules, "rule"),
            counts.depth.0,
            plural(u64::from(outcome.bits_per_state), "bit"),
            bytes(outcome.peak_memory)
        );
        if let Some(slept) = outcome.slept {
            let _ = writeln!(self.out, "\tsleep sets: {} left out", plural(slept, "enabled rule"));
        }
        if let Some(walked) = outcome.walked {
            let _ = writeln!(
                self.out,
                "\tpath compression: {} stored, {} walked through, each time counted; the longest walk {}",
                plural(counts.states, "state"),
                walked.states,
                walked.longest
            );
        }
        if let (Some(compacted), Some(assurance)) = (&outcome.compacted, &outcome.assurance) {
            self.write_compaction(compacted, assurance);
        }
        if let Some(spilled) = outcome.spilled.filter(|spilled| spilled.written_bytes > 0) {
            let _ = writeln!(
                self.out,
                "\tqueue on disk: {} written, {} at most in the files, packed to {:.0} %",
                bytes(spilled.written_bytes),
                bytes(spilled.peak_bytes),
                100.0 * spilled.packed()
            );
        }
        if let Some(cached) = &outcome.cached {
            let cut = !matches!(outcome.ending, Ending::Complete | Ending::Errors);
            for line in cache::summary(cached, cut) {
                let _ = writeln!(self.out, "\t{line}");
            }
            if let Some(assurance) = &outcome.assurance {
                self.write_bounds(assurance);
            }
        }
        if let Some(on_disk) = &outcome.on_disk {
            for line in disk::summary(on_disk) {
                let _ = writeln!(self.out, "\t{line}");
            }
            if let Some(assurance) = &outcome.assurance {
                self.write_bounds(assurance);
            }
        }
        if let Some(checkpointed) = &outcome.checkpointed {
            for line in checkpoints::summary(checkpointed) {
                let _ = writeln!(self.out, "\t{line}");
            }
        }
        for line in path::summary(outcome) {
            let _ = writeln!(self.out, "\t{line}");
        }
        if let Some(locality) = &outcome.locality {
            write_locality(self.out, self.paint, locality);
        }
        if outcome.unreduced > 0 {
            let paint = self.paint.yellow("warning:");
            let _ = writeln!(
                self.out,
                "{paint} {} defied symmetry reduction, so some may be counted more than once; the verdict is not \
                 affected. Elements that are told apart by more than their links to each other would help",
                plural(outcome.unreduced, "successor")
            );
        }
        if let Some(line) = undefined::summary(self.model.description(), outcome) {
            let _ = writeln!(self.out, "\t{line}");
        }
        if counts.queue > 0 {
            let _ = writeln!(self.out, "\t{} not expanded", plural(counts.queue, "state"));
        }
        if let Some(advice) = &judgement.advice {
            let _ = writeln!(self.out, "\ttry: {advice}");
        }
        let description = self.model.description();
        let idle = rule_figures(description, outcome).filter(|(_, fired)| *fired == 0).count() as u64;
        // A search that was cut off says nothing about the rules that it did not come to.
        if idle > 0 && outcome.ending == Ending::Complete {
            let paint = self.paint.yellow("warning:");
            let _ = writeln!(self.out, "{paint} {} never fired (-pr lists them)", plural(idle, "rule"));
        }
    }

    fn write_compaction(&mut self, compacted: &Compacted, assurance: &Assurance) {
        let Compacted { bits, slots, states, table_bytes, .. } = compacted;
        let seeds: Vec<String> = assurance.runs.iter().map(|(seed, _)| seed.to_string()).collect();
        let _ = writeln!(
            self.out,
            "\tsignatures of {} bits in {slots} slots, {:.1} % full, {}; --seed {}",
            bits.get(),
            100.0 * *states as f64 / *slots as f64,
            bytes(*table_bytes),
            seeds.join(", ")
        );
        self.write_bounds(assurance);
        if let Some(better) = assurance.one_more_bit {
            let factor = if assurance.runs.len() == 1 { "" } else { " a run" };
            let _ = writeln!(
                self.out,
                "\twith --bits {} it would be {}{factor}, for {} more",
                bits.get() + 1,
                at_most(better.any),
                bytes(slots / 8)
            );
        }
    }

    fn write_bounds(&mut self, assurance: &Assurance) {
        let _ = writeln!(
            self.out,
            "\tprobability of having missed any one state at most {}, up to the depth reached {}, even one {}",
            at_most(assurance.bounds.any),
            at_most(assurance.bounds.seen),
            at_most(assurance.bounds.even_one)
        );
    }

    fn write_covers(&mut self, outcome: &Outcome) {
        let description = self.model.description();
        let properties = description
            .properties
            .iter()
            .zip(&outcome.covered)
            .filter(|(property, _)| property.kind == PropertyKind::Cover)
            .map(|(property, count)| (property.name, count));
        let statements = description
            .cover_statements
            .iter()
            .zip(outcome.covered.iter().skip(description.properties.len()))
            .map(|(cover, count)| (cover.name, count));
        for (at, (name, count)) in properties.chain(statements).enumerate() {
            if at == 0 {
                let _ = writeln!(self.out);
            }
            let name = printable(name);
            let _ = writeln!(self.out, "cover \"{name}\": reached {}", plural(*count, "time"));
        }
    }

    fn write_rules(&mut self, outcome: &Outcome) {
        let _ = writeln!(self.out, "\nRules fired:");
        for (family, fired) in rule_figures(self.model.description(), outcome) {
            let note = match fired {
                0 if outcome.ending == Ending::Complete => {
                    self.paint.yellow("  (never: is its guard ever true?)")
                }
                0 => "  (not yet)".to_owned(),
                _ => String::new(),
            };
            let (name, line) = (printable(family.name), family.position.line);
            let _ = writeln!(self.out, "\t{fired:>14}  \"{name}\" (line {line}){note}");
        }
    }
}

/// Each rule family with how often it fired.
pub fn rule_figures<'a>(
    description: &'static Description,
    outcome: &'a Outcome,
) -> impl Iterator<Item = (&'static crate::model::Family, u64)> + 'a {
    description.rules.iter().map(|family| {
        let instances = outcome.fired.iter().skip(family.first as usize).take(family.instances as usize);
        (family, instances.sum())
    })
}
