//! Where in the model's text something stands.

use super::definitions::Definition;

/// A range of bytes of the model's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        // A model of more than 4 GiB is refused before it is parsed, so nothing is cut off here.
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// The model's text with the name that diagnostics show for it.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// The constants whose values are not those of the text.
    pub definitions: Vec<Definition>,
    line_starts: Vec<u32>,
}

/// A line and a column, both counted from one; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts
            .extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1));
        Source { name: name.into(), text, definitions: Vec::new(), line_starts }
    }

    /// The same text with other values of some of its constants.
    pub fn with_definitions(self, mut definitions: Vec<Definition>) -> Self {
        // Their order means nothing, so it must not make two models of one.
        definitions.sort_by(|one, other| one.name.cmp(&other.name));
        Source { definitions, ..self }
    }

    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = Span { start, end: offset }.text(&self.text).chars().count();
        Position { line: line as u32, column: column as u32 + 1 }
    }
}
