//! The compact set as a plug-in: its configuration, and the searches that it serves.

use super::{Compact, CompactWanted, Probing};
use crate::datum::Datum;
use crate::refusal::Refusal;
use crate::visited::plugin::{
    BuildError, Demand, EXACT_INSTEAD, Feature, Files, Resources, SetPlugin, many_segments,
};
use crate::visited::signatures::SignatureConfig;
use crate::visited::{Segmentation, Visited};

/// How signatures are kept in a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompactConfig {
    pub signatures: SignatureConfig,
    /// Slots of the table, at least; `None`: as many as fit into the memory.
    pub slots: Option<u64>,
    /// Depth first, a state is looked for in at most this number of slots.
    pub probes: u64,
    /// Whether the limit of the memory was set by the user, so that all of it may be used.
    pub all_memory: bool,
}

impl CompactConfig {
    fn probing(&self, demand: &Demand<'_>) -> Probing {
        if demand.by_levels { Probing::Ordered } else { Probing::Limited(self.probes) }
    }
}

fn segmentation(demand: &Demand<'_>) -> Segmentation {
    if let Some(divided) = demand.divided {
        return divided.segmentation;
    }
    match demand.threads {
        // Each segment has a queue: with few of them blocks are longer, and neighbours have more in
        // common.
        _ if demand.queue_on_disk => demand.few_segments(),
        // Whoever goes on with it may have more threads.
        1 if demand.is_saved => many_segments(1, demand.memory),
        _ => demand.fixed_segmentation(),
    }
}

impl SetPlugin for CompactConfig {
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError> {
        let wanted = CompactWanted {
            bits: self.signatures.bits,
            probing: self.probing(demand),
            slots: from.saved.and_then(|saved| saved.fact("slots")).or(self.slots),
            all_memory: self.all_memory,
            seed: self.signatures.seed,
            divided: demand.divided,
            region_slots: from.saved.and_then(|saved| saved.fact("region_slots")),
            compared: demand.compared(),
        };
        let segmentation = from.saved_segmentation().unwrap_or_else(|| segmentation(demand));
        let file = from.records_file()?;
        Ok(Box::new(Compact::new(demand.codec, wanted, segmentation, file, from.supply, demand.most)?))
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        match feature {
            Feature::DepthFirst | Feature::CompressPaths | Feature::ShowStates => None,
            Feature::SleepSets { depth_first: false } => None,
            Feature::SleepSets { depth_first: true } => Some(
                Refusal::of(
                    "--sleep",
                    "depth first, hash compaction (-c) may take a state for another, and then rules \
                     would sleep that were never explored",
                )
                .instead(
                    "breadth first (-vbfs), or an exact search, packed to the bit (-b) where memory is short",
                ),
            ),
            Feature::Locality => {
                let why = "hash compaction (-c) stores signatures instead of states";
                Some(Refusal::of("--locality", why).instead(EXACT_INSTEAD))
            }
        }
    }

    fn heading(&self, demand: &Demand<'_>) -> Vec<String> {
        let probes = match self.probing(demand) {
            Probing::Ordered => None,
            Probing::Limited(probes) => Some(probes),
        };
        vec![self.signatures.heading(probes, false)]
    }

    fn options(&self) -> Vec<(&'static str, Datum)> {
        self.signatures.options().into()
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        self.signatures.identity(self.slots).into()
    }

    fn files(&self) -> Files {
        Files::Shared
    }

    fn signatures(&self) -> Option<&SignatureConfig> {
        Some(&self.signatures)
    }

    fn signatures_mut(&mut self) -> Option<&mut SignatureConfig> {
        Some(&mut self.signatures)
    }
}
