//! Parts of a claim that differ only in the identities of elements: one of them decides the others.
//!
//! The rules of a model that was proved to be symmetric make no difference between elements, nor do
//! its conditions and its fairness, which is that of all instances of a rule. Start states may:
//! they are as they are. If every renaming of a start state is a start state as well, a renaming of
//! the elements maps the graph of states to itself, fair runs to fair runs, and the runs that break
//! a formula for some values to those that break it for the renamed values. So of all choices of
//! values that can be renamed into each other the first is enough.
//!
//! [`super::apart`] says for which scalarsets that is so.

use super::propositions::Obligation;
use crate::contract::model::Parameter;
use crate::reduction::tables::element;
use std::collections::HashSet;

/// The first of all parts whose values can be renamed into each other, where the elements of these
/// scalarsets are alike.
pub(super) fn one_of_each(parts: Vec<Obligation>, alike: &[u32]) -> Vec<Obligation> {
    let mut known = HashSet::new();
    parts.into_iter().filter(|part| known.insert((part.conjunct.clone(), shape(part, alike)))).collect()
}

/// The values of a part, with elements that are alike numbered in the order in which they come: the
/// scalarset of an element, by its first one, and that number; or the value itself.
fn shape(part: &Obligation, alike: &[u32]) -> Vec<(Option<u32>, i64)> {
    let mut met: Vec<(u32, usize)> = Vec::new();
    let value = |(parameter, &value): (&&'static Parameter, &i64)| match element(parameter.ty, value) {
        Some((element, _, first)) if alike.contains(&first) => {
            let mut of_set = met.iter().filter(|(other, _)| *other == first);
            let place = of_set.position(|(_, other)| *other == element).unwrap_or_else(|| {
                met.push((first, element));
                met.iter().filter(|(other, _)| *other == first).count() - 1
            });
            (Some(first), place as i64)
        }
        _ => (None, value),
    };
    part.parameters.iter().zip(&part.values).map(value).collect()
}
