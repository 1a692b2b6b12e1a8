//! Files that appear complete or not at all: they are written under another name in the same
//! directory and renamed when they are complete.
//!
//! The other name is `.mcc-partial-` and 16 random hexadecimal digits. It is created exclusively,
//! so a symbolic link or a file that another user has put there is never followed or overwritten.
//! While it is being written it is locked (`flock`); what a killed process has left behind is not,
//! and the next process that writes to the same directory as the same user removes it.

use crate::random::unpredictable;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

const PREFIX: &str = ".mcc-partial-";
const DIGITS: usize = 16;
/// How often another name is tried.
const TRIES: u32 = 100;

/// A file that is not complete yet; dropped, it is gone.
#[derive(Debug)]
pub struct Partial {
    file: File,
    name: Name,
}

/// The names of a partial file, now and in the end.
#[derive(Debug)]
struct Name {
    temporary: PathBuf,
    path: PathBuf,
    /// A second handle, which holds the lock: the first is closed before the file gets its name,
    /// because an executable that is open for writing cannot be started.
    _lock: Option<File>,
}

impl Partial {
    /// Begins a file that is to be called `path`, and removes what killed processes have left in
    /// its directory.
    pub fn create(path: &Path) -> io::Result<Partial> {
        let names_directory = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if path.file_name().is_none() || names_directory {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of a file"));
        }
        let mut tries = 0;
        loop {
            let temporary = path.with_file_name(format!("{PREFIX}{:0DIGITS$x}", unpredictable()));
            let file = match File::create_new(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => {
                    tries += 1;
                    continue;
                }
                file => file?,
            };
            // Some file systems know no locks; nothing is removed there either, see
            // `remove_leftovers`.
            let lock = File::open(&temporary).ok().filter(|lock| lock.lock().is_ok());
            let about = file.metadata()?;
            if is_removed(&about) && tries < TRIES {
                // Another process took it for a leftover before it was locked.
                tries += 1;
                continue;
            }
            remove_leftovers(&temporary, &about);
            return Ok(Partial { file, name: Name { temporary, path: path.to_path_buf(), _lock: lock } });
        }
    }

    /// What is written to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where the bytes are until the file is complete.
    pub fn temporary_path(&self) -> &Path {
        &self.name.temporary
    }

    /// Syncs the file and gives it its name, in one step: readers see the old file or the new one,
    /// also after a crash.
    pub fn complete(self) -> io::Result<()> {
        self.file.sync_all()?;
        let path = self.name.path.clone();
        self.rename()?;
        // If this is not possible the contents are safe all the same: after a crash the old file
        // may be back.
        let _ = sync_directory(&path);
        Ok(())
    }

    /// Gives the file its name without syncing it: for what can be written again.
    pub fn rename(self) -> io::Result<()> {
        let Partial { file, name } = self;
        drop(file);
        fs::rename(&name.temporary, &name.path)
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        // After the rename there is nothing of that name, and that is fine.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// The directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the directory of a file, so that its name lasts.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(directory(path))?.sync_all()?;
    // Other systems have no such thing, and keep names by themselves.
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Whether a file of this name is one that was never completed.
pub fn is_partial(name: &OsStr) -> bool {
    let digits = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    digits
        .is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Removes partial files of this user that no living process has locked.
fn remove_leftovers(own: &Path, about: &Metadata) {
    let Ok(entries) = fs::read_dir(directory(own)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !is_partial(&name) || Some(name.as_os_str()) == own.file_name() {
            continue;
        }
        let path = entry.path();
        let ours =
            fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && same_owner(&found, about));
        // Locked until it is removed: a process that has just created it waits, and sees that it is
        // gone.
        if let Some(leftover) = ours.then(|| open_leftover(&path).ok()).flatten()
            && leftover.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(unix)]
fn open_leftover(path: &Path) -> io::Result<File> {
    // Whatever has taken its place in between: a link is not followed, and a pipe not waited for.
    let mut options = File::options();
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    options.read(true).open(path)
}

#[cfg(not(unix))]
fn open_leftover(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
fn same_owner(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_removed(about: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(about) == 0
}

#[cfg(not(unix))]
fn is_removed(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn place(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("mcc-partial-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_complete_and_not_before() {
        let directory = place("whole");
        let path = directory.join("report");
        fs::write(&path, "old").unwrap();
        let partial = Partial::create(&path).unwrap();
        partial.file().write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        partial.complete().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(Partial::create(&path).unwrap());
        assert_eq!(names(&directory), ["report"]);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn names_that_no_file_can_have_are_refused_before_anything_is_written() {
        let directory = place("nameless");
        for name in ["", ".", "..", "file/"] {
            assert!(Partial::create(&directory.join("x/..").join(name)).is_err(), "{name}");
        }
        assert!(Partial::create(Path::new("")).is_err());
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn leftovers_of_the_dead_go_and_files_of_the_living_stay() {
        let directory = place("leftovers");
        let living = Partial::create(&directory.join("living")).unwrap();
        // A killed process closes its files, and so lets go of the lock.
        let leftover = directory.join(format!("{PREFIX}0123456789abcdef"));
        fs::write(&leftover, "half").unwrap();
        let others =
            [".mcc-partial-notes", ".mcc-partial-0123456789abcdeg", "x.mcc-partial-0123456789abcdef"];
        for other in others {
            fs::write(directory.join(other), "mine").unwrap();
        }
        Partial::create(&directory.join("next")).unwrap().complete().unwrap();
        assert!(!leftover.exists());
        assert!(others.iter().all(|other| directory.join(other).exists()));
        living.complete().unwrap();
        assert!(directory.join("living").exists());
        fs::remove_dir_all(&directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_neither_followed_nor_taken_for_leftovers() {
        let directory = place("links");
        let victim = directory.join("victim");
        fs::write(&victim, "precious").unwrap();
        let link = directory.join(format!("{PREFIX}0123456789abcdef"));
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        let partial = Partial::create(&directory.join("report")).unwrap();
        partial.file().write_all(b"text").unwrap();
        partial.complete().unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert!(link.is_symlink());
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn many_at_once_in_one_directory() {
        let directory = place("many");
        std::thread::scope(|scope| {
            for number in 0..8 {
                let path = directory.join(format!("file-{number}"));
                scope.spawn(move || {
                    for round in 0..1000 {
                        let partial = Partial::create(&path).unwrap();
                        write!(partial.file(), "{round}").unwrap();
                        partial.rename().unwrap();
                    }
                });
            }
        });
        assert_eq!(names(&directory).len(), 8);
        fs::remove_dir_all(&directory).unwrap();
    }
}
