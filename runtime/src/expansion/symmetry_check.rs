//! `--symmetry-check`: is the model as symmetric as the reduction assumes?
//!
//! Each state that is explored is taken in the other forms that the search identifies with it (see
//! [`crate::reduction::variants`]): elements of scalarsets renamed, elements of multisets in other
//! slots. In each of them the same must happen, up to that renaming: the same successors, as a set;
//! the same rules and properties end in an error, wherever in them; the same rules lead to states
//! that break an assumption; the same `cover`s are reached.
//!
//! *Where* a rule goes wrong is not compared: a loop that can fail for two elements meets the one
//! or the other first, and the error is an error in both orders. Nor are covers, where a rule goes
//! wrong before it comes to all of them.
//!
//! Where all forms of every state are tried and nothing differs, the reduced search is complete,
//! whatever was proved before: if `c` is another form of a state `r` that was explored, what can
//! happen in `c` is what can happen in `r`, so each successor of `c` is a form of a successor of
//! `r`, which was explored; and by induction so is every state that can be reached.

use super::Expander;
use super::portion::Portion;
use crate::contract::model::{Description, Model, PropertyId, RuleId};
use crate::contract::print::{rule_name, write_state};
use crate::hashing::words::wide_hash_of;
use crate::random::Random;
use crate::reduction::variants::{Variant, Variants};
use crate::settings::Settings;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;

/// Two forms of a state behave differently: says so to the user, and shows both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsymmetryError(pub String);

impl fmt::Display for AsymmetryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for AsymmetryError {}

/// The check of the states of one search, for one thread.
pub struct SymmetryCheck<'a> {
    random: Random,
    /// Leaves successors as they are: they are compared up to the renaming at hand.
    expander: Expander<'a>,
    variants: Variants,
    other: Vec<u64>,
}

impl<'a> SymmetryCheck<'a> {
    /// The check that the settings ask for, for the `thread`-th thread.
    pub fn of(model: &'a dyn Model, settings: &Settings, thread: u64) -> Option<Self> {
        let description = model.description();
        let seed = settings.symmetry_check?;
        let variants = Variants::new(description, &settings.extent())?;
        let piece = Portion::new(settings, description, 0).words;
        Some(SymmetryCheck {
            random: Random(seed.wrapping_add(thread)),
            expander: Expander::new(model, settings.rerun_context(description), piece),
            variants,
            other: vec![0; description.words],
        })
    }

    /// Compares `state` with its other forms.
    pub fn examine(&mut self, state: &mut [u64]) -> Result<(), AsymmetryError> {
        let description = self.expander.model().description();
        for variant in self.variants.draw(&mut self.random) {
            let mut other = std::mem::take(&mut self.other);
            self.variants.apply(description, &variant, state, &mut other);
            let expected = self.behaviour(state, Some(&variant));
            let found = self.behaviour(&mut other, None);
            let asymmetry = difference(description, &expected, &found).map(|difference| {
                let next = difference.next.as_ref().and_then(|(end, is_first)| {
                    if *is_first {
                        self.find(state, Some(&variant), end)
                    } else {
                        self.find(&mut other, None, end)
                    }
                });
                asymmetry(description, &variant, state, &other, &difference.what, next)
            });
            self.other = other;
            asymmetry.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// What can happen in a state. Successors are renamed if they are to be compared with those of
    /// the other form.
    fn behaviour(&mut self, state: &mut [u64], variant: Option<&Variant>) -> Behaviour {
        let description = self.expander.model().description();
        let context = self.expander.context();
        context.set_covered(&vec![0; context.covered().count()]);
        let settled = |variants: &Variants, state: &[u64]| variants.settle(description, variant, state);
        let own = settled(&self.variants, state);
        let mut behaviour = Behaviour::default();
        let (variants, results) = (&self.variants, &mut behaviour.results);
        let mut faulty = false;
        self.expander.each_piece::<()>(state, |piece| {
            for (at, &rule) in piece.rules().iter().enumerate() {
                let next = settled(variants, piece.state(at));
                // A rule that leads to the state itself does nothing.
                if next != own {
                    results.insert(End::State(Mark::of(next)), rule);
                }
            }
            faulty |= !piece.faults().is_empty();
            for rule in piece.faults().iter().map(|faulty| faulty.rule) {
                results.insert(End::Fault { family: family(description, rule) }, rule);
            }
            for &rule in piece.excluded() {
                results.insert(End::Excluded { family: family(description, rule) }, rule);
            }
            ControlFlow::Continue(())
        });
        behaviour.faulty = faulty;
        behaviour.violated = self.expander.check(state).err().map(|violation| violation.property);
        behaviour.covered = self.expander.context().covered().map(|count| count > 0).collect();
        behaviour
    }

    /// The successor that was marked so.
    fn find(&mut self, state: &mut [u64], variant: Option<&Variant>, mark: &Mark) -> Option<Vec<u64>> {
        let (variants, description) = (&self.variants, self.expander.model().description());
        self.expander.each_piece(state, |piece| {
            let states = (0..piece.len()).map(|at| variants.settle(description, variant, piece.state(at)));
            match states.into_iter().find(|next| Mark::of(next.clone()) == *mark) {
                Some(next) => ControlFlow::Break(next),
                None => ControlFlow::Continue(()),
            }
        })
    }
}

/// What can happen in a state: what its rules do, each result once, with one of the rules that do
/// it.
#[derive(Default)]
struct Behaviour {
    results: BTreeMap<End, RuleId>,
    faulty: bool,
    violated: Option<PropertyId>,
    covered: Vec<bool>,
}

/// What one rule does. The family counts, not the instance, whose number depends on the names of
/// its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    State(Mark),
    Fault { family: usize },
    Excluded { family: usize },
}

/// Distinguishes a state from others: its words, if there are not too many of them to be kept for
/// all successors of a state, and otherwise a hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Words(Vec<u64>),
    Hash(u128),
}

