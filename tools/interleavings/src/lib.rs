//! The concurrent parts of the runtime under loom.
//!
//! `tests/` includes the very files of the runtime that threads share
//! (`runtime/src/search/together/`, the filling of a table in
//! `runtime/src/visited/compact/filling.rs`, and the numbers of pairs in
//! `runtime/src/visited/tree/` (pairs.rs, places.rs and chunks.rs), with loom's
//! atomics, locks and cells in the place of the standard library's, and runs them in every order
//! that the memory model allows. A data race, a lost wake-up or a deadlock in any of them fails the
//! test.
//!
//! ```text
//! cargo test --release -p mcc-interleavings
//! ```
