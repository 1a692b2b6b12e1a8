//! What one way of running a model says about it, and whether two ways say the same.

use crate::generate::Drawn;
use serde_json::Value;
use std::fmt;

/// Enough for most models to end, and little enough to be quick.
const MAX_STATES: &str = "1500";

/// How a model is run. The interpreter's search order and reports are the verifier's own, so that
/// everything must be the same, whatever the options.
pub const MODES: [&[&str]; 7] = [
    &[],
    &["--packed"],
    &["--search=dfs"],
    &["--max-errors=12"],
    &["--strict-undefined", "--symmetry=off"],
    &["--sleep"],
    &["--search=dfs", "--sleep", "--max-errors=12"],
];

/// The mode that agrees with Rumur's meaning of copies, and with its counts without reduction.
pub const STRICT: usize = 4;

/// The options of a run, without the program's name.
pub fn options(drawn: &Drawn, mode: &[&str]) -> Vec<String> {
    // Which state of an orbit is kept is the reducer's own affair: unless a mode asks for it,
    // nothing is reduced.
    let mut options = vec!["--quiet", "--json=-", "--symmetry=off"];
    if !mode.iter().any(|option| option.starts_with("--max-states")) {
        options.extend(["--max-states", MAX_STATES]);
    }
    if !drawn.deadlock {
        options.push("--no-deadlock");
    }
    options.extend(mode);
    options.into_iter().map(str::to_owned).collect()
}

/// The parts of a report that must be the same.
const PARTS: [&str; 12] = [
    "verdict",
    "reason",
    "states",
    "rules",
    "depth",
    "states_waiting",
    "errors",
    "rule_figures",
    "property_figures",
    "undefined_comparisons",
    "schema",
    // Of a census.
    "lines",
];

/// The mode in which there is no search, but a [`crate::census`]; with `--strict-undefined` or
/// without.
pub const CENSUS: &str = "census";

#[derive(Clone, Debug, PartialEq)]
pub enum Opinion {
    /// The report of a run that ended as it should.
    Report(Value),
    /// Anything else: a panic, a crash, code that rustc refuses.
    Broken(String),
}

impl Opinion {
    pub fn from_report(text: &[u8]) -> Opinion {
        match serde_json::from_slice(text) {
            Ok(report) => Opinion::Report(report),
            Err(error) => Opinion::Broken(format!("no report: {error}: {}", String::from_utf8_lossy(text))),
        }
    }

    pub fn verdict(&self) -> &str {
        match self {
            Opinion::Report(report) => report["verdict"].as_str().unwrap_or("none"),
            Opinion::Broken(_) => "broken",
        }
    }

    pub fn number(&self, key: &str) -> Option<u64> {
        match self {
            Opinion::Report(report) => report[key].as_u64(),
            Opinion::Broken(_) => None,
        }
    }

    /// The kinds of all errors.
    pub fn errors(&self) -> Vec<&str> {
        match self {
            Opinion::Report(report) => {
                let errors = report["errors"].as_array().into_iter().flatten();
                errors.filter_map(|error| error["kind"].as_str()).collect()
            }
            Opinion::Broken(_) => Vec::new(),
        }
    }

    /// What was said about the errors of one kind.
    pub fn messages(&self, kind: &str) -> Vec<&str> {
        let Opinion::Report(report) = self else { return Vec::new() };
        let errors = report["errors"].as_array().into_iter().flatten();
        errors.filter(|error| error["kind"] == kind).filter_map(|error| error["message"].as_str()).collect()
    }

    /// The first part in which two opinions differ.
    pub fn difference(&self, other: &Opinion) -> Option<String> {
        match (self, other) {
            (Opinion::Report(left), Opinion::Report(right)) => {
                let part = PARTS.iter().find(|part| left[**part] != right[**part])?;
                Some((*part).to_owned())
            }
            (Opinion::Broken(why), _) | (_, Opinion::Broken(why)) => {
                let words: String = why.chars().take_while(|c| c.is_alphabetic() || *c == ' ').collect();
                Some(format!("broken: {words}"))
            }
        }
    }
}

impl fmt::Display for Opinion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = match self {
            Opinion::Broken(why) => return write!(out, "{why}"),
            Opinion::Report(report) => report,
        };
        write!(
            out,
            "{} ({}), {} states, {} rules, depth {}",
            self.verdict(),
            report["reason"].as_str().unwrap_or(""),
            report["states"],
            report["rules"],
            report["depth"]
        )?;
        for error in report["errors"].as_array().into_iter().flatten() {
            let steps = error["trace"].as_array().map_or(0, Vec::len);
            write!(
                out,
                "\n    {} at {}:{} in {}, a trace of {steps}: {}",
                error["kind"].as_str().unwrap_or("?"),
                error["line"],
                error["column"],
                error["rule"],
                error["message"].as_str().unwrap_or("")
            )?;
        }
        Ok(())
    }
}
