//! Model text in, syntax tree out.

pub mod definitions;
mod outline;
mod parser;
mod scan;
pub mod tree;
mod words;

pub use parser::{parse, recover};
