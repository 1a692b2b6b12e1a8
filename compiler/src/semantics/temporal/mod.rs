//! What a model says about its runs: typed formulas of temporal logic, and fairness of rules.
//!
//! The conditions in formulas are *atoms*: properties of [`Model::atoms`](super::model::Model) with
//! a frame of their own, whose parameters are those of all rulesets and quantifiers around them.
//! `docs/temporal.md` says what everything means.

mod check;
mod fired;
mod word;

use super::model::{Binder, Local};

pub(super) use check::temporal_word;
pub(super) use fired::Firing;

/// A property about runs, or about states without a way on.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Position in [`Model::properties`](super::model::Model).
    pub property: usize,
    /// The parameters of the rulesets around it, from the outside in.
    pub parameters: Vec<Quantified>,
    pub formula: Formula,
}

/// A variable of a ruleset or of a quantifier over formulas.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// Its domain has constant bounds.
    pub binder: Binder,
    pub local: Local,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Position in [`Model::atoms`](super::model::Model).
    Atom(usize),
    /// Position in [`Model::rules`](super::model::Model); no arguments: any instance.
    Fired {
        rule: usize,
        arguments: Option<Vec<FiredArgument>>,
    },
    Constant(bool),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Next(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
    Forall(Box<Quantified>, Box<Formula>),
    Exists(Box<Quantified>, Box<Formula>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiredArgument {
    Value(i64),
    /// The parameter around the formula with this number, from the outside in.
    Parameter(u32),
}

/// How each instance of a rule is treated by the runs that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    #[default]
    None,
    Weak,
    Strong,
}

impl Formula {
    /// `left -> right`.
    fn implies(left: Formula, right: Formula) -> Formula {
        Formula::Or(vec![Formula::Not(Box::new(left)), right])
    }

    /// Calls `visit` for each rule that the formula says to fire.
    fn for_each_fired(&mut self, visit: &mut impl FnMut(&mut usize, &mut Option<Vec<FiredArgument>>)) {
        match self {
            Formula::Atom(_) | Formula::Constant(_) => {}
            Formula::Fired { rule, arguments } => visit(rule, arguments),
            Formula::Not(one)
            | Formula::Always(one)
            | Formula::Eventually(one)
            | Formula::Next(one)
            | Formula::Forall(_, one)
            | Formula::Exists(_, one) => one.for_each_fired(visit),
            Formula::And(all) | Formula::Or(all) => {
                all.iter_mut().for_each(|one| one.for_each_fired(visit));
            }
            Formula::Until(left, right) | Formula::WeakUntil(left, right) | Formula::Release(left, right) => {
                left.for_each_fired(visit);
                right.for_each_fired(visit);
            }
        }
    }
}
