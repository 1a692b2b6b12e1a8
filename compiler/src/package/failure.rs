//! What can go wrong between generated code and an executable, and what the user can do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::access::Exposure;
use super::embedded;

#[derive(Debug)]
pub enum Failure {
    Io {
        action: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    NoCacheDirectory,
    CacheUnusable {
        path: PathBuf,
        error: io::Error,
    },
    CacheExposed {
        cache: PathBuf,
        directory: PathBuf,
        exposure: Exposure,
    },
    /// An executable in the cache does not stay what it was when it was built.
    CacheUnsteady {
        executable: PathBuf,
        difference: String,
    },
    OutputIsDirectory(PathBuf),
    OutputIsNotAFile(PathBuf),
    OutputIsStandardOutput,
    OutputIsTheModel(PathBuf),
    OutputUnwritable {
        path: PathBuf,
        error: io::Error,
    },
    EmitOccupied(PathBuf),
    EmitNotADirectory(PathBuf),
    CargoMissing {
        program: String,
    },
    CargoUnusable {
        program: String,
        error: io::Error,
    },
    NoCargo {
        program: String,
        transcript: String,
    },
    NoExecutable {
        program: String,
    },
    ToolchainTooOld {
        found: String,
    },
    LinkerMissing,
    DiskFull,
    DependenciesMissing {
        transcript: String,
    },
    BuildFailed {
        directory: PathBuf,
        transcript: String,
    },
    Template {
        name: &'static str,
        message: String,
    },
}

impl Failure {
    pub fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Failure {
        let path = path.into();
        move |error| Failure::Io { action, path, error }
    }

    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            Failure::NoCacheDirectory => "set MCC_CACHE to a directory of yours".into(),
            Failure::CacheUnusable { .. } => "set MCC_CACHE to a directory that you may write to".into(),
            Failure::CacheExposed { directory, exposure: Exposure::Writable, .. } => {
                let directory = directory.display();
                format!("run `chmod go-w {directory}`, or set MCC_CACHE to a directory of yours")
            }
            Failure::CacheExposed { exposure: Exposure::Foreign(_), .. } => {
                "set MCC_CACHE to a directory of yours; with sudo, to one of the user that mcc then runs as".into()
            }
            Failure::CacheUnsteady { .. } => {
                "find out what changes it, or set MCC_CACHE to a directory on another disk".into()
            }
            Failure::NoCargo { .. } | Failure::NoExecutable { .. } => {
                "CARGO must name the cargo of a Rust toolchain; without it, the one on PATH is used".into()
            }
            Failure::OutputIsDirectory(path) => {
                format!("name a file, for example `-o {}`", path.join("verifier").display())
            }
            Failure::OutputIsTheModel(_) => "choose another name with `-o FILE`".into(),
            Failure::EmitOccupied(_) => "choose a new or an empty directory, or one that mcc wrote before".into(),
            Failure::CargoMissing { .. } => format!(
                "verifiers are compiled by Rust {} or newer: install it from https://rustup.rs or with your \
                 distribution's package `cargo`; if it is installed, put it on PATH or name it in CARGO",
                embedded::MINIMUM_RUST
            ),
            Failure::ToolchainTooOld { .. } => {
                "run `rustup update stable`, or install a newer package from your distribution".into()
            }
            Failure::LinkerMissing => "install a C toolchain: `apt install build-essential`, `dnf install gcc`, \
                                       or `xcode-select --install` on macOS"
                .into(),
            Failure::DiskFull => "free some space, or move mcc's cache with MCC_CACHE".into(),
            Failure::Io { error, .. } if error.kind() == io::ErrorKind::StorageFull => {
                "free some space there; mcc's cache can be moved with MCC_CACHE".into()
            }
            Failure::OutputIsStandardOutput => {
                "name a file; one that is really called `-` is `-o ./-`".into()
            }
            Failure::DependenciesMissing { .. } => {
                "the first build downloads the runtime's dependencies: run it once with a network connection; \
                 later builds work offline"
                    .into()
            }
            Failure::BuildFailed { directory, .. } => format!(
                "this is a bug in mcc, not in your model: please report it with the crate, which is kept in {}",
                directory.display()
            ),
            Failure::Io { .. }
            | Failure::OutputIsNotAFile(_)
            | Failure::OutputUnwritable { .. }
            | Failure::EmitNotADirectory(_)
            | Failure::CargoUnusable { .. }
            | Failure::Template { .. } => return None,
        };
        Some(text)
    }

    /// What cargo said, where it explains the failure.
    pub fn transcript(&self) -> Option<&String> {
        match self {
            Failure::DependenciesMissing { transcript }
            | Failure::BuildFailed { transcript, .. }
            | Failure::NoCargo { transcript, .. } => Some(transcript).filter(|text| !text.is_empty()),
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Io { action, path, error } => write!(to, "cannot {action} {}: {error}", path.display()),
            Failure::NoCacheDirectory => write!(to, "there is no home directory for mcc's cache"),
            Failure::CacheUnusable { path, error } => {
                write!(to, "cannot use the cache directory {}: {error}", path.display())
            }
            Failure::CacheExposed { cache, directory, exposure } => {
                write!(to, "refusing to use the cache {}: ", cache.display())?;
                let directory = if cache == directory {
                    "it".to_owned()
                } else {
                    format!("{} above it", directory.display())
                };
                match exposure {
                    Exposure::Foreign(owner) => {
                        write!(to, "{directory} belongs to another user (number {owner})")
                    }
                    Exposure::Writable => write!(to, "{directory} is writable by other users"),
                }
            }
            Failure::CacheUnsteady { executable, difference } => {
                write!(to, "the verifier {} is not what was built: {difference}", executable.display())
            }
            Failure::NoCargo { program, .. } => {
                write!(to, "`{program}` has not reported a build as cargo does: is it cargo?")
            }
            Failure::NoExecutable { program } => {
                write!(to, "`{program}` reported a build, but there is no executable")
            }
            Failure::OutputIsDirectory(path) => write!(to, "the output {} is a directory", path.display()),
            Failure::OutputIsNotAFile(path) => {
                write!(to, "the output {} is not a regular file", path.display())
            }
            Failure::OutputIsStandardOutput => write!(to, "an executable cannot go to standard output"),
            Failure::OutputIsTheModel(path) => {
                write!(to, "the output {} would overwrite the model", path.display())
            }
            Failure::OutputUnwritable { path, error } => {
                write!(to, "cannot write the output {}: {error}", path.display())
            }
            Failure::EmitOccupied(path) => {
                write!(to, "the directory {} is not empty and was not written by mcc", path.display())
            }
            Failure::EmitNotADirectory(path) => write!(to, "{} is not a directory", path.display()),
            Failure::CargoMissing { program } => write!(to, "cannot find `{program}`"),
            Failure::CargoUnusable { program, error } => write!(to, "cannot run `{program}`: {error}"),
            Failure::ToolchainTooOld { found } => {
                write!(to, "verifiers need Rust {} or newer, but this is {found}", embedded::MINIMUM_RUST)
            }
            Failure::LinkerMissing => write!(to, "Rust finds no linker to finish the verifier with"),
            Failure::DiskFull => write!(to, "the disk is full"),
            Failure::DependenciesMissing { .. } => {
                write!(to, "the runtime's dependencies are not on this machine and could not be downloaded")
            }
            Failure::BuildFailed { .. } => write!(to, "internal error: the generated crate does not build"),
            Failure::Template { name, message } => write!(to, "internal error in template {name}: {message}"),
        }
    }
}

impl std::error::Error for Failure {}
