//! Which bits of the byte-aligned layout can ever be anything but zero.
//!
//! A simple value of n possible values is stored as 0 (undefined) or 1 to n, so it takes the low
//! `bit_length(n)` bits of its bytes; the flag of a multiset's slot takes one. Packing keeps these
//! bits alone.

use crate::contract::model::{Description, Simple, Type, Width};

/// One mask per word of the byte-aligned layout.
pub fn masks(description: &Description) -> Vec<u64> {
    let mut bytes = vec![0u8; description.words * 8];
    for variable in description.variables {
        mark(&mut bytes, variable.offset, variable.ty);
    }
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_ne_bytes(*word)).collect()
}

fn mark(bytes: &mut [u8], offset: usize, ty: &Type) {
    match ty {
        Type::Simple(simple) => mark_simple(bytes, offset, simple),
        Type::Array { index, element, stride, .. } => {
            for at in 0..index.count() {
                mark(bytes, offset + at * stride, element);
            }
        }
        Type::Record { fields } => {
            for field in *fields {
                mark(bytes, offset + field.offset, field.ty);
            }
        }
        Type::Multiset { capacity, element, stride, .. } => {
            for slot in 0..*capacity {
                set(bytes, offset + slot * stride, 1);
                mark(bytes, offset + slot * stride + 1, element);
            }
        }
    }
}

fn mark_simple(bytes: &mut [u8], offset: usize, simple: &Simple) {
    if simple.width == Width::Nine {
        set(bytes, offset, 1);
        for byte in 1..9 {
            set(bytes, offset + byte, u8::MAX);
        }
        return;
    }
    // The largest stored number is high - low + 1.
    let largest = (i128::from(simple.high) - i128::from(simple.low) + 1).max(0) as u128;
    let mask = u64::MAX.checked_shr(64 - (128 - largest.leading_zeros()).min(64)).unwrap_or(0);
    for (at, byte) in mask.to_le_bytes().into_iter().enumerate().take(simple.width.bytes()) {
        set(bytes, offset + at, byte);
    }
}

fn set(bytes: &mut [u8], at: usize, mask: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte |= mask;
    }
}

impl Simple {
    /// How many values there are, for types that index arrays.
    pub fn count(&self) -> usize {
        usize::try_from(i128::from(self.high) - i128::from(self.low) + 1).unwrap_or(0)
    }
}
