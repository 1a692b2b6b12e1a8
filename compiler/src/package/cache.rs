//! The cache: the runtime unpacked once, the crates of the models, and one target directory for all
//! of them.
//!
//! ```text
//! <cache>/engine-<identity>.lock      shared while building, exclusive while repairing or pruning;
//!                                     its time says when this engine was last used
//! <cache>/engine-<identity>/runtime/  the embedded sources, compared at each start
//! <cache>/engine-<identity>/crates/<package>/   a model's crate, with the record of its executable
//!                                     (`record.rs`); the time of `last-used` says when it was
//!                                     used; anything else is removed
//! <cache>/engine-<identity>/target/   cargo's, and target-1 and so on (`lanes.rs`)
//! ```
//! The identity is a hash of the sources, so versions of mcc do not meet. A package's name is a
//! hash of the crate's contents, so two crates never meet either. Who may write to the cache is
//! checked in `access.rs`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fmt};

use super::access;
use super::embedded::Engine;
use super::failure::Failure;
use super::files::{remove_foreign, remove_tree, write_if_changed};
use super::record::RECORD;
use super::template::CrateFiles;

/// So often is a damaged engine unpacked before mcc gives up.
const MOST_REPAIRS: usize = 10;

pub(super) const LAST_USED: &str = "last-used";
/// Locked while cargo builds the model.
pub(super) const BUILDING: &str = "building";

/// A verified engine in the cache, locked against being changed while this value lives.
pub struct Cache {
    pub(super) root: PathBuf,
    engine: Engine,
    pub(super) lock: File,
}

impl fmt::Debug for Cache {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Cache").field("root", &self.root).finish_non_exhaustive()
    }
}

/// `MCC_CACHE`, or the place where the platform keeps what can be made again.
pub fn default_root() -> Result<PathBuf, Failure> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = variable("MCC_CACHE") {
        return std::path::absolute(&path).map_err(Failure::io("use", path));
    }
    let caches = if let Some(path) = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
        Some(path)
    } else if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        let below_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(below_home))
    };
    caches.map(|path| path.join("mcc")).ok_or(Failure::NoCacheDirectory)
}

impl Cache {
    /// Opens the cache below `root`, and unpacks or repairs the engine where that is needed.
    pub fn open(root: &Path, engine: Engine) -> Result<Cache, Failure> {
        let unusable = |error| match error {
            error if io::Error::kind(&error) == io::ErrorKind::StorageFull => Failure::DiskFull,
            error => Failure::CacheUnusable { path: root.into(), error },
        };
        let root = &access::private_directory(root)?;
        let lock_path = root.join(format!("engine-{}.lock", engine.identity));
        let lock = File::options().create(true).truncate(false).read(true).write(true).open(&lock_path);
        let cache = Cache { root: root.into(), engine, lock: lock.map_err(unusable)? };
        cache.lock.lock_shared().map_err(unusable)?;
        let mut repairs = 0;
        while !cache.is_intact() {
            if repairs == MOST_REPAIRS {
                return Err(unusable(io::Error::other("its files change while mcc writes them")));
            }
            repairs += 1;
            // Exclusively, and looked at again: another mcc may have repaired it in between.
            cache
                .exclusively(|| if cache.is_intact() { Ok(()) } else { cache.unpack() })
                .map_err(unusable)?;
        }
        // Of what lies below, cargo makes a part; nobody else can get to it.
        access::private_directory(&cache.directory())?;
        // Only the time is lost if this fails.
        let _ = cache.lock.set_modified(SystemTime::now());
        Ok(cache)
    }

    fn directory(&self) -> PathBuf {
        self.root.join(format!("engine-{}", self.engine.identity))
    }

    pub fn target_directory(&self) -> PathBuf {
        self.directory().join("target")
    }

    pub(super) fn crates(&self) -> PathBuf {
        self.directory().join("crates")
    }

    /// Writes a model's crate, where it is not there yet, removes all else that is there, and
    /// returns its directory.
    pub fn add(&self, made: &CrateFiles) -> Result<PathBuf, Failure> {
        let directory = self.crates().join(&made.package);
        let mut expected: Vec<&str> = made.files.iter().map(|(name, _)| name.as_str()).collect();
        expected.extend([RECORD, LAST_USED, BUILDING]);
        remove_foreign(&directory, &expected).map_err(Failure::io("clean", &directory))?;
        for (name, contents) in &made.files {
            let path = directory.join(name);
            write_if_changed(&path, contents.as_bytes()).map_err(Failure::io("write", &path))?;
        }
        let stamp = directory.join(LAST_USED);
        fs::write(&stamp, "").map_err(Failure::io("write", &stamp))?;
        Ok(directory)
    }

    /// Throws away all that cargo built: something in there is damaged.
    pub fn discard_builds(&self) -> Result<(), Failure> {
        let remove = || self.lanes().iter().try_for_each(|lane| remove_tree(lane));
        self.exclusively(remove).map_err(Failure::io("remove", self.target_directory()))
    }

    /// Throws away what cargo built of one model, if that is still wanted when no other mcc uses
    /// the cache; says whether it was.
    pub fn discard_model(&self, package: &str, wanted: impl FnOnce() -> bool) -> Result<bool, Failure> {
        let mut discarded = false;
        self.exclusively(|| {
            discarded = wanted();
            if discarded { self.remove_built(package) } else { Ok(()) }
        })
        .map_err(Failure::io("clean", self.target_directory()))?;
        Ok(discarded)
    }

