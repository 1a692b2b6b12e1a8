//! What a model says about its runs: formulas, the conditions in them, and fairness.
//!
//! The formulas are data, and the conditions in them (*atoms*) are evaluated by the model,
//! [`Model::atom`](crate::contract::model::Model::atom). `docs/temporal.md` says what they mean.

use crate::contract::model::{Parameter, Position, PropertyId};

/// The position of a condition in [`Temporal::atoms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// What a model says about its runs.
#[derive(Debug)]
pub struct Temporal {
    pub atoms: &'static [Atom],
    pub claims: &'static [Claim],
    /// Of each rule as written, in the order of the text.
    pub fairness: &'static [Fairness],
}

/// A condition that is true or false in a state, for each choice of its parameters.
#[derive(Debug)]
pub struct Atom {
    pub position: Position,
    /// The number of its parameters.
    pub parameters: u32,
    /// Whether a parameter is an element of a scalarset or a slot of a multiset: then the condition
    /// distinguishes elements or slots.
    pub names_elements: bool,
}

/// One property about runs, or about states without a way on. It holds if it does for all values
/// of the parameters of the rulesets around it; a [`ClaimKind::Deadlock`] matters if it holds for
/// some.
#[derive(Debug)]
pub struct Claim {
    pub property: PropertyId,
    pub kind: ClaimKind,
    pub parameters: &'static [Parameter],
    pub formula: Formula,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// From every reachable state one can be reached in which it holds: AG EF.
    Liveness,
    /// A state without a way on is an error if it holds there.
    Deadlock,
    /// Every fair run fulfils it.
    Ltl,
    /// Every run fulfils it; the model checks that itself, as a property of its states
    /// ([`PropertyKind::Safety`](crate::contract::model::PropertyKind::Safety)).
    Safety,
}

/// A formula of linear temporal logic. The parameters of what stands around a part of it are
/// numbered from the outside in, those of rulesets first.
#[derive(Debug)]
pub enum Formula {
    Constant(bool),
    /// With the values of all parameters around it.
    Atom(AtomId),
    /// The step from this state to the next fires an instance of the rule at this position of
    /// [`Description::rules`](crate::contract::model::Description::rules): the one with these
    /// parameters, or any.
    Fired {
        family: u32,
        arguments: Option<&'static [Argument]>,
    },
    Not(&'static Formula),
    And(&'static [Formula]),
    Or(&'static [Formula]),
    Always(&'static Formula),
    Eventually(&'static Formula),
    Next(&'static Formula),
    Until(&'static Formula, &'static Formula),
    WeakUntil(&'static Formula, &'static Formula),
    Release(&'static Formula, &'static Formula),
    Forall(Parameter, &'static Formula),
    Exists(Parameter, &'static Formula),
}

/// A parameter of the rule that is said to fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Value(i64),
    /// The value of the parameter with this number.
    Parameter(u32),
}

/// How each instance of a rule is treated by the runs that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fairness {
    #[default]
    None,
    /// An instance that stays enabled fires again and again.
    Weak,
    /// An instance that is enabled again and again fires again and again.
    Strong,
}
