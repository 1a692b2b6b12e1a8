//! The product with the matrix by an instruction that multiplies bytes by matrices of eight rows
//! and eight columns.
//!
//! The matrix is cut into such squares: one for each byte of a state and each byte of a digest. A
//! register has eight lanes of eight bytes. The same byte of eight states goes into every lane, and
//! lane j multiplies it by the square that contributes to byte j of the place, so one instruction
//! makes what a byte of eight states contributes to eight places, and another one to eight
//! signatures. In the end lanes and bytes change places.
//!
//! A byte of a word that can have no bit set has no squares, and bits that cannot be set have no
//! columns in them. So bits need not be brought together first, whatever the layout.
//!
//! The function is linear. Of wide states only the words are multiplied in which any of the eight
//! differs from the last of the eight before.

use super::{Digest, ODD};
use crate::random::Random;
use std::arch::x86_64::*;

/// States that are worked on together, which is also the bytes of a lane and the lanes of a
/// register.
const STATES: usize = 8;
/// Digests that are handed on together.
const HANDED: usize = 64;
/// Significant bytes up to which a state is multiplied without being gathered first.
const NARROW: usize = 32;

#[derive(Debug)]
pub struct Affine {
    words: usize,
    constant: Digest,
    /// For each word, where its factors begin; in the end, where the last ones end.
    firsts: Vec<usize>,
    /// What bytes of states are multiplied by.
    factors: Vec<Factor>,
    /// A state without bits.
    zeros: Vec<u64>,
}

/// The squares of one byte of a state.
#[derive(Debug)]
#[repr(C, align(64))]
struct Factor {
    /// One for each byte of a place, and of a signature.
    place: [u64; STATES],
    signature: [u64; STATES],
    /// Where the byte is in each of eight words.
    bytes: u64,
}

/// The numbers of the first bytes of eight words, and what leads to the next bytes.
const FIRST_BYTES: u64 = 0x3830_2820_1810_0800;
const NEXT_BYTES: u64 = 0x0101_0101_0101_0101;
/// All of them, lane after lane.
const ALL_BYTES: [u64; 8] = {
    let mut all = [FIRST_BYTES; 8];
    let mut lane = 1;
    while lane < all.len() {
        all[lane] = all[lane - 1] + NEXT_BYTES;
        lane += 1;
    }
    all
};

impl Affine {
    /// The member of the class that is drawn for states whose words can have these bits set.
    /// `None`: the processor cannot.
    pub fn new(masks: &[u64], random: &mut Random) -> Option<Self> {
        if !is_available() {
            return None;
        }
        let mut draw = || Digest { place: random.number(), signature: random.number() };
        let constant = draw();
        let (mut firsts, mut factors) = (vec![0], Vec::new());
        for &mask in masks {
            let mut columns = [Digest::default(); 64];
            for (bit, column) in columns.iter_mut().enumerate() {
                // Bits that cannot be set have none.
                if mask >> bit & 1 == 1 {
                    *column = draw();
                }
            }
            for (byte, columns) in columns.as_chunks().0.iter().enumerate() {
                if mask >> (8 * byte) & 255 != 0 {
                    factors.push(Factor::new(byte, columns));
                }
            }
            firsts.push(factors.len());
        }
        Some(Affine { words: masks.len(), constant, firsts, factors, zeros: vec![0; masks.len()] })
    }

    /// Bytes of what grows with the bits of a state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.factors[..]) + size_of_val(&self.firsts[..]) + size_of_val(&self.zeros[..])
    }

    /// Says what it gives for each of these states, some at a time: places and signatures.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    pub fn digest(&self, states: &[u64], mut take: impl FnMut(&[u64], &[u64])) {
        let mut places = [0; HANDED];
        let mut signatures = [0; HANDED];
        let constant = LaneSums::of(self.constant);
        let mut base = Base { words: &self.zeros, sums: constant };
        for some in states.chunks(HANDED * self.words) {
            let groups = some.chunks(STATES * self.words);
            for ((group, places), signatures) in
                groups.zip(places.as_chunks_mut().0).zip(signatures.as_chunks_mut().0)
            {
                let sums = if self.factors.len() <= NARROW {
                    self.multiply_all(group, constant)
                } else {
                    self.multiply_differing(group, &mut base)
                };
                let place = _mm512_or_si512(permute(sums.place), _mm512_set1_epi64(1));
                *places = numbers(place);
                *signatures = numbers(permute(sums.signature));
            }
            let count = some.len() / self.words;
            take(&places[..count], &signatures[..count]);
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn multiply_all(&self, group: &[u64], constant: LaneSums) -> LaneSums {
        let zero = LaneSums { place: _mm512_setzero_si512(), signature: _mm512_setzero_si512() };
        let rows = Rows::new(group, self.words);
        let mut products = zero;
        for word in 0..self.words {
            products = self.multiply(word, rows.column(word), products);
        }
        products.turned().add(constant)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn multiply_differing<'a>(&'a self, group: &'a [u64], base: &mut Base<'a>) -> LaneSums {
        let zero = LaneSums { place: _mm512_setzero_si512(), signature: _mm512_setzero_si512() };
        let rows = Rows::new(group, self.words);
        let mut products = zero;
        let mut first = 0;
        while first < self.words {
            let width = (self.words - first).min(8);
            let some = |state: &[u64]| load(&state[first..first + width]);
            let before = some(base.words);
            let mut differences = zero.place;
            for state in rows.0 {
                // What differed before, or does here.
                differences = _mm512_ternarylogic_epi64::<0xf6>(differences, before, some(state));
            }
            let mut differing = _mm512_test_epi64_mask(differences, differences);
            while differing != 0 {
                let word = first + differing.trailing_zeros() as usize;
                differing &= differing - 1;
                let column = rows.column(word);
                let column = _mm512_xor_si512(column, _mm512_set1_epi64(base.words[word] as i64));
                products = self.multiply(word, column, products);
            }
            first += width;
        }
        let sums = products.turned().add(base.sums);
        // If there are fewer than eight, nothing comes after them.
        *base = Base { words: rows.0[STATES - 1], sums: sums.only(STATES - 1) };
        sums
    }

    /// Adds what a word of eight states contributes.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn multiply(&self, word: usize, column: __m512i, mut products: LaneSums) -> LaneSums {
        for factor in &self.factors[self.firsts[word]..self.firsts[word + 1]] {
            let bytes = _mm512_permutexvar_epi8(_mm512_set1_epi64(factor.bytes as i64), column);
            let place = _mm512_gf2p8affine_epi64_epi8::<0>(bytes, load(&factor.place));
            let signature = _mm512_gf2p8affine_epi64_epi8::<0>(bytes, load(&factor.signature));
            products = products.add(LaneSums { place, signature });
        }
        products
    }
}

