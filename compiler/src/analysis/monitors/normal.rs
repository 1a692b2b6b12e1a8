//! The negation normal form of a typed formula, in which conditions and steps are propositions.

use super::Why;
use crate::semantics::temporal::{FiredArgument, Formula};
use mcc_runtime::temporal::ltl::{FormulaId, Formulas};

/// Something that is true or false at a position of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Proposition {
    /// Position in [`Model::atoms`](crate::semantics::model::Model::atoms).
    Atom(usize),
    /// An instance of a rule fires, or any.
    Fired(usize, Option<Vec<FiredArgument>>),
}

/// Formulas, and what they speak of.
#[derive(Default)]
pub(super) struct Normal {
    pub formulas: Formulas,
    /// In the order of their numbers.
    pub propositions: Vec<Proposition>,
    /// Conditions that have the same value in every state, by their positions.
    pub decided: Vec<Option<bool>>,
    /// Whether there was a `next`, also one that says nothing.
    pub has_next: bool,
}

impl Normal {
    /// Adds a formula, or its negation.
    pub fn build(&mut self, formula: &Formula, positive: bool) -> Result<FormulaId, Why> {
        Ok(match formula {
            Formula::Constant(value) => self.formulas.constant(*value == positive),
            Formula::Atom(atom) => match self.decided.get(*atom).copied().flatten() {
                Some(value) => self.formulas.constant(value == positive),
                None => self.literal(Proposition::Atom(*atom), positive),
            },
            Formula::Fired { rule, arguments } => {
                self.literal(Proposition::Fired(*rule, arguments.clone()), positive)
            }
            Formula::Next(inner) => {
                self.has_next = true;
                let inner = self.build(inner, positive)?;
                self.formulas.next(inner)
            }
            Formula::Forall(..) | Formula::Exists(..) => return Err(Why::Quantifier),
            Formula::Not(inner) => self.build(inner, !positive)?,
            Formula::And(all) => self.all(all, positive, positive)?,
            Formula::Or(all) => self.all(all, positive, !positive)?,
            Formula::Always(inner) => {
                let (left, inner) = (self.formulas.constant(!positive), self.build(inner, positive)?);
                self.binary(left, inner, !positive)
            }
            Formula::Eventually(inner) => {
                let (left, inner) = (self.formulas.constant(positive), self.build(inner, positive)?);
                self.binary(left, inner, positive)
            }
            Formula::Until(left, right) => {
                let (left, right) = (self.build(left, positive)?, self.build(right, positive)?);
                self.binary(left, right, positive)
            }
            Formula::Release(left, right) => {
                let (left, right) = (self.build(left, positive)?, self.build(right, positive)?);
                self.binary(left, right, !positive)
            }
            // a W b = b R (a or b).
            Formula::WeakUntil(left, right) => {
                let (left, right) = (self.build(left, positive)?, self.build(right, positive)?);
                let either = self.join(left, right, !positive);
                self.binary(right, either, !positive)
            }
        })
    }

    fn literal(&mut self, proposition: Proposition, positive: bool) -> FormulaId {
        let known = self.propositions.iter().position(|known| *known == proposition);
        let at = known.unwrap_or_else(|| {
            self.propositions.push(proposition);
            self.propositions.len() - 1
        });
        self.formulas.literal(at as u32, positive)
    }

    fn all(&mut self, all: &[Formula], positive: bool, and: bool) -> Result<FormulaId, Why> {
        let mut whole = self.formulas.constant(and);
        for one in all {
            let one = self.build(one, positive)?;
            whole = self.join(whole, one, and);
        }
        Ok(whole)
    }

    fn join(&mut self, left: FormulaId, right: FormulaId, and: bool) -> FormulaId {
        if and { self.formulas.and(left, right) } else { self.formulas.or(left, right) }
    }

    fn binary(&mut self, left: FormulaId, right: FormulaId, until: bool) -> FormulaId {
        if until { self.formulas.until(left, right) } else { self.formulas.release(left, right) }
    }
}
