//! Some segments of the cache, as a thread works on them.

use super::kept::Kept;
use super::sets::Stored;
use super::{Common, LevelStats, Segment};
use crate::storage::ResourceError;
use crate::visited::{Batch, Fresh, InsertError, Share, StateIndex};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// States that are looked up together.
const WINDOW: usize = 32;

pub struct CacheShare<'a, K> {
    pub common: &'a Common<K>,
    /// The number of the first segment of this part.
    pub first: usize,
    pub segments: &'a mut [Segment],
    /// The level that is being found.
    pub level: usize,
}

impl<K: Kept> CacheShare<'_, K> {
    /// The segment of a hash, and the hash without the bits that say so.
    #[inline(always)]
    fn segment_of(&self, hash: u64) -> (usize, u64) {
        let segmentation = self.common.plan.segmentation;
        (segmentation.of_hash(hash) - self.first, hash << segmentation.bits)
    }

    #[inline(always)]
    fn insert_window(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
        figures: &mut LevelStats,
    ) -> Result<(), InsertError> {
        let kept = &self.common.kept;
        for &position in positions {
            let (segment, rest) = self.segment_of(batch.hashes[position as usize]);
            self.segments[segment].sets.prefetch(rest);
        }
        for &position in positions {
            let (segment, rest) = self.segment_of(batch.hashes[position as usize]);
            self.segments[segment].sets.prefetch_entry(kept, rest, kept.key(batch, position));
        }
        for &position in positions {
            let hash = batch.hashes[position as usize];
            let (number, rest) = self.segment_of(hash);
            self.make_room(number, batch, position)?;
            let segment = &mut self.segments[number];
            let replaced = match segment.sets.insert(kept, rest, kept.key(batch, position)) {
                Stored::Known => {
                    segment.hits += 1;
                    continue;
                }
                Stored::Added => 0,
                Stored::Replaced => 1,
            };
            figures.add(LevelStats { insertions: 1, replaced });
            segment.figures.add(LevelStats { insertions: 1, replaced });
            segment.distinct.see(hash);
            let index = self.keep(number, batch, position)?;
            fresh.push(Fresh { position, index });
        }
        Ok(())
    }

    /// Makes sure that a state could be kept until it is taken: what is in the cache must have been
    /// kept.
    #[inline(always)]
    fn make_room(&mut self, number: usize, batch: &Batch<'_>, position: u32) -> Result<(), InsertError> {
        let segment = &mut self.segments[number];
        if segment.waiting.next() >= self.common.plan.segmentation.places() {
            return Err(InsertError::Numbers);
        }
        segment.waiting.make_room()?;
        segment.log.make_room(&self.common.records)?;
        match self.common.wanted.most {
            Some(most) => self.permit(most, number, batch, position),
            None => Ok(()),
        }
    }

    /// Takes the permit that a new state needs.
    #[cold]
    fn permit(&self, most: u64, number: usize, batch: &Batch<'_>, position: u32) -> Result<(), InsertError> {
        let (_, rest) = self.segment_of(batch.hashes[position as usize]);
        let kept = &self.common.kept;
        if self.segments[number].sets.contains(kept, rest, kept.key(batch, position)) {
            return Ok(());
        }
        if self.common.permits.fetch_add(1, Ordering::Relaxed) < most {
            Ok(())
        } else {
            Err(InsertError::Room)
        }
    }

    /// Keeps a new state until it is taken, and its record for ever. There is room.
    #[inline(always)]
    fn keep(&mut self, number: usize, batch: &Batch<'_>, position: u32) -> Result<StateIndex, InsertError> {
        let at = position as usize;
        let words = self.common.words;
        let segment = &mut self.segments[number];
        let next = segment.waiting.next();
        segment.log.push(&self.common.records, batch.origins[at], batch.hashes[at])?;
        segment.waiting.push(&batch.states[at * words..][..words]);
        Ok(self.common.plan.segmentation.index(self.first + number, next))
    }
}

impl<K: Kept> Share for CacheShare<'_, K> {
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>) {
        self.common.kept.hash(states, hashes, signatures);
    }

    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        let mut figures = LevelStats::default();
        let mut stored = Ok(());
        for window in positions.chunks(WINDOW) {
            stored = self.insert_window(batch, window, fresh, &mut figures);
            if stored.is_err() {
                break;
            }
        }
        stored.and(self.common.note(figures))
    }

    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool {
        let kept = &self.common.kept;
        positions.iter().all(|&position| {
            let (segment, rest) = self.segment_of(batch.hashes[position as usize]);
            self.segments[segment].sets.contains(kept, rest, kept.key(batch, position))
        })
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        let segmentation = self.common.plan.segmentation;
        for &index in indices {
            if let Some(segment) = self.segments.get_mut(segmentation.of_index(index) - self.first) {
                let number = segmentation.place(index);
                into.extend_from_slice(segment.waiting.take(number)?.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn prefetch(&self, indices: &[StateIndex]) {
        let segmentation = self.common.plan.segmentation;
        for &index in indices {
            if let Some(segment) = self.segments.get(segmentation.of_index(index) - self.first) {
                segment.waiting.prefetch(segmentation.place(index));
            }
        }
    }

    fn gathers(&self) -> bool {
        true
    }

    fn end_level(&mut self) {
        let mut figures = LevelStats::default();
        for segment in self.segments.iter_mut() {
            figures.add(std::mem::take(&mut segment.figures));
            segment.sets.end_level();
            segment.waiting.trim();
        }
        let mut levels = self.common.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let count = levels.len().max(self.level + 1);
        levels.resize(count, LevelStats::default());
        levels[self.level].add(figures);
        self.level += 1;
    }
}
