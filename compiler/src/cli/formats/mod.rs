//! What was found about models, in the forms that other programs read. Each form is a file with a
//! function from [`Outcome`]s to text; `mcc verify` and `mcc check` offer them all.

mod github;
mod itf;
mod json;
mod junit;
mod sarif;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use mcc_runtime::embedding::{Report, Verdict};
use mcc_runtime::host::Target;

use super::print::print;
use super::{Stop, internal};
use crate::library::{Error, Message, Severity};

/// What became of one run of a model.
pub struct Outcome {
    /// The model as the user named it.
    pub path: String,
    /// The entry of the file of expectations, if it has a name.
    pub entry: Option<String>,
    /// Constants with other values than in the text.
    pub definitions: Vec<(String, String)>,
    /// What the compiler has to say about it.
    pub messages: Vec<Message>,
    /// `None`: it was checked, and not run.
    pub run: Option<Result<Report, Error>>,
    /// In what it is not as expected.
    pub differences: Vec<String>,
    pub seconds: f64,
}

/// What an outcome means, in the order of exit codes that win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Passed,
    /// Something else came out than was expected.
    Failed,
    /// The model is wrong, or it could not be built or run.
    Wrong,
    /// There is no verdict.
    Inconclusive,
}

impl Outcome {
    pub fn status(&self) -> Status {
        match &self.run {
            Some(Err(_)) => Status::Wrong,
            None if self.messages.iter().any(|one| one.severity == Severity::Error) => Status::Wrong,
            None => Status::Passed,
            Some(Ok(_)) if self.differences.is_empty() => Status::Passed,
            Some(Ok(report)) if report.verdict == Verdict::Inconclusive => Status::Inconclusive,
            Some(Ok(_)) => Status::Failed,
        }
    }

    /// The model, the entry and the constants: what distinguishes this run.
    pub fn title(&self) -> String {
        let mut title = self.path.clone();
        for (name, value) in &self.definitions {
            title += &format!(" -D {name}={value}");
        }
        if let Some(entry) = &self.entry {
            title += &format!(" ({entry})");
        }
        title
    }

    /// What went wrong, in some lines; nothing if all is as expected.
    pub fn explanation(&self) -> String {
        let mut lines = self.differences.clone();
        match &self.run {
            Some(Ok(report)) if !self.differences.is_empty() => lines.push(format!("\n{report}")),
            Some(Err(Error::Wrong(messages))) => lines.extend(errors(messages)),
            Some(Err(error)) => lines.push(error.to_string()),
            None => lines.extend(errors(&self.messages)),
            Some(Ok(_)) => {}
        }
        lines.join("\n")
    }
}

fn errors(messages: &[Message]) -> impl Iterator<Item = String> {
    messages.iter().filter(|one| one.severity == Severity::Error).map(Message::to_string)
}

/// The forms that were asked for.
#[derive(Clone, Debug, Default, Args)]
pub struct Formats {
    /// Write all results to FILE as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write a test case for each model to FILE, as JUnit and its readers understand it
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write errors, counterexamples and lints to FILE in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the first counterexample to FILE in the Informal Trace Format of Apalache and Quint
    #[arg(long, value_name = "FILE")]
    pub itf: Option<PathBuf>,

    /// Print annotations for GitHub Actions
    #[arg(long)]
    pub github: bool,
}

impl Formats {
    /// Whether one was asked for.
    pub fn any(&self) -> bool {
        self.json.is_some() || self.junit.is_some() || self.sarif.is_some() || self.github
    }

    /// Writes all that were asked for.
    pub fn write(&self, outcomes: &[Outcome]) -> Result<(), Stop> {
        type Form = fn(&[Outcome]) -> Result<String, String>;
        let forms: [(&str, &Option<PathBuf>, Form); 3] = [
            ("--json", &self.json, json::text),
            ("--junit", &self.junit, junit::text),
            ("--sarif", &self.sarif, sarif::text),
        ];
        for (option, path, form) in forms {
            let Some(path) = path else { continue };
            let text = form(outcomes).map_err(|error| internal(&error))?;
            write(path, option, &text)?;
        }
        // Without a counterexample there is nothing to write, and nothing wrong.
        if let (Some(path), Ok(text)) = (&self.itf, itf::text(outcomes)) {
            write(path, "--itf", &text)?;
        }
        if self.github { print(&github::text(outcomes)) } else { Ok(()) }
    }
}

fn write(path: &Path, option: &str, text: &str) -> Result<(), Stop> {
    let written =
        Target::open(path).and_then(|target| target.write(text.as_bytes(), &mut io::stdout().lock()));
    written.map_err(|error| Stop::Message {
        message: format!("{option}: cannot write {}: {error}", path.display()),
        help: None,
    })
}

/// The version that reports name.
pub const VERSION: &str = env!("MCC_VERSION");

#[cfg(test)]
mod tests;
