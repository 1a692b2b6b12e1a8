//! From text to syntax tree: cuts the model into pieces, has the grammar parse each, and puts the
//! results together. All errors of a model are found in one run.

mod declarations;
mod expressions;
mod hints;
mod literals;
mod mistakes;
mod operators;
mod rules;
mod statements;
#[cfg(test)]
mod tests;
mod types;

use super::outline::{MAXIMUM_NESTING, Piece, PieceKind, outline};
use super::scan::{Scan, scan};
use super::tree::{Item, Program, RuleItem};
use super::words::End;
use crate::diagnostics::{Diagnostic, Severity};
use crate::source::{Source, Span};
use pest::Parser;
use pest::iterators::{Pair, Pairs};
use rules::Header;

// The derive makes a public `Rule` that nobody outside needs to see or read about.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "syntax/murphi.pest"]
    pub(super) struct Grammar;
}
use grammar::{Grammar, Rule};

/// A model with more mistakes than this is not a model; the rest of the list would help nobody.
const MAXIMUM_ERRORS: usize = 100;

/// Parses a model. There is no program if, and only if, one of the diagnostics is an error.
pub fn parse(source: &Source) -> (Option<Program>, Vec<Diagnostic>) {
    if u32::try_from(source.text.len()).is_err() {
        let message = "the model is larger than 4 GiB";
        return (None, vec![Diagnostic::error("model-too-large", Span::default(), message)]);
    }
    let scan = scan(&source.text);
    let mut assembly = Assembly {
        source: &source.text,
        scan: &scan,
        items: Vec::new(),
        frames: Vec::new(),
        diagnostics: scan.diagnostics.clone(),
        forgiven_ends: 0,
    };
    for piece in outline(&source.text, &scan) {
        if assembly.diagnostics.len() >= MAXIMUM_ERRORS {
            break;
        }
        assembly.piece(&piece);
    }
    assembly.finish()
}

/// A ruleset, alias or `choose` whose `end` has not come yet.
struct Frame {
    /// `None` if the header could not be parsed; its rules are parsed all the same.
    header: Option<Header>,
    /// The opening keyword.
    keyword: Span,
    end: End,
    rules: Vec<RuleItem>,
}

/// Puts the pieces together.
struct Assembly<'source> {
    source: &'source str,
    scan: &'source Scan,
    items: Vec<Item>,
    frames: Vec<Frame>,
    diagnostics: Vec<Diagnostic>,
    /// How many superfluous end words an earlier mistake explains.
    forgiven_ends: usize,
}

