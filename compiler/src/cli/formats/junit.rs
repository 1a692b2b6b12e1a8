//! A test case for each run of a model, in the form of JUnit.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Outcome, Status, VERSION};

pub fn text(outcomes: &[Outcome]) -> Result<String, String> {
    let mut report = Report::new("mcc");
    let mut suite = TestSuite::new("models");
    suite.add_property(Property::new("mcc.version", VERSION));
    for outcome in outcomes {
        suite.add_test_case(case(outcome));
    }
    report.add_test_suite(suite);
    report.to_string().map_err(|error| error.to_string())
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
    case.set_time(Duration::from_secs_f64(outcome.seconds.max(0.0)));
    if outcome.status() != Status::Passed {
        let first = explanation.lines().next().unwrap_or("").to_owned();
        case.status.set_message(first).set_description(explanation);
    }
    for (name, value) in &outcome.definitions {
        case.add_property(Property::new(format!("define.{name}"), value.clone()));
    }
    if let Some(Ok(report)) = &outcome.run {
        case.add_property(Property::new("verdict", report.verdict.to_string()));
        case.add_property(Property::new("states", report.states.to_string()));
        case.add_property(Property::new("rules", report.rules.to_string()));
        if let Some(error) = report.errors.first() {
            case.add_property(Property::new("error", error.message.clone()));
        }
    }
    case
}
