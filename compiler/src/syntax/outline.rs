//! Cuts the tokens of a model into pieces that are parsed one by one.
//!
//! A piece is a declaration section, a function, a rule, the header of a ruleset, or the word that
//! closes one. A mistake in one piece then says nothing about the next, and all mistakes can be
//! reported in one go. The same walk bounds how deeply brackets and blocks nest, because the
//! grammar descends once for each level.

use super::scan::{Scan, Token, TokenKind};
use super::words::{End, Word};
use std::ops::Range;

/// How deeply brackets and blocks may nest within one piece.
pub(super) const MAXIMUM_NESTING: usize = 250;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Constants,
    Types,
    Variables,
    /// A function, a rule or anything else that stands for itself.
    Item,
    /// CMurphi's formula in probabilistic temporal logic.
    Formula,
    /// From `ruleset`, `alias` or `choose` to `do`.
    Header,
    /// An end word outside of any item.
    Close(End),
}

#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub kind: PieceKind,
    /// Which of the scan's tokens belong to it; never empty.
    pub tokens: Range<usize>,
    /// The token that says what it is: the first one, unless `fair` stands before it.
    pub keyword: usize,
    /// The token at which the nesting became too deep to be parsed.
    pub too_deep: Option<usize>,
}

/// An open bracket or an open block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Bracket(char),
    Block(End),
}

pub(super) fn outline(source: &str, scan: &Scan) -> Vec<Piece> {
    let walk = Walk { source, tokens: &scan.tokens };
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(token) = walk.tokens.get(at) {
        if walk.sign(at) == Some(";") {
            at += 1;
            continue;
        }
        let piece = match token.kind {
            TokenKind::Word(Word::End(end)) => {
                Piece { kind: PieceKind::Close(end), tokens: at..at + 1, keyword: at, too_deep: None }
            }
            TokenKind::Word(Word::Ruleset | Word::Alias) => walk.header(at),
            TokenKind::Word(Word::Fair | Word::Strong)
                if walk.fair_rule(at).is_some_and(|rule| walk.word(rule) == Word::Ruleset) =>
            {
                walk.header(at)
            }
            TokenKind::Word(Word::Choose) if walk.starts_item(at) => walk.header(at),
            _ => walk.item(at),
        };
        at = piece.tokens.end;
        pieces.push(piece);
    }
    pieces
}

/// The tokens that open the blocks which are still open at `until`, innermost last.
pub(super) fn open_blocks(source: &str, scan: &Scan, tokens: Range<usize>) -> Vec<usize> {
    let walk = Walk { source, tokens: &scan.tokens };
    let mut nesting = Nesting::default();
    for at in tokens {
        nesting.enter(&walk, at);
    }
    nesting.open.iter().filter(|(open, _)| matches!(open, Open::Block(_))).map(|(_, token)| *token).collect()
}

struct Walk<'scan> {
    source: &'scan str,
    tokens: &'scan [Token],
}

