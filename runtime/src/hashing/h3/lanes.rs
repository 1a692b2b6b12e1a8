//! Many states at a time, side by side in wide registers.
//!
//! A window is four bits wide here, so one byte of the sums of its columns has sixteen values: as
//! many as a shuffle can look up, for thirty-two states at once. That is sixteen shuffles a window,
//! which is less than one look-up for each state.
//!
//! The function is linear, and states that come together, such as successors of one state, are much
//! alike. So it is enough to know it for the first of them, and to work on the windows in which any
//! of the others differs from that one. The first is found in the same way from the first of the
//! states before.
//!
//! States come in as words and leave as digests, and in between there is a byte of each state in a
//! register. Both ways are the same step, taken four times: a perfect shuffle of the bytes of all
//! registers.

use super::Digest;
use std::arch::x86_64::*;

/// States that are worked on together: sixteen in each half of a register.
pub const STATES: usize = 32;
/// For fewer states it is not worth the trouble.
pub const FEWEST: usize = 8;
/// Largest number of words and of windows of a state; with more, the tables would not fit into the
/// second-level cache.
pub const MOST_WORDS: usize = 64;
const MOST_WINDOWS: usize = 1024;
/// Bits of a window, and patterns of them.
pub const WIDTH: u32 = 4;
const PATTERNS: usize = 16;
/// Bytes of a digest, and how many of them are worked on together: there are sixteen registers.
const BYTES: usize = 16;
const TOGETHER: usize = 8;

#[derive(Debug)]
pub struct Lanes {
    /// The windows of each word.
    windows: Vec<usize>,
    /// For each window and each byte of a digest: that byte of the sum for each pattern.
    tables: Vec<[[u64; 2]; BYTES]>,
    /// For each window, the sum for each pattern: used for states hashed one at a time.
    sums: Vec<[Digest; PATTERNS]>,
    constant: Digest,
}

/// A state and its digest, before the permutation.
#[derive(Debug)]
pub struct Base {
    words: [u64; MOST_WORDS],
    digest: Digest,
}

impl Lanes {
    /// `windows` is the number of windows of each word, `sums` are the sums of all windows in
    /// order. `None`: it would not be faster.
    pub fn new(windows: Vec<usize>, sums: &[Digest], constant: Digest) -> Option<Self> {
        let (sums, _) = sums.as_chunks::<PATTERNS>();
        let small = windows.len() <= MOST_WORDS && sums.len() <= MOST_WINDOWS;
        if !small || !is_x86_feature_detected!("avx2") {
            return None;
        }
        let table = |sums: &[Digest; PATTERNS]| {
            let sums = sums.map(bytes);
            std::array::from_fn(|byte| {
                let column: [u8; PATTERNS] = std::array::from_fn(|pattern| sums[pattern][byte]);
                let (words, _) = column.as_chunks::<8>();
                std::array::from_fn(|half| words.get(half).map_or(0, |word| u64::from_le_bytes(*word)))
            })
        };
        let tables = sums.iter().map(table).collect();
        Some(Lanes { windows, tables, sums: sums.to_vec(), constant })
    }

