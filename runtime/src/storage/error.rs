//! The error of an operation on a file.

use std::{fmt, io};

/// A failed operation on a file: which file, which operation, and how much space was missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageError {
    pub file: Purpose,
    pub operation: Operation,
    /// The offset in the file, and the number of bytes to be written or read there.
    pub offset: u64,
    pub bytes: u64,
    /// Free bytes on the file system, if known.
    pub free: Option<u64>,
    pub kind: io::ErrorKind,
    /// The operating system's error number.
    pub code: Option<i32>,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The queue of states that are to be expanded.
    Queue,
    /// Predecessors of states, from which traces are rebuilt.
    Records,
    /// A table of visited states or of their signatures.
    Table,
    /// The visited states in a checkpoint.
    SavedStates,
    /// What a resumed search needs besides its visited states.
    SavedSearch,
    /// The manifest, which lists the files of a checkpoint.
    Manifest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Create,
    Write,
    Read,
    /// Verification that the bytes read are the bytes written.
    Check,
    /// Truncation, which gives space back.
    Shorten,
    /// Sync to the device.
    Sync,
    /// Renaming or removal of a file.
    Name,
}

impl StorageError {
    pub fn new(file: Purpose, operation: Operation, error: &io::Error) -> Self {
        let (kind, code) = (error.kind(), error.raw_os_error());
        StorageError { file, operation, offset: 0, bytes: 0, free: None, kind, code }
    }

    /// Whether the file belongs to a checkpoint; checkpoints have a directory of their own.
    pub fn is_of_checkpoint(&self) -> bool {
        match self.file {
            Purpose::Queue | Purpose::Records | Purpose::Table => false,
            Purpose::SavedStates | Purpose::SavedSearch | Purpose::Manifest => true,
        }
    }

    /// The operating system's description of the error.
    pub fn cause(&self) -> String {
        if self.is_too_large() {
            return "the file would be larger than the limit of this shell (ulimit -f) or of the file system"
                .to_owned();
        }
        match self.code {
            Some(code) => io::Error::from_raw_os_error(code).to_string(),
            None => self.kind.to_string(),
        }
    }

    /// Whether more disk space would help.
    pub fn is_full(&self) -> bool {
        matches!(
            self.kind,
            io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::WriteZero
                | io::ErrorKind::FileTooLarge
        )
    }

    /// Whether the disk has room, but the file would exceed the largest size allowed.
    pub fn is_too_large(&self) -> bool {
        self.kind == io::ErrorKind::FileTooLarge
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.file.name(), self.cause())
    }
}

impl std::error::Error for StorageError {}

impl Purpose {
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Queue => "the disk queue",
            Purpose::Records => "the file for traces",
            Purpose::Table => "a table of visited states",
            Purpose::SavedStates => "the checkpoint's file of visited states",
            Purpose::SavedSearch => "the checkpoint's file of what waits",
            Purpose::Manifest => "the checkpoint's manifest",
        }
    }
}
