//! The table of signatures: open addressing with ordered hashing (Amble and Knuth 1974), each slot
//! exactly as many bits as a signature has.
//!
//! A value of 0 is an empty slot; signatures are from 1 to 2^b - 1. The slots of a state's probe
//! sequence hold larger values than its own up to where it stands, so a search ends at the first
//! value that is not larger.
//!
//! **Adding** is one operation on slots: leave the larger of the two values there, and go on with
//! the smaller one along its own sequence until a slot was empty. Values of a slot never become
//! smaller. What is found once is found always, and what the table holds in the end does not depend
//! on the order in which values were added: go from the largest value down, and each value takes
//! the slots that are left over by larger ones. For values that are equal, and step alike, it is
//! the same set of slots whoever comes first. The paper's Figure 2 finds out first whether the
//! value is there; here the caller does, and adds only what it did not find.
//!
//! So several threads may add at the same time and come to the same table. 64 slots are a *group*
//! and fill whole words; while other threads may add, whoever changes a slot locks its group
//! ([`filling`]).
//!
//! **Regions.** Where several processes have parts of a search, a table is a number of small
//! tables, one for each segment of the process, all with the same number of slots. A probe sequence
//! stays in its region, so what a region holds does not depend on which segments are in the same
//! process, and neither do the states that are found.
//!
//! For depth-first search there is [`Table::add_limited`] instead: at most t probes, without any
//! order. A table is used in one of the two ways.

use super::filling::{self, Locks, ProbeWalker, Slots};
use super::prime;
use crate::hashing::signature::Bits;
use crate::memory::{Budget, MemoryError, Pages};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots of a group, which has as many words as a slot has bits.
const GROUP: u64 = 64;
/// Number of locks that groups share.
const LOCKS: usize = 1 << 12;
/// The fewest slots.
const LEAST: u64 = 5;

/// What came of [`Table::add_limited`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    Known,
    Added,
    /// All slots that may be probed are taken by others.
    NoRoom,
}

/// How a table is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regions {
    /// Top bits of a place that say in which region it is.
    pub bits: u32,
    /// The first region, how many there are, and slots of each.
    pub first: u64,
    pub count: u64,
    pub slots: u64,
}

impl Regions {
    /// Regions of at least that number of slots.
    pub fn new(bits: u32, first: u64, count: u64, slots: u64) -> Self {
        Regions { bits, first, count, slots: prime::at_least(slots.max(LEAST)) }
    }

    /// The table in one piece.
    fn whole(slots: u64) -> Self {
        Regions::new(0, 0, 1, slots)
    }
}

#[derive(Debug)]
pub struct Table {
    pages: Pages,
    pub(super) words: usize,
    bits: Bits,
    slots: u64,
    regions: Regions,
    locks: Locks,
    budget: Arc<Budget>,
}

impl Table {
    /// Bytes of a table of `slots` slots.
    pub fn bytes(bits: Bits, slots: u64) -> u64 {
        words(bits, slots).saturating_mul(8)
    }

    /// Slots that fit into `bytes` bytes: a prime number of them.
    pub fn slots_in(bits: Bits, bytes: u64) -> u64 {
        // One word is kept back: a table has one behind its last slot.
        let slots = u128::from(bytes.saturating_sub(16)) * 8 / u128::from(bits.get());
        prime::at_most(u64::try_from(slots).unwrap_or(u64::MAX / 128)).max(LEAST)
    }

    /// An empty table with the smallest prime number of slots that is at least `slots`.
    pub fn new(bits: Bits, slots: u64, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        Self::divided(bits, Regions::whole(slots), budget)
    }

    /// An empty table of these regions.
    pub fn divided(bits: Bits, regions: Regions, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        let slots = regions.slots.saturating_mul(regions.count.max(1));
        let bytes = Self::bytes(bits, slots);
        let words = words(bits, slots) as usize;
        budget.take(bytes)?;
        match usize::try_from(bytes).ok().and_then(Pages::zeroed) {
            Some(pages) => Ok(Table { pages, words, bits, slots, regions, locks: Locks::new(LOCKS), budget }),
            None => Err(budget.refuse(bytes)),
        }
    }

    pub fn bits(&self) -> Bits {
        self.bits
    }

    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// Values that it can hold: one slot always stays empty, so that a search comes to an end.
    pub fn capacity(&self) -> u64 {
        self.slots - self.regions.count
    }

