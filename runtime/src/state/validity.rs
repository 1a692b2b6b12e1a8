//! Whether words from outside are a state of the model at all: every value within its type.
//!
//! Generated code indexes arrays by what a state holds, and believes that it is within the types,
//! because everything that a rule stores is checked. States that come from a file are checked here
//! instead. That the state can be reached is not asked.

use super::codec::Codec;
use super::masks::masks;
use crate::contract::model::{Description, Simple, Type, Width};

/// What the types of a model's variables allow.
#[derive(Debug)]
struct Validity {
    masks: Vec<u64>,
    /// The largest value of each byte, for the numbers of one byte.
    limits: Vec<u64>,
    /// Longer numbers that do not use all values of their bits.
    numbers: Vec<Number>,
    /// Parts that are all zero unless their first byte is not.
    optional: Vec<ByteField>,
}

#[derive(Debug)]
struct Number {
    part: ByteField,
    /// The largest one stored.
    largest: u64,
}

/// Bytes of the byte-aligned layout.
#[derive(Clone, Copy, Debug)]
struct ByteField {
    offset: usize,
    bytes: usize,
}

impl ByteField {
    fn of(self, state: &[u8]) -> &[u8] {
        state.get(self.offset..self.offset + self.bytes).unwrap_or_default()
    }
}

impl Validity {
    fn new(description: &Description) -> Self {
        let masks = masks(description);
        let limits = vec![u64::MAX; masks.len()];
        let mut validity = Validity { masks, limits, numbers: Vec::new(), optional: Vec::new() };
        for variable in description.variables {
            validity.add(variable.offset, variable.ty);
        }
        validity
    }

    fn add(&mut self, offset: usize, ty: &Type) {
        match ty {
            Type::Simple(simple) => self.add_simple(offset, simple),
            Type::Array { index, element, stride } => {
                for at in 0..index.count() {
                    self.add(offset + at * stride, element);
                }
            }
            Type::Record { fields } => {
                for field in *fields {
                    self.add(offset + field.offset, field.ty);
                }
            }
            Type::Multiset { capacity, element, stride, .. } => {
                for slot in 0..*capacity {
                    let offset = offset + slot * stride;
                    self.optional.push(ByteField { offset, bytes: *stride });
                    self.add(offset + 1, element);
                }
            }
        }
    }

    fn add_simple(&mut self, offset: usize, simple: &Simple) {
        let part = ByteField { offset, bytes: simple.width.bytes() };
        if simple.width == Width::Nine {
            self.optional.push(part);
            return;
        }
        // A type with 2^64 - 1 values uses all of its eight bytes.
        let largest = u64::try_from(i128::from(simple.high) - i128::from(simple.low) + 1).unwrap_or(u64::MAX);
        if part.bytes == 1
            && let Some(word) = self.limits.get_mut(offset / 8)
        {
            let mut bytes = word.to_ne_bytes();
            bytes[offset % 8] = largest as u8;
            *word = u64::from_ne_bytes(bytes);
        } else if largest & largest.wrapping_add(1) != 0 {
            self.numbers.push(Number { part, largest });
        }
    }

    /// Whether a byte-aligned state has nothing but values of its types.
    fn allows(&self, words: &[u64], bytes: &mut Vec<u8>) -> bool {
        let masked = words.len() == self.masks.len()
            && words.iter().zip(&self.masks).all(|(word, mask)| word & !mask == 0)
            && words.iter().zip(&self.limits).all(|(word, limits)| !exceeds(*word, *limits));
        if !masked || self.numbers.is_empty() && self.optional.is_empty() {
            return masked;
        }
        bytes.clear();
        bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
        let number =
            |part: ByteField| part.of(bytes).iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let empty = |part: ByteField| {
            part.of(bytes)
                .split_first()
                .is_none_or(|(flag, rest)| *flag != 0 || rest.iter().all(|byte| *byte == 0))
        };
        self.numbers.iter().all(|Number { part, largest }| number(*part) <= *largest)
            && self.optional.iter().all(|part| empty(*part))
    }
}

/// Whether a byte is larger than its limit: all eight at once.
fn exceeds(word: u64, limits: u64) -> bool {
    const TOP: u64 = 0x8080_8080_8080_8080;
    // In the top bit of each byte: without that bit, it is not larger.
    let low = ((limits | TOP) - (word & !TOP)) & TOP;
    ((word & !limits) | (!(word ^ limits) & !low)) & TOP != 0
}

/// Looks at stored states that come from outside.
#[derive(Debug)]
pub struct Inspector<'a> {
    codec: &'a Codec,
    validity: Validity,
    stored: Vec<u64>,
    decoded: Vec<u64>,
    bytes: Vec<u8>,
}

