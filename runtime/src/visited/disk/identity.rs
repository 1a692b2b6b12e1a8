//! What identifies a state on disk: all of its bytes, or a signature.
//!
//! Either way a state has a *key* of 64 bits, by which tables are sorted and segments are chosen.
//! The key of a signature is the signature itself, in the top bits. The key of a whole state is its
//! first word, mixed with a hash of the others in a way that can be undone: so two states are the
//! same exactly if their keys and their *rests*, which are the other words, are. A state of up to
//! eight bytes has no rest, and its key is all there is to compare.

use crate::hashing::h3::H3;
use crate::hashing::signature::Bits;
use crate::hashing::words::hash;
use crate::random::Random;
use crate::state::codec::Codec;
use std::fmt::Debug;

pub trait Identity: Debug + Send + Sync {
    /// Appends the keys of stored states.
    fn hash(&self, states: &[u64], keys: &mut Vec<u64>);

    fn shape(&self) -> Shape;

    /// The bits of a signature and the seed that they were drawn with; `None`: whole states are
    /// compared.
    fn signatures(&self) -> Option<(Bits, u64)>;
}

/// How keys and rests are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The top bits of a key that mean something.
    pub key_bits: u32,
    /// Words of a rest, and the bytes of them that mean something.
    pub rest_words: usize,
    pub rest_bytes: usize,
}

impl Shape {
    /// The words of a state that its key does not stand for.
    #[inline(always)]
    pub fn rest<'a>(&self, state: &'a [u64]) -> &'a [u64] {
        &state[state.len() - self.rest_words..]
    }
}

/// Whole states.
#[derive(Debug)]
pub struct Whole {
    words: usize,
    bytes: usize,
}

impl Whole {
    pub fn new(codec: &Codec) -> Self {
        Whole { words: codec.stored_words(), bytes: codec.stored_bytes() }
    }
}

/// A permutation of the numbers of 64 bits: multiplying by an odd number and adding the high bits
/// to the low ones can both be undone.
#[inline(always)]
fn permute(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let word = (word ^ (word >> 29)).wrapping_mul(0xa076_1d64_78bd_642f);
    word ^ (word >> 32)
}

/// The key of a whole state.
#[inline(always)]
pub fn key_of(state: &[u64]) -> u64 {
    match state {
        [] => 0,
        [only] => permute(*only),
        [first, rest @ ..] => permute(first ^ hash(rest)),
    }
}

impl Identity for Whole {
    fn hash(&self, states: &[u64], keys: &mut Vec<u64>) {
        // Where the compiler knows the number of words, it unrolls the hash.
        match self.words {
            1 => keys.extend(states.iter().map(|&word| permute(word))),
            2 => keys.extend(states.as_chunks::<2>().0.iter().map(|state| key_of(state))),
            words => keys.extend(states.chunks_exact(words).map(key_of)),
        }
    }

    fn shape(&self) -> Shape {
        Shape {
            key_bits: u64::BITS,
            rest_words: self.words.saturating_sub(1),
            rest_bytes: self.bytes.saturating_sub(size_of::<u64>()),
        }
    }

    fn signatures(&self) -> Option<(Bits, u64)> {
        None
    }
}

/// Signatures.
#[derive(Debug)]
pub struct Signed {
    h3: H3,
    bits: Bits,
    seed: u64,
}

impl Signed {
    pub fn new(codec: &Codec, bits: Bits, seed: u64) -> Self {
        Signed { h3: H3::draw(codec.stored_masks(), &mut Random(seed)), bits, seed }
    }

    /// Bytes of the tables by which signatures are computed.
    pub fn bytes(&self) -> u64 {
        self.h3.bytes()
    }
}

impl Identity for Signed {
    fn hash(&self, states: &[u64], keys: &mut Vec<u64>) {
        let below = u64::BITS - self.bits.get();
        let key = |&signature: &u64| self.bits.signature(signature) << below;
        self.h3.digest(states, |_, signatures| keys.extend(signatures.iter().map(key)));
    }

    fn shape(&self) -> Shape {
        Shape { key_bits: self.bits.get(), rest_words: 0, rest_bytes: 0 }
    }

    fn signatures(&self) -> Option<(Bits, u64)> {
        Some((self.bits, self.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Undoing what was mixed gives the state back, so different states with one rest have
    /// different keys.
    #[test]
    fn a_key_and_a_rest_are_a_state() {
        let inverse = |factor: u64| {
            let mut found = 1u64;
            (0..6).for_each(|_| found = found.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(found))));
            found
        };
        let undo = |key: u64| {
            let word = (key ^ (key >> 32)).wrapping_mul(inverse(0xa076_1d64_78bd_642f));
            let word = (word ^ (word >> 29) ^ (word >> 58)).wrapping_mul(inverse(0xd6e8_feb8_6659_fd93));
            word ^ (word >> 32)
        };
        let mut random = Random(3);
        for _ in 0..10_000 {
            let state = [random.number(), random.number(), random.number()];
            assert_eq!(undo(key_of(&state[..1])), state[0]);
            assert_eq!(undo(key_of(&state)) ^ hash(&state[1..]), state[0]);
        }
    }

    #[test]
    fn keys_spread_at_both_ends() {
        for words in 1..4usize {
            for at in 0..words {
                let key = |number: u64| {
                    let mut state = vec![0; words];
                    state[at] = number;
                    key_of(&state)
                };
                let top: HashSet<u64> = (0..8000).map(|number| key(number) >> 32).collect();
                let low: HashSet<u64> = (0..8000).map(|number| key(number << 40) & 0xffff_ffff).collect();
                assert!(top.len() > 7990 && low.len() > 7990, "{words} {at}: {} {}", top.len(), low.len());
            }
        }
    }
}
