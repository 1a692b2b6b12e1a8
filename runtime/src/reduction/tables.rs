//! Renaming the elements of scalarsets in a state, by the model's tables.
//!
//! This is the plain way, for any model: it walks through the types of the variables and looks at
//! one value after the other. Generated code does the same in straight lines; this is what it is
//! checked against.

use crate::contract::bags::Bags;
use crate::contract::model::{Description, Simple, Symmetry, Type, Width};
use crate::contract::symmetry::{Looking, mix};

/// The symmetry of any model, by its tables alone.
#[derive(Clone, Copy, Debug)]
pub struct TableSymmetry(pub &'static Description);

impl Symmetry for TableSymmetry {
    fn rows(&self, _state: &mut [u64], colours: &mut [u64]) {
        colours.fill(0);
    }

    fn links(&self, state: &mut [u64], looking: &mut Looking) {
        looking.begin_all();
        let bytes: Vec<u8> = state.iter().flat_map(|word| word.to_ne_bytes()).collect();
        for (number, variable) in self.0.variables.iter().enumerate() {
            let part = bytes.get(variable.offset..variable.offset + variable.ty.bytes()).unwrap_or(&[]);
            look::<true>(variable.ty, part, mix(number as u64, 0), looking);
        }
    }

    fn alike(&self, _state: &mut [u64], _left: usize, _right: usize) -> bool {
        false
    }

    fn rename(&self, state: &mut [u64], to: &[u16], bags: Bags, into: &mut [u64]) {
        rename(self.0, to, bags, state, into);
    }
}

/// A colour of a value that does not depend on the identities of the elements in it. With `SPREAD`,
/// also adds to the colours of these elements; `tie` stands for the place of the value.
fn look<const SPREAD: bool>(ty: &Type, bytes: &[u8], tie: u64, looking: &mut Looking) -> u64 {
    match ty {
        Type::Simple(simple) => match read(simple, bytes) {
            None => 0,
            Some(value) => match element(simple, value) {
                Some((element, ..)) => looking.value::<SPREAD>(element, tie, 1),
                None => mix(value as u64, 2),
            },
        },
        Type::Array { index, element: ty, stride } => {
            let mut shape = 0u64;
            for (at, part) in bytes.chunks_exact((*stride).max(1)).enumerate() {
                match element(index, index.low.wrapping_add(at as i64)) {
                    Some((element, ..)) => {
                        let inner = look::<SPREAD>(ty, part, mix(tie, looking.colour(element)), looking);
                        shape = shape.wrapping_add(looking.index::<SPREAD>(element, tie, 3, inner));
                    }
                    None => {
                        let inner = look::<SPREAD>(ty, part, mix(tie, at as u64), looking);
                        shape = shape.wrapping_add(mix(inner, at as u64));
                    }
                }
            }
            shape
        }
        Type::Record { fields } => {
            let mut shape = 0u64;
            for (at, field) in fields.iter().enumerate() {
                let part = bytes.get(field.offset..field.offset + field.ty.bytes()).unwrap_or(&[]);
                let inner = look::<SPREAD>(field.ty, part, mix(tie, at as u64), looking);
                shape = shape.wrapping_add(mix(inner, at as u64));
            }
            shape
        }
        Type::Multiset { element, stride, .. } => {
            let mut shape = 0u64;
            for slot in bytes.chunks_exact(*stride) {
                if let [occupied, part @ ..] = slot
                    && *occupied != 0
                {
                    let inner = look::<false>(element, part, 0, looking);
                    if SPREAD {
                        look::<SPREAD>(element, part, mix(tie, inner), looking);
                    }
                    shape = shape.wrapping_add(mix(inner, 4));
                }
            }
            shape
        }
    }
}

/// Renames: `state` is written to `into` with `to[e]` wherever it had element `e`, as a value and
/// as an index. Elements are counted through over all scalarsets, see
/// [`crate::contract::model::Scalarset::first`].
///
/// Bags are sorted anew, as far as `bags` says.
pub fn rename(description: &Description, to: &[u16], bags: Bags, state: &[u64], into: &mut [u64]) {
    let from: Vec<u8> = state.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let mut renamed = from.clone();
    for variable in description.variables {
        let range = variable.offset..variable.offset + variable.ty.bytes();
        if let (Some(from), Some(into)) = (from.get(range.clone()), renamed.get_mut(range)) {
            rename_value(variable.ty, to, bags, from, into);
        }
    }
    for (word, bytes) in into.iter_mut().zip(renamed.chunks_exact(8)) {
        *word = bytes.try_into().map_or(0, u64::from_ne_bytes);
    }
}

fn rename_value(ty: &Type, to: &[u16], bags: Bags, from: &[u8], into: &mut [u8]) {
    match ty {
        Type::Simple(simple) => match read(simple, from) {
            Some(value) => write(simple, renamed(simple, to, value), into),
            None => into.copy_from_slice(from),
        },
        Type::Array { index, element, stride } => {
            for (at, part) in from.chunks_exact((*stride).max(1)).enumerate() {
                let position = renamed(index, to, index.low.wrapping_add(at as i64)).wrapping_sub(index.low);
                if let Some(into) = slice(into, position as usize * stride, *stride) {
                    rename_value(element, to, bags, part, into);
                }
            }
        }
        Type::Record { fields } => {
            for field in *fields {
                let range = field.offset..field.offset + field.ty.bytes();
                if let (Some(part), Some(into)) =
                    (from.get(range), slice(into, field.offset, field.ty.bytes()))
                {
                    rename_value(field.ty, to, bags, part, into);
                }
            }
        }
        Type::Multiset { element, stride, doubt, .. } => {
            for (from, into) in from.chunks_exact(*stride).zip(into.chunks_exact_mut(*stride)) {
                if let ([occupied, from @ ..], [kept, into @ ..]) = (from, into) {
                    *kept = *occupied;
                    rename_value(element, to, bags, from, into);
                }
            }
            if bags.sorts(doubt.is_some()) {
                let mut slots: Vec<Vec<u8>> = into.chunks_exact(*stride).map(<[u8]>::to_vec).collect();
                slots.sort_unstable_by(|left, right| right.cmp(left));
                into.copy_from_slice(&slots.concat());
            }
        }
    }
}

fn slice(bytes: &mut [u8], from: usize, length: usize) -> Option<&mut [u8]> {
    bytes.get_mut(from..from.checked_add(length)?)
}

/// What a value of a simple type becomes.
pub fn renamed(simple: &Simple, to: &[u16], value: i64) -> i64 {
    match element(simple, value) {
        Some((element, low, first)) => match to.get(element) {
            Some(&new) => low + i64::from(new) - i64::from(first),
            None => value,
        },
        None => value,
    }
}

/// The element that a value of a simple type is, with the value and the number of the first element
/// of its scalarset.
pub fn element(simple: &Simple, value: i64) -> Option<(usize, i64, u32)> {
    simple.spans.iter().find_map(|span| {
        let offset = value.checked_sub(span.low)?;
        (0..i64::from(span.size))
            .contains(&offset)
            .then(|| (span.first as usize + offset as usize, span.low, span.first))
    })
}

/// The value in these bytes, if it is defined.
pub fn read(simple: &Simple, bytes: &[u8]) -> Option<i64> {
    let (defined, number) = match simple.width {
        Width::Nine => (bytes.first() != Some(&0), bytes.get(1..)?),
        Width::One | Width::Two | Width::Four | Width::Eight => (true, bytes),
    };
    let mut stored = [0u8; 8];
    stored.iter_mut().zip(number).for_each(|(to, byte)| *to = *byte);
    let stored = u64::from_le_bytes(stored);
    match simple.width {
        Width::Nine => defined.then(|| (stored as i64).wrapping_add(simple.low)),
        _ if stored == 0 => None,
        _ => Some((stored as i64).wrapping_sub(1).wrapping_add(simple.low)),
    }
}

fn write(simple: &Simple, value: i64, bytes: &mut [u8]) {
    let offset = value.wrapping_sub(simple.low);
    let (number, stored) = match simple.width {
        Width::Nine => match bytes.split_first_mut() {
            Some((defined, number)) => {
                *defined = 1;
                (number, offset)
            }
            None => return,
        },
        _ => (bytes, offset.wrapping_add(1)),
    };
    number.iter_mut().zip(stored.to_le_bytes()).for_each(|(to, byte)| *to = byte);
}