impl<'a> Inspector<'a> {
    /// For the states of a model in the form of this codec.
    pub fn new(description: &Description, codec: &'a Codec) -> Self {
        let validity = Validity::new(description);
        Inspector { codec, validity, stored: Vec::new(), decoded: Vec::new(), bytes: Vec::new() }
    }

    /// Whether this is a state in stored form.
    pub fn accepts(&mut self, stored: &[u64]) -> bool {
        let Inspector { codec, validity, stored: copy, decoded, bytes } = self;
        let masks = codec.stored_masks();
        if stored.len() != masks.len() || stored.iter().zip(masks).any(|(word, mask)| word & !mask != 0) {
            return false;
        }
        copy.clear();
        copy.extend_from_slice(stored);
        validity.allows(codec.decode(copy, 1, decoded), bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_compared_with_its_own_limit() {
        for limit in 0..=255u64 {
            for byte in 0..=255u64 {
                for shift in [0, 8, 56] {
                    let others = !(0xffu64 << shift);
                    assert_eq!(exceeds(byte << shift, limit << shift | others), byte > limit);
                    assert_eq!(exceeds(others | byte << shift, limit << shift | others), byte > limit);
                }
            }
        }
    }
    use crate::contract::model::{Field, Labels, Variable};

    const fn simple(width: Width, low: i64, high: i64) -> Simple {
        Simple { name: "", width, low, high, labels: Labels::Numbers, spans: &[] }
    }

    static FIVE: Type = Type::Simple(simple(Width::One, 0, 4));
    static THREE: Type = Type::Simple(simple(Width::Two, -1, 1));
    static WHOLE: Type = Type::Simple(simple(Width::Nine, i64::MIN, i64::MAX));
    static LARGE: Type = Type::Simple(simple(Width::Eight, i64::MIN, i64::MAX - 1));
    static ELEMENT: Type = Type::Record { fields: &[Field { name: "a", offset: 0, ty: &FIVE }] };
    static BAG: Type = Type::Multiset { capacity: 2, element: &ELEMENT, stride: 2, doubt: None };
    static DESCRIPTION: Description = Description {
        words: 4,
        variables: &[
            Variable { name: "five", offset: 0, ty: &FIVE },
            Variable { name: "three", offset: 1, ty: &THREE },
            Variable { name: "whole", offset: 3, ty: &WHOLE },
            Variable { name: "large", offset: 12, ty: &LARGE },
            Variable { name: "bag", offset: 20, ty: &BAG },
        ],
        ..Description::EMPTY
    };

    fn state(changes: &[(usize, u8)]) -> Vec<u64> {
        let mut bytes = [0; 32];
        changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
        bytes.as_chunks::<8>().0.iter().map(|word| u64::from_ne_bytes(*word)).collect()
    }

    #[test]
    fn values_beyond_their_types_are_refused_in_both_layouts() {
        let right: [&[(usize, u8)]; 6] = [
            &[],
            &[(0, 5), (1, 3)],
            &[(3, 1), (4, 255), (11, 255)],
            &[(12, 255), (19, 255)],
            &[(20, 1), (21, 5), (22, 1)],
            &[(22, 1), (23, 1)],
        ];
        let wrong: [&[(usize, u8)]; 7] = [
            &[(0, 6)],
            &[(0, 8)],
            &[(2, 1)],
            // Undefined, and nevertheless a number.
            &[(4, 1)],
            &[(3, 2)],
            // An empty slot, and something in it.
            &[(21, 1)],
            // Beyond the last variable.
            &[(30, 1)],
        ];
        let aligned = Codec::aligned(&DESCRIPTION);
        let packed = Codec::packed(&DESCRIPTION);
        for codec in [&aligned, &packed] {
            let mut inspector = Inspector::new(&DESCRIPTION, codec);
            for changes in right {
                assert!(inspector.accepts(&codec.encode_one(&state(changes))), "{changes:?}");
            }
        }
        let mut inspector = Inspector::new(&DESCRIPTION, &aligned);
        assert!(wrong.iter().all(|changes| !inspector.accepts(&state(changes))));
        assert!(!inspector.accepts(&[0; 3]));
        let mut inspector = Inspector::new(&DESCRIPTION, &packed);
        // Packing leaves out the bits that no value has; these are values that it keeps.
        for changes in [wrong[0], wrong[3], wrong[5]] {
            assert!(!inspector.accepts(&packed.encode_one(&state(changes))), "{changes:?}");
        }
        let mut beyond = packed.encode_one(&state(&[])).into_owned();
        *beyond.last_mut().unwrap() |= 1 << 63;
        assert!(!inspector.accepts(&beyond));
    }
}
