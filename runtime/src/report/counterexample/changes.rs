//! What a step changes: simple values that become others, and elements that are put into multisets
//! or taken out. In which slot an element lies means nothing, so elements are compared as a whole.

use super::words::compact;
use crate::contract::values::Value;
use crate::text::printable;

/// A change of one value, or of one multiset by one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `line[cache_1].status`.
    pub path: String,
    pub kind: ChangeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Changed { old: String, new: String },
    Added(Value),
    Removed(Value),
}

/// The changes from one state to the next, in the order of the variables.
pub fn changes(before: &[(&'static str, Value)], after: &[(&'static str, Value)]) -> Vec<Change> {
    let mut found = Vec::new();
    for ((name, old), (_, new)) in before.iter().zip(after) {
        collect(&printable(name), old, new, &mut found);
    }
    found
}

fn collect(path: &str, old: &Value, new: &Value, found: &mut Vec<Change>) {
    if old == new {
        return;
    }
    match (old, new) {
        (Value::Array(old), Value::Array(new)) => {
            for ((index, old), (_, new)) in old.iter().zip(new) {
                collect(&format!("{path}[{index}]"), old, new, found);
            }
        }
        (Value::Record(old), Value::Record(new)) => {
            for ((name, old), (_, new)) in old.iter().zip(new) {
                collect(&format!("{path}.{}", printable(name)), old, new, found);
            }
        }
        (Value::Bag(old), Value::Bag(new)) => {
            let mut added: Vec<&Value> = new.iter().flatten().collect();
            for element in old.iter().flatten() {
                match added.iter().position(|other| *other == element) {
                    Some(at) => drop(added.remove(at)),
                    None => {
                        let kind = ChangeKind::Removed(element.clone());
                        found.push(Change { path: path.to_owned(), kind });
                    }
                }
            }
            for element in added {
                found.push(Change { path: path.to_owned(), kind: ChangeKind::Added(element.clone()) });
            }
        }
        (old, new) => {
            let kind = ChangeKind::Changed { old: compact(old), new: compact(new) };
            found.push(Change { path: path.to_owned(), kind });
        }
    }
}

/// The rows of a table of states: simple values by their full names, and multisets as a whole.
pub fn cells(values: &[(&'static str, Value)]) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    for (name, value) in values {
        flatten(&printable(name), value, &mut cells);
    }
    cells
}

fn flatten(path: &str, value: &Value, cells: &mut Vec<(String, String)>) {
    match value {
        Value::Array(elements) => {
            for (index, element) in elements {
                flatten(&format!("{path}[{index}]"), element, cells);
            }
        }
        Value::Record(fields) => {
            for (name, field) in fields {
                flatten(&format!("{path}.{}", printable(name)), field, cells);
            }
        }
        Value::Undefined | Value::Number(_) | Value::Boolean(_) | Value::Name(_) | Value::Bag(_) => {
            cells.push((path.to_owned(), compact(value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_compared_whatever_their_slots() {
        let bag = |elements: &[i64]| {
            Value::Bag(elements.iter().map(|number| Some(Value::Number(*number))).collect())
        };
        let found = changes(&[("net", bag(&[1, 2, 2]))], &[("net", bag(&[2, 3, 1]))]);
        let kinds: Vec<_> = found.into_iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [ChangeKind::Removed(Value::Number(2)), ChangeKind::Added(Value::Number(3))]);
        assert!(changes(&[("net", bag(&[1, 2]))], &[("net", bag(&[2, 1]))]).is_empty());
    }
}
