//! The contract between a model and the search engines.
//!
//! Generated code fulfils [`Model`]; so may an interpreter. The engines know a model only through
//! this file, by one dynamic call per *state*, so they are compiled once, here, and not again for
//! every model.
//!
//! # States
//! A state is [`Description::words`] 64-bit words in the *byte-aligned* layout that
//! [`Description::variables`] describes. Models compute on that layout alone. How states are
//! stored (as they are, or packed to the bit with `-b`) is the engines' business: the packed layout
//! follows from the same description.
//!
//! # Rules
//! A *rule family* is a rule as written; its *instances* are the combinations of its parameters'
//! values. Instances are numbered consecutively ([`RuleId`]): family after family in the order of
//! the text, the last parameter running fastest.
//!
//! # Faults
//! Whatever goes wrong in a rule is a [`Fault`]: a value that names a place in the model's text.
//! It is never a panic.

pub use super::description::*;
use crate::contract::bags::Bags;
use crate::contract::choice::Choice;
use crate::contract::context::Context;
use crate::contract::coverage::Part;
use crate::contract::dependencies::Dependencies;
use crate::contract::explanation::Reason;
use crate::contract::fault::Fault;
use crate::contract::independence::Independence;
use crate::contract::successors::Successors;
use crate::contract::symmetry::Looking;
use crate::contract::temporal::{AtomId, Temporal};

/// The number of a rule instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);

/// The number of a start state instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StartId(pub u32);

/// The position of a property in [`Description::properties`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(pub u32);

/// Why a state is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    pub property: PropertyId,
    /// `None`: the property is false. `Some`: evaluating it went wrong.
    pub fault: Option<Fault>,
}

/// What one rule instance did to one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firing {
    /// The guard is false (or the chosen slot is empty).
    Disabled,
    /// The state now holds the successor.
    Fired,
    /// An assumption does not hold: the successor does not count.
    Pruned,
    Faulted(Fault),
}

/// A model, as the engines see it.
///
/// States come as `&mut [u64]` because generated code views them as cells that it may write;
/// `expand` and `check` leave the words as they were.
pub trait Model: Sync {
    fn description(&self) -> &'static Description;

    /// Turns the all-zero (all undefined) state into start state `start`. Never
    /// [`Firing::Disabled`], except for a start state inside `choose`.
    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing;

