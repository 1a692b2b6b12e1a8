//! How much the cache takes, and emptying it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::access;
use super::cache::{default_root, entries};
use super::failure::Failure;
use super::files::remove_tree;

/// What is in the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub root: PathBuf,
    /// Versions of mcc that have built something here.
    pub engines: usize,
    /// Models of which there is a crate.
    pub models: usize,
    pub bytes: u64,
}

/// What was removed from the cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    pub root: PathBuf,
    pub bytes: u64,
    /// Directories that another mcc is using: they stay.
    pub in_use: usize,
}

/// Finds out what is in the cache of this user. A cache that is not there yet is empty.
pub fn usage() -> Result<Usage, Failure> {
    usage_of(&default_root()?)
}

/// Removes everything from the cache of this user that no other mcc is using.
pub fn clean() -> Result<Cleaned, Failure> {
    clean_below(&default_root()?)
}

fn usage_of(root: &Path) -> Result<Usage, Failure> {
    let mut usage = Usage { root: root.into(), ..Usage::default() };
    if !root.exists() {
        return Ok(usage);
    }
    usage.bytes = size(root).map_err(Failure::io("measure", root))?;
    for engine in engines(root) {
        usage.engines += 1;
        usage.models += entries(&engine.join("crates")).filter(|path| path.is_dir()).count();
    }
    Ok(usage)
}

fn clean_below(root: &Path) -> Result<Cleaned, Failure> {
    let mut cleaned = Cleaned { root: root.into(), ..Cleaned::default() };
    if !root.exists() {
        return Ok(cleaned);
    }
    // What others can write to may be links to what is not ours.
    let root = &access::private_directory(root)?;
    for engine in engines(root) {
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(engine.with_extension("lock"))
            .map_err(Failure::io("lock", &engine))?;
        // The lock file stays: a process that waits for it would otherwise hold a lock that
        // nobody sees.
        if lock.try_lock().is_ok() {
            let bytes = size(&engine).map_err(Failure::io("measure", &engine))?;
            remove_tree(&engine).map_err(Failure::io("remove", &engine))?;
            cleaned.bytes += bytes;
        } else {
            cleaned.in_use += 1;
        }
    }
    Ok(cleaned)
}

/// The directories of engines. Whatever else is there is not ours to count or remove.
fn engines(root: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let is_engine = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let is_directory = fs::symlink_metadata(path).is_ok_and(|about| about.is_dir());
        name.starts_with("engine-") && is_directory
    };
    entries(root).filter(is_engine)
}

/// The bytes of all files below a path, of which lanes share some; files that vanish meanwhile do
/// not count.
fn size(path: &Path) -> io::Result<u64> {
    size_without(path, &mut HashSet::new())
}

/// Whether a file was not counted yet under another name.
#[cfg(unix)]
fn is_new(about: &fs::Metadata, counted: &mut HashSet<(u64, u64)>) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.nlink() == 1 || counted.insert((about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn is_new(_: &fs::Metadata, _: &mut HashSet<(u64, u64)>) -> bool {
    true
}

fn size_without(path: &Path, counted: &mut HashSet<(u64, u64)>) -> io::Result<u64> {
    let gone = |error: io::Error| if error.kind() == io::ErrorKind::NotFound { Ok(0) } else { Err(error) };
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) => return gone(error),
    };
    if !about.is_dir() {
        return Ok(if is_new(&about, counted) { about.len() } else { 0 });
    }
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size_without(&entry.path(), counted)).sum(),
        Err(error) => gone(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cache::Cache;
    use super::super::embedded::Engine;
    use super::super::template::CrateFiles;
    use super::*;

    const ENGINE: Engine = Engine { identity: "test", runtime: &[("Cargo.toml", b"manifest")] };

    #[test]
    fn a_cache_is_measured_and_emptied_unless_it_is_in_use() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let absent = root.join("absent");
        assert_eq!(usage_of(&absent).unwrap().bytes, 0);
        assert_eq!(clean_below(&absent).unwrap().bytes, 0);
        assert!(!absent.exists(), "looking at a cache does not create it");

        let cache = Cache::open(&root, ENGINE).unwrap();
        let files = vec![("src/model.rs".into(), "12345".into())];
        cache.add(&CrateFiles { package: "a-1".into(), files }).unwrap();
        fs::write(root.join("of the user"), "kept").unwrap();
        let expected = Usage { root: root.clone(), engines: 1, models: 1, bytes: 8 + 5 + 4 };
        assert_eq!(usage_of(&root).unwrap(), expected);

        let cleaned = clean_below(&root).unwrap();
        assert_eq!((cleaned.bytes, cleaned.in_use), (0, 1));
        drop(cache);
        let cleaned = clean_below(&root).unwrap();
        assert_eq!((cleaned.bytes, cleaned.in_use), (8 + 5, 0));
        assert!(!root.join("engine-test").exists() && root.join("of the user").exists());
        Cache::open(&root, ENGINE).unwrap();
    }
}
