//! File access: every file of a search is written and read through [`Storage`].
//!
//! Temporary files come from a [`Directory`]; files that outlive the process have names, and come
//! from an [`Archive`]. A failed operation is a [`StorageError`], which carries what a user needs
//! to fix the cause. Tests inject faults and power cuts below these traits.

mod error;
#[cfg(test)]
pub(crate) mod faulty;
pub(crate) mod limit;
mod named;
mod partial;
mod resource;
#[cfg(test)]
pub(crate) mod simulated;
mod unnamed;

pub use error::{Operation, Purpose, StorageError};
pub use named::{LOCK, SystemArchive};
pub use partial::{Partial, is_partial, sync_directory};
pub use resource::ResourceError;
pub use unnamed::{SystemDirectory, Unnamed};

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

/// A file that several threads may write and read, at offsets.
pub trait Storage: Debug + Send + Sync {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills `bytes`, or fails.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Truncates the file to this length, which gives the space behind it back.
    fn shorten(&self, length: u64) -> io::Result<()>;

    /// Free bytes on the file system, if known.
    fn free(&self) -> Option<u64> {
        None
    }

    /// Returns once everything written so far would survive a power cut. After an error the state
    /// of the file is unknown, and a second call that succeeds proves nothing.
    fn sync(&self) -> io::Result<()>;

    fn length(&self) -> io::Result<u64>;
}

/// A place for temporary files.
pub trait Directory: Debug + Send + Sync {
    /// Creates an empty file.
    fn create(&self) -> io::Result<Arc<dyn Storage>>;
}

/// A directory whose files have names and outlive the process.
///
/// Creation, renaming and removal survive a power cut only once the directory has been synced.
pub trait Archive: Debug + Send + Sync {
    /// Creates an empty file. No file of that name may exist.
    fn create(&self, name: &str) -> io::Result<Arc<dyn Storage>>;

    /// Opens an existing file for reading and writing.
    fn open(&self, name: &str) -> io::Result<Arc<dyn Storage>>;

    /// Renames a file atomically. A file that had the new name is replaced.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all files.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Returns once the names of the files would survive a power cut.
    fn sync(&self) -> io::Result<()>;

    /// Locks the archive for this process until the guard is dropped or the process ends, however
    /// it ends. `None`: another process holds the lock.
    fn lock(&self) -> io::Result<Option<Box<dyn ArchiveLock>>>;
}

/// Guard of a locked archive.
pub trait ArchiveLock: Debug + Send + Sync {}

/// A file together with its purpose, so that errors can name it.
#[derive(Clone, Debug)]
pub struct File {
    storage: Arc<dyn Storage>,
    purpose: Purpose,
}

impl File {
    pub fn new(storage: Arc<dyn Storage>, purpose: Purpose) -> Self {
        File { storage, purpose }
    }

    pub fn create(directory: &dyn Directory, purpose: Purpose) -> Result<Self, StorageError> {
        match directory.create() {
            Ok(storage) => Ok(File { storage, purpose }),
            Err(error) => Err(StorageError::new(purpose, Operation::Create, &error)),
        }
    }

    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), StorageError> {
        let failed = |error| self.failure(Operation::Write, offset, bytes.len(), &error);
        self.storage.write(offset, bytes).map_err(failed)
    }

    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), StorageError> {
        let length = bytes.len();
        let failed = |error| self.failure(Operation::Read, offset, length, &error);
        self.storage.read(offset, bytes).map_err(failed)
    }

    pub fn shorten(&self, length: u64) -> Result<(), StorageError> {
        let failed = |error| self.failure(Operation::Shorten, length, 0, &error);
        self.storage.shorten(length).map_err(failed)
    }

    pub fn sync(&self) -> Result<(), StorageError> {
        self.storage.sync().map_err(|error| self.failure(Operation::Sync, 0, 0, &error))
    }

    pub fn length(&self) -> Result<u64, StorageError> {
        self.storage.length().map_err(|error| self.failure(Operation::Read, 0, 0, &error))
    }

    /// The error for bytes that are not those that were written.
    #[cold]
    pub fn corrupted(&self, offset: u64, bytes: usize) -> StorageError {
        self.failure(Operation::Check, offset, bytes, &io::ErrorKind::InvalidData.into())
    }

    #[cold]
    fn failure(&self, operation: Operation, offset: u64, bytes: usize, error: &io::Error) -> StorageError {
        let free = self.storage.free();
        StorageError {
            offset,
            bytes: bytes as u64,
            free,
            ..StorageError::new(self.purpose, operation, error)
        }
    }
}
