//! The compiler: model text in, a Rust crate out. Data flows down this list and never back up.

pub mod analysis;
pub mod codegen;
pub mod diagnostics;
pub mod layout;
pub mod semantics;
pub mod syntax;
