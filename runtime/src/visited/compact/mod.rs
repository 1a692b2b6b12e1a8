//! The compact visited set (`-c`): of each state a signature of b bits, and whole states only as
//! long as they wait.
//!
//! **Breadth first.** While a level is explored, the table of signatures does not change. A state
//! is new if it is not in the table, and not among the newcomers of this level either, which are
//! distinguished by 127 bits. When all states of a level are expanded, the newcomers go into the
//! table. So which states are new does not depend on the order in which they are found within a
//! level, and neither does what the table holds afterwards (see [`table`]): a search with the same
//! seed goes through the same states, whatever the number of threads. And states of one level
//! cannot hide each other, which makes the bound smaller than the paper's.
//!
//! **A small search** does without the table: all that it finds stay newcomers. Clearing the pages
//! of a large table takes longer than many a search, and states that are distinguished by 127 bits
//! are not at risk. When a search is no longer small, all of them go into the table. Which level
//! that is depends only on how many states the levels before it have. If the user has said how many
//! slots there shall be, the table is used from the beginning, as in the paper.
//!
//! The table is one for all threads, who only look into it during a level, and fill it together at
//! its end. Newcomers, waiting states and records belong to segments, as in the exact set.
//!
//! **Depth first** there are no levels, and one thread: a state goes into the table when it is
//! found, into one of the first t slots of its probe sequence.

mod adding;
mod filling;
mod insertion;
mod line;
mod newcomers;
pub(crate) mod plugin;
pub(crate) mod prime;
mod report;
mod saved;
mod saved_part;
mod share;
pub(crate) mod table;

use super::numbers::cut;
use super::plugin::Divided;
use super::waiting::{Queue, Stack, Waiting};
use super::{InsertError, Recalled, Segmentation, SetStats, Share, StateIndex, Visited};
use crate::checkpoint::{Persist, PersistPart};
use crate::hashing::h3::H3;
use crate::hashing::signature::Bits;
use crate::memory::{MemoryError, counted};
use crate::random::Random;
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::{Storage, StorageError};
use crate::visited::records::{Log, Records};
use newcomers::Newcomers;
use share::CompactShare;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use table::{Regions, Table};

/// States that are looked up together.
const WINDOW: usize = 64;
/// Bytes of a chunk of waiting states in each of all segments together, at most, and in one of
/// them.
const CHUNKS: u64 = 4 << 20;
const CHUNK: u64 = 256 << 10;
/// One state in this number is assumed to wait when memory is divided between the table and the
/// waiting states.
const WAITING: u64 = 4;
/// Without a word from the user, a table is not larger than this.
pub const DEFAULT_TABLE: u64 = 128 << 20;
/// A search is small as long as it has found at most one state for this number of bytes of its
/// table, so that digests take about a fourth of what the table would take, …
const SMALL_FOR_TABLE: u64 = 84;
/// … and one for this number of bytes of the memory beside the table, so that digests take little
/// of that.
const SMALL_FOR_REST: u64 = 1024;

/// How a state is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// Ordered hashing, and levels.
    Ordered,
    /// A limited number of probes.
    Limited(u64),
}

/// What the user wants of a compact set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactWanted {
    pub bits: Bits,
    pub probing: Probing,
    /// Least number of slots; `None`: as many as are reasonable.
    pub slots: Option<u64>,
    /// Whether all the memory that the budget has may be used.
    pub all_memory: bool,
    pub seed: u64,
    /// Where several processes have parts of the set.
    pub divided: Option<Divided>,
    /// The slots of a region, where the search goes on with regions that were saved.
    pub region_slots: Option<u64>,
    /// Bits by which states are distinguished in traces.
    pub compared: u32,
}

/// What a search with signatures was like, for bounds and reports.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactStats {
    pub bits: Bits,
    pub slots: u64,
    pub probing: Probing,
    pub seed: u64,
    pub states: u64,
    /// New states of each level, the last one perhaps not complete. Empty if there are no levels.
    pub levels: Vec<u64>,
    pub table_bytes: u64,
    /// Bytes of the file from which traces are rebuilt.
    pub record_bytes: u64,
    /// Where the table is divided into regions.
    pub regions: Option<RegionStats>,
}