impl Walk<'_> {
    fn word(&self, at: usize) -> Word {
        match self.tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Word(word)) => word,
            _ => Word::Other,
        }
    }

    fn sign(&self, at: usize) -> Option<&str> {
        let token = self.tokens.get(at)?;
        (token.kind == TokenKind::Sign).then(|| token.span.text(self.source))
    }

    fn header(&self, first: usize) -> Piece {
        let mut nesting = Nesting::default();
        let mut at = self.fair_rule(first).unwrap_or(first) + 1;
        while at < self.tokens.len() {
            let word = self.word(at);
            if word == Word::Do && nesting.open.is_empty() {
                at += 1;
                break;
            }
            let rules_begin = matches!(word, Word::End(_) | Word::Alias) && nesting.open.is_empty();
            if self.starts_item(at) || rules_begin {
                break;
            }
            nesting.enter(self, at);
            at += 1;
        }
        Piece {
            kind: PieceKind::Header,
            tokens: first..at,
            keyword: self.fair_rule(first).unwrap_or(first),
            too_deep: nesting.too_deep,
        }
    }

    /// Where the `rule` or `ruleset` is that `fair` or `strong fair` at this place stands before.
    pub fn fair_rule(&self, at: usize) -> Option<usize> {
        let fair = match self.word(at) {
            Word::Strong => at + 1,
            _ => at,
        };
        let before_rule = matches!(self.word(fair + 1), Word::Rule | Word::Ruleset);
        (self.word(fair) == Word::Fair && before_rule).then_some(fair + 1)
    }

    fn item(&self, first: usize) -> Piece {
        let keyword = self.fair_rule(first).unwrap_or(first);
        let kind = match self.word(keyword) {
            Word::Const => PieceKind::Constants,
            Word::Type => PieceKind::Types,
            Word::Var => PieceKind::Variables,
            Word::Pctl => PieceKind::Formula,
            _ => PieceKind::Item,
        };
        let routine = matches!(self.word(keyword), Word::Function | Word::Rule | Word::Startstate);
        let mut nesting = Nesting::default();
        nesting.enter(self, keyword);
        let mut at = keyword + 1;
        let mut invariant_is_statement = None;
        while at < self.tokens.len() {
            let word = self.word(at);
            let ends_here = if routine && word == Word::Invariant {
                !*invariant_is_statement.get_or_insert_with(|| self.closes(nesting.clone(), at))
            } else if routine {
                self.interrupts_routine(at)
            } else {
                self.starts_item(at) && (word != Word::Var || !nesting.in_bracket())
                    || (nesting.open.is_empty()
                        && (matches!(word, Word::End(_) | Word::Alias)
                            || kind == PieceKind::Formula && self.sign(at) == Some(";")))
            };
            if ends_here {
                break;
            }
            nesting.enter(self, at);
            at += 1;
            if routine && nesting.open.is_empty() {
                break;
            }
        }
        Piece { kind, tokens: first..at, keyword, too_deep: nesting.too_deep }
    }

    /// Whether the routine that is open at this token is closed before something interrupts it. If
    /// so, an `invariant` in it is a statement, which Rumur allows; if not, its `end` is
    /// missing.
    fn closes(&self, mut nesting: Nesting, from: usize) -> bool {
        for at in from..self.tokens.len() {
            if self.interrupts_routine(at) {
                return false;
            }
            nesting.enter(self, at);
            if nesting.open.is_empty() {
                return true;
            }
        }
        false
    }

    /// Whether the routine before this token must have lost its `end`.
    fn interrupts_routine(&self, at: usize) -> bool {
        match self.word(at) {
            Word::Function
            | Word::Rule
            | Word::Startstate
            | Word::Ruleset
            | Word::End(End::Ruleset | End::Choose) => true,
            Word::Fair | Word::Strong => self.fair_rule(at).is_some(),
            Word::External | Word::Choose => self.starts_item(at),
            _ => false,
        }
    }

    /// Whether a top-level item starts here, seen from outside of a routine.
    fn starts_item(&self, at: usize) -> bool {
        match self.word(at) {
            Word::Const
            | Word::Type
            | Word::Var
            | Word::Function
            | Word::Rule
            | Word::Startstate
            | Word::Ruleset
            | Word::Invariant
            | Word::Assert => true,
            Word::External | Word::Choose => self.plain_name(at + 1),
            Word::Property => self.after_something_complete(at) && self.starts_claim(at + 1),
            Word::Temporal => {
                let named = self.tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::Text);
                self.after_something_complete(at) && named
            }
            Word::Fair | Word::Strong => self.fair_rule(at).is_some() && self.after_something_complete(at),
            Word::Pctl => {
                self.after_something_complete(at)
                    && (self.starts_claim(at + 1) || self.sign(at + 1) == Some("["))
            }
            Word::Alias
            | Word::If
            | Word::For
            | Word::While
            | Word::Switch
            | Word::Record
            | Word::Quantified
            | Word::Do
            | Word::Of
            | Word::End(_)
            | Word::Other => false,
        }
    }

    fn plain_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let TokenKind::Word(word) = token.kind else { return false };
            matches!(word, Word::Other | Word::Temporal | Word::Fair | Word::Strong)
        })
    }

    /// Whether the token before could be the last of an item, so that a new one may start.
    fn after_something_complete(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        match self.tokens.get(before).map(|token| token.kind) {
            Some(TokenKind::Sign) => matches!(self.sign(before), Some(";" | ")" | "]" | "}" | ":")),
            Some(TokenKind::Word(word)) => {
                let name = matches!(word, Word::Other | Word::Temporal | Word::Fair | Word::Strong);
                name || matches!(word, Word::Do | Word::End(_))
            }
            Some(TokenKind::Number | TokenKind::Text | TokenKind::Unknown) | None => true,
        }
    }

    /// Whether a string or an expression starts here.
    fn starts_claim(&self, at: usize) -> bool {
        match self.tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Word(word)) => {
                let name = matches!(word, Word::Other | Word::Temporal | Word::Fair | Word::Strong);
                name || matches!(word, Word::Quantified | Word::Property)
            }
            Some(TokenKind::Number | TokenKind::Text) => true,
            Some(TokenKind::Sign) => matches!(self.sign(at), Some("(" | "!" | "¬" | "~")),
            Some(TokenKind::Unknown) | None => false,
        }
    }
}

