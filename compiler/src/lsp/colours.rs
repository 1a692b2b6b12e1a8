//! Semantic tokens: how an editor colours each word.

use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensLegend};

use super::document::Known;
use super::names::Kind;
use super::text::Lines;
use crate::source::Span;
use crate::syntax::keywords;
use crate::syntax::scan::TokenKind;

const TYPES: [SemanticTokenType; 8] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::TYPE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::NUMBER,
];

pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: Vec::new() }
}

/// Comments, strings and signs are left to the grammar of the editor: they look alike everywhere.
pub fn tokens(known: &Known, lines: &Lines) -> SemanticTokens {
    let mut occurrences = known.names.occurrences.iter().peekable();
    let mut data = Vec::new();
    let mut before = (0, 0);
    for token in &known.tokens {
        while occurrences.peek().is_some_and(|one| one.span.start < token.span.start) {
            occurrences.next();
        }
        let symbol = occurrences.peek().filter(|one| one.span == token.span).map(|one| one.symbol);
        let kind = symbol.and_then(|id| known.names.symbol(id)).map(|symbol| symbol.kind);
        let Some(token_type) = kind.map(of).or_else(|| plain(known, token.kind, token.span)) else {
            continue;
        };
        let start = lines.position(token.span.start as usize);
        let column = if start.line == before.0 { start.character - before.1 } else { start.character };
        data.push(SemanticToken {
            delta_line: start.line - before.0,
            delta_start: column,
            length: lines.width(token.span.text(&lines.text)),
            token_type: TYPES.iter().position(|one| *one == token_type).unwrap_or(0) as u32,
            token_modifiers_bitset: 0,
        });
        before = (start.line, start.character);
    }
    SemanticTokens { result_id: None, data }
}

fn of(kind: Kind) -> SemanticTokenType {
    match kind {
        Kind::Constant | Kind::Member => SemanticTokenType::ENUM_MEMBER,
        Kind::Type => SemanticTokenType::TYPE,
        Kind::Variable | Kind::Local | Kind::Alias => SemanticTokenType::VARIABLE,
        Kind::Parameter => SemanticTokenType::PARAMETER,
        Kind::Field => SemanticTokenType::PROPERTY,
        Kind::Function => SemanticTokenType::FUNCTION,
    }
}

fn plain(known: &Known, kind: TokenKind, span: Span) -> Option<SemanticTokenType> {
    match kind {
        TokenKind::Number => Some(SemanticTokenType::NUMBER),
        TokenKind::Word(_) => {
            let text = span.text(&known.source.text);
            if text.eq_ignore_ascii_case("boolean") {
                return Some(SemanticTokenType::TYPE);
            }
            keywords::is_keyword(text).then_some(SemanticTokenType::KEYWORD)
        }
        TokenKind::Text | TokenKind::Sign | TokenKind::Unknown => None,
    }
}
