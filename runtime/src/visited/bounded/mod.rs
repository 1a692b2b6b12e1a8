//! The visited set of a search along a path that may evict states (`-vdfs --cache`): the states of
//! the path, and a number of others.
//!
//! A state is here from the moment when the path comes to it. When it is left it stays as one of
//! the others, and if there are too many of these, one is evicted ([`choice`]). Found again, it is
//! a state like any other. A state on the path is never evicted, so the path has no cycle, and
//! every search ends.
//!
//! States are found by an open-addressed table of their slots. A state's number is its slot; when
//! it is evicted the slot is another's. States on the path come from states on the path, so
//! predecessors are there as long as they are asked for.

pub(crate) mod choice;
pub(crate) mod outlook;
pub(crate) mod plugin;
pub(crate) mod report;
mod share;
#[cfg(test)]
mod tests;

use super::cache::plan::Size;
use super::{Entered, InsertError, Origin, Recalled, Segmentation, SetStats, Share, StateIndex, Visited};
use crate::contract::model::{Description, RuleId};
use crate::hashing::distinct::Distinct;
use crate::memory::{Budget, MemoryError};
use crate::state::codec::Codec;
use crate::storage::StorageError;
use choice::{Choice, Eviction};
use share::BoundedShare;
use std::sync::Arc;

/// Slots of the table in the beginning.
const FIRST: usize = 1 << 8;

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathCaching {
    /// Of the states that are not on the path.
    pub size: Size,
    pub eviction: Eviction,
    /// What is evicted at random is drawn with it.
    pub seed: u64,
}

/// What a search with such a set was like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathCacheStats {
    pub eviction: Eviction,
    /// States that may be kept beside the path, and bytes of each.
    pub capacity: u64,
    pub bytes_per_state: u64,
    /// The most that were kept at any time, with and without the path.
    pub most: u64,
    pub most_beside: u64,
    pub evicted: u64,
    /// How often a state was found here that was not on the path.
    pub hits: u64,
    /// About how many different states were visited.
    pub distinct: u64,
}

/// A state that is here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    hash: u64,
    /// The slot of its predecessor plus one, or 0.
    origin: u32,
    /// How often it is on the path.
    times: u32,
    /// Where it is among those that may be evicted.
    place: u32,
    /// The rule as written that led to it.
    family: u32,
    /// States that were visited while it was on the path.
    behind: u32,
    /// When it was left or found for the last time, in visits.
    last: u32,
}

#[derive(Debug)]
pub struct Bounded {
    words: usize,
    segmentation: Segmentation,
    capacity: u64,
    states: Vec<u64>,
    slots: Vec<Slot>,
    /// Slots that nobody has.
    free: Vec<u32>,
    /// Slots of states that are not on the path.
    beside: Vec<u32>,
    /// Slots by hash, and 0 for none; at most half of it in use.
    table: Vec<u32>,
    choice: Choice,
    visits: u64,
    most_visits: Option<u64>,
    bounds: PathCacheStats,
    distinct: Distinct,
    budget: Arc<Budget>,
    bytes: u64,
}

impl Bounded {
    pub fn new(
        description: &Description,
        codec: &Codec,
        wanted: PathCaching,
        budget: Arc<Budget>,
        most_visits: Option<u64>,
    ) -> Result<Self, MemoryError> {
        let words = codec.stored_words();
        let bounds = PathCacheStats {
            eviction: wanted.eviction,
            capacity: capacity(wanted.size, words),
            bytes_per_state: bytes_per_state(words),
            most: 0,
            most_beside: 0,
            evicted: 0,
            hits: 0,
            distinct: 0,
        };
        let mut set = Bounded {
            words,
            segmentation: Segmentation::new(0),
            capacity: bounds.capacity,
            states: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            beside: Vec::new(),
            table: Vec::new(),
            choice: Choice::new(description, wanted.eviction, wanted.seed),
            visits: 0,
            most_visits,
            bounds,
            distinct: Distinct::default(),
            budget,
            bytes: 0,
        };
        set.take((FIRST * size_of::<u32>()) as u64)?;
        set.table = vec![0; FIRST];
        Ok(set)
    }

