//! Gathers what mcc carries inside: the runtime's sources, the templates and the lock file. The
//! result is a table of `include_bytes!`, so that a changed file rebuilds mcc, and a new file does
//! as well.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

fn main() -> io::Result<()> {
    let compiler = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = compiler.parent().unwrap_or(&compiler).to_path_buf();
    let mut hash = Sha256::new();
    hash.update(env::var("CARGO_PKG_VERSION").unwrap_or_default());

    let mut runtime = vec![("Cargo.toml".to_string(), root.join("runtime/Cargo.toml"))];
    gather(&root.join("runtime/src"), "src", &mut runtime)?;
    let mut templates = Vec::new();
    gather(&root.join("templates"), "", &mut templates)?;
    let lock = vec![("Cargo.lock".to_string(), root.join("Cargo.lock"))];

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
    let manifest = fs::read_to_string(root.join("runtime/Cargo.toml"))?;
    let _ = writeln!(code, "const RUST_VERSION: &str = {:?};", quoted(&manifest, "rust-version"));
    let _ = writeln!(code, "const RUNTIME_VERSION: &str = {:?};", quoted(&manifest, "version"));
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("embedded.rs"), code)
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
