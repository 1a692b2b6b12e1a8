//! How states are stored: byte-aligned, as models compute on them, or packed to the bit (`-b`).
//!
//! The packed form of a state is the bits of its words that can ever be set (see [`super::masks`]),
//! without gaps. Whole batches are converted in one call ([`super::packing`]).

use super::masks::masks;
use super::packing::Packing;
use crate::contract::model::Description;
use std::borrow::Cow;

/// Converts between the byte-aligned layout and the stored one.
#[derive(Debug)]
pub struct Codec {
    /// Words of the byte-aligned layout.
    aligned: usize,
    /// Words of the stored one.
    stored: usize,
    /// Bytes of a stored state that can ever be anything but zero.
    bytes: usize,
    /// Number of significant bits.
    bits: u32,
    /// The significant bits of each stored word.
    masks: Vec<u64>,
    packing: Option<Packing>,
}

impl Codec {
    /// States as models see them.
    pub fn aligned(description: &Description) -> Self {
        let masks = masks(description);
        let bits = masks.iter().map(|mask| mask.count_ones()).sum();
        let aligned = description.words;
        // The last word may end before its eight bytes do.
        let unused = masks.last().map_or(0, |mask| (mask | 1).leading_zeros() as usize / 8);
        let bytes = (aligned.max(1) * 8 - unused).max(1);
        // A model without variables still has one state, and that needs a word to be stored in.
        let packing = (aligned == 0).then(|| Packing::new(&[]));
        let stored = aligned.max(1);
        let masks = if aligned == 0 { vec![0] } else { masks };
        Codec { aligned, stored, bytes, bits, masks, packing }
    }

    /// As few bits as the types of the variables allow.
    pub fn packed(description: &Description) -> Self {
        Self::with(description, Packing::new(&masks(description)))
    }

    fn with(description: &Description, packing: Packing) -> Self {
        let (bits, stored) = (packing.bits(), packing.stored());
        let bytes = (bits.div_ceil(8) as usize).max(1);
        let mut masks = vec![u64::MAX; stored];
        if let Some(last) = masks.last_mut().filter(|_| !bits.is_multiple_of(64) || bits == 0) {
            *last = (1 << (bits % 64)) - 1;
        }
        Codec { aligned: description.words, stored, bytes, bits, masks, packing: Some(packing) }
    }

    pub fn aligned_words(&self) -> usize {
        self.aligned
    }

    pub fn stored_words(&self) -> usize {
        self.stored
    }

    /// Bytes of a stored state, from its first one on, that can ever be anything but zero.
    pub fn stored_bytes(&self) -> usize {
        self.bytes
    }

    /// Whether the stored form is another one than the byte-aligned.
    pub fn converts(&self) -> bool {
        self.packing.is_some()
    }

    /// Bits per state: those that count when packed, all of them otherwise.
    pub fn bits_per_state(&self) -> u32 {
        match self.packing {
            Some(_) => self.bits,
            None => self.aligned as u32 * 64,
        }
    }

    /// The bits that can ever be set in each word of a stored state.
    pub fn stored_masks(&self) -> &[u64] {
        &self.masks
    }

    /// Bits that can ever be set.
    pub fn significant_bits(&self) -> u32 {
        self.bits
    }

    /// Brings `count` byte-aligned states into the stored form; `buffer` is used where a conversion
    /// is needed.
    pub fn encode<'a>(&self, states: &'a [u64], count: usize, buffer: &'a mut Vec<u64>) -> &'a [u64] {
        let Some(packing) = &self.packing else {
            return states;
        };
        // All of it is written, so what it still holds does not matter.
        buffer.resize(count * self.stored, 0);
        packing.encode(states, buffer);
        buffer
    }

    /// What [`Codec::encode`] gave, from the same buffer.
    pub fn encoded<'a>(&self, states: &'a [u64], buffer: &'a [u64]) -> &'a [u64] {
        if self.packing.is_some() { buffer } else { states }
    }

    /// Brings stored states back into the byte-aligned form.
    pub fn decode<'a>(&self, stored: &'a mut [u64], count: usize, buffer: &'a mut Vec<u64>) -> &'a mut [u64] {
        let Some(packing) = &self.packing else {
            return stored;
        };
        buffer.resize(count * self.aligned, 0);
        packing.decode(stored, buffer);
        buffer
    }

    /// One state in byte-aligned form.
    pub fn decode_one(&self, stored: &[u64]) -> Vec<u64> {
        let mut stored = stored.to_vec();
        let mut buffer = Vec::new();
        self.decode(&mut stored, 1, &mut buffer).to_vec()
    }

