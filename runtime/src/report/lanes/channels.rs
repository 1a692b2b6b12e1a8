//! Messages that go through arrays: slots that are empty in the start state, and hold a message
//! until they are empty again.
//!
//! A slot is an element of an array of records or names, or a record of its own. Whether it is
//! empty is seen from its discriminator: its first boolean or name, which is then undefined or what
//! it was in the start state. Elements of an array that is indexed by processes are channels of one
//! slot; other arrays are queues, whose messages may move from slot to slot.

use super::{FROM, TO};
use crate::contract::model::{Description, Field, Labels, Simple, Type};
use crate::contract::values::Value;
use crate::report::counterexample::Values;

/// Words in the names of variables that messages go through.
const WORDS: &[&str] = &[
    "msg", "message", "chan", "network", "mail", "inbox", "outbox", "queue", "packet", "wire", "fifo",
    "request", "reply", "replies", "response", "ack", "to_", "from_",
];

/// A place for one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The variable, or the part of one, with the indices of outer arrays.
    pub path: String,
    /// Its own index, and the type of that.
    pub index: Option<(String, &'static str)>,
    /// The field whose value says whether it is empty, if it is a record.
    telling: usize,
    /// `None`: it is empty. Decided by [`occupied`].
    pub message: Option<Value>,
}

impl Slot {
    fn discriminator(&self) -> Option<&Value> {
        match self.message.as_ref()? {
            Value::Record(fields) => fields.get(self.telling).map(|(_, value)| value),
            value => Some(value),
        }
    }
}

/// All slots of a state, in an order that is the same for all states of a model. `None` chooses the
/// variables by their names.
pub fn slots(description: &Description, wanted: Option<&str>, state: &Values) -> Vec<Slot> {
    let mut found = Vec::new();
    let variables = description.variables.iter().filter(|variable| !variable.is_hidden());
    for (variable, (name, value)) in variables.zip(state) {
        if wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(name)) {
            let finder = Finder { is_wanted: wanted.is_some() };
            finder.walk(variable.ty, value, (*name).to_owned(), &mut found);
        }
    }
    found
}

/// Makes slots empty whose discriminator is undefined, or what it is in the start state.
pub fn occupied(slots: &mut [Slot], start: &[Slot]) {
    for (slot, first) in slots.iter_mut().zip(start) {
        let now = slot.discriminator();
        if now == Some(&Value::Undefined) || now == first.discriminator() {
            slot.message = None;
        }
    }
}

struct Finder {
    is_wanted: bool,
}

impl Finder {
    fn walk(&self, ty: &'static Type, value: &Value, path: String, found: &mut Vec<Slot>) {
        match (ty, value) {
            (Type::Array { index, element, .. }, Value::Array(elements)) => {
                let is_slot = self.is_message(element, &path);
                for (label, element_value) in elements {
                    if is_slot {
                        let index = Some((label.to_string(), index.name));
                        let message = Some(element_value.clone());
                        let telling = telling(element);
                        found.push(Slot { path: path.clone(), index, telling, message });
                    } else {
                        self.walk(element, element_value, format!("{path}[{label}]"), found);
                    }
                }
            }
            (Type::Record { .. }, Value::Record(_)) if !path.contains('[') && self.is_message(ty, &path) => {
                found.push(Slot { path, index: None, telling: telling(ty), message: Some(value.clone()) });
            }
            (Type::Record { fields }, Value::Record(values)) => {
                for (field, (name, inner)) in fields.iter().zip(values) {
                    self.walk(field.ty, inner, format!("{path}.{name}"), found);
                }
            }
            _ => {}
        }
    }

    /// Whether values of this type, in a variable of this name, are messages.
    fn is_message(&self, ty: &Type, path: &str) -> bool {
        let lower = path.to_ascii_lowercase();
        let is_named = self.is_wanted || WORDS.iter().any(|word| lower.contains(word));
        match ty {
            Type::Record { fields } => {
                let has = |names: &[&str]| {
                    fields.iter().any(|field| names.contains(&field.name.to_ascii_lowercase().as_str()))
                };
                let is_flat = fields.iter().all(|field| !holds_records(field.ty));
                is_flat && (is_named || (has(FROM) && has(TO)))
            }
            Type::Simple(Simple { labels: Labels::Names(_), name, .. }) => {
                is_named && (self.is_wanted || *name != "boolean")
            }
            Type::Simple(_) | Type::Array { .. } | Type::Multiset { .. } => false,
        }
    }
}

/// The first field of a record that is a name or a boolean, and neither sender nor receiver.
fn telling(ty: &Type) -> usize {
    let Type::Record { fields } = ty else { return 0 };
    let marks_use = |field: &Field| {
        let name = field.name.to_ascii_lowercase();
        let is_named = matches!(field.ty, Type::Simple(Simple { labels: Labels::Names(_), .. }));
        is_named && !FROM.contains(&name.as_str()) && !TO.contains(&name.as_str())
    };
    fields.iter().position(marks_use).unwrap_or(0)
}

/// Whether a value has arrays or multisets of records: then those are what messages lie in.
fn holds_records(ty: &Type) -> bool {
    match ty {
        Type::Array { element, .. } => matches!(element, Type::Record { .. }) || holds_records(element),
        Type::Record { fields } => fields.iter().any(|field| holds_records(field.ty)),
        Type::Multiset { .. } => true,
        Type::Simple(_) => false,
    }
}
