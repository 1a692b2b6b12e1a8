//! What the models of a run contain, and which errors they meet: a table that shows what is drawn
//! often enough to be called compared.

use crate::generate::Drawn;
use crate::opinion::Opinion;
use mcc_murphi::Layout;
use mcc_murphi::semantics::model::{Frame, LocalKind, Model, TypeId, TypeKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The kinds of errors that a report can name.
pub const ERRORS: [&str; 16] = [
    "deadlock",
    "invariant",
    "cover",
    "assertion",
    "error",
    "range",
    "index",
    "undefined",
    "division",
    "overflow",
    "loop",
    "return",
    "recursion",
    "multiset",
    "multiset: all slots taken",
    "multiset: slot empty",
];

/// What models contain that has broken compilers before.
pub const FEATURES: [&str; 23] = [
    "a range of one value",
    "a range with a negative bound",
    "a range of 2^63 values or more",
    "the range of all 64-bit numbers",
    "a state of one bit",
    "a state of one boolean",
    "a state of more than 64 bytes",
    "types nested three deep",
    "a union",
    "a scalarset",
    "a multiset",
    "an empty loop",
    "a hidden name",
    "a recursive function",
    "a `var` parameter",
    "a part of a function's result",
    "an alias",
    "an alias around rules",
    "a quantifier",
    "a guard that writes",
    "a guard with side effects",
    "a priority",
    "undefined values compared",
];

#[derive(Debug, Default)]
pub struct Survey {
    pub models: usize,
    counts: BTreeMap<&'static str, usize>,
}

impl Survey {
    pub fn add(&mut self, drawn: &Drawn, model: &Model, opinions: &[Opinion]) {
        self.models += 1;
        let mut found = drawn.features.clone();
        found.extend(features(model));
        let errors: BTreeSet<String> = opinions.iter().flat_map(errors).collect();
        found.extend(ERRORS.into_iter().filter(|kind| errors.contains(*kind)));
        for one in found {
            *self.counts.entry(one).or_default() += 1;
        }
    }

    /// How many models had this feature or error.
    pub fn count(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or(0)
    }
}

impl fmt::Display for Survey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = |title: &str, rows: &[&str]| -> fmt::Result {
            writeln!(out, "{title}, of {} models:", self.models)?;
            for row in rows {
                let count = self.count(row);
                let share = 100.0 * count as f64 / self.models.max(1) as f64;
                writeln!(out, "{count:>8} {share:>5.1} %  {row}")?;
            }
            Ok(())
        };
        table("what they contain", &FEATURES)?;
        table("errors in some mode", &ERRORS)
    }
}

/// The errors of a report; a full multiset and an empty slot are distinguished.
fn errors(opinion: &Opinion) -> Vec<String> {
    let mut found: Vec<String> = opinion.errors().into_iter().map(str::to_owned).collect();
    for message in opinion.messages("multiset") {
        let detail = if message.contains("is full") { "all slots taken" } else { "slot empty" };
        found.push(format!("multiset: {detail}"));
    }
    found
}

/// What can be seen in the typed model.
fn features(model: &Model) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut note = |holds: bool, feature: &'static str| {
        if holds {
            found.push(feature);
        }
    };
    let used = types_of_variables(model);
    let ranges = used.iter().filter_map(|ty| match model.ty(*ty).kind {
        TypeKind::Range { low, high } => Some((low, high, i128::from(high) - i128::from(low) + 1)),
        _ => None,
    });
    for (low, _, count) in ranges {
        note(count == 1, "a range of one value");
        note(low < 0, "a range with a negative bound");
        note(count >= 1 << 63, "a range of 2^63 values or more");
        note(count == 1 << 64, "the range of all 64-bit numbers");
    }
    let only = match model.globals.as_slice() {
        [one] => Some(one.ty),
        _ => None,
    };
    let values = only.and_then(|ty| model.bounds(ty)).map(|(low, high)| high.abs_diff(low));
    // "Undefined" is a value as well.
    note(values == Some(0), "a state of one bit");
    note(only.is_some_and(|ty| matches!(model.ty(ty).kind, TypeKind::Boolean)), "a state of one boolean");
    note(Layout::new(model).bytes > 64, "a state of more than 64 bytes");
    note(used.iter().any(|ty| nesting(model, *ty) >= 3), "types nested three deep");
    let has = |wanted: fn(&TypeKind) -> bool| used.iter().any(|ty| wanted(&model.ty(*ty).kind));
    note(has(|kind| matches!(kind, TypeKind::Union(_))), "a union");
    note(has(|kind| matches!(kind, TypeKind::Scalarset { .. })), "a scalarset");
    note(has(|kind| matches!(kind, TypeKind::Multiset { .. })), "a multiset");
    let functions = &model.functions;
    note(functions.iter().any(|function| function.recursive), "a recursive function");
    let mut parameters = functions.iter().flat_map(|function| &function.parameters);
    note(parameters.any(|parameter| parameter.by_reference), "a `var` parameter");
    note(model.rules.iter().any(|rule| rule.guard_writes), "a guard that writes");
    note(model.rules.iter().any(|rule| rule.guard_has_side_effects), "a guard with side effects");
    note(model.rules.iter().any(|rule| rule.priority != 0), "a priority");
    found
}

fn types_of_variables(model: &Model) -> BTreeSet<TypeId> {
    let frames = (model.functions.iter().map(|one| &one.frame))
        .chain(model.rules.iter().map(|one| &one.frame))
        .chain(model.starts.iter().map(|one| &one.frame));
    let storage = |frame: &Frame| -> Vec<TypeId> {
        frame.locals.iter().filter(|local| local.kind == LocalKind::Storage).map(|local| local.ty).collect()
    };
    let mut open: Vec<TypeId> = model.globals.iter().map(|global| global.ty).collect();
    open.extend(frames.flat_map(storage));
    let mut found = BTreeSet::new();
    while let Some(ty) = open.pop() {
        if found.insert(ty) {
            match &model.ty(ty).kind {
                TypeKind::Array { index, element } => open.extend([*index, *element]),
                TypeKind::Record { fields } => open.extend(fields.iter().map(|field| field.ty)),
                TypeKind::Multiset { element, .. } => open.push(*element),
                TypeKind::Union(union) => open.extend(union.members.iter().map(|member| member.ty)),
                TypeKind::Integer
                | TypeKind::Boolean
                | TypeKind::Enum { .. }
                | TypeKind::Range { .. }
                | TypeKind::Scalarset { .. } => {}
            }
        }
    }
    found
}

fn nesting(model: &Model, ty: TypeId) -> usize {
    match &model.ty(ty).kind {
        TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => 1 + nesting(model, *element),
        TypeKind::Record { fields } => {
            1 + fields.iter().map(|field| nesting(model, field.ty)).max().unwrap_or(0)
        }
        _ => 0,
    }
}