    /// Slots of a region; `None`: the table is in one piece.
    pub fn region_slots(&self) -> Option<u64> {
        (self.regions.bits > 0).then_some(self.regions.slots)
    }

    /// The first slot of the region of a segment.
    pub fn first_slot(&self, segment: usize) -> u64 {
        let Regions { first, count, slots, .. } = self.regions;
        (segment as u64).saturating_sub(first).min(count - 1) * slots
    }

    /// Values that the part of the table for one segment can hold.
    #[inline(always)]
    pub fn room_of_segment(&self) -> u64 {
        self.regions.slots - 1
    }

    /// The first slot of the probe sequence that 64 random bits stand for.
    #[inline(always)]
    pub fn home(&self, place: u64) -> u64 {
        let Regions { bits, first, count, slots } = self.regions;
        let within = ((u128::from(place << bits) * u128::from(slots)) >> 64) as u64;
        if bits == 0 {
            return within;
        }
        let region = (place >> (u64::BITS - bits)).saturating_sub(first).min(count - 1);
        region * slots + within
    }

    /// How far apart the slots of a value's probe sequence are: from 1 to one less than the slots
    /// of a region, so relatively prime to their number.
    #[inline(always)]
    fn step(&self, value: u64) -> u64 {
        let mixed = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        1 + ((u128::from(mixed) * u128::from(self.regions.slots - 1)) >> 64) as u64
    }

    #[inline(always)]
    fn next(&self, slot: u64, step: u64) -> u64 {
        let next = slot + step;
        let Regions { bits, slots, .. } = self.regions;
        let end = if bits == 0 { slots } else { (slot / slots + 1) * slots };
        if next >= end { next - slots } else { next }
    }

    #[inline(always)]
    pub(super) fn word(&self, at: usize) -> &AtomicU64 {
        debug_assert!(at < self.words);
        // SAFETY: every slot's words, and the word behind the last one, were allocated, and they
        // are aligned and initialised. They are touched through such references alone.
        unsafe { &*self.pages.start().cast::<AtomicU64>().add(at) }
    }

    /// The words where a slot begins and ends, and how many bits of the first come before it.
    #[inline(always)]
    fn ends(&self, slot: u64) -> (usize, usize, u64) {
        let bit = slot * u64::from(self.bits.get());
        ((bit >> 6) as usize, ((bit + u64::from(self.bits.get() - 1)) >> 6) as usize, bit & 63)
    }

    /// Asks for the memory of a slot.
    #[inline(always)]
    pub fn prefetch(&self, slot: u64) {
        let (first, last, _) = self.ends(slot);
        // It may reach into another cache line.
        for at in [first, last] {
            let address: *const AtomicU64 = self.word(at);
            crate::memory::prefetch(address);
        }
    }

    /// A value on its way through the table, beginning where 64 random bits say.
    #[inline(always)]
    pub fn begin(&self, place: u64, value: u64) -> ProbeWalker {
        let slot = self.home(place);
        self.prefetch(slot);
        ProbeWalker { slot, value }
    }

    /// Looks into the slot where the walker is: whether its value is there, or `None` if it must be
    /// looked for in the next one. Nobody may be adding at the same time.
    ///
    /// A search is one step after the other. Steps of different searches may be mixed, so that no
    /// one waits for memory.
    #[inline(always)]
    pub fn look(&self, walker: &mut ProbeWalker) -> Option<bool> {
        let found = self.get(walker.slot);
        if found <= walker.value {
            return Some(found == walker.value);
        }
        walker.slot = self.after(walker.slot, walker.value);
        self.prefetch(walker.slot);
        None
    }

    /// Leaves the larger value in the slot where the walker is, and goes on with the smaller one.
    /// True: that was nothing. There must be room. `SHARED`: other threads add at the same time.
    ///
    /// An addition is one step after the other, and these may be mixed as well.
    #[inline(always)]
    pub fn leave<const SHARED: bool>(&self, walker: &mut ProbeWalker) -> bool {
        if filling::leave(self, SHARED.then_some(&self.locks), walker) {
            return true;
        }
        self.prefetch(walker.slot);
        false
    }

