//! The numbers of the pairs at one inner node of the tree: all threads look them up and add to
//! them.
//!
//! A pair's number is its slot, so that finding a pair gives its number, and a number its pair,
//! with one access to memory. Slots are never moved. The table grows by *generations*, each with
//! twice the slots of the one before: a new pair goes into the newest, and a look-up goes from the
//! newest to the oldest. So growing copies nothing, and half of all pairs or more are in the first
//! generation that is looked at.
//!
//! **Threads.** A pair that is there is found without a lock: a slot is written once, by one
//! compare-and-swap, and its contents are all there is to know. A pair that is missing is added
//! under the shared side of a lock, whose exclusive side is taken to begin a generation. Hence
//! nobody adds to an older generation while somebody adds to a newer one, and no pair gets two
//! numbers.

use crate::memory::{Budget, MemoryError, Pages};
use crate::sync::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Slots of a cache line.
const LINE: usize = 8;
/// A pair is looked for in this number of lines of a generation.
const LINES: usize = 4;
/// The first generation has `1 << FIRST` slots.
const FIRST: u32 = 6;
/// Numbers have 32 bits.
const GENERATIONS: usize = (32 - FIRST) as usize;
/// Spreads the bits of a pair; the top bits are used.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

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
    generations: [OnceLock<Generation>; GENERATIONS],
    /// How many generations there are.
    begun: AtomicUsize,
    /// Shared to add a pair, exclusive to begin a generation.
    growth: RwLock<()>,
    budget: Arc<Budget>,
}

#[derive(Debug)]
struct Generation {
    pages: Pages,
    bits: u32,
    filled: AtomicU64,
}

/// What a generation knows of a pair.
enum Found {
    At(u32),
    /// It is not there, and belongs into this slot.
    Missing(usize),
    /// It is not there, and there is no room for it.
    Full,
}

/// What a slot holds of a pair: never 0, which is an empty slot.
#[inline(always)]
fn written(pair: u64) -> u64 {
    // No number is `u32::MAX`, so no pair is `u64::MAX`.
    pair.wrapping_add(1)
}

impl Generation {
    fn new(bits: u32, budget: &Budget) -> Result<Self, MemoryError> {
        let bytes = Self::bytes(bits);
        budget.take(bytes)?;
        let Some(pages) = Pages::zeroed(bytes as usize) else { return Err(budget.refuse(bytes)) };
        Ok(Generation { pages, bits, filled: AtomicU64::new(0) })
    }

    fn bytes(bits: u32) -> u64 {
        (size_of::<u64>() as u64) << bits
    }

    /// Pairs that may be in it before another generation begins: seven eighths.
    fn room(&self) -> u64 {
        (1u64 << self.bits) / 8 * 7
    }

    #[inline(always)]
    fn slot(&self, at: usize) -> &AtomicU64 {
        debug_assert!(at < 1 << self.bits);
        // SAFETY: the pages have `1 << bits` words, aligned to 64 bytes and zero in the beginning,
        // which live as long as `self`; all access is atomic. Callers keep below that number.
        unsafe { &*self.pages.start().cast::<AtomicU64>().add(at) }
    }

    /// The first slot of the line in which the search for a pair begins.
    #[inline(always)]
    fn line(&self, pair: u64) -> usize {
        let spread = (pair ^ pair >> 32).wrapping_mul(SPREAD);
        ((spread >> (64 - self.bits)) as usize) & !(LINE - 1)
    }

    #[inline(always)]
    fn find(&self, pair: u64) -> Found {
        let (mut line, mask) = (self.line(pair), (1usize << self.bits) - 1);
        for _ in 0..LINES {
            for at in line..line + LINE {
                match self.slot(at).load(Ordering::Relaxed) {
                    0 => return Found::Missing(at),
                    found if found == written(pair) => return Found::At(self.number(at)),
                    _ => {}
                }
            }
            line = (line + LINE) & mask;
        }
        Found::Full
    }

