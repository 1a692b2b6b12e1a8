//! What leaves the cache: crates that were not used for long, engines of other versions, leftovers
//! of interrupted work.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::cache::{Cache, LAST_USED, entries};
use super::files::remove_tree;

/// Crates, and engines of other versions of mcc, that were not used for this time are dropped.
const KEEP_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Largest number of models that are kept.
const KEEP_MODELS: usize = 200;
/// Leftovers of interrupted work are dropped after this time.
const KEEP_LEFTOVERS_FOR: Duration = Duration::from_secs(24 * 60 * 60);

impl Cache {
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

    /// Removes a model's crate and what cargo made of it, as far as that is possible.
    fn remove_model(&self, package: &str) {
        let _ = self.remove_built(package);
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
                // The lock file stays: a process that waits for it would otherwise hold a lock that
                // nobody sees.
                if let Ok(lock) = File::open(&path)
                    && lock.try_lock().is_ok()
                {
                    let _ = remove_tree(&path.with_extension(""));
                }
            }
        }
    }
}

/// How long ago a file was written; zero for times in the future.
fn age(path: &Path) -> Option<Duration> {
    let written = fs::metadata(path).ok()?.modified().ok()?;
    Some(SystemTime::now().duration_since(written).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::embedded::Engine;
    use super::super::template::CrateFiles;
    use super::*;

    const ENGINE: Engine = Engine { identity: "test", runtime: &[("Cargo.toml", b"manifest")] };

    fn made(package: &str) -> CrateFiles {
        CrateFiles { package: package.into(), files: vec![("src/model.rs".into(), package.into())] }
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
}
