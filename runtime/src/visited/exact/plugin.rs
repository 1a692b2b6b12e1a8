//! The exact set as a plug-in: it serves every search, and there is nothing to choose.

use crate::refusal::Refusal;
use crate::visited::plugin::{BuildError, Demand, Feature, Resources, SetPlugin};
use crate::visited::{Visited, exact};

/// All states, in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactConfig;

impl SetPlugin for ExactConfig {
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError> {
        Ok(exact(demand.codec, from.supply.budget(), demand.most)?)
    }

    fn refuses(&self, _: Feature) -> Option<Refusal> {
        None
    }
}
