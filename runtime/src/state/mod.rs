//! What a state is made of: cells that generated code reads and writes, and the words that engines store.

pub mod cells;
pub mod codec;
pub mod compress;
pub mod hash;
pub mod masks;
mod packing;
mod sorting;
pub mod stride;
pub mod validity;
