//! Reads the model's text once, from left to right, into tokens.
//!
//! The grammar does the parsing; this scan does what a grammar does badly: comments, strings and
//! comments that never end, and finding the token that an error message should underline. It also
//! hands the grammar a text without comments, of the same length, so that places stay the same.

use super::words::Word;
use crate::diagnostics::Diagnostic;
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word(Word),
    Number,
    Text,
    /// An operator or a punctuation mark.
    Sign,
    /// A character that the language does not use.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

pub(crate) struct Scan {
    /// The text with comments, and what was already complained about, replaced by spaces.
    pub text: String,
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Longer signs first, so that `==>` is not read as `==` and `>`.
const SIGNS: [&str; 53] = [
    "==>", ":=", "..", "->", "||", "&&", "==", "!=", "<<", "<=", ">>", ">=", "+", "-", "*", "/", "%", "!",
    "&", "|", "^", "~", "=", "<", ">", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "≤", "≥", "≠",
    "¬", "∧", "∨", "→", "∀", "∃", "≔", "⇒", "−", "×", "÷", "∕", "“", "”",
];

const BYTE_ORDER_MARK: char = '\u{FEFF}';

pub(crate) fn scan(source: &str) -> Scan {
    let mut scanner = Scanner {
        source,
        at: 0,
        cleaned: source.as_bytes().to_vec(),
        tokens: Vec::new(),
        diagnostics: Vec::new(),
        never_closed: Vec::new(),
    };
    while let Some(first) = scanner.peek() {
        scanner.step(first);
    }
    Scan {
        // Whole characters were replaced by spaces, so this is valid and nothing is lost.
        text: String::from_utf8_lossy(&scanner.cleaned).into_owned(),
        tokens: scanner.tokens,
        diagnostics: scanner.diagnostics,
    }
}

struct Scanner<'source> {
    source: &'source str,
    at: usize,
    cleaned: Vec<u8>,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    /// The quotes for which there is no closing one in the rest of the text: it is read to its end
    /// only once.
    never_closed: Vec<char>,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn step(&mut self, first: char) {
        let rest = self.rest();
        if first.is_whitespace() || first == BYTE_ORDER_MARK {
            let length = first.len_utf8();
            if !first.is_ascii() {
                self.blank(length);
            }
            self.at += length;
        } else if rest.starts_with("--") {
            let length = line_length(rest);
            self.blank(length);
            self.at += length;
        } else if rest.starts_with("/*") {
            self.block_comment();
        } else if rest.starts_with("//") {
            self.foreign_comment();
        } else if first == '"' || first == '“' {
            self.string(first);
        } else if first == '\'' {
            self.single_quoted();
        } else if first.is_ascii_digit() {
            self.number();
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = length_while(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            let word = Word::of(rest.get(..length).unwrap_or(""));
            self.token(TokenKind::Word(word), length);
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            let kind = match *sign {
                "∀" | "∃" => TokenKind::Word(Word::Quantified),
                "”" => TokenKind::Unknown,
                _ => TokenKind::Sign,
            };
            self.token(kind, sign.len());
        } else {
            self.token(TokenKind::Unknown, first.len_utf8());
        }
    }

    fn token(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    /// Hides the next `length` bytes from the grammar; line ends stay.
    fn blank(&mut self, length: usize) {
        if let Some(bytes) = self.cleaned.get_mut(self.at..self.at + length) {
            bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
    }

    fn block_comment(&mut self) {
        let rest = self.rest();
        let length = match rest.get(2..).and_then(|inside| inside.find("*/")) {
            Some(inside) => inside + 4,
            None => {
                let span = Span::new(self.at, self.at + 2);
                let length = rest.len();
                self.diagnostics.push(
                    Diagnostic::error("unterminated-comment", span, "this comment is never closed")
                        .help("close it with `*/`; comments do not nest"),
                );
                length
            }
        };
        self.blank(length);
        self.at += length;
    }

    fn foreign_comment(&mut self) {
        let length = line_length(self.rest());
        let span = Span::new(self.at, self.at + 2);
        self.diagnostics.push(
            Diagnostic::error("syntax", span, "`//` does not start a comment")
                .help("write `-- …` for the rest of a line, or `/* … */`"),
        );
        self.blank(length);
        self.at += length;
    }

    fn number(&mut self) {
        let rest = self.rest();
        let hexadecimal = rest
            .get(..2)
            .filter(|prefix| prefix.eq_ignore_ascii_case("0x"))
            .and_then(|_| rest.get(2..))
            .map(|digits| length_while(digits, |c| c.is_ascii_hexdigit()))
            .filter(|digits| *digits > 0);
        let length = match hexadecimal {
            Some(digits) => digits + 2,
            None => {
                let whole = length_while(rest, |c| c.is_ascii_digit());
                let fraction = rest
                    .get(whole..)
                    .and_then(|tail| tail.strip_prefix('.'))
                    .map_or(0, |tail| length_while(tail, |c| c.is_ascii_digit()));
                if fraction > 0 { whole + 1 + fraction } else { whole }
            }
        };
        self.token(TokenKind::Number, length);
    }

    fn string(&mut self, opening: char) {
        let end = if self.never_closed.contains(&opening) {
            StringEnd::Never
        } else {
            string_end(self.rest(), opening)
        };
        match end {
            StringEnd::At(length) => self.token(TokenKind::Text, length),
            StringEnd::Forgotten | StringEnd::Never => {
                if end == StringEnd::Never && !self.never_closed.contains(&opening) {
                    self.never_closed.push(opening);
                }
                let length = line_length(self.rest()).max(opening.len_utf8());
                let span = Span::new(self.at, self.at + opening.len_utf8());
                self.diagnostics.push(
                    Diagnostic::error("unterminated-string", span, "this string is never closed")
                        .help("close it with `\"` on the same line"),
                );
                self.blank(length);
                self.pretend_string(length);
                self.token(TokenKind::Text, length);
            }
        }
    }

    /// `'…'` on one line is what people write who come from another language.
    fn single_quoted(&mut self) {
        let rest = self.rest();
        let line = rest.get(..line_length(rest)).unwrap_or("");
        let Some(inside) = line.get(1..).and_then(|inside| inside.find('\'')) else {
            self.token(TokenKind::Unknown, 1);
            return;
        };
        let length = inside + 2;
        let span = Span::new(self.at, self.at + length);
        self.diagnostics.push(
            Diagnostic::error("syntax", span, "strings are written in double quotes")
                .help(format!("write \"{}\"", line.get(1..=inside).unwrap_or(""))),
        );
        self.blank(length);
        self.pretend_string(length);
        self.token(TokenKind::Text, length);
    }

    /// Puts an empty string where one was meant, so that the rest of the item can still be read.
    fn pretend_string(&mut self, length: usize) {
        if let Some([first, second, ..]) = self.cleaned.get_mut(self.at..self.at + length) {
            *first = b'"';
            *second = b'"';
        }
    }
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Up to the end of the line, without the line end itself.
fn line_length(text: &str) -> usize {
    let length = text.find('\n').unwrap_or(text.len());
    text.get(..length).map_or(length, |line| line.strip_suffix('\r').unwrap_or(line).len())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringEnd {
    /// Its length in bytes, quotes included.
    At(usize),
    /// There is a quote, but it seems to open another string.
    Forgotten,
    /// There is none up to the end of the text.
    Never,
}

/// Where the string ends that `text` starts with.
///
/// Rumur lets a string go on over several lines. A missing closing quote looks the
/// same up to the next quote; but then that quote opens another string, and an odd number of quotes
/// is left on its line.
fn string_end(text: &str, opening: char) -> StringEnd {
    let mut escaped = false;
    let mut lines = 0;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped && character != '\n' => escaped = false,
            '\\' => escaped = true,
            '\n' => {
                escaped = false;
                lines += 1;
            }
            '"' | '”' if character == '"' || opening == '“' => {
                let end = at + character.len_utf8();
                if lines == 0 {
                    return StringEnd::At(end);
                }
                let tail = text.get(end..).unwrap_or("");
                let quotes_left = tail.get(..line_length(tail)).unwrap_or("").matches('"').count();
                return if quotes_left % 2 == 0 { StringEnd::At(end) } else { StringEnd::Forgotten };
            }
            _ => {}
        }
    }
    StringEnd::Never
}