    /// Bytes of what grows with the bits of a state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.tables[..]) + size_of_val(&self.sums[..]) + size_of_val(&self.windows[..])
    }

    /// The state without bits.
    pub fn base(&self) -> Base {
        Base { words: [0; MOST_WORDS], digest: self.constant }
    }

    /// The digests of states, before the permutation. `columns` has, for each word, the bits that
    /// count in it, of each state; only the differences from the first of them are left there. That
    /// one becomes the base for the states that come next.
    #[target_feature(enable = "avx2")]
    pub fn digest(&self, columns: &mut [[u64; STATES]], base: &mut Base, digests: &mut [Digest; STATES]) {
        let mut sums = [_mm256_setzero_si256(); BYTES];
        let mut first = 0;
        for ((column, &windows), before) in columns.iter_mut().zip(&self.windows).zip(&mut base.words) {
            let (tables, singles) =
                (&self.tables[first..first + windows], &self.sums[first..first + windows]);
            first += windows;
            let word = column[0];
            for (window, pattern) in differing(word ^ *before) {
                base.digest = base.digest.add(singles[window][pattern]);
            }
            *before = word;
            let mut varying = 0;
            for other in column.iter_mut() {
                *other ^= word;
                varying |= *other;
            }
            if varying == 0 {
                continue;
            }
            let patterns = patterns(column);
            for (part, sums) in sums.as_chunks_mut::<TOGETHER>().0.iter_mut().enumerate() {
                let mut sum = *sums;
                for (window, _) in differing(varying) {
                    let (table, pattern) = (&tables[window], patterns[window]);
                    let table = &table.as_chunks::<TOGETHER>().0[part];
                    for (sum, &[low, high]) in sum.iter_mut().zip(table) {
                        let table = _mm256_broadcastsi128_si256(_mm_set_epi64x(high as i64, low as i64));
                        *sum = _mm256_xor_si256(*sum, _mm256_shuffle_epi8(table, pattern));
                    }
                }
                *sums = sum;
            }
        }
        let sums = turn(sums);
        let (first, second) = digests.split_at_mut(STATES / 2);
        for ((sum, first), second) in sums.into_iter().zip(first).zip(second) {
            let place = _mm256_extract_epi64::<0>(sum) as u64;
            let signature = _mm256_extract_epi64::<1>(sum) as u64;
            *first = base.digest.add(Digest { place, signature });
            let place = _mm256_extract_epi64::<2>(sum) as u64;
            let signature = _mm256_extract_epi64::<3>(sum) as u64;
            *second = base.digest.add(Digest { place, signature });
        }
    }
}

/// The windows of a word that are not zero, and the patterns in them.
#[inline(always)]
fn differing(mut bits: u64) -> impl Iterator<Item = (usize, usize)> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let window = bits.trailing_zeros() / WIDTH;
        let pattern = (bits >> (window * WIDTH)) & (PATTERNS as u64 - 1);
        bits ^= pattern << (window * WIDTH);
        Some((window as usize, pattern as usize))
    })
}

fn bytes(digest: Digest) -> [u8; BYTES] {
    let (place, signature) = (digest.place.to_le_bytes(), digest.signature.to_le_bytes());
    std::array::from_fn(|byte| if byte < 8 { place[byte] } else { signature[byte - 8] })
}

/// The patterns of the windows of one word: a register for each window, with a byte for each state.
#[target_feature(enable = "avx2")]
#[inline]
fn patterns(column: &[u64; STATES]) -> [__m256i; 16] {
    let word = |at: usize| column[at] as i64;
    let rows: [__m256i; 8] = std::array::from_fn(|at| {
        let (low, high) = (2 * at, STATES / 2 + 2 * at);
        _mm256_set_epi64x(word(high + 1), word(high), word(low + 1), word(low))
    });
    let bytes = turn(rows);
    let mask = _mm256_set1_epi8(15);
    let mut patterns = [mask; 16];
    for (pair, byte) in patterns.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [_mm256_and_si256(byte, mask), _mm256_and_si256(_mm256_srli_epi16::<4>(byte), mask)];
    }
    patterns
}

/// Exchanges rows and columns, in each half of the registers.
///
/// The address of a byte is the number of its register, with the byte's position in the half behind
/// it. A perfect shuffle of all bytes moves the first bit of the address to the end. After four of
/// them the positions, which had four bits, are where the numbers were.
#[target_feature(enable = "avx2")]
#[inline]
fn turn<const ROWS: usize>(mut rows: [__m256i; ROWS]) -> [__m256i; ROWS] {
    for _ in 0..4 {
        rows = std::array::from_fn(|at| {
            let (left, right) = (rows[at / 2], rows[at / 2 + ROWS / 2]);
            match at % 2 {
                0 => _mm256_unpacklo_epi8(left, right),
                _ => _mm256_unpackhi_epi8(left, right),
            }
        });
    }
    rows
}
