//! What can be known about a typed model without running it.

pub mod interval;
