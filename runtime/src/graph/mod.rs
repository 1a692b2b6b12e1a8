//! The graph of a model for other programs: `--graph`, and `mcc graph`.
//!
//! [`form`] prints states and labelled transitions in one of three forms. [`pass`] goes over what a
//! search has explored, so the graph is that of the search: without a reduction that would make
//! another one of it, which the command line refuses, and only if the search is complete.

pub mod form;
mod pass;

pub use pass::write;

use std::fmt;

/// Why the graph of a search is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// The search was not complete.
    Incomplete,
    /// States that break a property were not expanded.
    Unexpanded,
    /// The visited set does not keep its states.
    Unkept,
    /// There are more states than the limit.
    TooLarge {
        states: u64,
        limit: u64,
    },
    /// The number of bytes that it would take; there are fewer.
    Memory(u64),
    Interrupted,
    /// Going over the states again leads to others.
    Contradiction,
}

impl fmt::Display for GraphError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::Incomplete => {
                out.write_str("the search did not come to its end (`mcc graph` stops at no error)")
            }
            GraphError::Unexpanded => out
                .write_str("states that break a property were not expanded (`mcc graph` does not check any)"),
            GraphError::Unkept => out.write_str("the states are not kept"),
            GraphError::TooLarge { states, limit } => {
                write!(out, "there are {states} states, and the limit is {limit} (--graph-limit)")
            }
            GraphError::Memory(bytes) => {
                write!(out, "it needs {bytes} bytes beside the states, and there is less memory")
            }
            GraphError::Interrupted => out.write_str("it was interrupted"),
            GraphError::Contradiction => {
                out.write_str("going over the states again led to others, which is a mistake in the verifier")
            }
        }
    }
}

impl std::error::Error for GraphError {}