/// States of more words than this are distinguished by hashes.
const MANY_WORDS: usize = 64;

impl Mark {
    fn of(words: Vec<u64>) -> Self {
        if words.len() <= MANY_WORDS {
            return Mark::Words(words);
        }
        Mark::Hash(wide_hash_of(words.len(), |at| words[at]))
    }
}

fn family(description: &Description, rule: RuleId) -> usize {
    description.rules.partition_point(|family| family.first <= rule.0).saturating_sub(1)
}

/// What differs, and a state to show with it: one to which the first state leads, or the second.
struct Difference {
    what: String,
    next: Option<(Mark, bool)>,
}

fn difference(description: &Description, here: &Behaviour, there: &Behaviour) -> Option<Difference> {
    if here.violated != there.violated {
        let property = here.violated.or(there.violated);
        let property = property.and_then(|id| description.properties.get(id.0 as usize));
        let name = property.map_or("", |property| property.name);
        return Some(Difference { what: format!("\"{name}\" holds in only one of them"), next: None });
    }
    let missing = |one: &Behaviour, other: &Behaviour| {
        let missing = one.results.iter().find(|(end, _)| !other.results.contains_key(*end));
        missing.map(|(end, rule)| (end.clone(), *rule))
    };
    let only_here = missing(here, there).map(|missing| (missing, true));
    let only = only_here.or_else(|| missing(there, here).map(|missing| (missing, false)));
    if let Some(((end, rule), is_first)) = only {
        let rule = rule_name(description, rule);
        let which = if is_first { "the first" } else { "the second" };
        let (what, next) = match end {
            End::State(next) => {
                ("leads to this state, renamed for the second of the two:", Some((next, is_first)))
            }
            End::Fault { .. } => ("ends in an error", None),
            End::Excluded { .. } => ("breaks an assumption", None),
        };
        return Some(Difference { what: format!("only in {which}, {rule} {what}"), next });
    }
    if here.faulty || here.violated.is_some() {
        return None;
    }
    let cover = here.covered.iter().zip(&there.covered).position(|(here, there)| here != there)?;
    let property = description.properties.get(cover).map(|property| property.name);
    let statement =
        || Some(description.cover_statements.get(cover.checked_sub(description.properties.len())?)?.name);
    let name = property.or_else(statement).unwrap_or("");
    Some(Difference { what: format!("cover \"{name}\" is reached from only one of them"), next: None })
}

fn asymmetry(
    description: &Description,
    variant: &Variant,
    state: &[u64],
    other: &[u64],
    what: &str,
    next: Option<Vec<u64>>,
) -> AsymmetryError {
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
    let _ = writeln!(text, "\nThe two should behave alike, but {what}");
    if let Some(next) = next {
        write_state(&mut text, description, &next);
    }
    AsymmetryError(String::from_utf8_lossy(&text).into_owned())
}
