//! The visited set of a search, and how memory is dealt out for what waits.

use super::Ending;
use super::sampling::sample;
use crate::checkpoint::Saved;
use crate::contract::model::Model;
use crate::settings::Settings;
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::Directory;
use crate::visited::Visited;
use crate::visited::plugin::{BuildError, Demand, Divided, Resources};
use std::sync::Arc;

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

/// The visited set that the settings ask for.
pub fn empty_set(
    model: &dyn Model,
    settings: &Settings,
    codec: &Codec,
    supply: &Supply,
    directory: &Arc<dyn Directory>,
    saved: Option<&Saved>,
    divided: Option<Divided>,
) -> Result<Box<dyn Visited>, Ending> {
    let sample = || sample(model, settings, codec);
    let from = Resources { supply, directory, saved, sample: &sample };
    let demand = Demand { divided, ..settings.demand(model.description(), codec) };
    settings.set.plugin().empty(&demand, &from).map_err(|error| match error {
        BuildError::Resource(error) => error.into(),
        // That should have been refused before.
        BuildError::Refused(refusal) => Ending::Internal(refusal.to_string()),
    })
}
