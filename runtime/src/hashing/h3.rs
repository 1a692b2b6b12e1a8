//! The universal class H3 of hash functions (Carter and Wegman 1979): a random Boolean matrix times
//! the bits of a state, plus a random constant.
//!
//! One column of the matrix belongs to each bit that can ever be set, in the order of the packed
//! form. So a member of the class gives a state the same value in both layouts. A row is one bit of
//! the result: the first 64 rows make the *place*, the other 64 the *signature*. They are
//! independent members of the class, evaluated together.
//!
//! Two states have any pair of values with the same probability, which is what the bounds rest on.
//! But three and more states do not: the function is linear, so where one pair of states has a
//! signature in common, all pairs with the same difference have, and a search misses either nothing
//! or a lot. Therefore each of the two values then goes through a fixed permutation that is not
//! linear. What is true of pairs stays true, and pairs have no longer to do with each other. The
//! lowest bit of a place is always 1 in the end.
//!
//! To evaluate it, the bits of a state are cut into windows, and the sums of the columns of each
//! window are looked up. The windows are as wide as the first-level cache allows. The function is
//! linear: of two large states that come one after the other, such as successors of one state, only
//! the windows in which they differ are looked up. For small ones that is not worth the trouble.
//! Where the processor can, many are looked up at a time ([`lanes`]), unless they are very large.
//! Newer processors multiply by the matrix itself, a square of it at a time ([`affine`]), and need
//! none of this.

#[cfg(target_arch = "x86_64")]
mod affine;
#[cfg(target_arch = "x86_64")]
mod lanes;

use crate::random::Random;
use crate::state::compress::{Gather, has_fast_instructions};

/// Bytes that the tables of all windows should take, at most, so that they stay in the first-level
/// cache.
const CACHED: usize = 24 << 10;

/// Number of windows up to which a state counts as small.
const FEW: usize = 24;

/// What the permutation multiplies by.
const ODD: u64 = 0xd6e8_feb8_6659_fd93;

/// What a member of the class gives for a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C, align(16))]
pub struct Digest {
    /// Where to look for it.
    pub place: u64,
    /// What to look for.
    pub signature: u64,
}

impl Digest {
    /// The permutation.
    #[inline(always)]
    fn finish(self) -> Digest {
        let mix = |value: u64| (value ^ (value >> 32)).wrapping_mul(ODD);
        Digest { place: mix(self.place) | 1, signature: mix(self.signature) }
    }

    #[inline(always)]
    fn add(self, other: Digest) -> Digest {
        Digest { place: self.place ^ other.place, signature: self.signature ^ other.signature }
    }
}

/// A member of the class.
#[derive(Debug)]
pub struct H3 {
    constant: Digest,
    /// For each word of a state, its bits.
    pieces: Vec<Piece>,
    /// Of all windows, one after the other: the sum of the columns for each pattern of bits.
    sums: Vec<Digest>,
    /// Patterns of a window.
    patterns: usize,
    /// A state without bits.
    zeros: Vec<u64>,
    gathering: Gathering,
    #[cfg(target_arch = "x86_64")]
    lanes: Option<lanes::Lanes>,
    #[cfg(target_arch = "x86_64")]
    affine: Option<affine::Affine>,
}

#[derive(Debug)]
struct Piece {
    gather: Gather,
    /// The number of its first window, and how many it has.
    first: usize,
    windows: usize,
}

/// How the bits of a word that count are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gathering {
    /// They are together, from the lowest bit on.
    Needless,
    /// By an instruction.
    #[cfg(target_arch = "x86_64")]
    Fast,
    Portable,
}

