//! Why a command line describes no search.

use crate::refusal::Refusal;
use std::fmt;

/// A command line that describes no search. Its text has all its lines, each with its end.
#[derive(Debug)]
pub enum CommandLineError {
    /// Help was asked for.
    Help(String),
    /// An option that is not there, or a value that it does not have.
    Usage(String),
    /// Options that mean nothing together.
    Refused(Refusal),
}

impl From<Refusal> for CommandLineError {
    fn from(refusal: Refusal) -> Self {
        CommandLineError::Refused(refusal)
    }
}

impl fmt::Display for CommandLineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandLineError::Help(text) | CommandLineError::Usage(text) => out.write_str(text),
            CommandLineError::Refused(refusal) => refusal.fmt(out),
        }
    }
}

impl std::error::Error for CommandLineError {}
