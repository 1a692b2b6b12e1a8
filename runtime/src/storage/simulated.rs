//! For tests: a disk in memory that knows what was synced, and can show what a power cut leaves.
//!
//! A write that was not synced may be there afterwards, or not, or in part; it may also have made
//! its file longer, with zeros where its bytes should be. A name that was given or taken away since
//! the directory was synced may have been so, or not, each by itself. Disks may do nothing
//! worse than that, and the code relies on nothing better.

use super::{Archive, ArchiveLock, Storage};
use crate::interruption::Interruption;
use crate::random::Random;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

/// The fault that is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The process is killed: this operation and all after it have no effect. They return an error,
    /// because the test still calls them.
    Kill,
    /// This operation fails, and does nothing.
    Once(io::ErrorKind),
    /// This operation fails, and all after it but removing files: a full disk.
    Always(io::ErrorKind),
}

/// What a power cut leaves of data that was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Synced,
    /// Everything: the process died, the system did not.
    All,
    /// Some of it, drawn with this seed.
    Some(u64),
}

#[derive(Debug)]
pub struct Disk(Arc<Mutex<Contents>>);

#[derive(Debug)]
struct Contents {
    files: Vec<Contained>,
    /// Which file has which name: now, and when the directory was last synced.
    names: BTreeMap<String, usize>,
    synced: BTreeMap<String, usize>,
    /// What happened to names since.
    since: Vec<Naming>,
    trouble: Trouble,
    /// Operations until then.
    left: u64,
    /// Whether it has come, and whether that was the end.
    struck: bool,
    dead: Arc<Interruption>,
    locked: bool,
}

#[derive(Clone, Debug)]
enum Naming {
    Given(String, usize),
    Taken(String),
    Renamed { from: String, to: String, file: usize },
}

#[derive(Clone, Debug, Default)]
struct Contained {
    now: Vec<u8>,
    synced: Vec<u8>,
    since: Vec<(usize, Vec<u8>)>,
}

fn put(all: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let length = all.len().max(offset + bytes.len());
    all.resize(length, 0);
    all[offset..offset + bytes.len()].copy_from_slice(bytes);
}

fn name(names: &mut BTreeMap<String, usize>, naming: &Naming) {
    match naming {
        Naming::Given(name, file) => drop(names.insert(name.clone(), *file)),
        Naming::Taken(name) => drop(names.remove(name)),
        Naming::Renamed { from, to, file } => {
            names.remove(from);
            names.insert(to.clone(), *file);
        }
    }
}

impl Contents {
    fn operate(&mut self) -> io::Result<()> {
        if self.left == 0 {
            self.struck = true;
            return Err(match self.trouble {
                Trouble::Kill => {
                    self.dead.request();
                    io::ErrorKind::BrokenPipe.into()
                }
                Trouble::Once(kind) => {
                    self.left = u64::MAX / 2;
                    kind.into()
                }
                Trouble::Always(kind) => kind.into(),
            });
        }
        self.left -= 1;
        Ok(())
    }

    fn named(&mut self, naming: Naming) {
        name(&mut self.names, &naming);
        self.since.push(naming);
    }

    fn find(&self, name: &str) -> io::Result<usize> {
        self.names.get(name).copied().ok_or(io::ErrorKind::NotFound.into())
    }
}

impl Disk {
    /// An empty disk on which all goes well.
    pub fn sound() -> Self {
        Disk::of(Vec::new(), BTreeMap::new())
    }

    fn of(files: Vec<Contained>, names: BTreeMap<String, usize>) -> Self {
        Disk(Arc::new(Mutex::new(Contents {
            files,
            synced: names.clone(),
            names,
            since: Vec::new(),
            trouble: Trouble::Kill,
            left: u64::MAX / 2,
            struck: false,
            dead: Arc::default(),
            locked: false,
        })))
    }

    /// The fault comes after `operations` more operations.
    pub fn trouble(&self, trouble: Trouble, operations: u64) {
        let mut contents = self.0.lock().unwrap();
        (contents.trouble, contents.left, contents.struck) = (trouble, operations, false);
    }

    /// Starts the next process after a kill; the operating system kept running.
    pub fn revive(&self) {
        let mut contents = self.0.lock().unwrap();
        (contents.left, contents.struck, contents.locked) = (u64::MAX / 2, false, false);
        contents.dead = Arc::default();
    }

    /// Set when the process is killed, so that the test stops.
    pub fn dead(&self) -> Arc<Interruption> {
        self.0.lock().unwrap().dead.clone()
    }

    /// Whether the fault is still to come.
    pub fn is_undisturbed(&self) -> bool {
        !self.0.lock().unwrap().struck
    }

    /// The disk that a new process finds after the old one died.
    pub fn after(&self, left: Left) -> Disk {
        let contents = self.0.lock().unwrap();
        let mut random = Random(if let Left::Some(seed) = left { seed } else { 0 });
        let mut chance = |kept: Left| match kept {
            Left::Synced => 0,
            Left::All => 1,
            Left::Some(_) => random.below(4),
        };
        let mut files = Vec::new();
        for file in &contents.files {
            let mut all = file.synced.clone();
            for (offset, bytes) in &file.since {
                match chance(left) {
                    0 => {}
                    1 => put(&mut all, *offset, bytes),
                    2 => put(&mut all, *offset, &bytes[..bytes.len() / 2]),
                    // As long as it would be, without the bytes.
                    _ => put(&mut all, offset + bytes.len(), &[]),
                }
            }
            files.push(Contained { now: all.clone(), synced: all, since: Vec::new() });
        }
        let mut names = contents.synced.clone();
        for naming in &contents.since {
            if chance(left) % 2 == 1 {
                name(&mut names, naming);
            }
        }
        Disk::of(files, names)
    }

