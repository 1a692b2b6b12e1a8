//! What the experiments share: a verifier that is built once and run many times, and files that come out in the end.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

pub mod files;
pub mod svg;
pub mod verifier;