/// What the regions of a divided table were like.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionStats {
    /// Slots of each.
    pub slots: u64,
    /// Of each level, the most states that a region had at its end.
    pub fullest: Vec<u64>,
}

#[derive(Debug)]
pub struct Compact {
    common: Common,
    segments: Vec<Segment>,
}

/// What belongs to all.
#[derive(Debug)]
struct Common {
    words: usize,
    seed: u64,
    h3: H3,
    table: Table,
    probing: Probing,
    segmentation: Segmentation,
    records: Records,
    /// States that may still be inserted, and what it means if there are none.
    permits: AtomicU64,
    beyond: InsertError,
    /// States that are found without using the table.
    small: u64,
    /// New states of each level that is over.
    found: Mutex<Vec<u64>>,
    /// The most states of a segment when each level was over.
    fullest: Mutex<Vec<u64>>,
}

#[derive(Debug)]
struct Segment {
    newcomers: Newcomers,
    waiting: Waiting,
    log: Log,
    /// How many of its states belong to levels that are over.
    counted: u64,
}

impl Segment {
    /// States of the level that is being found.
    fn uncounted(&self) -> u64 {
        self.waiting.next() - self.counted
    }
}

impl Compact {
    /// An empty set for states in the form of this codec, `most` of them at most, in these
    /// segments.
    pub fn new(
        codec: &Codec,
        wanted: CompactWanted,
        segmentation: Segmentation,
        storage: Arc<dyn Storage>,
        supply: &Supply,
        most: Option<u64>,
    ) -> Result<Self, MemoryError> {
        let budget = supply.budget();
        let words = codec.stored_words();
        let limit = wanted.divided.map_or(budget.limit(), |divided| divided.memory);
        let slots = wanted.slots.unwrap_or_else(|| match supply.settled() {
            None => reasonable_slots(wanted, words * size_of::<u64>(), limit),
            Some(bytes) => reasonable_slots(wanted, 0, limit.saturating_sub(bytes)),
        });
        let table = match wanted.divided {
            None => Table::new(wanted.bits, slots, budget.clone())?,
            Some(divided) => Table::divided(wanted.bits, wanted.regions(divided, slots), budget.clone())?,
        };
        let capacity = table.capacity();
        let (permits, beyond) = match most {
            Some(most) if most <= capacity => (most, InsertError::Room),
            _ => (capacity, InsertError::Table),
        };
        let small = match (wanted.slots, wanted.probing) {
            // When others are no longer small is not known.
            _ if wanted.divided.is_some() => 0,
            (None, Probing::Ordered) => {
                let bytes = Table::bytes(wanted.bits, slots);
                (bytes / SMALL_FOR_TABLE).min(budget.limit().saturating_sub(bytes) / SMALL_FOR_REST)
            }
            (Some(_), _) | (_, Probing::Limited(_)) => 0,
        };
        let h3 = H3::draw(codec.stored_masks(), &mut Random(wanted.seed));
        // It stays as long as the budget does.
        budget.take(counted(h3.bytes()))?;
        // Small where there are many segments and little memory.
        let all = (budget.limit() / 32).min(CHUNKS);
        let chunk = (all >> segmentation.bits).clamp(1 << 10, CHUNK) as usize;
        let each = supply.part(1, segmentation.segments() as u64);
        let segment = |_| Segment {
            newcomers: Newcomers::new(segmentation.bits, budget.clone()),
            waiting: match wanted.probing {
                Probing::Ordered => Waiting::Queue(Queue::new(words, chunk, &each)),
                Probing::Limited(_) => Waiting::Stack(Stack::new(words, &each)),
            },
            log: Log::default(),
            counted: 0,
        };
        Ok(Compact {
            segments: (0..segmentation.segments()).map(segment).collect(),
            common: Common {
                words,
                seed: wanted.seed,
                h3,
                table,
                probing: wanted.probing,
                segmentation,
                records: Records::new(storage, segmentation, wanted.compared, budget.clone()),
                permits: AtomicU64::new(permits),
                beyond,
                small,
                found: Mutex::default(),
                fullest: Mutex::default(),
            },
        })
    }

