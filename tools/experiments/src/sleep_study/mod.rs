//! What sleep sets leave out, and what a search costs that keeps few states, with and without them:
//! the experiments of the paper on state-space caching (Godefroid, Holzmann and Pirottin).
//!
//! ```text
//! sleep-table ─► table (runs with and without, Table 2)
//! cache-curve ─► curve (runs with smaller and smaller caches, Figs. 4 and 5) ─► svg
//! same-set    ─► same  (runs of all kinds, and compares what they find)
//! ```

pub mod curve;
pub mod same;
pub mod svg;
pub mod table;

use crate::shared::SearchReport;
use serde::Deserialize;

/// A search along a path, and others.
pub type Report = SearchReport<Details>;

/// What is of interest in the report beside what all experiments read.
#[derive(Clone, Debug, Deserialize)]
pub struct Details {
    pub path: Option<Path>,
}

/// What the report says of a search along a path.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Path {
    pub longest_path: u64,
    pub cache: Option<Cache>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Cache {
    pub most_kept: u64,
}
