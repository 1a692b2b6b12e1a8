//! `cargo test` without writing Rust: one test for each model of a folder, and for each entry of
//! the file beside it ([`crate::expectation`]).
//!
//! `tests/models.rs`, with `harness = false` for it in `Cargo.toml`:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     mcc_murphi::harness::main("models")
//! }
//! ```

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use mcc_runtime::embedding::{Options, Report};

use super::error::Error;
use super::expectation::{Expectation, models};
use super::model::Model;

/// One run of a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// The path of the model, as the folder's begins.
    pub path: PathBuf,
    /// What to run, and what to expect of it.
    pub expectation: Expectation,
}

/// How a model is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In the interpreter.
    Interpreted,
    /// By a verifier that cargo builds.
    Compiled,
}

/// All runs of a model, or of the models of a folder.
pub fn cases(path: impl AsRef<Path>) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for path in models(path.as_ref())? {
        for expectation in Expectation::beside(&path)? {
            cases.push(Case { path: path.clone(), expectation });
        }
    }
    Ok(cases)
}

impl Case {
    /// The path of the model, and the name of the entry if it has one.
    pub fn name(&self) -> String {
        match &self.expectation.name {
            Some(name) => format!("{}: {name}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// The model with the constants of this run.
    pub fn model(&self) -> Result<Model, Error> {
        let model = Model::from_path(&self.path)?;
        Ok(self.expectation.definitions().fold(model, |model, (name, value)| model.define(name, value)))
    }

    /// Runs the model with the options of this run, and those that are given.
    pub fn run(&self, way: Way, options: Options) -> Result<Report, Error> {
        let options = options.with_arguments(&self.expectation.options);
        match way {
            Way::Interpreted => self.model()?.interpret(&options),
            Way::Compiled => self.model()?.build(&options)?.run(&options),
        }
    }
}

/// The whole program of a test target: builds and runs each model of a folder, and compares.
pub fn main(folder: impl AsRef<Path>) -> ExitCode {
    run(folder.as_ref(), Way::Compiled)
}

/// Like [`main`], in the interpreter: nothing is built, which suits small models.
pub fn main_interpreted(folder: impl AsRef<Path>) -> ExitCode {
    run(folder.as_ref(), Way::Interpreted)
}

fn run(folder: &Path, way: Way) -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match cases(folder) {
        Ok(cases) => {
            cases.into_iter().map(|case| Trial::test(case.name(), move || check(&case, way))).collect()
        }
        // A folder that cannot be read must not look like one in which all is well.
        Err(error) => {
            let message = error.to_string();
            vec![Trial::test(folder.display().to_string(), move || Err(Failed::from(message)))]
        }
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(case: &Case, way: Way) -> Result<(), Failed> {
    let report = case.run(way, Options::new()).map_err(|error| error.to_string())?;
    let differences = case.expectation.differences(&report);
    if differences.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n\n{report}", differences.join("\n")).into())
    }
}
