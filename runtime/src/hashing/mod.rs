//! Hashes of states: one for tables, and the universal functions behind signatures.

pub(crate) mod h3;
pub(crate) mod signature;
pub(crate) mod words;
