//! The directory of a checkpoint: who may use it, which files are in it, and in which order they
//! are made to last.

use super::manifest::{Entry, Identity, Illegible, Manifest, Standing, generation_of, name_of};
use super::stream::{Reader, Writer};
use crate::storage::{Archive, Failure, File, Held, LOCK, Operation, Purpose};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// The file that names the others, and the name under which it is written.
const MANIFEST: &str = "manifest";
const COMING: &str = "manifest-new.checkpoint";
/// More would be no manifest of ours.
const LONGEST: u64 = 16 << 20;

/// Why a directory cannot be used.
#[derive(Debug)]
pub enum Unusable {
    /// Another process uses it.
    InUse,
    /// It could not be read or written.
    Failed(io::Error),
    /// The manifest is none of ours, or of another version, or damaged.
    Illegible(Illegible),
    /// A file that the manifest names is not there.
    Missing(String),
    /// It has not the length that the manifest says.
    Length { name: String, expected: u64, found: u64 },
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        Unusable::Failed(error)
    }
}

/// A directory for checkpoints that belongs to this process.
#[derive(Debug)]
pub struct Vault {
    archive: Arc<dyn Archive>,
    _held: Box<dyn Held>,
    /// Of the last attempt.
    generation: u64,
    current: Option<Manifest>,
}

impl Vault {
    /// Takes a directory for this process, and sees what is there.
    pub fn open(archive: Arc<dyn Archive>) -> Result<Self, Unusable> {
        let held = archive.lock()?.ok_or(Unusable::InUse)?;
        let names = archive.names()?;
        let mut generation = names.iter().filter_map(|name| generation_of(name)).max().unwrap_or(0);
        let mut current = None;
        if names.iter().any(|name| name == MANIFEST) {
            // The name may have been given by a process that died before it made it last. What
            // comes now rests on it.
            archive.sync()?;
            let manifest = Manifest::from_bytes(&read(&*archive)?).map_err(Unusable::Illegible)?;
            for entry in &manifest.files {
                check(&*archive, entry)?;
            }
            generation = generation.max(manifest.generation);
            current = Some(manifest);
        }
        Ok(Vault { archive, _held: held, generation, current })
    }

    /// The last complete checkpoint.
    pub fn current(&self) -> Option<&Manifest> {
        self.current.as_ref()
    }

    /// The same, to be read.
    pub fn saved(&self) -> Option<Saved> {
        Some(Saved { archive: self.archive.clone(), manifest: self.current.clone()? })
    }

    /// Begins another checkpoint.
    pub fn begin(&mut self) -> Transaction<'_> {
        self.generation += 1;
        Transaction { vault: self, files: Vec::new(), facts: BTreeMap::new(), created: Vec::new() }
    }

    /// Says something else about the same checkpoint.
    pub fn amend(&mut self, standing: Standing) -> Result<(), Failure> {
        let Some(mut manifest) = self.current.clone() else { return Ok(()) };
        manifest.standing = standing;
        self.publish(&manifest, || ())?;
        self.current = Some(manifest);
        Ok(())
    }

    /// Makes this the manifest, in one step; says how long it is. What is to be done before that
    /// step is done then.
    fn publish(&self, manifest: &Manifest, before: impl FnOnce()) -> Result<u64, Failure> {
        let archive = &*self.archive;
        let text = manifest.to_bytes();
        // A process may have died while it wrote one.
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

    /// Removes what belongs to no checkpoint. Whatever cannot be removed now can be later.
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

    /// Removes the checkpoint, which nobody needs any more: first what says that it is one, and the
    /// lock at the end.
    pub fn clear(mut self) -> Result<(), io::Error> {
        self.current = None;
        // There may be one although writing it failed in the last moment.
        if self.archive.names()?.iter().any(|name| name == MANIFEST) {
            self.archive.remove(MANIFEST)?;
            self.archive.sync()?;
        }
        self.sweep();
        // While it is held. Where that is not possible, it stays.
        let _ = self.archive.remove(LOCK);
        Ok(())
    }
}

fn failed(operation: Operation) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::new(Purpose::Manifest, operation, &error)
}

fn read(archive: &dyn Archive) -> Result<Vec<u8>, Unusable> {
    let file = archive.open(MANIFEST)?;
    let length = file.length()?;
    if length > LONGEST {
        return Err(Unusable::Illegible(Illegible::Foreign));
    }
    let mut bytes = vec![0; length as usize];
    file.read(0, &mut bytes)?;
    Ok(bytes)
}

