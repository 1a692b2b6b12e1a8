//! Places as an editor counts them: lines, and units of UTF-16 or bytes in a line.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

use crate::source::Span;

/// In which units a column is counted; client and server agree on it at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// A text with the beginnings of its lines.
#[derive(Clone, Debug)]
pub struct Lines {
    pub text: String,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    pub fn new(text: String, encoding: Encoding) -> Self {
        let starts = starts(&text);
        Lines { text, starts, encoding }
    }

    /// The byte at a position. A position behind the end of its line is that end, and one behind
    /// the last line is the end of the text, as the protocol has it.
    pub fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let next = self.starts.get(position.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text.get(start..next).unwrap_or("").trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            if units >= position.character {
                return start + at;
            }
            units += self.units(character);
        }
        start + line.len()
    }

    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or("");
        Position { line: line as u32, character: before.chars().map(|one| self.units(one)).sum() }
    }

    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start as usize), end: self.position(span.end as usize) }
    }

    /// The length of a text in the units that were agreed on.
    pub fn width(&self, text: &str) -> u32 {
        text.chars().map(|one| self.units(one)).sum()
    }

    /// Applies what the user changed. A change without a range is the whole text.
    pub fn change(&mut self, change: &TextDocumentContentChangeEvent) {
        match change.range {
            None => self.text.clone_from(&change.text),
            Some(range) => {
                let (start, end) = (self.offset(range.start), self.offset(range.end));
                self.text.replace_range(start.min(end)..end.max(start), &change.text);
            }
        }
        self.starts = starts(&self.text);
    }

    fn units(&self, character: char) -> u32 {
        match self.encoding {
            Encoding::Utf8 => character.len_utf8() as u32,
            Encoding::Utf16 => character.len_utf16() as u32,
        }
    }
}

/// A line ends with `\n`, `\r\n` or `\r`, as the protocol has it.
fn starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |(at, byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain(bytes.iter().enumerate().filter(ends).map(|(at, _)| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_the_units_that_were_agreed_on() {
        let text = "a𝕏≤b\r\nc\rd";
        let utf16 = Lines::new(text.to_owned(), Encoding::Utf16);
        let utf8 = Lines::new(text.to_owned(), Encoding::Utf8);
        let at = text.find('b').unwrap();
        assert_eq!(utf16.position(at), Position::new(0, 4));
        assert_eq!(utf8.position(at), Position::new(0, 8));
        assert_eq!(utf16.position(text.len()), Position::new(2, 1));
        for (offset, _) in text.char_indices().filter(|(_, one)| !one.is_whitespace()) {
            assert_eq!(utf16.offset(utf16.position(offset)), offset);
            assert_eq!(utf8.offset(utf8.position(offset)), offset);
        }
        assert_eq!(utf16.offset(Position::new(0, 99)), text.find('\r').unwrap());
        assert_eq!(utf16.offset(Position::new(99, 0)), text.len());
    }
}