    fn take(&mut self, bytes: u64) -> Result<(), MemoryError> {
        self.budget.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    fn here(&self) -> u64 {
        (self.slots.len() - self.free.len()) as u64
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.table.len().ilog2())) as usize
    }

    #[inline(always)]
    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.table.len() - 1)
    }

    fn state(&self, slot: u32) -> &[u64] {
        &self.states[slot as usize * self.words..(slot as usize + 1) * self.words]
    }

    #[inline(always)]
    fn index(&self, slot: u32) -> StateIndex {
        self.segmentation.index(0, slot.into())
    }

    #[inline(always)]
    fn slot_of(&self, index: StateIndex) -> u32 {
        self.segmentation.place(index) as u32
    }

    /// What a slot keeps of a predecessor, which is here as well.
    #[inline(always)]
    fn origin_in_slot(&self, origin: Origin) -> u32 {
        origin.predecessor().map_or(0, |index| self.slot_of(index) + 1)
    }

    #[inline]
    fn find(&self, state: &[u64], hash: u64) -> Option<u32> {
        let mut at = self.home(hash);
        loop {
            let slot = self.table[at].checked_sub(1)?;
            if self.slots[slot as usize].hash == hash && self.state(slot) == state {
                return Some(slot);
            }
            at = self.next(at);
        }
    }

    /// A slot for one more state.
    fn slot(&mut self) -> Result<u32, InsertError> {
        if let Some(slot) = self.free.pop() {
            return Ok(slot);
        }
        let count = self.slots.len();
        if count >= u32::MAX as usize - 1 {
            return Err(InsertError::Numbers);
        }
        if count == self.slots.capacity() {
            let more = (count / 4).max(256);
            self.take(more as u64 * (bytes_per_state(self.words) - TABLE_BYTES))?;
            self.slots.reserve_exact(more);
            self.states.reserve_exact(more * self.words);
            // Each state may be in one of them.
            self.free.reserve_exact(count + more - self.free.len());
            self.beside.reserve_exact(count + more - self.beside.len());
        }
        if 2 * (count + 1) > self.table.len() {
            self.grow()?;
        }
        self.slots.push(Slot::default());
        self.states.resize((count + 1) * self.words, 0);
        Ok(count as u32)
    }

    #[cold]
    fn grow(&mut self) -> Result<(), MemoryError> {
        let size = 2 * self.table.len();
        self.take((self.table.len() * size_of::<u32>()) as u64)?;
        let old = std::mem::replace(&mut self.table, vec![0; size]);
        for slot in old.into_iter().filter_map(|entry| entry.checked_sub(1)) {
            self.list(slot);
        }
        Ok(())
    }

    /// Makes a state findable.
    fn list(&mut self, slot: u32) {
        let mut at = self.home(self.slots[slot as usize].hash);
        while self.table[at] != 0 {
            at = self.next(at);
        }
        self.table[at] = slot + 1;
    }

    /// Takes a state out of the table.
    fn unlist(&mut self, slot: u32) {
        let mut gap = self.home(self.slots[slot as usize].hash);
        while self.table[gap] != slot + 1 {
            if self.table[gap] == 0 {
                return;
            }
            gap = self.next(gap);
        }
        let mask = self.table.len() - 1;
        let mut at = gap;
        loop {
            at = self.next(at);
            let Some(moved) = self.table[at].checked_sub(1) else { break };
            // What comes after the gap moves into it unless its home lies behind the gap.
            let home = self.home(self.slots[moved as usize].hash);
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.table[gap] = moved + 1;
                gap = at;
            }
        }
        self.table[gap] = 0;
    }

    /// A state is no longer one of those that may be evicted.
    fn take_from_beside(&mut self, slot: u32) {
        let place = self.slots[slot as usize].place as usize;
        self.beside.swap_remove(place);
        if let Some(&moved) = self.beside.get(place) {
            self.slots[moved as usize].place = place as u32;
        }
    }

    fn evict(&mut self, slot: u32) {
        self.unlist(slot);
        self.free.push(slot);
        self.bounds.evicted += 1;
    }

    /// Found again, by this rule.
    fn met(&mut self, slot: u32, rule: RuleId) {
        let state = &mut self.slots[slot as usize];
        if state.times == 0 {
            self.bounds.hits += 1;
            self.choice.met(state, rule);
            state.last = self.visits as u32;
        }
    }
}

/// Bytes of the table for each state.
const TABLE_BYTES: u64 = 4 * size_of::<u32>() as u64;

/// Bytes that a state takes here.
fn bytes_per_state(words: usize) -> u64 {
    (words * size_of::<u64>() + size_of::<Slot>() + 2 * size_of::<u32>()) as u64 + TABLE_BYTES
}

/// States that a cache of this size has beside the path.
pub fn capacity(size: Size, words: usize) -> u64 {
    match size {
        Size::States(states) => states,
        Size::Bytes(bytes) => bytes / bytes_per_state(words),
    }
}

impl Drop for Bounded {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

impl Visited for Bounded {
    fn len(&self) -> u64 {
        self.visits
    }

    fn segmentation(&self) -> Segmentation {
        self.segmentation
    }

    fn load(&self, index: StateIndex, into: &mut Vec<u64>) {
        into.extend_from_slice(self.state(self.slot_of(index)));
    }

    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        let slot = self.slots.get(self.slot_of(index) as usize);
        Ok(slot.map(|slot| {
            let predecessor = slot.origin.checked_sub(1).map(|slot| self.index(slot));
            Recalled { origin: predecessor.map_or(Origin::START, Origin::from), signature: None }
        }))
    }

    fn shares(&mut self, _: usize) -> Vec<Box<dyn Share + '_>> {
        vec![Box::new(BoundedShare(self))]
    }

    fn stats(&self) -> Option<Box<dyn SetStats>> {
        Some(Box::new(self.figures()))
    }
}

impl Bounded {
    fn figures(&self) -> PathCacheStats {
        PathCacheStats { distinct: self.distinct.estimate().min(self.visits), ..self.bounds }
    }

    fn insert(
        &mut self,
        state: &[u64],
        hash: u64,
        origin: Origin,
        rule: RuleId,
    ) -> Result<Entered, InsertError> {
        if let Some(slot) = self.find(state, hash) {
            self.met(slot, rule);
            return Ok(Entered::Known(self.index(slot)));
        }
        if self.most_visits.is_some_and(|most| self.visits >= most) {
            return Err(InsertError::Room);
        }
        let slot = self.slot()?;
        self.visits += 1;
        self.distinct.see(hash);
        self.states[slot as usize * self.words..][..self.words].copy_from_slice(state);
        self.slots[slot as usize] = Slot {
            hash,
            origin: self.origin_in_slot(origin),
            times: 1,
            place: 0,
            family: self.choice.family(rule),
            behind: self.visits as u32,
            last: 0,
        };
        self.list(slot);
        self.bounds.most = self.bounds.most.max(self.here());
        Ok(Entered::Fresh(self.index(slot)))
    }
}
