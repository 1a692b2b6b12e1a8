//! The cache: the runtime unpacked once, the crates of the models, and one target directory for all of them.
//!
//! ```text
//! <cache>/engine-<identity>.lock      shared while building, exclusive while repairing or pruning;
//!                                     its time says when this engine was last used
//! <cache>/engine-<identity>/runtime/  the embedded sources, compared with the originals at each start
//! <cache>/engine-<identity>/crates/<package>/   a model's crate; the time of `last-used` says when
//! <cache>/engine-<identity>/target/   cargo's
//! ```
//! The identity is a hash of the sources, so versions of mcc do not meet. A package's name is a hash of the
//! crate's contents, so two crates never meet either.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, fmt};

use super::embedded::Engine;
use super::failure::Failure;
use super::files::{unique_sibling, write_if_changed};
use super::template::CrateFiles;

/// Crates, and engines of other versions of mcc, that nobody used for so long are dropped.
const KEEP_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// At most so many models are kept.
const KEEP_MODELS: usize = 200;
/// Leftovers of interrupted work are dropped after this time.
const KEEP_LEFTOVERS_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// So often is a damaged engine unpacked before mcc gives up.
const MOST_REPAIRS: usize = 10;

const LAST_USED: &str = "last-used";

/// A verified engine in the cache, locked against being changed while this value lives.
pub struct Cache {
    root: PathBuf,
    engine: Engine,
    lock: File,
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
        fs::create_dir_all(root).map_err(unusable)?;
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

    fn crates(&self) -> PathBuf {
        self.directory().join("crates")
    }

    /// Writes a model's crate, where it is not there yet, and returns its directory.
    pub fn add(&self, made: &CrateFiles) -> Result<PathBuf, Failure> {
        let directory = self.crates().join(&made.package);
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
        let target = self.target_directory();
        self.exclusively(|| remove_tree(&target)).map_err(Failure::io("remove", target.clone()))
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
            fs::read(runtime.join(name)).is_ok_and(|existing| existing == *contents)
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
        fs::create_dir_all(&directory)?;
        let runtime = directory.join("runtime");
        let fresh = unique_sibling(&directory, "unpack");
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

    /// Drops what was not used for long. Gives way to every other mcc, and to every error.
    pub fn prune(self) {
        let due = self.crates().join("pruned");
        let today = age(&due).is_some_and(|age| age < KEEP_LEFTOVERS_FOR);
        let models = fs::read_dir(self.crates()).map_or(0, Iterator::count);
        if today && models <= KEEP_MODELS + 1 {
            return;
        }
        if self.lock.unlock().is_ok() && self.lock.try_lock().is_ok() {
            let _ = fs::write(&due, "");
            self.prune_models(KEEP_FOR, KEEP_MODELS * 3 / 4);
            self.prune_root();
        }
    }

    fn prune_models(&self, keep_for: Duration, keep_models: usize) {
        let mut models: Vec<(Duration, String)> = entries(&self.crates())
            .filter(|path| path.is_dir())
            .filter_map(|path| {
                let name = path.file_name()?.to_str()?.to_string();
                Some((age(&path.join(LAST_USED)).unwrap_or(Duration::MAX), name))
            })
            .collect();
        models.sort();
        let young = models.iter().take_while(|(age, _)| *age <= keep_for).count();
        for (_, package) in models.drain(young.min(keep_models)..) {
            self.remove_model(&package);
        }
    }

    /// Removes a model's crate and what cargo made of it.
    fn remove_model(&self, package: &str) {
        let built = self.target_directory().join("release");
        let library_name = package.replace('-', "_");
        for directory in [built.clone(), built.join("deps"), built.join(".fingerprint"), built.join("build")]
        {
            for path in entries(&directory) {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
                // The name ends in a long hash: nothing else begins with it.
                if name.starts_with(package) || name.starts_with(&library_name) {
                    let _ = remove_tree(&path);
                }
            }
        }
        let _ = remove_tree(&self.crates().join(package));
    }

    /// Drops engines of versions that are no longer used, and leftovers of interrupted work.
    fn prune_root(&self) {
        for path in entries(&self.root) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            let unused = age(&path).unwrap_or_default();
            if name.starts_with(".mcc-") && unused > KEEP_LEFTOVERS_FOR {
                let _ = remove_tree(&path);
            } else if name.starts_with("engine-") && name.ends_with(".lock") && unused > KEEP_FOR {
                // The lock file stays: whoever waits for it would otherwise hold a lock that nobody sees.
                if let Ok(lock) = File::open(&path)
                    && lock.try_lock().is_ok()
                {
                    let _ = remove_tree(&path.with_extension(""));
                }
            }
        }
    }
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// How long ago a file was written; zero for times in the future.
fn age(path: &Path) -> Option<Duration> {
    let written = fs::metadata(path).ok()?.modified().ok()?;
    Some(SystemTime::now().duration_since(written).unwrap_or_default())
}

fn count_files(directory: &Path) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        count += if entry.file_type()?.is_dir() { count_files(&entry.path())? } else { 1 };
    }
    Ok(count)
}

/// Removes a file or a directory; it need not be there.
fn remove_tree(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
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
                            // Damaged while others are at work: they repair it, or wait for the repair.
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
    fn old_models_go_with_their_builds_and_young_ones_stay() {
        let root = tempfile::tempdir().unwrap();
        let cache = Cache::open(root.path(), ENGINE).unwrap();
        let built = cache.target_directory().join("release/deps");
        fs::create_dir_all(&built).unwrap();
        let now = SystemTime::now();
        for (package, days) in [("a-1", 1), ("b-2", 40), ("c-3", 3), ("d-4", 2)] {
            let directory = cache.add(&made(package)).unwrap();
            let stamp = File::options().write(true).open(directory.join(LAST_USED)).unwrap();
            stamp.set_modified(now - Duration::from_secs(days * 24 * 60 * 60)).unwrap();
            fs::write(built.join(format!("{}-0123", package.replace('-', "_"))), "").unwrap();
        }
        fs::write(built.join("libmcc_runtime.rlib"), "").unwrap();
        let left = |directory: &Path| {
            let mut names: Vec<_> = entries(directory)
                .map(|path| path.file_name().unwrap().to_str().unwrap().to_string())
                .collect();
            names.sort();
            names
        };
        cache.prune_models(KEEP_FOR, 10);
        assert_eq!(left(&cache.crates()), ["a-1", "c-3", "d-4"]);
        cache.prune_models(KEEP_FOR, 2);
        assert_eq!(left(&cache.crates()), ["a-1", "d-4"]);
        assert_eq!(left(&built), ["a_1-0123", "d_4-0123", "libmcc_runtime.rlib"]);
    }

    #[test]
    fn unused_engines_and_leftovers_go() {
        let root = tempfile::tempdir().unwrap();
        let old = Engine { identity: "old", ..ENGINE };
        drop(Cache::open(root.path(), old).unwrap());
        fs::create_dir(root.path().join(".mcc-unpack-1-0")).unwrap();
        let then = SystemTime::now() - Duration::from_secs(60 * 24 * 60 * 60);
        for name in ["engine-old.lock", ".mcc-unpack-1-0"] {
            File::open(root.path().join(name)).unwrap().set_modified(then).unwrap();
        }
        Cache::open(root.path(), ENGINE).unwrap().add(&made("a")).unwrap();
        Cache::open(root.path(), ENGINE).unwrap().prune();
        let mut left: Vec<_> =
            entries(root.path()).map(|path| path.file_name().unwrap().to_owned()).collect();
        left.sort();
        assert_eq!(left, ["engine-old.lock", "engine-test", "engine-test.lock"]);
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
