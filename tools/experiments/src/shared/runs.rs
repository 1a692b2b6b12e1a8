//! Runs of one verifier, and what its reports say.

use super::{ExperimentError, Timing, Verifier};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ffi::{OsStr, OsString};

/// What every experiment reads in a verifier's report, and in `details` what only one does.
#[derive(Clone, Debug, Deserialize)]
#[serde(bound = "Details: DeserializeOwned")]
pub struct SearchReport<Details> {
    pub verdict: String,
    pub reason: String,
    pub states: u64,
    pub rules: u64,
    pub depth: u64,
    pub seconds: f64,
    #[serde(flatten)]
    pub details: Details,
}

/// How a verifier is run.
pub struct Runs<'a> {
    pub verifier: &'a Verifier,
    pub timing: Timing,
    pub memory: Option<&'a str>,
    pub extra: &'a [OsString],
}

impl Runs<'_> {
    /// One search. Deadlocks are no errors.
    pub fn once<D: DeserializeOwned>(
        &self,
        arguments: &[impl AsRef<OsStr>],
    ) -> Result<SearchReport<D>, ExperimentError> {
        let threads = format!("-j{}", self.timing.threads);
        self.verifier.run(self.arguments(&["-ndl", &threads], arguments))
    }

    /// One search in which deadlocks are errors too, and the arguments alone decide about threads.
    pub fn with_deadlocks<D: DeserializeOwned>(
        &self,
        arguments: &[&str],
    ) -> Result<SearchReport<D>, ExperimentError> {
        self.verifier.run(self.arguments(&[], arguments))
    }

    /// What is the same for all runs, and then these. An experiment may have a limit of its own.
    fn arguments(&self, first: &[&str], arguments: &[impl AsRef<OsStr>]) -> Vec<OsString> {
        let mut all: Vec<OsString> = first.iter().map(OsString::from).collect();
        let own_limit = arguments.iter().any(|argument| argument.as_ref() == "--memory");
        if let Some(memory) = self.memory.filter(|_| !own_limit) {
            all.extend(["--memory".into(), memory.into()]);
        }
        all.extend(self.extra.iter().cloned());
        all.extend(arguments.iter().map(|argument| argument.as_ref().to_owned()));
        all
    }

    /// The search with the shortest time of several; they differ in nothing else.
    pub fn best<D: DeserializeOwned>(
        &self,
        arguments: &[impl AsRef<OsStr>],
    ) -> Result<SearchReport<D>, ExperimentError> {
        let mut best = self.once(arguments)?;
        for _ in 1..self.timing.repeat {
            let again: SearchReport<D> = self.once(arguments)?;
            best.seconds = best.seconds.min(again.seconds);
        }
        Ok(best)
    }

    /// The report, if nothing was left out and no error was found.
    pub fn verified<D>(&self, report: SearchReport<D>) -> Result<SearchReport<D>, ExperimentError> {
        match report.verdict.as_str() {
            "verified" => Ok(report),
            _ => Err(self.unexpected(&report)),
        }
    }

    /// The error that a search ended otherwise than the experiment needs.
    pub fn unexpected<D>(&self, report: &SearchReport<D>) -> ExperimentError {
        format!("{}: {}: {}", self.verifier.name, report.verdict, report.reason).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_what_is_common_and_what_is_not() {
        #[derive(Debug, Deserialize)]
        struct Details {
            bits: u32,
            missing: Option<u32>,
        }
        let text = r#"{"verdict": "verified", "reason": "", "states": 18446744073709551615, "rules": 2,
            "depth": 3, "seconds": 1, "bits": 7, "other": null}"#;
        let report: SearchReport<Details> = serde_json::from_str(text).unwrap();
        assert_eq!((report.states, report.seconds), (u64::MAX, 1.0));
        assert_eq!((report.details.bits, report.details.missing), (7, None));
    }
}