    /// A copy of the disk with one file changed, or without it if `change` returns false.
    pub fn with(&self, name: &str, change: impl FnOnce(&mut Vec<u8>) -> bool) -> Disk {
        let disk = self.after(Left::All);
        {
            let mut contents = disk.0.lock().unwrap();
            let file = contents.names[name];
            if change(&mut contents.files[file].now) {
                contents.files[file].synced = contents.files[file].now.clone();
            } else {
                contents.names.remove(name);
                contents.synced.remove(name);
            }
        }
        disk
    }
}

impl Clone for Disk {
    fn clone(&self) -> Self {
        Disk(self.0.clone())
    }
}

impl Archive for Disk {
    fn create(&self, name: &str) -> io::Result<Arc<dyn Storage>> {
        let mut contents = self.0.lock().unwrap();
        contents.operate()?;
        if contents.names.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        contents.files.push(Contained::default());
        let file = contents.files.len() - 1;
        contents.named(Naming::Given(name.to_owned(), file));
        Ok(Arc::new(Stored { disk: self.clone(), file }))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn Storage>> {
        let mut contents = self.0.lock().unwrap();
        contents.operate()?;
        Ok(Arc::new(Stored { disk: self.clone(), file: contents.find(name)? }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut contents = self.0.lock().unwrap();
        contents.operate()?;
        let file = contents.find(from)?;
        contents.named(Naming::Renamed { from: from.to_owned(), to: to.to_owned(), file });
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut contents = self.0.lock().unwrap();
        match contents.trouble {
            // What is full can be emptied.
            Trouble::Always(_) if contents.left == 0 => contents.struck = true,
            _ => contents.operate()?,
        }
        contents.find(name)?;
        contents.named(Naming::Taken(name.to_owned()));
        Ok(())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut contents = self.0.lock().unwrap();
        contents.operate()?;
        Ok(contents.names.keys().cloned().collect())
    }

    fn sync(&self) -> io::Result<()> {
        let mut contents = self.0.lock().unwrap();
        contents.operate()?;
        contents.synced = contents.names.clone();
        contents.since.clear();
        Ok(())
    }

    fn lock(&self) -> io::Result<Option<Box<dyn ArchiveLock>>> {
        let mut contents = self.0.lock().unwrap();
        contents.operate()?;
        if std::mem::replace(&mut contents.locked, true) {
            return Ok(None);
        }
        Ok(Some(Box::new(Guard(self.clone()))))
    }
}

#[derive(Debug)]
struct Guard(Disk);

impl ArchiveLock for Guard {}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().locked = false;
    }
}

#[derive(Debug)]
struct Stored {
    disk: Disk,
    file: usize,
}

impl Storage for Stored {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut contents = self.disk.0.lock().unwrap();
        contents.operate()?;
        let file = &mut contents.files[self.file];
        put(&mut file.now, offset as usize, bytes);
        file.since.push((offset as usize, bytes.to_vec()));
        Ok(())
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut contents = self.disk.0.lock().unwrap();
        contents.operate()?;
        let all = &contents.files[self.file].now;
        let found = all.get(offset as usize..offset as usize + bytes.len());
        bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn shorten(&self, length: u64) -> io::Result<()> {
        let mut contents = self.disk.0.lock().unwrap();
        contents.operate()?;
        let file = &mut contents.files[self.file];
        file.now.truncate(length as usize);
        // Enough for what is tested: a file that was made shorter is known to be so when it was
        // synced.
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut contents = self.disk.0.lock().unwrap();
        contents.operate()?;
        let file = &mut contents.files[self.file];
        file.synced = file.now.clone();
        file.since.clear();
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        let mut contents = self.disk.0.lock().unwrap();
        contents.operate()?;
        Ok(contents.files[self.file].now.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(disk: &Disk, name: &str) -> Option<Vec<u8>> {
        let file = disk.open(name).ok()?;
        let mut bytes = vec![0; file.length().unwrap() as usize];
        file.read(0, &mut bytes).unwrap();
        Some(bytes)
    }

    #[test]
    fn what_was_not_synced_may_be_gone() {
        let disk = Disk::sound();
        let file = disk.create("a").unwrap();
        file.write(0, b"kept").unwrap();
        file.sync().unwrap();
        assert_eq!(contents(&disk.after(Left::Synced), "a"), None);
        assert_eq!(contents(&disk.after(Left::All), "a").unwrap(), b"kept");
        Archive::sync(&disk).unwrap();
        file.write(4, b"more").unwrap();
        disk.rename("a", "b").unwrap();
        assert_eq!(contents(&disk.after(Left::Synced), "a").unwrap(), b"kept");
        assert_eq!(contents(&disk.after(Left::All), "b").unwrap(), b"keptmore");
        let found: std::collections::HashSet<_> = (0..100)
            .map(|seed| {
                let after = disk.after(Left::Some(seed));
                (contents(&after, "a"), contents(&after, "b"))
            })
            .collect();
        // Four things can become of the write, and two of the name.
        assert_eq!(found.len(), 8, "{found:?}");
    }

    #[test]
    fn the_dead_do_nothing() {
        let disk = Disk::sound();
        disk.trouble(Trouble::Kill, 2);
        let file = disk.create("a").unwrap();
        file.write(0, b"x").unwrap();
        assert!(file.write(1, b"y").is_err() && file.sync().is_err() && disk.remove("a").is_err());
        assert_eq!(contents(&disk.after(Left::All), "a").unwrap(), b"x");
        disk.trouble(Trouble::Once(io::ErrorKind::Other), 0);
        assert!(file.sync().is_err() && file.sync().is_ok());
    }
}
