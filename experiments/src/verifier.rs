//! A verifier, built for an experiment and gone after it.

use serde::de::DeserializeOwned;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The command given, or else the one beside this program, or on PATH.
pub fn find_mcc(given: Option<PathBuf>) -> PathBuf {
    let beside =
        || std::env::current_exe().ok().map(|path| path.with_file_name("mcc")).filter(|path| path.is_file());
    given.or_else(beside).unwrap_or_else(|| PathBuf::from("mcc"))
}

pub struct Verifier {
    /// The model's name, without directory and extension.
    pub name: String,
    path: PathBuf,
    _directory: TempDir,
}

impl Verifier {
    pub fn build(mcc: &Path, model: &Path) -> Result<Self, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = directory.path().join("verifier");
        let mut build = Command::new(mcc);
        build.arg(model).arg("-o").arg(&path);
        let built = build.output().map_err(|error| format!("{}: {error}", mcc.display()))?;
        if !built.status.success() {
            return Err(format!("{}: {}", model.display(), String::from_utf8_lossy(&built.stderr)));
        }
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Verifier { name, path, _directory: directory })
    }

    /// Runs it and reads its report. Deadlocks are no errors, and one thread does the work.
    pub fn run<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<T, String> {
        let mut all: Vec<OsString> = vec!["-ndl".into(), "-j1".into()];
        all.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self.ask(all)
    }

    /// The same with nothing but these arguments.
    pub fn ask<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<T, String> {
        let mut command = Command::new(&self.path);
        command.args(["--quiet", "--json", "-"]).args(arguments).stdin(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{command:?}: {error}\n{}", String::from_utf8_lossy(&output.stderr)))
    }
}
