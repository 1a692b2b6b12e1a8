//! What can be known about a typed model without running it.

pub mod failure;
pub mod guards;
pub mod hoisting;
pub mod independence;
pub mod interval;
pub mod lints;
pub mod locals;
pub mod recheck;
pub mod signs;
pub mod size;
pub mod symmetry;
pub mod writing;
