//! The Informal Trace Format, which Apalache and Quint read and write: a walk as such a file, and
//! such a file as a walk.
//!
//! A file says which states follow each other, not by which rules: those are found again. Where
//! the file names a rule in the `#meta` of a state, as ours do, that rule is preferred. States may
//! leave variables out; of a multiset only the elements count, not their slots.

use mcc_runtime::contract::values::{Value, instance, variables};
use mcc_runtime::host::text::printable;
use mcc_runtime::model::{Description, Family, Model};
use serde_json::{Map, Value as Json, json};

use super::{Effect, Move, Walker};

/// States that one of the file may stand for, where it leaves variables out.
const MOST_CANDIDATES: usize = 256;

/// A file that was read.
#[derive(Debug)]
pub struct Itf {
    pub states: Vec<Map<String, Json>>,
    /// What the file says that it shows.
    pub error: Option<String>,
    /// The rule that goes wrong in the last state.
    fails: Option<String>,
}

impl Itf {
    /// What should be known about the file.
    pub fn notes(&self) -> Vec<String> {
        let fails = self.fails.iter().map(|rule| format!("in its last state {} goes wrong", printable(rule)));
        fails.collect()
    }
}

/// Whether the bytes are such a file rather than a report.
pub fn looks_like(bytes: &[u8]) -> bool {
    let parsed: Result<Map<String, Json>, _> = serde_json::from_slice(bytes);
    parsed.is_ok_and(|file| file.contains_key("states") && !file.contains_key("schema"))
}

pub fn read(bytes: &[u8]) -> Result<Itf, String> {
    let file: Map<String, Json> =
        serde_json::from_slice(bytes).map_err(|error| format!("this is not ITF: {error}"))?;
    let Some(Json::Array(all)) = file.get("states") else {
        return Err("this is not ITF: `states` is not a list".to_owned());
    };
    let states: Option<Vec<Map<String, Json>>> = all.iter().map(|one| one.as_object().cloned()).collect();
    let states = states.ok_or("this is not ITF: a state is not an object")?;
    let text = |json: Option<&Json>| json.and_then(Json::as_str).map(str::to_owned);
    let error = text(file.get("#meta").and_then(|meta| meta.get("error")));
    let fails = text(states.last().and_then(|state| state.get("#meta")?.get("fails")));
    Ok(Itf { states, error, fails })
}

/// A state that the file may mean, the instance that led to it, and its place in the level before.
struct Candidate {
    state: Vec<u64>,
    number: u32,
    before: usize,
}

/// The start state and the rules of the file.
pub fn follow(walker: &Walker, file: &Itf) -> Result<Vec<u32>, String> {
    let description = walker.description();
    let mut levels: Vec<Vec<Candidate>> = Vec::new();
    for (at, recorded) in file.states.iter().enumerate() {
        let mut found: Vec<(bool, Candidate)> = Vec::new();
        let mut nearest: Option<(usize, String)> = None;
        let mut consider = |moves: Vec<Move>, families, before| {
            for Move { number, effect } in moves {
                let Effect::To(state) = effect else { continue };
                let differences = differences(description, &state, recorded);
                if let Some(first) = differences.first() {
                    let count = differences.len();
                    if nearest.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
                        nearest = Some((count, first.clone()));
                    }
                    continue;
                }
                let known = found.iter().any(|(_, one)| one.state == state && one.number == number);
                if !known && found.len() < MOST_CANDIDATES {
                    let named = is_named(families, number, recorded);
                    found.push((named, Candidate { state, number, before }));
                }
            }
        };
        match levels.last() {
            None => consider(walker.starts(), description.starts, 0),
            Some(level) => {
                for (before, one) in level.iter().enumerate() {
                    consider(walker.moves(&one.state), description.rules, before);
                }
            }
        }
        if found.is_empty() {
            let what = match at {
                0 => "the model has no start state".to_owned(),
                _ => format!("no rule leads from state {} to a state", at - 1),
            };
            let nearest = nearest.map_or(String::new(), |(_, why)| format!("; the nearest differs: {why}"));
            return Err(format!("state {at} cannot be reached: {what} like it{nearest}"));
        }
        found.sort_by_key(|(named, _)| !named);
        levels.push(found.into_iter().map(|(_, one)| one).collect());
    }
    let mut numbers = Vec::new();
    let mut place = 0;
    for level in levels.iter().rev() {
        let Some(one) = level.get(place) else { break };
        numbers.push(one.number);
        place = one.before;
    }
    numbers.reverse();
    if numbers.is_empty() { Err("the file has no states".to_owned()) } else { Ok(numbers) }
}

/// Whether the file says that this instance led to the state.
fn is_named(families: &'static [Family], number: u32, recorded: &Map<String, Json>) -> bool {
    let Some(meta) = recorded.get("#meta") else { return false };
    let rule = meta.get("rule").and_then(Json::as_str);
    let listed = meta.get("parameters").and_then(Json::as_str);
    instance(families, number).is_some_and(|found| {
        Some(found.family.name) == rule && listed.is_none_or(|listed| listed == parameters(families, number))
    })
}

