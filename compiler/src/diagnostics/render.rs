//! Draws diagnostics. The library draws; this file decides what it gets to see.
//!
//! A model is untrusted: whatever of its text reaches the terminal, in the source lines, in
//! messages or in the file's name, has its control characters replaced. And whatever a diagnostic's
//! spans are, drawing them never fails: they are brought into the text first.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{Source, Span};

/// Diagnostics that are drawn; of the others only the number is given. Errors come first.
const MOST: usize = 100;
/// Labels further apart than this number of lines are drawn as separate pieces of the text.
const FAR: usize = 200;
/// A span of more lines is drawn as its first line.
const TALL: usize = 200;
/// Of a longer line, only the characters around the labels are drawn.
const LONG: usize = 400;
const AROUND: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// Columns to draw within.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, width: 120 }
    }
}

/// Diagnostics in the order of their places, and a line that counts all of them. Empty if there are
/// none.
pub fn render(source: &Source, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| (diagnostic.severity, diagnostic.primary.span.start));
    let hidden = sorted.len().saturating_sub(MOST);
    sorted.truncate(MOST);
    sorted.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity));
    let mut text = String::new();
    for diagnostic in &sorted {
        text.push_str(&render_one(source, diagnostic, style));
        text.push_str("\n\n");
    }
    if hidden > 0 {
        text.push_str(&format!("{hidden} more are not shown\n"));
    }
    if let Some(summary) = summary(diagnostics) {
        text.push_str(&summary);
        text.push('\n');
    }
    text
}

/// `2 errors, 1 warning`; nothing where there is nothing to count.
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity, name: &str| {
        let number = diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        (number > 0).then(|| format!("{number} {name}{}", if number == 1 { "" } else { "s" }))
    };
    let counts =
        [count(Severity::Error, "error"), count(Severity::Warning, "warning"), count(Severity::Note, "note")];
    let parts: Vec<String> = counts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Text that is safe to send to a terminal, on one line.
pub fn one_line(text: &str) -> String {
    text.chars().map(|character| if character == '\n' { '␊' } else { visible(character) }).collect()
}

/// Text that is safe to send to a terminal.
pub fn lines(text: &str) -> String {
    text.chars().map(|character| if character == '\n' { '\n' } else { visible(character) }).collect()
}

fn render_one(source: &Source, diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let name = one_line(&source.name);
    let mut group = Group::with_title(level.primary_title(one_line(&diagnostic.message)).id(diagnostic.code));
    for piece in pieces(&marks(source, diagnostic)) {
        let excerpt = Excerpt::new(source, &piece);
        let mut snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line).fold(true);
        if excerpt.shortened {
            // The library would count the columns of what it sees.
            let first = piece.iter().find(|mark| mark.primary).or(piece.first());
            let place = source.position(first.map_or(0, |mark| mark.range.start as u32));
            let origin = Origin::path(name.clone()).line(place.line as usize);
            group = group.element(origin.char_column(place.column as usize));
        } else {
            snippet = snippet.path(name.clone());
        }
        for (mark, range) in piece.iter().zip(excerpt.ranges) {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!mark.label.is_empty()).then_some(mark.label.clone());
            snippet = snippet.annotation(kind.span(range).label(label));
        }
        group = group.element(snippet);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(lines(help)));
    }
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(style.width).render(&[group])
}

/// A label in its place.
struct Mark {
    range: Range<usize>,
    first_line: usize,
    last_line: usize,
    label: String,
    primary: bool,
}

/// The labels of a diagnostic with spans that lie in the text, the primary one first.
fn marks(source: &Source, diagnostic: &Diagnostic) -> Vec<Mark> {
    let labels = std::iter::once((&diagnostic.primary, true))
        .chain(diagnostic.secondary.iter().map(|label| (label, false)));
    labels
        .map(|(label, primary)| {
            let mut range = fitted(&source.text, label.span);
            let line = |offset: usize| source.position(offset as u32).line as usize;
            let first_line = line(range.start);
            // A span that ends with a line break ends on the line before it.
            let last = source.text[range.clone()].trim_end_matches(['\n', '\r']).len() + range.start;
            range.end = last;
            let mut last_line = line(last);
            if last_line - first_line > TALL {
                range.end = line_range(&source.text, range.start).end;
                last_line = first_line;
            }
            Mark { range, first_line, last_line, label: one_line(&label.text), primary }
        })
        .collect()
}

