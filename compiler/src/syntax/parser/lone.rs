//! An expression that stands alone, as it is typed while a model is explored.

use super::grammar::{Grammar, Rule};
use super::{Builder, MAXIMUM_NESTING, mistakes, too_deep};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::outline::{Piece, PieceKind};
use crate::syntax::scan::{Scan, TokenKind, scan};
use crate::syntax::tree::Expression;
use pest::Parser;
use pest::error::{Error, ErrorVariant};

/// Parses an expression. All its places, and those of diagnostics, are counted from `offset`.
pub fn parse_expression(text: &str, offset: u32) -> Result<Expression, Vec<Diagnostic>> {
    let scan = scan(text);
    if !scan.diagnostics.is_empty() {
        return Err(moved(scan.diagnostics, offset));
    }
    if scan.tokens.is_empty() {
        let message = "expected an expression, found nothing";
        return Err(moved(vec![Diagnostic::error("syntax", Span::default(), message)], offset));
    }
    // More than are nested, perhaps, but no sensible expression comes near.
    let opens = |span: Span| {
        let token = span.text(text).to_ascii_lowercase();
        matches!(token.as_str(), "(" | "[" | "{" | "?" | "forall" | "exists" | "∀" | "∃" | "multisetcount")
    };
    if let Some(token) = scan.tokens.iter().filter(|token| opens(token.span)).nth(MAXIMUM_NESTING) {
        return Err(moved(vec![too_deep(token.span)], offset));
    }
    let pairs = match Grammar::parse(Rule::lone_expression, &scan.text) {
        Ok(pairs) => pairs,
        Err(error) => return Err(moved(vec![mistake(&error, text, &scan)], offset)),
    };
    let mut builder = Builder::new(offset);
    let expression = pairs.into_iter().next().and_then(|pair| builder.expression(pair));
    match expression {
        Some(expression) if builder.diagnostics.is_empty() => Ok(expression),
        _ if builder.diagnostics.is_empty() => {
            let message = "internal error: this was parsed but not understood";
            Err(moved(vec![Diagnostic::error("internal", Span::new(0, text.len()), message)], offset))
        }
        _ => Err(builder.diagnostics),
    }
}

fn mistake(error: &Error<Rule>, text: &str, scan: &Scan) -> Diagnostic {
    let piece = Piece { kind: PieceKind::Item, tokens: 0..scan.tokens.len(), keyword: 0, too_deep: None };
    let mistake = mistakes::mistake(error, text, scan, &piece, Span::new(0, text.len()));
    let mut diagnostic = mistake.diagnostic;
    let ends = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.contains(&Rule::EOI),
        ErrorVariant::CustomError { .. } => false,
    };
    match scan.tokens.get(mistake.token) {
        None => {
            let message = diagnostic.message.replace("the end of the file", "the end of the expression");
            Diagnostic::error("syntax", Span::new(text.len(), text.len()), message)
        }
        // Here nothing follows an expression, unlike in a model.
        Some(token) if ends => {
            let found = match token.kind {
                TokenKind::Text => "a string".to_owned(),
                TokenKind::Word(_) | TokenKind::Number | TokenKind::Sign | TokenKind::Unknown => {
                    format!("`{}`", token.span.text(text))
                }
            };
            diagnostic.message = format!("expected an operator or the end of the expression, found {found}");
            diagnostic.primary.span = token.span;
            diagnostic
        }
        Some(_) => diagnostic,
    }
}

fn moved(mut diagnostics: Vec<Diagnostic>, offset: u32) -> Vec<Diagnostic> {
    let labels = diagnostics
        .iter_mut()
        .flat_map(|diagnostic| std::iter::once(&mut diagnostic.primary).chain(&mut diagnostic.secondary));
    for label in labels {
        label.span = Span { start: label.span.start + offset, end: label.span.end + offset };
    }
    diagnostics
}
