//! Says in the user's words where the grammar could not go on: "expected X, found Y".

use super::grammar::Rule;
use super::hints::{Place, hint};
use super::too_deep;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::outline::{Piece, open_blocks};
use crate::syntax::scan::{Scan, Token, TokenKind};
use crate::syntax::words::Word;
use pest::error::{Error, ErrorVariant, InputLocation};

/// More alternatives than this are noise.
const MAXIMUM_ALTERNATIVES: usize = 4;

/// A syntax error in one piece of the model.
pub(super) struct Mistake {
    pub diagnostic: Diagnostic,
    /// The token that was not expected; past the last one at the end of the file.
    pub token: usize,
    /// The part of the model that could not be parsed.
    pub piece: Span,
    /// Something else was meant to begin where declarations were expected.
    pub begins_item: bool,
}

pub(super) fn mistake(error: &Error<Rule>, source: &str, scan: &Scan, piece: &Piece, span: Span) -> Mistake {
    let (InputLocation::Pos(position) | InputLocation::Span((position, _))) = error.location;
    let position = span.start + position as u32;
    let token = scan.tokens.partition_point(|token| token.span.end <= position).min(piece.tokens.end);
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        // The grammar itself has a limit; it is the stack's.
        ErrorVariant::CustomError { .. } => {
            return Mistake {
                diagnostic: too_deep(found_span(scan, token)),
                token,
                piece: span,
                begins_item: false,
            };
        }
    };
    let place = Place { source, tokens: &scan.tokens, piece, at: token, expected };
    let hint = hint(&place);
    let begins_item = hint.as_ref().is_some_and(|hint| hint.begins_item);
    let mut diagnostic = match hint {
        Some(hint) => {
            let expected = hint.expected.map_or_else(|| alternatives(&place), str::to_string);
            let message = format!("expected {expected}, found {}", found(&place, hint.at));
            Diagnostic::error("syntax", found_span(scan, hint.at), message).help(hint.help)
        }
        None => {
            let message = format!("expected {}, found {}", alternatives(&place), found(&place, token));
            Diagnostic::error("syntax", found_span(scan, token), message)
        }
    };
    if token >= scan.tokens.len() {
        diagnostic = diagnostic.label("the file ends here");
    }
    if expects_end(expected) && leaves_piece(&place) {
        let opening = open_blocks(source, scan, piece.tokens.start..token).pop();
        if let Some(opening) = opening.and_then(|opening| scan.tokens.get(opening)) {
            let name = opening.span.text(source);
            diagnostic = diagnostic.also(opening.span, format!("this `{name}` is not closed"));
        }
    }
    Mistake { diagnostic, token, piece: span.to(found_span(scan, token)), begins_item }
}

/// The token, or at the end of the file the last one, so that there is something to underline.
fn found_span(scan: &Scan, token: usize) -> Span {
    scan.tokens.get(token).or(scan.tokens.last()).map(|token| token.span).unwrap_or_default()
}

fn found(place: &Place, at: usize) -> String {
    match place.tokens.get(at) {
        None => "the end of the file".to_string(),
        Some(Token { kind: TokenKind::Text, .. }) => "a string".to_string(),
        Some(Token { kind: TokenKind::Unknown, span }) => {
            format!("the character `{}`", span.text(place.source))
        }
        Some(Token { kind: TokenKind::Word(_) | TokenKind::Number | TokenKind::Sign, span }) => {
            format!("`{}`", span.text(place.source))
        }
    }
}

fn expects_end(expected: &[Rule]) -> bool {
    expected.iter().any(|rule| is_end(*rule))
}

/// Whether what was found shows that a block should have been closed before.
fn leaves_piece(place: &Place) -> bool {
    place.at >= place.piece.tokens.end
        || matches!(
            place.word(place.at),
            Some(Word::End(_) | Word::Const | Word::Type | Word::Var | Word::Record)
        )
}

