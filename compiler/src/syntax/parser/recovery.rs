//! What to leave out of a piece that cannot be parsed, so that the rest of it can.
//!
//! A mistake in a statement costs that statement, one in a declaration that declaration, and one in
//! a guard the guard. Where neither end of the damage is clear, the whole piece is given up.

use crate::syntax::outline::{Piece, PieceKind};
use crate::syntax::scan::{Scan, TokenKind};
use crate::syntax::tree::{Name, Unparsed};
use crate::syntax::words::Word;
use std::ops::Range;

/// A part of a piece to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub tokens: Range<usize>,
    /// Whether names are declared there, on which the rest may depend.
    pub declares: bool,
}

/// A block that is open at the place of a mistake.
struct Level {
    opener: usize,
    /// Whether its parts are statements or declarations. Those of `record`, `forall` and `exists`
    /// make no sense without each other.
    divisible: bool,
    /// Where the statement or declaration at hand begins; `None` in the block's header.
    begins: Option<usize>,
}

pub(super) struct Tokens<'a> {
    pub source: &'a str,
    pub scan: &'a Scan,
}

impl Tokens<'_> {
    fn word(&self, at: usize) -> Word {
        match self.scan.tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Word(word)) => word,
            _ => Word::Other,
        }
    }

    fn text(&self, at: usize) -> String {
        self.scan.tokens.get(at).map(|token| token.span.text(self.source)).unwrap_or("").to_ascii_lowercase()
    }

    /// What to leave out because of the unexpected token `at`.
    pub(super) fn cut(&self, piece: &Piece, at: usize) -> Option<Cut> {
        let first = piece.keyword;
        let section = matches!(piece.kind, PieceKind::Constants | PieceKind::Types | PieceKind::Variables);
        let routine = matches!(self.word(first), Word::Function | Word::Rule | Word::Startstate);
        if !section && !routine || at <= first {
            return None;
        }
        let begins = (section || self.word(first) == Word::Startstate).then_some(first + 1);
        let mut levels = vec![Level { opener: first, divisible: true, begins }];
        let mut declares = section;
        let mut parentheses = 0usize;
        for token in first + 1..at.min(piece.tokens.end) {
            let outermost = levels.len() == 1;
            let Some(level) = levels.last_mut() else { break };
            let next = Some(token + 1);
            match self.word(token) {
                Word::If | Word::For | Word::While | Word::Switch | Word::Alias => {
                    levels.push(Level { opener: token, divisible: true, begins: None });
                }
                Word::Record | Word::Quantified => {
                    levels.push(Level { opener: token, divisible: false, begins: None });
                }
                Word::End(_) if !outermost => drop(levels.pop()),
                Word::Const | Word::Type | Word::Var if outermost && parentheses == 0 => {
                    (declares, level.begins) = (true, next);
                }
                Word::Do => level.begins = next,
                _ => match self.text(token).as_str() {
                    "begin" if outermost => (declares, level.begins) = (section, next),
                    "then" | "else" => level.begins = next,
                    "==>" | "⇒" if outermost => level.begins = next,
                    "elsif" | "case" => level.begins = None,
                    ":" if self.word(level.opener) == Word::Switch && level.begins.is_none() => {
                        level.begins = next;
                    }
                    ";" if level.begins.is_some() => level.begins = next,
                    "(" => parentheses += 1,
                    ")" => parentheses = parentheses.saturating_sub(1),
                    _ => {}
                },
            }
        }
        let depth = levels.iter().rposition(|level| level.divisible)?;
        let level = levels.get(depth)?;
        let tokens = match level.begins {
            Some(begins) => begins..self.end_of_statement(begins, at, piece.tokens.end),
            None if depth > 0 => level.opener..self.end_of_statement(level.opener, at, piece.tokens.end),
            None if self.word(first) == Word::Rule => self.guard(piece, at)?,
            None => return None,
        };
        let makes_sense = tokens.start < tokens.end && tokens.start <= at && at <= tokens.end;
        makes_sense.then_some(Cut { tokens, declares })
    }

    /// Past the end of a statement or declaration that contains a mistake.
    fn end_of_statement(&self, begins: usize, mistake: usize, limit: usize) -> usize {
        let mut open = 0usize;
        for token in begins..limit {
            let past = token >= mistake;
            match self.word(token) {
                Word::End(_) if open == 0 => return token,
                Word::End(_) => {
                    open -= 1;
                    if open == 0 && past {
                        return token + 1;
                    }
                }
                Word::Choose => {}
                word if word.closed_by().is_some() => open += 1,
                _ if open > 0 => {}
                _ => match self.text(token).as_str() {
                    ";" if past => return token + 1,
                    "else" | "elsif" | "case" if past => return token,
                    _ => {}
                },
            }
        }
        limit
    }

    /// The guard of a rule, from behind its name to its arrow or to what follows it.
    fn guard(&self, piece: &Piece, mistake: usize) -> Option<Range<usize>> {
        let is_label = |at: &usize| {
            let kind = self.scan.tokens.get(*at).map(|token| token.kind);
            matches!(kind, Some(TokenKind::Text | TokenKind::Number))
        };
        let begins = (piece.keyword + 1..piece.tokens.end).find(|at| !is_label(at))?;
        let ends = (begins..piece.tokens.end).find(|at| {
            matches!(self.text(*at).as_str(), "==>" | "⇒" | "begin")
                || matches!(self.word(*at), Word::Const | Word::Type | Word::Var)
        })?;
        (ends >= mistake).then_some(begins..ends)
    }

    /// The names in text that is left out.
    pub(super) fn names(&self, tokens: Range<usize>) -> Unparsed {
        let mut names = Unparsed::default();
        // Names before the first `:`, and after each `;`, are those of a declaration.
        let mut declaring = true;
        for at in tokens {
            let Some(token) = self.scan.tokens.get(at) else { break };
            match token.kind {
                TokenKind::Word(Word::Other) => {
                    let name = Name { text: token.span.text(self.source).to_string(), span: token.span };
                    let among = if declaring { &mut names.declared } else { &mut names.mentioned };
                    among.push(name);
                    declaring = false;
                }
                TokenKind::Sign => match self.text(at).as_str() {
                    ";" => declaring = true,
                    "," if names.mentioned.is_empty() => declaring = true,
                    _ => declaring = false,
                },
                TokenKind::Word(_) | TokenKind::Number | TokenKind::Text | TokenKind::Unknown => {}
            }
        }
        names
    }
}
