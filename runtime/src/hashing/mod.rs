//! Hashes of states: one for tables, and the universal functions behind signatures.

pub mod h3;
pub mod signature;
pub mod words;