    /// Removes what cargo made of a model, first of all the record of it.
    pub(super) fn remove_built(&self, package: &str) -> io::Result<()> {
        remove_tree(&self.crates().join(package).join(RECORD))?;
        let library_name = package.replace('-', "_");
        // With `build.target` in the user's configuration of cargo, the target's name stands in
        // between.
        let lanes = self.lanes().into_iter();
        let releases: Vec<PathBuf> = lanes
            .flat_map(|lane| {
                entries(&lane).chain([lane.clone()]).map(|path| path.join("release")).collect::<Vec<_>>()
            })
            .collect();
        for built in releases {
            let parts = [built.join("deps"), built.join(".fingerprint"), built.join("build")];
            for path in parts.into_iter().chain([built]).flat_map(|directory| entries(&directory)) {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
                // The name ends in a long hash: nothing else begins with it.
                if name.starts_with(package) || name.starts_with(&library_name) {
                    remove_tree(&path)?;
                }
            }
        }
        Ok(())
    }

    /// Runs something while no other mcc uses this engine.
    fn exclusively(&self, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.lock.unlock()?;
        self.lock.lock()?;
        let done = work();
        self.lock.unlock()?;
        self.lock.lock_shared()?;
        done
    }

    fn is_intact(&self) -> bool {
        let runtime = self.directory().join("runtime");
        let same = |(name, contents): &(&str, &[u8])| {
            let path = runtime.join(name);
            fs::symlink_metadata(&path).is_ok_and(|about| about.is_file())
                && fs::read(&path).is_ok_and(|existing| existing == *contents)
        };
        self.engine.runtime.iter().all(same)
            // A file too many may change the build as well: cargo looks for `build.rs` by itself.
            && count_files(&runtime).is_ok_and(|count| count == self.engine.runtime.len())
    }

    fn unpack(&self) -> io::Result<()> {
        let directory = self.directory();
        if directory.exists() && !directory.is_dir() {
            fs::remove_file(&directory)?;
        }
        access::create(&directory)?;
        let runtime = directory.join("runtime");
        // Nobody else is here, so that what is there is a leftover of a killed process.
        let fresh = directory.join("runtime.new");
        remove_tree(&fresh)?;
        for (name, contents) in self.engine.runtime {
            let path = fresh.join(name);
            if let Some(above) = path.parent() {
                fs::create_dir_all(above)?;
            }
            fs::write(path, contents)?;
        }
        remove_tree(&runtime)?;
        fs::rename(fresh, runtime)
    }
}

fn count_files(directory: &Path) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        count += if entry.file_type()?.is_dir() { count_files(&entry.path())? } else { 1 };
    }
    Ok(count)
}

/// What is in a directory; nothing, if it cannot be read.
pub(super) fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGINE: Engine =
        Engine { identity: "test", runtime: &[("Cargo.toml", b"manifest"), ("src/a/b.rs", b"code")] };

    fn made(package: &str) -> CrateFiles {
        CrateFiles { package: package.into(), files: vec![("src/model.rs".into(), package.into())] }
    }

    #[test]
    fn damage_is_noticed_and_repaired() {
        let root = tempfile::tempdir().unwrap();
        let runtime = root.path().join("engine-test/runtime");
        let damages: [&dyn Fn(); 6] = [
            &|| (),
            &|| fs::write(runtime.join("src/a/b.rs"), "cod").unwrap(),
            &|| fs::remove_file(runtime.join("Cargo.toml")).unwrap(),
            &|| fs::write(runtime.join("build.rs"), "fn main() {}").unwrap(),
            &|| fs::remove_dir_all(runtime.join("src")).unwrap(),
            &|| {
                fs::remove_dir_all(runtime.parent().unwrap()).unwrap();
                fs::write(runtime.parent().unwrap(), "not a directory").unwrap();
            },
        ];
        for damage in damages {
            Cache::open(root.path(), ENGINE).unwrap();
            damage();
            let cache = Cache::open(root.path(), ENGINE).unwrap();
            assert!(cache.is_intact());
            assert_eq!(fs::read(runtime.join("src/a/b.rs")).unwrap(), b"code");
            assert_eq!(count_files(&runtime).unwrap(), 2);
        }
        assert_eq!(entries(root.path()).count(), 2, "no leftovers");
    }

    #[test]
    fn an_intact_engine_is_not_written_again() {
        let root = tempfile::tempdir().unwrap();
        Cache::open(root.path(), ENGINE).unwrap();
        let time =
            || fs::metadata(root.path().join("engine-test/runtime/Cargo.toml")).unwrap().modified().unwrap();
        let before = time();
        Cache::open(root.path(), ENGINE).unwrap();
        assert_eq!(time(), before);
    }

    #[test]
    fn many_at_once_do_not_disturb_each_other() {
        let root = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let root = root.path();
                scope.spawn(move || {
                    for round in 0..10 {
                        let cache = Cache::open(root, ENGINE).unwrap();
                        assert!(cache.is_intact());
                        let package = format!("p{}", (number + round) % 3);
                        let directory = cache.add(&made(&package)).unwrap();
                        assert_eq!(fs::read_to_string(directory.join("src/model.rs")).unwrap(), package);
                        drop(cache);
                        if number == 0 {
                            // Damaged while others are at work: they repair it, or wait for the
                            // repair.
                            let cache = Cache::open(root, ENGINE).unwrap();
                            let runtime = cache.directory().join("runtime");
                            cache.exclusively(|| fs::write(runtime.join("Cargo.toml"), "x")).unwrap();
                        }
                        if number == 1 {
                            Cache::open(root, ENGINE).unwrap().discard_builds().unwrap();
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_a_failure_with_a_remedy() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let failure = Cache::open(&file.join("cache"), ENGINE).unwrap_err();
        assert!(matches!(failure, Failure::CacheUnusable { .. }));
        assert!(failure.help().unwrap().contains("MCC_CACHE"));
    }
}
