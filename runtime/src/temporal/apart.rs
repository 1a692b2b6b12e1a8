//! Which elements the properties of runs distinguish, and so how far states are reduced.
//!
//! A formula inside `forall p: scalarset` is one for each element. Where start states make no
//! difference between elements, the one for the first element decides the others, and it is decided
//! on states that are reduced by the renamings that leave this element alone: it is kept *apart*.
//! With several parameters as many elements are kept apart as there are parameters. The proof is in
//! `docs/internals/temporal.md` (Elements kept apart).

use super::{claims, fairness, is_about_reaching};
use crate::contract::bags::Bags;
use crate::contract::model::{Description, Model, Parameter, Scalarset, Type};
use crate::contract::temporal::{Argument, Claim, ClaimKind, Fairness, Formula, Temporal};
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::reduction::tables::{element, rename};
use crate::settings::Settings;
use std::collections::HashSet;

/// Start states whose renamings are looked at; with more of them each formula is decided.
const MOST_STARTS: u32 = 1 << 12;

/// What properties of runs distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// All states of an orbit fulfil the same conditions.
    Nothing,
    /// At most this number of elements of each scalarset at a time.
    Elements(Vec<u32>),
    /// Instances of rules, which are treated fairly; or slots of multisets.
    All,
}

/// The settings with which the runs of a model are checked. A state may stand only for those in
/// which the properties see the same.
pub fn plain(model: &dyn Model, settings: Settings) -> Settings {
    let description = model.description();
    let settings = Settings { steps: claims(model).is_some_and(is_about_reaching), ..settings };
    match named(model, settings.fairness) {
        Named::Nothing => settings,
        // Each element is followed under its own name.
        Named::Elements(_) if settings.symmetry.is_none() => settings,
        Named::Elements(counts) => {
            let alike = alike(model, &settings);
            let scalarsets = description.scalarsets.iter().zip(counts);
            let apart = scalarsets.flat_map(|(scalarset, count)| {
                let count = match alike.contains(&scalarset.first) {
                    true => count.min(scalarset.size),
                    false if count > 0 => scalarset.size,
                    false => 0,
                };
                (scalarset.first..scalarset.first + count).map(|element| element as u16)
            });
            Settings { apart: apart.collect(), alike, ..settings }
        }
        Named::All => {
            let slots = Settings { keep_slots: true, ..settings };
            // Asked once more, nothing is reduced already.
            let alike = match slots.symmetry {
                Some(_) => alike(model, &slots),
                None => slots.alike.clone(),
            };
            Settings { symmetry: None, trust: false, apart: Vec::new(), alike, ..slots }
        }
    }
}

/// What the properties of runs of a model distinguish, of those that are decided on the graph of
/// states.
pub fn named(model: &dyn Model, chosen: Option<Fairness>) -> Named {
    let Some(temporal) = claims(model) else { return Named::Nothing };
    let description = model.description();
    let is_fair = !fairness(description, temporal, chosen).is_empty();
    let mut names =
        Names { temporal, description, counts: vec![0; description.scalarsets.len()], all: false };
    for claim in temporal.claims {
        match claim.kind {
            ClaimKind::Deadlock | ClaimKind::Safety => continue,
            ClaimKind::Liveness => {}
            ClaimKind::Ltl => names.all |= is_fair,
        }
        names.claim(claim);
    }
    match names.all {
        true => Named::All,
        false if names.counts.iter().all(|count| *count == 0) => Named::Nothing,
        false => Named::Elements(names.counts),
    }
}

struct Names {
    temporal: &'static Temporal,
    description: &'static Description,
    counts: Vec<u32>,
    all: bool,
}

impl Names {
    fn claim(&mut self, claim: &'static Claim) {
        self.parts(&claim.formula, &mut claim.parameters.iter().collect());
    }

    /// Conjunctions and outermost `forall` make parts of their own, as in
    /// [`super::propositions::obligations`].
    fn parts(&mut self, formula: &'static Formula, around: &mut Vec<&'static Parameter>) {
        match formula {
            Formula::And(all) => all.iter().for_each(|one| self.parts(one, around)),
            Formula::Forall(parameter, body) => {
                around.push(parameter);
                self.parts(body, around);
                around.pop();
            }
            _ => {
                self.count(around);
                self.part(formula, around);
            }
        }
    }

