//! Partners that are threads of one process ([`super::partners`]): how they send states to their
//! owners ([`channels`], over a [`ring`] from each thread to each other one), and where they agree
//! ([`meeting`]).
//!
//! Nothing else is shared: each thread has its own segments of the visited set, its own part of the
//! frontier and its own counters, by exclusive borrow. So there are no data races but those that
//! these three files could have, and they run under loom (see the crate `interleavings`).

pub(crate) mod bell;
pub(crate) mod channels;
pub(crate) mod meeting;
pub(crate) mod ring;
