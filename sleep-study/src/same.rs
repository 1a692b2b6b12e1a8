//! Whether searches that leave something out find what a plain one finds: the same states as a set, the same verdict, the same errors.

use crate::Runs;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Visits that any search may make, however few states there are.
const VISITS: u64 = 20_000;
/// Visits where states are explored that are wrong, and what lies behind them.
const BEHIND: u64 = 3_000;
const BEHIND_ERRORS: u64 = 1_000;
/// Steps that the traces of all errors may have in all, and so many errors. They are all in the report.
const STEPS: u64 = 8_000_000;
const ERRORS: u64 = 2000;

/// What is run.
pub struct Plan {
    /// States beside the path, as parts of all states.
    pub fractions: Vec<f64>,
    pub policies: Vec<String>,
    /// A model of more states is not compared.
    pub states: u64,
    /// A search that forgets is given up after so many visits for each state, and with it what lies behind states that are wrong.
    pub most: u64,
    /// With symmetry reduction, and so without the ways that refuse it.
    pub symmetry: bool,
}

/// How a search is run.
#[derive(Clone, Debug)]
pub struct Way {
    pub arguments: Vec<String>,
    /// It keeps few states, so it may take too long.
    forgets: bool,
    /// It goes on behind states that break a property, so it may find more.
    goes_behind: bool,
}

impl Way {
    fn new(text: &str) -> Self {
        let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let goes_behind = text.contains("-vdfs --sleep");
        Way { arguments, forgets: false, goes_behind }
    }

    pub fn name(&self) -> String {
        self.arguments.join(" ")
    }

    fn sleeps(&self) -> bool {
        self.arguments.iter().any(|argument| argument.starts_with("--sleep"))
    }
}

/// All ways but the plain one, for a model of so many states.
pub fn ways(plan: &Plan, states: u64) -> Vec<Way> {
    let mut ways: Vec<Way> = [
        "--sleep -j1",
        "--sleep -j2 --threads-from 1",
        "--sleep -b -j1",
        "--compress-paths -j1",
        "--compress-paths -j2 --threads-from 1",
        "-vdfs",
        "-vdfs --compress-paths",
        "-vdfs --sleep",
        "-vdfs --sleep -b",
        "-vdfs --sleep=path",
    ]
    .map(Way::new)
    .into();
    for sleep in ["", "--sleep", "--sleep=path"] {
        for fraction in &plan.fractions {
            let entries = ((states as f64 * fraction) as u64).max(1);
            ways.extend(plan.policies.iter().map(|policy| {
                let text = format!("-vdfs {sleep} --cache-states {entries} --replace {policy} --seed 1");
                Way { forgets: true, ..Way::new(&text) }
            }));
        }
    }
    ways.retain(|way| !(plan.symmetry && way.sleeps()));
    ways
}