    fn segment(&self, index: StateIndex) -> Option<(&Segment, u64)> {
        let segmentation = self.common.segmentation;
        Some((self.segments.get(segmentation.of_index(index))?, segmentation.place(index)))
    }
}

impl Common {
    /// Whether the search is small when this level is found. The number of states of the level
    /// before it is not asked for, because other threads may still be counting them.
    fn small_before(&self, level: usize) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let states: u64 = found.iter().take(level.saturating_sub(1)).sum();
        states < self.small
    }
}

impl CompactWanted {
    /// The regions of a process, if there shall be that number of slots: in all of them, if the
    /// user says so, or else in those of each process.
    fn regions(&self, divided: Divided, slots: u64) -> Regions {
        let Divided { segmentation, first, count, most, .. } = divided;
        let each = match (self.region_slots, self.slots) {
            (Some(slots), _) => slots,
            (None, Some(slots)) => slots.div_ceil(segmentation.segments() as u64),
            (None, None) => slots / (most as u64).max(1),
        };
        Regions::new(segmentation.bits, first as u64, count as u64, each)
    }
}

/// Slots for which there is memory, if some states wait, and take `bytes` bytes each.
fn reasonable_slots(wanted: CompactWanted, bytes: usize, limit: u64) -> u64 {
    let slot = f64::from(wanted.bits.get()) / 8.0;
    // A newcomer's digest takes 16 bytes in a table that is five eighths full.
    let waits = (bytes as f64 + 26.0) / WAITING as f64;
    let table = (limit as f64 * slot / (slot + waits)) as u64;
    Table::slots_in(wanted.bits, if wanted.all_memory { table } else { table.min(DEFAULT_TABLE) })
}

impl Visited for Compact {
    fn len(&self) -> u64 {
        self.segments.iter().map(|segment| segment.waiting.next()).sum()
    }

    fn segmentation(&self) -> Segmentation {
        self.common.segmentation
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
        let mut signature = None;
        self.common.h3.digest(state, |places, _| {
            signature = places.first().map(|&place| self.common.records.signature(place));
        });
        signature
    }

    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>> {
        self.shares_of(&self.common.segmentation.ranges(owners))
    }

    fn shares_of(&mut self, ranges: &[Range<usize>]) -> Vec<Box<dyn Share + '_>> {
        let level = self.common.found.get_mut().unwrap_or_else(PoisonError::into_inner).len();
        let small = self.common.small_before(level);
        let (common, owners) = (&self.common, ranges.len());
        let part = |(owned, segments): (&Range<usize>, _)| -> Box<dyn Share + '_> {
            Box::new(CompactShare { common, first: owned.start, segments, level, small, permits: 0, owners })
        };
        ranges.iter().zip(cut(&mut self.segments, 0, ranges)).map(part).collect()
    }

    fn persist(&mut self) -> Option<&mut dyn Persist> {
        self.persistent()
    }

    fn persist_part(&mut self) -> Option<&mut dyn PersistPart> {
        self.persistent_part()
    }

    fn stats(&self) -> Option<Box<dyn SetStats>> {
        let Common { seed, table, probing, records, found, fullest, .. } = &self.common;
        let mut levels = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if *probing == Probing::Ordered {
            levels.push(self.segments.iter().map(Segment::uncounted).sum());
        }
        let regions = table.region_slots().map(|slots| {
            let mut fullest = fullest.lock().unwrap_or_else(PoisonError::into_inner).clone();
            fullest.push(self.segments.iter().map(|segment| segment.waiting.next()).max().unwrap_or(0));
            RegionStats { slots, fullest }
        });
        if regions.is_none() {
            levels.retain(|&states| states > 0);
        }
        Some(Box::new(CompactStats {
            bits: table.bits(),
            slots: table.slots(),
            probing: *probing,
            seed: *seed,
            states: self.len(),
            levels,
            table_bytes: Table::bytes(table.bits(), table.slots()),
            record_bytes: records.len(),
            regions,
        }))
    }
}
