//! From the values of a trace to the types of a generated module.

use mcc_runtime::embedding::Value;
use std::fmt;

/// A type of a generated module.
pub trait Decode: Sized {
    /// Reads a value of a trace.
    fn decode(value: &Value) -> Result<Self, DecodeError>;
}

/// A value does not have the type that the model gives it: the trace is of another model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    found: String,
    expected: &'static str,
}

impl DecodeError {
    /// For generated code.
    pub fn new(found: &Value, expected: &'static str) -> DecodeError {
        DecodeError { found: found.to_string(), expected }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "`{}` is no {}", self.found, self.expected)
    }
}

impl std::error::Error for DecodeError {}

impl Decode for bool {
    fn decode(value: &Value) -> Result<bool, DecodeError> {
        value.as_boolean().ok_or_else(|| DecodeError::new(value, "boolean"))
    }
}

impl Decode for i64 {
    fn decode(value: &Value) -> Result<i64, DecodeError> {
        value.as_number().ok_or_else(|| DecodeError::new(value, "number"))
    }
}

/// Undefined is `None`.
impl<T: Decode> Decode for Option<T> {
    fn decode(value: &Value) -> Result<Option<T>, DecodeError> {
        match value {
            Value::Undefined => Ok(None),
            defined => T::decode(defined).map(Some),
        }
    }
}

/// The elements of an array in the order of its indices, or those of a multiset.
impl<T: Decode> Decode for Vec<T> {
    fn decode(value: &Value) -> Result<Vec<T>, DecodeError> {
        match value {
            Value::Parts(parts) => parts.iter().map(|(_, element)| T::decode(element)).collect(),
            Value::Bag(slots) => {
                slots.iter().filter(|slot| **slot != Value::Undefined).map(T::decode).collect()
            }
            other => Err(DecodeError::new(other, "array or multiset")),
        }
    }
}
