//! Reading a byte-aligned state by its description: the tables say what each byte means.

use crate::contract::model::{Description, Family, Labels, Parameter, Simple, Type, Width};
use crate::text::printable;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The value of a variable or of a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Undefined,
    Number(i64),
    Boolean(bool),
    Name(&'static str),
    Array(Vec<(Cow<'static, str>, Value)>),
    Record(Vec<(&'static str, Value)>),
    /// The slots of a multiset up to the last that is occupied; `None`: an empty one.
    Bag(Vec<Option<Value>>),
}

/// The values of all variables.
pub fn variables(description: &Description, state: &[u64]) -> Vec<(&'static str, Value)> {
    // Cells lie in memory byte by byte, whatever the machine's order of bytes in a word.
    let bytes: Vec<u8> = state.iter().flat_map(|word| word.to_ne_bytes()).collect();
    description
        .variables
        .iter()
        .filter(|variable| !variable.is_hidden())
        .map(|variable| (variable.name, read(variable.ty, bytes.get(variable.offset..).unwrap_or(&[]))))
        .collect()
}

fn read(ty: &'static Type, bytes: &[u8]) -> Value {
    match ty {
        Type::Simple(simple) => read_simple(simple, bytes),
        Type::Array { index, element, stride } => Value::Array(
            (0..index.count())
                .map(|at| {
                    let part = bytes.get(at * stride..).unwrap_or(&[]);
                    (label(index, index.low.wrapping_add(at as i64)), read(element, part))
                })
                .collect(),
        ),
        Type::Record { fields } => Value::Record(
            fields
                .iter()
                .map(|field| (field.name, read(field.ty, bytes.get(field.offset..).unwrap_or(&[]))))
                .collect(),
        ),
        Type::Multiset { capacity, element, stride, .. } => {
            let mut slots: Vec<Option<Value>> = (0..*capacity)
                .map(|slot| match bytes.get(slot * stride..)?.split_first()? {
                    (0, _) => None,
                    (_, part) => Some(read(element, part)),
                })
                .collect();
            while let Some(None) = slots.last() {
                slots.pop();
            }
            Value::Bag(slots)
        }
    }
}

fn read_simple(simple: &Simple, bytes: &[u8]) -> Value {
    let number = |from: usize, count: usize| {
        let mut number = [0u8; 8];
        for (to, byte) in number.iter_mut().zip(bytes.iter().skip(from).take(count)) {
            *to = *byte;
        }
        u64::from_le_bytes(number)
    };
    let offset = match simple.width {
        Width::Nine if bytes.first() == Some(&0) => return Value::Undefined,
        Width::Nine => number(1, 8),
        Width::One | Width::Two | Width::Four | Width::Eight => match number(0, simple.width.bytes()) {
            0 => return Value::Undefined,
            stored => stored - 1,
        },
    };
    match simple.labels {
        Labels::Numbers => Value::Number((offset as i64).wrapping_add(simple.low)),
        Labels::Names(names) => match usize::try_from(offset).ok().and_then(|at| names.get(at)) {
            Some(&"true") if names == ["false", "true"] => Value::Boolean(true),
            Some(&"false") if names == ["false", "true"] => Value::Boolean(false),
            Some(name) => Value::Name(name),
            None => Value::Number((offset as i64).wrapping_add(simple.low)),
        },
    }
}

/// How a value of a simple type prints.
pub fn label(simple: &Simple, value: i64) -> Cow<'static, str> {
    let name = match simple.labels {
        Labels::Numbers => None,
        Labels::Names(names) => {
            usize::try_from(value.wrapping_sub(simple.low)).ok().and_then(|at| names.get(at).copied())
        }
    };
    name.map_or_else(|| Cow::Owned(value.to_string()), Cow::Borrowed)
}

/// One simple value with its full name, such as `a[Proc_1].field` and `3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub path: String,
    pub value: String,
}

/// The simple values of a state, in the order of their declaration.
pub fn leaves(description: &Description, state: &[u64]) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for (name, value) in variables(description, state) {
        flatten(name.to_owned(), &value, &mut leaves);
    }
    leaves
}

/// What `put` prints of a place: each simple value in it on a line, behind its name.
pub fn lines(name: &str, ty: &'static Type, bytes: &[u8]) -> String {
    let mut leaves = Vec::new();
    flatten(name.to_owned(), &read(ty, bytes), &mut leaves);
    leaves.iter().map(|leaf| format!("{}:{}\n", leaf.path, leaf.value)).collect()
}

fn flatten(path: String, value: &Value, leaves: &mut Vec<Leaf>) {
    let mut leaf = |value: String| leaves.push(Leaf { path: path.clone(), value });
    match value {
        Value::Undefined => leaf("Undefined".to_owned()),
        Value::Number(number) => leaf(number.to_string()),
        Value::Boolean(value) => leaf(value.to_string()),
        Value::Name(name) => leaf((*name).to_owned()),
        Value::Array(elements) => {
            for (index, element) in elements {
                flatten(format!("{path}[{index}]"), element, leaves);
            }
        }
        Value::Record(fields) => {
            for (name, field) in fields {
                flatten(format!("{path}.{name}"), field, leaves);
            }
        }
        Value::Bag(elements) => {
            for (slot, element) in elements.iter().enumerate() {
                if let Some(element) = element {
                    flatten(format!("{path}{{{slot}}}"), element, leaves);
                }
            }
        }
    }
}

/// On one line: `[thread_1: idle, thread_2: inside]`.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Undefined => out.write_str("undefined"),
            Value::Number(number) => write!(out, "{number}"),
            Value::Boolean(value) => write!(out, "{value}"),
            Value::Name(name) => out.write_str(name),
            Value::Array(elements) => list(out, elements.iter(), |out, (at, one)| write!(out, "{at}: {one}")),
            Value::Record(fields) => {
                list(out, fields.iter(), |out, (name, one)| write!(out, "{name}: {one}"))
            }
            Value::Bag(slots) => list(out, slots.iter(), |out, slot| match slot {
                Some(one) => write!(out, "{one}"),
                None => write!(out, "{}", Value::Undefined),
            }),
        }
    }
}

