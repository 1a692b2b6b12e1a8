//! The tables that the engines ask for. They live as long as the program, so they are leaked.

use super::instances::Instances;
use super::sites::SiteTable;
use super::slots::Slots;
use crate::analysis::dependencies;
use crate::analysis::symmetry::Doubt;
use crate::layout::{Layout, Shape};
use crate::semantics::model::{Frame, Model, PropertyKind, TypeId, TypeKind};
use crate::source::{Source, Span};
use crate::tables;
use mcc_runtime::contract::dependencies::{Dependencies, Reading};
use mcc_runtime::model::{
    self as contract, Cover, Description, Family, Field, Labels, Parameter, Position, Property, Scalarset,
    Simple, Type, Variable,
};

/// The tables of all types, indexed by [`TypeId`]. A type comes after its parts, and shares their
/// tables.
pub fn types(model: &Model, source: &Source, slots: &Slots) -> Vec<&'static Type> {
    let mut types: Vec<&'static Type> = Vec::with_capacity(model.types.len());
    for ty in 0..model.types.len() {
        types.push(leak(describe_type(model, source, slots, TypeId(ty as u32), &types)));
    }
    types
}

pub fn describe(
    model: &Model,
    source: &Source,
    slots: &Slots,
    sites: &mut SiteTable,
    rules: &[Instances],
    starts: &[Instances],
) -> &'static Description {
    let position = |span: Span| {
        let at = source.position(span.start);
        Position { line: at.line, column: at.column }
    };
    let families = |named: Vec<(&String, Span, &Frame)>, instances: &[Instances]| {
        let families = named.into_iter().zip(instances).map(|((name, header, frame), instances)| Family {
            name: text(name),
            position: position(header),
            parameters: leak_all(instances.parameters.iter().map(|parameter| {
                let local = &frame.locals[parameter.local.index()];
                Parameter {
                    name: text(&local.name),
                    ty: leak(simple(model, &slots.layout, local.ty)),
                    first: parameter.first,
                    step: parameter.step,
                    count: parameter.count,
                }
            })),
            first: instances.first,
            instances: instances.count,
        });
        leak_all(families)
    };
    let types = sites.types.clone();
    leak(Description {
        name: text(&source.name),
        source: text(&source.text),
        fingerprint: tables::model_fingerprint(source),
        constants: leak_all(source.definitions.iter().map(|one| (text(&one.name), text(&one.value)))),
        words: slots.layout.words,
        variables: leak_all(model.globals.iter().zip(&slots.layout.offsets).map(|(global, offset)| {
            let name = if global.hidden { "" } else { text(&global.name) };
            Variable { name, offset: *offset, ty: types[global.ty.index()] }
        })),
        scalarsets: leak_all(tables::scalarsets(model).iter().map(|scalarset| Scalarset {
            name: text(&tables::type_title(model, scalarset.ty)),
            size: scalarset.size,
            first: scalarset.first,
            doubt: doubt(slots.proof.scalarsets.get(&scalarset.ty), source),
        })),
        starts: families(
            model.starts.iter().map(|start| (&start.name, start.header, &start.frame)).collect(),
            starts,
        ),
        rules: families(
            model.rules.iter().map(|rule| (&rule.name, rule.header, &rule.frame)).collect(),
            rules,
        ),
        properties: leak_all(model.properties.iter().map(|property| Property {
            kind: match property.kind {
                PropertyKind::Invariant => contract::PropertyKind::Invariant,
                PropertyKind::Assume => contract::PropertyKind::Assume,
                PropertyKind::Cover => contract::PropertyKind::Cover,
                PropertyKind::Reject => contract::PropertyKind::Reject,
                PropertyKind::Deadlock => contract::PropertyKind::Deadlock,
                PropertyKind::Liveness => contract::PropertyKind::Liveness,
                PropertyKind::Safety => contract::PropertyKind::Safety,
                PropertyKind::Ltl | PropertyKind::Atom => contract::PropertyKind::Ltl,
            },
            name: text(&property.name),
            position: position(property.header),
        })),
        // It counts without being compiled to do that.
        parts: &[],
        cover_statements: leak_all(
            model
                .cover_statements
                .iter()
                .map(|cover| Cover { name: text(&cover.name), position: position(cover.span) }),
        ),
        sites: leak_all(std::mem::take(&mut sites.sites)),
    })
}

fn doubt(doubt: Option<&Doubt>, source: &Source) -> Option<contract::Doubt> {
    let Doubt { span, message } = doubt?;
    let at = source.position(span.start);
    let position = Position { line: at.line, column: at.column };
    Some(contract::Doubt { position, message: text(message) })
}

fn describe_type(
    model: &Model,
    source: &Source,
    slots: &Slots,
    ty: TypeId,
    before: &[&'static Type],
) -> Type {
    let layout = &slots.layout;
    match (&layout.ty(ty).shape, &model.ty(ty).kind) {
        (Shape::Array { element, .. }, TypeKind::Array { index, .. }) => Type::Array {
            index: leak(simple(model, layout, *index)),
            element: before[element.index()],
            stride: layout.ty(*element).bytes,
        },
        (Shape::Record { offsets }, TypeKind::Record { fields }) => Type::Record {
            fields: leak_all(fields.iter().zip(offsets).map(|(field, offset)| Field {
                name: text(&field.name),
                offset: *offset,
                ty: before[field.ty.index()],
            })),
        },
        (Shape::Multiset { capacity, element }, _) => Type::Multiset {
            capacity: *capacity,
            element: before[element.index()],
            stride: 1 + layout.ty(*element).bytes,
            doubt: doubt(slots.proof.multisets.get(&ty), source),
        },
        _ => Type::Simple(simple(model, layout, ty)),
    }
}

pub(super) fn simple(model: &Model, layout: &Layout, ty: TypeId) -> Simple {
    let (low, high) = model.bounds(ty).unwrap_or((0, 0));
    let width = match &layout.ty(ty).shape {
        Shape::Simple { width, .. } => *width,
        Shape::Array { .. } | Shape::Record { .. } | Shape::Multiset { .. } => contract::Width::One,
    };
    let labels = match tables::labels(model, ty) {
        Some(names) => Labels::Names(leak_all(names.iter().map(|name| text(name)))),
        None => Labels::Numbers,
    };
    let spans = leak_all(tables::spans(&tables::scalarsets(model), model, ty));
    Simple { name: text(&tables::type_title(model, ty)), width, low, high, labels, spans }
}

/// What rules and properties read, as a table that lives as long as the program.
pub fn dependencies(found: dependencies::Dependencies) -> &'static Dependencies {
    let reading = |one: dependencies::Reading| Reading { variable: one.variable, steps: leak_all(one.steps) };
    let lists = |lists: Vec<Vec<dependencies::Reading>>| {
        leak_all(lists.into_iter().map(|list| leak_all(list.into_iter().map(reading))))
    };
    let dependencies::Dependencies { rules, guards, properties } = found;
    leak(Dependencies { rules: lists(rules), guards: lists(guards), properties: lists(properties) })
}

pub fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub fn leak_all<T>(values: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(values.into_iter().collect::<Vec<T>>().into_boxed_slice())
}

pub fn text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