    /// Adds a pair that belongs to this generation or is in it; `None`: there is no room.
    fn add(&self, pair: u64) -> Option<u32> {
        loop {
            match self.find(pair) {
                Found::At(number) => return Some(number),
                Found::Full => return None,
                Found::Missing(_) if self.filled.load(Ordering::Relaxed) >= self.room() => return None,
                Found::Missing(at) => {
                    let slot = self.slot(at);
                    let added = slot.compare_exchange(0, written(pair), Ordering::Relaxed, Ordering::Relaxed);
                    if added.is_ok() {
                        self.filled.fetch_add(1, Ordering::Relaxed);
                        return Some(self.number(at));
                    }
                    // Another thread was faster, perhaps with this pair.
                }
            }
        }
    }

    /// The number of a slot. Generations follow each other: the first `1 << FIRST` numbers are
    /// those of the first one.
    #[inline(always)]
    fn number(&self, at: usize) -> u32 {
        (at + (1usize << self.bits) - (1 << FIRST)) as u32
    }
}

/// The generation and the slot of a number.
#[inline(always)]
fn place(number: u32) -> (usize, usize) {
    let shifted = u64::from(number) + (1 << FIRST);
    let bits = shifted.ilog2();
    ((bits - FIRST) as usize, (shifted - (1 << bits)) as usize)
}

impl Pairs {
    pub fn new(budget: Arc<Budget>) -> Self {
        Pairs {
            generations: [const { OnceLock::new() }; GENERATIONS],
            begun: AtomicUsize::new(0),
            growth: RwLock::new(()),
            budget,
        }
    }

    /// How many generations there are.
    fn begun(&self) -> usize {
        self.begun.load(Ordering::Acquire)
    }

    /// The number of a pair, if it has one.
    #[inline]
    pub fn find(&self, pair: u64) -> Option<u32> {
        self.find_among(pair, 0..self.begun())
    }

    fn find_among(&self, pair: u64, which: std::ops::Range<usize>) -> Option<u32> {
        self.generations.get(which)?.iter().rev().filter_map(OnceLock::get).find_map(|generation| {
            match generation.find(pair) {
                Found::At(number) => Some(number),
                Found::Missing(_) | Found::Full => None,
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

    /// Adds a pair that is in none of the generations before these.
    #[cold]
    fn add(&self, pair: u64, looked: usize) -> Result<u32, PairError> {
        loop {
            let begun = {
                let _adding = self.growth.read().unwrap_or_else(PoisonError::into_inner);
                let begun = self.begun();
                // Others may have added it since it was looked for: to the newest generation of
                // then, or to one after it.
                if let Some(number) = self.find_among(pair, looked.saturating_sub(1)..begun) {
                    return Ok(number);
                }
                let newest = begun.checked_sub(1).and_then(|at| self.generations.get(at)?.get());
                if let Some(number) = newest.and_then(|newest| newest.add(pair)) {
                    return Ok(number);
                }
                begun
            };
            self.begin(begun)?;
        }
    }

    /// Begins a generation, unless somebody else has begun it.
    fn begin(&self, which: usize) -> Result<(), PairError> {
        let _growing = self.growth.write().unwrap_or_else(PoisonError::into_inner);
        let place = self.generations.get(which).ok_or(PairError::Numbers)?;
        if place.get().is_none() {
            let generation = Generation::new(FIRST + which as u32, &self.budget)?;
            // It is empty, and only the holder of the lock fills it.
            let _ = place.set(generation);
            self.begun.store(which + 1, Ordering::Release);
        }
        Ok(())
    }

    /// The pair with this number; 0 if there is none.
    #[inline]
    pub fn pair(&self, number: u32) -> u64 {
        let (generation, slot) = place(number);
        let found = self.generations.get(generation).and_then(OnceLock::get);
        found.map_or(0, |generation| generation.slot(slot).load(Ordering::Relaxed).wrapping_sub(1))
    }

    /// Whether a pair has this number.
    pub fn has(&self, number: u32) -> bool {
        let (generation, slot) = place(number);
        let found = self.generations.get(generation).and_then(OnceLock::get);
        found.is_some_and(|generation| generation.slot(slot).load(Ordering::Relaxed) != 0)
    }

    /// All pairs, each with its number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.each().flat_map(|generation| {
            (0..1usize << generation.bits).filter_map(|at| {
                let found = generation.slot(at).load(Ordering::Relaxed);
                (found != 0).then(|| (generation.number(at), found.wrapping_sub(1)))
            })
        })
    }

    /// Gives a pair this number, where a set is made again that was saved. False: the number is
    /// not free, or there are more pairs than a table may have.
    pub fn put(&self, number: u32, pair: u64) -> Result<bool, PairError> {
        let (which, slot) = place(number);
        while self.begun() <= which {
            self.begin(self.begun())?;
        }
        let Some(generation) = self.generations.get(which).and_then(OnceLock::get) else {
            return Ok(false);
        };
        let was = generation.slot(slot).swap(written(pair), Ordering::Relaxed);
        let filled = generation.filled.fetch_add(1, Ordering::Relaxed);
        Ok(was == 0 && filled < generation.room() && pair != u64::MAX)
    }

    /// How many pairs there are.
    pub fn len(&self) -> u64 {
        self.each().map(|generation| generation.filled.load(Ordering::Relaxed)).sum()
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.each().map(|generation| Generation::bytes(generation.bits)).sum()
    }

    fn each(&self) -> impl Iterator<Item = &Generation> {
        self.generations.iter().filter_map(OnceLock::get)
    }
}

impl Drop for Pairs {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn pairs(limit: u64) -> (Pairs, Arc<Budget>) {
        let budget = Arc::new(Budget::new(limit));
        (Pairs::new(budget.clone()), budget)
    }

