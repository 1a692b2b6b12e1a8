//! The directory of a checkpoint: its lock, its files, and the order in which they are synced.

use super::manifest::{Entry, Identity, Manifest, ManifestError, Standing, generation_of, name_of};
use super::stream::{Reader, Writer};
use crate::storage::{Archive, ArchiveLock, File, LOCK, Operation, Purpose, StorageError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::{fmt, io};

/// The manifest, and the temporary name under which it is written.
const MANIFEST: &str = "manifest";
const COMING: &str = "manifest-new.checkpoint";
/// Largest manifest that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// Why a directory cannot be used for checkpoints.
#[derive(Debug)]
pub enum DirectoryError {
    /// Another process uses it.
    InUse,
    /// The directory cannot be read or written.
    Failed(io::Error),
    /// The manifest is foreign, of another version, or damaged.
    Manifest(ManifestError),
    /// A file that the manifest names does not exist.
    Missing(String),
    /// A file does not have the length that the manifest gives.
    Length { name: String, expected: u64, found: u64 },
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DirectoryError::InUse => formatter.write_str("another process uses the directory"),
            DirectoryError::Failed(error) => error.fmt(formatter),
            DirectoryError::Manifest(error) => write!(formatter, "the manifest cannot be read: {error}"),
            DirectoryError::Missing(name) => write!(formatter, "{name} is missing"),
            DirectoryError::Length { name, expected, found } => {
                write!(formatter, "{name} has {found} bytes instead of {expected}")
            }
        }
    }
}

impl std::error::Error for DirectoryError {}

impl From<io::Error> for DirectoryError {
    fn from(error: io::Error) -> Self {
        DirectoryError::Failed(error)
    }
}

/// A directory for checkpoints, locked by this process.
#[derive(Debug)]
pub struct CheckpointDirectory {
    archive: Arc<dyn Archive>,
    /// `None`: another process has locked it for this one as well.
    held: Option<Box<dyn ArchiveLock>>,
    /// Number of the last attempt to write a checkpoint.
    generation: u64,
    current: Option<Manifest>,
}

impl CheckpointDirectory {
    /// Locks a directory for this process, and reads the manifest if there is one.
    pub fn open(archive: Arc<dyn Archive>) -> Result<Self, DirectoryError> {
        let held = archive.lock()?.ok_or(DirectoryError::InUse)?;
        Self::read(archive, Some(held))
    }

    /// Reads the manifest of a directory that process 0 of several has locked.
    pub fn join(archive: Arc<dyn Archive>) -> Result<Self, DirectoryError> {
        Self::read(archive, None)
    }

    fn read(archive: Arc<dyn Archive>, held: Option<Box<dyn ArchiveLock>>) -> Result<Self, DirectoryError> {
        let names = archive.names()?;
        let mut generation = names.iter().filter_map(|name| generation_of(name)).max().unwrap_or(0);
        let mut current = None;
        if names.iter().any(|name| name == MANIFEST) {
            // A process may have died between renaming the manifest and syncing the directory.
            // Everything from here on relies on the name.
            archive.sync()?;
            let manifest = Manifest::from_bytes(&read(&*archive)?).map_err(DirectoryError::Manifest)?;
            for entry in &manifest.files {
                check(&*archive, entry)?;
            }
            generation = generation.max(manifest.generation);
            current = Some(manifest);
        }
        Ok(CheckpointDirectory { archive, held, generation, current })
    }

    /// The last complete checkpoint.
    pub fn current(&self) -> Option<&Manifest> {
        self.current.as_ref()
    }

    /// The last complete checkpoint, to be read.
    pub fn saved(&self) -> Option<Saved> {
        Some(Saved { archive: self.archive.clone(), manifest: self.current.clone()? })
    }

    /// Whether this process may change what is not its own.
    pub fn is_locked(&self) -> bool {
        self.held.is_some()
    }