/// What is of interest in a verifier's report.
#[derive(Clone, Debug, Deserialize)]
pub struct Told {
    verdict: String,
    reason: String,
    states: u64,
    rules: u64,
    watched: Option<Watched>,
    errors: Vec<Error>,
    property_figures: Vec<Property>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Watched {
    distinct: u64,
    digest: String,
    #[serde(default)]
    states: BTreeSet<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Error {
    kind: String,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
struct Property {
    status: String,
}

impl Finding {
    fn name(self) -> &'static str {
        match self {
            Finding::Same => "the same",
            Finding::More => "the same and more",
            Finding::Verdict => "the same verdict",
            Finding::GivenUp => "given up",
        }
    }
}

impl Told {
    /// A state that breaks a property was left without looking at its successors.
    fn hides(&self) -> bool {
        self.property_figures.iter().any(|property| property.status == "violated")
    }

    fn watched(&self) -> Watched {
        self.watched.clone().unwrap_or_default()
    }

    /// In how many states there is which error.
    fn errors(&self) -> BTreeMap<String, u64> {
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

#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub way: String,
    pub result: Option<Finding>,
    /// What differs, in words.
    pub difference: Option<String>,
    pub visits: u64,
    pub rules: u64,
}

/// A model's rows.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub name: String,
    pub symmetry: bool,
    /// `None`: it has more states than were asked for, or more errors.
    pub states: Option<u64>,
    pub verdict: String,
    /// In how many states there is an error of which kind.
    pub errors: BTreeMap<String, u64>,
    pub rows: Vec<Row>,
}

impl Figures {
    fn count(&self, result: Finding) -> usize {
        self.rows.iter().filter(|row| row.result == Some(result)).count()
    }

    pub fn differences(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rows.iter().filter_map(|row| Some((row.way.as_str(), row.difference.as_deref()?)))
    }
}

/// The searches of one model.
struct Searches<'a> {
    runs: &'a Runs<'a>,
    plan: &'a Plan,
    expected: Told,
    /// If there are too many of them, and no other errors.
    without_deadlocks: Option<Told>,
    /// Visits after which a search is given up.
    bound: u64,
    errors: Errors,
}

/// How errors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    All,
    /// There are too many. States are compared with deadlocks not counting as errors if that makes an end of them, and the first
    /// error in any case.
    First {
        all_deadlocks: bool,
    },
}

/// Runs everything. `tell` is told what is being done.
pub fn compare(runs: &Runs, plan: &Plan, tell: impl Fn(&str)) -> Result<Figures, String> {
    let plain = |more: &[&str]| search(runs, plan, &["-j1"], more, plan.states);
    let expected = plain(&[&format!("--max-errors={ERRORS}"), "--watch", "distinct"])?;
    let mut figures = Figures {
        name: runs.verifier.name.clone(),
        symmetry: plan.symmetry,
        states: None,
        verdict: expected.verdict.clone(),
        errors: BTreeMap::new(),
        rows: Vec::new(),
    };
    if expected.states >= plan.states {
        return Ok(figures);
    }
    for error in &expected.errors {
        *figures.errors.entry(error.kind.clone()).or_insert(0) += 1;
    }
    let count = expected.errors.len() as u64;
    let all_deadlocks = expected.errors.iter().all(|error| error.kind == "deadlock");
    let errors = match count >= ERRORS || expected.states * count > STEPS {
        true => Errors::First { all_deadlocks },
        false => Errors::All,
    };
    let without_deadlocks = match errors {
        Errors::First { all_deadlocks: true } => Some(plain(&["-ndl", ALL, "--watch", "distinct"])?),
        Errors::All | Errors::First { .. } => None,
    };
    let expected = match expected.hides() && errors == Errors::All {
        // Then some ways find more, and it takes the states themselves to compare.
        true => plain(&[ALL, "--watch", "states"])?,
        false => expected,
    };
    let states = without_deadlocks.as_ref().unwrap_or(&expected).watched().distinct;
    figures.states = (count < ERRORS || without_deadlocks.is_some()).then_some(states);
    if without_deadlocks.as_ref().is_some_and(|told| told.states >= plan.states) {
        figures.states = None;
        return Ok(figures);
    }
    let bound = (plan.most * states).max(VISITS);
    let searches = Searches { runs, plan, expected, without_deadlocks, bound, errors };
    for way in ways(plan, states) {
        let (compared, visits, rules) = searches.compare(&way)?;
        let (result, difference) = match compared {
            Ok(result) => (Some(result), None),
            Err(difference) => (None, Some(difference)),
        };
        let way = way.name();
        let outcome = difference.clone().unwrap_or_else(|| result.map_or("", Finding::name).to_owned());
        tell(&format!("{}, {way}: {outcome}, {visits} visits, {rules} rules", figures.name));
        figures.rows.push(Row { way, result, difference, visits, rules });
    }
    Ok(figures)
}

/// Find all errors.
const ALL: &str = "--max-errors=0";

