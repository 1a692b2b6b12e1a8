//! The words that engines store of a state: byte-aligned or packed to the bit.

pub(crate) mod codec;
pub(crate) mod compress;
pub(crate) mod masks;
mod packing;
pub(crate) mod stride;
pub(crate) mod validity;