    #[test]
    fn each_pair_has_one_number_and_each_number_one_pair() {
        let (pairs, budget) = pairs(1 << 26);
        let mut numbers = HashMap::new();
        let many = if cfg!(miri) { 500 } else { 100_000u64 };
        for at in 0..many {
            // Neighbours in both halves, as a search makes them.
            let pair = ((at % 317) << 32) | (at / 311);
            let number = pairs.number(pair).unwrap();
            let before = numbers.insert(pair, number);
            assert!(before.is_none_or(|before| before == number));
        }
        for (&pair, &number) in &numbers {
            assert_eq!(pairs.find(pair), Some(number));
            assert_eq!((pairs.pair(number), pairs.has(number)), (pair, true));
        }
        let different: std::collections::HashSet<u32> = numbers.values().copied().collect();
        assert_eq!(different.len(), numbers.len());
        assert_eq!(pairs.len(), numbers.len() as u64);
        assert_eq!(pairs.find(u64::from(u32::MAX) << 32), None);
        assert_eq!(budget.used(), pairs.bytes());
        drop(pairs);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn numbers_and_places_belong_together() {
        for (number, expected) in [(0, (0, 0)), (63, (0, 63)), (64, (1, 0)), (191, (1, 127)), (192, (2, 0))] {
            assert_eq!(place(number), expected);
        }
        let budget = Budget::new(1 << 20);
        for which in 0..4 {
            let generation = Generation::new(FIRST + which, &budget).unwrap();
            for at in [0, 1, (1 << generation.bits) - 1] {
                assert_eq!(place(generation.number(at)), (which as usize, at));
            }
        }
    }

    #[test]
    fn without_memory_nothing_is_lost() {
        let (pairs, _) = pairs(Generation::bytes(FIRST) + Generation::bytes(FIRST + 1));
        let mut added = Vec::new();
        let error = (0..).find_map(|pair| match pairs.number(pair) {
            Ok(number) => {
                added.push((pair, number));
                None
            }
            Err(error) => Some(error),
        });
        assert_eq!(error, Some(PairError::Memory));
        assert!(added.len() > 100);
        assert!(added.iter().all(|&(pair, number)| pairs.find(pair) == Some(number)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many pairs for Miri")]
    fn threads_agree_on_numbers() {
        let (pairs, _) = pairs(1 << 26);
        let pairs = &pairs;
        let found: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4u64)
                .map(|thread| {
                    scope.spawn(move || {
                        let order = (0..40_000u64).map(|at| (at * (2 * thread + 1) * 7 + thread) % 40_000);
                        let mut numbers = vec![0; 40_000];
                        order.for_each(|pair| numbers[pair as usize] = pairs.number(pair << 20).unwrap());
                        (0..40_000u64).for_each(|pair| {
                            numbers[pair as usize] = pairs.number(pair << 20).unwrap();
                        });
                        numbers
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(found.windows(2).all(|two| two[0] == two[1]));
        assert_eq!(pairs.len(), 40_000);
    }
}
