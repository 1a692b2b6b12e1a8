//! Parts of a claim that differ only in the identities of elements: one of them decides the others.
//!
//! The rules of a model that was proved to be symmetric make no difference between elements, nor do
//! its conditions and its fairness, which is that of all instances of a rule. Start states may:
//! they are as they are. If every renaming of a start state is a start state as well, a renaming of
//! the elements maps the graph of states to itself, fair runs to fair runs, and the runs that break
//! a formula for some values to those that break it for the renamed values. So of all choices of
//! values that can be renamed into each other the first is enough.
//!
//! Multisets are kept in their slots here, and a loop over elements may fill them in the order of
//! the elements. So nothing is said of models with multisets.

use super::build::States;
use super::graph::Graph;
use super::propositions::Obligation;
use crate::contract::bags::Bags;
use crate::contract::model::{Description, Parameter, Type};
use crate::reduction::tables::{element, rename};
use std::collections::HashSet;

/// Start states whose renamings are looked at; with more of them each part is decided.
const MOST_STARTS: usize = 1 << 12;

/// Whether a renaming of elements maps the runs of a model to each other.
pub(super) fn runs_are_symmetric(description: &Description, states: &States<'_>, graph: &Graph) -> bool {
    if description.scalarsets.is_empty()
        || graph.starts.len() > MOST_STARTS
        || description.scalarsets.iter().any(|scalarset| scalarset.doubt.is_some())
        || description.variables.iter().any(|variable| has_multiset(variable.ty))
    {
        return false;
    }
    let numbers: Vec<u32> = graph.starts.iter().map(|(state, _)| *state).collect();
    let starts = states.words_of(&numbers);
    let known: HashSet<&[u64]> = starts.iter().map(Vec::as_slice).collect();
    let mut renamed = vec![0; description.words];
    // Exchanges of neighbours make all renamings.
    let exchanges = description.scalarsets.iter().flat_map(|scalarset| {
        let last = scalarset.first + scalarset.size.saturating_sub(1);
        scalarset.first as usize..last as usize
    });
    exchanges.into_iter().all(|left| {
        let mut to: Vec<u16> = (0..description.elements()).map(|element| element as u16).collect();
        to.swap(left, left + 1);
        starts.iter().all(|start| {
            rename(description, &to, Bags::None, start, &mut renamed);
            known.contains(&renamed[..])
        })
    })
}

fn has_multiset(ty: &Type) -> bool {
    match ty {
        Type::Simple(_) => false,
        Type::Array { element, .. } => has_multiset(element),
        Type::Record { fields } => fields.iter().any(|field| has_multiset(field.ty)),
        Type::Multiset { .. } => true,
    }
}

/// The first of all parts whose values can be renamed into each other.
pub(super) fn one_of_each(parts: Vec<Obligation>) -> Vec<Obligation> {
    let mut known = HashSet::new();
    parts.into_iter().filter(|part| known.insert((part.conjunct.clone(), shape(part)))).collect()
}

/// The values of a part, with elements numbered in the order in which they come: the scalarset of
/// an element, by its first one, and that number; or the value itself.
fn shape(part: &Obligation) -> Vec<(Option<u32>, i64)> {
    let mut met: Vec<(u32, usize)> = Vec::new();
    let value = |(parameter, &value): (&&'static Parameter, &i64)| match element(parameter.ty, value) {
        None => (None, value),
        Some((element, _, first)) => {
            let mut of_set = met.iter().filter(|(other, _)| *other == first);
            let place = of_set.position(|(_, other)| *other == element).unwrap_or_else(|| {
                met.push((first, element));
                met.iter().filter(|(other, _)| *other == first).count() - 1
            });
            (Some(first), place as i64)
        }
    };
    part.parameters.iter().zip(&part.values).map(value).collect()
}
