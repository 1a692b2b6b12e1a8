//! The exact visited set: all states in memory, none forgotten, none confused.
//!
//! States lie in the order of their numbers in an arena that never moves. An open-addressed table of
//! 64-bit entries finds them: the low half of an entry is the state's number plus one (0: empty), the high half a
//! tag from its hash, so that states are compared only where tags agree. The table is probed linearly from the
//! position that the top bits of the hash give, and doubles when it is three quarters full.
//!
//! The table can be rebuilt from the arena, so growing gives the old table back before it asks for the
//! new one. Where the budget does not allow that, the old one is filled further, up to fifteen sixteenths.

use super::{Full, StateIndex, Visited};
use crate::memory::{Budget, Chunks, Exhausted, Pages};
use crate::state::hash::hash;
use crate::state::stride::Stride;
use std::sync::Arc;

/// States that are hashed and prefetched together.
const WINDOW: usize = 64;
/// The table begins with `1 << SMALLEST` entries.
const SMALLEST: u32 = 10;
/// State numbers plus one fill 32 bits, and `u32::MAX` itself is no state.
const LAST: u64 = u32::MAX as u64 - 1;

#[derive(Debug)]
pub struct Exact<S> {
    stride: S,
    arena: Chunks<u64>,
    length: u64,
    table: Table,
    /// As long as there are fewer states than this, one more fits.
    ready: u64,
    /// The system took the table away for good: nothing can be inserted any more.
    closed: bool,
    budget: Arc<Budget>,
}

#[derive(Debug)]
struct Table {
    pages: Pages,
    /// There are `1 << bits` entries.
    bits: u32,
    /// States that it may hold.
    limit: u64,
}

impl Table {
    fn bytes(bits: u32) -> u64 {
        8 << bits
    }

    /// An empty table; the caller has taken its memory from the budget.
    fn empty(bits: u32) -> Result<Self, Exhausted> {
        let bytes = usize::try_from(Self::bytes(bits)).map_err(|_| Exhausted)?;
        let pages = Pages::zeroed(bytes).ok_or(Exhausted)?;
        Ok(Table { pages, bits, limit: Self::three_quarters(bits) })
    }

    fn three_quarters(bits: u32) -> u64 {
        (1u64 << bits) / 4 * 3
    }

    fn fifteen_sixteenths(bits: u32) -> u64 {
        (1u64 << bits) / 16 * 15
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        (slot + 1) & ((1 << self.bits) - 1)
    }

    /// # Safety
    /// `slot` is below the number of entries.
    #[inline(always)]
    unsafe fn entry(&self, slot: usize) -> *mut u64 {
        debug_assert!(slot < 1 << self.bits);
        // SAFETY: the caller's promise.
        unsafe { self.pages.start().cast::<u64>().add(slot) }
    }
}

#[inline(always)]
fn tag(hash: u64) -> u64 {
    hash << 32
}

#[inline(always)]
fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on speed, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

impl<S: Stride> Exact<S> {
    pub fn new(stride: S, budget: Arc<Budget>) -> Result<Self, Exhausted> {
        budget.take(Table::bytes(SMALLEST))?;
        let table = Table::empty(SMALLEST)?;
        let arena = Chunks::new(stride.words(), budget.clone());
        Ok(Exact { stride, arena, length: 0, table, ready: 0, closed: false, budget })
    }

    /// The words of a state.
    ///
    /// # Safety
    /// `index < self.length`, or the entry is ready and about to be compared only after being written.
    #[inline(always)]
    unsafe fn words(&self, index: u64) -> &[u64] {
        // SAFETY: the caller's promise; nobody writes to a state that was inserted.
        unsafe { std::slice::from_raw_parts(self.arena.entry(index), self.stride.words()) }
    }

