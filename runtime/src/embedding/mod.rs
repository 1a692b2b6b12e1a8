//! A model inside another program: searched in this process, with options as a value and the report
//! as data.
//!
//! ```no_run
//! # fn example(model: &dyn mcc_runtime::model::Model) -> Result<(), mcc_runtime::embedding::VerifyError> {
//! use mcc_runtime::embedding::{Options, Verdict, verify};
//!
//! let report = verify(model, &Options::new().packed().threads(2))?;
//! assert_eq!(report.verdict, Verdict::Verified);
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs)]

mod listening;
mod options;
mod report;
mod value;
mod walk;

pub use listening::{Listener, Progress};
pub use options::{Cancellation, Options};
pub use report::{ErrorReport, ModelReport, PropertyReport, Report, RuleReport, Step, Verdict};
pub use value::{State, Value};
pub use walk::{Graph, Move, TooLarge, Walker};

use crate::contract::context::RECURSION_LIMIT;
use crate::contract::model::Model;
use crate::contract::stack;
use crate::report::console::Console;
use std::ffi::OsString;
use std::fmt;

/// Why there is no report.
#[derive(Debug)]
#[non_exhaustive]
pub enum VerifyError {
    /// The options do not fit together or do not fit the model; what the verifier says about it.
    Refused(String),
    /// There is a report, but not one that can be read.
    Unreadable(serde_json::Error),
}

impl fmt::Display for VerifyError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Refused(message) => write!(to, "{message}"),
            VerifyError::Unreadable(error) => write!(to, "the report cannot be read: {error}"),
        }
    }
}

impl std::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            VerifyError::Refused(_) => None,
            VerifyError::Unreadable(error) => Some(error),
        }
    }
}

/// Searches a model in this process. Nothing is printed; what is found is in the report.
pub fn verify(model: &dyn Model, options: &Options) -> Result<Report, VerifyError> {
    let arguments: Vec<OsString> =
        std::iter::once(OsString::from(model.description().name)).chain(options.arguments()).collect();
    let (document, said) = stack::with_room(model.stack_use(), RECURSION_LIMIT, &|| {
        let mut document = Vec::new();
        let mut listener = options.listener();
        let console = Console {
            out: &mut document,
            err: &mut listener,
            out_is_terminal: false,
            err_is_terminal: false,
        };
        crate::run::run(model, arguments.iter().cloned(), console, options.interruption());
        (document, listener.said())
    });
    read(&document, said)
}

/// The report that a verifier wrote to standard output; without one, what it said reports why.
pub fn read(document: &[u8], said: String) -> Result<Report, VerifyError> {
    if document.is_empty() {
        let message = said.trim().trim_start_matches("error: ").to_owned();
        return Err(VerifyError::Refused(message));
    }
    Report::from_json(document).map_err(VerifyError::Unreadable)
}
