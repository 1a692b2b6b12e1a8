//! What is expected of a model: the `.toml` file beside it.
//!
//! ```toml
//! verdict = "verified"       # or "violated", "inconclusive"; "verified" without a file
//! states = 14844             # each of the rest is compared if it is there
//! rules = 44120
//! depth = 36
//! options = ["--no-deadlock"]
//! define = { N = 3 }
//!
//! [[entry]]                  # further runs of the same model, each with all of these keys
//! name = "with four"
//! define = { N = 4 }
//! verdict = "violated"
//! error = "invariant"        # the kind of the first error
//! trace = 12                 # its steps after the start state
//! violated = ["mutex"]       # the names of all properties that are violated
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mcc_runtime::embedding::{Report, Verdict};
use serde::Deserialize;

use super::error::Error;

/// One run of a model, and what is expected of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Expectation {
    /// Distinguishes the entries of one file.
    pub name: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The number of states without symmetry reduction.
    pub states: Option<u64>,
    /// The number of rules fired without symmetry reduction.
    pub rules: Option<u64>,
    /// The depth of a breadth-first search.
    pub depth: Option<u64>,
    /// States with exact symmetry reduction, where they are other than `states`.
    pub orbits: Option<u64>,
    /// Rules with exact symmetry reduction, where they are other than `rules`.
    pub orbit_rules: Option<u64>,
    /// The kind of the first error.
    pub error: Option<String>,
    /// The steps of the first trace after its start state, breadth first.
    pub trace: Option<u64>,
    /// The kinds of all errors in their order, where the options ask for several.
    pub errors: Vec<String>,
    /// The names of the properties that are violated.
    pub violated: Option<BTreeSet<String>>,
    /// The lines on which undefined values are compared, in the order of the text, each as often as
    /// there are places on it.
    pub undefined_comparisons: Option<Vec<u64>>,
    /// Options of the verifier.
    pub options: Vec<String>,
    /// Other values of constants.
    pub define: BTreeMap<String, toml::Value>,
    /// Whether Rumur accepts the model, for tests that compare with it.
    pub rumur: bool,
    /// Whether CMurphi accepts the model, for tests that compare with it.
    pub cmurphi: bool,
}

impl Default for Expectation {
    fn default() -> Expectation {
        Expectation {
            name: None,
            verdict: Verdict::Verified,
            states: None,
            rules: None,
            depth: None,
            orbits: None,
            orbit_rules: None,
            error: None,
            trace: None,
            errors: Vec::new(),
            violated: None,
            undefined_comparisons: None,
            options: Vec::new(),
            define: BTreeMap::new(),
            rumur: false,
            cmurphi: false,
        }
    }
}

impl Expectation {
    /// The entries of a file of expectations.
    pub fn parse(text: &str) -> Result<Vec<Expectation>, toml::de::Error> {
        let mut first: toml::Table = toml::from_str(text)?;
        let entries: Vec<Expectation> =
            first.remove("entry").map_or(Ok(Vec::new()), toml::Value::try_into)?;
        if first.is_empty() && !entries.is_empty() {
            return Ok(entries);
        }
        let first = toml::Value::Table(first).try_into()?;
        Ok(std::iter::once(first).chain(entries).collect())
    }

