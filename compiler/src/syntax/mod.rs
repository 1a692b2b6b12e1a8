//! Model text in, syntax tree out.

pub mod span;
pub mod tree;
