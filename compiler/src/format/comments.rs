//! What stands between two tokens: comments, and the ends of lines.

use crate::source::Span;
use crate::syntax::scan::Token;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A tab reaches to the next multiple of this.
const TAB: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment<'text> {
    pub text: &'text str,
    /// Whether it reaches to the end of its line.
    pub to_line_end: bool,
    /// The ends of lines between it and what stands before it.
    pub newlines_before: usize,
    /// Where in its line it begins, as it is displayed.
    pub column: usize,
}

/// The text between two tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap<'text> {
    pub byte_order_mark: bool,
    pub comments: Vec<Comment<'text>>,
    /// The ends of lines between the last comment, or the token before, and the next token.
    pub newlines_after: usize,
}

impl Gap<'_> {
    pub fn has_line_end(&self) -> bool {
        self.newlines_after > 0
            || self.comments.iter().any(|comment| {
                comment.newlines_before > 0 || comment.to_line_end || comment.text.contains('\n')
            })
    }
}

/// Reads what stands at this place, which holds no token.
pub(super) fn gap(text: &str, span: Span) -> Gap<'_> {
    let inside = span.text(text);
    let mut gap = Gap::default();
    let mut at = 0;
    while let Some(first) = inside.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = inside.get(at..).unwrap_or("");
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
        } else {
            gap.newlines_after += usize::from(first == '\n');
            gap.byte_order_mark |= first == BYTE_ORDER_MARK && span.start == 0 && at == 0;
            at += first.len_utf8();
            continue;
        };
        gap.comments.push(Comment {
            text: rest.get(..length).unwrap_or("").trim_end(),
            to_line_end: rest.starts_with("--"),
            newlines_before: std::mem::take(&mut gap.newlines_after),
            column: column(text, span.start as usize + at),
        });
        at += length;
    }
    gap
}

/// The places between the tokens, the first before all of them and the last behind them.
pub(super) fn spaces(text: &str, tokens: &[Token]) -> Vec<Span> {
    let starts = tokens.iter().map(|token| token.span.start).chain([text.len() as u32]);
    let ends = [0].into_iter().chain(tokens.iter().map(|token| token.span.end));
    ends.zip(starts).map(|(start, end)| Span { start, end }).collect()
}

/// All comments of a text, line by line and without the space around a line: indentation may
/// change, and the space at the end of a line goes.
pub(super) fn all(text: &str, tokens: &[Token]) -> Vec<Vec<String>> {
    let gaps = spaces(text, tokens).into_iter().map(|span| gap(text, span));
    let lines = |comment: &Comment<'_>| comment.text.lines().map(|line| line.trim().to_owned()).collect();
    gaps.flat_map(|gap| gap.comments.iter().map(lines).collect::<Vec<_>>()).collect()
}

/// A comment whose first line moves to another column: the other lines follow.
pub(super) fn moved(comment: &Comment<'_>, to: usize, line_end: &str) -> String {
    let mut lines = comment.text.lines();
    let mut result = lines.next().unwrap_or("").trim_end().to_owned();
    for line in lines {
        result += line_end;
        let content = line.trim();
        if content.is_empty() {
            continue;
        }
        let indentation = line.get(..line.len() - line.trim_start().len()).unwrap_or("");
        if to == comment.column {
            result += indentation;
        } else {
            let width = displayed(indentation) + to;
            result += &" ".repeat(width.saturating_sub(comment.column));
        }
        result += content;
    }
    result
}

fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    displayed(line.trim_start_matches(BYTE_ORDER_MARK))
}

/// The width of a text as it is displayed.
pub(super) fn displayed(text: &str) -> usize {
    text.chars().fold(0, |width, one| if one == '\t' { (width / TAB + 1) * TAB } else { width + 1 })
}
