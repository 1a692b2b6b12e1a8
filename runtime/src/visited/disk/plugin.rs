//! The set on disk as a plug-in: its configuration, and the searches that it serves.

use super::identity::{Identity, Signed, Whole};
use super::plan::Plan;
use super::report::heading;
use super::{DiskSet, DiskWanted};
use crate::datum::Datum;
use crate::memory::counted;
use crate::refusal::Refusal;
use crate::visited::plugin::{BuildError, Demand, EXACT_INSTEAD, Feature, Files, Resources, SetPlugin};
use crate::visited::signatures::SignatureConfig;
use crate::visited::{Own, Visited};

/// How what was visited is kept on disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskConfig {
    /// Bytes of memory for the table.
    pub memory: u64,
    /// As in the paper: one table, in the order of the search, and nothing in memory but
    /// candidates.
    pub plain: bool,
    /// Signatures are kept instead of states.
    pub signatures: Option<SignatureConfig>,
}

impl DiskConfig {
    fn plan<I: Identity>(&self, identity: &I, own: Own) -> Plan {
        Plan::new(identity, self.memory, self.plain, own)
    }

    fn built<I: Identity + 'static>(
        &self,
        identity: I,
        demand: &Demand<'_>,
        from: &Resources<'_>,
    ) -> Result<Box<dyn Visited>, BuildError> {
        let own = demand.own(|| from.saved_segmentation().unwrap_or_else(|| demand.few_segments()));
        let plan = self.plan(&identity, own);
        let wanted = DiskWanted { plain: self.plain, most: demand.most, compared: demand.compared() };
        let (words, file) = (demand.codec.stored_words(), from.records_file()?);
        let set = DiskSet::new(identity, words, plan, wanted, from.directory.clone(), file, from.supply)?;
        Ok(Box::new(set))
    }
}

impl SetPlugin for DiskConfig {
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError> {
        match self.signatures {
            Some(SignatureConfig { bits, seed, .. }) => {
                let signed = Signed::new(demand.codec, bits, seed);
                // They stay as long as the budget does.
                from.supply.budget().take(counted(signed.bytes()))?;
                self.built(signed, demand, from)
            }
            None => self.built(Whole::new(demand.codec), demand, from),
        }
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        Some(match feature {
            Feature::DepthFirst => Refusal::of(
                "--disk",
                "depth first (-vdfs) there are no levels, of which all states could be checked at once",
            )
            .instead("breadth first (-vbfs)"),
            Feature::ShowStates => Refusal::of(
                "--disk",
                "states are shown when they are found (--show-states, -ta), and it is found out \
                 later which are new",
            )
            .instead("without --disk, or without --show-states"),
            Feature::SleepSets { .. } => Refusal::of(
                "--sleep",
                "with --disk it is found out later which states are new, and for which of them \
                 rules may sleep",
            )
            .instead("one of the two"),
            Feature::CompressPaths => Refusal::of(
                "--disk",
                "with --compress-paths a state is walked on from when it is found, and here it is \
                 found out later which are new",
            )
            .instead("one of the two"),
            Feature::Locality => {
                let why = match self.signatures {
                    Some(_) => "hash compaction (-c) stores signatures instead of states",
                    None => "a set on disk (--disk) cannot be asked for one state",
                };
                Refusal::of("--locality", why).instead(EXACT_INSTEAD)
            }
        })
    }

    fn heading(&self, demand: &Demand<'_>) -> Vec<String> {
        let own = demand.own(|| demand.few_segments());
        let plan = match self.signatures {
            Some(SignatureConfig { bits, seed, .. }) => {
                self.plan(&Signed::new(demand.codec, bits, seed), own)
            }
            None => self.plan(&Whole::new(demand.codec), own),
        };
        let signatures = self.signatures.map(|signatures| signatures.heading(None, true));
        signatures.into_iter().chain([heading(demand.directory, self.plain, &plan)]).collect()
    }

    fn options(&self) -> Vec<(&'static str, Datum)> {
        let own = [("table_memory_bytes", self.memory.into()), ("disk_plain", self.plain.into())];
        own.into_iter().chain(self.signatures.iter().flat_map(SignatureConfig::options)).collect()
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        let plain = if self.plain { "on" } else { "off" };
        let own = [("--disk", "on".to_owned()), ("--disk-plain", plain.to_owned())];
        own.into_iter().chain(self.signatures.iter().flat_map(|signed| signed.identity(None))).collect()
    }

    fn files(&self) -> Files {
        Files::Own("--disk")
    }

    fn has_large_segments(&self) -> bool {
        true
    }

    fn signatures(&self) -> Option<&SignatureConfig> {
        self.signatures.as_ref()
    }

    fn signatures_mut(&mut self) -> Option<&mut SignatureConfig> {
        self.signatures.as_mut()
    }
}
