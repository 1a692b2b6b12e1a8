//! What could stand at a place: names, fields, keywords; and the parameters of the function that is
//! being called there.

use std::rc::Rc;

use lsp_types::{
    CompletionItem, CompletionItemKind, InsertTextFormat, ParameterInformation, ParameterLabel, Position,
    SignatureHelp, SignatureInformation,
};

use super::document::Known;
use super::hover;
use super::names::{Kind, Shape, Symbol};
use super::text::Lines;
use crate::syntax::keywords::KEYWORDS;
use crate::syntax::scan::TokenKind;

/// What is often written, with places to fill in.
const SNIPPETS: [(&str, &str); 8] = [
    ("rule", "rule \"${1:name}\"\n  ${2:guard}\n==>\nbegin\n  $0\nend;"),
    ("ruleset", "ruleset ${1:i}: ${2:T} do\n  $0\nend;"),
    ("startstate", "startstate \"${1:name}\"\nbegin\n  $0\nend;"),
    ("invariant", "invariant \"${1:name}\"\n  ${0:condition};"),
    ("if", "if ${1:condition} then\n  $0\nend;"),
    ("for", "for ${1:i}: ${2:T} do\n  $0\nend;"),
    ("forall", "forall ${1:i}: ${2:T} do ${0:condition} end"),
    ("exists", "exists ${1:i}: ${2:T} do ${0:condition} end"),
];

pub fn items(known: &Known, lines: &Lines, at: Position, snippets: bool) -> Vec<CompletionItem> {
    let offset = lines.offset(at);
    let Some(mut last) = known.token_before(offset) else { return keywords(snippets) };
    if in_text_or_comment(known, offset) {
        return Vec::new();
    }
    let token = known.tokens.get(last);
    let unfinished = token
        .is_some_and(|token| matches!(token.kind, TokenKind::Word(_)) && token.span.end as usize >= offset);
    if unfinished {
        let Some(before) = last.checked_sub(1) else { return keywords(snippets) };
        last = before;
    }
    if known.token_text(last) == "." {
        let fields = last.checked_sub(1).and_then(|base| shape_ending_at(known, base));
        let fields = fields.map(|shape| known.names.fields(&shape).to_vec()).unwrap_or_default();
        return fields.iter().filter_map(|id| known.names.symbol(*id)).map(|one| item(known, one)).collect();
    }
    let mut items: Vec<CompletionItem> =
        known.names.visible(offset).into_iter().map(|symbol| item(known, symbol)).collect();
    items.extend(keywords(snippets));
    items
}

/// Whether the place is inside of a string or a comment.
fn in_text_or_comment(known: &Known, offset: usize) -> bool {
    let Some(last) = known.token_before(offset).and_then(|at| known.tokens.get(at)) else { return false };
    if last.kind == TokenKind::Text && offset < last.span.end as usize {
        return true;
    }
    let between = known.source.text.get(last.span.end as usize..offset).unwrap_or("");
    let line = between.rsplit('\n').next().unwrap_or("");
    line.contains("--") || between.rfind("/*").is_some_and(|open| !between[open..].contains("*/"))
}

/// The type of `a[i].b` that ends with a token, by tokens alone: while it is typed, the statement
/// cannot be parsed.
fn shape_ending_at(known: &Known, last: usize) -> Option<Rc<Shape>> {
    let mut steps = Vec::new();
    let mut at = last;
    let root = loop {
        match known.token_text(at) {
            "]" => {
                at = opening(known, at)?.checked_sub(1)?;
                steps.push(None);
            }
            ")" => {
                at = opening(known, at)?.checked_sub(1)?;
                break known.token_text(at);
            }
            name => match at.checked_sub(1).filter(|before| known.token_text(*before) == ".") {
                Some(dot) => {
                    steps.push(Some(name));
                    at = dot.checked_sub(1)?;
                }
                None => break name,
            },
        }
    };
    let place = known.tokens.get(at)?.span.start as usize;
    let visible = known.names.visible(place);
    let mut shape = visible.into_iter().find(|symbol| symbol.name == root)?.shape.clone();
    for step in steps.into_iter().rev() {
        shape = match step {
            None => known.names.element(&shape)?,
            Some(name) => {
                let mut fields = known.names.fields(&shape).iter().filter_map(|id| known.names.symbol(*id));
                fields.find(|field| field.name == name)?.shape.clone()
            }
        };
    }
    Some(shape)
}

/// The bracket that opens what one closes.
fn opening(known: &Known, closing: usize) -> Option<usize> {
    let mut depth = 0usize;
    for at in (0..=closing).rev() {
        match known.token_text(at) {
            ")" | "]" => depth += 1,
            "(" | "[" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn item(known: &Known, symbol: &Symbol) -> CompletionItem {
    CompletionItem {
        label: symbol.name.clone(),
        kind: Some(match symbol.kind {
            Kind::Constant => CompletionItemKind::CONSTANT,
            Kind::Member => CompletionItemKind::ENUM_MEMBER,
            Kind::Type => CompletionItemKind::CLASS,
            Kind::Variable | Kind::Local | Kind::Parameter | Kind::Alias => CompletionItemKind::VARIABLE,
            Kind::Field => CompletionItemKind::FIELD,
            Kind::Function => CompletionItemKind::FUNCTION,
        }),
        detail: Some(hover::declaration(known, symbol)),
        ..CompletionItem::default()
    }
}

fn keywords(snippets: bool) -> Vec<CompletionItem> {
    let plain = KEYWORDS.iter().map(|word| CompletionItem {
        label: (*word).to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        // Names before keywords.
        sort_text: Some(format!("~{word}")),
        ..CompletionItem::default()
    });
    let filled = SNIPPETS.iter().filter(|_| snippets).map(|(word, text)| CompletionItem {
        label: format!("{word} …"),
        filter_text: Some((*word).to_owned()),
        kind: Some(CompletionItemKind::SNIPPET),
        insert_text: Some((*text).to_owned()),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        sort_text: Some(format!("~{word}~")),
        ..CompletionItem::default()
    });
    plain.chain(filled).collect()
}

pub fn signature(known: &Known, lines: &Lines, at: Position) -> Option<SignatureHelp> {
    let offset = lines.offset(at);
    let last = known.tokens.partition_point(|token| (token.span.end as usize) <= offset).checked_sub(1)?;
    let (mut depth, mut active) = (0usize, 0u32);
    for at in (0..=last).rev() {
        match known.token_text(at) {
            ")" | "]" => depth += 1,
            "," if depth == 0 => active += 1,
            ";" if depth == 0 => return None,
            "[" => depth = depth.checked_sub(1)?,
            "(" if depth > 0 => depth -= 1,
            "(" => {
                let name = known.token_text(at.checked_sub(1)?);
                let mut functions = known.names.symbols.iter().filter(|one| one.kind == Kind::Function);
                let function = functions.find(|one| one.name == name)?;
                return Some(help(known, function, active));
            }
            _ => {}
        }
    }
    None
}

fn help(known: &Known, function: &Symbol, active: u32) -> SignatureHelp {
    let parameters = hover::parameters(known, function)
        .into_iter()
        .map(|text| ParameterInformation { label: ParameterLabel::Simple(text), documentation: None });
    SignatureHelp {
        signatures: vec![SignatureInformation {
            label: hover::declaration(known, function),
            documentation: None,
            parameters: Some(parameters.collect()),
            active_parameter: Some(active),
        }],
        active_signature: Some(0),
        active_parameter: Some(active),
    }
}