impl Assembly<'_> {
    fn piece(&mut self, piece: &Piece) {
        if let Some(token) = piece.too_deep {
            let span = self.token_span(token);
            self.diagnostics.push(too_deep(span));
            self.forgiven_ends += 1;
            return;
        }
        match piece.kind {
            PieceKind::Constants => self.section(piece, Rule::rest_of_constants),
            PieceKind::Types => self.section(piece, Rule::rest_of_types),
            PieceKind::Variables => self.section(piece, Rule::rest_of_variables),
            PieceKind::Item => {
                if let Err(mistake) = self.parse_piece(Rule::item, piece, 0) {
                    self.report(*mistake);
                    self.forgiven_ends += 1;
                }
            }
            PieceKind::Formula => {
                let span = self.piece_span(piece);
                self.add_item(Item::Formula(span), span);
            }
            PieceKind::Header => self.open(piece),
            PieceKind::Close(end) => self.close(end, self.piece_span(piece)),
        }
    }

    /// A section of declarations: a mistake in one declaration does not hide those in the next.
    fn section(&mut self, piece: &Piece, rest: Rule) {
        let mut skipped = 0;
        let mut entry = Rule::item;
        let mut mistakes = 0;
        while let Err(mistake) = self.parse_piece(entry, piece, skipped) {
            let (failed_at, begins_item) = (mistake.token, mistake.begins_item);
            self.report(*mistake);
            if begins_item {
                self.forgiven_ends += 1;
                break;
            }
            let is_semicolon = |at: &usize| self.token_span(*at).text(self.source) == ";";
            let Some(semicolon) = (failed_at..piece.tokens.end).find(is_semicolon) else { break };
            // Inside of a record that the mistake left open, the next declaration is a field.
            let inside = super::outline::open_blocks(self.source, self.scan, piece.tokens.start..semicolon);
            // Each of them takes another look at the rest, also those that are not reported.
            mistakes += 1;
            if !inside.is_empty() || self.diagnostics.len() + mistakes >= MAXIMUM_ERRORS {
                break;
            }
            skipped = semicolon + 1 - piece.tokens.start;
            entry = rest;
        }
    }

    /// Parses the tokens of a piece, without the first `skipped`, and adds what they say.
    fn parse_piece(
        &mut self,
        entry: Rule,
        piece: &Piece,
        skipped: usize,
    ) -> Result<(), Box<mistakes::Mistake>> {
        let first = piece.tokens.start + skipped;
        if first >= piece.tokens.end {
            return Ok(());
        }
        let span = self.token_span(first).to(self.token_span(piece.tokens.end - 1));
        let pairs = self.grammar(entry, span, piece)?;
        let mut builder = Builder::new(span.start);
        let built = builder.top_level(pairs);
        self.take_diagnostics(builder, built.is_some(), span);
        for item in built.unwrap_or_default() {
            self.add_item(item, span);
        }
        Ok(())
    }

    fn grammar(
        &self,
        entry: Rule,
        span: Span,
        piece: &Piece,
    ) -> Result<Pairs<'_, Rule>, Box<mistakes::Mistake>> {
        Grammar::parse(entry, span.text(&self.scan.text))
            .map_err(|error| Box::new(mistakes::mistake(&error, self.source, self.scan, piece, span)))
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
                self.frames.clear();
            }
        }
    }

    fn open(&mut self, piece: &Piece) {
        let span = self.piece_span(piece);
        let keyword = self.token_span(piece.tokens.start);
        let end = match keyword.text(self.source).to_ascii_lowercase().as_str() {
            "alias" => End::Alias,
            "choose" => End::Choose,
            _ => End::Ruleset,
        };
        let header = match self.grammar(Rule::header, span, piece) {
            Ok(pairs) => {
                let mut builder = Builder::new(span.start);
                let header = builder.header(pairs);
                self.take_diagnostics(builder, header.is_some(), span);
                header
            }
            Err(mistake) => {
                self.report(*mistake);
                None
            }
        };
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
            let opening = frame.keyword.text(self.source);
            let message = format!("expected `end`, found `{found}`");
            self.diagnostics.push(
                Diagnostic::error("syntax", span, message)
                    .also(frame.keyword, format!("this `{opening}` is open here")),
            );
        }
        if let Some(Frame { header: Some(header), keyword, rules, .. }) = self.frames.pop() {
            let rule = header.close(rules, keyword.to(span));
            self.add_item(Item::Rule(rule), span);
        }
    }

    fn finish(mut self) -> (Option<Program>, Vec<Diagnostic>) {
        let last = self.scan.tokens.last().map(|token| token.span).unwrap_or_default();
        if let (Some(frame), true) = (self.frames.last(), self.scan.diagnostics.is_empty()) {
            let opening = frame.keyword.text(self.source);
            self.diagnostics.push(
                Diagnostic::error("syntax", last, "expected a rule or `end`, found the end of the file")
                    .label("the file ends here")
                    .also(frame.keyword, format!("this `{opening}` is not closed")),
            );
        }
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.help.is_none()));
        // Two pieces can trip over the same token: one ends too early there, the next starts badly.
        // The one that knows a remedy stays.
        self.diagnostics.dedup_by_key(|diagnostic| diagnostic.primary.span);
        self.diagnostics.truncate(MAXIMUM_ERRORS);
        let failed = self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        let program = (!failed).then_some(Program { items: self.items });
        (program, self.diagnostics)
    }

    fn token_span(&self, token: usize) -> Span {
        self.scan.tokens.get(token).map(|token| token.span).unwrap_or_default()
    }

    fn piece_span(&self, piece: &Piece) -> Span {
        self.token_span(piece.tokens.start).to(self.token_span(piece.tokens.end.saturating_sub(1)))
    }

    fn first_word(&self, span: Span) -> Span {
        let at = self.scan.tokens.partition_point(|token| token.span.start < span.start);
        self.token_span(at)
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("nesting-too-deep", span, "this is nested too deeply")
        .help(format!("at most {MAXIMUM_NESTING} brackets, blocks and their names may be open at one place"))
}

/// Turns what the grammar matched into nodes of the tree.
///
/// Its functions return `None` only if grammar and builder disagree, or after an error was noted.
struct Builder {
    /// Where in the model the parsed text starts.
    offset: u32,
    diagnostics: Vec<Diagnostic>,
    /// How deep the deepest expression since the last look was; see `expressions.rs`.
    height: u32,
    /// How many loop variables and aliases the blocks around declare.
    levels: usize,
}

impl Builder {
    fn new(offset: u32) -> Self {
        Builder { offset, diagnostics: Vec::new(), height: 0, levels: 0 }
    }

    fn top_level(&mut self, pairs: Pairs<'_, Rule>) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::top_level_item => {
                    for inner in pair.into_inner() {
                        self.item(inner, &mut items)?;
                    }
                }
                Rule::EOI => {}
                _ => self.item(pair, &mut items)?,
            }
        }
        Some(items)
    }

    fn item(&mut self, pair: Pair<'_, Rule>, items: &mut Vec<Item>) -> Option<()> {
        match pair.as_rule() {
            Rule::constants
            | Rule::types
            | Rule::variables
            | Rule::constant
            | Rule::named_type
            | Rule::variable => {
                let mut declarations = Vec::new();
                self.declarations(pair, &mut declarations)?;
                items.extend(declarations.into_iter().map(Item::Declaration));
            }
            Rule::function => items.push(Item::Function(self.function(pair)?)),
            Rule::external => items.push(self.external(pair)?),
            Rule::simple_rule => items.push(Item::Rule(RuleItem::Rule(self.simple_rule(pair)?))),
            Rule::start_state => items.push(Item::Rule(RuleItem::StartState(self.start_state(pair)?))),
            Rule::property => items.push(Item::Rule(RuleItem::Property(self.property(pair)?))),
            _ => return None,
        }
        Some(())
    }

    /// Builds what stands inside of a block that declares so many names. Later passes descend once
    /// for each.
    fn inside<T>(
        &mut self,
        levels: usize,
        span: Span,
        build: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.levels + levels > MAXIMUM_NESTING {
            self.diagnostics.push(too_deep(span));
            return None;
        }
        self.levels += levels;
        let built = build(self);
        self.levels -= levels;
        built
    }

    /// The place of what was matched, without the white space that the grammar skips after it.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let matched = pair.as_span();
        let length = matched.as_str().trim_end().len();
        let start = self.offset as usize + matched.start();
        Span::new(start, start + length)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }
}
