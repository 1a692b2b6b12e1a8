//! The memory of a part of the cache: sets of entries, and what happens when one is full.

use super::kept::{BEYOND, Kept, WAYS};
use super::stamps::Clock;
use crate::memory::{Budget, MemoryError, Pages, prefetch};
use crate::random::Random;
use std::sync::Arc;

/// Which state gives way to a new one where there is no free entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// Any of the set: as in the paper, whose program chooses at random.
    Direct,
    /// The one that was not asked for the longest, see [`super::stamps`].
    Oldest,
}

impl Replace {
    pub fn name(self) -> &'static str {
        match self {
            Replace::Direct => "direct",
            Replace::Oldest => "oldest",
        }
    }

    /// Bytes of the stamps of a set.
    pub fn stamp_bytes(self) -> usize {
        match self {
            Replace::Direct => 0,
            Replace::Oldest => WAYS,
        }
    }
}

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    Known,
    Added,
    /// Another state was evicted for it.
    Replaced,
}

#[derive(Debug)]
pub(super) enum Policy {
    Direct(Random),
    Oldest(Clock),
}

#[derive(Debug)]
pub struct CacheSets {
    pub(super) pages: Pages,
    pub(super) sets: u64,
    stamp_bytes: usize,
    /// Bytes of a set, its stamps included.
    pub(super) bytes: usize,
    pub(super) policy: Policy,
    budget: Arc<Budget>,
}

impl CacheSets {
    pub fn new(
        kept: &impl Kept,
        replace: Replace,
        sets: u64,
        budget: Arc<Budget>,
    ) -> Result<Self, MemoryError> {
        let stamp_bytes = replace.stamp_bytes();
        let bytes = stamp_bytes + kept.set_bytes();
        let all = sets
            .checked_mul(bytes as u64)
            .and_then(|all| all.checked_add(BEYOND as u64))
            .ok_or(MemoryError)?;
        budget.take(all)?;
        let Some(pages) = usize::try_from(all).ok().and_then(Pages::zeroed) else {
            return Err(budget.refuse(all));
        };
        let policy = match replace {
            Replace::Direct => Policy::Direct(Random(sets)),
            Replace::Oldest => Policy::Oldest(Clock::new(sets * WAYS as u64)),
        };
        Ok(CacheSets { pages, sets, stamp_bytes, bytes, policy, budget })
    }

    /// Where in memory the set of a state begins, whose hash is without the bits that all states
    /// here have in common.
    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * u128::from(self.sets)) >> 64) as usize * self.bytes
    }

    /// A set with its stamps, and some bytes behind it.
    #[inline(always)]
    fn set(&self, place: usize) -> &[u8] {
        // SAFETY: `bytes + BEYOND` bytes were allocated from the place of any set on, initialised,
        // and nothing is written while `self` is shared.
        unsafe { std::slice::from_raw_parts(self.pages.start().add(place), self.bytes + BEYOND) }
    }

    /// Asks for the memory of the set of a state.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.pages.start().wrapping_add(self.place(hash)));
    }

    /// Asks for what else will be read of it.
    #[inline(always)]
    pub fn prefetch_entry<K: Kept>(&self, kept: &K, hash: u64, key: K::Key<'_>) {
        let place = self.place(hash);
        let likely = kept.likely(&self.set(place)[self.stamp_bytes..], key);
        prefetch(self.pages.start().wrapping_add(place + self.stamp_bytes + likely));
    }

    pub fn contains<K: Kept>(&self, kept: &K, hash: u64, key: K::Key<'_>) -> bool {
        kept.find(&self.set(self.place(hash))[self.stamp_bytes..], key).is_some()
    }

    /// Looks for a state, and stores it if it is not there.
    #[inline(always)]
    pub fn insert<K: Kept>(&mut self, kept: &K, hash: u64, key: K::Key<'_>) -> Stored {
        let place = self.place(hash);
        // SAFETY: as in `set`, and `self` is borrowed exclusively.
        let set =
            unsafe { std::slice::from_raw_parts_mut(self.pages.start().add(place), self.bytes + BEYOND) };
        let (stamps, entries) = set.split_at_mut(self.stamp_bytes);
        if let Some(way) = kept.find(entries, key) {
            if let Policy::Oldest(clock) = &self.policy {
                let stamp = clock.renew(stamps[way]);
                // Mostly it is as new as that already; then its line stays as it is.
                if stamps[way] != stamp {
                    stamps[way] = stamp;
                }
            }
            return Stored::Known;
        }
        let (way, stored) = match kept.free(entries) {
            Some(way) => (way, Stored::Added),
            None => {
                let victim = match &mut self.policy {
                    Policy::Direct(random) => random.below(WAYS as u64) as usize,
                    Policy::Oldest(clock) => clock.victim(stamps),
                };
                (victim, Stored::Replaced)
            }
        };
        kept.write(entries, way, key);
        if let Policy::Oldest(clock) = &mut self.policy {
            stamps[way] = clock.new_stamp();
        }
        stored
    }

    pub fn end_level(&mut self) {
        if let Policy::Oldest(clock) = &mut self.policy
            && clock.end_level()
        {
            for set in 0..self.sets as usize {
                // SAFETY: the stamps of a set, and `self` is borrowed exclusively.
                let stamps = unsafe {
                    std::slice::from_raw_parts_mut(self.pages.start().add(set * self.bytes), self.stamp_bytes)
                };
                stamps.iter_mut().for_each(|stamp| *stamp = clock.limit(*stamp));
            }
        }
    }
}

impl Drop for CacheSets {
    fn drop(&mut self) {
        self.budget.give_back(self.sets * self.bytes as u64 + BEYOND as u64);
    }
}
