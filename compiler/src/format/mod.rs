//! One style for the text of models: `mcc fmt`, and formatting in editors.
//!
//! Only the space between tokens changes: every word, sign, string and comment stays, in its order.
//! Where lines break inside of an expression is the author's business; indentation, the space
//! between tokens, and which statements and declarations begin a line are not. A block on one line
//! stays on one line; in any other, each statement begins a line.
//!
//! - [`structure`]: how far each token is indented, and which must begin a line
//! - [`spacing`]: which neighbours on one line have a space between them
//! - [`comments`]: what stands between two tokens
//! - [`print`]: puts these together

mod comments;
mod print;
mod spacing;
mod structure;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use crate::diagnostics::{Diagnostic, Severity};
use crate::source::{Source, Span};
use crate::syntax::concrete::concrete;
use crate::syntax::recover;
use crate::syntax::scan::scan;

/// One change: the text at this place becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// What has to change, from the beginning to the end. A model that cannot be parsed is refused with
/// what is wrong with it.
pub fn edits(source: &Source) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let (program, mut diagnostics) = recover(source);
    if program.damaged {
        diagnostics.retain(|one| one.severity == Severity::Error);
        return Err(diagnostics);
    }
    let concrete = concrete(source);
    let edits = print::edits(source, &concrete);
    let formatted = apply(&source.text, &edits);
    if differs(&source.text, &formatted) {
        let message = "internal error: formatting would change more than space";
        let refusal = Diagnostic::error("internal", Span::default(), message)
            .help("this is a bug in mcc: please report it with the model");
        return Err(vec![refusal]);
    }
    Ok(edits)
}

/// The text after all changes.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        result += text.get(at..edit.span.start as usize).unwrap_or("");
        result += &edit.text;
        at = edit.span.end as usize;
    }
    result + text.get(at..).unwrap_or("")
}

/// The changes that concern some of the lines only, counted from one.
pub fn within(source: &Source, edits: Vec<Edit>, lines: &RangeInclusive<u32>) -> Vec<Edit> {
    let line = |offset| source.position(offset).line;
    let concerns = |edit: &Edit| {
        // The indentation of the first line is part of the space that begins before it.
        line(edit.span.end) >= *lines.start() && line(edit.span.start) <= *lines.end()
    };
    // The space before the first line, and after the last one, belongs to both sides.
    edits.into_iter().filter(concerns).collect()
}

/// Whether two texts differ in more than the space between their tokens and at the ends of lines in
/// comments. What is printed is compared with what was read, so that no mistake here can change
/// the meaning of a model.
fn differs(before: &str, after: &str) -> bool {
    let (one, other) = (scan(before), scan(after));
    let mut tokens = one.tokens.iter().zip(&other.tokens);
    one.tokens.len() != other.tokens.len()
        || tokens.any(|(left, right)| left.span.text(before) != right.span.text(after))
        || comments::all(before, &one.tokens) != comments::all(after, &other.tokens)
}
