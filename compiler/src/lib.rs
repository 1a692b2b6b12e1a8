//! The compiler: model text in, a Rust crate out. Data flows down this list and never back up.

pub mod diagnostics;
pub mod semantics;
pub mod syntax;
