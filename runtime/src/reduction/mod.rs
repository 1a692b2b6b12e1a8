//! Symmetry reduction: states that differ only in the identities of scalarset elements, or in the
//! order of a multiset, have one canonical form.

pub(crate) mod canonical;
pub(crate) mod extent;
pub(crate) mod form;
pub(crate) mod tables;
mod usual;
pub(crate) mod variants;
