//! How often hash compaction misses a state, beside the bound: Figures 3 to 5 of Stern and Dill's
//! paper.

mod confidence;
pub mod figures;
pub mod measure;
pub mod svg;