fn search(runs: &Runs, plan: &Plan, way: &[&str], more: &[&str], bound: u64) -> Result<Told, String> {
    let bound = bound.to_string();
    let symmetry = if plan.symmetry { "--symmetry=exact" } else { "-nosym" };
    let common = [symmetry, "-tn", "--max-states", &bound];
    runs.told(&[&common, way, more].concat())
}

impl Searches<'_> {
    /// What came of it, and how many visits and rules it took.
    fn compare(&self, way: &Way) -> Result<(Result<Finding, String>, u64, u64), String> {
        let arguments: Vec<&str> = way.arguments.iter().map(String::as_str).collect();
        let may_find_more = way.goes_behind && self.expected.hides();
        // Behind a state that is wrong there may be many others, and each has a trace as long as there are states.
        let bound = if may_find_more { self.bound.min(BEHIND) } else { self.bound };
        let run = |more: &[&str]| search(self.runs, self.plan, &arguments, more, bound);
        let gives_up = |told: &Told| {
            told.states >= bound && (way.forgets || may_find_more)
                || told.errors.len() as u64 >= BEHIND_ERRORS && may_find_more
        };
        let (told, compared) = match self.errors {
            Errors::First { .. } => {
                let told = run(&[])?;
                let first = match gives_up(&told) {
                    true => Ok(Finding::GivenUp),
                    false => judge_first(&self.expected, &told),
                };
                match (first, &self.without_deadlocks) {
                    (Ok(Finding::Verdict), Some(expected)) => {
                        let told = run(&["-ndl", ALL, "--watch", "distinct"])?;
                        let compared = match gives_up(&told) {
                            true => Ok(Finding::GivenUp),
                            false => judge(expected, &told, false),
                        };
                        (told, compared)
                    }
                    (first, _) => (told, first),
                }
            }
            Errors::All => {
                let some = format!("--max-errors={BEHIND_ERRORS}");
                let told = match may_find_more {
                    true => run(&[&some, "--watch", "states"])?,
                    false => run(&[ALL, "--watch", "distinct"])?,
                };
                let compared = match gives_up(&told) {
                    true => Ok(Finding::GivenUp),
                    false => judge(&self.expected, &told, may_find_more),
                };
                (told, compared)
            }
        };
        Ok((compared, told.states, told.rules))
    }
}

/// Compares the verdict and the only error.
fn judge_first(expected: &Told, told: &Told) -> Result<Finding, String> {
    let found = told.errors();
    let known = |error: &Error| expected.errors.iter().any(|expected| expected.kind == error.kind);
    match expected.verdict == told.verdict && told.errors.iter().all(known) {
        true => Ok(Finding::Verdict),
        false => {
            Err(format!("{} with {found:?} and not {}: {}", told.verdict, expected.verdict, told.reason))
        }
    }
}

