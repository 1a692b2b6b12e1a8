//! What the formulas of a model speak of, for given values of parameters: conditions of states and
//! rules that fire. A claim becomes formulas over these, each of which is decided by itself.

use super::automaton::MOST_BITS;
use super::ltl::{FormulaId, Formulas};
use crate::contract::deadlock::Choices;
use crate::contract::model::{Description, Parameter, PropertyId};
use crate::contract::temporal::{Argument, AtomId, Claim, Formula};
use std::ops::Range;

/// Something that is true or false at a position of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// A condition of the state.
    Atom { atom: AtomId, values: Vec<i64> },
    /// The step to the next state fires one of these instances.
    Fired(Range<u32>),
}

/// A part of a claim: violated by a run if its negation holds for it.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub property: PropertyId,
    /// Which operand it is of the conjunctions around it, from the outside in.
    pub conjunct: Vec<u32>,
    /// The parameters around it.
    pub parameters: Vec<&'static Parameter>,
    /// Their values, as they were chosen.
    pub values: Vec<i64>,
    pub formulas: Formulas,
    /// What a run must not fulfil.
    pub negation: FormulaId,
    pub propositions: Vec<Proposition>,
}

/// Why a claim is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It speaks of more than can be.
    Propositions,
    /// Its automaton is too large.
    Automaton,
}

/// The parts of a claim. Values of the parameters around it, conjunctions and outermost `forall`
/// are parts of their own.
pub fn obligations(description: &Description, claim: &'static Claim) -> Result<Vec<Obligation>, Unfit> {
    let mut found = Vec::new();
    for values in Choices::new(claim.parameters) {
        let around = Around { conjunct: Vec::new(), parameters: claim.parameters.iter().collect(), values };
        split(description, claim.property, &claim.formula, around, &mut found)?;
    }
    Ok(found)
}

/// What stands around a part of a formula.
#[derive(Clone)]
struct Around {
    conjunct: Vec<u32>,
    parameters: Vec<&'static Parameter>,
    values: Vec<i64>,
}

fn split(
    description: &Description,
    property: PropertyId,
    formula: &'static Formula,
    around: Around,
    found: &mut Vec<Obligation>,
) -> Result<(), Unfit> {
    match formula {
        Formula::And(all) => all.iter().zip(0..).try_for_each(|(one, at)| {
            let mut around = around.clone();
            around.conjunct.push(at);
            split(description, property, one, around, found)
        }),
        Formula::Forall(parameter, body) => choices(parameter).try_for_each(|value| {
            let mut around = around.clone();
            around.parameters.push(parameter);
            around.values.push(value);
            split(description, property, body, around, found)
        }),
        _ => {
            let mut builder =
                Builder { description, formulas: Formulas::default(), propositions: Vec::new() };
            let Around { conjunct, parameters, values } = around;
            let negation = builder.build(formula, &mut values.clone(), false);
            let Builder { formulas, propositions, .. } = builder;
            if propositions.len() > MOST_BITS {
                return Err(Unfit::Propositions);
            }
            found.push(Obligation {
                property,
                conjunct,
                parameters,
                values,
                formulas,
                negation,
                propositions,
            });
            Ok(())
        }
    }
}

fn choices(parameter: &Parameter) -> impl Iterator<Item = i64> {
    let (first, step) = (parameter.first, parameter.step);
    (0..i64::from(parameter.count)).map(move |turn| first.wrapping_add(step.wrapping_mul(turn)))
}

struct Builder<'a> {
    description: &'a Description,
    formulas: Formulas,
    propositions: Vec<Proposition>,
}

