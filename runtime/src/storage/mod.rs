//! Bytes outside of memory: everything in a search that writes a file does it through [`Storage`],
//! and gets its files from a [`Directory`], or by name from an [`Archive`], if they shall outlive
//! the process. What goes wrong there is a [`Failure`], which says enough for the user to do
//! something about it.

mod failure;
#[cfg(test)]
pub mod faulty;
pub mod limit;
mod named;
mod partial;
mod shortage;
#[cfg(test)]
pub mod simulated;
mod unnamed;

pub use failure::{Failure, Operation, Purpose};
pub use named::{Cabinet, LOCK};
pub use partial::{Partial, is_partial, sync_directory};
pub use shortage::Shortage;
pub use unnamed::{Folder, Unnamed};

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

/// Bytes at offsets, that several threads may write and read.
pub trait Storage: Debug + Send + Sync {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills `bytes`, or fails.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Gives back what lies beyond this length.
    fn shorten(&self, length: u64) -> io::Result<()>;

    /// Bytes that can still be written, if that is known.
    fn free(&self) -> Option<u64> {
        None
    }

    /// Comes back when all that was written would survive a power cut. After a failure nothing is
    /// known, and trying again proves nothing.
    fn sync(&self) -> io::Result<()>;

    fn length(&self) -> io::Result<u64>;
}

/// Where files are made.
pub trait Directory: Debug + Send + Sync {
    /// A new, empty file.
    fn create(&self) -> io::Result<Arc<dyn Storage>>;
}

/// A directory whose files have names and outlive the process.
///
/// A file that was created, renamed or removed is known to be so after a power cut only when the
/// directory was synced since.
pub trait Archive: Debug + Send + Sync {
    /// A new, empty file. There must be none of that name.
    fn create(&self, name: &str) -> io::Result<Arc<dyn Storage>>;

    /// A file that is there, to be read or written on.
    fn open(&self, name: &str) -> io::Result<Arc<dyn Storage>>;

    /// Gives a file another name, in one step. What had that name is gone.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all files.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Comes back when the names of the files would survive a power cut.
    fn sync(&self) -> io::Result<()>;

    /// Takes the archive for this process, until the guard is dropped or the process ends, in
    /// whatever way. `None`: another one has it.
    fn lock(&self) -> io::Result<Option<Box<dyn Held>>>;
}

/// An archive is held as long as this exists.
pub trait Held: Debug + Send + Sync {}

/// A file that is there for a purpose, so that it can be told what went wrong with it.
#[derive(Clone, Debug)]
pub struct File {
    storage: Arc<dyn Storage>,
    purpose: Purpose,
}

impl File {
    pub fn new(storage: Arc<dyn Storage>, purpose: Purpose) -> Self {
        File { storage, purpose }
    }

    pub fn create(directory: &dyn Directory, purpose: Purpose) -> Result<Self, Failure> {
        match directory.create() {
            Ok(storage) => Ok(File { storage, purpose }),
            Err(error) => Err(Failure::new(purpose, Operation::Create, &error)),
        }
    }

    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Failure> {
        let failed = |error| self.failure(Operation::Write, offset, bytes.len(), &error);
        self.storage.write(offset, bytes).map_err(failed)
    }

    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Failure> {
        let length = bytes.len();
        let failed = |error| self.failure(Operation::Read, offset, length, &error);
        self.storage.read(offset, bytes).map_err(failed)
    }

    pub fn shorten(&self, length: u64) -> Result<(), Failure> {
        let failed = |error| self.failure(Operation::Shorten, length, 0, &error);
        self.storage.shorten(length).map_err(failed)
    }

    pub fn sync(&self) -> Result<(), Failure> {
        self.storage.sync().map_err(|error| self.failure(Operation::Sync, 0, 0, &error))
    }

    pub fn length(&self) -> Result<u64, Failure> {
        self.storage.length().map_err(|error| self.failure(Operation::Read, 0, 0, &error))
    }

    /// What was read is not what was written.
    #[cold]
    pub fn corrupted(&self, offset: u64, bytes: usize) -> Failure {
        self.failure(Operation::Check, offset, bytes, &io::ErrorKind::InvalidData.into())
    }

    #[cold]
    fn failure(&self, operation: Operation, offset: u64, bytes: usize, error: &io::Error) -> Failure {
        let free = self.storage.free();
        Failure { offset, bytes: bytes as u64, free, ..Failure::new(self.purpose, operation, error) }
    }
}