    /// One state in stored form.
    pub fn encode_one<'a>(&self, state: &'a [u64]) -> Cow<'a, [u64]> {
        match &self.packing {
            None => Cow::Borrowed(state),
            Some(packing) => {
                let mut packed = vec![0; self.stored];
                packing.encode(state, &mut packed);
                Cow::Owned(packed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::model::{Field, Labels, Simple, Type, Variable, Width};
    use crate::state::compress::has_fast_instructions;

    const fn simple(width: Width, low: i64, high: i64) -> Simple {
        Simple { name: "", width, low, high, labels: Labels::Numbers, spans: &[] }
    }

    static BIT: Type = Type::Simple(simple(Width::One, 0, 0));
    static SMALL: Type = Type::Simple(simple(Width::One, -3, 2));
    static MIDDLE: Type = Type::Simple(simple(Width::Two, 0, 255));
    static LARGE: Type = Type::Simple(simple(Width::Eight, i64::MIN, i64::MAX - 2));
    static WHOLE: Type = Type::Simple(simple(Width::Nine, i64::MIN, i64::MAX));
    static INDEX: Simple = simple(Width::One, 1, 5);
    static ELEMENT: Type = Type::Record {
        fields: &[Field { name: "a", offset: 0, ty: &SMALL }, Field { name: "b", offset: 1, ty: &MIDDLE }],
    };
    static ARRAY: Type = Type::Array { index: &INDEX, element: &ELEMENT, stride: 3 };
    static BAG: Type = Type::Multiset { capacity: 4, element: &ELEMENT, stride: 4, doubt: None };

    static MIXED: Description = Description {
        name: "mixed",
        source: "",
        fingerprint: 0,
        constants: &[],
        words: 7,
        variables: &[
            Variable { name: "bit", offset: 0, ty: &BIT },
            Variable { name: "large", offset: 1, ty: &LARGE },
            Variable { name: "whole", offset: 9, ty: &WHOLE },
            Variable { name: "array", offset: 18, ty: &ARRAY },
            Variable { name: "bag", offset: 33, ty: &BAG },
        ],
        scalarsets: &[],
        starts: &[],
        rules: &[],
        properties: &[],
        cover_statements: &[],
        parts: &[],
        sites: &[],
    };

    #[test]
    fn bits_are_counted_as_the_types_say() {
        // 1 value: 1 bit; -3..2: 6 values, 3 bits; 0..255: 256 values, 9 bits.
        let expected = 1 + 64 + 65 + 5 * (3 + 9) + 4 * (1 + 3 + 9);
        let codec = Codec::packed(&MIXED);
        assert_eq!(codec.bits_per_state(), expected);
        assert_eq!(codec.stored_words(), expected.div_ceil(64) as usize);
        assert_eq!(Codec::aligned(&MIXED).bits_per_state(), 7 * 64);
    }

    #[test]
    fn every_way_gives_the_same_bits_and_back() {
        let masks = masks(&MIXED);
        let mut ways = vec![Codec::with(&MIXED, Packing::with(&masks, false))];
        if has_fast_instructions() {
            ways.push(Codec::with(&MIXED, Packing::with(&masks, true)));
        }
        let mut number = 1u64;
        let count = 333;
        let states: Vec<u64> = (0..count * 7)
            .map(|at| {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at as u64);
                (number ^ number >> 31) & masks[at % 7]
            })
            .collect();
        let mut results = Vec::new();
        for codec in &ways {
            // Whatever is in a buffer before must not show.
            let mut buffer = vec![u64::MAX; 5000];
            let mut packed = codec.encode(&states, count, &mut buffer).to_vec();
            assert_eq!(codec.encode_one(&states[7..14]).as_ref(), &packed[codec.stored..2 * codec.stored]);
            results.push(packed.clone());
            let mut buffer = vec![u64::MAX; 5000];
            assert_eq!(codec.decode(&mut packed, count, &mut buffer), states);
        }
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn a_model_without_variables_has_a_word() {
        static EMPTY: Description = Description { words: 0, variables: &[], ..MIXED_REST };
        const MIXED_REST: Description = Description {
            name: "",
            source: "",
            fingerprint: 0,
            constants: &[],
            words: 0,
            variables: &[],
            scalarsets: &[],
            starts: &[],
            rules: &[],
            properties: &[],
            cover_statements: &[],
            parts: &[],
            sites: &[],
        };
        for codec in [Codec::aligned(&EMPTY), Codec::packed(&EMPTY)] {
            assert_eq!((codec.stored_words(), codec.bits_per_state()), (1, 0));
            assert_eq!(codec.encode(&[], 2, &mut Vec::new()), [0, 0]);
            assert!(codec.decode(&mut [0, 0], 2, &mut Vec::new()).is_empty());
        }
    }
}
