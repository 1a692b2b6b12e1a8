//! The cache along a path as a plug-in: the searches that it serves.

use super::report::heading;
use super::{Bounded, PathCaching};
use crate::datum::Datum;
use crate::refusal::Refusal;
use crate::visited::Visited;
use crate::visited::plugin::{BuildError, Demand, EXACT_INSTEAD, Feature, Resources, SetPlugin};

impl SetPlugin for PathCaching {
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError> {
        let Demand { description, codec, most, .. } = *demand;
        Ok(Box::new(Bounded::new(description, codec, *self, from.supply.budget().clone(), most)?))
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        match feature {
            Feature::DepthFirst | Feature::SleepSets { .. } | Feature::ShowStates => None,
            Feature::CompressPaths => Some(
                Refusal::of(
                    "--cache",
                    "depth first (-vdfs) with --compress-paths a path would have to remember what it \
                     walked through",
                )
                .instead("breadth first (-vbfs), or a search without --compress-paths"),
            ),
            Feature::Locality => {
                Some(Refusal::of("--locality", "a cache (--cache) evicts states").instead(EXACT_INSTEAD))
            }
        }
    }

    fn heading(&self, demand: &Demand<'_>) -> Vec<String> {
        vec![heading(*self, demand.codec.stored_words())]
    }

    fn options(&self) -> Vec<(&'static str, Datum)> {
        vec![("replace", self.eviction.name().into()), ("seed", self.seed.into())]
    }

    fn evicts(&self) -> bool {
        true
    }
}
