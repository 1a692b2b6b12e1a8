//! What a search reports, and whether it is what a plain one reports.

use crate::shared::SearchReport;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub type Report = SearchReport<Details>;

/// What is of interest in a verifier's report.
#[derive(Clone, Debug, Deserialize)]
pub struct Details {
    watched: Option<Watched>,
    pub errors: Vec<Error>,
    property_figures: Vec<Property>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Watched {
    pub distinct: u64,
    digest: String,
    #[serde(default)]
    states: BTreeSet<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Error {
    pub kind: String,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
struct Property {
    status: String,
}

impl Details {
    /// A state that breaks a property was left without looking at its successors.
    pub fn hides(&self) -> bool {
        self.property_figures.iter().any(|property| property.status == "violated")
    }

    pub fn watched(&self) -> Watched {
        self.watched.clone().unwrap_or_default()
    }

    /// In how many states there is which error.
    fn errors_in_words(&self) -> BTreeMap<String, u64> {
        let mut errors = BTreeMap::new();
        for Error { kind, message, line, column } in &self.errors {
            let (line, column) = (line.unwrap_or(0), column.unwrap_or(0));
            *errors.entry(format!("{kind} at {line}:{column}, {message}")).or_insert(0) += 1;
        }
        errors
    }
}

/// What one search was compared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    Same,
    /// All that a plain search finds, and more behind states that break a property.
    More,
    /// The verdict and the first error: there are too many errors for all their traces.
    Verdict,
    GivenUp,
}

impl Finding {
    pub fn name(self) -> &'static str {
        match self {
            Finding::Same => "the same",
            Finding::More => "the same and more",
            Finding::Verdict => "the same verdict",
            Finding::GivenUp => "given up",
        }
    }
}

/// Compares the verdict and the only error.
pub fn judge_first(expected: &Report, report: &Report) -> Result<Finding, String> {
    let found = report.details.errors_in_words();
    let known = |error: &Error| expected.details.errors.iter().any(|expected| expected.kind == error.kind);
    match expected.verdict == report.verdict && report.details.errors.iter().all(known) {
        true => Ok(Finding::Verdict),
        false => {
            Err(format!("{} with {found:?} and not {}: {}", report.verdict, expected.verdict, report.reason))
        }
    }
}

/// Compares states, verdict and errors. What differs is an error, in words.
pub fn judge(expected: &Report, report: &Report, may_find_more: bool) -> Result<Finding, String> {
    if expected.verdict != report.verdict {
        return Err(format!("{} and not {}: {}", report.verdict, expected.verdict, report.reason));
    }
    if report.details.watched.is_none() {
        return Err("states were not watched".to_owned());
    }
    let (here, there) = (expected.details.watched(), report.details.watched());
    let (errors, found) = (expected.details.errors_in_words(), report.details.errors_in_words());
    if here.digest == there.digest && here.distinct == there.distinct && errors == found {
        return Ok(Finding::Same);
    }
    if !may_find_more && errors == found {
        return Err(format!("{} states and not {}, or others", there.distinct, here.distinct));
    }
    let lacks = |(error, count): (&String, &u64)| found.get(error).is_none_or(|found| found < count);
    if !may_find_more || errors.iter().any(lacks) {
        return Err(format!("errors {found:?} and not {errors:?}"));
    }
    match here.states.difference(&there.states).next() {
        Some(state) => Err(format!("the state {state} is not found")),
        None => Ok(Finding::More),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdict: &str, states: &[&str], errors: &[&str]) -> Report {
        let states: BTreeSet<String> = states.iter().map(|&state| state.to_owned()).collect();
        let error =
            |&kind: &&str| Error { kind: kind.into(), message: String::new(), line: None, column: None };
        let distinct = states.len() as u64;
        let details = Details {
            watched: Some(Watched { distinct, digest: format!("{states:?}"), states }),
            errors: errors.iter().map(error).collect(),
            property_figures: Vec::new(),
        };
        Report {
            verdict: verdict.into(),
            reason: String::new(),
            states: distinct,
            rules: 0,
            depth: 0,
            seconds: 0.0,
            details,
        }
    }

    #[test]
    fn what_differs_is_noticed() {
        let plain = report("violated", &["a", "b"], &["invariant", "deadlock"]);
        assert_eq!(judge(&plain, &plain, false), Ok(Finding::Same));
        let more = report("violated", &["a", "b", "c"], &["invariant", "invariant", "deadlock"]);
        assert_eq!(judge(&plain, &more, true), Ok(Finding::More));
        for other in [
            report("verified", &["a", "b"], &["invariant", "deadlock"]),
            report("violated", &["a", "c"], &["invariant", "deadlock"]),
            report("violated", &["a"], &["invariant", "deadlock"]),
            report("violated", &["a", "b"], &["invariant"]),
            report("violated", &["a", "b"], &["invariant", "undefined"]),
        ] {
            assert!(judge(&plain, &other, false).is_err(), "{other:?}");
            assert!(judge(&plain, &other, true).is_err(), "{other:?}");
        }
        assert!(judge(&plain, &more, false).is_err());
        let others = report("violated", &["a", "c", "d"], &["invariant", "invariant", "deadlock"]);
        assert!(judge(&plain, &others, true).is_err());
        assert_eq!(judge_first(&plain, &report("violated", &["a"], &["deadlock"])), Ok(Finding::Verdict));
        for other in [report("violated", &["a"], &["undefined"]), report("verified", &["a", "b"], &[])] {
            assert!(judge_first(&plain, &other).is_err(), "{other:?}");
        }
        let mut blind = plain.clone();
        blind.details.watched = None;
        assert!(judge(&blind, &blind, false).is_err());
    }
}
