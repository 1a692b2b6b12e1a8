//! How much slower a search is whose visited states are on disk, with less and less memory for
//! them: Figures 3 and 4 of the paper on magnetic disk.

pub mod figures;
pub mod measure;
pub mod svg;
pub mod table;
