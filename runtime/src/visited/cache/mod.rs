//! The visited set that evicts (`--cache`): a fixed amount of memory, whatever the number of
//! states.
//!
//! A state that is found goes into the set of entries that its hash names. If that is full, a state
//! in it is evicted ([`sets`], [`stamps`]). An evicted state that is found again counts as new:
//! it waits, is expanded, and its successors are looked up once more. So more states may be visited
//! than there are, some of them again and again; but none is left out that was not visited before,
//! and a search that ends by itself has visited them all.
//!
//! States that wait, and the records from which traces are rebuilt, are not in the cache, so
//! nothing is lost with an evicted state but the knowledge that it was there.
//!
//! Segments and shares are those of the other sets. Which state is evicted depends on the order
//! in which states come; one thread always has the same, several do not, so their counts may differ
//! from run to run.

pub(crate) mod kept;
mod part;
pub(crate) mod plan;
pub(crate) mod plugin;
pub(crate) mod report;
mod saved;
pub(crate) mod sets;
mod stamps;
#[cfg(test)]
mod tests;

use super::numbers::cut;
use super::waiting::{Queue, Waiting};
use super::{InsertError, Recalled, Segmentation, SetStats, Share, StateIndex, Visited};
use crate::checkpoint::Persist;
use crate::hashing::distinct::Distinct;
use crate::hashing::signature::Bits;
use crate::memory::MemoryError;
use crate::spool::Supply;
use crate::storage::{Storage, StorageError};
use crate::visited::records::{Log, Records};
use kept::Kept;
use part::CacheShare;
use plan::{Plan, Size};
use serde::{Deserialize, Serialize};
use sets::{CacheSets, Replace};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a chunk of waiting states in each of all segments together, at most, and in one of
/// them.
const CHUNKS: u64 = 4 << 20;
const CHUNK: u64 = 256 << 10;

/// What a search with a cache was like, for bounds and reports.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheStats {
    pub plan: Plan,
    /// As the user said it.
    pub size: Size,
    pub max_collisions: Option<f64>,
    pub replace: Replace,
    /// Width and seed of the signatures that are kept instead of states.
    pub signatures: Option<(Bits, u64)>,
    /// Of each level, the last one perhaps not complete.
    pub levels: Vec<LevelStats>,
    /// How often a state was found in the cache.
    pub hits: u64,
    /// About how many different states were stored.
    pub distinct: u64,
    /// Bytes of the file from which traces are rebuilt.
    pub record_bytes: u64,
}

/// States that were stored in a level, and those that were evicted for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelStats {
    pub insertions: u64,
    pub replaced: u64,
}

impl LevelStats {
    pub fn add(&mut self, other: LevelStats) {
        self.insertions = self.insertions.saturating_add(other.insertions);
        self.replaced = self.replaced.saturating_add(other.replaced);
    }

    /// The paper's collision rate.
    pub fn rate(&self) -> f64 {
        self.replaced as f64 / self.insertions.max(1) as f64
    }
}

impl CacheStats {
    pub fn all(&self) -> LevelStats {
        let mut all = LevelStats::default();
        self.levels.iter().for_each(|level| all.add(*level));
        all
    }
}

/// What the user wants of a cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheWanted {
    pub size: Size,
    pub replace: Replace,
    pub signatures: Option<(Bits, u64)>,
    /// The search ends when more than this fraction of the insertions evicted a state.
    pub max_collisions: Option<f64>,
    /// States that may be stored.
    pub most: Option<u64>,
    /// Bits by which states are distinguished in traces.
    pub compared: u32,
}

#[derive(Debug)]
pub struct Cache<K> {
    common: Common<K>,
    segments: Vec<Segment>,
}

/// What belongs to all.
#[derive(Debug)]
struct Common<K> {
    kept: K,
    words: usize,
    plan: Plan,
    wanted: CacheWanted,
    records: Records,
    /// States for which a permit was taken, where there is a limit.
    permits: AtomicU64,
    /// All insertions so far, and those for which a state was evicted.
    insertions: AtomicU64,
    replaced: AtomicU64,
    levels: Mutex<Vec<LevelStats>>,
}

#[derive(Debug)]
struct Segment {
    sets: CacheSets,
    distinct: Distinct,
    hits: u64,
    /// Of the level at work.
    figures: LevelStats,
    waiting: Waiting,
    log: Log,
}