/// Whether a file is there, and as long as it should be. One that is written on between checkpoints
/// may be longer.
fn check(archive: &dyn Archive, entry: &Entry) -> Result<(), Unusable> {
    let file = match archive.open(&entry.name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Unusable::Missing(entry.name.clone()));
        }
        Err(error) => return Err(error.into()),
    };
    let (expected, found) = (entry.bytes, file.length()?);
    match found < expected || found > expected && generation_of(&entry.name).is_some() {
        true => Err(Unusable::Length { name: entry.name.clone(), expected, found }),
        false => Ok(()),
    }
}

/// A checkpoint that is being written. If it is dropped before it is complete, its files are
/// removed.
#[derive(Debug)]
pub struct Transaction<'v> {
    vault: &'v mut Vault,
    files: Vec<Entry>,
    facts: BTreeMap<String, u64>,
    /// Files that are useless if nothing comes of it.
    created: Vec<String>,
}

/// What belongs into a manifest apart from files.
#[derive(Clone, Debug)]
pub struct About {
    pub identity: Identity,
    pub standing: Standing,
    pub arguments: Vec<String>,
    pub every: f64,
}

impl Transaction<'_> {
    /// A new data file, of this generation.
    pub fn create(&mut self, what: &str, purpose: Purpose) -> Result<Writer, Failure> {
        let name = name_of(what, self.vault.generation);
        let storage = self.vault.archive.create(&name);
        let storage = storage.map_err(|error| Failure::new(purpose, Operation::Create, &error))?;
        self.created.push(name.clone());
        Ok(Writer::new(File::new(storage, purpose), &name))
    }

    /// A file belongs to the checkpoint: one that was just finished, or one that has been there and
    /// was synced.
    pub fn add(&mut self, entry: Entry) {
        self.files.push(entry);
    }

    /// Whether a file belongs to the last complete checkpoint. Then it also belongs to this one,
    /// and need not be written again.
    pub fn keep(&mut self, entry: &Entry) -> bool {
        let kept = self.vault.current.as_ref().is_some_and(|manifest| manifest.files.contains(entry));
        if kept {
            self.files.push(entry.clone());
        }
        kept
    }

    /// Something that must be known before anything can be restored.
    pub fn fact(&mut self, name: &str, value: u64) {
        self.facts.insert(name.to_owned(), value);
    }

    /// Makes this the checkpoint. Says how many bytes it has.
    pub fn commit(mut self, about: About) -> Result<u64, Failure> {
        let About { identity, standing, arguments, every } = about;
        let manifest = Manifest {
            identity,
            standing,
            arguments,
            every,
            facts: std::mem::take(&mut self.facts),
            generation: self.vault.generation,
            files: std::mem::take(&mut self.files),
        };
        // Their names, before anything speaks of them.
        self.vault.archive.sync().map_err(failed(Operation::Sync))?;
        let created = &mut self.created;
        // From then on it may be the checkpoint, whatever is said about it.
        let length = self.vault.publish(&manifest, || created.clear())?;
        let bytes = manifest.files.iter().map(|file| file.bytes).sum::<u64>() + length;
        self.vault.current = Some(manifest);
        self.vault.sweep();
        Ok(bytes)
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        for name in &self.created {
            let _ = self.vault.archive.remove(name);
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

    /// Where all files are, for those that are written on.
    pub fn archive(&self) -> &Arc<dyn Archive> {
        &self.archive
    }

    /// The data file with this in it, of whatever generation, as the manifest names it.
    pub fn entry(&self, what: &str) -> Option<&Entry> {
        let named = |entry: &&Entry| entry.name.split_once('-').is_some_and(|(found, _)| found == what);
        self.manifest.files.iter().find(named)
    }

    /// The same, to be read.
    pub fn reader(&self, what: &str, purpose: Purpose) -> Result<Reader, Failure> {
        let missing = || Failure::new(purpose, Operation::Create, &io::ErrorKind::NotFound.into());
        let entry = self.entry(what).ok_or_else(missing)?;
        let storage = self.archive.open(&entry.name);
        let storage = storage.map_err(|error| Failure::new(purpose, Operation::Read, &error))?;
        Ok(Reader::new(File::new(storage, purpose), entry))
    }
}
