//! The tree-compressed set as a plug-in: the searches that it serves, and how it is made.

use super::Tree;
use crate::datum::Datum;
use crate::refusal::Refusal;
use crate::visited::Visited;
use crate::visited::plugin::{
    BuildError, Demand, EXACT_INSTEAD, Feature, Files, Resources, SetPlugin, many_segments,
};

/// States are kept as trees of shared parts; there is nothing to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeConfig;

impl SetPlugin for TreeConfig {
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError> {
        let undivided = || many_segments(demand.threads, demand.memory);
        let own = demand.own(|| from.saved_segmentation().unwrap_or_else(undivided));
        let file = from.records_file()?;
        let sample = (from.sample)();
        Ok(Box::new(Tree::new(demand, &sample, own, file, from.supply)?))
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        match feature {
            Feature::DepthFirst | Feature::CompressPaths | Feature::ShowStates => None,
            Feature::SleepSets { depth_first: false } => None,
            Feature::SleepSets { depth_first: true } => Some(
                Refusal::of(
                    "--sleep",
                    "depth first, sleep sets need states that stay in their places, and those of a tree \
                     (--tree) do not",
                )
                .instead("--sleep breadth first (-vbfs), or a search without --tree"),
            ),
            Feature::Locality => {
                let why = "a tree (--tree) cannot be asked where a state is";
                Some(Refusal::of("--locality", why).instead(EXACT_INSTEAD))
            }
        }
    }

    fn heading(&self, _: &Demand<'_>) -> Vec<String> {
        vec!["Tree compression: states are stored exactly, as trees of shared parts".to_owned()]
    }

    fn options(&self) -> Vec<(&'static str, Datum)> {
        vec![("tree", true.into())]
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        vec![("tree", "on".to_owned())]
    }

    fn files(&self) -> Files {
        Files::Shared
    }
}
