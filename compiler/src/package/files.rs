//! Small operations on files that every part of packaging shares: nobody ever sees half a file.

use std::io::Write;
use std::path::Path;
use std::{fs, io};

use mcc_runtime::host::storage::{Partial, is_partial};

/// Writes a file, with the directories above it, only if its contents differ: build tools go by
/// times.
pub fn write_if_changed(path: &Path, contents: &[u8]) -> io::Result<bool> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    if is_file && fs::read(path).is_ok_and(|existing| existing == contents) {
        return Ok(false);
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let partial = Partial::create(path)?;
    partial.file().write_all(contents)?;
    partial.rename()?;
    Ok(true)
}

/// Removes from a directory all but the files of these names, which have `/` between their parts.
/// The directory need not be there; a link in its place, or in that of a file, is removed, not
/// followed.
pub fn remove_foreign(directory: &Path, expected: &[&str]) -> io::Result<()> {
    match fs::symlink_metadata(directory) {
        Ok(about) if about.is_dir() => {}
        _ => return remove_tree(directory),
    }
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let below: Vec<&str> = expected
            .iter()
            .filter_map(|path| path.split_once('/').filter(|(first, _)| name == *first).map(|(_, rest)| rest))
            .collect();
        if kind.is_dir() && !below.is_empty() {
            remove_foreign(&entry.path(), &below)?;
        } else if !(kind.is_file() && (expected.iter().any(|path| name == *path) || is_partial(&name))) {
            // A file that another mcc is just writing stays: cargo does not read it.
            remove_tree(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file or a directory; it need not be there.
pub fn remove_tree(path: &Path) -> io::Result<()> {
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

    #[cfg(unix)]
    #[test]
    fn what_is_foreign_goes_and_what_is_behind_links_stays() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let (directory, elsewhere) = (root.path().join("crate"), root.path().join("elsewhere"));
        for path in
            ["src/main.rs", "Cargo.toml", "build.rs", ".cargo/config.toml", "src/bin/x.rs", "src/y.rs"]
        {
            write_if_changed(&directory.join(path), b"text").unwrap();
        }
        write_if_changed(&elsewhere.join("model.rs"), b"precious").unwrap();
        symlink(&elsewhere, directory.join("benches")).unwrap();
        symlink(elsewhere.join("model.rs"), directory.join("src/model.rs")).unwrap();
        remove_foreign(&directory, &["Cargo.toml", "src/main.rs", "src/model.rs"]).unwrap();
        let names = |path: &Path| {
            let mut names: Vec<_> =
                fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&directory), ["Cargo.toml", "src"]);
        assert_eq!(names(&directory.join("src")), ["main.rs"]);
        assert_eq!(fs::read(elsewhere.join("model.rs")).unwrap(), b"precious");
        // The directory itself may be a link, or missing.
        let link = root.path().join("link");
        symlink(&elsewhere, &link).unwrap();
        remove_foreign(&link, &["model.rs"]).unwrap();
        assert!(!link.exists() && elsewhere.join("model.rs").exists());
        remove_foreign(&link, &[]).unwrap();
    }
}
