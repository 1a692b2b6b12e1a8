//! Directories that cargo builds in. Cargo locks such a directory while it builds, so several
//! models are built at the same time in several of them, the *lanes*.
//!
//! ```text
//! <engine>/target/         the first lane: builds that come one after the other are all here
//! <engine>/target-1/ …     further lanes, for builds that come while the others are taken
//! <engine>/target.lock …   who has the lock builds in the lane
//! ```
//! A further lane begins with what the first one has of the runtime: its libraries are links to the
//! same files, since rustc replaces files and does not change them. Should a copy not fit together,
//! because the first lane was being built anew at that time, cargo sees that and builds it.
//! Who builds a model has the lock of its crate, so that it is built in one lane, and then that of
//! a lane. Both are held only while cargo runs, and nothing else is waited for meanwhile.

use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::cache::{BUILDING, Cache, entries};
use super::files::remove_tree;

/// How often somebody who waits looks whether it is over.
const PATIENCE: Duration = Duration::from_millis(50);
/// Largest number of lanes; there are not more than processors either.
const MOST: usize = 8;
/// Smaller files are copied instead of linked: cargo may write to them.
const LINKED_FROM: u64 = 64 << 10;

/// A directory to build in, which is ours while this value lives.
pub struct Lane {
    pub directory: PathBuf,
    _locks: [File; 2],
}

impl Cache {
    /// All lanes that there are.
    pub(super) fn lanes(&self) -> Vec<PathBuf> {
        (0..MOST).map(|number| self.lane_directory(number)).filter(|lane| lane.is_dir()).collect()
    }

    fn lane_directory(&self, number: usize) -> PathBuf {
        match number {
            0 => self.target_directory(),
            _ => self.target_directory().with_file_name(format!("target-{number}")),
        }
    }

    /// The lane in which a model was built, or a lane without a build. `waits` is asked again
    /// and again while there is none yet, and `false` gives up.
    pub fn lane(&self, package: &str, waits: &mut dyn FnMut() -> bool) -> io::Result<Lane> {
        let mut wait = |lock: &File| loop {
            match lock.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if !waits() => return Err(io::ErrorKind::Interrupted.into()),
                Err(TryLockError::WouldBlock) => thread::sleep(PATIENCE),
            }
        };
        let building = self.crates().join(package).join(BUILDING);
        let model = File::options().create(true).truncate(false).write(true).open(building)?;
        wait(&model)?;
        let executable = Path::new("release").join(format!("{package}{EXE_SUFFIX}"));
        let built = self.lanes().into_iter().find(|lane| lane.join(&executable).is_file());
        let free = if built.is_none() { self.free_lane() } else { None };
        let (directory, lock) = match free {
            Some(free) => free,
            None => {
                let directory = built.unwrap_or_else(|| self.target_directory());
                let lock = lock_of(&directory)?;
                wait(&lock)?;
                (directory, lock)
            }
        };
        Ok(Lane { directory, _locks: [model, lock] })
    }

    /// A lane that nobody builds in. Where a further one cannot be made, there is none.
    fn free_lane(&self) -> Option<(PathBuf, File)> {
        let first = self.target_directory();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        for number in 0..processors.min(MOST) {
            if number > 0 && !has_runtime(&first) {
                return None;
            }
            let directory = self.lane_directory(number);
            let lock = lock_of(&directory).ok()?;
            if lock.try_lock().is_err() {
                continue;
            }
            if number > 0 && !directory.is_dir() {
                seed(&first, &directory).ok()?;
            }
            return Some((directory, lock));
        }
        None
    }
}

fn lock_of(lane: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(lane.with_extension("lock"))
}

/// Whether the runtime, the last of the libraries, was built in a lane.
fn has_runtime(lane: &Path) -> bool {
    entries(&lane.join("release/deps")).any(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with("libmcc_runtime-") && name.ends_with(".rlib")
    })
}

/// Makes a lane of what another has of the libraries; it is there as a whole, or not.
fn seed(first: &Path, lane: &Path) -> io::Result<()> {
    // We have the lock of the lane, so what is there is a leftover of a killed process.
    let fresh = lane.with_extension("new");
    remove_tree(&fresh)?;
    // What says that a file is up to date comes before the file, which may only be newer.
    for part in [".fingerprint", "build", "deps"] {
        copy(&first.join("release").join(part), &fresh.join("release").join(part), part == "deps")?;
    }
    fs::rename(fresh, lane)
}

