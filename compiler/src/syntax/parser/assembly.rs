//! Puts the parsed pieces of a model together, and leaves out what cannot be parsed.

use super::grammar::{Grammar, Rule};
use super::recovery::{Cut, Tokens};
use super::rules::Header;
use super::{Builder, MAXIMUM_ERRORS, mistakes, too_deep};
use crate::diagnostics::{Diagnostic, Severity};
use crate::source::Span;
use crate::syntax::outline::{MAXIMUM_NESTING, Piece, PieceKind};
use crate::syntax::scan::{Scan, TokenKind};
use crate::syntax::tree::{Declaration, Item, Name, Program, RuleItem, Unparsed};
use crate::syntax::words::{End, Word};
use pest::Parser;
use pest::iterators::Pairs;
use std::ops::Range;

/// A ruleset, alias or `choose` whose `end` has not come yet.
struct Frame {
    /// The names in the header if it could not be parsed; its rules are parsed all the same.
    header: Result<Header, Unparsed>,
    /// The opening keyword.
    keyword: Span,
    end: End,
    rules: Vec<RuleItem>,
}

/// Puts the pieces together.
pub(super) struct Assembly<'source> {
    source: &'source str,
    scan: &'source Scan,
    items: Vec<Item>,
    frames: Vec<Frame>,
    diagnostics: Vec<Diagnostic>,
    /// How many superfluous end words an earlier mistake explains.
    forgiven_ends: usize,
    /// The names that rulesets, aliases and choices declare.
    header_names: Vec<Name>,
    /// Whether it is uncertain which rules stand inside of which ruleset.
    uncertain: bool,
}

impl<'source> Assembly<'source> {
    pub(super) fn new(source: &'source str, scan: &'source Scan) -> Self {
        Assembly {
            source,
            scan,
            items: Vec::new(),
            frames: Vec::new(),
            diagnostics: scan.diagnostics.clone(),
            forgiven_ends: 0,
            header_names: Vec::new(),
            uncertain: false,
        }
    }

    /// Whether there are enough errors to leave out the rest.
    pub(super) fn has_enough(&self) -> bool {
        self.diagnostics.len() >= MAXIMUM_ERRORS
    }

    pub(super) fn piece(&mut self, piece: &Piece) {
        if let Some(token) = piece.too_deep {
            let span = self.token_span(token);
            self.diagnostics.push(too_deep(span));
            self.give_up(piece);
            return;
        }
        match piece.kind {
            PieceKind::Constants | PieceKind::Types | PieceKind::Variables | PieceKind::Item => {
                self.item(piece);
            }
            PieceKind::Formula => {
                let span = self.piece_span(piece);
                self.add_item(Item::Formula(span), span);
            }
            PieceKind::Header => self.open(piece),
            PieceKind::Close(end) => self.close(end, self.piece_span(piece)),
        }
    }

    /// Parses a section, a function, a rule or a property. Each statement and each declaration that
    /// cannot be parsed is left out, and the rest is parsed again without it.
    fn item(&mut self, piece: &Piece) {
        let span = self.piece_span(piece);
        let tokens = Tokens { source: self.source, scan: self.scan };
        let mut text = span.text(&self.scan.text).to_string();
        let mut cuts: Vec<Cut> = Vec::new();
        // Follow-up mistakes are not reported, but each costs another look at the piece.
        let mut looks = self.diagnostics.len();
        loop {
            let mistake = match Grammar::parse(Rule::item, &text) {
                Ok(pairs) => return self.build(pairs, piece, &cuts),
                Err(error) => mistakes::mistake(&error, self.source, self.scan, piece, span),
            };
            let (at, begins_item) = (mistake.token, mistake.begins_item);
            let before = cuts.last().map_or(piece.tokens.start, |cut| cut.tokens.end);
            // What stumbles right behind a cut stumbles over the same mistake; and a block that is
            // not closed may have lost its `end` to a cut.
            let follows = !cuts.is_empty() && (at <= before || at >= piece.tokens.end);
            if !follows {
                self.report(mistake);
            }
            looks += 1;
            let next = tokens.cut(piece, at).filter(|cut| cut.tokens.end > before);
            let next = match next {
                Some(cut) if begins_item => {
                    self.forgiven_ends += 1;
                    Some(Cut { tokens: cut.tokens.start..piece.tokens.end, ..cut })
                }
                next => next,
            };
            let Some(cut) = next.filter(|_| looks < MAXIMUM_ERRORS) else {
                self.give_up(piece);
                return;
            };
            text = blanked(text, self.tokens_span(cut.tokens.clone()), span.start);
            cuts.push(cut);
        }
    }

