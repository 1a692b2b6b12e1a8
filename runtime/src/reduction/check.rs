//! `--symmetry-check`: is the model as symmetric as the reduction assumes?
//!
//! Each state that is explored is taken in the other forms that the search identifies with it (see [`super::variants`]): elements
//! of scalarsets renamed, elements of multisets in other slots. In each of them the same must happen, up to that renaming: the same
//! successors, as a set; the same rules and properties end in an error, wherever in them; the same rules lead
//! to states that break an assumption; the same `cover`s are reached.
//!
//! *Where* a rule goes wrong is not compared: a loop that can fail for two elements meets the one or the other first, and the error is an error
//! in both orders. Nor are covers, where a rule goes wrong before it comes to all of them.
//!
//! Where all forms of every state are tried and nothing differs, the reduced search is complete, whatever was proved before: if `c` is another
//! form of a state `r` that was explored, what can happen in `c` is what can happen in `r`, so each successor of `c` is a form of a successor
//! of `r`, which was explored; and by induction so is every state that can be reached.

use super::variants::{Variant, Variants};
use crate::context::Context;
use crate::model::{Description, Model, PropertyId, RuleId};
use crate::random::Random;
use crate::successors::Successors;
use crate::trace::print::{rule_name, write_state};
use std::collections::BTreeMap;
use std::io::Write;

/// What is asked of the states of one search.
pub struct SymmetryCheck {
    random: Random,
    context: Context,
    variants: Variants,
    successors: Successors,
    other: Vec<u64>,
}

impl SymmetryCheck {
    /// `context` must be that of the search, but for its counters.
    pub fn new(description: &Description, context: Context, variants: Variants, seed: u64) -> Self {
        SymmetryCheck {
            random: Random(seed),
            context,
            variants,
            successors: Successors::new(description.words),
            other: vec![0; description.words],
        }
    }