#[derive(Clone, Default)]
struct Nesting {
    /// What is open, with the token that opened it.
    open: Vec<(Open, usize)>,
    /// How many of these are blocks.
    blocks: usize,
    /// `array … of array … of …` descends without a bracket that stays open.
    elements: usize,
    /// `a ? b ? c ? …` likewise.
    conditions: usize,
    too_deep: Option<usize>,
}

impl Nesting {
    fn in_bracket(&self) -> bool {
        matches!(self.open.last(), Some((Open::Bracket(_), _)))
    }

    fn enter(&mut self, walk: &Walk, at: usize) {
        match walk.tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Word(Word::End(end))) => self.close_block(end),
            Some(TokenKind::Word(Word::Of)) => self.elements += 1,
            Some(TokenKind::Word(word)) => {
                if let Some(end) = word.closed_by().filter(|_| word != Word::Choose) {
                    self.open.push((Open::Block(end), at));
                    self.blocks += 1;
                }
            }
            Some(TokenKind::Sign) => self.sign(walk.sign(at).unwrap_or(""), at),
            Some(TokenKind::Number | TokenKind::Text | TokenKind::Unknown) | None => {}
        }
        if self.open.len() + self.elements + self.conditions > MAXIMUM_NESTING {
            self.too_deep.get_or_insert(at);
        }
    }

    fn sign(&mut self, sign: &str, at: usize) {
        match sign {
            "(" => self.open.push((Open::Bracket(')'), at)),
            "[" => self.open.push((Open::Bracket(']'), at)),
            "{" => self.open.push((Open::Bracket('}'), at)),
            ")" => self.close_bracket(')'),
            "]" => self.close_bracket(']'),
            "}" => self.close_bracket('}'),
            "?" => self.conditions += 1,
            ":" => {
                self.conditions = self.conditions.saturating_sub(1);
                if !self.in_bracket() {
                    self.elements = 0;
                }
            }
            ";" => {
                self.conditions = 0;
                self.elements = 0;
            }
            _ => {}
        }
    }

    fn close_bracket(&mut self, bracket: char) {
        if self.open.last().is_some_and(|(open, _)| *open == Open::Bracket(bracket)) {
            self.open.pop();
        }
    }

    /// A plain `end` closes the innermost block; a specific one closes the innermost of its kind,
    /// and with it whatever was left open inside.
    fn close_block(&mut self, end: End) {
        // Without this, each of many `end` would be looked for in each of many brackets.
        if self.blocks == 0 {
            return;
        }
        let is_block = |(open, _): &(Open, usize)| matches!(open, Open::Block(_));
        // What is deeper than the limit will not be parsed, and need not be searched through.
        let nearest = self.open.len().saturating_sub(MAXIMUM_NESTING);
        let within = self.open.get(nearest..).unwrap_or(&[]);
        let own = (end != End::Any)
            .then(|| within.iter().rposition(|(open, _)| *open == Open::Block(end)))
            .flatten()
            .map(|position| nearest + position);
        if let Some(position) = own.or_else(|| self.open.iter().rposition(is_block)) {
            self.blocks -= self.open.drain(position..).filter(is_block).count();
        }
    }
}
