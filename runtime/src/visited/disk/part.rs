//! Some segments of a set on disk, as a thread works on them.

use super::Common;
use super::identity::Identity;
use super::segment::Segment;
use crate::storage::ResourceError;
use crate::visited::{Batch, Fresh, InsertError, Settlement, Share, StateIndex, StateSink};

/// States that are looked up together.
const WINDOW: usize = 32;

pub struct DiskShare<'a, I> {
    pub common: &'a Common<I>,
    /// The number of the first segment of this part.
    pub first: usize,
    pub segments: &'a mut [Segment],
}

impl<I: Identity> DiskShare<'_, I> {
    #[inline(always)]
    fn segment_of(&self, key: u64) -> usize {
        self.common.plan.segmentation.of_hash(key) - self.first
    }

    #[inline(always)]
    fn insert_window(&mut self, batch: &Batch<'_>, positions: &[u32]) -> Result<(), InsertError> {
        for &position in positions {
            let key = batch.hashes[position as usize];
            self.segments[self.segment_of(key)].prefetch(key);
        }
        if self.common.identity.shape().rest_bytes > 0 {
            for &position in positions {
                let key = batch.hashes[position as usize];
                self.segments[self.segment_of(key)].prefetch_rest(key);
            }
        }
        for &position in positions {
            let segment = self.segment_of(batch.hashes[position as usize]);
            self.segments[segment].insert(self.common, batch, position)?;
        }
        Ok(())
    }
}

impl<I: Identity> Share for DiskShare<'_, I> {
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, _: &mut Vec<u64>) {
        self.common.identity.hash(states, hashes);
    }

    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        _: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        positions.chunks(WINDOW).try_for_each(|window| self.insert_window(batch, window))
    }

    /// Nobody asks: whether a state is known is found out when candidates are settled.
    fn knows(&self, _: &Batch<'_>, positions: &[u32]) -> bool {
        positions.is_empty()
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        let segmentation = self.common.plan.segmentation;
        for &index in indices {
            if let Some(segment) = self.segments.get_mut(segmentation.of_index(index) - self.first) {
                segment.take(segmentation.place(index), into)?;
            }
        }
        Ok(())
    }

    fn prefetch(&self, _: &[StateIndex]) {
        self.segments.iter().for_each(Segment::prefetch_waiting);
    }

    fn delays(&self) -> bool {
        true
    }

    fn is_full(&self) -> bool {
        self.segments.iter().any(Segment::is_full)
    }

    fn settle(&mut self, settlement: Settlement, sink: &mut dyn StateSink) -> Result<u64, InsertError> {
        let mut new = 0;
        for (at, segment) in self.segments.iter_mut().enumerate() {
            if settlement.ends_level || segment.is_full() {
                new += segment.settle(self.common, self.first + at, settlement, sink)?;
            }
        }
        Ok(new)
    }
}
