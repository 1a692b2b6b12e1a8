//! What the places of a state hold most of the time.
//!
//! Most of what a model keeps for pairs of elements (channels, sharers) is as it was at the start. A look at the links passes over such places: that
//! a place is as usual depends on no element's name, as long as renaming leaves the usual state as it is and no element is a
//! value in it.

use super::tables::{element, read, rename};
use crate::context::Context;
use crate::model::{Description, Firing, Model, StartId, Type};

/// The bytes of the model's first start state; of variables for which that would not do, undefined.
pub fn usual(model: &dyn Model) -> Vec<u8> {
    let description = model.description();
    let mut start = vec![0; description.words];
    let context = Context::new(description.properties.len() + description.cover_statements.len());
    if description.start_instances() == 0 || model.start(&context, StartId(0), &mut start) != Firing::Fired {
        start.fill(0);
    }
    let mut usual = bytes(&start);
    for to in generators(description) {
        let mut renamed = vec![0; description.words];
        rename(description, &to, true, &start, &mut renamed);
        let renamed = bytes(&renamed);
        for variable in description.variables {
            let range = variable.offset..variable.offset + variable.ty.bytes();
            if let (Some(usual), Some(renamed)) = (usual.get_mut(range.clone()), renamed.get(range))
                && (usual != renamed || !is_plain(variable.ty, usual))
            {
                usual.fill(0);
            }
        }
    }
    usual
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// Two renamings for each scalarset that together make all of them: an exchange, and one that moves all by one.
fn generators(description: &Description) -> Vec<Vec<u16>> {
    let mut generators = Vec::new();
    for scalarset in description.scalarsets {
        let identity: Vec<u16> = (0..description.elements()).map(|element| element as u16).collect();
        let elements = scalarset.first as usize..(scalarset.first + scalarset.size) as usize;
        let (mut exchange, mut cycle) = (identity.clone(), identity);
        exchange.swap(elements.start, elements.start + 1);
        if let Some(cycle) = cycle.get_mut(elements) {
            cycle.rotate_left(1);
        }
        generators.extend([exchange, cycle]);
    }
    generators
}

/// Whether no element is a value in it, and no place in it moves when others change.
fn is_plain(ty: &Type, bytes: &[u8]) -> bool {
    match ty {
        Type::Simple(simple) => read(simple, bytes).is_none_or(|value| element(simple, value).is_none()),
        Type::Array { element, stride, .. } => {
            bytes.chunks_exact((*stride).max(1)).all(|part| is_plain(element, part))
        }
        Type::Record { fields } => fields.iter().all(|field| {
            bytes
                .get(field.offset..field.offset + field.ty.bytes())
                .is_some_and(|part| is_plain(field.ty, part))
        }),
        Type::Multiset { .. } => false,
    }
}
