//! The states found for the next level, by all 127 bits of their digests.
//!
//! While a level is explored, the table of signatures does not change. A state that it does not know is new, unless it is one of
//! these. 127 bits are not confused in practice; the bounds count them nevertheless.
//!
//! Digests are kept in the order of their places, which is also the order of their homes in the table: when the level is over and
//! they are added to it, that is a walk through the table from one end to the other.

use super::h3::Digest;
use crate::memory::{Budget, Exhausted, Pages, prefetch};
use std::sync::Arc;

/// Entries of the smallest set.
const LEAST: usize = 64;

/// A set of digests. An entry whose place is 0 is empty; places of states are odd.
#[derive(Debug)]
pub struct Newcomers {
    pages: Option<Pages>,
    capacity: usize,
    length: usize,
    /// The bits of a place that are the same for all.
    skipped: u32,
    budget: Arc<Budget>,
}

impl Newcomers {
    /// For states whose places agree in the `skipped` highest bits.
    pub fn new(skipped: u32, budget: Arc<Budget>) -> Self {
        Newcomers { pages: None, capacity: 0, length: 0, skipped, budget }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    fn entries(&self) -> &[Digest] {
        match &self.pages {
            // SAFETY: the block has room for so many, zeroed or written, and changes only through `entries_mut`.
            Some(pages) => unsafe { std::slice::from_raw_parts(pages.start().cast(), self.capacity) },
            None => &[],
        }
    }

    #[inline(always)]
    fn entries_mut(&mut self) -> &mut [Digest] {
        match &mut self.pages {
            // SAFETY: as above, and `self` is borrowed exclusively.
            Some(pages) => unsafe { std::slice::from_raw_parts_mut(pages.start().cast(), self.capacity) },
            None => &mut [],
        }
    }

    /// Where a search begins.
    #[inline(always)]
    fn home(&self, place: u64) -> usize {
        ((u128::from(place << self.skipped) * self.capacity as u128) >> 64) as usize
    }

    #[inline(always)]
    pub fn prefetch(&self, digest: Digest) {
        if let Some(pages) = &self.pages {
            prefetch(pages.start().cast::<Digest>().wrapping_add(self.home(digest.place)));
        }
    }

    /// The entry that holds a digest, or the one that it would get.
    #[inline(always)]
    fn find(&self, digest: Digest) -> Option<(usize, bool)> {
        let entries = self.entries();
        let mut at = self.home(digest.place);
        loop {
            let entry = *entries.get(at)?;
            if entry.place == 0 {
                return Some((at, false));
            }
            if entry == digest {
                return Some((at, true));
            }
            at = if at + 1 == entries.len() { 0 } else { at + 1 };
        }
    }

    #[inline(always)]
    pub fn contains(&self, digest: Digest) -> bool {
        self.find(digest).is_some_and(|(_, there)| there)
    }

    /// Makes sure that one more fits.
    #[inline(always)]
    pub fn make_room(&mut self) -> Result<(), Exhausted> {
        // Five eighths full at most: beyond, the search for what is not there takes many steps.
        if self.length * 8 >= self.capacity * 5 { self.grow() } else { Ok(()) }
    }

    /// Adds a digest, and says whether it was not there before. There must be room.
    #[inline(always)]
    pub fn add(&mut self, digest: Digest) -> bool {
        let Some((at, false)) = self.find(digest) else { return false };
        self.entries_mut()[at] = digest;
        self.length += 1;
        true
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Exhausted> {
        let capacity = (self.capacity + self.capacity / 2).max(LEAST);
        let mut larger = Self::new(self.skipped, self.budget.clone());
        larger.allocate(capacity)?;
        for digest in self.iter() {
            larger.add(digest);
        }
        *self = larger;
        Ok(())
    }

    fn allocate(&mut self, capacity: usize) -> Result<(), Exhausted> {
        let bytes = capacity * size_of::<Digest>();
        self.budget.take(bytes as u64)?;
        match Pages::zeroed(bytes) {
            Some(pages) => (self.pages, self.capacity) = (Some(pages), capacity),
            None => {
                self.budget.give_back(bytes as u64);
                return Err(Exhausted);
            }
        }
        Ok(())
    }

    /// All of them, about in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = Digest> + '_ {
        self.entries().iter().copied().filter(|entry| entry.place != 0)
    }

    /// Forgets all. The memory stays for the next level, unless this one needed little of it.
    pub fn clear(&mut self) {
        if self.length < self.capacity / 16 {
            *self = Self::new(self.skipped, self.budget.clone());
        } else if self.length > 0 {
            self.entries_mut().fill(Digest::default());
            self.length = 0;
        }
    }
}

impl Drop for Newcomers {
    fn drop(&mut self) {
        self.budget.give_back((self.capacity * size_of::<Digest>()) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashSet;

    #[test]
    fn agrees_with_a_set_level_after_level() {
        let budget = Arc::new(Budget::new(1 << 24));
        let mut newcomers = Newcomers::new(4, budget.clone());
        let mut random = Random(1);
        for size in [10, 1000, 50_000, 3, 0, 700, 20_000] {
            let mut expected = HashSet::new();
            for _ in 0..size {
                // Often the same, and places that agree where they must.
                let place = random.below(size) << 44 | 5 << 60 | 1;
                let digest = Digest { place, signature: random.below(3) };
                assert_eq!(newcomers.contains(digest), expected.contains(&digest));
                if expected.insert(digest) {
                    newcomers.make_room().unwrap();
                    assert!(newcomers.add(digest));
                }
                assert!(!newcomers.add(digest));
            }
            assert_eq!(newcomers.len(), expected.len());
            assert_eq!(newcomers.iter().collect::<HashSet<_>>(), expected);
            newcomers.clear();
            assert!(newcomers.len() == 0 && newcomers.iter().next().is_none());
        }
        drop(newcomers);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn without_memory_nothing_changes() {
        let mut newcomers = Newcomers::new(0, Arc::new(Budget::new(64 * 16)));
        let mut random = Random(1);
        let mut added = Vec::new();
        while newcomers.make_room().is_ok() {
            added.push(Digest { place: random.number() | 1, signature: random.number() });
            newcomers.add(*added.last().unwrap());
        }
        assert_eq!(added.len(), 40);
        assert!(added.iter().all(|&digest| newcomers.contains(digest)));
    }
}