impl Builder<'_> {
    /// The formula, or its negation, in normal form.
    fn build(&mut self, formula: &Formula, values: &mut Vec<i64>, positive: bool) -> FormulaId {
        match formula {
            Formula::Constant(value) => self.formulas.constant(*value == positive),
            Formula::Atom(atom) => {
                let proposition = Proposition::Atom { atom: *atom, values: values.clone() };
                self.literal(proposition, positive)
            }
            Formula::Fired { family, arguments } => {
                match fired(self.description, *family, *arguments, values) {
                    Some(rules) => self.literal(Proposition::Fired(rules), positive),
                    None => self.formulas.constant(!positive),
                }
            }
            Formula::Not(inner) => self.build(inner, values, !positive),
            Formula::And(all) => self.all(all, values, positive, positive),
            Formula::Or(all) => self.all(all, values, positive, !positive),
            Formula::Forall(parameter, body) => self.each(parameter, body, values, positive, positive),
            Formula::Exists(parameter, body) => self.each(parameter, body, values, positive, !positive),
            Formula::Next(inner) => {
                let inner = self.build(inner, values, positive);
                self.formulas.next(inner)
            }
            Formula::Always(inner) => {
                let (left, inner) = (self.formulas.constant(!positive), self.build(inner, values, positive));
                self.binary(left, inner, !positive)
            }
            Formula::Eventually(inner) => {
                let (left, inner) = (self.formulas.constant(positive), self.build(inner, values, positive));
                self.binary(left, inner, positive)
            }
            Formula::Until(left, right) => {
                let (left, right) = (self.build(left, values, positive), self.build(right, values, positive));
                self.binary(left, right, positive)
            }
            Formula::Release(left, right) => {
                let (left, right) = (self.build(left, values, positive), self.build(right, values, positive));
                self.binary(left, right, !positive)
            }
            // a W b = b R (a or b).
            Formula::WeakUntil(left, right) => {
                let (left, right) = (self.build(left, values, positive), self.build(right, values, positive));
                let either = match positive {
                    true => self.formulas.or(left, right),
                    false => self.formulas.and(left, right),
                };
                self.binary(right, either, !positive)
            }
        }
    }

    fn binary(&mut self, left: FormulaId, right: FormulaId, until: bool) -> FormulaId {
        match until {
            true => self.formulas.until(left, right),
            false => self.formulas.release(left, right),
        }
    }

    fn join(&mut self, left: FormulaId, right: FormulaId, and: bool) -> FormulaId {
        match and {
            true => self.formulas.and(left, right),
            false => self.formulas.or(left, right),
        }
    }

    fn all(&mut self, all: &[Formula], values: &mut Vec<i64>, positive: bool, and: bool) -> FormulaId {
        let mut whole = self.formulas.constant(and);
        for one in all {
            let one = self.build(one, values, positive);
            whole = self.join(whole, one, and);
        }
        whole
    }

    fn each(
        &mut self,
        parameter: &Parameter,
        body: &Formula,
        values: &mut Vec<i64>,
        positive: bool,
        and: bool,
    ) -> FormulaId {
        let mut whole = self.formulas.constant(and);
        for value in choices(parameter) {
            values.push(value);
            let one = self.build(body, values, positive);
            values.pop();
            whole = self.join(whole, one, and);
        }
        whole
    }

    fn literal(&mut self, proposition: Proposition, positive: bool) -> FormulaId {
        let at = match self.propositions.iter().position(|known| *known == proposition) {
            Some(at) => at,
            None => {
                self.propositions.push(proposition);
                self.propositions.len() - 1
            }
        };
        self.formulas.literal(at as u32, positive)
    }
}

/// The numbers of the instances that are meant; `None`: there is none with such parameters.
pub fn fired(
    description: &Description,
    family: u32,
    arguments: Option<&[Argument]>,
    values: &[i64],
) -> Option<Range<u32>> {
    let family = description.rules.get(family as usize)?;
    let Some(arguments) = arguments else { return Some(family.first..family.first + family.instances) };
    let mut number = 0u32;
    for (argument, parameter) in arguments.iter().zip(family.parameters) {
        let value = match argument {
            Argument::Value(value) => *value,
            Argument::Parameter(at) => *values.get(*at as usize)?,
        };
        let turn = choices(parameter).position(|choice| choice == value)?;
        number = number * parameter.count + turn as u32;
    }
    let first = family.first + number;
    Some(first..first + 1)
}
