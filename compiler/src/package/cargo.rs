//! Runs cargo on a crate in the cache, undisturbed by the user's surroundings, and understands what went wrong.
//!
//! Cargo is always run offline first. Only if that fails for want of a dependency is the network asked, so a machine
//! that has built one verifier needs no network for the next. A failure that a damaged target directory explains
//! is answered by building it anew, once.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde::Deserialize;

use super::cache::Cache;
use super::embedded;
use super::failure::Failure;

/// Who is told how a build goes on.
pub trait Observer {
    /// The runtime is being built: this will take a while, once.
    fn building_runtime(&mut self);
    /// Another build uses the cache; this one begins when that has ended.
    fn waiting(&mut self);
    /// The dependencies are being downloaded.
    fn downloading(&mut self);
    /// A line that cargo printed.
    fn cargo_line(&mut self, line: &str);
}

/// Builds the crate `package` in `directory` and returns the path of its executable.
pub fn build(
    cache: &Cache,
    directory: &Path,
    package: &str,
    observer: &mut dyn Observer,
) -> Result<PathBuf, Failure> {
    let target = cache.target_directory();
    let attempt = |observer: &mut dyn Observer| -> Result<Attempt, Failure> {
        let mut command = cargo(directory);
        command.args(["build", "--release", "--offline", "--message-format=json-render-diagnostics"]);
        command.arg("--target-dir").arg(&target);
        run(command, package, observer)
    };
    let mut fetched = false;
    let mut rebuilt = false;
    loop {
        let tried = attempt(observer)?;
        if let Some(executable) = tried.executable() {
            return Ok(executable);
        }
        match Cause::of(&tried, package) {
            Cause::DiskFull => return Err(Failure::DiskFull),
            Cause::NoLinker => return Err(Failure::LinkerMissing),
            Cause::NotCompiled if !fetched => {
                refuse_old_toolchain(directory)?;
                fetch(directory, package, observer)?;
                fetched = true;
            }
            Cause::Damage if !rebuilt => {
                refuse_old_toolchain(directory)?;
                cache.discard_builds()?;
                rebuilt = true;
            }
            Cause::NotCompiled | Cause::Damage | Cause::GeneratedCode => {
                refuse_old_toolchain(directory)?;
                return Err(Failure::BuildFailed {
                    directory: directory.into(),
                    transcript: tried.transcript,
                });
            }
        }
    }
}

fn fetch(directory: &Path, package: &str, observer: &mut dyn Observer) -> Result<(), Failure> {
    observer.downloading();
    let mut command = cargo(directory);
    command.arg("fetch");
    let tried = run(command, package, observer)?;
    if tried.success { Ok(()) } else { Err(Failure::DependenciesMissing { transcript: tried.transcript }) }
}

/// Why a build failed, as far as it can be told from what cargo said.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    /// Cargo gave up before it compiled anything: most often, a dependency is not there.
    NotCompiled,
    /// A dependency, or the link with it, failed: what the target directory holds is not what it should be.
    Damage,
    NoLinker,
    DiskFull,
    GeneratedCode,
}

impl Cause {
    fn of(tried: &Attempt, package: &str) -> Cause {
        let said = |text: &str| tried.transcript.contains(text);
        if said("No space left on device") || said("os error 28") {
            Cause::DiskFull
        } else if said("error: linker `") && said("not found") {
            Cause::NoLinker
        } else if tried.success {
            // Cargo believes that the executable is there, but it is not.
            Cause::Damage
        } else if !said("could not compile `") {
            Cause::NotCompiled
        } else if !said(&format!("could not compile `{package}`"))
            || ["E0460", "E0461", "E0462", "E0463", "E0464", "E0514", "E0786"].iter().any(|code| said(code))
            || said("error: linking with")
            || said("failed to build archive")
            || said("extern location for")
        {
            Cause::Damage
        } else {
            Cause::GeneratedCode
        }
    }
}

/// What one run of cargo said and made.
#[derive(Debug, Default)]
struct Attempt {
    success: bool,
    transcript: String,
    artifact: Option<PathBuf>,
}

impl Attempt {
    fn executable(&self) -> Option<PathBuf> {
        self.artifact.clone().filter(|path| self.success && path.is_file())
    }
}

/// A message of cargo's on standard output; all others lack these fields or have other values in them.
#[derive(Deserialize)]
struct Artifact {
    executable: Option<PathBuf>,
    target: ArtifactTarget,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
}

fn run(mut command: Command, package: &str, observer: &mut dyn Observer) -> Result<Attempt, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::CargoMissing { program: program.clone() },
        _ => Failure::CargoUnusable { program: program.clone(), error },
    })?;
    let mut tried = Attempt::default();
    let stdout = child.stdout.take();
    // Both pipes are read at the same time: a full one would stop cargo.
    let messages = thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stdout) = stdout {
            let _ = stdout.read_to_end(&mut text);
        }
        text
    });
    let mut told = false;
    let mut waits = false;
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            let compiles = line.trim_start().strip_prefix("Compiling ");
            if !told && compiles.is_some_and(|name| !name.starts_with(package)) {
                told = true;
                observer.building_runtime();
            }
            if !waits && line.trim_start().starts_with("Blocking waiting for file lock") {
                waits = true;
                observer.waiting();
            }
            observer.cargo_line(&line);
            tried.transcript.push_str(&line);
            tried.transcript.push('\n');
        }
    }
    let status = child.wait().map_err(|error| Failure::CargoUnusable { program, error })?;
    tried.success = status.success();
    let messages = messages.join().unwrap_or_default();
    tried.artifact = String::from_utf8_lossy(&messages)
        .lines()
        .filter_map(|line| serde_json::from_str::<Artifact>(line).ok())
        .filter(|artifact| artifact.target.name == package)
        .find_map(|artifact| artifact.executable);
    Ok(tried)
}

/// Cargo, at work in `directory`: settings of the directory that the user happens to be in do not reach it there,
/// and those of the user's environment that would change the build are taken away.
fn cargo(directory: &Path) -> Command {
    let mut command = quiet(program("CARGO", "cargo"), directory);
    command.args(["--color", "never"]);
    command
}

fn quiet(program: OsString, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(disturbs) {
            command.env_remove(name);
        }
    }
    command
}

fn program(variable: &str, default: &str) -> OsString {
    env::var_os(variable).filter(|value| !value.is_empty()).unwrap_or_else(|| default.into())
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

/// Asked only after a failure: it costs a process.
fn refuse_old_toolchain(directory: &Path) -> Result<(), Failure> {
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

    fn failed(transcript: &str) -> Cause {
        Cause::of(&Attempt { transcript: transcript.into(), ..Attempt::default() }, "model-1")
    }

    #[test]
    fn causes_are_told_apart() {
        assert_eq!(failed("error: no matching package named `clap` found"), Cause::NotCompiled);
        assert_eq!(
            failed("error[E0425]: x\n --> src/model.rs:1:1\nerror: could not compile `model-1` (bin)"),
            Cause::GeneratedCode
        );
        assert_eq!(
            failed("error[E0786]: found invalid metadata files\nerror: could not compile `model-1` (bin)"),
            Cause::Damage
        );
        assert_eq!(failed("error: could not compile `clap` (lib)"), Cause::Damage);
        assert_eq!(failed("error: linker `cc` not found\nerror: could not compile `libc`"), Cause::NoLinker);
        assert_eq!(failed("error: No space left on device (os error 28)"), Cause::DiskFull);
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
