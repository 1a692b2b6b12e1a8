//! The numbers of the pairs at one inner node of the tree: all threads look them up and add to
//! them.
//!
//! A pair's number is its slot, so that finding a pair gives its number, and a number its pair,
//! with one access to memory. Slots are never moved. The table grows by *generations*, two of each
//! size, and then two of twice that size: a new pair goes into the newest, and a look-up goes from
//! the newest to the oldest. So growing copies nothing, and adds a third or a half of what there
//! is.
//!
//! **One number for each pair.** A pair that is there is found without a lock: a slot is written
//! once, by one compare-and-swap, and its contents are all there is to know. A pair that is missing
//! is added under the shared side of a lock, whose exclusive side is taken to begin a generation.
//! Hence no thread adds to an older generation while another adds to a newer one, and a thread that
//! sees a generation sees all pairs of those before it. Two threads that add one pair to one
//! generation go through the same slots, and both want the first that is empty: a compare-and-swap
//! cannot miss what is there, so one of them gets the slot and the other finds the pair in it.
//!
//! **Relaxed accesses** are enough for slots. A thread that has a number has read its slot itself,
//! or received the number from a thread that had; reads of one location never go back in time, so
//! the slot is not empty for it. This holds for all numbers below a root, because the thread that
//! folds a state looks up every part of it, from the leaves to the root, or has done so before.
//!
//! This file uses nothing that threads share but through `crate::sync` and `slots`, so that the
//! crate `interleavings` can try every order in which threads can meet here.

use super::slots::{FIRST, GENERATIONS, LINE, LINES, Slots};
use crate::memory::{Budget, MemoryError};
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, RwLock};
use std::sync::{Arc, PoisonError};

/// Spreads the bits of a pair; the top bits are used.
pub(super) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Why a pair has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairError {
    /// There is no memory for another generation.
    Memory,
    /// All 2^32 numbers are used.
    Numbers,
}

impl std::fmt::Display for PairError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            PairError::Memory => "out of memory",
            PairError::Numbers => "a node of the tree has no more numbers",
        })
    }
}

impl std::error::Error for PairError {}

impl From<MemoryError> for PairError {
    fn from(MemoryError: MemoryError) -> Self {
        PairError::Memory
    }
}

/// The pairs at one node.
#[derive(Debug)]
pub struct Pairs {
    /// Where the slots of each generation begin; null: it has not begun.
    starts: [AtomicPtr<AtomicU64>; GENERATIONS],
    /// How many generations there are.
    begun: AtomicUsize,
    /// How many pairs there are.
    length: AtomicU64,
    /// Shared to add a pair, exclusive to begin a generation.
    growth: RwLock<Growth>,
    budget: Arc<Budget>,
}

#[derive(Debug, Default)]
struct Growth {
    /// The slots of all generations.
    owned: Vec<Slots>,
    /// Pairs in all generations but the newest.
    before: u64,
}

/// One generation.
#[derive(Clone, Copy)]
struct Generation<'a> {
    which: usize,
    slots: &'a [AtomicU64],
}

/// What a generation knows of a pair.
enum Found<'a> {
    At(u32),
    /// It is not there, and belongs into this slot, which has this number.
    Missing(&'a AtomicU64, u32),
    /// It is not there, and there is no room for it.
    Full,
}

/// What a slot holds of a pair: never 0, which is an empty slot.
#[inline(always)]
fn written(pair: u64) -> u64 {
    // No number is `u32::MAX`, so no pair is `u64::MAX`.
    pair.wrapping_add(1)
}

/// A generation has `1 << bits` slots.
#[inline(always)]
pub(super) fn bits(which: usize) -> u32 {
    FIRST + which as u32 / 2
}

/// The number of the first slot of a generation: those before it have the numbers below.
#[inline(always)]
pub(super) fn first_number(which: usize) -> u32 {
    let slots = 1u64 << bits(which);
    (2 * slots - (2 << FIRST) + which as u64 % 2 * slots) as u32
}

