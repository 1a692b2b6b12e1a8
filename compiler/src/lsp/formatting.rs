//! Formatting, as `mcc fmt` does it.

use lsp_types::{Range, TextEdit};

use super::document::Known;
use super::server::{Answer, data};
use super::text::Lines;
use crate::format;

/// The changes that format a model, or some of its lines.
pub fn edits(known: &Known, lines: &Lines, range: Option<Range>) -> Answer {
    let wrong = |_| "the model has syntax errors, and is left as it is".to_owned();
    let mut edits = format::edits(&known.source).map_err(wrong)?;
    if let Some(range) = range {
        let line = |position| known.source.position(lines.offset(position) as u32).line;
        edits = format::within(&known.source, edits, &(line(range.start)..=line(range.end)));
    }
    data(edits.into_iter().map(|edit| TextEdit::new(lines.range(edit.span), edit.text)).collect::<Vec<_>>())
}