    /// Inserts the states from `from` on, a window of them at most. Returns the position of the first that has not
    /// been dealt with.
    #[inline(always)]
    fn insert_window(&mut self, states: &[u64], from: usize, to: usize, fresh: &mut Vec<u32>) -> usize {
        let width = self.stride.words();
        let state = |at: usize| {
            debug_assert!((at + 1) * width <= states.len());
            // SAFETY: `insert` has checked that there are `to` states.
            unsafe { std::slice::from_raw_parts(states.as_ptr().add(at * width), width) }
        };
        let mut hashes = [0u64; WINDOW];
        let mut slots = [0usize; WINDOW];

        // Ask for the table's lines.
        for (at, mixed) in (from..to).zip(&mut hashes) {
            *mixed = hash(state(at));
            // SAFETY: a home is a slot.
            prefetch(unsafe { self.table.entry(self.table.home(*mixed)) });
        }
        // Find the first entry that decides or may decide, and ask for the state behind it.
        for (&mixed, slot) in hashes.iter().zip(&mut slots).take(to - from) {
            let mut at = self.table.home(mixed);
            loop {
                // SAFETY: homes and what `after` gives are slots.
                let entry = unsafe { *self.table.entry(at) };
                if entry == 0 {
                    break;
                }
                if (entry ^ tag(mixed)) >> 32 == 0 {
                    // SAFETY: entries hold numbers of states that exist, plus one.
                    prefetch(unsafe { self.arena.entry(u64::from(entry as u32) - 1) });
                    break;
                }
                at = self.table.after(at);
            }
            *slot = at;
        }
        // Decide. Entries never move or vanish, so what was skipped above stays skipped.
        for ((at, &mixed), &slot) in (from..to).zip(&hashes).zip(&slots) {
            let words = state(at);
            let mut slot = slot;
            loop {
                // SAFETY: as above.
                let entry = unsafe { *self.table.entry(slot) };
                if entry == 0 {
                    if self.length == self.ready {
                        return at;
                    }
                    // SAFETY: below `ready`, the arena has an entry that only this method writes, and the
                    // table a free slot.
                    unsafe {
                        std::ptr::copy_nonoverlapping(words.as_ptr(), self.arena.entry(self.length), width);
                        self.length += 1;
                        *self.table.entry(slot) = tag(mixed) | self.length;
                    }
                    fresh.push(at as u32);
                    break;
                }
                // SAFETY: entries hold numbers of states that exist, plus one.
                if (entry ^ tag(mixed)) >> 32 == 0
                    && unsafe { self.words(u64::from(entry as u32) - 1) } == words
                {
                    break;
                }
                slot = self.table.after(slot);
            }
        }
        to
    }

    /// Makes room for one more state at least.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, end: u64) -> Result<(), Full> {
        if self.length >= end {
            return Err(if end > LAST { Full::Numbers } else { Full::Room });
        }
        if self.length == self.arena.ready() {
            self.arena.extend()?;
        }
        if self.length == self.table.limit {
            self.grow()?;
        }
        self.ready = self.arena.ready().min(self.table.limit).min(end);
        Ok(())
    }

    /// Doubles the table, or fills the one there is further.
    fn grow(&mut self) -> Result<(), Exhausted> {
        let bits = self.table.bits;
        let more = Table::bytes(bits + 1) - Table::bytes(bits);
        if self.budget.take(more).is_ok() {
            self.closed = true;
            self.table.pages = Pages::zeroed(0).ok_or(Exhausted)?;
            match Table::empty(bits + 1) {
                Ok(table) => {
                    self.table = table;
                    self.rebuild();
                    self.closed = false;
                    return Ok(());
                }
                // The system refuses: back to the old size, if it still allows that.
                Err(Exhausted) => {
                    self.budget.give_back(more);
                    self.table.pages = Table::empty(bits)?.pages;
                    self.rebuild();
                    self.closed = false;
                }
            }
        }
        let furthest = Table::fifteen_sixteenths(bits);
        if self.table.limit >= furthest {
            return Err(Exhausted);
        }
        self.table.limit = furthest;
        Ok(())
    }

    /// Fills an empty table with the states of the arena.
    fn rebuild(&mut self) {
        let mut hashes = [0u64; WINDOW];
        let mut from = 0;
        while from < self.length {
            let to = self.length.min(from + WINDOW as u64);
            for (index, mixed) in (from..to).zip(&mut hashes) {
                // SAFETY: below the length.
                *mixed = hash(unsafe { self.words(index) });
                // SAFETY: a home is a slot.
                prefetch(unsafe { self.table.entry(self.table.home(*mixed)) });
            }
            for (index, &mixed) in (from..to).zip(&hashes) {
                let mut slot = self.table.home(mixed);
                // SAFETY: homes and what `after` gives are slots; the table is larger than its contents.
                unsafe {
                    while *self.table.entry(slot) != 0 {
                        slot = self.table.after(slot);
                    }
                    *self.table.entry(slot) = tag(mixed) | (index + 1);
                }
            }
            from = to;
        }
    }
}