    /// Fires every enabled rule instance in `state` and hands successors that differ from it, rules
    /// that change nothing, excluded states and faults to `successors`, always in the same order;
    /// those that [`Successors::sleeps`] are enabled, but need not fire. Of rules with priorities
    /// only those with the smallest number that are enabled fire, unless [`Context::priorities`] is
    /// off.
    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors);

    /// Expands a state as [`Model::expand`] does, without the families of rules for which
    /// [`Successors::tries`] returns false. It must be called for each family once, in the order of
    /// `expand`, because it counts the rules in the sleep set.
    fn expand_some(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.expand(context, state, successors);
    }

    /// Fires one instance in place, for traces and walks; not for the inner loop. After anything
    /// but [`Firing::Fired`] the contents of `state` are unspecified.
    fn fire(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let mut successors = Successors::new(state.len());
        self.expand(context, state, &mut successors);
        if let Some(at) = successors.rules().iter().position(|fired| *fired == rule) {
            state.copy_from_slice(successors.state(at));
            return Firing::Fired;
        }
        if successors.unchanged().contains(&rule) {
            return Firing::Fired;
        }
        if successors.excluded().contains(&rule) {
            return Firing::Pruned;
        }
        match successors.faults().iter().find(|firing| firing.rule == rule) {
            Some(firing) => Firing::Faulted(firing.fault),
            None => Firing::Disabled,
        }
    }

    /// How the elements of scalarsets are found and renamed in a state; `None` where there is no
    /// scalarset.
    fn symmetry(&self) -> Option<&dyn Symmetry> {
        None
    }

    /// Which instances of rules are independent; `None`: nothing is known about that.
    fn independence(&self) -> Option<&'static Independence> {
        None
    }

    /// What it says about its runs; `None`: nothing.
    fn temporal(&self) -> Option<&'static Temporal> {
        None
    }

    /// Whether a condition of [`Model::temporal`] holds in a state, for these values of its
    /// parameters. Where there is no such condition it is false; nobody asks.
    fn atom(
        &self,
        _context: &Context,
        _atom: AtomId,
        _values: &[i64],
        _state: &mut [u64],
    ) -> Result<bool, Fault> {
        Ok(false)
    }

    /// The multisets of `choose` parameters, for reports. One that is missing is shown as the
    /// number of its slot.
    fn choices(&self) -> &'static [Choice] {
        &[]
    }

    /// What rules and properties read, for reports; `None`: that is not known.
    fn dependencies(&self) -> Option<&'static Dependencies> {
        None
    }

    /// Counts from now on how often the parts of its text are evaluated; false: it cannot.
    fn count_coverage(&self) -> bool {
        false
    }

    /// How often the parts of its text were evaluated since [`Model::count_coverage`].
    fn coverage(&self) -> Vec<Part> {
        Vec::new()
    }

    /// Why a property is false in a state, from the outermost part of its condition on; empty where
    /// the model cannot say. The context's counters and output are not used.
    fn explain(&self, _context: &Context, _property: PropertyId, _state: &mut [u64]) -> Vec<Reason> {
        Vec::new()
    }

    /// What its variables take of the native stack.
    fn stack_use(&self) -> StackUse {
        StackUse::default()
    }

    /// Checks the invariants of a new state, in the order of the text, and counts the `cover`
    /// properties that it reaches in `context`. Assumptions are not checked here: a state that
    /// breaks one was already [`Firing::Pruned`].
    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation>;

    /// Checks the invariants of a successor under `rule` of a state in which all of them hold. The
    /// elements of its scalarsets may have been permuted since. Invariants that the rule cannot
    /// have violated need not be evaluated.
    fn check_after(&self, context: &Context, _rule: RuleId, state: &mut [u64]) -> Result<(), Violation> {
        self.check(context, state)
    }

    /// Reports every property that a state violates, in the order of the text, [`Model::check`]'s
    /// first. Only for a state of which `check` or `check_after` has said that it violates one, if
    /// more than one error is wanted; and with a context whose counters and output are not used,
    /// since `check` has counted what the state covers.
    /// [`Fault::value`](crate::contract::fault::Fault::value) is that of the violation while it is
    /// reported.
    fn check_all(&self, context: &Context, state: &mut [u64], report: &mut dyn FnMut(Violation)) {
        if let Err(violation) = self.check(context, state) {
            report(violation);
        }
    }
}

/// What a model says about the elements of its scalarsets in a state. Elements are counted through
/// over all scalarsets, see [`Scalarset::first`]. States come as `&mut` for the same reason as in
/// [`Model`]; only `into` is written.
pub trait Symmetry: Sync {
    /// Makes each element's colour what the state says about it alone: its rows, as far as no other
    /// element occurs in them. May make it 0.
    fn rows(&self, state: &mut [u64], colours: &mut [u64]);

    /// Reports what the state says about related elements, see [`crate::contract::symmetry`]. Marks
    /// exactly those elements as named that are values in the state.
    fn links(&self, state: &mut [u64], looking: &mut Looking);

    /// Whether exchanging two elements of one scalarset, neither of which is named, leaves the
    /// state as it is. May return `false` where that is expensive to decide.
    fn alike(&self, state: &mut [u64], left: usize, right: usize) -> bool;

    /// Makes `into`, which holds the same state, the one in which element `e` is called `to[e]`,
    /// and with those of its multisets sorted anew that `bags` says.
    fn rename(&self, state: &mut [u64], to: &[u16], bags: Bags, into: &mut [u64]);
}

/// Bytes of the native stack that a model's local variables, parameters and results take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackUse {
    /// If each rule and each function is active once.
    pub frames: usize,
    /// Of the recursive functions: for each nested call.
    pub recursion: usize,
}
