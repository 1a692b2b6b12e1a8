//! SARIF 2.1.0: properties and kinds of errors are rules, an error of a model is a result with its
//! counterexample as a thread flow, and what the compiler says is a result, too.

use std::collections::BTreeMap;

use mcc_runtime::embedding::{ErrorReport, Report, Step};
use serde_json::{Value, json};

use super::{Outcome, Said, Status, VERSION};
use crate::diagnostics::explain::explain;
use crate::library::{Error, Message, Severity};

/// Rules by their identifiers, numbered in the order of their first use.
#[derive(Default)]
struct Rules {
    numbers: BTreeMap<String, usize>,
    list: Vec<Value>,
    said: Said,
}

impl Rules {
    /// The number of a rule, which is listed if it is new. GitHub's code scanning demands `help`
    /// and `fullDescription` of each.
    fn number(&mut self, id: &str, text: &str, help: &str) -> usize {
        if let Some(number) = self.numbers.get(id) {
            return *number;
        }
        let number = self.list.len();
        self.numbers.insert(id.to_owned(), number);
        self.list.push(json!({
            "id": id,
            "shortDescription": { "text": text },
            "fullDescription": { "text": text },
            "help": { "text": help, "markdown": help },
        }));
        number
    }
}

const VIOLATED: &str = "The steps of the result lead from a start state to the error. \
                        `mcc run MODEL` finds it again and prints what each step changes.";
const NOT_AS_EXPECTED: &str = "What is expected of a model stands in the `.toml` file beside it.";

pub fn text(outcomes: &[Outcome]) -> Result<String, String> {
    let mut rules = Rules::default();
    let mut results = Vec::new();
    for outcome in outcomes {
        outcome_results(outcome, &mut rules, &mut results);
    }
    // The text before the first blank is the version as such.
    let version = VERSION.split(' ').next().unwrap_or(VERSION);
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mcc",
                "version": VERSION,
                "semanticVersion": version,
                "rules": rules.list,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn outcome_results(outcome: &Outcome, rules: &mut Rules, results: &mut Vec<Value>) {
    for message in &outcome.messages {
        results.extend(message_result(message, rules));
    }
    match &outcome.run {
        Some(Ok(report)) => {
            let expected = outcome.status() == Status::Passed;
            for error in &report.errors {
                results.push(error_result(outcome, report, error, expected, rules));
            }
            if report.errors.is_empty() && !expected {
                results.push(plain_result(
                    outcome,
                    "unexpected",
                    "The result is not what was expected",
                    rules,
                ));
            }
        }
        Some(Err(Error::Wrong(messages))) => {
            results.extend(messages.iter().filter_map(|message| message_result(message, rules)));
        }
        Some(Err(_)) => results.push(plain_result(outcome, "not-run", "The model could not be run", rules)),
        None => {}
    }
}

/// Nothing, if another run of the model has the same one.
fn message_result(message: &Message, rules: &mut Rules) -> Option<Value> {
    if !rules.said.is_new(message) {
        return None;
    }
    let help = explain(message.code).unwrap_or(message.code);
    let number = rules.number(message.code, &message.code.replace('-', " "), help);
    let level = match message.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place = |place: &crate::library::Place| {
        json!({
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&message.file) },
                "region": {
                    "startLine": place.line,
                    "startColumn": place.column,
                    "endLine": place.end_line,
                    "endColumn": place.end_column,
                },
            },
        })
    };
    let help = message.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    let mut result = json!({
        "ruleId": message.code,
        "ruleIndex": number,
        "level": level,
        "message": { "text": format!("{}{help}", message.message) },
        "locations": message.places.iter().take(1).map(place).collect::<Vec<_>>(),
    });
    let related: Vec<Value> = message
        .places
        .iter()
        .skip(1)
        .map(|one| {
            let mut location = place(one);
            location["message"] = json!({ "text": one.label });
            location
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    Some(result)
}

fn error_result(
    outcome: &Outcome,
    report: &Report,
    error: &ErrorReport,
    expected: bool,
    rules: &mut Rules,
) -> Value {
    let property =
        report.properties.iter().find(|one| Some(one.line) == error.line && one.kind == error.kind);
    let (id, text) = match property {
        Some(property) => (format!("{}/{}", property.kind, property.name), property.name.clone()),
        None => (error.kind.clone(), error.kind.clone()),
    };
    let number = rules.number(&id, &text, VIOLATED);
    let mut result = json!({
        "ruleId": id,
        "ruleIndex": number,
        // An error that the expectations ask for is worth a note.
        "level": if expected { "note" } else { "error" },
        "message": { "text": error.message },
        "locations": [location(&outcome.path, error.line, error.column)],
        "properties": properties(outcome, Some(report)),
    });
    if let Some(trace) = &error.trace {
        let steps: Vec<Value> = trace
            .iter()
            .enumerate()
            .map(|(number, step)| {
                let line = report.rule_reports.get(step.family).map(|rule| rule.line).filter(|_| number > 0);
                let mut location = location(&outcome.path, line, None);
                location["message"] = json!({ "text": step.to_string() });
                json!({ "location": location, "executionOrder": number + 1, "state": state(step) })
            })
            .collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn plain_result(outcome: &Outcome, id: &str, text: &str, rules: &mut Rules) -> Value {
    json!({
        "ruleId": id,
        "ruleIndex": rules.number(id, text, NOT_AS_EXPECTED),
        "level": "error",
        "message": { "text": outcome.explanation() },
        "locations": [location(&outcome.path, None, None)],
        "properties": properties(outcome, None),
    })
}

fn properties(outcome: &Outcome, report: Option<&Report>) -> Value {
    let constants: BTreeMap<_, _> = outcome.definitions.iter().cloned().collect();
    match report {
        Some(report) => json!({
            "constants": constants,
            "verdict": report.verdict,
            "states": report.states,
            "rules": report.rules,
        }),
        None => json!({ "constants": constants }),
    }
}

fn location(path: &str, line: Option<u32>, column: Option<u32>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(path) } });
    if let Some(line) = line {
        place["region"] = json!({ "startLine": line });
        if let Some(column) = column {
            place["region"]["startColumn"] = json!(column);
        }
    }
    json!({ "physicalLocation": place })
}

/// The variables after a step.
fn state(step: &Step) -> Value {
    let variables = step.state.iter().flat_map(|state| &state.variables);
    Value::Object(
        variables.map(|(name, value)| (name.clone(), json!({ "text": value.to_string() }))).collect(),
    )
}

/// A path as a reference: the bytes that have a meaning there are escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
