//! What can be known about a typed model without running it.

pub(crate) mod advice;
mod calls;
pub(crate) mod checks;
pub(crate) mod failure;
pub(crate) mod guards;
pub(crate) mod hoisting;
pub mod independence;
pub(crate) mod interval;
pub(crate) mod lints;
pub(crate) mod locals;
pub(crate) mod reach;
pub mod recheck;
pub(crate) mod signs;
pub(crate) mod size;
mod slots;
pub mod symmetry;
mod undefined;
pub(crate) mod writing;
