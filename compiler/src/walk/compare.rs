//! A recorded state against the interpreter's own, variable by variable; recorded parameters
//! against the model's.

use std::collections::BTreeMap;

use mcc_runtime::contract::values::{Value, variables};
use mcc_runtime::host::text::printable;
use mcc_runtime::model::{Description, Family, Labels, Parameter};
use serde_json::Value as Json;

/// Longer values are cut in messages.
const LONGEST: usize = 60;

/// The first difference, in words.
pub fn difference(description: &Description, state: &[u64], recorded: &Json) -> Option<String> {
    let Json::Object(recorded) = recorded else {
        return Some(format!("the recorded state is {}, not an object of variables", brief(recorded)));
    };
    let own = variables(description, state);
    for (name, value) in &own {
        match recorded.get(*name) {
            None => return Some(format!("the recorded state lacks the variable {name}")),
            Some(json) => {
                if let Some(found) = differ(name, value, json) {
                    return Some(found);
                }
            }
        }
    }
    unknown(recorded.keys(), own.iter().map(|(name, _)| *name))
        .map(|name| format!("the recorded state has {}, and the model no such variable", quoted(name)))
}

fn differ(path: &str, own: &Value, recorded: &Json) -> Option<String> {
    let same = match (own, recorded) {
        (Value::Undefined, Json::Null) => true,
        (Value::Number(own), Json::Number(recorded)) => recorded.as_i64() == Some(*own),
        (Value::Boolean(own), Json::Bool(recorded)) => own == recorded,
        (Value::Name(own), Json::String(recorded)) => own == recorded,
        (Value::Array(elements), Json::Object(recorded)) => {
            let parts = elements.iter().map(|(index, value)| (index.as_ref(), value));
            return parts_differ(parts, recorded, |index| format!("{path}[{index}]"));
        }
        (Value::Record(fields), Json::Object(recorded)) => {
            let parts = fields.iter().map(|(name, value)| (*name, value));
            return parts_differ(parts, recorded, |name| format!("{path}.{name}"));
        }
        (Value::Bag(own), Json::Array(recorded)) => {
            if own.len() != recorded.len() {
                let (ours, theirs) = (own.len(), recorded.len());
                return Some(format!("{path} has {theirs} elements in the trace, and {ours} here"));
            }
            let mut pairs = own.iter().zip(recorded).enumerate();
            return pairs.find_map(|(slot, (own, recorded))| {
                let path = format!("{path}{{{slot}}}");
                match own {
                    Some(own) => differ(&path, own, recorded),
                    None if recorded.is_null() => None,
                    None => Some(format!("{path} is {} in the trace, and empty here", brief(recorded))),
                }
            });
        }
        _ => false,
    };
    (!same).then(|| {
        let own = serde_json::to_value(own).unwrap_or_default();
        format!("{path} is {} in the trace, and {} here", brief(recorded), brief(&own))
    })
}

fn parts_differ<'a>(
    parts: impl Iterator<Item = (&'a str, &'a Value)> + Clone,
    recorded: &serde_json::Map<String, Json>,
    path: impl Fn(&str) -> String,
) -> Option<String> {
    for (name, value) in parts.clone() {
        let found = match recorded.get(name) {
            Some(json) => differ(&path(name), value, json),
            None => Some(format!("{} is not in the trace", path(name))),
        };
        if found.is_some() {
            return found;
        }
    }
    unknown(recorded.keys(), parts.map(|(name, _)| name))
        .map(|name| format!("the trace has {}, and the model no such value", path(&printable(name))))
}

fn unknown<'a>(
    recorded: impl Iterator<Item = &'a String>,
    own: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a String> {
    let known: std::collections::HashSet<&str> = own.collect();
    recorded.into_iter().find(|name| !known.contains(name.as_str()))
}

/// Why no instance of a rule has such parameters.
pub fn wrong_parameters(family: &Family, recorded: &BTreeMap<String, String>) -> Option<String> {
    for (name, value) in recorded {
        let mut named = family.parameters.iter().filter(|parameter| parameter.name == name).peekable();
        if named.peek().is_none() {
            return Some(format!("it has no parameter {}", quoted(name)));
        }
        if !named.any(|parameter| takes(parameter, value)) {
            return Some(format!("its parameter {name} never is {}", quoted(value)));
        }
    }
    let missing = family.parameters.iter().find(|parameter| !recorded.contains_key(parameter.name));
    missing.map(|parameter| format!("its parameter {} is not in the trace", parameter.name))
}

/// Whether a value that prints so is one of a parameter's.
fn takes(parameter: &Parameter, text: &str) -> bool {
    let named = match parameter.ty.labels {
        Labels::Numbers => None,
        Labels::Names(names) => names.iter().position(|name| *name == text),
    };
    let value = match named {
        Some(at) => i128::from(parameter.ty.low) + at as i128,
        None => match text.parse::<i64>() {
            Ok(number) => i128::from(number),
            Err(_) => return false,
        },
    };
    let (distance, step) = (value - i128::from(parameter.first), i128::from(parameter.step));
    step != 0 && distance % step == 0 && (0..i128::from(parameter.count)).contains(&(distance / step))
}

/// A name from a file, safe to print.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", cut(&printable(text)))
}

/// A value from a file, safe to print.
fn brief(value: &Json) -> String {
    match value {
        Json::Null => "undefined".to_owned(),
        Json::String(name) => cut(&printable(name)),
        other => cut(&printable(&other.to_string())),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcc_runtime::model::{Simple, Width};

    fn record() -> Value {
        Value::Record(vec![
            ("count", Value::Number(3)),
            ("full", Value::Boolean(false)),
            ("owner", Value::Undefined),
            ("bag", Value::Bag(vec![Some(Value::Name("red")), Some(Value::Name("red"))])),
        ])
    }

    #[test]
    fn the_first_difference_is_named() {
        let text = r#"{"count": 3, "full": false, "owner": null, "bag": ["red", "red"]}"#;
        let same: Json = serde_json::from_str(text).unwrap();
        assert_eq!(differ("r", &record(), &same), None);
        for (old, new, message) in [
            ("3", "4", "r.count is 4 in the trace, and 3 here"),
            ("3", "3.0", "r.count is 3.0 in the trace, and 3 here"),
            ("3", "\"3\"", "r.count is 3 in the trace, and 3 here"),
            ("false", "null", "r.full is undefined in the trace, and false here"),
            (r#""red"]"#, r#""blue"]"#, "r.bag{1} is blue in the trace, and red here"),
            (r#", "red"]"#, "]", "r.bag has 1 elements in the trace, and 2 here"),
            ("owner", "own", "r.owner is not in the trace"),
            ("{", r#"{"z": 1, "#, "the trace has r.z, and the model no such value"),
        ] {
            let other: Json = serde_json::from_str(&text.replacen(old, new, 1)).unwrap();
            assert_eq!(differ("r", &record(), &other).as_deref(), Some(message));
        }
    }

    #[test]
    fn parameters_of_every_form() {
        static TYPE: Simple =
            Simple { name: "0..9", width: Width::One, low: 0, high: 9, labels: Labels::Numbers, spans: &[] };
        let down = Parameter { name: "i", ty: &TYPE, first: 8, step: -2, count: 3 };
        for (text, expected) in [("8", true), ("4", true), ("2", false), ("7", false), ("x", false)] {
            assert_eq!(takes(&down, text), expected, "{text}");
        }
    }
}
