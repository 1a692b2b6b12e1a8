//! The text of a model, and places in it: what every other part of the compiler may refer to.

mod definition;
mod span;

pub use definition::{Definition, DefinitionError};
pub use span::{Position, Source, Span};
