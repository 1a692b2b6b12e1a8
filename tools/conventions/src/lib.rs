//! Conventions for comments and pages that rustfmt and clippy cannot check.
//!
//! ```text
//! files ─► prose (comments of Rust, paragraphs of Markdown) ─► width, words ─► ratchet
//!      └─► links, paths ───────────────────────────────────────────────────────┘
//! ```
//! What broke a convention when the check was introduced is counted in `ratchet.txt`, for each
//! folder; the counts may fall and must not rise.

pub mod checks;
pub mod files;
pub mod prose;
pub mod ratchet;
mod rust;
mod words;
