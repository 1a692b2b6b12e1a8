//! The two resources a search can run out of while it stores or reads back a state: memory and
//! disk.

use super::StorageError;
use crate::memory::MemoryError;
use std::fmt;

/// Why data cannot be stored or read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceError {
    Memory,
    Disk(StorageError),
}

impl From<MemoryError> for ResourceError {
    fn from(MemoryError: MemoryError) -> Self {
        ResourceError::Memory
    }
}

impl From<StorageError> for ResourceError {
    fn from(failure: StorageError) -> Self {
        ResourceError::Disk(failure)
    }
}

impl fmt::Display for ResourceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResourceError::Memory => MemoryError.fmt(formatter),
            ResourceError::Disk(failure) => failure.fmt(formatter),
        }
    }
}

impl std::error::Error for ResourceError {}