impl<K: Kept> Cache<K> {
    /// An empty cache for states of `words` words.
    pub fn new(
        kept: K,
        words: usize,
        plan: Plan,
        wanted: CacheWanted,
        storage: Arc<dyn Storage>,
        supply: &Supply,
    ) -> Result<Self, MemoryError> {
        let budget = supply.budget();
        // Small where there are many segments and little memory.
        let all = (budget.limit() / 32).min(CHUNKS);
        let chunk = (all >> plan.segmentation.bits).clamp(1 << 10, CHUNK) as usize;
        let each = supply.part(1, plan.segments);
        let segment = |number| {
            Ok(Segment {
                sets: CacheSets::new(&kept, wanted.replace, plan.sets_of(number), budget.clone())?,
                distinct: Distinct::default(),
                hits: 0,
                figures: LevelStats::default(),
                waiting: Waiting::Queue(Queue::new(words, chunk, &each)),
                log: Log::default(),
            })
        };
        let segments = (0..plan.segments as usize).map(segment).collect::<Result<_, MemoryError>>()?;
        let records = Records::new(storage, plan.segmentation, wanted.compared, budget.clone());
        let (permits, insertions, replaced, levels) = Default::default();
        Ok(Cache {
            segments,
            common: Common { kept, words, plan, wanted, records, permits, insertions, replaced, levels },
        })
    }

    fn segment(&self, index: StateIndex) -> Option<(&Segment, u64)> {
        let Plan { segmentation, first, .. } = self.common.plan;
        let segment = segmentation.of_index(index).checked_sub(first)?;
        Some((self.segments.get(segment)?, segmentation.place(index)))
    }
}

impl<K> Common<K> {
    /// Whether the search may go on after these insertions.
    fn note(&self, figures: LevelStats) -> Result<(), InsertError> {
        let insertions =
            self.insertions.fetch_add(figures.insertions, Ordering::Relaxed) + figures.insertions;
        let replaced = self.replaced.fetch_add(figures.replaced, Ordering::Relaxed) + figures.replaced;
        match self.wanted.max_collisions {
            Some(most) if replaced as f64 > most * insertions as f64 => Err(InsertError::Collisions),
            _ => Ok(()),
        }
    }
}

impl<K: Kept> Visited for Cache<K> {
    fn len(&self) -> u64 {
        self.segments.iter().map(|segment| segment.waiting.next()).sum()
    }

    fn segmentation(&self) -> Segmentation {
        self.common.plan.segmentation
    }

    fn load(&self, index: StateIndex, into: &mut Vec<u64>) {
        if let Some((segment, number)) = self.segment(index) {
            into.extend_from_slice(segment.waiting.get(number).unwrap_or_default());
        }
    }

    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        let Some((segment, _)) = self.segment(index) else { return Ok(None) };
        segment.log.get(&self.common.records, index)
    }

    fn signature(&self, state: &[u64]) -> Option<u64> {
        let (mut hashes, mut signatures) = (Vec::new(), Vec::new());
        self.common.kept.hash(state, &mut hashes, &mut signatures);
        Some(self.common.records.signature(*hashes.first()?))
    }

    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>> {
        self.shares_of(&self.common.plan.segmentation.ranges(owners))
    }

    fn shares_of(&mut self, ranges: &[Range<usize>]) -> Vec<Box<dyn Share + '_>> {
        let level = self.common.levels.get_mut().unwrap_or_else(PoisonError::into_inner).len();
        let common = &self.common;
        let part = |(owned, segments): (&Range<usize>, _)| -> Box<dyn Share + '_> {
            Box::new(CacheShare { common, first: owned.start, segments, level })
        };
        ranges.iter().zip(cut(&mut self.segments, common.plan.first, ranges)).map(part).collect()
    }

    fn persist(&mut self) -> Option<&mut dyn Persist> {
        Some(self)
    }

    fn stats(&self) -> Option<Box<dyn SetStats>> {
        let Common { plan, wanted, records, levels, .. } = &self.common;
        let mut levels = levels.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut last = LevelStats::default();
        let mut distinct = Distinct::default();
        for segment in &self.segments {
            last.add(segment.figures);
            distinct.join(&segment.distinct);
        }
        levels.push(last);
        Some(Box::new(CacheStats {
            plan: *plan,
            size: wanted.size,
            max_collisions: wanted.max_collisions,
            replace: wanted.replace,
            signatures: wanted.signatures,
            levels,
            hits: self.segments.iter().map(|segment| segment.hits).sum(),
            distinct: distinct.estimate(),
            record_bytes: records.len(),
        }))
    }
}