    /// What is expected of a model: the entries of the file beside it, or that it is verified if
    /// there is none.
    pub fn beside(model: &Path) -> Result<Vec<Expectation>, Error> {
        let path = model.with_extension("toml");
        let unreadable = |why: String| Error::Unreadable(format!("{}: {why}", path.display()));
        match fs::read_to_string(&path) {
            Ok(text) => Expectation::parse(&text).map_err(|error| unreadable(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(vec![Expectation::default()]),
            Err(error) => Err(unreadable(error.to_string())),
        }
    }

    /// Other values of constants, as text.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, String)> {
        self.define.iter().map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (name.as_str(), text)
        })
    }

    /// In what a report differs from what is expected, one sentence each.
    pub fn differences(&self, report: &Report) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, is: String, expected: Option<String>| {
            if let Some(expected) = expected.filter(|expected| *expected != is) {
                found.push(format!("{what} is {is}, expected {expected}"));
            }
        };
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let breadth_first = !self.options.iter().any(|option| option == "-vdfs" || option == "dfs");
        let reduced = !self.options.iter().any(|option| option == "-nosym" || option == "off");
        compare("verdict", report.verdict.to_string(), Some(self.verdict.to_string()));
        if report.verdict == self.verdict && self.verdict == Verdict::Verified {
            let expected =
                |orbits: Option<u64>, all: Option<u64>| number(if reduced { orbits.or(all) } else { all });
            compare("number of states", report.states.to_string(), expected(self.orbits, self.states));
            compare("number of rules", report.rules.to_string(), expected(self.orbit_rules, self.rules));
            if breadth_first {
                compare("depth", report.depth.to_string(), number(self.depth));
            }
        }
        let first = report.errors.first();
        if let (Some(error), true) = (first, self.verdict == Verdict::Violated) {
            compare("error", error.kind.clone(), self.error.clone());
            let steps = error.trace.as_ref().map(|trace| trace.len().saturating_sub(1) as u64);
            if let (Some(steps), true) = (steps, breadth_first) {
                compare("length of the trace", steps.to_string(), number(self.trace));
            }
            let kinds: Vec<&str> = report.errors.iter().map(|error| error.kind.as_str()).collect();
            let expected = (!self.errors.is_empty()).then(|| self.errors.join(", "));
            compare("list of errors", kinds.join(", "), expected);
        }
        if let Some(expected) = &self.violated {
            let violated = report.properties.iter().filter(|property| property.status == "violated");
            let names: BTreeSet<&str> = violated.map(|property| property.name.as_str()).collect();
            let listed = |names: Vec<&str>| names.join(", ");
            let expected = listed(expected.iter().map(String::as_str).collect());
            compare("list of violated properties", listed(names.into_iter().collect()), Some(expected));
        }
        found
    }
}

/// The models that a path names: itself, or all below a directory, in the order of their names. A
/// model is named as the path begins.
pub fn models(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Error::Unreadable(format!("there is no file {}", path.display())),
        _ => Error::Unreadable(format!("cannot read {}: {error}", path.display())),
    };
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable)?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() {
            found.extend(models(&entry)?);
        } else if entry.extension().is_some_and(|extension| extension == "m") {
            found.push(entry);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;
    use mcc_runtime::embedding::Options;

    #[test]
    fn entries_stand_beside_the_first() {
        let only = Expectation::parse("states = 3").unwrap();
        assert_eq!((only.len(), only[0].states, only[0].verdict), (1, Some(3), Verdict::Verified));
        let several =
            "verdict = 'violated'\n[[entry]]\nname = 'a'\ndefine = { N = 4, on = true, c = 'red' }\n";
        let several = Expectation::parse(several).unwrap();
        assert_eq!(several.len(), 2);
        let definitions: Vec<_> = several[1].definitions().collect();
        assert_eq!(definitions, [("N", "4".to_owned()), ("c", "red".to_owned()), ("on", "true".to_owned())]);
        assert_eq!(Expectation::parse("[[entry]]\nstates = 1").unwrap().len(), 1);
        for wrong in ["verdict = 'right'", "state = 3", "[[entry]]\nnonsense = 1", "states = -1"] {
            assert!(Expectation::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_difference_is_named() {
        let text = "var x: 0..9; startstate x := 0; end; rule x < 5 ==> x := x + 1; end;";
        let model = Model::from_text("a.m", text);
        let report = model.interpret(&Options::new().without_deadlocks()).unwrap();
        let differences = |text: &str| Expectation::parse(text).unwrap()[0].differences(&report);
        assert!(differences("states = 6\nrules = 5\ndepth = 5").is_empty());
        assert_eq!(differences("states = 7"), ["number of states is 6, expected 7"]);
        assert_eq!(differences("states = 7\norbits = 6"), [""; 0]);
        assert_eq!(differences("states = 7\norbits = 6\noptions = ['-nosym']").len(), 1);
        assert_eq!(differences("rules = 7\ndepth = 7").len(), 2);
        assert_eq!(differences("verdict = 'violated'"), ["verdict is verified, expected violated"]);
        let stuck = model.interpret(&Options::new()).unwrap();
        let differences = |text: &str| Expectation::parse(text).unwrap()[0].differences(&stuck);
        assert!(differences("verdict = 'violated'\nerror = 'deadlock'\ntrace = 5").is_empty());
        assert_eq!(differences("verdict = 'violated'\nerror = 'invariant'\ntrace = 4").len(), 2);
    }
}
