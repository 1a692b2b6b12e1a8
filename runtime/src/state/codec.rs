//! How states are stored: byte-aligned, as models compute on them, or packed to the bit (`-b`).
//!
//! The packed form of a state is the bits of its words that can ever be set (see [`super::masks`]), without gaps. Bytes
//! mostly have bits to spare, so two words are laid over each other where that is possible, and their bits gathered at once. Whole batches are
//! converted in one call.

use super::compress::{Gather, has_fast_instructions};
use super::masks::masks;
use crate::model::Description;
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
    /// Bits that count.
    bits: u32,
    /// The same in each stored word.
    masks: Vec<u64>,
    packing: Option<Packing>,
}

#[derive(Debug)]
struct Packing {
    pieces: Vec<Piece>,
    /// For machines that need several steps to gather bits: the steps of each piece.
    gathers: Vec<Gather>,
    fast: bool,
}

/// The bits that two aligned words, or a single one, add to the packed state.
/// Small, because a state of many words has many of these.
#[derive(Debug)]
struct Piece {
    mask: u64,
    /// The bits of the first word, and of the second where that is another one.
    first: u64,
    second: u64,
    /// The position of its [`Gather`].
    gather: u32,
    /// The aligned words. A single one is laid over itself.
    from: [u32; 2],
    /// How far the second is moved.
    above: u8,
    /// The packed word in which its bits begin, and where in it.
    to: u32,
    shift: u8,
    /// It reaches the end of that packed word, or goes beyond.
    fills: bool,
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
        let packing =
            (aligned == 0).then(|| Packing { pieces: Vec::new(), gathers: Vec::new(), fast: false });
        let stored = aligned.max(1);
        let masks = if aligned == 0 { vec![0] } else { masks };
        Codec { aligned, stored, bytes, bits, masks, packing }
    }

    /// As few bits as the types of the variables allow.
    pub fn packed(description: &Description) -> Self {
        Self::packed_with(description, has_fast_instructions())
    }

    fn packed_with(description: &Description, fast: bool) -> Self {
        let mut bits = 0u32;
        let (mut pieces, mut gathers) = (Vec::new(), Vec::new());
        let masks = masks(description);
        let mut words = masks.iter().copied().enumerate().filter(|(_, mask)| *mask != 0).peekable();
        while let Some((from, first)) = words.next() {
            let over = words.peek().and_then(|&(other, second)| Some((other, second, above(first, second)?)));
            let (other, second, above) = match over {
                Some(over) => {
                    words.next();
                    over
                }
                None => (from, first, 0),
            };
            let mask = first | second << above;
            let gather = Gather::new(mask);
            let shift = bits % 64;
            let fills = shift + gather.bits() >= 64;
            pieces.push(Piece {
                mask,
                first,
                second,
                gather: gathers.len() as u32,
                from: [from as u32, other as u32],
                above,
                to: bits / 64,
                shift: shift as u8,
                fills,
            });
            bits += gather.bits();
            gathers.push(gather);
        }
        let stored = (bits.div_ceil(64) as usize).max(1);
        let bytes = (bits.div_ceil(8) as usize).max(1);
        let packing = Some(Packing { pieces, gathers, fast });
        let mut masks = vec![u64::MAX; stored];
        if let Some(last) = masks.last_mut().filter(|_| !bits.is_multiple_of(64) || bits == 0) {
            *last = (1 << (bits % 64)) - 1;
        }
        Codec { aligned: description.words, stored, bytes, bits, masks, packing }
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

    /// Brings `count` byte-aligned states into the stored form; `buffer` is used where a conversion is needed.
    pub fn encode<'a>(&self, states: &'a [u64], count: usize, buffer: &'a mut Vec<u64>) -> &'a [u64] {
        let Some(packing) = &self.packing else {
            return states;
        };
        buffer.clear();
        buffer.resize(count * self.stored, 0);
        packing.encode(self, states, buffer);
        buffer
    }

    /// What [`Codec::encode`] gave, from the same buffer.
    pub fn encoded<'a>(&self, states: &'a [u64], buffer: &'a [u64]) -> &'a [u64] {
        if self.packing.is_some() { buffer } else { states }
    }

    /// Brings stored states back into the byte-aligned form.
    pub fn decode<'a>(
        &self,
        stored: &'a mut Vec<u64>,
        count: usize,
        buffer: &'a mut Vec<u64>,
    ) -> &'a mut [u64] {
        let Some(packing) = &self.packing else {
            return stored;
        };
        // The last piece of a state is read together with the word after it.
        stored.push(0);
        buffer.clear();
        buffer.resize(count * self.aligned, 0);
        packing.decode(self, stored, buffer);
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
                packing.encode(self, state, &mut packed);
                Cow::Owned(packed)
            }
        }
    }
}

