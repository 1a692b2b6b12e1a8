//! What was found about models, in the forms that other programs read. Each form is a file with a
//! function from [`Outcome`]s to text; `mcc verify` and `mcc check` offer them ([`Formats`]).

mod files;
mod github;
mod itf;
mod json;
mod junit;
mod sarif;

pub use files::Formats;

use std::collections::HashSet;

use mcc_runtime::embedding::{Report, Verdict};
use mcc_runtime::host::text::printable;

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
            Some(Err(Error::Cancelled)) => Status::Inconclusive,
            Some(Err(_)) => Status::Wrong,
            None if self.messages.iter().any(|one| one.severity == Severity::Error) => Status::Wrong,
            None => Status::Passed,
            Some(Ok(_)) if self.differences.is_empty() => Status::Passed,
            Some(Ok(report)) if report.verdict == Verdict::Inconclusive => Status::Inconclusive,
            Some(Ok(_)) => Status::Failed,
        }
    }

    /// The model, the entry and the constants: what distinguishes this run. One line, whatever the
    /// names of files and entries are: GitHub takes lines of the output for commands.
    pub fn title(&self) -> String {
        let mut title = self.path.clone();
        for (name, value) in &self.definitions {
            title += &format!(" -D {name}={value}");
        }
        if let Some(entry) = &self.entry {
            title += &format!(" ({entry})");
        }
        printable(&title).into_owned()
    }

    /// What went wrong, in some lines; nothing if all is as expected.
    pub fn explanation(&self) -> String {
        let mut lines = self.differences.clone();
        match &self.run {
            Some(Ok(report)) if !self.differences.is_empty() => {
                lines.push(format!("\n{report}").trim_end().to_owned());
            }
            Some(Err(Error::Wrong(messages))) => lines.extend(errors(messages)),
            Some(Err(Error::Build { message, help, transcript })) => {
                lines.push(message.clone());
                lines.extend(help.iter().map(|help| format!("help: {help}")));
                lines.extend(transcript.iter().map(|said| said.trim_end().to_owned()));
            }
            Some(Err(error)) => lines.push(error.to_string()),
            None => lines.extend(errors(&self.messages)),
            Some(Ok(_)) => {}
        }
        lines.join("\n")
    }
}

/// The messages that were already passed on: several runs of one model share them.
#[derive(Default)]
struct Said(HashSet<String>);

impl Said {
    /// Whether this one was not passed on yet.
    fn is_new(&mut self, message: &Message) -> bool {
        self.0.insert(message.to_string())
    }
}

fn errors(messages: &[Message]) -> impl Iterator<Item = String> {
    messages.iter().filter(|one| one.severity == Severity::Error).map(Message::to_string)
}

/// The version that reports name.
pub const VERSION: &str = env!("MCC_VERSION");

#[cfg(test)]
mod tests;
