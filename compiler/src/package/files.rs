//! Small operations on files that every part of packaging shares: nobody ever sees half a file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, io, process};

/// A name beside `path` that no other process and no other thread uses.
pub fn unique_sibling(path: &Path, purpose: &str) -> PathBuf {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    // A short name: that of the file itself may already be as long as names can be.
    path.with_file_name(format!(".mcc-{purpose}-{}-{count}", process::id()))
}

/// Writes a file in one step: readers see the old contents or the new ones.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let temporary = unique_sibling(path, "write");
    let written = fs::write(&temporary, contents).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Writes a file, with the directories above it, only if its contents differ: build tools go by times.
pub fn write_if_changed(path: &Path, contents: &[u8]) -> io::Result<bool> {
    if fs::read(path).is_ok_and(|existing| existing == contents) {
        return Ok(false);
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    write_atomically(path, contents)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unchanged_file_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a/b/c.txt");
        assert!(write_if_changed(&path, b"one").unwrap());
        assert!(!write_if_changed(&path, b"one").unwrap());
        assert!(write_if_changed(&path, b"two").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(
            fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1,
            "no temporary file stays behind"
        );
    }
}
