//! What the compiler has to say about a model, as data with lines and columns.

use std::fmt;

use serde::Serialize;

use crate::diagnostics::{Diagnostic, Label, Severity};
use crate::source::Source;

/// A range of the model's text. Lines and columns are counted from one, columns in characters; the
/// end is behind the last character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The line on which it begins.
    pub line: u32,
    /// The column at which it begins.
    pub column: u32,
    /// The line on which it ends.
    pub end_line: u32,
    /// The column behind its end.
    pub end_column: u32,
    /// What stands beside it.
    pub label: String,
}

/// One finding about a model: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// A stable short name such as `unknown-name`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was found.
    pub message: String,
    /// The model as the caller named it.
    pub file: String,
    /// The first is the place itself; the others explain it.
    #[serde(rename = "spans")]
    pub places: Vec<Place>,
    /// What to do about it, where that is known.
    pub help: Option<String>,
}

impl Message {
    pub(crate) fn new(source: &Source, diagnostic: &Diagnostic) -> Message {
        let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
        Message {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            file: source.name.clone(),
            places: labels.map(|label| Place::new(source, label)).collect(),
            help: diagnostic.help.clone(),
        }
    }

    /// All of them in the order of their places.
    pub(crate) fn all(source: &Source, diagnostics: &[Diagnostic]) -> Vec<Message> {
        let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
        sorted.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity));
        sorted.into_iter().map(|diagnostic| Message::new(source, diagnostic)).collect()
    }
}

impl Place {
    fn new(source: &Source, label: &Label) -> Place {
        let (start, end) = (source.position(label.span.start), source.position(label.span.end));
        Place {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            label: label.text.clone(),
        }
    }
}

impl fmt::Display for Message {
    /// `model.m:3:5: error: the message`, as editors and other tools read it.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        match self.places.first() {
            Some(place) => write!(to, "{}:{}:{}: ", self.file, place.line, place.column)?,
            None => write!(to, "{}: ", self.file)?,
        }
        write!(to, "{severity}: {}", self.message)
    }
}

/// Everything that was found about a model without running it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// In the order of their places.
    pub messages: Vec<Message>,
}

impl Check {
    /// Whether the model can be built and run.
    pub fn is_sound(&self) -> bool {
        self.messages.iter().all(|message| message.severity != Severity::Error)
    }

    /// The messages of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(move |message| message.severity == severity)
    }
}