/// Readers take texts alone in `#meta`.
fn parameters(families: &'static [Family], number: u32) -> String {
    let mut listed: Vec<String> = instance(families, number)
        .iter()
        .flat_map(|found| &found.arguments)
        .map(|argument| format!("{}={}", argument.parameter.name, argument.label()))
        .collect();
    listed.sort();
    listed.join(", ")
}

/// The variables that are not as recorded.
fn differences(description: &Description, state: &[u64], recorded: &Map<String, Json>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in variables(description, state) {
        if let Some(json) = recorded.get(name)
            && !same(&value, json)
        {
            found.push(format!("{name} is not the same"));
        }
    }
    let unknown = |name: &&String| {
        !name.starts_with('#') && !description.variables.iter().any(|variable| variable.name == *name)
    };
    let strange = recorded.keys().filter(unknown);
    found.extend(strange.map(|name| format!("the model has no variable {}", printable(name))));
    found
}

fn same(own: &Value, recorded: &Json) -> bool {
    match own {
        Value::Undefined => recorded.is_null() || recorded.get("#unserializable").is_some(),
        Value::Number(number) => match recorded.get("#bigint") {
            Some(text) => text.as_str().and_then(|text| text.parse().ok()) == Some(*number),
            None => recorded.as_i64() == Some(*number),
        },
        Value::Boolean(value) => recorded.as_bool() == Some(*value),
        Value::Name(name) => recorded.as_str() == Some(name),
        Value::Array(parts) => {
            let parts: Vec<(&str, &Value)> = parts.iter().map(|(key, value)| (key.as_ref(), value)).collect();
            same_parts(&parts, recorded)
        }
        Value::Record(parts) => {
            let parts: Vec<(&str, &Value)> = parts.iter().map(|(key, value)| (*key, value)).collect();
            same_parts(&parts, recorded)
        }
        Value::Bag(slots) => {
            let recorded = recorded.get("#set").unwrap_or(recorded);
            let Json::Array(recorded) = recorded else { return false };
            let mut left: Vec<&Json> = recorded.iter().collect();
            slots.iter().flatten().all(|own| {
                let place = left.iter().position(|json| same(own, json));
                place.map(|place| left.swap_remove(place)).is_some()
            }) && left.is_empty()
        }
    }
}

/// Parts are an object, or a function as a list of pairs.
fn same_parts(parts: &[(&str, &Value)], recorded: &Json) -> bool {
    let key = |json: &Json| match json {
        Json::String(text) => text.clone(),
        Json::Object(big) => big.get("#bigint").and_then(Json::as_str).unwrap_or_default().to_owned(),
        other => other.to_string(),
    };
    let found: Vec<(String, &Json)> = match (recorded.get("#map"), recorded) {
        (Some(Json::Array(pairs)), _) => {
            pairs.iter().filter_map(|pair| Some((key(pair.get(0)?), pair.get(1)?))).collect()
        }
        (_, Json::Object(object)) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
        _ => return false,
    };
    found.len() == parts.len()
        && parts.iter().all(|(name, own)| {
            found.iter().find(|(key, _)| key == name).is_some_and(|(_, json)| same(own, json))
        })
}

/// The text of a file with these states.
pub fn write(
    walker: &Walker,
    start: u32,
    rules: &[u32],
    states: &[&[u64]],
    error: Option<String>,
) -> Result<String, String> {
    let description = walker.model.description();
    let names: Vec<&str> = description.variables.iter().map(|variable| variable.name).collect();
    let steps = std::iter::once((description.starts, start))
        .chain(rules.iter().map(|rule| (description.rules, *rule)));
    let states: Vec<Json> = steps
        .zip(states)
        .enumerate()
        .map(|(index, ((families, number), state))| {
            let rule = instance(families, number).map_or("", |found| found.family.name);
            let meta = json!({ "index": index, "rule": rule, "parameters": parameters(families, number) });
            let mut object = Map::new();
            object.insert("#meta".to_owned(), meta);
            let all = variables(description, state);
            object.extend(all.iter().map(|(name, value)| ((*name).to_owned(), itf(value))));
            Json::Object(object)
        })
        .collect();
    let constants: Vec<String> =
        description.constants.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let meta = json!({
        "format": "ITF", "source": description.name, "error": error.unwrap_or_default(),
        "constants": constants.join(", "),
    });
    let document = json!({ "#meta": meta, "vars": names, "states": states });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn itf(value: &Value) -> Json {
    match value {
        Value::Undefined => json!({ "#unserializable": "undefined" }),
        Value::Number(number) => json!({ "#bigint": number.to_string() }),
        Value::Boolean(value) => json!(value),
        Value::Name(name) => json!(name),
        Value::Array(parts) => {
            Json::Object(parts.iter().map(|(key, value)| (key.to_string(), itf(value))).collect())
        }
        Value::Record(parts) => {
            Json::Object(parts.iter().map(|(key, value)| ((*key).to_owned(), itf(value))).collect())
        }
        Value::Bag(slots) => slots.iter().flatten().map(itf).collect(),
    }
}
