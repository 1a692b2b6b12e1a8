//! `--independence`: what couples the rules of a model; `--check-independence`: whether that is
//! all.

use std::fmt::Write as _;
use std::process::ExitCode;

use mcc_runtime::contract::print::{rule_name, write_differences, write_state};
use mcc_runtime::host::text::{grouped, plural, printable};
use mcc_runtime::model::Model as _;

use super::options::Options;
use super::print::print;
use super::replay::verifier_options;
use super::{Stop, internal, write_json};
use crate::analysis::Demand;
use crate::analysis::independence::report::{Cause, Pair, Place, Report, Verdict};
use crate::interpret::Interpreter;
use crate::source::Source;
use crate::walk::Walker;
use crate::walk::independence::{Difference, Instances, Refutation, test};

/// Two rules are not independent that should be.
const REFUTED: u8 = 1;
/// States that are tested by default.
const STATES: u64 = 100_000;
/// Pairs of instances are counted where there are no more instances than this.
const MOST_INSTANCES: usize = 4_000;
/// Wider tables than this are hard to read; the list below says the same.
const WIDEST: usize = 40;

pub fn report(interpreter: &Interpreter, options: &Options) -> Result<ExitCode, Stop> {
    let description = interpreter.description();
    let source = Source::new(description.name, description.source);
    let independence = interpreter.rule_independence(Demand::Commute);
    let report = Report::new(interpreter.model(), &source, &independence);
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| internal(&error.to_string()))?;
        write_json(path, options, &(text + "\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = text(&report, &Instances::new(independence, description));
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn text(report: &Report, instances: &Instances) -> String {
    let mut text = format!(
        "{}: {}, {}",
        printable(&report.model),
        plural(report.rules.len() as u64, "rule"),
        plural(instances.len() as u64, "instance")
    );
    if instances.len() <= MOST_INSTANCES {
        let (pairs, independent) = instances.share();
        let _ = write!(text, "; {} of {} independent", grouped(independent), plural(pairs, "pair"));
    }
    text += "\n\n";
    for (at, rule) in report.rules.iter().enumerate() {
        let parameters = if rule.parameters.is_empty() {
            String::new()
        } else {
            format!(", {}", rule.parameters.join(", "))
        };
        let name = printable(&rule.name);
        let _ = writeln!(text, "{:>4}  line {}: {name}{parameters}", at + 1, rule.line);
    }
    if report.rules.len() <= WIDEST {
        text += &matrix(report);
    }
    for pair in &report.pairs {
        if pair.independent != Verdict::Always {
            text += &couple(report, pair);
        }
    }
    text
}

fn matrix(report: &Report) -> String {
    let mut text = "\n  -  independent   X  dependent   ?  it depends on the parameters\n\n      ".to_owned();
    for at in 1..=report.rules.len() {
        let _ = write!(text, "{at:>3}");
    }
    for (at, _) in report.rules.iter().enumerate() {
        let _ = write!(text, "\n{:>4}  {}", at + 1, "   ".repeat(at));
        for pair in report.pairs.iter().filter(|pair| pair.left == at) {
            text += match pair.independent {
                Verdict::Always => "  -",
                Verdict::When => "  ?",
                Verdict::Never => "  X",
            };
        }
    }
    text + "\n"
}

fn couple(report: &Report, pair: &Pair) -> String {
    let name = |at: usize| report.rules.get(at).map_or("".into(), |rule| printable(&rule.name));
    let verdict = match &pair.when {
        Some(when) => format!("independent when {when}"),
        None => "dependent".to_owned(),
    };
    let (left, right) = (pair.left + 1, pair.right + 1);
    let mut text = if pair.left == pair.right {
        format!("\n{left} {} with itself: {verdict}\n", name(pair.left))
    } else {
        format!("\n{left} {} with {right} {}: {verdict}\n", name(pair.left), name(pair.right))
    };
    for cause in &pair.causes {
        text += &cause_line(cause, left, right);
    }
    text
}

fn cause_line(cause: &Cause, left: usize, right: usize) -> String {
    let when = cause.when.as_ref().map_or(String::new(), |when| format!(" when {when}"));
    let paths = if cause.left.path == cause.right.path {
        cause.left.path.clone()
    } else {
        format!("{} and {}", cause.left.path, cause.right.path)
    };
    format!("      {paths}{when}: {left} {}, {right} {}\n", deeds(&cause.left), deeds(&cause.right))
}

/// `reads (line 3) and writes (line 5)`
fn deeds(place: &Place) -> String {
    let read = place.read.as_ref().map(|read| match read.by {
        "rule" => format!("reads (line {})", read.line),
        by => format!("reads ({by}, line {})", read.line),
    });
    let written = place.written.map(|line| format!("writes (line {line})"));
    read.into_iter().chain(written).collect::<Vec<_>>().join(" and ")
}

pub fn check(interpreter: &Interpreter, options: &Options) -> Result<ExitCode, Stop> {
    let settings = verifier_options(&options.verifier_options)?.settings();
    let most = settings.max_states.unwrap_or(STATES);
    let walker = Walker::of_search(interpreter, settings);
    let independence = interpreter.rule_independence(Demand::Commute);
    let instances = Instances::new(independence, walker.description());
    let result = test(&walker, &mut |one, other| instances.is_independent(one, other), Demand::Commute, most);
    let (text, code) = match result {
        Ok(tested) => {
            let pairs = plural(tested.pairs, "pair");
            let states = plural(tested.states, "state");
            let bound = if tested.bounded { "; there are more, see --max-states" } else { "" };
            (format!("independence: {pairs} of rules tested in {states}{bound}\n"), ExitCode::SUCCESS)
        }
        Err(refutation) => (refuted(&walker, &refutation), ExitCode::from(REFUTED)),
    };
    if !options.quiet || code != ExitCode::SUCCESS {
        print(&text)?;
    }
    Ok(code)
}

fn refuted(walker: &Walker, refutation: &Refutation) -> String {
    let description = walker.description();
    let name = |rule| printable(&rule_name(description, rule)).into_owned();
    let (first, second) = (name(refutation.first), name(refutation.second));
    let mut text = format!("not independent:\n  {first}\n  {second}\n\nin the state\n");
    let mut lines = Vec::new();
    write_state(&mut lines, description, &refutation.state);
    text += &indented(&lines);
    match &refutation.difference {
        Difference::Outcome { before, after } => {
            let _ = writeln!(text, "\nthe second {before}; after the first it {after}");
        }
        Difference::Change => text += "\nthe second changes something else after the first\n",
        Difference::States { one, other } => {
            let mut lines = Vec::new();
            write_differences(&mut lines, description, other, one);
            let _ = write!(text, "\nthe first and then the second leave\n{}", indented(&lines));
            let mut lines = Vec::new();
            write_differences(&mut lines, description, one, other);
            let _ = write!(text, "and the second and then the first\n{}", indented(&lines));
        }
    }
    text
}

fn indented(lines: &[u8]) -> String {
    let text = String::from_utf8_lossy(lines);
    text.lines().map(|line| format!("  {line}\n")).collect()
}