impl<S: Stride> Visited for Exact<S> {
    fn insert(&mut self, states: &[u64], count: usize, room: u64, fresh: &mut Vec<u32>) -> Result<(), Full> {
        if self.closed {
            return Err(Full::Memory);
        }
        let count = count.min(states.len() / self.stride.words());
        let end = self.length.saturating_add(room).min(LAST + 1);
        // What an earlier call made ready may be more than this one has room for.
        self.ready = self.ready.min(end).max(self.length);
        let mut at = 0;
        while at < count {
            let to = count.min(at + WINDOW);
            let reached = self.insert_window(states, at, to, fresh);
            if reached < to {
                self.make_room(end)?;
            }
            at = reached;
        }
        Ok(())
    }

    fn len(&self) -> u64 {
        self.length
    }

    fn load(&self, indices: &[StateIndex], into: &mut Vec<u64>) {
        for index in indices.iter().map(|index| u64::from(index.0)).filter(|&index| index < self.length) {
            // SAFETY: just checked.
            into.extend_from_slice(unsafe { self.words(index) });
        }
    }
}

impl<S> Drop for Exact<S> {
    fn drop(&mut self) {
        self.budget.give_back(Table::bytes(self.table.bits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::stride::{Dynamic, Fixed};
    use std::collections::HashMap;

    fn numbers(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ mixed >> 31
        }
    }

    /// Against a map, with many duplicates inside and between batches.
    fn agrees_with_a_map<S: Stride>(stride: S) {
        let width = stride.words();
        let mut set = Exact::new(stride, Arc::new(Budget::new(1 << 30))).unwrap();
        let mut map: HashMap<Vec<u64>, u64> = HashMap::new();
        let mut next = numbers(width as u64);
        for round in 0..500 {
            let count = (next() % 200) as usize;
            let batch: Vec<u64> = (0..count)
                .flat_map(|_| {
                    let state = next() % 20_000;
                    (0..width).map(move |word| if word == width - 1 { state } else { 3 })
                })
                .collect();
            let mut fresh = Vec::new();
            set.insert(&batch, count, u64::MAX, &mut fresh).unwrap();
            let mut expected = Vec::new();
            for (at, state) in batch.chunks(width).enumerate() {
                let number = map.len() as u64;
                map.entry(state.to_vec()).or_insert_with(|| {
                    expected.push(at as u32);
                    number
                });
            }
            assert_eq!(fresh, expected, "round {round}");
        }
        assert_eq!(set.len(), map.len() as u64);
        for (state, number) in map {
            let mut words = Vec::new();
            set.load(&[StateIndex(number as u32)], &mut words);
            assert_eq!(words, state);
        }
    }

    #[test]
    fn every_stride_agrees_with_a_map() {
        agrees_with_a_map(Fixed::<1>);
        agrees_with_a_map(Fixed::<2>);
        agrees_with_a_map(Fixed::<3>);
        agrees_with_a_map(Fixed::<8>);
        agrees_with_a_map(Dynamic(2));
        agrees_with_a_map(Dynamic(13));
    }

    #[test]
    fn room_is_exact() {
        let mut set = Exact::new(Fixed::<1>, Arc::new(Budget::new(1 << 30))).unwrap();
        let mut fresh = Vec::new();
        assert_eq!(set.insert(&[1, 1, 2, 1, 3, 4], 6, 2, &mut fresh), Err(Full::Room));
        assert_eq!(fresh, [0, 2]);
        fresh.clear();
        assert_eq!(set.insert(&[1, 2], 2, 0, &mut fresh), Ok(()));
        assert_eq!(set.insert(&[1, 2, 3], 3, 0, &mut fresh), Err(Full::Room));
        assert_eq!(set.insert(&[1, 2, 3], 3, 5, &mut fresh), Ok(()));
        assert_eq!((fresh, set.len()), (vec![2], 3));
    }

    #[test]
    fn memory_ends_it_without_harm() {
        let budget = Arc::new(Budget::new(400_000));
        let mut set = Exact::new(Fixed::<1>, budget.clone()).unwrap();
        let mut fresh = Vec::new();
        let mut state = 0;
        while set.insert(&[state], 1, u64::MAX, &mut fresh).is_ok() {
            state += 1;
        }
        // 8 bytes a state, and 8 bytes an entry of a table that is filled to the brim.
        assert!(state > 14_000, "{state}");
        assert!(budget.peak() <= 400_000);
        fresh.clear();
        assert_eq!(set.insert(&(0..state).collect::<Vec<_>>(), state as usize, u64::MAX, &mut fresh), Ok(()));
        assert!(fresh.is_empty());
        drop(set);
        assert_eq!(budget.used(), 0);
    }
}
