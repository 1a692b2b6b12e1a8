//! The library's public face: a model is read, checked, interpreted, or built and run, and what
//! comes out is data. The command line and the test harness stand on it.
#![deny(missing_docs)]

mod error;
pub mod expectation;
pub mod harness;
mod message;
mod model;
mod stack;
mod verifier;

pub use crate::diagnostics::Severity;
pub use error::Error;
pub use message::{Check, Message, Place};
pub use model::Model;
pub use verifier::Verifier;

pub use stack::STACK_SIZES;
pub(crate) use stack::on_large_stack;
