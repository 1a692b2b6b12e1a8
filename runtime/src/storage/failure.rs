//! What went wrong with a file.

use std::io;

/// Enough to tell the user which file, what, and how much is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    pub file: Purpose,
    pub operation: Operation,
    /// Where in the file, and how many bytes were to be written or read there.
    pub offset: u64,
    pub bytes: u64,
    /// Bytes that could still be written, if that is known.
    pub free: Option<u64>,
    pub kind: io::ErrorKind,
    /// The system's number for it.
    pub code: Option<i32>,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// States that wait.
    Queue,
    /// Predecessors of states, from which traces are rebuilt.
    Records,
    /// States that were visited, or their signatures.
    Table,
    /// The visited states in a checkpoint.
    SavedStates,
    /// What else a search needs to go on.
    SavedSearch,
    /// What says which files belong to a checkpoint.
    Manifest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Create,
    Write,
    Read,
    /// What was read is not what was written.
    Check,
    /// Space was to be given back.
    Shorten,
    /// What was written was to be made to last.
    Sync,
    /// A file was to get its name, or to be removed.
    Name,
}

impl Failure {
    pub fn new(file: Purpose, operation: Operation, error: &io::Error) -> Self {
        let (kind, code) = (error.kind(), error.raw_os_error());
        Failure { file, operation, offset: 0, bytes: 0, free: None, kind, code }
    }

    /// Whether it is a file of a checkpoint, which is in a directory of its own.
    pub fn is_of_checkpoint(&self) -> bool {
        match self.file {
            Purpose::Queue | Purpose::Records | Purpose::Table => false,
            Purpose::SavedStates | Purpose::SavedSearch | Purpose::Manifest => true,
        }
    }

    /// The system's words for it.
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

    /// Whether more space would help.
    pub fn is_full(&self) -> bool {
        matches!(
            self.kind,
            io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::WriteZero
                | io::ErrorKind::FileTooLarge
        )
    }

    /// Whether the disk has room, but a single file may not be so large.
    pub fn is_too_large(&self) -> bool {
        self.kind == io::ErrorKind::FileTooLarge
    }
}

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
