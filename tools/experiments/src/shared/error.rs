//! Why an experiment did not come to its end.

use std::fmt;

/// A reason in words: what the reader can do about it depends on the model and the options alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentError(String);

impl fmt::Display for ExperimentError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ExperimentError {}

impl From<String> for ExperimentError {
    fn from(message: String) -> Self {
        ExperimentError(message)
    }
}

impl From<&str> for ExperimentError {
    fn from(message: &str) -> Self {
        ExperimentError(message.to_owned())
    }
}

impl From<std::io::Error> for ExperimentError {
    fn from(error: std::io::Error) -> Self {
        ExperimentError(error.to_string())
    }
}

impl From<serde_json::Error> for ExperimentError {
    fn from(error: serde_json::Error) -> Self {
        ExperimentError(error.to_string())
    }
}
