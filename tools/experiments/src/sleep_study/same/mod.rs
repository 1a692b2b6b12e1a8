//! Whether searches that leave something out find what a plain one finds: the same states as a set,
//! the same verdict, the same errors.

mod judge;
mod ways;

use crate::shared::{ExperimentError, Runs};
use judge::{Finding, Report, judge, judge_first};
use serde::Serialize;
use std::collections::BTreeMap;
use ways::{Way, ways};

/// Visits that any search may make, however few states there are.
const VISITS: u64 = 20_000;
/// Visits where violating states are explored, and what lies behind them.
const BEHIND: u64 = 3_000;
/// Errors that are looked for there.
const BEHIND_ERRORS: u64 = 1_000;
/// Steps that the traces of all errors may have in all. They are all in the report.
const STEPS: u64 = 8_000_000;
/// Errors that may be in the report.
const ERRORS: u64 = 2000;

/// What is run.
pub struct Plan {
    /// States beside the path, as parts of all states.
    pub fractions: Vec<f64>,
    pub policies: Vec<String>,
    /// A model of more states is not compared.
    pub states: u64,
    /// A search that evicts states is given up after this number of visits for each state, and with
    /// it what lies behind violating states.
    pub most: u64,
    /// With symmetry reduction, and so without the searches that refuse it.
    pub symmetry: bool,
    /// Of the choice of what is evicted.
    pub seed: u64,
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
    expected: Report,
    /// If there are too many of them, and no other errors.
    without_deadlocks: Option<Report>,
    /// Visits after which a search is given up.
    bound: u64,
    errors: Errors,
}

/// How errors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    All,
    /// There are too many. States are compared with deadlocks not counting as errors if that makes
    /// an end of them, and the first error in any case.
    First {
        all_deadlocks: bool,
    },
}

/// Runs everything. `progress` is called with what was done.
pub fn compare(runs: &Runs, plan: &Plan, progress: impl Fn(&str)) -> Result<Figures, ExperimentError> {
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
    for error in &expected.details.errors {
        *figures.errors.entry(error.kind.clone()).or_insert(0) += 1;
    }
    let count = expected.details.errors.len() as u64;
    let all_deadlocks = expected.details.errors.iter().all(|error| error.kind == "deadlock");
    let errors = match count >= ERRORS || expected.states * count > STEPS {
        true => Errors::First { all_deadlocks },
        false => Errors::All,
    };
    let without_deadlocks = match errors {
        Errors::First { all_deadlocks: true } => Some(plain(&["-ndl", ALL, "--watch", "distinct"])?),
        Errors::All | Errors::First { .. } => None,
    };
    let expected = match expected.details.hides() && errors == Errors::All {
        // Then some ways find more, and it takes the states themselves to compare.
        true => plain(&[ALL, "--watch", "states"])?,
        false => expected,
    };
    let states = without_deadlocks.as_ref().unwrap_or(&expected).details.watched().distinct;
    figures.states = (count < ERRORS || without_deadlocks.is_some()).then_some(states);
    if without_deadlocks.as_ref().is_some_and(|report| report.states >= plan.states) {
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
        progress(&format!("{}, {way}: {outcome}, {visits} visits, {rules} rules", figures.name));
        figures.rows.push(Row { way, result, difference, visits, rules });
    }
    Ok(figures)
}

/// Find all errors.
const ALL: &str = "--max-errors=0";

fn search(
    runs: &Runs,
    plan: &Plan,
    way: &[&str],
    more: &[&str],
    bound: u64,
) -> Result<Report, ExperimentError> {
    let bound = bound.to_string();
    let symmetry = if plan.symmetry { "--symmetry=exact" } else { "-nosym" };
    let common = [symmetry, "-tn", "--max-states", &bound];
    runs.with_deadlocks(&[&common, way, more].concat())
}

impl Searches<'_> {
    /// What came of it, and how many visits and rules it took.
    fn compare(&self, way: &Way) -> Result<(Result<Finding, String>, u64, u64), ExperimentError> {
        let arguments: Vec<&str> = way.arguments.iter().map(String::as_str).collect();
        let may_find_more = way.goes_behind && self.expected.details.hides();
        // Behind a violating state there may be many others, and each has a trace as long as there
        // are states.
        let bound = if may_find_more { self.bound.min(BEHIND) } else { self.bound };
        let run = |more: &[&str]| search(self.runs, self.plan, &arguments, more, bound);
        let gives_up = |report: &Report| {
            report.states >= bound && (way.evicts || may_find_more)
                || report.details.errors.len() as u64 >= BEHIND_ERRORS && may_find_more
        };
        let (report, compared) = match self.errors {
            Errors::First { .. } => {
                let report = run(&[])?;
                let first = match gives_up(&report) {
                    true => Ok(Finding::GivenUp),
                    false => judge_first(&self.expected, &report),
                };
                match (first, &self.without_deadlocks) {
                    (Ok(Finding::Verdict), Some(expected)) => {
                        let report = run(&["-ndl", ALL, "--watch", "distinct"])?;
                        let compared = match gives_up(&report) {
                            true => Ok(Finding::GivenUp),
                            false => judge(expected, &report, false),
                        };
                        (report, compared)
                    }
                    (first, _) => (report, first),
                }
            }
            Errors::All => {
                let some = format!("--max-errors={BEHIND_ERRORS}");
                let report = match may_find_more {
                    true => run(&[&some, "--watch", "states"])?,
                    false => run(&[ALL, "--watch", "distinct"])?,
                };
                let compared = match gives_up(&report) {
                    true => Ok(Finding::GivenUp),
                    false => judge(&self.expected, &report, may_find_more),
                };
                (report, compared)
            }
        };
        Ok((compared, report.states, report.rules))
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
