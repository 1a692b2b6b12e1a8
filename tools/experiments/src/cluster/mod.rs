//! Several processes on one search (`--cluster local:N`): whether they find what one finds
//! ([`same`]), also after kills ([`kills`]), and how fast they are ([`speed`]).

pub mod kills;
pub mod same;
pub mod scale;
pub mod speed;

use crate::shared::{ExperimentError, Verifier};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What must not depend on the number of processes and threads: figures of the search, and for each
/// error its property, its message and the length of its trace.
pub fn figures(report: &Value) -> Value {
    let keys = ["verdict", "states", "rules", "depth", "rule_figures", "property_figures"];
    let mut all: serde_json::Map<String, Value> =
        keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect();
    let errors = report["errors"].as_array().map_or(&[][..], Vec::as_slice).iter().map(|error| {
        let steps = error["trace"].as_array().map(Vec::len);
        serde_json::json!([error["kind"], error["message"], steps])
    });
    all.insert("errors".to_owned(), errors.collect());
    Value::Object(all)
}

/// What differs between two searches, in words. Empty: nothing.
pub fn differences(expected: &Value, found: &Value) -> String {
    let (Some(expected), Some(found)) = (expected.as_object(), found.as_object()) else {
        return "there is no report".to_owned();
    };
    let differ = expected.iter().filter(|(key, value)| found.get(*key) != Some(*value));
    let words = differ.map(|(key, value)| {
        let short = |value: &Value| value.to_string().chars().take(120).collect::<String>();
        format!("{key}: {} instead of {}", found.get(key).map_or_else(String::new, short), short(value))
    });
    words.collect::<Vec<_>>().join("; ")
}

/// The processes that a process has started.
pub fn children(process: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// Kills a process that an experiment has started.
fn kill(process: u32) -> Result<bool, ExperimentError> {
    let status = Command::new("kill").arg("-KILL").arg(process.to_string()).status()?;
    Ok(status.success())
}

/// The report of one search.
fn report(verifier: &Verifier, arguments: &[String]) -> Result<Value, ExperimentError> {
    verifier.run(arguments)
}

fn is_there(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}
