//! A value with its parts, whichever way it was computed: read from a state, or evaluated.

use super::slots::{Slot, Slots};
use crate::semantics::model::{Model, TypeId, TypeKind};
use crate::tables;
use mcc_runtime::contract::values::Value;
use std::fmt;

/// A value, simple or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueTree {
    Undefined,
    Number(i64),
    Boolean(bool),
    Name(String),
    Array(Vec<(String, ValueTree)>),
    Record(Vec<(String, ValueTree)>),
    /// The occupied slots of a multiset.
    Bag(Vec<(usize, ValueTree)>),
}

impl From<&Value> for ValueTree {
    fn from(value: &Value) -> Self {
        match value {
            Value::Undefined => ValueTree::Undefined,
            Value::Number(number) => ValueTree::Number(*number),
            Value::Boolean(value) => ValueTree::Boolean(*value),
            Value::Name(name) => ValueTree::Name((*name).to_owned()),
            Value::Array(parts) => {
                ValueTree::Array(parts.iter().map(|(key, part)| (key.to_string(), part.into())).collect())
            }
            Value::Record(parts) => {
                ValueTree::Record(parts.iter().map(|(key, part)| ((*key).to_owned(), part.into())).collect())
            }
            Value::Bag(slots) => {
                let occupied = slots.iter().enumerate();
                ValueTree::Bag(
                    occupied.filter_map(|(at, slot)| slot.as_ref().map(|part| (at, part.into()))).collect(),
                )
            }
        }
    }
}

impl ValueTree {
    /// The value of a type that lies in these slots.
    pub(super) fn of_slots(model: &Model, slots: &Slots, ty: TypeId, values: &[Slot]) -> ValueTree {
        let part = |ty: TypeId, from: usize| {
            ValueTree::of_slots(model, slots, ty, values.get(from..from + slots.size(ty)).unwrap_or(&[]))
        };
        match &model.ty(ty).kind {
            TypeKind::Record { fields } => ValueTree::Record(
                (0..)
                    .zip(fields)
                    .map(|(number, field)| (field.name.clone(), part(field.ty, slots.field(ty, number))))
                    .collect(),
            ),
            TypeKind::Array { index, element } => {
                let (low, high) = model.bounds(*index).unwrap_or((0, -1));
                let indices = (low..=high).enumerate();
                ValueTree::Array(
                    indices
                        .map(|(at, value)| {
                            let label = ValueTree::simple(model, *index, value).to_string();
                            (label, part(*element, at * slots.size(*element)))
                        })
                        .collect(),
                )
            }
            TypeKind::Multiset { element, .. } => {
                let (capacity, size) = slots.bag(ty);
                let occupied = |at: &usize| matches!(values.get(at * size), Some(Some(_)));
                let places = (0..capacity).filter(occupied);
                ValueTree::Bag(places.map(|at| (at, part(*element, at * size + 1))).collect())
            }
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_) => match values.first() {
                Some(Some(value)) => ValueTree::simple(model, ty, *value),
                _ => ValueTree::Undefined,
            },
        }
    }

    fn simple(model: &Model, ty: TypeId, value: i64) -> ValueTree {
        if let TypeKind::Boolean = model.ty(ty).kind {
            return ValueTree::Boolean(value != 0);
        }
        let (low, _) = model.bounds(ty).unwrap_or((0, 0));
        let labels = tables::labels(model, ty);
        let at = usize::try_from(value.wrapping_sub(low)).ok();
        let label = labels.zip(at).and_then(|(labels, at)| labels.into_iter().nth(at));
        label.map_or(ValueTree::Number(value), ValueTree::Name)
    }

    /// Whether it has no parts.
    pub fn is_simple(&self) -> bool {
        match self {
            ValueTree::Undefined | ValueTree::Number(_) | ValueTree::Boolean(_) | ValueTree::Name(_) => true,
            ValueTree::Array(_) | ValueTree::Record(_) | ValueTree::Bag(_) => false,
        }
    }
}

/// On one line; parts that are undefined are left out.
impl fmt::Display for ValueTree {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueTree::Undefined => write!(to, "undefined"),
            ValueTree::Number(number) => write!(to, "{number}"),
            ValueTree::Boolean(value) => write!(to, "{value}"),
            ValueTree::Name(name) => write!(to, "{name}"),
            ValueTree::Array(parts) => listed(to, "[", parts, "]"),
            ValueTree::Record(parts) => listed(to, "{", parts, "}"),
            ValueTree::Bag(slots) => {
                write!(to, "{{|")?;
                for (at, (_, part)) in slots.iter().enumerate() {
                    write!(to, "{}{part}", if at == 0 { "" } else { ", " })?;
                }
                write!(to, "|}}")
            }
        }
    }
}

fn listed(
    to: &mut fmt::Formatter<'_>,
    open: &str,
    parts: &[(String, ValueTree)],
    close: &str,
) -> fmt::Result {
    write!(to, "{open}")?;
    let defined = parts.iter().filter(|(_, part)| *part != ValueTree::Undefined);
    for (at, (key, part)) in defined.enumerate() {
        write!(to, "{}{key}: {part}", if at == 0 { "" } else { ", " })?;
    }
    write!(to, "{close}")
}
