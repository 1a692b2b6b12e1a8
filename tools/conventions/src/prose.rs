//! The lines of a file that are prose: comments of Rust, and Markdown without code and tables.

use crate::files::{File, Kind};
use crate::rust::comments;

/// A line of prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Counted from 0.
    pub number: usize,
    /// With the names in backquotes.
    pub text: String,
    /// Its first line, if it is a doc comment.
    pub opens_doc: bool,
}

impl Line {
    /// The text with what stands in backquotes left out.
    pub fn words(&self) -> String {
        self.text.split('`').step_by(2).collect::<Vec<_>>().join("`")
    }

    /// What stands in backquotes.
    pub fn quoted(&self) -> impl Iterator<Item = &str> {
        self.text.split('`').skip(1).step_by(2)
    }
}

/// All lines of prose of a file. Fenced code and rows of tables are none.
pub fn lines(file: &File) -> Vec<Line> {
    match file.kind {
        Kind::Rust => rust_lines(&file.text),
        Kind::Markdown => markdown_lines(&file.text),
    }
}

fn rust_lines(source: &str) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    let mut fenced = false;
    let mut previous: Option<usize> = None;
    for comment in comments(source) {
        let continues = previous.is_some_and(|line| line + 1 == comment.line);
        previous = Some(comment.line);
        fenced &= continues;
        if comment.text.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !comment.text.starts_with('|') {
            let opens_doc = comment.doc && !continues;
            found.push(Line { number: comment.line, text: comment.text, opens_doc });
        }
    }
    found
}

fn markdown_lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        let start = line.trim_start();
        if start.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !start.starts_with('|') {
            found.push(Line { number, text: line.to_owned(), opens_doc: false });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_tables_are_no_prose() {
        let file = |kind, text: &str| File { path: String::new(), kind, text: text.to_owned() };
        let numbers = |file: &File| lines(file).iter().map(|line| line.number).collect::<Vec<_>>();
        assert_eq!(numbers(&file(Kind::Markdown, "a\n| b |\n```\nc\n```\nd")), [0, 5]);
        let rust = file(Kind::Rust, "//! a\n//! ```\n//! c\n//! ```\n//! | d |\n/// e\n\n/// f");
        assert_eq!(numbers(&rust), [0, 5, 7]);
        let opening: Vec<bool> = lines(&rust).iter().map(|line| line.opens_doc).collect();
        assert_eq!(opening, [true, false, true]);
    }

    #[test]
    fn names_are_apart_from_words() {
        let line = Line { number: 0, text: "a `b c` d `e`".to_owned(), opens_doc: false };
        assert_eq!(line.words(), "a ` d `");
        assert_eq!(line.quoted().collect::<Vec<_>>(), ["b c", "e"]);
    }
}
