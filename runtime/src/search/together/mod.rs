//! What the threads of one search share: ways to send states to their owners, and a place to agree.
//!
//! Nothing else is shared: each thread has its own segments of the visited set, its own part of the
//! frontier and its own counters, by exclusive borrow. So there are no data races but those that
//! these three files could have, and they run under loom (see the crate `interleavings`).

pub mod bell;
pub mod meeting;
pub mod post;
pub mod ring;