/// Up to eight states. Where there are fewer, the first stands for the rest.
struct Rows<'a>([&'a [u64]; STATES]);

impl<'a> Rows<'a> {
    #[inline(always)]
    fn new(group: &'a [u64], words: usize) -> Self {
        Rows(std::array::from_fn(|state| {
            group.get(state * words..(state + 1) * words).unwrap_or(&group[..words])
        }))
    }

    /// A word of each.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn column(&self, word: usize) -> __m512i {
        let [a, b, c, d, e, f, g, h] = self.0.map(|row| row[word] as i64);
        _mm512_set_epi64(h, g, f, e, d, c, b, a)
    }
}

/// Whether the processor has all the instructions.
pub fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("gfni")
}

impl Factor {
    /// For a byte of a word, to whose bits these columns belong.
    fn new(byte: usize, columns: &[Digest; 8]) -> Self {
        let mut factor = Factor { place: [0; STATES], signature: [0; STATES], bytes: ALL_BYTES[byte] };
        for (from, column) in columns.iter().enumerate() {
            add_column(&mut factor.place, from, column.place);
            add_column(&mut factor.signature, from, column.signature);
        }
        factor
    }
}

/// Adds a column to the squares that lie one below the other. The instruction wants the last row of
/// a square first.
#[inline(never)]
fn add_column(squares: &mut [u64; STATES], from: usize, column: u64) {
    for bit in (0..64).filter(|bit| column >> bit & 1 == 1) {
        squares[bit / 8] |= 1 << (8 * (7 - bit % 8) + from);
    }
}

/// A state, and what it gives before the permutation, in all lanes.
struct Base<'a> {
    words: &'a [u64],
    sums: LaneSums,
}

/// What eight states give before the permutation. While it is being summed up there is a byte of
/// all of them in each lane, and in the end a state in each lane.
#[derive(Clone, Copy)]
struct LaneSums {
    place: __m512i,
    signature: __m512i,
}

impl LaneSums {
    /// Sums that start from this digest in every lane.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn of(digest: Digest) -> Self {
        LaneSums {
            place: _mm512_set1_epi64(digest.place as i64),
            signature: _mm512_set1_epi64(digest.signature as i64),
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn add(self, other: LaneSums) -> Self {
        LaneSums {
            place: _mm512_xor_si512(self.place, other.place),
            signature: _mm512_xor_si512(self.signature, other.signature),
        }
    }

    /// Makes bytes of lanes and lanes of bytes.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn turned(self) -> Self {
        let from = load(&ALL_BYTES);
        LaneSums {
            place: _mm512_permutexvar_epi8(from, self.place),
            signature: _mm512_permutexvar_epi8(from, self.signature),
        }
    }

    /// What is in one lane, in all of them.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
    #[inline]
    fn only(self, lane: usize) -> Self {
        let from = _mm512_set1_epi64(lane as i64);
        LaneSums {
            place: _mm512_permutexvar_epi64(from, self.place),
            signature: _mm512_permutexvar_epi64(from, self.signature),
        }
    }
}

/// The permutation of [`Digest::finish`], but for the lowest bit of a place.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
#[inline]
fn permute(values: __m512i) -> __m512i {
    let mixed = _mm512_xor_si512(values, _mm512_srli_epi64::<32>(values));
    _mm512_mullo_epi64(mixed, _mm512_set1_epi64(ODD as i64))
}

/// Up to eight numbers; the rest are zero.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
#[inline]
fn load(numbers: &[u64]) -> __m512i {
    let lanes = (1u32 << numbers.len().min(8)) - 1;
    // SAFETY: only as many are read as there are.
    unsafe { _mm512_maskz_loadu_epi64(lanes as u8, numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,gfni")]
#[inline]
fn numbers(register: __m512i) -> [u64; 8] {
    let mut numbers = [0u64; 8];
    // SAFETY: there is room for all eight.
    unsafe { _mm512_storeu_epi64(numbers.as_mut_ptr().cast(), register) };
    numbers
}
