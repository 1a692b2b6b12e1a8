//! The text of a model as the grammar divides it, with every word and sign: what the formatter
//! works on. The syntax tree keeps few of them.

use std::ops::Range;

use pest::Parser;
use pest::iterators::Pair;

use super::outline::{PieceKind, outline};
use super::parser::Grammar;
pub(crate) use super::parser::Rule;
use super::scan::{Token, scan};
use crate::source::{Source, Span};

/// What one rule of the grammar matched.
pub(crate) struct Node {
    pub rule: Rule,
    pub span: Span,
    pub children: Vec<Node>,
}

/// What a piece of the text is to the pieces around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It stands for itself.
    Item,
    /// It opens a block of rules.
    Opens,
    /// The word that closes such a block.
    Closes,
}

pub(crate) struct Piece {
    pub place: Place,
    /// Which of the tokens belong to it.
    pub tokens: Range<usize>,
    /// Nothing for an end word, and for a formula of CMurphi that is only recognised.
    pub node: Option<Node>,
}

/// A model that can be parsed: its tokens, and the pieces that they form.
pub(crate) struct Concrete {
    pub tokens: Vec<Token>,
    pub pieces: Vec<Piece>,
}

impl Concrete {
    /// The tokens that begin at this place.
    pub fn range(&self, span: Span) -> Range<usize> {
        let before = |offset: u32| self.tokens.partition_point(|token| token.span.start < offset);
        before(span.start)..before(span.end)
    }

    /// Whether something stands between a token and the one before it.
    pub fn are_apart(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        before.zip(self.tokens.get(at)).is_some_and(|(left, right)| left.span.end < right.span.start)
    }
}

/// Divides a model. The caller has made sure that it can be parsed: what cannot has no node.
pub(crate) fn concrete(source: &Source) -> Concrete {
    let scan = scan(&source.text);
    let piece = |piece: super::outline::Piece| {
        let (place, entry) = match piece.kind {
            PieceKind::Constants | PieceKind::Types | PieceKind::Variables | PieceKind::Item => {
                (Place::Item, Some(Rule::item))
            }
            PieceKind::Formula => (Place::Item, None),
            PieceKind::Header => (Place::Opens, Some(Rule::header)),
            PieceKind::Close(_) => (Place::Closes, None),
        };
        let bounds = scan.tokens.get(piece.tokens.clone()).and_then(|tokens| {
            let (first, last) = (tokens.first()?, tokens.last()?);
            Some(first.span.to(last.span))
        });
        let node = entry.zip(bounds).and_then(|(entry, span)| {
            let pairs = Grammar::parse(entry, span.text(&scan.text)).ok()?;
            pairs.into_iter().next().map(|pair| node(pair, span.start))
        });
        Piece { place, tokens: piece.tokens, node }
    };
    let pieces = outline(&source.text, &scan).into_iter().map(piece).collect();
    Concrete { tokens: scan.tokens, pieces }
}

fn node(pair: Pair<'_, Rule>, offset: u32) -> Node {
    let matched = pair.as_span();
    let (start, end) = (offset as usize + matched.start(), offset as usize + matched.end());
    let rule = pair.as_rule();
    Node {
        rule,
        span: Span::new(start, end),
        children: pair.into_inner().map(|inner| node(inner, offset)).collect(),
    }
}