fn list<T>(
    out: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    out.write_str("[")?;
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    out.write_str("]")
}

/// A state as JSON sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State(pub Vec<(&'static str, Value)>);

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Undefined => serializer.serialize_unit(),
            Value::Number(number) => serializer.serialize_i64(*number),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Name(name) => serializer.serialize_str(name),
            Value::Array(elements) => {
                let mut map = serializer.serialize_map(Some(elements.len()))?;
                for (index, element) in elements {
                    map.serialize_entry(index.as_ref(), element)?;
                }
                map.end()
            }
            Value::Record(fields) => serializer.collect_map(fields.iter().map(|(name, field)| (name, field))),
            Value::Bag(elements) => serializer.collect_seq(elements),
        }
    }
}

/// The family that an instance belongs to, and the values of its parameters.
pub fn instance(families: &'static [Family], number: u32) -> Option<Instance> {
    let at = families.partition_point(|family| family.first <= number).checked_sub(1)?;
    let family = families.get(at)?;
    let mut values = vec![0; family.parameters.len()];
    family.fill_values(number, &mut values);
    let arguments = family
        .parameters
        .iter()
        .zip(values)
        .map(|(parameter, value)| Argument { parameter, value })
        .collect();
    Some(Instance { index: at, family, arguments })
}

/// A rule or start state with values for its parameters.
#[derive(Debug)]
pub struct Instance {
    /// The number of the family.
    pub index: usize,
    pub family: &'static Family,
    pub arguments: Vec<Argument>,
}

#[derive(Debug)]
pub struct Argument {
    pub parameter: &'static Parameter,
    pub value: i64,
}

impl Argument {
    pub fn label(&self) -> Cow<'static, str> {
        label(self.parameter.ty, self.value)
    }
}

impl std::fmt::Display for Instance {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "\"{}\"", printable(self.family.name))?;
        for argument in &self.arguments {
            write!(formatter, ", {}:{}", argument.parameter.name, argument.label())?;
        }
        Ok(())
    }
}
