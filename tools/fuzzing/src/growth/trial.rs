//! One construct at one size: checked, built, run, and interpreted.

use super::constructs::Construct;
use super::limited::{Limits, Outcome, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Models of more text than this are not interpreted.
const INTERPRETED_BYTES: usize = 200_000;

/// What a campaign works with.
pub struct Bench {
    /// This crate's own command.
    pub program: PathBuf,
    pub mcc: PathBuf,
    /// For models, verifiers and notes.
    pub folder: PathBuf,
    pub limits: Limits,
}

/// What became of one construct at one size. What was not tried is `None`.
#[derive(Clone, Debug)]
pub struct Trial {
    pub size: usize,
    pub text_bytes: usize,
    pub check: Outcome,
    pub build: Option<Outcome>,
    pub run: Option<Outcome>,
    pub interpret: Option<Outcome>,
}

impl Trial {
    /// `--check` has refused the model, and said where.
    pub fn is_refused(&self) -> bool {
        self.check.code == Some(2) && self.check.output.contains("error[")
    }

    /// The first line of the refusal.
    pub fn refusal(&self) -> Option<&str> {
        self.check.output.lines().find(|line| line.starts_with("error[")).filter(|_| self.is_refused())
    }

    pub fn is_verified(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.code == Some(0))
    }
}

impl Bench {
    pub fn trial(&self, construct: &Construct, size: usize) -> io::Result<Trial> {
        let text = (construct.model)(size);
        let text_bytes = text.len();
        let model = self.folder.join(format!("{}.m", construct.name));
        fs::write(&model, text)?;
        let check =
            self.run(&[self.mcc.as_os_str().into(), "-q".into(), "--check".into(), model.clone().into()])?;
        let mut trial = Trial { size, text_bytes, check, build: None, run: None, interpret: None };
        if trial.check.code == Some(0) {
            self.build_and_run(&mut trial, &model)?;
            if text_bytes <= INTERPRETED_BYTES {
                let options = ["-q", "--interpret"].map(OsString::from);
                let command = [&[self.mcc.clone().into()], &options[..], &[model.clone().into()]].concat();
                trial.interpret = Some(self.run(&command)?);
            }
        }
        fs::remove_file(&model)?;
        Ok(trial)
    }

    fn build_and_run(&self, trial: &mut Trial, model: &Path) -> io::Result<()> {
        let verifier = self.folder.join("verifier");
        if verifier.exists() {
            fs::remove_file(&verifier)?;
        }
        let paths: [OsString; 3] = [model.into(), "-o".into(), verifier.clone().into()];
        let built = self.run(&[&[self.mcc.clone().into(), "-q".into()], &paths[..]].concat())?;
        let succeeded = built.code == Some(0);
        trial.build = Some(built);
        if succeeded {
            trial.run = Some(self.run(&[verifier.clone().into(), "-ndl".into()])?);
            fs::remove_file(&verifier)?;
        }
        Ok(())
    }

    fn run(&self, command: &[OsString]) -> io::Result<Outcome> {
        run(&self.program, &self.folder, self.limits, command)
    }
}
