//! Where in the model's text something stands.

use super::definition::Definition;

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

/// Bytes after which characters are counted anew.
const BLOCK: usize = 1 << 10;

/// The model's text with the name that diagnostics show for it.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// The constants whose values are not those of the text.
    pub definitions: Vec<Definition>,
    line_starts: Vec<u32>,
    /// Characters before each block of [`BLOCK`] bytes: lines may be long, and have many places on
    /// them.
    characters: Vec<u32>,
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
        let mut characters = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            let before = characters.last().copied().unwrap_or(0);
            characters.push(before + starts_in(block));
        }
        Source { name: name.into(), text, definitions: Vec::new(), line_starts, characters }
    }

    /// This text with other values of some of its constants.
    pub fn with_definitions(self, mut definitions: Vec<Definition>) -> Self {
        // Their order means nothing, so it must not make two models of one.
        definitions.sort_by(|one, other| one.name.cmp(&other.name));
        Source { definitions, ..self }
    }

    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.characters_before(offset).saturating_sub(self.characters_before(start));
        Position { line: line as u32, column: column + 1 }
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        let block = offset / BLOCK;
        let counted = self.characters.get(block).copied().unwrap_or(0);
        counted + starts_in(self.text.as_bytes().get(block * BLOCK..offset).unwrap_or_default())
    }
}

/// Characters that begin in these bytes.
fn starts_in(bytes: &[u8]) -> u32 {
    // All other bytes of a character begin with the bits 10.
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u32
}
