//! What a search does differently when its visited set is on disk.

use super::Ending;
use super::sets::{fixed_segmentation, records_file};
use crate::memory::{MemoryError, counted};
use crate::settings::Settings;
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::Directory;
use crate::visited::disk::identity::{Identity, Signed, Whole};
use crate::visited::disk::plan::Plan;
use crate::visited::disk::{DiskSet, Wanted};
use crate::visited::{Segmentation, Visited};
use std::sync::Arc;

/// Each segment has tables, buffers and queues of its own, so there are as few as there are
/// threads, if that divides them evenly.
fn segmentation(settings: &Settings) -> Segmentation {
    match settings.threads_in_use() {
        threads if threads.is_power_of_two() => Segmentation::new(threads.ilog2()),
        _ => fixed_segmentation(settings),
    }
}

/// How the memory of the table will be divided, if the settings ask for one on disk.
pub fn plan(settings: &Settings, codec: &Codec) -> Option<Plan> {
    let disk = settings.disk?;
    let segmentation = segmentation(settings);
    Some(match settings.compaction {
        Some(compaction) => {
            let signed = Signed::new(codec, compaction.bits, compaction.seed);
            Plan::new(&signed, disk.memory, disk.plain, segmentation)
        }
        None => Plan::new(&Whole::new(codec), disk.memory, disk.plain, segmentation),
    })
}

/// An empty set on disk, if the settings ask for one: with so many segments, if they are known
/// already.
pub fn empty_disk_set(
    settings: &Settings,
    codec: &Codec,
    supply: &Supply,
    directory: &Arc<dyn Directory>,
    segments: Option<Segmentation>,
) -> Option<Result<Box<dyn Visited>, Ending>> {
    settings.disk?;
    let segments = segments.unwrap_or_else(|| segmentation(settings));
    Some(match settings.compaction {
        Some(compaction) => {
            let signed = Signed::new(codec, compaction.bits, compaction.seed);
            // They stay as long as the budget does.
            if supply.budget().take(counted(signed.bytes())).is_err() {
                return Some(Err(Ending::Memory));
            }
            boxed(signed, settings, codec, supply, directory, segments)
        }
        None => boxed(Whole::new(codec), settings, codec, supply, directory, segments),
    })
}

fn boxed<I: Identity + 'static>(
    identity: I,
    settings: &Settings,
    codec: &Codec,
    supply: &Supply,
    directory: &Arc<dyn Directory>,
    segments: Segmentation,
) -> Result<Box<dyn Visited>, Ending> {
    let Some(disk) = settings.disk else { return Err(Ending::Memory) };
    let plan = Plan::new(&identity, disk.memory, disk.plain, segments);
    let wanted = Wanted { plain: disk.plain, most: settings.max_states };
    let file = records_file(&**directory)?;
    let set = DiskSet::new(identity, codec.stored_words(), plan, wanted, directory.clone(), file, supply);
    set.map(|set| Box::new(set) as Box<dyn Visited>).map_err(|MemoryError| Ending::Memory)
}