/// What would have been right, as a list to be read: "`;`, `else` or `end`".
fn alternatives(place: &Place) -> String {
    let mut phrases: Vec<(Rank, String)> = Vec::new();
    for rule in place.expected {
        let phrase = phrase(*rule);
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    // After a sign or a `!` the grammar counts up what may follow, one by one.
    if place.expected.contains(&Rule::forall_word) {
        phrases.retain(|(_, phrase)| phrase != "a name");
    }
    if expects_end(place.expected) && leaves_piece(place) {
        phrases.retain(|(_, phrase)| phrase == "`end`");
    }
    // Right after an expression, what could follow next comes after a `;` that may be missing.
    let has = |rank: Rank| phrases.iter().any(|(own, _)| *own == rank);
    let after_expression = place.expected.contains(&Rule::binary_operator);
    let at_item_end = place.expected.contains(&Rule::EOI);
    if after_expression && (has(Rank::Statement) || at_item_end) {
        phrases.retain(|(rank, phrase)| !matches!(rank, Rank::Statement | Rank::Kind) && phrase != "`,`");
        phrases.push((Rank::Sign, "an operator".to_string()));
        phrases.push((Rank::Statement, "`;`".to_string()));
    }
    phrases.sort_by_key(|(rank, _)| *rank);
    if let Some((best, _)) = phrases.first().cloned() {
        // What may always follow is worth a word only if nothing else could.
        if best < Rank::Operator {
            phrases.retain(|(rank, _)| *rank < Rank::Operator);
        }
    }
    phrases.truncate(MAXIMUM_ALTERNATIVES);
    let mut list: Vec<String> = phrases.into_iter().map(|(_, phrase)| phrase).collect();
    match (list.pop(), list.is_empty()) {
        (None, _) => "a declaration or a rule".to_string(),
        (Some(only), true) => only,
        (Some(last), false) => format!("{} or {last}", list.join(", ")),
    }
}

/// The order in which expected tokens are listed in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Sign,
    Kind,
    Statement,
    Word,
    End,
    Operator,
    Optional,
}

fn is_end(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::end_of_alias
            | Rule::end_of_exists
            | Rule::end_of_for
            | Rule::end_of_forall
            | Rule::end_of_function
            | Rule::end_of_if
            | Rule::end_of_record
            | Rule::end_of_rule
            | Rule::end_of_startstate
            | Rule::end_of_switch
            | Rule::end_of_while
    )
}

fn phrase(rule: Rule) -> (Rank, String) {
    let (rank, text) = match rule {
        Rule::assign => (Rank::Sign, "`:=`"),
        Rule::arrow | Rule::guard => (Rank::Sign, "`==>`"),
        Rule::colon => (Rank::Sign, "`:`"),
        Rule::close_parenthesis => (Rank::Sign, "`)`"),
        Rule::close_bracket => (Rank::Sign, "`]`"),
        Rule::close_brace => (Rank::Sign, "`}`"),
        Rule::open_brace => (Rank::Sign, "`{`"),
        Rule::comma => (Rank::Sign, "`,`"),
        Rule::dots => (Rank::Operator, "`..`"),
        Rule::formula | Rule::formula_operand | Rule::formula_prefix => (Rank::Kind, "a formula"),
        Rule::expression
        | Rule::operand
        | Rule::number
        | Rule::real_number
        | Rule::parenthesised
        | Rule::forall_word
        | Rule::exists_word
        | Rule::ismember_word
        | Rule::isundefined_word
        | Rule::multisetcount_word => (Rank::Kind, "an expression"),
        Rule::reference => (Rank::Kind, "a variable"),
        Rule::identifier | Rule::names => (Rank::Kind, "a name"),
        Rule::type_expression | Rule::range_or_name => (Rank::Kind, "a type"),
        Rule::string => (Rank::Kind, "a string"),
        Rule::statement | Rule::assignment_or_call => (Rank::Statement, "a statement"),
        Rule::top_level_item | Rule::property_word => (Rank::Kind, "a declaration or a rule"),
        Rule::do_word => (Rank::Word, "`do`"),
        Rule::open_parenthesis | Rule::arguments | Rule::parameters => (Rank::Operator, "`(`"),
        Rule::open_bracket => (Rank::Operator, "`[`"),
        Rule::binary_operator
        | Rule::formula_operator
        | Rule::formula_conditional
        | Rule::prefix_operator
        | Rule::question
        | Rule::conditional
        | Rule::selector
        | Rule::dot => (Rank::Operator, "an operator"),
        Rule::constants | Rule::types | Rule::variables | Rule::locals => (Rank::Optional, "a declaration"),
        Rule::const_word | Rule::type_word | Rule::var_word | Rule::begin_word | Rule::priority => {
            (Rank::Optional, "`begin`")
        }
        Rule::EOI => (Rank::Optional, "a declaration or a rule"),
        _ if is_end(rule) => (Rank::End, "`end`"),
        _ => {
            // The rules of keywords are named after them.
            let name = format!("{rule:?}");
            return match name.strip_suffix("_word") {
                Some(word) => (Rank::Word, format!("`{word}`")),
                None => (Rank::Optional, format!("a {}", name.replace('_', " "))),
            };
        }
    };
    (rank, text.to_string())
}