/// What differs is an error, in words.
fn judge(expected: &Told, told: &Told, may_find_more: bool) -> Result<Finding, String> {
    if expected.verdict != told.verdict {
        return Err(format!("{} and not {}: {}", told.verdict, expected.verdict, told.reason));
    }
    let (here, there) = (expected.watched(), told.watched());
    let (errors, found) = (expected.errors(), told.errors());
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

pub fn render(models: &[Figures]) -> String {
    let mut text = String::from(
        "| model | states | verdict | errors | searches | the same | more | verdict | given up | differ |\n\
         |---|---:|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for figures in models {
        let errors: Vec<String> =
            figures.errors.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let unknown = if figures.rows.is_empty() { "too many" } else { "too many errors" };
        let states = figures.states.map_or(unknown.to_owned(), |states| states.to_string());
        text.push_str(&format!(
            "| {}{} | {states} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            figures.name,
            if figures.symmetry { ", symmetric" } else { "" },
            figures.verdict,
            errors.join(", "),
            figures.rows.len(),
            figures.count(Finding::Same),
            figures.count(Finding::More),
            figures.count(Finding::Verdict),
            figures.count(Finding::GivenUp),
            figures.differences().count(),
        ));
    }
    for figures in models {
        for (way, difference) in figures.differences() {
            text.push_str(&format!("\n**{}, `{way}`**: {difference}\n", figures.name));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(verdict: &str, states: &[&str], errors: &[&str]) -> Told {
        let states: BTreeSet<String> = states.iter().map(|&state| state.to_owned()).collect();
        let error =
            |&kind: &&str| Error { kind: kind.into(), message: String::new(), line: None, column: None };
        Told {
            verdict: verdict.into(),
            reason: String::new(),
            states: states.len() as u64,
            rules: 0,
            watched: Some(Watched { distinct: states.len() as u64, digest: format!("{states:?}"), states }),
            errors: errors.iter().map(error).collect(),
            property_figures: Vec::new(),
        }
    }

    #[test]
    fn what_differs_is_noticed() {
        let plain = told("violated", &["a", "b"], &["invariant", "deadlock"]);
        assert_eq!(judge(&plain, &plain, false), Ok(Finding::Same));
        let more = told("violated", &["a", "b", "c"], &["invariant", "invariant", "deadlock"]);
        assert_eq!(judge(&plain, &more, true), Ok(Finding::More));
        for other in [
            told("verified", &["a", "b"], &["invariant", "deadlock"]),
            told("violated", &["a", "c"], &["invariant", "deadlock"]),
            told("violated", &["a"], &["invariant", "deadlock"]),
            told("violated", &["a", "b"], &["invariant"]),
            told("violated", &["a", "b"], &["invariant", "undefined"]),
        ] {
            assert!(judge(&plain, &other, false).is_err(), "{other:?}");
            assert!(judge(&plain, &other, true).is_err(), "{other:?}");
        }
        assert!(judge(&plain, &more, false).is_err());
        let others = told("violated", &["a", "c", "d"], &["invariant", "invariant", "deadlock"]);
        assert!(judge(&plain, &others, true).is_err());
        assert_eq!(judge_first(&plain, &told("violated", &["a"], &["deadlock"])), Ok(Finding::Verdict));
        for other in [told("violated", &["a"], &["undefined"]), told("verified", &["a", "b"], &[])] {
            assert!(judge_first(&plain, &other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn ways_are_those_that_can_be_compared() {
        let policies = vec!["small".to_owned(), "type".to_owned()];
        let mut plan = Plan { fractions: vec![0.5, 0.1], policies, states: 1, most: 1, symmetry: false };
        let names = |plan: &Plan| ways(plan, 100).iter().map(Way::name).collect::<Vec<_>>();
        assert_eq!(names(&plan).len(), 10 + 3 * 2 * 2);
        assert!(
            names(&plan).contains(&"-vdfs --sleep=path --cache-states 10 --replace type --seed 1".into())
        );
        assert!(ways(&plan, 100).iter().all(|way| way.forgets == way.name().contains("cache")));
        plan.symmetry = true;
        assert!(names(&plan).iter().all(|name| !name.contains("sleep")));
        assert_eq!(names(&plan).len(), 4 + 4);
    }

    #[test]
    fn rows_are_counted() {
        let row = |result, difference: Option<&str>| Row {
            way: "-vdfs".into(),
            result,
            difference: difference.map(str::to_owned),
            visits: 1,
            rules: 1,
        };
        let figures = Figures {
            name: "ring".into(),
            symmetry: false,
            states: Some(7),
            verdict: "violated".into(),
            errors: [("deadlock".to_owned(), 2)].into(),
            rows: vec![row(Some(Finding::Same), None), row(None, Some("6 states"))],
        };
        let text = render(&[figures]);
        assert!(text.contains("| ring | 7 | violated | deadlock 2 | 2 | 1 | 0 | 0 | 0 | 1 |"), "{text}");
        assert!(text.contains("**ring, `-vdfs`**: 6 states"), "{text}");
    }
}
