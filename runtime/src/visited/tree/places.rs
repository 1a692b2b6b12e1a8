//! The pairs at one node by their numbers: in four bytes, as long as both halves are small, and
//! otherwise in eight.
//!
//! A node says how many bits of four bytes are for the left half and how many for the right. Pairs
//! that fit are written to narrow chunks. From the first one that does not, chunks that are begun
//! are wide, whatever is written to them. So one chunk at most exists twice, or a few where threads
//! come to wide pairs at the same time.
//!
//! **A number has one pair.** Its place is written once, by the thread that took the number: either
//! the narrow one or the wide one, in one access, and never to 0, which is an empty place. So a
//! thread that reads the narrow place, and if that is empty the wide one, reads the pair that was
//! written, or nothing. If it has seen the pair once, in one of the two, it finds it there again:
//! reads of one location never go back in time, and the place that was not written stays empty.

use super::chunks::Chunks;
use super::slots::FIRST_PAIRS;
use crate::memory::{Budget, MemoryError};
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

/// Bits of both halves of a pair that is narrow: one more than that is in four bytes, and not 0.
pub const NARROW_BITS: u32 = 31;

#[derive(Debug)]
pub struct Places {
    narrow: Chunks<AtomicU32>,
    wide: Chunks<AtomicU64>,
    /// Bits of the right half of a narrow pair; the left half has the rest.
    right: u32,
    /// 1: chunks that are begun are wide.
    is_wide: AtomicU32,
}

/// What a wide place holds.
#[inline(always)]
fn written(pair: u64) -> u64 {
    // No pair is `u64::MAX`.
    pair.wrapping_add(1)
}

impl Places {
    /// For pairs whose right halves have this number of bits where they are narrow; at most 31.
    pub fn new(right: u32, budget: &Arc<Budget>) -> Self {
        Places {
            narrow: Chunks::new(FIRST_PAIRS, budget.clone()),
            wide: Chunks::new(FIRST_PAIRS, budget.clone()),
            right: right.min(NARROW_BITS),
            is_wide: AtomicU32::new(0),
        }
    }

    /// What a narrow place holds for this pair, if it fits.
    #[inline(always)]
    fn narrowed(&self, pair: u64) -> Option<u32> {
        let (left, right) = (pair >> 32, pair & u64::from(u32::MAX));
        let fits = left >> (NARROW_BITS - self.right) == 0 && right >> self.right == 0;
        fits.then(|| (left << self.right | right) as u32 + 1)
    }

    /// The pair with this number, if it was written.
    #[inline(always)]
    pub fn get(&self, number: usize) -> Option<u64> {
        if let Some(place) = self.narrow.get(number) {
            let held = place.load(Ordering::Relaxed);
            if held != 0 {
                let (left, right) = ((held - 1) >> self.right, (held - 1) & ((1 << self.right) - 1));
                return Some(u64::from(left) << 32 | u64::from(right));
            }
        }
        let held = self.wide.get(number)?.load(Ordering::Relaxed);
        (held != 0).then(|| held.wrapping_sub(1))
    }

    /// Makes a place for a pair, which may get this number. `false`: there are no more.
    #[inline(always)]
    pub fn make_room(&self, number: usize, pair: u64) -> Result<bool, MemoryError> {
        if self.narrow_place(number, pair).is_some() || self.wide.get(number).is_some() {
            return Ok(true);
        }
        if self.narrowed(pair).is_some() && self.is_wide.load(Ordering::Relaxed) == 0 {
            return self.narrow.begin(number);
        }
        self.is_wide.store(1, Ordering::Relaxed);
        self.wide.begin(number)
    }

    #[inline(always)]
    fn narrow_place(&self, number: usize, pair: u64) -> Option<(&AtomicU32, u32)> {
        Some((self.narrow.get(number)?, self.narrowed(pair)?))
    }

    /// Writes a pair to the place that was made for it. The caller alone has this number.
    #[inline(always)]
    pub fn write(&self, number: usize, pair: u64) {
        if let Some((place, held)) = self.narrow_place(number, pair) {
            place.store(held, Ordering::Relaxed);
        } else if let Some(place) = self.wide.get(number) {
            place.store(written(pair), Ordering::Relaxed);
        }
    }

    /// The places of a number, which will be read soon.
    #[inline(always)]
    pub fn ask(&self, number: usize) {
        match self.narrow.get(number) {
            Some(place) => crate::memory::prefetch(place),
            None => self.wide.get(number).into_iter().for_each(|place| crate::memory::prefetch(place)),
        }
    }

    pub fn bytes(&self) -> u64 {
        self.narrow.bytes() + self.wide.bytes()
    }
}

/// Bits of the right half of a narrow pair, where the left part is a leaf of this number of bits,
/// and so with the right one; `None`: a part whose numbers grow with the search.
pub fn right_bits(left: Option<u32>, right: Option<u32>) -> u32 {
    match (left, right) {
        (_, Some(right)) => right.min(NARROW_BITS),
        (Some(left), None) => NARROW_BITS - left.min(NARROW_BITS),
        (None, None) => NARROW_BITS / 2,
    }
}