/// The span as a range of the text: ordered, inside it, and between characters.
fn fitted(text: &str, span: Span) -> Range<usize> {
    let (low, high) = (span.start.min(span.end) as usize, span.start.max(span.end) as usize);
    let mut start = low.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = high.min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    // A place behind the last line break has no line to be drawn on; the end of the line before
    // has.
    let start = if start == text.len() { text.trim_end_matches(['\n', '\r']).len() } else { start };
    start..end.max(start)
}

/// The line around an offset, without its break.
fn line_range(text: &str, offset: usize) -> Range<usize> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    start..end
}

/// Marks that are near each other are drawn on one piece of the text. The primary one's piece comes
/// first.
fn pieces(marks: &[Mark]) -> Vec<Vec<&Mark>> {
    let mut sorted: Vec<&Mark> = marks.iter().collect();
    sorted.sort_by_key(|mark| mark.first_line);
    let mut pieces: Vec<Vec<&Mark>> = Vec::new();
    let mut reached = 0;
    for mark in sorted {
        match pieces.last_mut() {
            Some(piece) if mark.first_line <= reached + FAR => piece.push(mark),
            _ => pieces.push(vec![mark]),
        }
        reached = reached.max(mark.last_line);
    }
    pieces.sort_by_key(|piece| !piece.iter().any(|mark| mark.primary));
    pieces
}

/// A piece of the text as it is drawn, and where the marks lie in it.
struct Excerpt {
    text: String,
    first_line: usize,
    ranges: Vec<Range<usize>>,
    /// Parts of long lines are left out.
    shortened: bool,
}

impl Excerpt {
    fn new(source: &Source, piece: &[&Mark]) -> Excerpt {
        let whole = &source.text;
        let start = piece.iter().map(|mark| line_range(whole, mark.range.start).start).min().unwrap_or(0);
        let end = piece.iter().map(|mark| line_range(whole, mark.range.end).end).max().unwrap_or(0);
        let first_line = piece.iter().map(|mark| mark.first_line).min().unwrap_or(1);
        let mut ranges: Vec<Range<usize>> = vec![0..0; piece.len()];
        let mut text = String::new();
        let mut shortened = false;
        let mut offset = start;
        for line in whole[start..end].split_inclusive('\n') {
            let ends = piece.iter().flat_map(|mark| [mark.range.start, mark.range.end]);
            let interesting: Vec<usize> =
                ends.filter(|at| (offset..offset + line.len()).contains(at)).map(|at| at - offset).collect();
            let shown = Shown::new(line, &interesting);
            shortened |= matches!(shown, Shown::Around(_));
            for (index, character) in line.char_indices() {
                Self::record(piece, &mut ranges, offset + index, text.len());
                match character {
                    '\r' if whole[offset + index + 1..].starts_with('\n') => {}
                    '\n' => text.push('\n'),
                    _ if shown.contains(index) => text.push(visible(character)),
                    _ if shown.contains(index + character.len_utf8()) => text.push('…'),
                    _ => {}
                }
            }
            offset += line.len();
        }
        Self::record(piece, &mut ranges, end, text.len());
        for range in &mut ranges {
            range.end = range.end.max(range.start);
        }
        Excerpt { text, first_line, ranges, shortened }
    }

    /// What begins or ends at `from` in the whole text does so at `to` in the excerpt.
    fn record(piece: &[&Mark], ranges: &mut [Range<usize>], from: usize, to: usize) {
        for (mark, range) in piece.iter().zip(ranges) {
            if mark.range.start == from {
                range.start = to;
            }
            if mark.range.end == from {
                range.end = to;
            }
        }
    }
}

/// Which bytes of a line are drawn.
enum Shown {
    All,
    Around(Vec<Range<usize>>),
}

impl Shown {
    fn new(line: &str, interesting: &[usize]) -> Shown {
        if line.len() <= LONG {
            return Shown::All;
        }
        let near = |at: &usize| at.saturating_sub(AROUND)..at + AROUND;
        let mut ranges: Vec<_> = interesting.iter().map(near).collect();
        if ranges.is_empty() {
            ranges.push(0..AROUND);
        }
        Shown::Around(ranges)
    }

    fn contains(&self, index: usize) -> bool {
        match self {
            Shown::All => true,
            Shown::Around(ranges) => ranges.iter().any(|range| range.contains(&index)),
        }
    }
}

/// The character, or a visible one in place of a character that would act on the terminal, or turn
/// the order of those around it.
fn visible(character: char) -> char {
    match character {
        '\t' => '\t',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + character as u32).unwrap_or('�'),
        '\u{7f}' => '␡',
        '\u{80}'..='\u{9f}' => '�',
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{61c}' => '�',
        _ => character,
    }
}

#[cfg(test)]
mod tests;
