//! States and values of a trace.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// The value of a variable, or of a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing was assigned yet, or it was undefined again.
    Undefined,
    /// Of type boolean.
    Boolean(bool),
    /// Of a range of numbers.
    Number(i64),
    /// A member of an enum, or an element of a scalarset such as `process_1`.
    Name(String),
    /// Elements of an array by their indices, or fields of a record by their names, in order.
    Parts(Vec<(String, Value)>),
    /// The slots of a multiset up to the last that is occupied; an empty one is
    /// [`Value::Undefined`].
    Bag(Vec<Value>),
}

impl Value {
    /// An element of an array or a field of a record.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Parts(parts) => parts.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_boolean(&self) -> Option<bool> {
        match self {
            Value::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The name of an enum member or of a scalarset element, if it is one.
    pub fn as_name(&self) -> Option<&str> {
        match self {
            Value::Name(name) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |to: &mut fmt::Formatter<'_>, parts: &mut dyn Iterator<Item = String>| {
            write!(to, "[{}]", parts.collect::<Vec<_>>().join(", "))
        };
        match self {
            Value::Undefined => write!(to, "undefined"),
            Value::Boolean(value) => write!(to, "{value}"),
            Value::Number(number) => write!(to, "{number}"),
            Value::Name(name) => write!(to, "{name}"),
            Value::Parts(parts) => {
                list(to, &mut parts.iter().map(|(name, value)| format!("{name}: {value}")))
            }
            Value::Bag(elements) => list(to, &mut elements.iter().map(Value::to_string)),
        }
    }
}

/// The values of all variables, in the order of their declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Names and values.
    pub variables: Vec<(String, Value)>,
}

impl State {
    /// The value of a variable.
    pub fn get(&self, variable: &str) -> Option<&Value> {
        self.variables.iter().find(|(name, _)| name == variable).map(|(_, value)| value)
    }

    /// Reads a state of the byte-aligned layout.
    pub fn of_words(description: &crate::model::Description, words: &[u64]) -> State {
        let variables = crate::contract::values::variables(description, words);
        State {
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect(),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            writeln!(to, "{name}: {value}")?;
        }
        Ok(())
    }
}

impl From<&crate::contract::values::Value> for Value {
    fn from(value: &crate::contract::values::Value) -> Value {
        use crate::contract::values::Value as Stored;
        match value {
            Stored::Undefined => Value::Undefined,
            Stored::Number(number) => Value::Number(*number),
            Stored::Boolean(value) => Value::Boolean(*value),
            Stored::Name(name) => Value::Name((*name).to_owned()),
            Stored::Array(elements) => Value::Parts(
                elements.iter().map(|(index, value)| (index.to_string(), value.into())).collect(),
            ),
            Stored::Record(fields) => {
                Value::Parts(fields.iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect())
            }
            Stored::Bag(slots) => Value::Bag(
                slots.iter().map(|slot| slot.as_ref().map_or(Value::Undefined, Value::from)).collect(),
            ),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Undefined => serializer.serialize_unit(),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Number(number) => serializer.serialize_i64(*number),
            Value::Name(name) => serializer.serialize_str(name),
            Value::Parts(parts) => serialize_map(parts, serializer),
            Value::Bag(elements) => serializer.collect_seq(elements),
        }
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(&self.variables, serializer)
    }
}

fn serialize_map<S: Serializer>(parts: &[(String, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(parts.len()))?;
    for (name, value) in parts {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Parts(variables) => Ok(State { variables }),
            _ => Err(serde::de::Error::custom("a state is an object")),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "a value of a model")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Undefined)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Value, E> {
        i64::try_from(number).map(Value::Number).map_err(E::custom)
    }

    fn visit_str<E>(self, name: &str) -> Result<Value, E> {
        Ok(Value::Name(name.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = sequence.next_element()? {
            elements.push(element);
        }
        Ok(Value::Bag(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = map.next_entry()? {
            parts.push(part);
        }
        Ok(Value::Parts(parts))
    }
}
