//! The part of a compact set that one thread owns: looking up, inserting, and the end of a level.

use super::table::Limited;
use super::{Common, Probing, Segment};
use crate::hashing::h3::Digest;
use crate::storage::ResourceError;
use crate::visited::{Batch, Fresh, InsertError, Share, StateIndex};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// Some of the segments.
pub(super) struct CompactShare<'a> {
    pub(super) common: &'a Common,
    /// The number of the first segment of this part.
    pub(super) first: usize,
    pub(super) segments: &'a mut [Segment],
    /// The level that is being found.
    pub(super) level: usize,
    /// The table is not in use yet.
    pub(super) small: bool,
    /// Permits in hand.
    pub(super) permits: u64,
    pub(super) owners: usize,
}

impl CompactShare<'_> {
    #[inline(always)]
    pub(super) fn digest(batch: &Batch<'_>, position: u32) -> Digest {
        let at = position as usize;
        Digest { place: batch.hashes[at], signature: batch.signatures[at] }
    }

    #[inline(always)]
    pub(super) fn number_of(&self, place: u64) -> usize {
        self.common.segmentation.of_hash(place) - self.first
    }

    pub(super) fn insert_limited(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        probes: u64,
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        let table = &self.common.table;
        for &position in positions {
            let digest = Self::digest(batch, position);
            match table.add_limited(digest.place, table.bits().signature(digest.signature), probes) {
                Limited::Known => {}
                Limited::Added => {
                    let index = self.keep(self.number_of(digest.place), batch, position)?;
                    fresh.push(Fresh { position, index });
                }
                Limited::NoRoom => return Err(InsertError::Probes),
            }
        }
        Ok(())
    }

    /// Keeps a new state until it is taken, and its record for ever.
    #[inline(always)]
    pub(super) fn keep(
        &mut self,
        number: usize,
        batch: &Batch<'_>,
        position: u32,
    ) -> Result<StateIndex, InsertError> {
        if self.permits == 0 {
            self.permits = self.take_permits()?;
        }
        let Common { words, table, segmentation, records, .. } = self.common;
        let at = position as usize;
        let segment = &mut self.segments[number];
        let next = segment.waiting.next();
        if next >= segmentation.places() {
            return Err(InsertError::Numbers);
        }
        // Of a table in one piece permits are the limit.
        if table.region_slots().is_some() && next >= table.room_of_segment() {
            return Err(InsertError::Table);
        }
        segment.waiting.make_room()?;
        segment.log.make_room(records)?;
        segment.log.push(records, batch.origins[at], batch.hashes[at])?;
        segment.waiting.push(&batch.states[at * words..][..*words]);
        self.permits -= 1;
        Ok(segmentation.index(self.first + number, next))
    }

    /// Several at a time where there are many.
    #[cold]
    pub(super) fn take_permits(&self) -> Result<u64, InsertError> {
        let permits = &self.common.permits;
        let some = |left: u64| match self.owners {
            1 => left.min(64),
            // A limit that the user has set is met exactly; the table may be left with some slots
            // if one thread has permits that another needs.
            _ if self.common.beyond == InsertError::Room => left.min(1),
            _ => (left / 4096).clamp(1, 64).min(left),
        };
        let taken = permits.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            Some(left - some(left)).filter(|_| left > 0)
        });
        taken.map(some).map_err(|_| self.common.beyond)
    }
}

impl Share for CompactShare<'_> {
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>) {
        self.common.h3.digest(states, |places, numbers| {
            hashes.extend_from_slice(places);
            signatures.extend_from_slice(numbers);
        });
    }

    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        if let Probing::Limited(probes) = self.common.probing {
            return self.insert_limited(batch, positions, probes, fresh);
        }
        self.insert_all(batch, positions, fresh)
    }

    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool {
        let table = &self.common.table;
        positions.iter().all(|&position| {
            let digest = Self::digest(batch, position);
            let signature = table.bits().signature(digest.signature);
            match self.common.probing {
                Probing::Ordered => {
                    table.contains(digest.place, signature)
                        || self.segments[self.number_of(digest.place)].newcomers.contains(digest)
                }
                Probing::Limited(probes) => table.contains_limited(digest.place, signature, probes),
            }
        })
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        let segmentation = self.common.segmentation;
        for &index in indices {
            if let Some(segment) = self.segments.get_mut(segmentation.of_index(index) - self.first) {
                let number = segmentation.place(index);
                into.extend_from_slice(segment.waiting.take(number)?.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn prefetch(&self, indices: &[StateIndex]) {
        let segmentation = self.common.segmentation;
        for &index in indices {
            if let Some(segment) = self.segments.get(segmentation.of_index(index) - self.first) {
                segment.waiting.prefetch(segmentation.place(index));
            }
        }
    }

    fn gathers(&self) -> bool {
        self.common.probing == Probing::Ordered
    }

    fn end_level(&mut self) {
        if self.common.probing != Probing::Ordered {
            return;
        }
        self.small = self.common.small_before(self.level + 1);
        match (self.small, self.owners) {
            (true, _) => {}
            (false, 1) => self.add::<false>(),
            (false, _) => self.add::<true>(),
        }
        let mut new = 0;
        for segment in self.segments.iter_mut() {
            new += segment.uncounted();
            segment.counted = segment.waiting.next();
            segment.waiting.trim();
        }
        let mut found = self.common.found.lock().unwrap_or_else(PoisonError::into_inner);
        let levels = found.len().max(self.level + 1);
        found.resize(levels, 0);
        found[self.level] += new;
        drop(found);
        let most = self.segments.iter().map(|segment| segment.counted).max().unwrap_or(0);
        let mut fullest = self.common.fullest.lock().unwrap_or_else(PoisonError::into_inner);
        fullest.resize(levels, 0);
        fullest[self.level] = fullest[self.level].max(most);
        self.level += 1;
        // Others may need them more.
        self.common.permits.fetch_add(std::mem::take(&mut self.permits), Ordering::Relaxed);
    }
}

impl Drop for CompactShare<'_> {
    fn drop(&mut self) {
        self.common.permits.fetch_add(self.permits, Ordering::Relaxed);
    }
}
