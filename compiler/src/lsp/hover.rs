//! What an editor shows about the thing under the pointer.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::document::Known;
use super::names::{Kind, Symbol};
use super::text::Lines;
use crate::analysis::independence::describe::{Words, own_parameters};
use crate::analysis::independence::footprint::AccessKind;
use crate::layout::Layout;
use crate::semantics::model::{Model, Rule, TypeId, TypeKind};
use crate::source::Span;

/// Places that are listed of each kind.
const MOST_PLACES: usize = 12;

pub fn hover(known: &Known, lines: &Lines, at: Position) -> Option<Hover> {
    let offset = lines.offset(at);
    let (text, span) = match known.names.at(offset) {
        Some(one) => (symbol(known, known.names.symbol(one.symbol)?), one.span),
        None => header(known, offset as u32)?,
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(lines.range(span)) })
}

/// A symbol as it is declared.
pub fn declaration(known: &Known, symbol: &Symbol) -> String {
    let text = |span: Span| span.text(&known.source.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let name = &symbol.name;
    match symbol.kind {
        Kind::Function => {
            let parameters: Vec<String> = parameters(known, symbol);
            let word = if symbol.definition == Span::default() { "procedure" } else { "function" };
            let returns = match text(symbol.definition) {
                returns if word == "function" => format!(": {returns}"),
                _ => String::new(),
            };
            format!("{word} {name}({}){returns}", parameters.join("; "))
        }
        Kind::Constant => format!("const {name}: {}", text(symbol.definition)),
        Kind::Type => format!("type {name}: {}", text(symbol.definition)),
        Kind::Variable => format!("var {name}: {}", text(symbol.definition)),
        Kind::Member => format!("{name} of {}", text(symbol.definition)),
        Kind::Local | Kind::Parameter | Kind::Alias | Kind::Field => {
            format!("{name}: {}", text(symbol.definition))
        }
    }
}

pub fn parameters(known: &Known, function: &Symbol) -> Vec<String> {
    let symbols = function.parameters.iter().filter_map(|id| known.names.symbol(*id));
    symbols.map(|symbol| declaration(known, symbol)).collect()
}

fn symbol(known: &Known, symbol: &Symbol) -> String {
    let mut text = format!("```murphi\n{}\n```\n{}", declaration(known, symbol), symbol.kind.words());
    if let Some(value) = symbol.value {
        text += &format!(" with the value **{value}**");
    }
    if symbol.kind == Kind::Variable && known.reading.analysis.is_some() {
        let model = &known.reading.model;
        let layout = Layout::new(model);
        if let Some(global) = model.globals.iter().find(|global| global.span == symbol.span) {
            let own = size(bits(model, global.ty), layout.ty(global.ty).bytes);
            let mut all = model.globals.iter().map(|global| bits(model, global.ty));
            let all = all.try_fold(0u128, |sum, bits| Some(sum + bits?));
            text += &format!(", {own} of a state's {}", size(all, layout.bytes));
        }
    }
    text
}

fn size(bits: Option<u128>, bytes: usize) -> String {
    match bits {
        Some(bits) => format!("{bits} bits packed ({bytes} bytes aligned)"),
        None => format!("{bytes} bytes"),
    }
}

/// The bits of a type in the packed layout; none where there is a multiset in it.
fn bits(model: &Model, ty: TypeId) -> Option<u128> {
    match &model.ty(ty).kind {
        TypeKind::Array { index, element } => {
            let (low, high) = model.bounds(*index)?;
            u128::try_from(i128::from(high) - i128::from(low) + 1).ok()?.checked_mul(bits(model, *element)?)
        }
        TypeKind::Record { fields } => {
            fields.iter().try_fold(0u128, |sum, field| sum.checked_add(bits(model, field.ty)?))
        }
        TypeKind::Multiset { .. } => None,
        _ => {
            // One value more stands for "undefined".
            let (low, high) = model.bounds(ty)?;
            let values = u128::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
            Some(u128::from(128 - values.leading_zeros()))
        }
    }
}

/// A rule or a property, where its keyword or its name is.
fn header(known: &Known, offset: u32) -> Option<(String, Span)> {
    let analysis = known.reading.analysis.as_ref()?;
    let model = &known.reading.model;
    let covers = |span: Span| span.start <= offset && offset <= span.end;
    let independence = |position: usize| {
        let accesses = analysis.footprints(model);
        accesses.rules.get(position).map(|family| family.footprint.clone())
    };
    let (position, rule) = model.rules.iter().enumerate().find(|(_, rule)| covers(rule.header))?;
    let footprint = independence(position)?;
    let words = Words { model };
    let parameters = own_parameters(rule);
    let list = |wanted: fn(AccessKind) -> bool| {
        let accesses = footprint.accesses.iter().filter(|access| wanted(access.kind));
        let mut places: Vec<String> =
            accesses.map(|access| format!("`{}`", words.path(&access.path, &parameters))).collect();
        places.sort();
        places.dedup();
        let more = places.len().saturating_sub(MOST_PLACES);
        places.truncate(MOST_PLACES);
        match (places.is_empty(), more) {
            (true, _) => "nothing".to_owned(),
            (false, 0) => places.join(", "),
            (false, more) => format!("{} and {more} more", places.join(", ")),
        }
    };
    let reads = list(|kind| kind == AccessKind::Read);
    let writes = list(|kind| kind != AccessKind::Read);
    let text = format!("rule **{}**{}\n\nreads {reads}\n\nwrites {writes}", rule.name, instances(rule));
    Some((text, rule.header))
}

fn instances(rule: &Rule) -> String {
    let names: Vec<String> = own_parameters(rule).into_iter().map(|parameter| parameter.name).collect();
    if names.is_empty() { String::new() } else { format!(", one for each {}", names.join(", ")) }
}
