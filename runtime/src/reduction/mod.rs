//! Symmetry reduction: states that differ only in the identities of scalarset elements, or in the
//! order of a multiset, have one canonical form.

pub mod canonical;
pub mod extent;
pub mod form;
pub mod tables;
mod usual;
pub mod variants;
