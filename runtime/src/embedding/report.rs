//! The report of a search, read from the JSON that every verifier writes (`docs/report.md`).

use super::value::State;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What a search found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All states were searched, and no error is in them.
    Verified,
    /// There is an error.
    Violated,
    /// The search ended before it could know.
    Inconclusive,
}

impl fmt::Display for Verdict {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Verdict::Verified => "verified",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
        })
    }
}

/// Everything that is known when a search is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of mcc.
    #[serde(default)]
    pub mcc: String,
    /// The model that was searched.
    pub model: ModelReport,
    /// What was found out.
    pub verdict: Verdict,
    /// Why this is the verdict.
    pub reason: String,
    /// What a verdict of *verified* rests on, if it is conditional.
    pub condition: Option<String>,
    /// What to try next, if the verdict is inconclusive.
    pub advice: Option<String>,
    /// States that were found.
    pub states: u64,
    /// Rules that were fired.
    pub rules: u64,
    /// The longest of the shortest paths, or the depth of the search.
    pub depth: u32,
    /// Wall-clock time.
    pub seconds: f64,
    /// The most bytes that the search had in use.
    pub memory_bytes: u64,
    /// Each rule as written.
    #[serde(default, rename = "rule_figures")]
    pub rule_reports: Vec<RuleReport>,
    /// Each property as written.
    #[serde(default, rename = "property_figures")]
    pub properties: Vec<PropertyReport>,
    /// The errors that were kept.
    pub errors: Vec<ErrorReport>,
}

/// The model that was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelReport {
    /// Its path, as it was given.
    pub name: String,
    /// A hash of its text and constants, in hexadecimal.
    pub fingerprint: String,
    /// The constants that were given another value than the text has.
    pub constants: BTreeMap<String, String>,
}

/// A rule as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleReport {
    /// As the text names it.
    pub name: String,
    /// Where it stands.
    pub line: u32,
    /// How often it was fired.
    pub fired: u64,
}

/// A property as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PropertyReport {
    /// `invariant`, `assume`, `cover` …
    pub kind: String,
    /// As the text names it.
    pub name: String,
    /// Where it stands.
    pub line: u32,
    /// `holds`, `violated`, `unknown` …
    pub status: String,
}

/// An error of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorReport {
    /// `invariant`, `deadlock`, `assertion`, `undefined` …
    pub kind: String,
    /// What is wrong.
    pub message: String,
    /// The property that does not hold, if it is about one.
    #[serde(default)]
    pub property: Option<String>,
    /// The rule that went wrong, or that led to the state.
    pub rule: Option<String>,
    /// The parameters of that rule.
    pub parameters: Option<BTreeMap<String, String>>,
    /// Where in the model.
    pub line: Option<u32>,
    /// Where in that line.
    pub column: Option<u32>,
    /// From a start state to the error; the first step is the start state.
    pub trace: Option<Vec<Step>>,
    /// Why there is no trace.
    pub trace_missing: Option<String>,
    /// The loop in which the run goes on for ever, where the error is one of a whole run.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub looped: Option<Loop>,
}

/// A loop at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Loop {
    /// The step whose state it begins with, which is that of the last step.
    pub begins: usize,
}

/// A step of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Step {
    /// The name of the rule, or of the start state.
    pub rule: String,
    /// The number of the rule in the order of the text.
    pub family: usize,
    /// Its parameters.
    pub parameters: BTreeMap<String, String>,
    /// The state after it; none after a rule that went wrong.
    pub state: Option<State>,
}

impl Report {
    /// Reads a report of a verifier (`--json FILE`).
    pub fn from_json(text: &[u8]) -> Result<Report, serde_json::Error> {
        serde_json::from_slice(text)
    }

    /// Whether all states were searched and no error is in them.
    pub fn is_verified(&self) -> bool {
        self.verdict == Verdict::Verified
    }

    /// For tests: nothing, if the model was verified; otherwise the error with its trace, to read.
    pub fn verified(&self) -> Result<(), String> {
        if self.is_verified() { Ok(()) } else { Err(self.to_string()) }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.rule)?;
        for (name, value) in &self.parameters {
            write!(to, ", {name}: {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    /// The verdict, and each error with its trace: the first state in full, then what changes.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(to, "{}: {}: {}", self.model.name, self.verdict, self.reason)?;
        for error in &self.errors {
            // As compilers print places, so that editors find them.
            match (error.line, error.column) {
                (Some(line), Some(column)) => {
                    write!(to, "{}:{line}:{column}: {}", self.model.name, error.message)?;
                }
                _ => write!(to, "{}: {}", self.model.name, error.message)?,
            }
            let constants: Vec<String> =
                self.model.constants.iter().map(|(name, value)| format!(" -D {name}={value}")).collect();
            let constants = constants.concat();
            match constants.strip_prefix(' ') {
                Some(constants) => writeln!(to, " ({constants})")?,
                None => writeln!(to)?,
            }
            error.write_trace(to)?;
            writeln!(to)?;
        }
        Ok(())
    }
}

impl fmt::Display for ErrorReport {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.line.map_or(String::new(), |line| format!("line {line}: "));
        writeln!(to, "{place}{}", self.message)?;
        self.write_trace(to)
    }
}

impl ErrorReport {
    /// The first state in full, then what changes.
    fn write_trace(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(trace) = &self.trace else { return Ok(()) };
        let mut before: Option<&State> = None;
        for (number, step) in trace.iter().enumerate() {
            writeln!(to, "  {number}. {step}")?;
            let Some(state) = &step.state else { continue };
            for (name, value) in &state.variables {
                if before.and_then(|before| before.get(name)) != Some(value) {
                    writeln!(to, "       {name}: {value}")?;
                }
            }
            before = Some(state);
        }
        Ok(())
    }
}
