//! What it costs to keep fewer and fewer states in a cache: Figures 4 to 6 of the paper on
//! transition locality.

pub mod figures;
pub mod measure;
pub mod svg;
pub mod table;
