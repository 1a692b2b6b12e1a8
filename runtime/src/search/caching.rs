//! What a search does differently when its visited set forgets.

use super::Ending;
use super::sets::{fixed_segmentation, records_file};
use crate::memory::{MemoryError, counted};
use crate::settings::Settings;
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::{Directory, Storage};
use crate::visited::cache::kept::{Kept, Signatures, States};
use crate::visited::cache::plan::{Plan, TooSmall};
use crate::visited::cache::{Cache, Wanted};
use crate::visited::{Segmentation, Visited};
use std::sync::Arc;

/// How large the cache will be, if the settings ask for one.
pub fn plan(settings: &Settings, codec: &Codec) -> Option<Result<Plan, TooSmall>> {
    plan_in(settings, codec, fixed_segmentation(settings))
}

/// The same for so many segments.
fn plan_in(settings: &Settings, codec: &Codec, segmentation: Segmentation) -> Option<Result<Plan, TooSmall>> {
    let cache = settings.cache?;
    Some(match settings.compaction {
        Some(compaction) => {
            let kept = Signatures::new(codec, compaction.bits, compaction.seed);
            Plan::new(cache.size, &kept, cache.replace, segmentation)
        }
        None => Plan::new(cache.size, &States::new(codec), cache.replace, segmentation),
    })
}

/// An empty cache of that size, if the settings ask for one; in so many segments, if that is
/// settled.
pub fn empty_cache(
    settings: &Settings,
    codec: &Codec,
    supply: &Supply,
    directory: &dyn Directory,
    segmentation: Option<Segmentation>,
) -> Option<Result<Box<dyn Visited>, Ending>> {
    let cache = settings.cache?;
    let wanted = Wanted {
        size: cache.size,
        replace: cache.replace,
        signatures: settings.compaction.map(|compaction| (compaction.bits, compaction.seed)),
        max_collisions: cache.max_collisions,
        most: settings.max_states,
    };
    let plan = match plan_in(settings, codec, segmentation.unwrap_or(fixed_segmentation(settings)))? {
        Ok(plan) => plan,
        Err(TooSmall { bytes, .. }) => {
            return Some(Err(Ending::Internal(format!("the cache has less than {bytes} bytes"))));
        }
    };
    let file = match records_file(directory) {
        Ok(file) => file,
        Err(ending) => return Some(Err(ending)),
    };
    let set = match wanted.signatures {
        Some((bits, seed)) => {
            let signatures = Signatures::new(codec, bits, seed);
            // They stay as long as the budget does.
            let taken = supply.budget().take(counted(signatures.bytes()));
            taken.and_then(|()| boxed(signatures, codec, plan, wanted, file, supply))
        }
        None => boxed(States::new(codec), codec, plan, wanted, file, supply),
    };
    Some(set.map_err(|MemoryError| Ending::Memory))
}

fn boxed<K: Kept + 'static>(
    kept: K,
    codec: &Codec,
    plan: Plan,
    wanted: Wanted,
    file: Arc<dyn Storage>,
    supply: &Supply,
) -> Result<Box<dyn Visited>, MemoryError> {
    Ok(Box::new(Cache::new(kept, codec.stored_words(), plan, wanted, file, supply)?))
}
