//! The parts of a model: a tree of symbols, and what can be folded.

use lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SymbolKind};

use super::document::Known;
use super::text::Lines;
use crate::source::Span;
use crate::syntax::scan::TokenKind;
use crate::syntax::tree::{Declaration, Item, Property, PropertyKind, RuleItem, Text};
use crate::syntax::words::Word;

pub fn symbols(known: &Known, lines: &Lines) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    for item in &known.reading.program.items {
        match item {
            Item::Declaration(Declaration::Constant { name, value, .. }) => {
                symbols.push(one(lines, &name.text, SymbolKind::CONSTANT, name.span, value.span));
            }
            Item::Declaration(Declaration::Type { name, definition }) => {
                symbols.push(one(lines, &name.text, SymbolKind::CLASS, name.span, definition.span));
            }
            Item::Declaration(Declaration::Variables { names, definition }) => {
                for name in names {
                    symbols.push(one(lines, &name.text, SymbolKind::VARIABLE, name.span, definition.span));
                }
            }
            Item::Declaration(Declaration::Unparsed(_)) | Item::External(..) | Item::Formula(_) => {}
            Item::Function(function) => {
                symbols.push(one(
                    lines,
                    &function.name.text,
                    SymbolKind::FUNCTION,
                    function.name.span,
                    function.span,
                ));
            }
            Item::Rule(rule) => symbols.push(rule_symbol(known, lines, rule)),
        }
    }
    symbols
}

fn rule_symbol(known: &Known, lines: &Lines, rule: &RuleItem) -> DocumentSymbol {
    let group = |words: &str, rules: &[RuleItem], span: Span| {
        let text = span.text(&known.source.text);
        let head = text.lines().next().unwrap_or(words).trim();
        let name: String = head.chars().take(60).collect();
        let keyword = Span { start: span.start, end: span.start + words.len().min(text.len()) as u32 };
        let mut symbol = one(lines, &name, SymbolKind::NAMESPACE, keyword, span);
        symbol.children = Some(rules.iter().map(|rule| rule_symbol(known, lines, rule)).collect());
        symbol
    };
    match rule {
        RuleItem::Rule(rule) => {
            one(lines, &named(&rule.name, "rule"), SymbolKind::EVENT, rule.header, rule.span)
        }
        RuleItem::StartState(start) => {
            one(lines, &named(&start.name, "startstate"), SymbolKind::CONSTRUCTOR, start.header, start.span)
        }
        RuleItem::Property(property) => {
            let name = named(&property.name, property_word(property));
            one(lines, &name, SymbolKind::PROPERTY, property.header, property.span)
        }
        RuleItem::Ruleset { rules, span, .. } => group("ruleset", rules, *span),
        RuleItem::Alias { rules, span, .. } => group("alias", rules, *span),
        RuleItem::Choose { rules, span, .. } => group("choose", rules, *span),
        RuleItem::Unparsed { rules, span, .. } => group("rules", rules, *span),
    }
}

pub fn property_word(property: &Property) -> &'static str {
    match property.kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assume => "assume",
        PropertyKind::Cover => "cover",
        PropertyKind::Liveness => "liveness",
        PropertyKind::Reject => "reject",
        PropertyKind::Deadlock => "deadlock",
        PropertyKind::Ltl => "ltl",
    }
}

/// Editors refuse a symbol without a name.
fn named(name: &Option<Text>, otherwise: &str) -> String {
    let text = name.as_ref().map(|name| name.text.trim()).filter(|text| !text.is_empty());
    text.unwrap_or(otherwise).to_owned()
}

#[allow(deprecated)] // The old field has to be set all the same.
fn one(lines: &Lines, name: &str, kind: SymbolKind, selection: Span, all: Span) -> DocumentSymbol {
    DocumentSymbol {
        name: name.to_owned(),
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: lines.range(selection.to(all)),
        selection_range: lines.range(selection),
        children: None,
    }
}

/// Blocks from the line that opens them to the one before their end, and comments of several lines.
/// By tokens alone, so that a syntax error elsewhere changes nothing.
pub fn folds(known: &Known, lines: &Lines) -> Vec<FoldingRange> {
    let mut folds = Vec::new();
    let mut fold = |from: u32, to: u32, kind| {
        if from < to {
            folds.push(FoldingRange { start_line: from, end_line: to, kind, ..FoldingRange::default() });
        }
    };
    let mut open: Vec<u32> = Vec::new();
    for token in &known.tokens {
        let TokenKind::Word(word) = token.kind else { continue };
        let line = lines.position(token.span.start as usize).line;
        if let Word::End(_) = word {
            if let Some(from) = open.pop() {
                fold(from, line.saturating_sub(1), None);
            }
        } else if word.closed_by().is_some() {
            open.push(line);
        }
    }
    let starts = |line: &str| line.trim_start().starts_with("--");
    let mut begun = None;
    for (number, line) in (0..).zip(known.source.text.lines().chain([""])) {
        match (starts(line), begun) {
            (true, None) => begun = Some(number),
            (false, Some(from)) => {
                fold(from, number - 1, Some(FoldingRangeKind::Comment));
                begun = None;
            }
            _ => {}
        }
    }
    folds
}
