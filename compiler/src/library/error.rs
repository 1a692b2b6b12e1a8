//! Why there is no report.

use std::fmt;
use std::io;

use mcc_runtime::embedding::VerifyError;

use super::message::Message;
use crate::diagnostics::Severity;
use crate::package::Failure;

/// Why a model could not be read, checked, built or run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The model cannot be read: the reason.
    Unreadable(String),
    /// The model is wrong: everything that was found.
    Wrong(Vec<Message>),
    /// No verifier could be built: the reason, what to do about it, and what cargo said.
    Build {
        /// What is wrong.
        message: String,
        /// What to do about it, where that is known.
        help: Option<String>,
        /// What cargo said, where it explains the failure.
        transcript: Option<String>,
    },
    /// The verifier could not be started.
    Start(io::Error),
    /// The verifier ended without a verdict that can be believed.
    NoVerdict(String),
    /// The verifier refused its options, or its report cannot be read.
    Verify(VerifyError),
    /// What was asked for cannot be done with this model: the reason.
    Refused(String),
    /// The caller cancelled it.
    Cancelled,
    /// A bug of mcc.
    Internal(String),
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable(reason) => write!(to, "{reason}"),
            Error::Wrong(messages) => {
                let mut errors = messages.iter().filter(|one| one.severity == Severity::Error);
                match (errors.next(), errors.count()) {
                    (Some(first), 0) => write!(to, "{first}"),
                    (Some(first), more) => write!(to, "{first} (and {more} more)"),
                    (None, _) => write!(to, "the model is wrong"),
                }
            }
            Error::Build { message, .. } => write!(to, "{message}"),
            Error::Start(error) => write!(to, "the verifier cannot be started: {error}"),
            Error::NoVerdict(how) => write!(to, "the verifier came to no verdict: {how}"),
            Error::Verify(error) => write!(to, "{error}"),
            Error::Refused(reason) => write!(to, "{reason}"),
            Error::Cancelled => write!(to, "cancelled"),
            Error::Internal(message) => write!(to, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Start(error) => Some(error),
            Error::Verify(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Build {
            message: failure.to_string(),
            help: failure.help(),
            transcript: failure.transcript().cloned(),
        }
    }
}

impl From<VerifyError> for Error {
    fn from(error: VerifyError) -> Error {
        Error::Verify(error)
    }
}