/// How far a word must be moved to be laid over another one without bits of the two falling together, if it can be.
fn above(first: u64, second: u64) -> Option<u8> {
    (0..8).find(|&above| first & second << above == 0 && second << above >> above == second)
}

/// The loops over a batch, once for each way to gather bits. A macro, because a function that may use an
/// instruction must itself be marked so.
macro_rules! loops {
    ($(#[$attribute:meta])* $encode:ident, $decode:ident, $gather:expr, $scatter:expr) => {
        $(#[$attribute])*
        fn $encode(&self, codec: &Codec, states: &[u64], packed: &mut [u64]) {
            let batch = states.chunks_exact(codec.aligned.max(1)).zip(packed.chunks_exact_mut(codec.stored));
            for (state, packed) in batch {
                let mut gathered = 0u64;
                let mut to = 0;
                for piece in &self.pieces {
                    let [first, second] = piece.from.map(|from| state[from as usize]);
                    let bits: u64 = $gather(&self.gathers, piece, first | second << piece.above);
                    gathered |= bits << piece.shift;
                    // Without a branch: it would be a different one in each word of each state.
                    packed[to] = gathered;
                    to += usize::from(piece.fills);
                    // In two steps, because a shift by 64 is none.
                    let rest = (bits >> 1) >> (63 - piece.shift);
                    gathered = if piece.fills { rest } else { gathered };
                }
                if let Some(last) = packed.get_mut(to) {
                    *last = gathered;
                }
            }
        }

        $(#[$attribute])*
        fn $decode(&self, codec: &Codec, packed: &[u64], states: &mut [u64]) {
            for (at, state) in states.chunks_exact_mut(codec.aligned.max(1)).enumerate() {
                let packed = &packed[at * codec.stored..][..codec.stored + 1];
                for piece in &self.pieces {
                    let to = piece.to as usize;
                    let low = packed[to] >> piece.shift;
                    let high = (packed[to + 1] << 1) << (63 - piece.shift);
                    let both: u64 = $scatter(&self.gathers, piece, low | high);
                    let [first, second] = piece.from;
                    state[first as usize] = both & piece.first;
                    state[second as usize] = both >> piece.above & piece.second;
                }
            }
        }
    };
}

impl Packing {
    fn encode(&self, codec: &Codec, states: &[u64], packed: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if self.fast {
            // SAFETY: `fast` says that the processor has the instructions.
            return unsafe { self.encode_fast(codec, states, packed) };
        }
        self.encode_portably(codec, states, packed);
    }

    fn decode(&self, codec: &Codec, packed: &[u64], states: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if self.fast {
            // SAFETY: `fast` says that the processor has the instructions.
            return unsafe { self.decode_fast(codec, packed, states) };
        }
        self.decode_portably(codec, packed, states);
    }

    loops!(
        encode_portably,
        decode_portably,
        |gathers: &[Gather], piece: &Piece, word| gathers[piece.gather as usize].compress(word),
        |gathers: &[Gather], piece: &Piece, word| gathers[piece.gather as usize].expand(word)
    );

    #[cfg(target_arch = "x86_64")]
    loops!(
        #[target_feature(enable = "bmi2")]
        encode_fast,
        decode_fast,
        |_: &[Gather], piece: &Piece, word| std::arch::x86_64::_pext_u64(word, piece.mask),
        |_: &[Gather], piece: &Piece, word| std::arch::x86_64::_pdep_u64(word, piece.mask)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Field, Labels, Simple, Type, Variable, Width};

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
    static BAG: Type = Type::Multiset { capacity: 4, element: &ELEMENT, stride: 4 };

    static MIXED: Description = Description {
        name: "mixed",
        source: "",
        fingerprint: 0,
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
        let mut ways = vec![Codec::packed_with(&MIXED, false)];
        if has_fast_instructions() {
            ways.push(Codec::packed_with(&MIXED, true));
        }
        let masks = masks(&MIXED);
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
            let mut buffer = Vec::new();
            let mut packed = codec.encode(&states, count, &mut buffer).to_vec();
            assert_eq!(codec.encode_one(&states[7..14]).as_ref(), &packed[codec.stored..2 * codec.stored]);
            results.push(packed.clone());
            let mut buffer = Vec::new();
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
            words: 0,
            variables: &[],
            scalarsets: &[],
            starts: &[],
            rules: &[],
            properties: &[],
            cover_statements: &[],
            sites: &[],
        };
        for codec in [Codec::aligned(&EMPTY), Codec::packed(&EMPTY)] {
            assert_eq!((codec.stored_words(), codec.bits_per_state()), (1, 0));
            assert_eq!(codec.encode(&[], 2, &mut Vec::new()), [0, 0]);
            assert!(codec.decode(&mut vec![0, 0], 2, &mut Vec::new()).is_empty());
        }
    }
}
