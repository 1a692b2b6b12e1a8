//! All results in one JSON document: `mcc-verify/1`.

use std::collections::BTreeMap;

use mcc_runtime::embedding::Report;
use serde::Serialize;

use super::{Outcome, Status, VERSION};
use crate::library::Message;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    mcc: &'static str,
    results: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    model: &'a str,
    entry: Option<&'a str>,
    constants: BTreeMap<&'a str, &'a str>,
    status: &'static str,
    seconds: f64,
    differences: &'a [String],
    diagnostics: &'a [Message],
    error: Option<String>,
    report: Option<&'a Report>,
}

pub fn text(outcomes: &[Outcome]) -> Result<String, String> {
    let document =
        Document { schema: "mcc-verify/1", mcc: VERSION, results: outcomes.iter().map(row).collect() };
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn row(outcome: &Outcome) -> Row<'_> {
    Row {
        model: &outcome.path,
        entry: outcome.entry.as_deref(),
        constants: outcome.definitions.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        status: match outcome.status() {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Wrong => "wrong",
            Status::Inconclusive => "inconclusive",
        },
        seconds: outcome.seconds,
        differences: &outcome.differences,
        diagnostics: &outcome.messages,
        error: outcome.run.as_ref().and_then(|run| run.as_ref().err()).map(ToString::to_string),
        report: outcome.run.as_ref().and_then(|run| run.as_ref().ok()),
    }
}