    /// One step of each of these additions. Those that go on are in front then, and it says how
    /// many they are.
    #[inline(always)]
    pub fn leave_all<const SHARED: bool>(&self, walkers: &mut [ProbeWalker]) -> usize {
        let mut on = 0;
        for at in 0..walkers.len() {
            let mut walker = walkers[at];
            let goes_on = if SHARED { !self.leave::<true>(&mut walker) } else { self.exchange(&mut walker) };
            walkers[on] = walker;
            on += usize::from(goes_on);
        }
        if !SHARED {
            for ProbeWalker { slot, value } in &mut walkers[..on] {
                *slot = self.after(*slot, *value);
                self.prefetch(*slot);
            }
        }
        on
    }

    /// Leaves the larger value in the slot, as [`Table::leave`] does, but stays there. True: the
    /// smaller one has to go on. Nobody else may be adding at the same time.
    ///
    /// Which of the two is larger is unpredictable, so there is no branch: the slot is written in
    /// any case.
    #[inline(always)]
    fn exchange(&self, walker: &mut ProbeWalker) -> bool {
        let found = self.get(walker.slot);
        self.set(walker.slot, found.max(walker.value));
        walker.value = found.min(walker.value);
        walker.value != 0
    }

    /// Whether a value is found by a search from this place.
    pub fn contains(&self, place: u64, value: u64) -> bool {
        let mut walker = self.begin(place, value);
        loop {
            if let Some(there) = self.look(&mut walker) {
                return there;
            }
        }
    }

    /// Adds a value that was not found from this place, or was found for another state.
    #[cfg(test)]
    pub fn add<const SHARED: bool>(&self, place: u64, value: u64) {
        let mut walker = self.begin(place, value);
        while !self.leave::<SHARED>(&mut walker) {}
    }

    /// Looks for a value at most in the first `probes` slots, and puts it into the first empty one.
    #[inline(always)]
    pub fn add_limited(&self, place: u64, value: u64, probes: u64) -> Limited {
        let mut slot = self.home(place);
        let step = self.step(value);
        for _ in 0..probes {
            match self.get(slot) {
                0 => {
                    self.set(slot, value);
                    return Limited::Added;
                }
                found if found == value => return Limited::Known,
                _ => slot = self.next(slot, step),
            }
        }
        Limited::NoRoom
    }

    /// Whether [`Table::add_limited`] would find it.
    pub fn contains_limited(&self, place: u64, value: u64, probes: u64) -> bool {
        let mut slot = self.home(place);
        let step = self.step(value);
        for _ in 0..probes {
            match self.get(slot) {
                0 => return false,
                found if found == value => return true,
                _ => slot = self.next(slot, step),
            }
        }
        false
    }
}

impl Slots for Table {
    #[inline(always)]
    fn get(&self, slot: u64) -> u64 {
        let (first, last, shift) = self.ends(slot);
        let low = self.word(first).load(Ordering::Relaxed) >> shift;
        // In two steps, because a shift by 64 is none. If the slot ends in the word where it
        // begins, what comes from here lies beyond its bits.
        let high = (self.word(last).load(Ordering::Relaxed) << 1) << (63 - shift);
        (low | high) & self.bits.signatures()
    }

    #[inline(always)]
    fn set(&self, slot: u64, value: u64) {
        let (first, last, shift) = self.ends(slot);
        let mask = self.bits.signatures();
        let low = self.word(first);
        low.store(low.load(Ordering::Relaxed) & !(mask << shift) | value << shift, Ordering::Relaxed);
        // If the slot ends in the word where it begins, no bits are left for this one, and it is
        // written as it is. That is unpredictable, so there is no branch.
        let left = |bits: u64| (bits >> 1) >> (63 - shift);
        let high = self.word(last);
        high.store(high.load(Ordering::Relaxed) & !left(mask) | left(value), Ordering::Relaxed);
    }

    #[inline(always)]
    fn after(&self, slot: u64, value: u64) -> u64 {
        self.next(slot, self.step(value))
    }

    #[inline(always)]
    fn group(slot: u64) -> u64 {
        slot / GROUP
    }
}

/// Words of a table, with one behind the last slot.
fn words(bits: Bits, slots: u64) -> u64 {
    u64::try_from((u128::from(slots) * u128::from(bits.get())).div_ceil(64) + 1).unwrap_or(u64::MAX)
}

impl Drop for Table {
    fn drop(&mut self) {
        self.budget.give_back(Self::bytes(self.bits, self.slots));
    }
}

#[cfg(test)]
mod tests;
