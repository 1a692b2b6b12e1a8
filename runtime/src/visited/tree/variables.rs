//! Which variables of the model lie in which words of a stored state.

use crate::contract::model::{Description, Type};
use crate::state::codec::Codec;
use crate::state::masks::masks;

/// For each stored word the variables that have bits in it.
pub fn variables_of_words(description: &Description, codec: &Codec) -> Vec<Vec<&'static str>> {
    let mut names = vec![Vec::new(); codec.stored_words()];
    let masks = masks(description);
    // Packed words are the bits of the byte-aligned ones, one after the other.
    let mut before = 0;
    let starts: Vec<u32> = masks
        .iter()
        .map(|mask| {
            let start = before;
            before += mask.count_ones();
            start
        })
        .chain([0])
        .collect();
    for variable in description.variables.iter().filter(|variable| !variable.is_hidden()) {
        let end = variable.offset + size(variable.ty);
        let (first, last) = (variable.offset / 8, end.saturating_sub(1).max(variable.offset) / 8);
        let range = match codec.converts() {
            false => first..last + 1,
            true => {
                let bits = |word: usize| starts.get(word).copied().unwrap_or(before) as usize;
                let end = bits(last) + masks.get(last).map_or(0, |mask| mask.count_ones() as usize);
                bits(first) / 64..end.div_ceil(64)
            }
        };
        names.get_mut(range).unwrap_or_default().iter_mut().for_each(|names| names.push(variable.name));
    }
    names
}

/// Bytes of a value in the byte-aligned layout.
fn size(ty: &Type) -> usize {
    match ty {
        Type::Simple(simple) => simple.width.bytes(),
        Type::Array { index, stride, .. } => index.count() * stride,
        Type::Record { fields } => {
            fields.iter().map(|field| field.offset + size(field.ty)).max().unwrap_or(0)
        }
        Type::Multiset { capacity, stride, .. } => capacity * stride,
    }
}
