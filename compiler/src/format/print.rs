//! Puts structure, spacing and comments together: the new text of each space between tokens.

use super::Edit;
use super::comments::{self, Gap};
use super::spacing::{self, Role};
use super::structure::{self, Structure};
use crate::source::Source;
use crate::syntax::concrete::Concrete;

/// Columns of one level.
const LEVEL: usize = 2;

/// Columns between the longest line and the comments behind it and its neighbours.
const BEFORE_COMMENT: usize = 2;

/// A comment behind the code of its line.
struct Trailing {
    /// The space that it is in, and where there.
    edit: usize,
    at: usize,
    /// The line of the new text, and how long it is so far.
    line: usize,
    width: usize,
}

pub(super) fn edits(source: &Source, concrete: &Concrete) -> Vec<Edit> {
    let spans = comments::spaces(&source.text, &concrete.tokens);
    let gaps: Vec<Gap<'_>> = spans.iter().map(|span| comments::gap(&source.text, *span)).collect();
    let breaks: Vec<bool> = gaps.iter().map(Gap::has_line_end).collect();
    let printer = Printer {
        source,
        concrete,
        structure: structure::structure(source, concrete, &breaks),
        roles: spacing::roles(concrete),
        line_end: if source.text.split('\n').next().is_some_and(|line| line.ends_with('\r')) {
            "\r\n"
        } else {
            "\n"
        },
        edits: Vec::new(),
        trailing: Vec::new(),
        line: 0,
        width: 0,
    };
    let mut edits = printer.print(&gaps);
    for (edit, span) in edits.iter_mut().zip(spans) {
        edit.span = span;
    }
    edits.retain(|edit| edit.span.text(&source.text) != edit.text);
    edits
}

struct Printer<'model> {
    source: &'model Source,
    concrete: &'model Concrete,
    structure: Structure,
    roles: Vec<Role>,
    line_end: &'static str,
    edits: Vec<Edit>,
    trailing: Vec<Trailing>,
    line: usize,
    /// Of the line that is being printed, in characters.
    width: usize,
}

impl<'model> Printer<'model> {
    fn print(mut self, gaps: &[Gap<'_>]) -> Vec<Edit> {
        for (at, gap) in gaps.iter().enumerate() {
            let text = self.space(at, gap);
            self.edits.push(Edit { span: Default::default(), text });
            let token = self.token(at);
            self.line += token.matches('\n').count();
            self.width = match token.rsplit_once('\n') {
                Some((_, last)) => last.chars().count(),
                None => self.width + token.chars().count(),
            };
        }
        self.align();
        self.edits
    }

    fn token(&self, at: usize) -> &'model str {
        self.concrete.tokens.get(at).map_or("", |token| token.span.text(&self.source.text))
    }

    /// The new text between a token and the one before it.
    fn space(&mut self, at: usize, gap: &Gap<'_>) -> String {
        let (first, last) = (at == 0, at == self.concrete.tokens.len());
        let structure = self.structure.token(at);
        let mut text = String::new();
        if gap.byte_order_mark {
            text.push('\u{FEFF}');
        }
        let joined = self.token(at) == ";" && gap.comments.is_empty();
        let is_start = first && gap.comments.is_empty();
        let breaks = !is_start && !last && !joined && (structure.begins_line || gap.newlines_after > 0);
        let mut began_line = false;
        let mut to_line_end = false;
        for (number, comment) in gap.comments.iter().enumerate() {
            let is_last = number + 1 == gap.comments.len();
            // Lines of a comment behind code stay where they are.
            let mut column = None;
            if first && number == 0 {
                began_line = true;
            } else if comment.newlines_before > 0 || to_line_end {
                self.end_line(&mut text, comment.newlines_before, structure.comment_level);
                began_line = true;
            } else {
                let ends_line = comment.to_line_end || is_last && (last || breaks);
                if ends_line && !began_line {
                    self.trailing.push(Trailing {
                        edit: self.edits.len(),
                        at: text.len(),
                        line: self.line,
                        width: self.width,
                    });
                    column = Some(comment.column);
                } else {
                    text.push(' ');
                    self.width += 1;
                }
            }
            let moved = comments::moved(comment, column.unwrap_or(self.width), self.line_end);
            self.line += moved.matches('\n').count();
            self.width = match moved.rsplit_once('\n') {
                Some((_, last)) => last.chars().count(),
                None => self.width + moved.chars().count(),
            };
            text += &moved;
            to_line_end = comment.to_line_end;
        }
        if last {
            if !first || !gap.comments.is_empty() {
                text += self.line_end;
            }
            return text;
        }
        // A comment that begins the line of the token does so in its stead.
        let begun = began_line && !to_line_end && gap.newlines_after == 0;
        if to_line_end || breaks && !begun {
            self.end_line(&mut text, gap.newlines_after, structure.level);
        } else if !first || !gap.comments.is_empty() {
            let were_apart = self.concrete.are_apart(at);
            let role = |at: usize| self.roles.get(at).copied().unwrap_or_default();
            let before = at.wrapping_sub(1);
            let (left, right) = ((self.token(before), role(before)), (self.token(at), role(at)));
            let behind_comment = !gap.comments.is_empty() && right.0 != ";";
            if behind_comment || gap.comments.is_empty() && spacing::is_apart(left, right, were_apart) {
                text.push(' ');
                self.width += 1;
            }
        }
        text
    }

    fn end_line(&mut self, text: &mut String, newlines: usize, level: usize) {
        let newlines = newlines.clamp(1, 2);
        *text += &self.line_end.repeat(newlines);
        *text += &" ".repeat(level * LEVEL);
        self.line += newlines;
        self.width = level * LEVEL;
    }

    /// Puts comments behind the code of neighbouring lines under each other.
    fn align(&mut self) {
        let mut rest = self.trailing.as_slice();
        let mut spaces = Vec::new();
        while let Some(first) = rest.first() {
            let together = rest.iter().zip(first.line..).take_while(|(one, line)| one.line == *line).count();
            let (group, others) = rest.split_at(together);
            let widest = group.iter().map(|one| one.width).max().unwrap_or(0);
            spaces.extend(group.iter().map(|one| widest + BEFORE_COMMENT - one.width));
            rest = others;
        }
        for (one, spaces) in self.trailing.iter().zip(spaces) {
            if let Some(edit) = self.edits.get_mut(one.edit) {
                edit.text.insert_str(one.at, &" ".repeat(spaces));
            }
        }
    }
}
