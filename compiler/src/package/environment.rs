//! In which surroundings does cargo run? In those of the user's own choice, and in no others.
//!
//! Cargo reads `.cargo/config.toml`, and rustup `rust-toolchain.toml`, in the working directory and
//! in all above it. So both are run in the root of the file system, where only the administrator
//! can put one, and find the crate by its full path. What the user has chosen stays in force:
//! `CARGO_HOME` with its configuration (registries, mirrors, proxies, linkers), `CARGO`, `RUSTC`,
//! the toolchain of rustup. Variables that would change what is built, or where, are taken away.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::embedded;
use super::failure::Failure;

/// Variables that name directories, and may do so relative to the one that the user is in.
const HOMES: [&str; 2] = ["CARGO_HOME", "RUSTUP_HOME"];

/// Cargo with one of its commands, for the crate in `directory`.
pub fn cargo(name: &str, directory: &Path) -> Command {
    let mut command = quiet(program("CARGO", "cargo"), directory);
    command.args(["--color", "never", name, "--locked", "--manifest-path"]);
    command.arg(directory.join("Cargo.toml"));
    command
}

fn quiet(program: OsString, directory: &Path) -> Command {
    let mut command = Command::new(program);
    let root = directory.ancestors().last().unwrap_or(directory);
    command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(disturbs) {
            command.env_remove(name);
        }
    }
    let home = |name| env::var_os(name).filter(|home| !home.is_empty()).map(|home| (name, home));
    for (name, home) in HOMES.into_iter().filter_map(home) {
        command.env(name, absolute(home));
    }
    if let Some(compiler) = env::var_os("RUSTC").filter(is_relative) {
        command.env("RUSTC", absolute(compiler));
    }
    command
}

/// A program that the environment names, or the usual one.
fn program(variable: &str, default: &str) -> OsString {
    let named = env::var_os(variable).filter(|value| !value.is_empty());
    named.map_or_else(|| default.into(), |name| if is_relative(&name) { absolute(name) } else { name })
}

/// Whether a name depends on the directory that the user is in. A single word is looked for in
/// `PATH`.
fn is_relative(name: &OsString) -> bool {
    let path = Path::new(name);
    path.is_relative() && path.components().count() > 1
}

fn absolute(name: OsString) -> OsString {
    std::path::absolute(&name).map_or(name, PathBuf::into_os_string)
}

/// Whether a variable of the environment would change what cargo builds or where.
fn disturbs(name: &str) -> bool {
    const KEPT: [&str; 6] =
        ["CARGO_HOME", "CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRY_", "CARGO_REGISTRIES_", "CARGO_SOURCE_"];
    const REMOVED: [&str; 9] = [
        "RUSTFLAGS",
        "RUSTDOCFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_LOG",
        "RUSTC_BOOTSTRAP",
        "MAKEFLAGS",
        "MFLAGS",
        "__CARGO_DEFAULT_LIB_METADATA",
    ];
    // A machine may need its own linker; which one is no question of taste.
    let linker = name.starts_with("CARGO_TARGET_") && name.ends_with("_LINKER");
    REMOVED.contains(&name)
        || name.starts_with("CARGO_") && !linker && !KEPT.iter().any(|kept| name.starts_with(kept))
}

/// Refuses a compiler that is too old. Asked only after a failure: it costs a process.
pub fn refuse_old_toolchain(directory: &Path) -> Result<(), Failure> {
    let mut command = quiet(program("RUSTC", "rustc"), directory);
    let Ok(output) = command.arg("--version").output() else { return Ok(()) };
    let found = String::from_utf8_lossy(&output.stdout).trim().to_string();
    match (version(&found), version(embedded::MINIMUM_RUST)) {
        (Some(have), Some(need)) if have < need => Err(Failure::ToolchainTooOld { found }),
        _ => Ok(()),
    }
}

/// The first two numbers of `rustc 1.88.0 (…)` or of `1.88`.
fn version(text: &str) -> Option<(u32, u32)> {
    let number =
        text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let mut parts = number.split(['.', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_depend_on_the_directory() {
        let depends = |name: &str| is_relative(&OsString::from(name));
        assert!(depends("./cargo") && depends("tools/cargo") && depends("../cargo"));
        assert!(!depends("cargo") && !depends("/usr/bin/cargo"));
        assert!(Path::new(&absolute("tools/cargo".into())).is_absolute());
    }

    #[test]
    fn cargo_runs_where_no_configuration_of_others_is_found() {
        let command = cargo("build", Path::new("/home/user/cache/crate"));
        assert_eq!(command.get_current_dir(), Some(Path::new("/")));
    }

    #[test]
    fn surroundings_that_change_the_build_are_kept_out() {
        for name in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_TARGET_DIR",
            "CARGO_BUILD_TARGET",
            "CARGO_PROFILE_RELEASE_LTO",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
            "RUSTC_WORKSPACE_WRAPPER",
            "CARGO_MAKEFLAGS",
        ] {
            assert!(disturbs(name), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_HTTP_PROXY", "PATH", "RUSTUP_TOOLCHAIN", "CARGO_TARGET_X_LINKER"] {
            assert!(!disturbs(name), "{name}");
        }
    }

    #[test]
    fn versions_are_read_as_rustc_prints_them() {
        assert_eq!(version("rustc 1.88.0 (6b00bc388 2025-06-23)"), Some((1, 88)));
        assert_eq!(version("rustc 1.90.0-nightly (x)"), Some((1, 90)));
        assert_eq!(version("1.88"), Some((1, 88)));
        assert_eq!(version("command not found"), None);
    }
}