/// The generation and the slot of a number.
#[inline(always)]
pub(super) fn place(number: u32) -> (usize, usize) {
    let shifted = u64::from(number) + (2 << FIRST);
    let bits = shifted.ilog2() - 1;
    let rest = shifted - (2 << bits);
    (2 * (bits - FIRST) as usize + (rest >> bits) as usize, (rest & ((1 << bits) - 1)) as usize)
}

/// Pairs that may be in a generation before another one begins: nine tenths of its slots. With more
/// of them, looking for what is not there takes longer.
fn room(which: usize) -> u64 {
    let slots = 1u64 << bits(which);
    slots - slots / 10
}

pub(super) fn bytes(which: usize) -> u64 {
    (Slots::BYTES as u64) << bits(which)
}

/// Bytes of the tables of a node with this number of pairs.
pub(super) fn bytes_for(pairs: u64) -> u64 {
    let mut left = pairs;
    let mut all = 0;
    for which in 0..GENERATIONS {
        if left == 0 {
            break;
        }
        all += bytes(which);
        left = left.saturating_sub(room(which));
    }
    all
}

impl<'a> Generation<'a> {
    #[inline(always)]
    fn find(self, pair: u64) -> Found<'a> {
        let spread = (pair ^ pair >> 32).wrapping_mul(SPREAD);
        let lines = self.slots.len() / LINE;
        // Lines far from each other: neighbours would be full together.
        let step = (spread >> 20) as usize | 1;
        let mut line = (spread >> (64 - bits(self.which))) as usize / LINE;
        for _ in 0..LINES.min(lines) {
            let first = line * LINE;
            for (at, slot) in self.slots.get(first..first + LINE).unwrap_or_default().iter().enumerate() {
                match slot.load(Ordering::Relaxed) {
                    0 => return Found::Missing(slot, first_number(self.which) + (first + at) as u32),
                    found if found == written(pair) => {
                        return Found::At(first_number(self.which) + (first + at) as u32);
                    }
                    _ => {}
                }
            }
            line = line.wrapping_add(step) & (lines - 1);
        }
        Found::Full
    }
}