    fn part(&mut self, formula: &'static Formula, around: &mut Vec<&'static Parameter>) {
        match formula {
            Formula::Constant(_) => {}
            Formula::Atom(atom) => {
                let atom = self.temporal.atoms.get(atom.0 as usize);
                if atom.is_none_or(|atom| atom.names_elements) {
                    // A slot of a multiset is a parameter of the condition alone.
                    self.all |= atom.is_none_or(|atom| atom.parameters as usize != around.len());
                }
            }
            Formula::Fired { arguments: None, .. } => {}
            Formula::Fired { family, arguments: Some(arguments) } => {
                let family = self.description.rules.get(*family as usize);
                let parameters = family.map_or(&[][..], |family| family.parameters);
                let is_element = |(argument, parameter): (&Argument, &Parameter)| match argument {
                    Argument::Value(value) => element(parameter.ty, *value).is_some(),
                    Argument::Parameter(_) => false,
                };
                // One that is named by a value would be none of the first.
                self.all |= arguments.len() != parameters.len();
                self.all |= arguments.iter().zip(parameters).any(is_element);
            }
            Formula::Not(one) | Formula::Always(one) | Formula::Eventually(one) | Formula::Next(one) => {
                self.part(one, around);
            }
            // Several elements at a time, in formulas over the whole run.
            Formula::Forall(parameter, body) | Formula::Exists(parameter, body) => {
                for (scalarset, count) in self.description.scalarsets.iter().zip(&mut self.counts) {
                    if ranges_over(parameter, scalarset) {
                        *count = scalarset.size;
                    }
                }
                around.push(parameter);
                self.part(body, around);
                around.pop();
            }
            Formula::And(all) | Formula::Or(all) => all.iter().for_each(|one| self.part(one, around)),
            Formula::Until(left, right) | Formula::WeakUntil(left, right) | Formula::Release(left, right) => {
                self.part(left, around);
                self.part(right, around);
            }
        }
    }

    /// Each parameter may be another element.
    fn count(&mut self, around: &[&'static Parameter]) {
        for (scalarset, count) in self.description.scalarsets.iter().zip(&mut self.counts) {
            let named = around.iter().filter(|parameter| ranges_over(parameter, scalarset)).count();
            *count = (*count).max((named as u32).min(scalarset.size));
        }
    }
}

fn ranges_over(parameter: &Parameter, scalarset: &Scalarset) -> bool {
    parameter.ty.spans.iter().any(|span| span.first == scalarset.first)
}

/// The scalarsets, by their first elements, whose renamings map runs to runs: they were proved to
/// be symmetric, and each renaming of a start state is a start state, up to the slots of multisets
/// that are sorted.
fn alike(model: &dyn Model, settings: &Settings) -> Vec<u32> {
    let description = model.description();
    let bags = settings.extent().bags();
    let slots_matter =
        description.variables.iter().any(|variable| has_multiset(variable.ty, &|doubt| !bags.sorts(doubt)));
    if description.scalarsets.is_empty() || slots_matter || description.start_instances() > MOST_STARTS {
        return Vec::new();
    }
    let starts = starts(model, settings, bags);
    let mut renamed = vec![0; description.words];
    let mut is_alike = |scalarset: &&Scalarset| {
        let last = scalarset.first + scalarset.size.saturating_sub(1);
        // Exchanges of neighbours make all renamings.
        scalarset.doubt.is_none()
            && (scalarset.first as usize..last as usize).all(|left| {
                let mut to: Vec<u16> = (0..description.elements()).map(|element| element as u16).collect();
                to.swap(left, left + 1);
                starts.iter().all(|start| {
                    rename(description, &to, bags, start, &mut renamed);
                    starts.contains(&renamed)
                })
            })
    };
    description.scalarsets.iter().filter(&mut is_alike).map(|scalarset| scalarset.first).collect()
}

/// The start states, with multisets as the search has them.
fn starts(model: &dyn Model, settings: &Settings, bags: Bags) -> HashSet<Vec<u64>> {
    let description = model.description();
    let mut expander = Expander::for_trace(model, &settings.trace_context(description));
    let identity: Vec<u16> = (0..description.elements()).map(|element| element as u16).collect();
    let (mut starts, mut found) = (Starts::default(), HashSet::new());
    loop {
        let more = expander.start_again(&mut starts);
        let made = expander.successors();
        for at in 0..made.len() {
            let mut start = vec![0; description.words];
            rename(description, &identity, bags, made.state(at), &mut start);
            found.insert(start);
        }
        if !more {
            return found;
        }
    }
}

/// Whether there is a multiset of this kind in it: one that is in doubt, or not.
fn has_multiset(ty: &Type, kind: &dyn Fn(bool) -> bool) -> bool {
    match ty {
        Type::Simple(_) => false,
        Type::Array { element, .. } => has_multiset(element, kind),
        Type::Record { fields } => fields.iter().any(|field| has_multiset(field.ty, kind)),
        Type::Multiset { element, doubt, .. } => kind(doubt.is_some()) || has_multiset(element, kind),
    }
}

/// Whether this value of a parameter is an element that may be renamed.
pub(super) fn is_renamed(
    description: &Description,
    settings: &Settings,
    parameter: &Parameter,
    value: i64,
) -> bool {
    let Some((element, ..)) = element(parameter.ty, value) else { return false };
    let extent = settings.extent();
    // One alone has nothing to be exchanged with.
    let renamed = description.scalarsets.iter().map(|scalarset| extent.renamed(scalarset));
    renamed.into_iter().any(|renamed| renamed.len() > 1 && renamed.contains(&element))
}

/// The scalarsets that are reduced without some of their elements, with how many these are.
pub(super) fn kept_apart(description: &'static Description, settings: &Settings) -> Vec<(&'static str, u64)> {
    let extent = settings.extent();
    let kept = |scalarset: &'static Scalarset| {
        let renamed = extent.renamed(scalarset).len() as u32;
        let is_reduced = renamed > 0 && renamed < scalarset.size;
        is_reduced.then(|| (scalarset.name, u64::from(scalarset.size - renamed)))
    };
    description.scalarsets.iter().filter_map(kept).collect()
}
