//! Runs cargo on a crate in the cache, in surroundings of its own (`environment.rs`), and
//! understands what went wrong.
//!
//! Cargo is always run offline first. Only if that fails for want of a dependency is the network
//! asked, so a machine that has built one verifier needs no network for the next. A failure that a
//! damaged target directory explains is answered by building it anew, once.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde::Deserialize;

use super::cache::Cache;
use super::environment::{cargo, refuse_old_toolchain};
use super::failure::Failure;

/// Receives the progress of a build.
pub trait Observer {
    /// The runtime is being built: this will take a while, once.
    fn building_runtime(&mut self);
    /// Another build uses the cache; this one begins when that has ended.
    fn waiting(&mut self);
    /// The dependencies are being downloaded.
    fn downloading(&mut self);
    /// What is in the cache is not what was built, for this reason; it is built again.
    fn rebuilding(&mut self, why: &str);
    /// A line that cargo printed.
    fn cargo_line(&mut self, line: &str);
    /// Whether the caller no longer wants what another build keeps it waiting for.
    fn gives_up(&self) -> bool {
        false
    }
}

/// What cargo has made of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executable {
    pub path: PathBuf,
    /// It was there before, and cargo saw no reason to build it again.
    pub fresh: bool,
}

/// Builds the crate `package` in `directory`.
pub fn build(
    cache: &Cache,
    directory: &Path,
    package: &str,
    observer: &mut dyn Observer,
) -> Result<Executable, Failure> {
    let attempt = |observer: &mut dyn Observer| -> Result<Attempt, Failure> {
        let mut said = false;
        let lane = cache.lane(package, &mut || {
            if !said {
                observer.waiting();
                said = true;
            }
            !observer.gives_up()
        });
        let lane = lane.map_err(Failure::io("lock", cache.target_directory()))?;
        let mut command = cargo("build", directory);
        command.args(["--release", "--offline", "--message-format=json-render-diagnostics"]);
        command.arg("--target-dir").arg(&lane.directory);
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
            Cause::NoCargo => {
                return Err(Failure::NoCargo { program: tried.program, transcript: tried.transcript });
            }
            Cause::NoExecutable if !rebuilt => {
                cache.discard_model(package, || true)?;
                rebuilt = true;
            }
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
            Cause::NoExecutable => {
                return Err(Failure::NoExecutable { program: tried.program });
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
    let tried = run(cargo("fetch", directory), package, observer)?;
    if tried.success { Ok(()) } else { Err(Failure::DependenciesMissing { transcript: tried.transcript }) }
}

/// Why a build failed, as far as the output of cargo shows it.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    /// What ran does not speak as cargo does.
    NoCargo,
    /// Cargo believes that the executable is there, but it is not.
    NoExecutable,
    /// Cargo gave up before it compiled anything: most often, a dependency is not there.
    NotCompiled,
    /// A dependency, or the link with it, failed: what the target directory holds is not what it
    /// should be.
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
        } else if !tried.finished && (tried.success || tried.transcript.is_empty()) {
            // Cargo says that it has finished, and says why if it has not.
            Cause::NoCargo
        } else if tried.success {
            Cause::NoExecutable
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
    program: String,
    success: bool,
    /// Cargo reported the end of the build.
    finished: bool,
    transcript: String,
    artifact: Option<Executable>,
}

impl Attempt {
    fn executable(&self) -> Option<Executable> {
        let complete = self.success && self.finished;
        self.artifact.clone().filter(|artifact| complete && artifact.path.is_file())
    }
}

/// A message of cargo's on standard output; which fields it has depends on the reason.
#[derive(Deserialize)]
struct Message {
    reason: String,
    executable: Option<PathBuf>,
    #[serde(default)]
    fresh: bool,
    target: Option<MessageTarget>,
}

#[derive(Deserialize)]
struct MessageTarget {
    name: String,
}

fn run(mut command: Command, package: &str, observer: &mut dyn Observer) -> Result<Attempt, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::CargoMissing { program: program.clone() },
        _ => Failure::CargoUnusable { program: program.clone(), error },
    })?;
    let mut tried = Attempt { program: program.clone(), ..Attempt::default() };
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
    for message in String::from_utf8_lossy(&messages).lines() {
        let Ok(message) = serde_json::from_str::<Message>(message) else { continue };
        let ours = message.target.is_some_and(|target| target.name == package);
        tried.finished |= message.reason == "build-finished";
        if let (true, Some(path)) = (ours && message.reason == "compiler-artifact", message.executable) {
            tried.artifact = Some(Executable { path, fresh: message.fresh });
        }
    }
    Ok(tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(transcript: &str) -> Cause {
        Cause::of(&Attempt { transcript: transcript.into(), ..Attempt::default() }, "model-1")
    }

    #[test]
    fn what_is_not_cargo_is_not_damage() {
        let silent = |success| Attempt { success, ..Attempt::default() };
        assert_eq!(Cause::of(&silent(true), "model-1"), Cause::NoCargo);
        assert_eq!(Cause::of(&silent(false), "model-1"), Cause::NoCargo);
        let cargo = Attempt { success: true, finished: true, ..Attempt::default() };
        assert_eq!(Cause::of(&cargo, "model-1"), Cause::NoExecutable);
    }

    #[test]
    fn causes_are_distinguished() {
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
}