    /// Compares `state` with its other forms. `Err` tells the user what differs.
    pub fn examine(&mut self, model: &dyn Model, state: &mut [u64]) -> Result<(), String> {
        let description = model.description();
        let here = self.behaviour(model, state);
        for variant in self.variants.draw(&mut self.random) {
            let mut other = std::mem::take(&mut self.other);
            self.variants.apply(description, &variant, state, &mut other);
            let there = self.behaviour(model, &mut other);
            let expected = here.results(&self.variants, description, Some(&variant));
            let found = there.results(&self.variants, description, None);
            let difference = difference(description, (&here, &expected), (&there, &found));
            let told = difference.map(|difference| tell(description, &variant, state, &other, &difference));
            self.other = other;
            told.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    fn behaviour(&mut self, model: &dyn Model, state: &mut [u64]) -> Behaviour {
        self.context.set_covered(&vec![0; self.context.covered().count()]);
        self.successors.clear();
        model.expand(&self.context, state, &mut self.successors);
        let violated = model.check(&self.context, state).err().map(|violation| violation.property);
        let successors = &self.successors;
        let states = (0..successors.len()).map(|at| successors.state(at).to_vec());
        let rules = successors.rules().iter().copied();
        Behaviour {
            own: state.to_vec(),
            successors: states.zip(rules).collect(),
            faults: successors.faults().iter().map(|faulty| faulty.rule).collect(),
            excluded: successors.excluded().to_vec(),
            violated,
            covered: self.context.covered().map(|count| count > 0).collect(),
        }
    }
}

/// What can happen in a state.
struct Behaviour {
    own: Vec<u64>,
    successors: Vec<(Vec<u64>, RuleId)>,
    faults: Vec<RuleId>,
    excluded: Vec<RuleId>,
    violated: Option<PropertyId>,
    covered: Vec<bool>,
}

/// What one rule does. The family counts, not the instance, whose number depends on the names of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    State(Vec<u64>),
    Fault { family: usize },
    Excluded { family: usize },
}

impl Behaviour {
    /// What the rules do, each result once, with one of the rules that do it. Successors are renamed if they are to be
    /// compared with those of the other form. A rule that leads to the state itself does nothing.
    fn results(
        &self,
        variants: &Variants,
        description: &Description,
        variant: Option<&Variant>,
    ) -> BTreeMap<End, RuleId> {
        let settled = |state: &[u64]| variants.settle(description, variant, state);
        let own = settled(&self.own);
        let states = self.successors.iter().map(|(state, rule)| (settled(state), *rule));
        let states = states.filter(|(state, _)| *state != own).map(|(state, rule)| (End::State(state), rule));
        let family = |rule: RuleId| family(description, rule);
        let faults = self.faults.iter().map(|&rule| (End::Fault { family: family(rule) }, rule));
        let excluded = self.excluded.iter().map(|&rule| (End::Excluded { family: family(rule) }, rule));
        states.chain(faults).chain(excluded).collect()
    }
}

fn family(description: &Description, rule: RuleId) -> usize {
    description.rules.partition_point(|family| family.first <= rule.0).saturating_sub(1)
}

/// What differs, and a state to show with it.
struct Difference {
    what: String,
    next: Option<Vec<u64>>,
}

fn difference(
    description: &Description,
    (here, expected): (&Behaviour, &BTreeMap<End, RuleId>),
    (there, found): (&Behaviour, &BTreeMap<End, RuleId>),
) -> Option<Difference> {
    if here.violated != there.violated {
        let property = here.violated.or(there.violated);
        let property = property.and_then(|id| description.properties.get(id.0 as usize));
        let name = property.map_or("", |property| property.name);
        return Some(Difference { what: format!("\"{name}\" holds in only one of them"), next: None });
    }
    let missing = |results: &BTreeMap<End, RuleId>, others: &BTreeMap<End, RuleId>| {
        let missing = results.iter().find(|(end, _)| !others.contains_key(*end));
        missing.map(|(end, rule)| (end.clone(), *rule))
    };
    let only_here = missing(expected, found).map(|missing| (missing, "the first"));
    let only = only_here.or_else(|| missing(found, expected).map(|missing| (missing, "the second")));
    if let Some(((end, rule), which)) = only {
        let rule = rule_name(description, rule);
        let (what, next) = match end {
            End::State(next) => ("leads to this state, renamed for the second of the two:", Some(next)),
            End::Fault { .. } => ("ends in an error", None),
            End::Excluded { .. } => ("breaks an assumption", None),
        };
        return Some(Difference { what: format!("only in {which}, {rule} {what}"), next });
    }
    if !here.faults.is_empty() || here.violated.is_some() {
        return None;
    }
    let cover = here.covered.iter().zip(&there.covered).position(|(here, there)| here != there)?;
    let property = description.properties.get(cover).map(|property| property.name);
    let statement =
        || Some(description.cover_statements.get(cover.checked_sub(description.properties.len())?)?.name);
    let name = property.or_else(statement).unwrap_or("");
    Some(Difference { what: format!("cover \"{name}\" is reached from only one of them"), next: None })
}

fn tell(
    description: &Description,
    variant: &Variant,
    state: &[u64],
    other: &[u64],
    difference: &Difference,
) -> String {
    let mut text = Vec::new();
    let _ = writeln!(text, "The first state:");
    write_state(&mut text, description, state);
    let _ = writeln!(
        text,
        "\nThe second, with other names for elements of scalarsets, or other slots for those of multisets:"
    );
    for scalarset in description.scalarsets {
        for element in scalarset.first..scalarset.first + scalarset.size {
            let to = variant.to.get(element as usize).map_or(element, |&to| u32::from(to));
            if to != element {
                let name = |element: u32| format!("{}_{}", scalarset.name, element - scalarset.first + 1);
                let _ = writeln!(text, "   {} is called {}", name(element), name(to));
            }
        }
    }
    write_state(&mut text, description, other);
    let _ = writeln!(text, "\nThe two should behave alike, but {}", difference.what);
    if let Some(next) = &difference.next {
        write_state(&mut text, description, next);
    }
    String::from_utf8_lossy(&text).into_owned()
}
