//! The files of the repository that people read, and the groups in which findings are counted.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The kind of a file, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Rust,
    Markdown,
}

/// A file with its text. The path is relative to the top of the repository, with `/` between.
#[derive(Clone, Debug)]
pub struct File {
    pub path: String,
    pub kind: Kind,
    pub text: String,
}

impl File {
    /// Where its findings are counted: the crate, or the folder at the top of the repository. It is
    /// larger than a module, so that modules can move without touching the counts.
    pub fn group(&self) -> &str {
        group(&self.path)
    }
}

fn group(path: &str) -> &str {
    let slashes: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    match slashes[..] {
        [] => ".",
        [_, second, ..] if path.starts_with("tools/") => &path[..second],
        [first, ..] => &path[..first],
    }
}

/// All Rust and Markdown files below a directory, in the order of their names.
pub fn collect(root: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    visit(root, "", &mut files)?;
    Ok(files)
}

fn visit(directory: &Path, prefix: &str, files: &mut Vec<File>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(directory)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || prefix.is_empty() && name == "target" {
            continue;
        }
        let path = format!("{prefix}{name}");
        let kind = match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("rs") => Some(Kind::Rust),
            Some("md") => Some(Kind::Markdown),
            _ => None,
        };
        if entry.file_type()?.is_dir() {
            visit(&entry.path(), &format!("{path}/"), files)?;
        } else if let Some(kind) = kind {
            files.push(File { path, kind, text: fs::read_to_string(entry.path())? });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_counted_by_crates_and_folders() {
        assert_eq!(group("README.md"), ".");
        assert_eq!(group("runtime/src/state/mod.rs"), "runtime");
        assert_eq!(group("docs/internals/sleep.md"), "docs");
        assert_eq!(group("tools/fuzzing/src/main.rs"), "tools/fuzzing");
        assert_eq!(group("tools/README.md"), "tools");
    }
}
