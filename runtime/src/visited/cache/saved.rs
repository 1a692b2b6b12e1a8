//! The cache in a checkpoint. The manifest has the number of segments. In the file `visited` follow
//! each other:
//!
//! - the sets of all segments and the bytes of one; permits, insertions and replacements; these two
//!   for each level;
//! - for each segment: hits, insertions and replacements of the level at work, what the policy has
//!   to know, the sets with their stamps as they lie in memory (pieces that are empty are left
//!   out), the registers that estimate the number of states, the states that wait, and the records.

use super::kept::{BEYOND, Kept};
use super::sets::{CacheSets, Policy};
use super::{Cache, LevelStats};
use crate::checkpoint::stream::MOST_COUNTED;
use crate::checkpoint::{Persist, Reader, Saved, Transaction, Writer};
use crate::random::Random;
use crate::state::validity::Inspector;
use crate::storage::ResourceError;
use crate::storage::{Purpose, StorageError};
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU64;

impl CacheSets {
    fn length(&self) -> usize {
        self.sets as usize * self.bytes + BEYOND
    }

    fn save(&self, file: &mut Writer) -> Result<(), StorageError> {
        match &self.policy {
            Policy::Direct(Random(state)) => file.words(&[0, *state, 0])?,
            Policy::Oldest(clock) => {
                let (now, since) = clock.time();
                file.words(&[1, u64::from(now), since])?;
            }
        }
        // SAFETY: `length()` bytes were allocated and initialised, and nothing is written while
        // `self` is shared.
        file.sparse(unsafe { std::slice::from_raw_parts(self.pages.start(), self.length()) })
    }

    fn restore(&mut self, file: &mut Reader) -> Result<(), StorageError> {
        let mut words = [0; 3];
        file.words(&mut words)?;
        let length = self.length();
        match (&mut self.policy, words) {
            (Policy::Direct(random), [0, state, _]) => random.0 = state,
            (Policy::Oldest(clock), [1, now @ 0..=255, since @ 0..=MOST_COUNTED]) => {
                clock.set(now as u8, since)
            }
            _ => return Err(file.unexpected()),
        }
        // SAFETY: as above, and `self` is borrowed exclusively.
        file.sparse(unsafe { std::slice::from_raw_parts_mut(self.pages.start(), length) })
    }
}

fn words(figures: &LevelStats) -> [u64; 2] {
    [figures.insertions, figures.replaced]
}

fn figures(file: &mut Reader) -> Result<LevelStats, StorageError> {
    let figures = LevelStats { insertions: file.counted()?, replaced: file.counted()? };
    if figures.replaced <= figures.insertions { Ok(figures) } else { Err(file.unexpected()) }
}

impl<K: Kept> Persist for Cache<K> {
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError> {
        let Cache { common, segments } = self;
        checkpoint.fact("segment_bits", u64::from(common.plan.segmentation.bits));
        let mut file = checkpoint.create("visited", Purpose::SavedStates)?;
        file.words(&[common.plan.sets, common.plan.set_bytes])?;
        let counters = [&mut common.permits, &mut common.insertions, &mut common.replaced];
        file.words(&counters.map(|counter| *counter.get_mut()))?;
        let levels = common.levels.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.number(levels.len() as u64)?;
        levels.iter().try_for_each(|level| file.words(&words(level)))?;
        for segment in segments {
            file.number(segment.hits)?;
            file.words(&words(&segment.figures))?;
            segment.sets.save(&mut file)?;
            file.sparse(segment.distinct.registers())?;
            segment.waiting.save(&mut file)?;
            segment.log.save(&common.records, &mut file)?;
        }
        checkpoint.add(file.finish()?);
        Ok(())
    }

    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError> {
        let mut file = saved.reader("visited", Purpose::SavedStates)?;
        let Cache { common, segments } = self;
        let segmentation = saved.fact("segment_bits") == Some(u64::from(common.plan.segmentation.bits));
        let mut size = [0; 2];
        file.words(&mut size)?;
        if !segmentation || size != [common.plan.sets, common.plan.set_bytes] {
            return Err(file.unexpected().into());
        }
        for counter in [&mut common.permits, &mut common.insertions, &mut common.replaced] {
            *counter = AtomicU64::new(file.counted()?);
        }
        let levels = common.levels.get_mut().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..file.count(16)? {
            levels.push(figures(&mut file)?);
        }
        let places = common.plan.segmentation.places();
        for segment in segments {
            segment.hits = file.counted()?;
            segment.figures = figures(&mut file)?;
            segment.sets.restore(&mut file)?;
            file.sparse(segment.distinct.registers_mut())?;
            segment
                .waiting
                .restore(common.words, places, &mut file, &mut |state| inspector.accepts(state))?;
            segment.log.restore(&common.records, segment.waiting.next(), &mut file)?;
        }
        Ok(file.finish()?)
    }

    fn places(&self, segment: usize) -> Range<u64> {
        self.segments.get(segment).map_or(0..0, |segment| segment.waiting.numbers())
    }
}
