//! What the cache keeps of a state: all of it, or a signature.
//!
//! Entries lie in *sets* of [`WAYS`]. What a set needs to recognise its states follows the stamps
//! of [`super::stamps`], if there are any:
//!
//! ```text
//! states:      tags (1 byte each, 0 is an empty entry) | states (whole bytes, without gaps)
//! signatures:  signatures (b bits each, without gaps, 0 is an empty entry)
//! ```
//! A tag is eight bits of the hash, which says of most states at a glance that they are others.
//! Whether it is the same is decided by all of the state's bytes.

use crate::hashing::h3::H3;
use crate::hashing::signature::Bits;
use crate::hashing::words::hash;
use crate::random::Random;
use crate::state::codec::Codec;
use crate::visited::Batch;
use std::fmt::Debug;

/// Entries of a set.
pub const WAYS: usize = 16;

/// How states are kept.
pub trait Kept: Debug + Send + Sync {
    /// What a state is looked for by.
    type Key<'a>: Copy;

    /// Bytes of a set, without its stamps.
    fn set_bytes(&self) -> usize;

    /// Appends the hashes of stored states, and whatever else makes their keys.
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>);

    fn key<'a>(&self, batch: &Batch<'a>, position: u32) -> Self::Key<'a>;

    /// The entry of a set that holds the state.
    fn find(&self, set: &[u8], key: Self::Key<'_>) -> Option<usize>;

    /// An entry that holds nothing.
    fn free(&self, set: &[u8]) -> Option<usize>;

    fn write(&self, set: &mut [u8], way: usize, key: Self::Key<'_>);

    /// What will be read of a set if the state is there, so that it can be asked for in time.
    fn likely(&self, set: &[u8], key: Self::Key<'_>) -> usize;
}

/// Whole states.
#[derive(Clone, Copy, Debug)]
pub struct States {
    words: usize,
    bytes: usize,
}

impl States {
    pub fn new(codec: &Codec) -> Self {
        States { words: codec.stored_words(), bytes: codec.stored_bytes() }
    }

    fn place(&self, way: usize) -> usize {
        WAYS + way * self.bytes
    }
}

/// A state by its tag and its words.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a> {
    tag: u8,
    words: &'a [u64],
}

/// The entries of a set with this tag, a bit for each.
#[inline(always)]
fn with_tag(set: &[u8], tag: u8) -> u32 {
    let Some(tags) = set.first_chunk::<WAYS>() else { return 0 };
    let mut found = 0;
    for (way, &other) in tags.iter().enumerate() {
        found |= u32::from(other == tag) << way;
    }
    found
}

/// Whether a state in a set has these words. Bits that its last byte does not reach are zero.
#[inline(always)]
fn same(stored: &[u8], words: &[u64]) -> bool {
    let (whole, rest) = stored.as_chunks::<8>();
    let mut differences = 0;
    for (bytes, word) in whole.iter().zip(words) {
        differences |= u64::from_le_bytes(*bytes) ^ word;
    }
    if let Some(word) = words.get(whole.len()) {
        let bytes = word.to_le_bytes();
        for (left, right) in rest.iter().zip(bytes) {
            differences |= u64::from(left ^ right);
        }
    }
    differences == 0
}

impl Kept for States {
    type Key<'a> = Whole<'a>;

    fn set_bytes(&self) -> usize {
        self.place(WAYS)
    }

    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, _: &mut Vec<u64>) {
        hashes.extend(states.chunks_exact(self.words).map(hash));
    }

    #[inline(always)]
    fn key<'a>(&self, batch: &Batch<'a>, position: u32) -> Whole<'a> {
        let at = position as usize;
        // The top bits say in which set it is.
        let tag = (batch.hashes[at] as u8).max(1);
        Whole { tag, words: &batch.states[at * self.words..][..self.words] }
    }

    #[inline(always)]
    fn find(&self, set: &[u8], key: Whole<'_>) -> Option<usize> {
        let mut possible = with_tag(set, key.tag);
        while possible != 0 {
            let way = possible.trailing_zeros() as usize;
            if same(&set[self.place(way)..][..self.bytes], key.words) {
                return Some(way);
            }
            possible &= possible - 1;
        }
        None
    }

    #[inline(always)]
    fn free(&self, set: &[u8]) -> Option<usize> {
        let free = with_tag(set, 0);
        (free != 0).then_some(free.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn write(&self, set: &mut [u8], way: usize, key: Whole<'_>) {
        set[way] = key.tag;
        for (bytes, word) in set[self.place(way)..][..self.bytes].chunks_mut(8).zip(key.words) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }

    #[inline(always)]
    fn likely(&self, set: &[u8], key: Whole<'_>) -> usize {
        // The first with that tag, or the first free one.
        let possible = with_tag(set, key.tag) | with_tag(set, 0) | 1 << (WAYS - 1);
        self.place(possible.trailing_zeros() as usize)
    }
}

/// Keeps signatures of `bits` bits.
#[derive(Debug)]
pub struct Signatures {
    bits: Bits,
    h3: H3,
}

/// Bytes behind the last signature of a set that are read with it.
pub const BEYOND: usize = 8;

impl Signatures {
    pub fn new(codec: &Codec, bits: Bits, seed: u64) -> Self {
        Signatures { bits, h3: H3::draw(codec.stored_masks(), &mut Random(seed)) }
    }

    /// Bytes of the tables by which signatures are computed.
    pub fn bytes(&self) -> u64 {
        self.h3.bytes()
    }

    #[inline(always)]
    fn get(&self, set: &[u8], way: usize) -> u64 {
        let bit = way * self.bits.get() as usize;
        let (at, shift) = (bit / 8, bit % 8);
        let word = |at: usize| {
            set.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let mut value = word(at) >> shift;
        if shift + self.bits.get() as usize > 64 {
            value |= u64::from(set[at + 8]) << (64 - shift);
        }
        value & self.bits.signatures()
    }
}

impl Kept for Signatures {
    type Key<'a> = u64;

    fn set_bytes(&self) -> usize {
        WAYS * self.bits.get() as usize / 8
    }

    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>) {
        self.h3.digest(states, |places, numbers| {
            hashes.extend_from_slice(places);
            signatures.extend_from_slice(numbers);
        });
    }

    #[inline(always)]
    fn key<'a>(&self, batch: &Batch<'a>, position: u32) -> u64 {
        self.bits.signature(batch.signatures[position as usize])
    }

    #[inline(always)]
    fn find(&self, set: &[u8], key: u64) -> Option<usize> {
        (0..WAYS).find(|&way| self.get(set, way) == key)
    }

    #[inline(always)]
    fn free(&self, set: &[u8]) -> Option<usize> {
        self.find(set, 0)
    }

    #[inline(always)]
    fn write(&self, set: &mut [u8], way: usize, key: u64) {
        let bits = self.bits.get() as usize;
        let (at, shift) = (way * bits / 8, way * bits % 8);
        let (mask, value) = (u128::from(self.bits.signatures()) << shift, u128::from(key) << shift);
        let bytes = (shift + bits).div_ceil(8);
        let (masks, values) = (mask.to_le_bytes(), value.to_le_bytes());
        for ((byte, mask), value) in set[at..][..bytes].iter_mut().zip(masks).zip(values) {
            *byte = *byte & !mask | value;
        }
    }

    #[inline(always)]
    fn likely(&self, _: &[u8], _: u64) -> usize {
        // The second line, if there is one; the first is always asked for.
        64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_of_every_width_keep_to_themselves() {
        for bits in (8..=64).map(|bits| Bits::new(bits).unwrap()) {
            let kept = Signatures { bits, h3: H3::draw(&[1], &mut Random(1)) };
            let mut set = vec![0; kept.set_bytes() + BEYOND];
            set[kept.set_bytes()..].fill(0xa5);
            let mut expected = [0; WAYS];
            let mut random = Random(u64::from(bits.get()));
            for _ in 0..500 {
                let (way, value) = (random.below(WAYS as u64) as usize, bits.signature(random.number()));
                kept.write(&mut set, way, value);
                expected[way] = value;
                let found: Vec<u64> = (0..WAYS).map(|way| kept.get(&set, way)).collect();
                assert_eq!(found, expected);
                assert_eq!(kept.find(&set, value), expected.iter().position(|other| *other == value));
            }
            assert_eq!(set[kept.set_bytes()..], [0xa5; BEYOND], "nothing is written behind a set");
        }
    }

    #[test]
    fn states_are_compared_to_the_last_byte() {
        for bytes in 1..=24 {
            let kept = States { words: usize::div_ceil(bytes, 8), bytes };
            let mut set = vec![0; kept.set_bytes()];
            let state = |number: u64| {
                let mut words = vec![0u64; kept.words];
                words[number as usize % bytes / 8] = 1 << (number as usize % bytes % 8 * 8);
                words
            };
            // All have one tag, so that only the bytes distinguish them.
            for way in 0..bytes.min(WAYS) {
                let words = state(way as u64);
                let key = Whole { tag: 7, words: &words };
                assert_eq!((kept.find(&set, key), kept.free(&set)), (None, Some(way)));
                kept.write(&mut set, way, key);
            }
            for way in 0..bytes.min(WAYS) {
                let words = state(way as u64);
                assert_eq!(kept.find(&set, Whole { tag: 7, words: &words }), Some(way), "{bytes}");
                assert_eq!(kept.find(&set, Whole { tag: 8, words: &words }), None);
            }
        }
    }
}
