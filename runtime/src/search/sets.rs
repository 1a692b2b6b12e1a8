//! Which visited set a search uses, in how many segments, and how its memory is dealt out.

use super::Ending;
use super::caching::empty_cache;
use super::disk_set::empty_disk_set;
use super::saving;
use crate::checkpoint::Saved;
use crate::contract::model::Description;
use crate::memory::MemoryError;
use crate::settings::{Order, Settings};
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::{Directory, Operation, Purpose, Storage, StorageError};
use crate::visited::bounded::Bounded;
use crate::visited::compact::{Compact, Probing, Wanted};
use crate::visited::{self, Segmentation, Visited};
use std::sync::Arc;

/// Segments of a set that is no longer small: `1 << SEGMENT_BITS` …
const SEGMENT_BITS: u32 = 4;
/// … or about so many for each thread.
const SEGMENTS_EACH: usize = 8;
/// … or one for this much memory. A state takes eight bytes at least, so there are at most 2^28 in
/// a segment, whose table then still has bits for tags.
const SEGMENT_BYTES: u64 = 1 << 31;
/// The number of a segment has two bytes.
const MOST_BITS: u32 = 16;

/// A set for many states, if they are to be found by so many threads in this much memory.
pub fn many_segments(threads: usize, memory: u64) -> Segmentation {
    let bits = (threads * SEGMENTS_EACH).next_power_of_two().ilog2();
    let large = (memory / SEGMENT_BYTES).next_power_of_two().ilog2();
    Segmentation::new(bits.max(large).clamp(SEGMENT_BITS, MOST_BITS))
}

/// Of the memory for what waits, a quarter is for the frontier; the rest is for whole states, where
/// they wait. Each thread has a frontier of its own, and there is one more from which they come and
/// to which they go.
pub fn frontier_supply(settings: &Settings, supply: &Supply) -> Supply {
    let frontiers = match settings.threads_in_use() {
        1 => 1,
        threads => threads as u64 + 1,
    };
    supply.part(1, 4 * frontiers)
}

/// The segments of a set that cannot be spread later.
pub fn fixed_segmentation(settings: &Settings) -> Segmentation {
    match settings.threads_in_use() {
        1 => Segmentation::new(0),
        threads => many_segments(threads, settings.memory),
    }
}

/// The visited set that the settings ask for.
pub fn empty_set(
    description: &Description,
    settings: &Settings,
    codec: &Codec,
    supply: &Supply,
    directory: &Arc<dyn Directory>,
    saved: Option<&Saved>,
) -> Result<Box<dyn Visited>, Ending> {
    let segmentation = saved.and_then(saving::segmentation_of);
    if let Some(set) = empty_disk_set(settings, codec, supply, directory, segmentation) {
        return set;
    }
    if let Some(cache) = empty_cache(settings, codec, supply, &**directory, segmentation) {
        return cache;
    }
    if let Some(wanted) = settings.path_cache {
        let set = Bounded::new(description, codec, wanted, supply.budget().clone(), settings.max_states);
        return set.map(|set| Box::new(set) as Box<dyn Visited>).map_err(|MemoryError| Ending::Memory);
    }
    let Some(compaction) = settings.compaction else {
        let set = visited::exact(codec, supply.budget(), settings.max_states);
        return set.map_err(|MemoryError| Ending::Memory);
    };
    let segmentation = segmentation.unwrap_or(match (settings.threads_in_use(), settings.queue_memory) {
        // Each segment has a queue: with few of them blocks are longer, and neighbours have more in
        // common.
        (threads, Some(_)) if threads.is_power_of_two() => Segmentation::new(threads.ilog2()),
        // Whoever goes on with it may have more threads.
        (1, None) if settings.checkpoints.is_some() => many_segments(1, settings.memory),
        _ => fixed_segmentation(settings),
    });
    let wanted = Wanted {
        bits: compaction.bits,
        probing: match settings.order {
            Order::BreadthFirst => Probing::Ordered,
            Order::DepthFirst => Probing::Limited(compaction.probes),
        },
        slots: saved.and_then(|saved| saved.fact("slots")).or(compaction.slots),
        all_memory: compaction.all_memory,
        seed: compaction.seed,
    };
    let file = records_file(&**directory)?;
    let set = Compact::new(codec, wanted, segmentation, file, supply, settings.max_states);
    set.map(|set| Box::new(set) as Box<dyn Visited>).map_err(|MemoryError| Ending::Memory)
}

/// A file for the records behind traces, where states are not kept.
pub fn records_file(directory: &dyn Directory) -> Result<Arc<dyn Storage>, Ending> {
    let failed = |error| Ending::Disk(StorageError::new(Purpose::Records, Operation::Create, &error));
    directory.create().map_err(failed)
}
