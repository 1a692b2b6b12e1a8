//! The parts of a formula, each with parameters of its own and a deterministic automaton.

use super::normal::{Normal, Proposition};
use super::{Monitor, Why};
use crate::semantics::model::{Domain, Model, TypeId, TypeKind};
use crate::semantics::temporal::{Claim, Formula, Quantified};
use mcc_runtime::temporal::monitor::MOST_PROPOSITIONS;

/// A formula that must hold for all values of its parameters.
pub(super) struct Part {
    pub parameters: Vec<Parameter>,
    /// Positions in [`Model::atoms`], in the order of the bits of letters.
    pub atoms: Vec<usize>,
    pub monitor: Monitor,
}

/// A variable that runs through all values of an index.
pub(super) struct Parameter {
    pub quantified: Quantified,
    pub index: Index,
    count: u128,
}

/// The type of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    Known(TypeId),
    /// A subrange that the model has no type for.
    Range(i64, i64),
}

impl Part {
    /// Whether there is something to remember from state to state: a second state beside the
    /// violated one.
    pub fn remembers(&self) -> bool {
        self.monitor.states() > 2
    }

    /// Bytes that it adds to a state.
    pub fn bytes(&self) -> u128 {
        if self.remembers() {
            self.parameters.iter().fold(1, |product, one| one.count.saturating_mul(product))
        } else {
            0
        }
    }
}

/// The parts of what a property claims, all of which can be made deterministic.
pub(super) fn parts(model: &Model, claim: &Claim) -> Result<Vec<Part>, Why> {
    let mut split = Vec::new();
    self::split(&claim.formula, claim.parameters.clone(), 0, &mut split);
    split.into_iter().map(|(formula, parameters)| part(model, &formula, parameters)).collect()
}

/// The formulas that must all hold, for all values of their parameters.
pub(super) fn conjuncts(formula: &Formula) -> Vec<Formula> {
    let mut found = Vec::new();
    split(formula, Vec::new(), 0, &mut found);
    found.into_iter().map(|(formula, _)| formula).collect()
}

/// Takes conjunctions and quantifiers apart that stand outside, also behind `always`, which can be
/// exchanged with both.
fn split(
    formula: &Formula,
    parameters: Vec<Quantified>,
    always: u32,
    found: &mut Vec<(Formula, Vec<Quantified>)>,
) {
    match formula {
        Formula::And(all) => all.iter().for_each(|one| split(one, parameters.clone(), always, found)),
        Formula::Forall(variable, inner) => {
            let parameters = parameters.into_iter().chain([(**variable).clone()]).collect();
            split(inner, parameters, always, found);
        }
        Formula::Always(inner) => split(inner, parameters, 1, found),
        Formula::Atom(_)
        | Formula::Fired { .. }
        | Formula::Constant(_)
        | Formula::Not(_)
        | Formula::Or(_)
        | Formula::Eventually(_)
        | Formula::Next(_)
        | Formula::Until(..)
        | Formula::WeakUntil(..)
        | Formula::Release(..)
        | Formula::Exists(..) => {
            // Twice `always` says no more than once.
            let whole = match always {
                0 => formula.clone(),
                _ => Formula::Always(Box::new(formula.clone())),
            };
            found.push((whole, parameters));
        }
    }
}

fn part(model: &Model, formula: &Formula, parameters: Vec<Quantified>) -> Result<Part, Why> {
    let mut normal = Normal::default();
    let built = normal.build(formula, true)?;
    let Normal { formulas, propositions, has_next, .. } = normal;
    let atom = |one: &Proposition| match one {
        Proposition::Atom(atom) => Ok(*atom),
        Proposition::Fired(..) => Err(Why::CountsSteps),
    };
    let atoms: Vec<usize> = propositions.iter().map(atom).collect::<Result<_, _>>()?;
    if has_next {
        return Err(Why::CountsSteps);
    }
    if !formulas.is_safety(built) {
        return Err(Why::NotSafety);
    }
    if atoms.is_empty() {
        return Err(Why::Constant);
    }
    if atoms.len() > MOST_PROPOSITIONS {
        return Err(Why::Size);
    }
    let monitor = Monitor::new(&formulas, built, atoms.len()).ok_or(Why::Size)?;
    if monitor.first() == Monitor::VIOLATED || monitor.states() < 2 {
        return Err(Why::Constant);
    }
    let parameters = parameters.into_iter().map(|one| parameter(model, one).ok_or(Why::Quantifier));
    Ok(Part { parameters: parameters.collect::<Result<_, _>>()?, atoms, monitor })
}

/// `None` where its values are not all of an index.
fn parameter(model: &Model, quantified: Quantified) -> Option<Parameter> {
    let Domain::Constant { low, high } = quantified.binder.domain else { return None };
    let ty = quantified.local.ty;
    let is_whole = model.bounds(ty) == Some((low, high));
    let index = match &model.types.get(ty.index())?.kind {
        TypeKind::Range { .. }
        | TypeKind::Boolean
        | TypeKind::Enum { .. }
        | TypeKind::Scalarset { .. }
        | TypeKind::Union(_)
            if is_whole =>
        {
            Index::Known(ty)
        }
        TypeKind::Range { .. } | TypeKind::Integer => Index::Range(low, high),
        TypeKind::Boolean
        | TypeKind::Enum { .. }
        | TypeKind::Scalarset { .. }
        | TypeKind::Union(_)
        | TypeKind::Array { .. }
        | TypeKind::Record { .. }
        | TypeKind::Multiset { .. } => return None,
    };
    let count = u128::try_from(i128::from(high) - i128::from(low) + 1).ok()?;
    Some(Parameter { quantified, index, count })
}
