//! Model text in, syntax tree out.

pub(crate) mod concrete;
pub mod definitions;
pub(crate) mod keywords;
mod outline;
mod parser;
pub(crate) mod scan;
pub mod tree;
pub(crate) mod words;

pub use parser::{parse, parse_expression, recover};
