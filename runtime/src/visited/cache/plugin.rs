//! The cache as a plug-in: its configuration, its size for a model, and the searches that it
//! serves.

use super::kept::{Kept, Signatures, States};
use super::plan::{Plan, Size, TooSmall};
use super::report::heading;
use super::sets::Replace;
use super::{Cache, CacheWanted};
use crate::datum::Datum;
use crate::memory::counted;
use crate::refusal::Refusal;
use crate::text::plural;
use crate::visited::plugin::{BuildError, Demand, EXACT_INSTEAD, Feature, Files, Resources, SetPlugin};
use crate::visited::signatures::SignatureConfig;
use crate::visited::{Own, Visited};

/// How states are evicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheConfig {
    pub size: Size,
    pub replace: Replace,
    /// The search ends when more than this part of the states stored evicted another one.
    pub max_collisions: Option<f64>,
    /// Signatures are kept instead of states.
    pub signatures: Option<SignatureConfig>,
}

impl CacheConfig {
    /// How large the cache will be.
    fn plan(&self, demand: &Demand<'_>, own: Own) -> Result<Plan, Refusal> {
        let plan = |size| match self.signatures {
            Some(SignatureConfig { bits, seed, .. }) => {
                Plan::new(size, &Signatures::new(demand.codec, bits, seed), self.replace, own)
            }
            None => Plan::new(size, &States::new(demand.codec), self.replace, own),
        };
        match (plan(self.size), demand.divided) {
            // How many segments a process has follows from all of them: then it is as small as it
            // can be.
            (Err(TooSmall { states, .. }), Some(_)) => plan(Size::States(states)).map_err(too_small),
            (plan, _) => plan.map_err(too_small),
        }
    }

    fn built<K: Kept + 'static>(
        &self,
        kept: K,
        plan: Plan,
        demand: &Demand<'_>,
        from: &Resources<'_>,
    ) -> Result<Box<dyn Visited>, BuildError> {
        let wanted = CacheWanted {
            size: self.size,
            replace: self.replace,
            signatures: self.signatures.map(|signatures| (signatures.bits, signatures.seed)),
            max_collisions: self.max_collisions,
            most: demand.most,
            compared: demand.compared(),
        };
        let (words, file) = (demand.codec.stored_words(), from.records_file()?);
        Ok(Box::new(Cache::new(kept, words, plan, wanted, file, from.supply)?))
    }
}

fn too_small(TooSmall { bytes, states }: TooSmall) -> Refusal {
    let room = plural(states, "state");
    let why = format!("too small: there must be room for {room} of this model");
    Refusal::of("--cache", why).instead(format!(
        "--cache {bytes}B or more, or --cache-states {states}, or --threads 1, which needs fewest"
    ))
}

impl SetPlugin for CacheConfig {
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError> {
        let own = demand.own(|| from.saved_segmentation().unwrap_or_else(|| demand.fixed_segmentation()));
        let plan = self.plan(demand, own)?;
        match self.signatures {
            Some(SignatureConfig { bits, seed, .. }) => {
                let signatures = Signatures::new(demand.codec, bits, seed);
                // They stay as long as the budget does.
                from.supply.budget().take(counted(signatures.bytes()))?;
                self.built(signatures, plan, demand, from)
            }
            None => self.built(States::new(demand.codec), plan, demand, from),
        }
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        match feature {
            // Depth first there is another one, beside the path.
            Feature::DepthFirst => {
                let why = "depth first (-vdfs) a cache is beside a path";
                Some(Refusal::of("--cache", why).instead("breadth first (-vbfs)"))
            }
            Feature::SleepSets { .. } | Feature::CompressPaths | Feature::ShowStates => None,
            Feature::Locality => {
                let why = match self.signatures {
                    Some(_) => "hash compaction (-c) stores signatures instead of states",
                    None => "a cache (--cache) evicts states",
                };
                Some(Refusal::of("--locality", why).instead(EXACT_INSTEAD))
            }
        }
    }

    fn check(&self, demand: &Demand<'_>) -> Result<(), Refusal> {
        self.plan(demand, demand.own(|| demand.fixed_segmentation())).map(drop)
    }

    fn heading(&self, demand: &Demand<'_>) -> Vec<String> {
        let plan = self.plan(demand, demand.own(|| demand.fixed_segmentation())).ok();
        let signatures = self.signatures.map(|signatures| signatures.heading(None, false));
        signatures.into_iter().chain(plan.map(|plan| heading(self.replace, plan))).collect()
    }

    fn options(&self) -> Vec<(&'static str, Datum)> {
        let own = [
            ("replace", self.replace.name().into()),
            ("max_collisions", self.max_collisions.unwrap_or(0.0).into()),
        ];
        own.into_iter().chain(self.signatures.iter().flat_map(SignatureConfig::options)).collect()
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        let size = match self.size {
            Size::Bytes(bytes) => format!("{bytes} bytes"),
            Size::States(states) => format!("{states} states"),
        };
        let own = [("--cache", size), ("--replace", self.replace.name().to_owned())];
        own.into_iter().chain(self.signatures.iter().flat_map(|signed| signed.identity(None))).collect()
    }

    fn evicts(&self) -> bool {
        true
    }

    fn files(&self) -> Files {
        Files::Shared
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
