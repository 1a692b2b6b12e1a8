//! A verifier, built for an experiment and gone after it.

use super::ExperimentError;
use serde::de::DeserializeOwned;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

#[derive(Debug)]
pub struct Verifier {
    /// The model's name, without directory and extension.
    pub name: String,
    path: PathBuf,
    _directory: TempDir,
}

impl Verifier {
    pub fn build(mcc: &Path, model: &Path) -> Result<Self, ExperimentError> {
        Self::build_with(mcc, model, &[])
    }

    /// With other values for constants, each as `NAME=VALUE`.
    pub fn build_with(mcc: &Path, model: &Path, constants: &[String]) -> Result<Self, ExperimentError> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("verifier");
        let mut command = Command::new(mcc);
        constants.iter().for_each(|constant| {
            command.arg("-D").arg(constant);
        });
        let built = command.arg(model).arg("-o").arg(&path).output();
        let built = built.map_err(|error| format!("{}: {error}", mcc.display()))?;
        if !built.status.success() {
            return Err(format!("{}: {}", model.display(), String::from_utf8_lossy(&built.stderr)).into());
        }
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Verifier { name, path, _directory: directory })
    }

    /// The program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs it with these arguments and reads its report.
    pub fn run<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<T, ExperimentError> {
        let mut command = Command::new(&self.path);
        command.args(["--quiet", "--json", "-"]).args(arguments).stdin(Stdio::null());
        let output = command.output()?;
        serde_json::from_slice(&output.stdout).map_err(|error| {
            format!("{command:?}: {error}\n{}", String::from_utf8_lossy(&output.stderr)).into()
        })
    }
}