impl Pairs {
    pub fn new(budget: Arc<Budget>) -> Self {
        Pairs {
            starts: std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut())),
            begun: AtomicUsize::new(0),
            length: AtomicU64::new(0),
            growth: RwLock::new(Growth::default()),
            budget,
        }
    }

    /// How many generations there are.
    fn begun(&self) -> usize {
        self.begun.load(Ordering::Acquire)
    }

    #[inline(always)]
    fn generation(&self, which: usize) -> Option<Generation<'_>> {
        let start = self.starts.get(which)?.load(Ordering::Acquire);
        if start.is_null() {
            return None;
        }
        // SAFETY: `begin` made this number of slots, zeroed them before it stored the address, and
        // keeps them as long as `self` lives; all access to them is atomic.
        let slots = unsafe { std::slice::from_raw_parts(start, 1 << bits(which)) };
        Some(Generation { which, slots })
    }

    /// The number of a pair, if it has one.
    #[inline]
    pub fn find(&self, pair: u64) -> Option<u32> {
        self.find_among(pair, 0..self.begun())
    }

    fn find_among(&self, pair: u64, which: std::ops::Range<usize>) -> Option<u32> {
        which.rev().filter_map(|which| self.generation(which)).find_map(|generation| {
            match generation.find(pair) {
                Found::At(number) => Some(number),
                Found::Missing(..) | Found::Full => None,
            }
        })
    }

    /// The number of a pair, which gets one if it has none.
    #[inline]
    pub fn number(&self, pair: u64) -> Result<u32, PairError> {
        let begun = self.begun();
        match self.find_among(pair, 0..begun) {
            Some(number) => Ok(number),
            None => self.add(pair, begun),
        }
    }

    /// Adds a pair that is in none of the generations before the newest of these.
    #[cold]
    fn add(&self, pair: u64, looked: usize) -> Result<u32, PairError> {
        loop {
            let begun = {
                let growth = self.growth.read().unwrap_or_else(PoisonError::into_inner);
                let begun = self.begun();
                // Other threads may have added it since it was looked for: to the newest generation
                // of then, or to one after it.
                if let Some(number) = self.find_among(pair, looked.saturating_sub(1)..begun) {
                    return Ok(number);
                }
                let newest = begun.checked_sub(1).and_then(|newest| self.generation(newest));
                if let Some(number) = newest.and_then(|newest| self.add_to(newest, pair, growth.before)) {
                    return Ok(number);
                }
                begun
            };
            self.begin(begun)?;
        }
    }

    /// Adds a pair to the newest generation, unless it is there; `None`: there is no room.
    fn add_to(&self, newest: Generation<'_>, pair: u64, before: u64) -> Option<u32> {
        loop {
            match newest.find(pair) {
                Found::At(number) => return Some(number),
                Found::Full => return None,
                Found::Missing(slot, number) => {
                    if self.length.load(Ordering::Relaxed).saturating_sub(before) >= room(newest.which) {
                        return None;
                    }
                    let added = slot.compare_exchange(0, written(pair), Ordering::Relaxed, Ordering::Relaxed);
                    if added.is_ok() {
                        self.length.fetch_add(1, Ordering::Relaxed);
                        return Some(number);
                    }
                    // Another thread was faster, perhaps with this pair.
                }
            }
        }
    }

    /// Begins a generation, unless another thread has begun it.
    fn begin(&self, which: usize) -> Result<(), PairError> {
        let mut growth = self.growth.write().unwrap_or_else(PoisonError::into_inner);
        let place = self.starts.get(which).ok_or(PairError::Numbers)?;
        if growth.owned.len() <= which {
            self.budget.take(bytes(which))?;
            let Some(slots) = Slots::new(1 << bits(which)) else {
                return Err(self.budget.refuse(bytes(which)).into());
            };
            place.store(slots.start(), Ordering::Release);
            growth.owned.push(slots);
            growth.before = self.length.load(Ordering::Relaxed);
            self.begun.store(which + 1, Ordering::Release);
        }
        Ok(())
    }

    fn slot(&self, number: u32) -> Option<&AtomicU64> {
        let (which, at) = place(number);
        self.generation(which)?.slots.get(at)
    }

    /// The pair with this number, which must be that of one.
    #[inline]
    pub fn pair(&self, number: u32) -> u64 {
        debug_assert!(self.has(number), "no pair has the number {number}");
        self.slot(number).map_or(0, |slot| slot.load(Ordering::Relaxed).wrapping_sub(1))
    }

    /// Whether a pair has this number.
    pub fn has(&self, number: u32) -> bool {
        self.slot(number).is_some_and(|slot| slot.load(Ordering::Relaxed) != 0)
    }

    /// All pairs, each with its number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        (0..self.begun()).filter_map(|which| self.generation(which)).flat_map(|generation| {
            let numbers = first_number(generation.which)..;
            numbers.zip(generation.slots).filter_map(|(number, slot)| {
                let found = slot.load(Ordering::Relaxed);
                (found != 0).then(|| (number, found.wrapping_sub(1)))
            })
        })
    }

    /// Gives a pair this number, where a set is made again that was saved. False: the number is
    /// not free, or no pair can have it.
    pub fn put(&self, number: u32, pair: u64) -> Result<bool, PairError> {
        let (which, _) = place(number);
        while self.begun() <= which {
            self.begin(self.begun())?;
        }
        let Some(slot) = self.slot(number) else { return Ok(false) };
        let was = slot.swap(written(pair), Ordering::Relaxed);
        self.length.fetch_add(1, Ordering::Relaxed);
        Ok(was == 0 && pair != u64::MAX)
    }

    /// How many pairs there are.
    pub fn len(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> u64 {
        (0..self.begun()).map(bytes).sum()
    }
}

impl Drop for Pairs {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes());
    }
}