/// The loop over a batch, once for each way to gather bits. A macro, because a function that may
/// use an instruction must itself be marked so.
macro_rules! walk {
    ($(#[$attribute:meta])* $name:ident, $gather:expr) => {
        $(#[$attribute])*
        fn $name<const PATTERNS: usize>(&self, mut states: &[u64], mut take: impl FnMut(Digest)) {
            #[cfg(target_arch = "x86_64")]
            if let Some(lanes) = &self.lanes {
                let width = self.pieces.len();
                let mut columns = vec![[0; lanes::STATES]; width];
                let mut digests = [Digest::default(); lanes::STATES];
                let mut base = lanes.base();
                while states.len() >= lanes::FEWEST * width {
                    let (some, others) = states.split_at(states.len().min(lanes::STATES * width));
                    states = others;
                    for (at, state) in some.chunks_exact(width).enumerate() {
                        for ((piece, &word), column) in self.pieces.iter().zip(state).zip(&mut columns) {
                            column[at] = $gather(piece, word);
                        }
                    }
                    // Where there are fewer states, the first stands for the rest.
                    for column in &mut columns {
                        let first = column[0];
                        column[some.len() / width..].fill(first);
                    }
                    // SAFETY: there are lanes only if the processor can.
                    unsafe { lanes.digest(&mut columns, &mut base, &mut digests) };
                    digests.iter().take(some.len() / width).for_each(|digest| take(digest.finish()));
                }
            }
            let (tables, _) = self.sums.as_chunks::<PATTERNS>();
            let width = PATTERNS.trailing_zeros();
            if tables.len() <= FEW {
                for state in states.chunks_exact(self.pieces.len()) {
                    let mut digest = self.constant;
                    let mut tables = tables.iter();
                    for (piece, &word) in self.pieces.iter().zip(state) {
                        let mut bits: u64 = $gather(piece, word);
                        for table in tables.by_ref().take(piece.windows) {
                            digest = digest.add(table[bits as usize & (PATTERNS - 1)]);
                            bits >>= width;
                        }
                    }
                    take(digest.finish());
                }
                return;
            }
            let mut digest = self.constant;
            let mut before = &self.zeros[..];
            for state in states.chunks_exact(self.pieces.len()) {
                for ((piece, &word), &other) in self.pieces.iter().zip(state).zip(before) {
                    let difference = word ^ other;
                    if difference == 0 {
                        continue;
                    }
                    let mut bits: u64 = $gather(piece, difference);
                    while bits != 0 {
                        let window = bits.trailing_zeros() / width;
                        let pattern = (bits >> (window * width)) as usize & (PATTERNS - 1);
                        digest = digest.add(tables[piece.first + window as usize][pattern]);
                        bits ^= (pattern as u64) << (window * width);
                    }
                }
                before = state;
                take(digest.finish());
            }
        }
    };
}

impl H3 {
    /// Bytes of its tables, which grow with the bits of a state.
    pub fn bytes(&self) -> u64 {
        let tables =
            size_of_val(&self.sums[..]) + size_of_val(&self.pieces[..]) + size_of_val(&self.zeros[..]);
        #[cfg(target_arch = "x86_64")]
        let tables = tables
            + self.affine.as_ref().map_or(0, affine::Affine::bytes)
            + self.lanes.as_ref().map_or(0, lanes::Lanes::bytes);
        tables as u64
    }

    /// Draws a member for states whose words can have these bits set.
    pub fn draw(masks: &[u64], random: &mut Random) -> Self {
        let dense = masks.iter().all(|mask| mask & mask.wrapping_add(1) == 0);
        let gathering = match dense {
            true => Gathering::Needless,
            #[cfg(target_arch = "x86_64")]
            false if has_fast_instructions() => Gathering::Fast,
            false => Gathering::Portable,
        };
        // It does without sums, which for large states are larger than everything else together.
        #[cfg(target_arch = "x86_64")]
        if let Some(affine) = affine::Affine::new(masks, random) {
            let h3 = Self::draw_with(&[], &mut Random(0), gathering, lanes::WIDTH);
            return H3 { affine: Some(affine), ..h3 };
        }
        let width = best_width(masks);
        #[cfg(target_arch = "x86_64")]
        let lanes = Self::draw_lanes(masks, &mut Random(random.0), gathering);
        let h3 = Self::draw_with(masks, random, gathering, width);
        #[cfg(target_arch = "x86_64")]
        let h3 = H3 { lanes, ..h3 };
        h3
    }

    /// Draws the hash function from `random` for the windows that [`lanes`] uses.
    #[cfg(target_arch = "x86_64")]
    fn draw_lanes(masks: &[u64], random: &mut Random, gathering: Gathering) -> Option<lanes::Lanes> {
        if masks.len() > lanes::MOST_WORDS {
            return None;
        }
        let narrow = Self::draw_with(masks, random, gathering, lanes::WIDTH);
        let windows = narrow.pieces.iter().map(|piece| piece.windows).collect();
        lanes::Lanes::new(windows, &narrow.sums, narrow.constant)
    }

    fn draw_with(masks: &[u64], random: &mut Random, gathering: Gathering, width: u32) -> Self {
        let mut draw = || Digest { place: random.number(), signature: random.number() };
        let constant = draw();
        let patterns = 1usize << width;
        let (mut pieces, mut sums) = (Vec::new(), Vec::new());
        for gather in masks.iter().map(|&mask| Gather::new(mask)) {
            let windows = gather.bits().div_ceil(width) as usize;
            let first_window = sums.len() >> width;
            for window in 0..windows {
                let first = sums.len();
                sums.push(Digest::default());
                let bits = width.min(gather.bits() - window as u32 * width);
                for bit in 0..bits {
                    let column = draw();
                    for pattern in 0..1 << bit {
                        sums.push(sums[first + pattern].add(column));
                    }
                }
                // Patterns with bits that are never set.
                sums.resize(first + patterns, Digest::default());
            }
            pieces.push(Piece { gather, first: first_window, windows });
        }
        H3 {
            constant,
            pieces,
            sums,
            patterns,
            zeros: vec![0; masks.len()],
            gathering,
            #[cfg(target_arch = "x86_64")]
            lanes: None,
            #[cfg(target_arch = "x86_64")]
            affine: None,
        }
    }

    /// Says what it gives for each of these states, some at a time: places and signatures.
    #[inline]
    pub fn digest(&self, states: &[u64], mut take: impl FnMut(&[u64], &[u64])) {
        #[cfg(target_arch = "x86_64")]
        if let Some(affine) = &self.affine {
            // SAFETY: there are such matrices only if the processor can.
            return unsafe { affine.digest(states, take) };
        }
        self.look_up(states, |Digest { place, signature }| take(&[place], &[signature]));
    }

    #[inline]
    fn look_up(&self, states: &[u64], take: impl FnMut(Digest)) {
        match self.patterns {
            16 => self.digest_by::<16>(states, take),
            32 => self.digest_by::<32>(states, take),
            64 => self.digest_by::<64>(states, take),
            128 => self.digest_by::<128>(states, take),
            _ => self.digest_by::<256>(states, take),
        }
    }

    #[inline]
    fn digest_by<const PATTERNS: usize>(&self, states: &[u64], take: impl FnMut(Digest)) {
        match self.gathering {
            Gathering::Needless => self.walk_dense::<PATTERNS>(states, take),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: it was found out that the processor has the instruction.
            Gathering::Fast => unsafe { self.walk_fast::<PATTERNS>(states, take) },
            Gathering::Portable => self.walk_portably::<PATTERNS>(states, take),
        }
    }

    walk!(walk_dense, |_: &Piece, word| word);
    walk!(walk_portably, |piece: &Piece, word| piece.gather.compress(word));
    #[cfg(target_arch = "x86_64")]
    walk!(
        #[target_feature(enable = "bmi2")]
        walk_fast,
        |piece: &Piece, word| std::arch::x86_64::_pext_u64(word, piece.gather.mask)
    );
}

/// The widest windows whose tables stay in the cache.
fn best_width(masks: &[u64]) -> u32 {
    let bytes = |width: u32| {
        let windows: u32 = masks.iter().map(|mask| mask.count_ones().div_ceil(width)).sum();
        (windows as usize * size_of::<Digest>()) << width
    };
    (4..=8).rev().find(|&width| bytes(width) <= CACHED).unwrap_or(4)
}

#[cfg(test)]
mod tests;
