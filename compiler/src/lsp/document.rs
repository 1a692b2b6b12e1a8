//! An open model: its text, and what is known about it as it is now.

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::names::Names;
use super::text::{Encoding, Lines};
use crate::diagnostics::Diagnostic;
use crate::input::MOST_BYTES;
use crate::source::{Source, Span};
use crate::syntax::scan::{Token, scan};
use crate::{Reading, read};

/// What is known about one text.
pub struct Known {
    pub source: Source,
    pub reading: Reading,
    pub names: Names,
    pub tokens: Vec<Token>,
}

impl Known {
    fn of(name: &str, text: &str) -> Known {
        if text.len() as u64 > MOST_BYTES {
            return Known::too_large(name);
        }
        let source = Source::new(name, text);
        let reading = read(&source);
        let names = Names::of(&reading.program, text.len());
        let tokens = scan(text).tokens;
        Known { source, reading, names, tokens }
    }

    /// Nothing is known about a text beyond the limit, except that.
    fn too_large(name: &str) -> Known {
        let mut known = Known::of(name, "");
        let message = format!("this text is larger than {} MiB", MOST_BYTES >> 20);
        known.reading.diagnostics = vec![Diagnostic::error("too-large", Span::default(), message)];
        known.reading.analysis = None;
        known
    }

    /// The number of the last token that begins before a place.
    pub fn token_before(&self, offset: usize) -> Option<usize> {
        self.tokens.partition_point(|token| (token.span.start as usize) < offset).checked_sub(1)
    }

    pub fn token_text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.span.text(&self.source.text))
    }
}

pub struct Document {
    pub uri: Uri,
    pub version: i32,
    pub lines: Lines,
    known: Option<Known>,
    /// What the text could do better, once there was time to find out.
    pub advice: Option<Vec<Diagnostic>>,
}

impl Document {
    pub fn new(uri: Uri, version: i32, text: String, encoding: Encoding) -> Document {
        Document { uri, version, lines: Lines::new(text, encoding), known: None, advice: None }
    }

    pub fn change(&mut self, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        self.version = version;
        changes.iter().for_each(|change| self.lines.change(change));
        self.known = None;
        self.advice = None;
    }

    /// The name of the model's file.
    pub fn name(&self) -> &str {
        self.uri.path().as_str().rsplit('/').next().unwrap_or("model.m")
    }

    /// Reads the text, if that was not done since it changed.
    pub fn known(&mut self) -> (&Known, &Lines) {
        let name = self.uri.path().as_str().rsplit('/').next().unwrap_or("model.m");
        let text = &self.lines.text;
        (self.known.get_or_insert_with(|| Known::of(name, text)), &self.lines)
    }
}
