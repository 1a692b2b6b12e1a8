//! `--symmetry-check`: is the model as symmetric as its scalarsets promise?
//!
//! In each state that is explored, the elements are renamed at random. The renamed state must have the renamed
//! successors, go wrong where the other does, and satisfy the same properties.

use super::tables::rename;
use crate::context::Context;
use crate::model::{Description, Model, RuleId};
use crate::random::Random;
use crate::successors::Successors;
use crate::trace::print::{rule_name, write_state};
use std::io::Write;

/// How often each state is renamed: where only few states show that a model is not symmetric, one renaming may
/// leave the wrong element alone.
const RENAMINGS: usize = 4;

/// What is asked of the states of one search.
pub struct SymmetryCheck {
    random: Random,
    context: Context,
    successors: Successors,
    to: Vec<u16>,
    renamed: Vec<u64>,
}

impl SymmetryCheck {
    /// `context` must be that of the search, but for its counters.
    pub fn new(description: &Description, context: Context, seed: u64) -> Self {
        SymmetryCheck {
            random: Random(seed),
            context,
            successors: Successors::new(description.words),
            to: (0..description.elements()).map(|element| element as u16).collect(),
            renamed: vec![0; description.words],
        }
    }

    /// Renames `state` at random and compares. `Err` tells the user what differs.
    pub fn examine(&mut self, model: &dyn Model, state: &mut [u64]) -> Result<(), String> {
        (0..RENAMINGS).try_for_each(|_| self.examine_once(model, state))
    }

    fn examine_once(&mut self, model: &dyn Model, state: &mut [u64]) -> Result<(), String> {
        let description = model.description();
        self.shuffle(description);
        let keep = self.context.keep_slots;
        rename(description, &self.to, keep, state, &mut self.renamed);

        self.successors.clear();
        model.expand(&self.context, state, &mut self.successors);
        let expected = self.results(description, true);
        let here = model.check(&self.context, state).err().map(|violation| violation.property);

        let mut renamed = self.renamed.clone();
        self.successors.clear();
        model.expand(&self.context, &mut renamed, &mut self.successors);
        let found = self.results(description, false);
        let there = model.check(&self.context, &mut renamed).err().map(|violation| violation.property);

        if here != there {
            let property = here.or(there).and_then(|id| description.properties.get(id.0 as usize));
            let name = property.map_or("", |property| property.name);
            return Err(self.tell(
                description,
                state,
                &renamed,
                &format!("\"{name}\" holds in only one of them"),
                None,
            ));
        }
        let missing = first_missing(&expected, &found).map(|missing| (missing, "the first"));
        match missing.or_else(|| first_missing(&found, &expected).map(|missing| (missing, "the second"))) {
            None => Ok(()),
            Some((result, which)) => {
                let rule = rule_name(description, result.rule);
                let (what, next) = match &result.end {
                    End::State(next) => {
                        ("leads to this state, renamed for the second of the two:", Some(next.as_slice()))
                    }
                    End::Fault(_) => ("ends in an error", None),
                    End::Excluded => ("breaks an assumption", None),
                    End::Unchanged => ("changes nothing", None),
                };
                let told = format!("only in {which}, {rule} {what}");
                Err(self.tell(description, state, &renamed, &told, next))
            }
        }
    }

    /// A random renaming of the elements of each scalarset.
    fn shuffle(&mut self, description: &Description) {
        for scalarset in description.scalarsets {
            let (first, size) = (scalarset.first as usize, scalarset.size as usize);
            if let Some(names) = self.to.get_mut(first..first + size) {
                for at in (1..size).rev() {
                    names.swap(at, self.random.below(at as u64 + 1) as usize);
                }
            }
        }
    }

    /// What the rules did, sorted; with the states renamed if they are to be compared with those of the renamed one.
    fn results(&self, description: &Description, renaming: bool) -> Vec<Act> {
        let successors = &self.successors;
        let mut results: Vec<Act> = (0..successors.len())
            .map(|at| {
                let state = successors.state(at);
                let end = match renaming {
                    true => {
                        let mut into = vec![0; state.len()];
                        rename(description, &self.to, self.context.keep_slots, state, &mut into);
                        into
                    }
                    false => state.to_vec(),
                };
                Act { end: End::State(end), rule: successors.rules().get(at).copied().unwrap_or(RuleId(0)) }
            })
            .collect();
        results.extend(
            successors
                .faults()
                .iter()
                .map(|faulty| Act { end: End::Fault(faulty.fault.site()), rule: faulty.rule }),
        );
        results.extend(successors.unchanged().iter().map(|&rule| Act { end: End::Unchanged, rule }));
        results.extend(successors.excluded().iter().map(|&rule| Act { end: End::Excluded, rule }));
        results.sort_by(|left, right| left.end.cmp(&right.end));
        results
    }
}

/// What one rule did. The rule is only told: its number changes with the names of its parameters.
struct Act {
    end: End,
    rule: RuleId,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum End {
    State(Vec<u64>),
    Fault(usize),
    Excluded,
    Unchanged,
}

/// The first result that the others lack, each of them counted as often as it occurs.
fn first_missing<'a>(results: &'a [Act], others: &[Act]) -> Option<&'a Act> {
    let mut others = others.iter().peekable();
    results.iter().find(|result| {
        while others.next_if(|other| other.end < result.end).is_some() {}
        others.next_if(|other| other.end == result.end).is_none()
    })
}

impl SymmetryCheck {
    fn tell(
        &self,
        description: &Description,
        state: &[u64],
        renamed: &[u64],
        what: &str,
        next: Option<&[u64]>,
    ) -> String {
        let mut text = Vec::new();
        let _ = writeln!(text, "The first state:");
        write_state(&mut text, description, state);
        let _ = writeln!(text, "\nThe second, with other names for the elements of its scalarsets:");
        for scalarset in description.scalarsets {
            for element in scalarset.first..scalarset.first + scalarset.size {
                let to = self.to.get(element as usize).map_or(element, |&to| u32::from(to));
                if to != element {
                    let name = |element: u32| format!("{}_{}", scalarset.name, element - scalarset.first + 1);
                    let _ = writeln!(text, "   {} is called {}", name(element), name(to));
                }
            }
        }
        write_state(&mut text, description, renamed);
        let _ = writeln!(text, "\nThe two should behave alike, but {what}");
        if let Some(next) = next {
            write_state(&mut text, description, next);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
