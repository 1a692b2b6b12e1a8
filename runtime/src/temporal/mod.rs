//! Checking properties of runs: `liveness` and `ltl`, see `docs/temporal.md`.
//!
//! When a search is over that found no error and kept all states, the graph of states is made of
//! them (`build`), and each property is decided on it: `liveness` by going backwards (`reach`), or
//! before that by the steps that the search has noted (`noted`), and `ltl` by the product with an
//! automaton for the negation (`automaton`, `product`, `loops`).
//! States are reduced as far as no property distinguishes elements (`apart`); a path of the reduced
//! graph becomes one of the model in `unfolding`.

mod alike;
mod apart;
pub mod automaton;
mod build;
pub mod components;
mod deciding;
pub mod evaluate;
pub mod graph;
pub mod judging;
mod layers;
pub mod loops;
pub mod ltl;
pub mod marks;
pub mod monitor;
mod noted;
pub mod product;
pub mod propositions;
pub mod reach;
mod threads;
mod treatment;
mod trimming;
mod unfolding;
mod verdict;

use crate::contract::model::{Description, Model};
use crate::contract::temporal::{Claim, ClaimKind, Fairness, Temporal};

pub use apart::{Named, named, plain};
pub use verdict::{check, is_violated_so_far};

/// Why a property was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The search has found errors, or was not complete.
    Incomplete,
    /// The visited set does not keep its states.
    Unkept,
    Memory,
    Interrupted,
    /// A formula speaks of more than 64 conditions, or its automaton is too large.
    Formula,
    /// Going over the states again led to others.
    Contradiction,
}

impl Undecided {
    fn reason(self) -> &'static str {
        match self {
            Undecided::Incomplete => "the search did not come to its end",
            Undecided::Unkept => "the states are not kept",
            Undecided::Memory => "the graph of states does not fit into the memory",
            Undecided::Interrupted => "it was interrupted",
            Undecided::Formula => "the formula is too large",
            Undecided::Contradiction => {
                "going over the states again led to others, which is a mistake in the verifier"
            }
        }
    }

    fn advice(self) -> Option<&'static str> {
        match self {
            Undecided::Memory => Some("a larger --memory"),
            Undecided::Formula => Some("several formulas in place of one, such as a ruleset around it"),
            Undecided::Incomplete | Undecided::Unkept | Undecided::Interrupted | Undecided::Contradiction => {
                None
            }
        }
    }
}

/// What a model claims about its runs that has to be decided on the graph of states, if it does.
pub fn claims(model: &dyn Model) -> Option<&'static Temporal> {
    let about_runs = |claim: &Claim| match claim.kind {
        ClaimKind::Liveness | ClaimKind::Ltl => true,
        ClaimKind::Deadlock | ClaimKind::Safety => false,
    };
    model.temporal().filter(|temporal| temporal.claims.iter().any(about_runs))
}

/// Whether all claims that are decided after the search are about what can be reached, for which it
/// is enough to know which state leads to which.
fn is_about_reaching(temporal: &Temporal) -> bool {
    temporal.claims.iter().all(|claim| match claim.kind {
        ClaimKind::Liveness | ClaimKind::Deadlock | ClaimKind::Safety => true,
        ClaimKind::Ltl => false,
    })
}

/// How each instance of a rule is to be treated: as the model says, or as the user does. Empty
/// where no rule is treated fairly.
pub fn fairness(description: &Description, temporal: &Temporal, chosen: Option<Fairness>) -> Vec<Fairness> {
    let families = description.rules.iter().enumerate();
    let all: Vec<Fairness> = families
        .flat_map(|(at, family)| {
            let own = temporal.fairness.get(at).copied().unwrap_or_default();
            std::iter::repeat_n(chosen.unwrap_or(own), family.instances as usize)
        })
        .collect();
    if all.iter().all(|one| *one == Fairness::None) { Vec::new() } else { all }
}
