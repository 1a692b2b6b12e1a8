//! Hashes of states: one for tables, the universal functions behind signatures, and an estimate of
//! how many different ones there were.

pub(crate) mod distinct;
pub(crate) mod h3;
pub(crate) mod signature;
pub(crate) mod words;