    /// Leaves out a piece, and remembers the names that the rest of the model may use.
    fn give_up(&mut self, piece: &Piece) {
        self.forgiven_ends += 1;
        let tokens = Tokens { source: self.source, scan: self.scan };
        let first = piece.tokens.start;
        let lost = match piece.kind {
            PieceKind::Constants | PieceKind::Types | PieceKind::Variables => {
                tokens.names(first + 1..piece.tokens.end)
            }
            PieceKind::Item if self.starts_routine_with_name(first) => tokens.names(first + 1..first + 2),
            PieceKind::Item if !self.is_rule(first) => tokens.names(first..piece.tokens.end),
            PieceKind::Item | PieceKind::Formula | PieceKind::Header | PieceKind::Close(_) => return,
        };
        self.items.push(Item::Declaration(Declaration::Unparsed(lost)));
    }

    fn starts_routine_with_name(&self, token: usize) -> bool {
        matches!(self.scan.tokens.get(token).map(|token| token.kind), Some(TokenKind::Word(Word::Function)))
    }

    fn is_rule(&self, token: usize) -> bool {
        use Word::{Assert, Invariant, Property, Rule, Startstate};
        let kind = self.scan.tokens.get(token).map(|token| token.kind);
        matches!(kind, Some(TokenKind::Word(Rule | Startstate | Invariant | Assert | Property)))
    }

    /// Turns what was parsed into a tree.
    fn build(&mut self, pairs: Pairs<'_, Rule>, piece: &Piece, cuts: &[Cut]) {
        let span = self.piece_span(piece);
        let mut builder = Builder::new(span.start);
        let built = builder.top_level(pairs);
        self.take_diagnostics(builder, built.is_some(), span);
        let Some(mut items) = built else {
            self.give_up(piece);
            return;
        };
        let tokens = Tokens { source: self.source, scan: self.scan };
        for cut in cuts.iter().filter(|cut| cut.declares) {
            let lost = Declaration::Unparsed(tokens.names(cut.tokens.clone()));
            match items.first_mut() {
                Some(Item::Function(function)) => function.declarations.insert(0, lost),
                Some(Item::Rule(RuleItem::Rule(rule))) => rule.declarations.insert(0, lost),
                Some(Item::Rule(RuleItem::StartState(start))) => start.declarations.insert(0, lost),
                _ => items.push(Item::Declaration(lost)),
            }
        }
        for item in items {
            self.add_item(item, span);
        }
    }

