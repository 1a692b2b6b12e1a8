//! Finds the comments of a Rust file: what stands in strings and in characters is no comment.

/// A line of a comment, without the marks that make it one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Counted from 0.
    pub line: usize,
    pub text: String,
    /// `///` or `//!`, which rustdoc shows.
    pub doc: bool,
}

/// All comments, line by line.
pub fn comments(source: &str) -> Vec<Comment> {
    let mut scanner = Scanner { rest: source, line: 0, found: Vec::new() };
    while scanner.step() {}
    scanner.found
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    found: Vec<Comment>,
}

impl Scanner<'_> {
    /// Passes over one comment, literal or character. `false`: nothing is left.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        let length = if self.rest.starts_with("//") {
            self.line_comment()
        } else if self.rest.starts_with("/*") {
            self.block_comment()
        } else if first == '"' {
            self.string()
        } else if first == '\'' {
            self.character()
        } else if first == '_' || first.is_alphanumeric() {
            self.word()
        } else {
            first.len_utf8()
        };
        self.pass(length);
        true
    }

    fn pass(&mut self, length: usize) {
        let (passed, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.line += passed.matches('\n').count();
        self.rest = rest;
    }

    fn line_comment(&mut self) -> usize {
        let length = self.rest.find('\n').unwrap_or(self.rest.len());
        let text = &self.rest[..length];
        let doc = (text.starts_with("///") && !text.starts_with("////")) || text.starts_with("//!");
        let text = if doc { &text[3..] } else { text.trim_start_matches('/') };
        self.found.push(Comment { line: self.line, text: text.trim().to_owned(), doc });
        length
    }

    fn block_comment(&mut self) -> usize {
        let (mut depth, mut at) = (1, 2);
        while depth > 0 && at < self.rest.len() {
            let here = &self.rest[at..];
            if here.starts_with("/*") || here.starts_with("*/") {
                depth = if here.starts_with("/*") { depth + 1 } else { depth - 1 };
                at += 2;
            } else {
                at += here.chars().next().map_or(1, char::len_utf8);
            }
        }
        for (number, line) in self.rest[..at].lines().enumerate() {
            let text = line.trim().trim_matches(['/', '*']).trim().to_owned();
            self.found.push(Comment { line: self.line + number, text, doc: false });
        }
        at
    }

    fn string(&self) -> usize {
        let mut escaped = false;
        for (at, character) in self.rest.char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return at + 1,
                _ => {}
            }
        }
        self.rest.len()
    }

    /// A character literal, or the mark of a lifetime.
    fn character(&self) -> usize {
        let mut following = self.rest.chars().skip(1);
        match (following.next(), following.next()) {
            // What is escaped may be the mark itself.
            (Some('\\'), Some(escaped)) => {
                let start = 2 + escaped.len_utf8();
                self.rest[start..].find('\'').map_or(self.rest.len(), |at| start + at + 1)
            }
            (Some(inner), Some('\'')) => 2 + inner.len_utf8(),
            _ => 1,
        }
    }

    /// A name, a number, or the raw string that such a name begins.
    fn word(&self) -> usize {
        let is_part = |character: char| character == '_' || character.is_alphanumeric();
        let length = self.rest.find(|character| !is_part(character)).unwrap_or(self.rest.len());
        let after = &self.rest[length..];
        let hashes = after.len() - after.trim_start_matches('#').len();
        if !matches!(&self.rest[..length], "r" | "br" | "cr") || !after[hashes..].starts_with('"') {
            return length;
        }
        let start = length + hashes + 1;
        let end = format!("\"{}", "#".repeat(hashes));
        self.rest[start..].find(&end).map_or(self.rest.len(), |at| start + at + end.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<(usize, String)> {
        comments(source).into_iter().map(|comment| (comment.line, comment.text)).collect()
    }

    #[test]
    fn comments_are_found_and_literals_are_not() {
        let source = "//! head\nlet a = \"// no \\\" // no\"; // yes\nlet c = '\"'; /* one\n * two */\n\
                      let r = r#\"\n// \" no\n\"#; let q = '\\''; fn f<'a>() {} // end";
        let expected = [(0, "head"), (1, "yes"), (2, "one"), (3, "two"), (6, "end")];
        assert_eq!(texts(source), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn what_rustdoc_shows_is_marked() {
        let marked: Vec<bool> =
            comments("/// a\n//! b\n// c\n//// d").into_iter().map(|comment| comment.doc).collect();
        assert_eq!(marked, [true, true, false, false]);
    }

    #[test]
    fn nothing_follows_what_is_not_closed() {
        assert_eq!(texts("let a = \"// open"), []);
        assert_eq!(texts("r##\"// open\"#"), []);
        assert_eq!(texts("/* open").len(), 1);
    }
}
