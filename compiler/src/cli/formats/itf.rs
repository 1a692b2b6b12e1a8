//! The first counterexample in the Informal Trace Format, which Apalache and Quint read.
//!
//! Records and arrays are objects, multisets are lists, and what is undefined is `#unserializable`.
//! Rules and parameters are in the `#meta` of each state. Of a run that goes round for ever, `loop`
//! is the position of the state that follows the last one.

use std::collections::BTreeMap;

use mcc_runtime::embedding::{ErrorReport, Report, Step, Value};
use serde_json::{Map, Value as Json, json};

use super::{Outcome, VERSION};

/// The text; nothing, if there is no counterexample.
pub fn text(outcomes: &[Outcome]) -> Option<Result<String, String>> {
    let (outcome, report, error) = outcomes.iter().find_map(|outcome| match &outcome.run {
        Some(Ok(report)) => {
            report.errors.iter().find(|error| error.trace.is_some()).map(|error| (outcome, report, error))
        }
        _ => None,
    })?;
    let document = document(&outcome.path, report, error);
    let text = serde_json::to_string_pretty(&document);
    Some(text.map(|text| text + "\n").map_err(|error| error.to_string()))
}

fn document(path: &str, report: &Report, error: &ErrorReport) -> Json {
    let steps = error.trace.as_deref().unwrap_or_default();
    let first = steps.iter().find_map(|step| step.state.as_ref());
    let variables: Vec<&String> =
        first.iter().flat_map(|state| &state.variables).map(|(name, _)| name).collect();
    let mut document = json!({
        "#meta": {
            "format": "ITF",
            "source": path,
            "mcc": VERSION,
            "error": error.message,
            "constants": listed(&report.model.constants),
        },
        "vars": variables,
        "states": states(steps),
    });
    if let Some(begins) = error.looped.as_ref().map(|looped| looped.begins) {
        // What follows the last state, which is the one with which the loop begins.
        let last = steps.len().saturating_sub(1);
        document["loop"] = json!((begins + 1).min(last));
    }
    document
}

/// A rule that goes wrong has no state: the last state says which one it is.
fn states(steps: &[Step]) -> Vec<Json> {
    let mut states: Vec<Json> = Vec::new();
    for step in steps {
        match &step.state {
            Some(state) => {
                let meta = json!({ "index": states.len(), "rule": step.rule, "parameters": listed(&step.parameters) });
                let mut object = Map::new();
                object.insert("#meta".to_owned(), meta);
                object.extend(state.variables.iter().map(|(name, value)| (name.clone(), json(value))));
                states.push(Json::Object(object));
            }
            None => {
                if let Some(last) = states.last_mut() {
                    last["#meta"]["fails"] = json!(step.to_string());
                }
            }
        }
    }
    states
}

/// Readers take texts alone in `#meta`.
fn listed(values: &BTreeMap<String, String>) -> String {
    values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

fn json(value: &Value) -> Json {
    match value {
        Value::Undefined => json!({ "#unserializable": "undefined" }),
        Value::Boolean(value) => json!(value),
        Value::Number(number) => json!({ "#bigint": number.to_string() }),
        Value::Name(name) => json!(name),
        Value::Parts(parts) => {
            Json::Object(parts.iter().map(|(name, value)| (name.clone(), json(value))).collect())
        }
        Value::Bag(elements) => {
            Json::Array(elements.iter().filter(|one| **one != Value::Undefined).map(json).collect())
        }
    }
}