    fn report(&mut self, mistake: mistakes::Mistake) {
        // What the scan complained about explains most of what the grammar finds around it.
        let piece = mistake.piece;
        let explained = self
            .scan
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.primary.span)
            .any(|span| piece.to(span) == piece);
        if !explained {
            self.diagnostics.push(mistake.diagnostic);
        }
    }

    fn take_diagnostics(&mut self, builder: Builder, succeeded: bool, span: Span) {
        if !succeeded && builder.diagnostics.is_empty() {
            // The grammar accepted what the builder does not know: a mistake of ours, not the
            // user's.
            let message = "internal error: this was parsed but not understood";
            self.diagnostics.push(Diagnostic::error("internal", span, message));
        }
        self.diagnostics.extend(builder.diagnostics);
    }

    fn add_item(&mut self, item: Item, span: Span) {
        match (self.frames.last_mut(), item) {
            (None, item) => self.items.push(item),
            (Some(frame), Item::Rule(rule)) => frame.rules.push(rule),
            (
                Some(frame),
                Item::Declaration(_) | Item::Function(_) | Item::External(..) | Item::Formula(_),
            ) => {
                let opening = frame.keyword;
                let name = opening.text(self.source).to_string();
                let first = self.first_word(span);
                let message = format!("expected a rule or `end`, found `{}`", first.text(self.source));
                self.diagnostics.push(
                    Diagnostic::error("syntax", first, message)
                        .also(opening, format!("this `{name}` is not closed"))
                        .help(format!("only rules may stand inside of a `{name}`")),
                );
                self.forgiven_ends += self.frames.len();
                self.close_all(first);
            }
        }
    }

    fn open(&mut self, piece: &Piece) {
        let span = self.piece_span(piece);
        let keyword = self.token_span(piece.keyword);
        let end = match keyword.text(self.source).to_ascii_lowercase().as_str() {
            "alias" => End::Alias,
            "choose" => End::Choose,
            _ => End::Ruleset,
        };
        let header = match Grammar::parse(Rule::header, span.text(&self.scan.text)) {
            Ok(pairs) => {
                let mut builder = Builder::new(span.start);
                let header = builder.header(pairs);
                self.take_diagnostics(builder, header.is_some(), span);
                header
            }
            Err(error) => {
                self.report(mistakes::mistake(&error, self.source, self.scan, piece, span));
                None
            }
        };
        let tokens = Tokens { source: self.source, scan: self.scan };
        let names = tokens.names(piece.keyword + 1..piece.tokens.end);
        self.header_names.extend(names.declared.iter().cloned());
        let header = header.ok_or(names);
        let levels = |frame: &Frame| frame.header.as_ref().map_or(1, Header::levels);
        let around: usize = self.frames.iter().map(levels).sum();
        if around + header.as_ref().map_or(1, Header::levels) > MAXIMUM_NESTING {
            // Once is enough; the rulesets inside of it are too deep as well.
            if self.forgiven_ends == 0 {
                self.diagnostics.push(too_deep(keyword));
            }
            self.forgiven_ends += 1;
            return;
        }
        self.frames.push(Frame { header, keyword, end, rules: Vec::new() });
    }

    fn close(&mut self, end: End, span: Span) {
        let found = span.text(self.source);
        let Some(frame) = self.frames.last() else {
            if self.forgiven_ends > 0 || !self.scan.diagnostics.is_empty() {
                self.forgiven_ends = self.forgiven_ends.saturating_sub(1);
            } else {
                self.uncertain = true;
                let message = format!("expected a declaration or a rule, found `{found}`");
                self.diagnostics
                    .push(Diagnostic::error("syntax", span, message).label("there is nothing left to close"));
            }
            return;
        };
        if end != End::Any && end != frame.end {
            let closes_rules = matches!(end, End::Ruleset | End::Alias | End::Choose);
            if self.forgiven_ends > 0 && !closes_rules {
                self.forgiven_ends -= 1;
                return;
            }
            self.uncertain = true;
            let opening = frame.keyword.text(self.source);
            let message = format!("expected `end`, found `{found}`");
            self.diagnostics.push(
                Diagnostic::error("syntax", span, message)
                    .also(frame.keyword, format!("this `{opening}` is open here")),
            );
        }
        self.close_frame(span);
    }

    fn close_frame(&mut self, end: Span) {
        let Some(Frame { header, keyword, rules, .. }) = self.frames.pop() else { return };
        let span = keyword.to(end);
        let rule = match header {
            Ok(header) => header.close(rules, span),
            Err(header) => RuleItem::Unparsed { header, rules, span },
        };
        self.add_item(Item::Rule(rule), span);
    }

    /// Closes what was never closed, so that the rules inside are checked.
    fn close_all(&mut self, end: Span) {
        self.uncertain |= !self.frames.is_empty();
        while !self.frames.is_empty() {
            self.close_frame(end);
        }
    }

    pub(super) fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        let last = self.scan.tokens.last().map(|token| token.span).unwrap_or_default();
        if let (Some(frame), true) = (self.frames.last(), self.scan.diagnostics.is_empty()) {
            let opening = frame.keyword.text(self.source);
            self.diagnostics.push(
                Diagnostic::error("syntax", last, "expected a rule or `end`, found the end of the file")
                    .label("the file ends here")
                    .also(frame.keyword, format!("this `{opening}` is not closed")),
            );
        }
        self.close_all(last);
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.help.is_none()));
        // Two pieces can trip over the same token: one ends too early there, the next starts badly.
        // The one that knows a remedy stays.
        self.diagnostics.dedup_by_key(|diagnostic| diagnostic.primary.span);
        self.diagnostics.truncate(MAXIMUM_ERRORS);
        let failed = self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        if self.uncertain {
            let lost = Unparsed { declared: self.header_names, mentioned: Vec::new() };
            self.items.push(Item::Declaration(Declaration::Unparsed(lost)));
        }
        (Program { items: self.items, damaged: failed }, self.diagnostics)
    }

    fn token_span(&self, token: usize) -> Span {
        self.scan.tokens.get(token).map(|token| token.span).unwrap_or_default()
    }

    fn piece_span(&self, piece: &Piece) -> Span {
        self.tokens_span(piece.tokens.clone())
    }

    fn tokens_span(&self, tokens: Range<usize>) -> Span {
        self.token_span(tokens.start).to(self.token_span(tokens.end.saturating_sub(1)))
    }

    fn first_word(&self, span: Span) -> Span {
        let at = self.scan.tokens.partition_point(|token| token.span.start < span.start);
        self.token_span(at)
    }
}

/// The text of a piece that begins at `offset`, with spaces where `span` is. Places stay the same.
fn blanked(text: String, span: Span, offset: u32) -> String {
    let range = span.start.saturating_sub(offset) as usize..span.end.saturating_sub(offset) as usize;
    let mut bytes = text.into_bytes();
    if let Some(bytes) = bytes.get_mut(range) {
        bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    // Only whole tokens were replaced, so this is valid and nothing is lost.
    String::from_utf8_lossy(&bytes).into_owned()
}