    /// Begins the part of a checkpoint that is another process's.
    pub fn begin_part(&mut self, generation: u64) -> Transaction<'_> {
        self.generation = generation;
        Transaction { directory: self, files: Vec::new(), facts: BTreeMap::new(), created: Vec::new() }
    }

    /// Begins the next checkpoint.
    pub fn begin(&mut self) -> Transaction<'_> {
        self.generation += 1;
        Transaction { directory: self, files: Vec::new(), facts: BTreeMap::new(), created: Vec::new() }
    }

    /// Replaces the figures of the current checkpoint; its data files stay.
    pub fn amend(&mut self, standing: Standing) -> Result<(), StorageError> {
        let Some(mut manifest) = self.current.clone() else { return Ok(()) };
        manifest.standing = standing;
        self.publish(&manifest, || ())?;
        self.current = Some(manifest);
        Ok(())
    }

    /// Replaces the manifest atomically, and returns its length. `before` runs just before the
    /// rename.
    fn publish(&self, manifest: &Manifest, before: impl FnOnce()) -> Result<u64, StorageError> {
        let archive = &*self.archive;
        let text = manifest.to_bytes();
        // A process may have died while it was writing a manifest.
        let _ = archive.remove(COMING);
        let file = archive.create(COMING).map_err(failed(Operation::Create))?;
        let file = File::new(file, Purpose::Manifest);
        file.write(0, &text)?;
        file.sync()?;
        before();
        archive.rename(COMING, MANIFEST).map_err(failed(Operation::Name))?;
        archive.sync().map_err(failed(Operation::Sync))?;
        Ok(text.len() as u64)
    }

    /// Removes data files that no checkpoint uses. Those that cannot be removed now are left to the
    /// next call.
    pub fn sweep(&self) {
        let kept = |name: &String| {
            self.current.as_ref().is_some_and(|manifest| manifest.files.iter().any(|file| file.name == *name))
        };
        let names = self.archive.names().unwrap_or_default();
        for name in names.iter().filter(|name| generation_of(name).is_some() || *name == COMING) {
            if !kept(name) {
                let _ = self.archive.remove(name);
            }
        }
    }

    /// Removes the checkpoint of a search that has ended: the manifest first, the lock last.
    pub fn clear(mut self) -> Result<(), io::Error> {
        self.current = None;
        // There may be a manifest although its last sync failed.
        if self.archive.names()?.iter().any(|name| name == MANIFEST) {
            self.archive.remove(MANIFEST)?;
            self.archive.sync()?;
        }
        self.sweep();
        // The lock is removed while it is held. Where the system does not allow that, it stays.
        let _ = self.archive.remove(LOCK);
        Ok(())
    }
}

fn failed(operation: Operation) -> impl FnOnce(io::Error) -> StorageError {
    move |error| StorageError::new(Purpose::Manifest, operation, &error)
}

fn read(archive: &dyn Archive) -> Result<Vec<u8>, DirectoryError> {
    let file = archive.open(MANIFEST)?;
    let length = file.length()?;
    if length > LONGEST {
        return Err(DirectoryError::Manifest(ManifestError::Foreign));
    }
    let mut bytes = vec![0; length as usize];
    file.read(0, &mut bytes)?;
    Ok(bytes)
}

/// Checks that a file exists and has the expected length. A file that is appended to between
/// checkpoints may be longer.
fn check(archive: &dyn Archive, entry: &Entry) -> Result<(), DirectoryError> {
    let file = match archive.open(&entry.name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(DirectoryError::Missing(entry.name.clone()));
        }
        Err(error) => return Err(error.into()),
    };
    let (expected, found) = (entry.bytes, file.length()?);
    if found < expected || found > expected && generation_of(&entry.name).is_some() {
        Err(DirectoryError::Length { name: entry.name.clone(), expected, found })
    } else {
        Ok(())
    }
}

/// A checkpoint that is being written. Dropped before it is complete, it removes its files.
#[derive(Debug)]
pub struct Transaction<'v> {
    directory: &'v mut CheckpointDirectory,
    files: Vec<Entry>,
    facts: BTreeMap<String, u64>,
    /// Files to be removed unless the checkpoint is completed.
    created: Vec<String>,
}

/// The contents of a manifest apart from its files.
#[derive(Clone, Debug)]
pub struct About {
    pub identity: Identity,
    pub standing: Standing,
    pub arguments: Vec<String>,
    pub every: f64,
}

