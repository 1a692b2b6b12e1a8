//! Gathers what mcc carries inside: the runtime's sources, the templates and the lock file, which
//! `engine/` names by links, so that `cargo package` takes copies of them along. The result is a
//! table of `include_bytes!`, so that a changed file rebuilds mcc, and a new file does as well.
//! Finds out the commit that is being built, too.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use sha2::{Digest, Sha256};

fn main() -> io::Result<()> {
    let compiler = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let engine = |name: &str| resolved(&compiler.join("engine").join(name));
    let mut hash = Sha256::new();
    hash.update(env::var("CARGO_PKG_VERSION").unwrap_or_default());

    let manifest = engine("runtime.toml")?;
    let mut runtime = vec![("Cargo.toml".to_string(), manifest.clone())];
    gather(&engine("runtime")?, "src", &mut runtime)?;
    let mut templates = Vec::new();
    gather(&engine("templates")?, "", &mut templates)?;
    let lock = vec![("Cargo.lock".to_string(), engine("workspace.lock")?)];

    let mut code = String::new();
    for (name, files) in [("RUNTIME", &runtime), ("TEMPLATES", &templates), ("LOCK", &lock)] {
        let _ = writeln!(code, "static {name}: &[(&str, &[u8])] = &[");
        for (path, file) in files {
            println!("cargo::rerun-if-changed={}", file.display());
            let contents = fs::read(file)?;
            hash.update(path);
            hash.update((contents.len() as u64).to_le_bytes());
            hash.update(&contents);
            let _ = writeln!(code, "    ({path:?}, include_bytes!({:?})),", file.display().to_string());
        }
        let _ = writeln!(code, "];");
    }
    let identity: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let _ = writeln!(code, "const IDENTITY: &str = {identity:?};");
    let manifest = fs::read_to_string(manifest)?;
    let _ = writeln!(code, "const RUST_VERSION: &str = {:?};", quoted(&manifest, "rust-version"));
    let _ = writeln!(code, "const RUNTIME_VERSION: &str = {:?};", quoted(&manifest, "version"));
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("embedded.rs"), code)?;
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = commit(&compiler).map_or(String::new(), |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=MCC_VERSION={version}{commit}");
    Ok(())
}

/// Where a link of `engine/` leads.
fn resolved(link: &Path) -> io::Result<PathBuf> {
    // Where the file system has no links, git leaves a short text file that names the place.
    if let Some(directory) = link.parent()
        && let Ok(text) = fs::read_to_string(link)
        && text.starts_with("../../")
        && let Ok(place) = directory.join(text.trim()).canonicalize()
    {
        return Ok(place);
    }
    link.canonicalize().map_err(|error| io::Error::other(format!("{}: {error}", link.display())))
}

/// The commit that is built: of a package, the one that it was made from; of a working copy, the
/// one that is checked out, and whether the sources were modified since. Looked at whenever the
/// sources change: a commit that leaves them as they are is not worth a build.
fn commit(compiler: &Path) -> Option<String> {
    println!("cargo::rerun-if-changed={}", compiler.join("src").display());
    println!("cargo::rerun-if-changed={}", compiler.join("build.rs").display());
    if let Ok(text) = fs::read_to_string(compiler.join(".cargo_vcs_info.json")) {
        let sha1 = text.split_once("\"sha1\"")?.1.split('"').nth(1)?;
        let dirty = text.contains("\"dirty\": true");
        return Some(short(sha1, dirty));
    }
    let root = compiler.parent()?;
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // Somebody else's repository may lie around a copy of ours.
    if Path::new(&git(&["rev-parse", "--show-toplevel"])?) != root {
        return None;
    }
    let sources = ["status", "--porcelain", "--", "compiler", "runtime", "templates", "Cargo.lock"];
    Some(short(&git(&["rev-parse", "HEAD"])?, !git(&sources)?.is_empty()))
}

fn short(commit: &str, modified: bool) -> String {
    let commit: String = commit.chars().take(12).collect();
    commit + if modified { ", modified" } else { "" }
}

/// All files below a directory, in the order of their names; their names are relative, with `/`
/// between.
fn gather(directory: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut entries: Vec<_> = fs::read_dir(directory)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let hidden_or_backup = name.starts_with('.') || name.ends_with('~');
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), &path, files)?;
        } else if !hidden_or_backup {
            files.push((path, entry.path()));
        }
    }
    Ok(())
}

/// The value of `key = "value"` in a manifest.
fn quoted<'a>(manifest: &'a str, key: &str) -> &'a str {
    let value = manifest.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
    value.map_or("", |value| value.trim().trim_matches('"'))
}