/// Copies a directory with the times of its files, which cargo compares. `only_libraries`: without
/// executables, which are those of models.
fn copy(from: &Path, to: &Path, only_libraries: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        let Some(name) = path.file_name() else { continue };
        let target = to.join(name);
        if kind.is_dir() {
            copy(&path, &target, only_libraries)?;
            continue;
        }
        let is_executable = path.extension().is_none_or(|extension| extension == "exe");
        if !kind.is_file() || only_libraries && is_executable {
            continue;
        }
        match copy_file(&path, &target) {
            // Files of a build that goes on come and go.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => copied?,
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let about = fs::metadata(from)?;
    if about.len() >= LINKED_FROM && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(about.modified()?)
}

#[cfg(test)]
mod tests {
    use super::super::embedded::Engine;
    use super::super::template::CrateFiles;
    use super::*;

    const ENGINE: Engine = Engine { identity: "test", runtime: &[("Cargo.toml", b"manifest")] };

    #[test]
    fn who_comes_while_others_build_gets_another_lane() {
        let root = tempfile::tempdir().unwrap();
        let cache = Cache::open(root.path(), ENGINE).unwrap();
        let name = |lane: &Lane| lane.directory.file_name().unwrap().to_str().unwrap().to_owned();
        let lane = |package: &str| {
            let files = vec![("src/model.rs".into(), package.into())];
            cache.add(&CrateFiles { package: package.into(), files }).unwrap();
            cache.lane(package, &mut || panic!("it does not wait")).unwrap()
        };
        let first = lane("a-1");
        assert_eq!(name(&first), "target");
        drop(first);
        let release = cache.target_directory().join("release");
        for folder in ["deps", "build", ".fingerprint/x"] {
            fs::create_dir_all(release.join(folder)).unwrap();
        }
        fs::write(release.join("deps/libmcc_runtime-1.rlib"), vec![1; 100_000]).unwrap();
        fs::write(release.join("deps/a_1-0123"), "an executable of a model").unwrap();
        fs::write(release.join(".fingerprint/x/hash"), "0123").unwrap();
        let first = lane("a-1");
        if thread::available_parallelism().map_or(1, usize::from) < 2 {
            return;
        }
        let second = lane("b-2");
        assert_eq!((name(&first), name(&second)), ("target".to_owned(), "target-1".to_owned()));
        let copied = second.directory.join("release");
        assert_eq!(fs::read(copied.join(".fingerprint/x/hash")).unwrap(), b"0123");
        assert_eq!(fs::read(copied.join("deps/libmcc_runtime-1.rlib")).unwrap().len(), 100_000);
        assert!(!copied.join("deps/a_1-0123").exists());
        let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let hash = ".fingerprint/x/hash";
        assert_eq!(time(&release.join(hash)), time(&copied.join(hash)));
        drop((first, second));
        // A model stays where it was built.
        fs::write(copied.join("b-2"), "").unwrap();
        assert_eq!((name(&lane("b-2")), name(&lane("c-3"))), ("target-1".to_owned(), "target".to_owned()));
        cache.discard_builds().unwrap();
        assert!(cache.lanes().is_empty());
    }

    #[test]
    fn who_waits_for_a_lane_can_give_up() {
        let root = tempfile::tempdir().unwrap();
        let cache = Cache::open(root.path(), ENGINE).unwrap();
        let files = vec![("src/model.rs".into(), "a-1".into())];
        cache.add(&CrateFiles { package: "a-1".into(), files }).unwrap();
        let taken = cache.lane("a-1", &mut || panic!("it does not wait")).unwrap();
        let mut asked = 0;
        let given_up = cache.lane("a-1", &mut || {
            asked += 1;
            asked < 3
        });
        assert_eq!(given_up.err().map(|error| error.kind()), Some(io::ErrorKind::Interrupted));
        assert_eq!(asked, 3);
        drop(taken);
        assert!(cache.lane("a-1", &mut || panic!("it does not wait")).is_ok());
    }
}
