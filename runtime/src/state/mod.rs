//! The words that engines store of a state: byte-aligned or packed to the bit.

pub mod codec;
pub mod compress;
pub mod masks;
mod packing;
pub mod stride;
pub mod validity;