impl Transaction<'_> {
    /// Creates a data file of this generation.
    pub fn create(&mut self, what: &str, purpose: Purpose) -> Result<Writer, StorageError> {
        let name = name_of(what, self.directory.generation);
        let storage = self.directory.archive.create(&name);
        let storage = storage.map_err(|error| StorageError::new(purpose, Operation::Create, &error))?;
        self.created.push(name.clone());
        Ok(Writer::new(File::new(storage, purpose), &name))
    }

    /// Adds a file to the checkpoint. Its contents must be complete and synced.
    pub fn add(&mut self, entry: Entry) {
        self.files.push(entry);
    }

    /// Adds a file of the last complete checkpoint, so that it need not be written again. `false`:
    /// it does not belong to that checkpoint.
    pub fn keep(&mut self, entry: &Entry) -> bool {
        let kept = self.directory.current.as_ref().is_some_and(|manifest| manifest.files.contains(entry));
        if kept {
            self.files.push(entry.clone());
        }
        kept
    }

    /// The number of this attempt.
    pub fn generation(&self) -> u64 {
        self.directory.generation
    }

    /// Adds a file that another process has written, if it is here as it should be.
    pub fn adopt(&mut self, entry: Entry) -> Result<(), DirectoryError> {
        if generation_of(&entry.name) != Some(self.directory.generation) {
            return Err(DirectoryError::Missing(entry.name));
        }
        check(&*self.directory.archive, &entry)?;
        self.created.push(entry.name.clone());
        self.files.push(entry);
        Ok(())
    }

    /// Leaves the files to the process that completes the checkpoint.
    pub fn hand_over(mut self) -> Vec<Entry> {
        self.created.clear();
        std::mem::take(&mut self.files)
    }

    /// Adds a number to the manifest that is needed before anything can be restored.
    pub fn fact(&mut self, name: &str, value: u64) {
        self.facts.insert(name.to_owned(), value);
    }

    /// Completes the checkpoint, and returns its size in bytes.
    pub fn commit(mut self, about: About) -> Result<u64, StorageError> {
        let About { identity, standing, arguments, every } = about;
        let manifest = Manifest {
            identity,
            standing,
            arguments,
            every,
            facts: std::mem::take(&mut self.facts),
            generation: self.directory.generation,
            files: std::mem::take(&mut self.files),
        };
        // The names of the data files must be durable before the manifest mentions them.
        self.directory.archive.sync().map_err(failed(Operation::Sync))?;
        let created = &mut self.created;
        // After the rename this may be the checkpoint on disk, even if an error follows.
        let length = self.directory.publish(&manifest, || created.clear())?;
        let bytes = manifest.files.iter().map(|file| file.bytes).sum::<u64>() + length;
        self.directory.current = Some(manifest);
        self.directory.sweep();
        Ok(bytes)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        for name in &self.created {
            let _ = self.directory.archive.remove(name);
        }
    }
}

/// A complete checkpoint.
#[derive(Debug)]
pub struct Saved {
    archive: Arc<dyn Archive>,
    manifest: Manifest,
}

impl Saved {
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub fn fact(&self, name: &str) -> Option<u64> {
        self.manifest.facts.get(name).copied()
    }

    /// The manifest's entry for this kind of contents, of any generation.
    pub fn entry(&self, what: &str) -> Option<&Entry> {
        let named = |entry: &&Entry| entry.name.split_once('-').is_some_and(|(found, _)| found == what);
        self.manifest.files.iter().find(named)
    }

    /// Opens the data file for this kind of contents.
    pub fn reader(&self, what: &str, purpose: Purpose) -> Result<Reader, StorageError> {
        let missing = || StorageError::new(purpose, Operation::Create, &io::ErrorKind::NotFound.into());
        let entry = self.entry(what).ok_or_else(missing)?;
        let storage = self.archive.open(&entry.name);
        let storage = storage.map_err(|error| StorageError::new(purpose, Operation::Read, &error))?;
        Ok(Reader::new(File::new(storage, purpose), entry))
    }
}
