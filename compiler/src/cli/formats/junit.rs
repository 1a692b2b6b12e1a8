//! A test case for each run of a model, in the form of JUnit, by the schema of Jenkins: there a
//! test case has no properties, so what was found is its output.

use std::fmt::Write as _;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Outcome, Status, VERSION};
use crate::library::Error;

pub fn text(outcomes: &[Outcome]) -> Result<String, String> {
    let mut report = Report::new("mcc");
    let mut suite = TestSuite::new("models");
    suite.add_property(Property::new("mcc.version", VERSION));
    for outcome in outcomes {
        suite.add_test_case(case(outcome));
    }
    // Of all runs together, although some of them went on at the same time.
    suite.set_time(outcomes.iter().map(seconds).sum());
    report.add_test_suite(suite);
    // The schema does not know this attribute, which says nothing here. It stands before all text
    // of the user's.
    let text = report.to_string().map_err(|error| error.to_string())?;
    Ok(text.replacen(" disabled=\"0\"", "", 1))
}

fn case(outcome: &Outcome) -> TestCase {
    let explanation = outcome.explanation();
    let status = match outcome.status() {
        Status::Passed => TestCaseStatus::success(),
        Status::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Status::Wrong | Status::Inconclusive => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    let mut case = TestCase::new(outcome.title(), status);
    case.set_classname(outcome.path.clone());
    case.set_time(seconds(outcome));
    if outcome.status() != Status::Passed {
        let first = explanation.lines().next().unwrap_or("").to_owned();
        case.status.set_message(first).set_description(explanation).set_type(kind(outcome));
    }
    let mut found = String::new();
    for (name, value) in &outcome.definitions {
        let _ = writeln!(found, "define {name}: {value}");
    }
    if let Some(Ok(report)) = &outcome.run {
        let _ = writeln!(found, "verdict: {}", report.verdict);
        let _ = writeln!(found, "states: {}", report.states);
        let _ = writeln!(found, "rules: {}", report.rules);
        if let Some(error) = report.errors.first() {
            let _ = writeln!(found, "error: {}", error.message);
        }
    }
    if !found.is_empty() {
        case.set_system_out(found);
    }
    case
}

fn seconds(outcome: &Outcome) -> Duration {
    Duration::try_from_secs_f64(outcome.seconds).unwrap_or_default()
}

/// In a word what went wrong: of a violation the kind of the first error.
fn kind(outcome: &Outcome) -> &str {
    match &outcome.run {
        Some(Ok(report)) => match report.errors.first() {
            Some(error) => &error.kind,
            None => "unexpected",
        },
        Some(Err(Error::Cancelled)) => "cancelled",
        Some(Err(Error::Wrong(_))) | None => "model",
        Some(Err(_)) => "not-run",
    }
}
