//! The names of the parts of a model in reports, compiled or interpreted.

use crate::semantics::model::{
    Expression, ExpressionKind, LocalId, Model, Place, Root, Rule, Scope, Step, TypeId, TypeKind,
};
use crate::source::Source;
use mcc_runtime::contract::choice::ChoiceStep;
use mcc_runtime::model::Span;

/// A type whose elements may be renamed.
#[derive(Clone, Copy, Debug)]
pub struct Scalarset {
    pub ty: TypeId,
    pub size: u32,
    pub first: u32,
}

/// The model file's name without its directory, for comments in generated code. Reports name the
/// model as the user gave it, so that its places can be opened from there.
pub fn file_name(source: &Source) -> &str {
    let name = source.name.as_str();
    std::path::Path::new(name).file_name().and_then(|file| file.to_str()).unwrap_or(name)
}

/// How a simple type is called in reports.
pub fn type_title(model: &Model, ty: TypeId) -> String {
    let described = model.ty(ty);
    match (&described.name, &described.kind) {
        (Some(name), _) => name.clone(),
        (None, TypeKind::Range { low, high }) => format!("{low}..{high}"),
        (None, TypeKind::Boolean) => "boolean".to_owned(),
        (None, TypeKind::Integer) => "integer".to_owned(),
        (None, TypeKind::Enum { .. }) => "enum".to_owned(),
        (None, TypeKind::Scalarset { .. }) => "scalarset".to_owned(),
        (None, TypeKind::Union(_)) => "union".to_owned(),
        (None, TypeKind::Array { .. } | TypeKind::Record { .. } | TypeKind::Multiset { .. }) => String::new(),
    }
}

/// The names of a simple type's values, in order; `None` if they are numbers.
pub fn labels(model: &Model, ty: TypeId) -> Option<Vec<String>> {
    match &model.ty(ty).kind {
        TypeKind::Boolean => Some(vec!["false".to_owned(), "true".to_owned()]),
        TypeKind::Enum { members } => Some(members.clone()),
        TypeKind::Scalarset { size } => {
            let title = type_title(model, ty);
            Some((1..=*size).map(|element| format!("{title}_{element}")).collect())
        }
        TypeKind::Union(union) => Some(
            union.members.iter().flat_map(|member| labels(model, member.ty).unwrap_or_default()).collect(),
        ),
        TypeKind::Integer
        | TypeKind::Range { .. }
        | TypeKind::Array { .. }
        | TypeKind::Record { .. }
        | TypeKind::Multiset { .. } => None,
    }
}

/// The multiset that a `choose` parameter of a rule is a slot of.
#[derive(Clone, Debug)]
pub struct Choice {
    pub family: usize,
    pub parameter: usize,
    pub variable: usize,
    pub steps: Vec<ChoiceStep>,
}

/// The multisets of `choose` parameters that can be found in a state by the values of the other
/// parameters alone: all but those behind an alias or a computed index.
pub fn choices(model: &Model) -> Vec<Choice> {
    let of_rule = |(family, rule): (usize, &Rule)| {
        let parameters: Vec<(LocalId, Option<&Place>)> = rule.scopes.iter().filter_map(parameter).collect();
        let found = parameters.iter().enumerate().filter_map(|(parameter, (_, multiset))| {
            let multiset = (*multiset)?;
            let Root::Global(variable) = &multiset.root else { return None };
            let mut ty = model.globals.get(variable.index())?.ty;
            let mut steps = Vec::new();
            for step in &multiset.steps {
                let (found, next) = choice_step(model, step, ty, &parameters)?;
                (ty, steps) = (next, [steps, vec![found]].concat());
            }
            Some(Choice { family, parameter, variable: variable.index(), steps })
        });
        found.collect::<Vec<_>>()
    };
    model.rules.iter().enumerate().flat_map(of_rule).collect()
}

/// A parameter of a rule, and its multiset if it is a slot.
fn parameter(scope: &Scope) -> Option<(LocalId, Option<&Place>)> {
    match scope {
        Scope::Parameter(binder) => Some((binder.variable, None)),
        Scope::Choose { variable, multiset, .. } => Some((*variable, Some(multiset))),
        Scope::Alias(_) => None,
    }
}

/// A step from a part of type `ty`, and the type that it leads to.
fn choice_step(
    model: &Model,
    step: &Step,
    ty: TypeId,
    parameters: &[(LocalId, Option<&Place>)],
) -> Option<(ChoiceStep, TypeId)> {
    match (step, &model.ty(ty).kind) {
        (Step::Field(at), TypeKind::Record { fields }) => {
            Some((ChoiceStep::Field(*at as usize), fields.get(*at as usize)?.ty))
        }
        (Step::Index(index), TypeKind::Array { index: of, element }) => {
            let (low, _) = model.bounds(*of)?;
            Some((choice_index(index, low.checked_neg()?, parameters)?, *element))
        }
        _ => None,
    }
}

/// An index that is a constant or a parameter, with what is to be added to count from 0.
fn choice_index(
    index: &Expression,
    shift: i64,
    parameters: &[(LocalId, Option<&Place>)],
) -> Option<ChoiceStep> {
    match &index.kind {
        ExpressionKind::Constant(value) => Some(ChoiceStep::Element(value.checked_add(shift)?)),
        ExpressionKind::Value(local) => {
            let number = parameters.iter().position(|(other, _)| other == local)?;
            Some(ChoiceStep::Parameter { number, shift })
        }
        // One piece moves all values by one distance.
        ExpressionKind::Convert { value, pieces } => match pieces.as_slice() {
            [piece] => choice_index(value, shift.checked_add(piece.shift)?, parameters),
            _ => None,
        },
        _ => None,
    }
}

/// More elements than this are never renamed: treating them as different is sound, and computing
/// their canonical form in each state would take longer than exploring the states.
const MOST_ELEMENTS: u32 = u16::MAX as u32;

/// The scalarsets of two elements or more, in the order of their declarations, each with the number
/// of its first element if all elements are counted through.
pub fn scalarsets(model: &Model) -> Vec<Scalarset> {
    let mut first = 0;
    let ids = (0..model.types.len()).map(|index| TypeId(index as u32));
    ids.filter_map(|ty| match model.ty(ty).kind {
        TypeKind::Scalarset { size } if size > 1 && size <= MOST_ELEMENTS - first => {
            let scalarset = Scalarset { ty, size, first };
            first += size;
            Some(scalarset)
        }
        _ => None,
    })
    .collect()
}

/// Which values of a simple type are elements of those scalarsets.
pub fn spans(scalarsets: &[Scalarset], model: &Model, ty: TypeId) -> Vec<Span> {
    let of = |ty: TypeId, low: i64| {
        let scalarset = scalarsets.iter().find(|scalarset| scalarset.ty == ty)?;
        Some(Span { low, size: scalarset.size, first: scalarset.first })
    };
    match &model.ty(ty).kind {
        TypeKind::Scalarset { .. } => of(ty, 0).into_iter().collect(),
        TypeKind::Union(union) => {
            union.members.iter().filter_map(|member| of(member.ty, member.first)).collect()
        }
        _ => Vec::new(),
    }
}

/// What distinguishes a model from others: its text, and the constants that are set for it.
pub fn model_fingerprint(source: &Source) -> u64 {
    let set: Vec<String> =
        source.definitions.iter().map(|one| format!("\0{}={}", one.name, one.value)).collect();
    fingerprint(&format!("{}{}", source.text, set.concat()))
}

/// FNV-1a: short, stable between versions, and good enough to distinguish models.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
