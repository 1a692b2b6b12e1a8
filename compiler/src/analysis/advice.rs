//! What `mcc --check` suggests: subranges and enums that could be scalarsets.
//!
//! A type could be a scalarset if no use of it distinguishes its values. What such a use is, the
//! checker knows best, so each candidate is tried: its declaration is replaced in the syntax tree,
//! and the model is checked again. If nothing is wrong with it then and no new warning appears,
//! every use is symmetric. If all that stands in the way is a literal or two, those places are
//! named.

use std::collections::HashSet;

use super::checks;
use crate::diagnostics::{Diagnostic, Severity};
use crate::semantics::model;
use crate::source::{Source, Span};
use crate::syntax::tree::{self, Declaration, Item, Program, TypeExpression, TypeExpressionKind};

/// Larger types are numbers or data, and nobody counts their factorials.
const MOST_VALUES: i64 = 1000;
/// Bytes of text that are checked again, over all candidates.
const MOST_TEXT: usize = 20_000_000;
/// With more literals than this, a type is no scalarset.
const MOST_LITERALS: usize = 2;

/// A declaration that might be written otherwise.
struct Candidate {
    /// Its place among the items of the program.
    item: usize,
    name: String,
    span: Span,
    size: u32,
    /// "0..3" or "an enum of 4".
    now: String,
}

/// What could be said in favour of scalarsets in a model that has no errors, with the warnings that
/// it has as it is.
pub fn advise(
    source: &Source,
    program: &Program,
    checked: &model::Model,
    warnings: &[Diagnostic],
) -> Vec<Diagnostic> {
    let mut candidates = candidates(program, checked);
    candidates.truncate(MOST_TEXT / source.text.len().max(1));
    let known: HashSet<(&str, Span)> = warnings.iter().map(|one| (one.code, one.primary.span)).collect();

    // Each is tried together with those that were found before it: their gains multiply.
    let mut program = program.clone();
    let mut advice = Vec::new();
    let mut gain: Option<u128> = Some(1);
    for candidate in &candidates {
        let trial = with_scalarset(&program, candidate);
        let (model, found) = checks::check(&trial);
        let new: Vec<&Diagnostic> =
            found.iter().filter(|one| !known.contains(&(one.code, one.primary.span))).collect();
        match model {
            Some((model, _)) if new.is_empty() => {
                if is_in_state(&model, &candidate.name) {
                    program = trial;
                    let own = factorial(candidate.size);
                    let before = gain.is_some_and(|gain| gain > 1);
                    gain = gain.zip(own).and_then(|(gain, own)| gain.checked_mul(own));
                    advice.push(could_be(candidate, own, gain.filter(|_| before)));
                }
            }
            Some(_) => {}
            None => advice.extend(nearly(source, checked, candidate, &new)),
        }
    }
    advice
}

fn candidates(program: &Program, checked: &model::Model) -> Vec<Candidate> {
    let declared = |item: (usize, &Item)| {
        let (item, Item::Declaration(Declaration::Type { name, definition })) = item else { return None };
        match &definition.kind {
            TypeExpressionKind::Range { .. } | TypeExpressionKind::Enum(_) => {}
            TypeExpressionKind::Name(_)
            | TypeExpressionKind::Scalarset(_)
            | TypeExpressionKind::Union(_)
            | TypeExpressionKind::Array { .. }
            | TypeExpressionKind::Record(_)
            | TypeExpressionKind::Multiset { .. }
            | TypeExpressionKind::Real => return None,
        }
        let ty =
            checked.types.iter().find(|ty| ty.span == name.span && ty.name.as_ref() == Some(&name.text))?;
        let (size, now) = match &ty.kind {
            model::TypeKind::Range { low, high } => {
                (high.checked_sub(*low)?.checked_add(1)?, format!("{low}..{high}"))
            }
            model::TypeKind::Enum { members } => {
                (members.len() as i64, format!("an enum of {}", members.len()))
            }
            model::TypeKind::Integer
            | model::TypeKind::Boolean
            | model::TypeKind::Scalarset { .. }
            | model::TypeKind::Union(_)
            | model::TypeKind::Array { .. }
            | model::TypeKind::Record { .. }
            | model::TypeKind::Multiset { .. } => return None,
        };
        let size = u32::try_from(size).ok().filter(|_| (2..=MOST_VALUES).contains(&size))?;
        Some(Candidate { item, name: name.text.clone(), span: definition.span, size, now })
    };
    program.items.iter().enumerate().filter_map(declared).collect()
}

fn with_scalarset(program: &Program, candidate: &Candidate) -> Program {
    let mut program = program.clone();
    if let Some(Item::Declaration(Declaration::Type { definition, .. })) =
        program.items.get_mut(candidate.item)
    {
        let span = definition.span;
        let size = tree::Expression { kind: tree::ExpressionKind::Integer(u64::from(candidate.size)), span };
        *definition = TypeExpression { kind: TypeExpressionKind::Scalarset(Box::new(size)), span };
    }
    program
}

/// Whether states have anything to do with a type: its values in them, or its elements as indices.
fn is_in_state(model: &model::Model, name: &str) -> bool {
    parts_of_state(model).into_iter().any(|ty| model.ty(ty).name.as_deref() == Some(name))
}

/// Whether an array in the state has a type as its index: then its values name things.
fn is_index(model: &model::Model, candidate: &Candidate) -> bool {
    parts_of_state(model).into_iter().any(|ty| match &model.ty(ty).kind {
        model::TypeKind::Array { index, .. } => model.ty(*index).name.as_ref() == Some(&candidate.name),
        model::TypeKind::Integer
        | model::TypeKind::Boolean
        | model::TypeKind::Enum { .. }
        | model::TypeKind::Range { .. }
        | model::TypeKind::Scalarset { .. }
        | model::TypeKind::Union(_)
        | model::TypeKind::Record { .. }
        | model::TypeKind::Multiset { .. } => false,
    })
}

fn parts_of_state(model: &model::Model) -> HashSet<model::TypeId> {
    let mut seen = HashSet::new();
    let mut open: Vec<model::TypeId> = model.globals.iter().map(|global| global.ty).collect();
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match &model.ty(ty).kind {
            model::TypeKind::Array { index, element } => open.extend([*index, *element]),
            model::TypeKind::Record { fields } => open.extend(fields.iter().map(|field| field.ty)),
            model::TypeKind::Multiset { element, .. } => open.push(*element),
            model::TypeKind::Union(union) => open.extend(union.members.iter().map(|member| member.ty)),
            model::TypeKind::Integer
            | model::TypeKind::Boolean
            | model::TypeKind::Enum { .. }
            | model::TypeKind::Range { .. }
            | model::TypeKind::Scalarset { .. } => {}
        }
    }
    seen
}

fn factorial(size: u32) -> Option<u128> {
    (1..=u128::from(size)).try_fold(1u128, u128::checked_mul)
}

/// `24`, `3628800`, or how large it is at least.
fn times(gain: Option<u128>) -> String {
    match gain {
        Some(gain) if gain < 1_000_000_000 => gain.to_string(),
        Some(gain) => format!("10^{}", gain.ilog10()),
        None => "10^38".to_owned(),
    }
}

fn could_be(candidate: &Candidate, own: Option<u128>, together: Option<u128>) -> Diagnostic {
    let Candidate { name, size, now, .. } = candidate;
    let message =
        format!("`{name}` ({now}) could be a scalarset({size}): up to {} times fewer states", times(own));
    let mut help = format!("no use of `{name}` distinguishes its values");
    if let Some(together) = together {
        help.push_str(&format!(
            "; together with those above, up to {} times fewer states",
            times(Some(together))
        ));
    }
    Diagnostic::note("could-be-scalarset", candidate.span, message).help(help)
}

/// A type whose values name things, and of which only a literal or two is used.
fn nearly(
    source: &Source,
    checked: &model::Model,
    candidate: &Candidate,
    found: &[&Diagnostic],
) -> Option<Diagnostic> {
    let is_literal = |one: &&Diagnostic| {
        let text = one.primary.span.text(&source.text);
        let is_word = !text.is_empty() && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
        one.code == "clear-scalarset"
            || (one.code == "scalarset-literal" && is_word && one.message.ends_with("this is a number"))
    };
    let few = (1..=MOST_LITERALS).contains(&found.len());
    if !few || !found.iter().all(is_literal) || !is_index(checked, candidate) {
        return None;
    }
    debug_assert!(found.iter().all(|one| one.severity == Severity::Error));
    let Candidate { name, size, now, .. } = candidate;
    let uses = if found.len() == 1 { "one use distinguishes" } else { "two uses distinguish" };
    let message = format!("`{name}` ({now}) is nearly a scalarset({size}): {uses} its values");
    let mut note = Diagnostic::note("nearly-a-scalarset", candidate.span, message).help(format!(
        "with a value from a ruleset, or none, there could be up to {} times fewer states",
        times(factorial(*size))
    ));
    for one in found {
        let what = if one.code == "clear-scalarset" {
            "this sets the smallest value"
        } else {
            "this is one of its values"
        };
        note = note.also(one.primary.span, what);
    }
    Some(note)
}
