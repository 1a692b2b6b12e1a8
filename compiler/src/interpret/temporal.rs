//! The table of what a model says about its runs, as the engines ask for it.

use super::description::{leak, leak_all, simple, text};
use super::instances::Instances;
use super::slots::Slots;
use crate::semantics::model::{Model, PropertyKind, Scope};
use crate::semantics::temporal::{self, Fairness, FiredArgument, Quantified};
use crate::source::Source;
use mcc_runtime::contract::temporal::{
    self as contract, Argument, Atom, AtomId, Claim, ClaimKind, Formula, Temporal,
};
use mcc_runtime::model::{Parameter, Position, PropertyId};

/// `None` where it says nothing.
pub fn describe(model: &Model, source: &Source, slots: &Slots) -> Option<&'static Temporal> {
    let fair = model.rules.iter().any(|rule| rule.fairness != Fairness::None);
    if model.claims.is_empty() && !fair {
        return None;
    }
    let atoms = model.atoms.iter().map(|atom| {
        let at = source.position(atom.header.start);
        let symmetric = |scope: &Scope| match scope {
            Scope::Parameter(binder) => model.is_symmetric(atom.frame.locals[binder.variable.index()].ty),
            // A slot is as much as an element: the order of slots may be changed as well.
            Scope::Choose { .. } => true,
            Scope::Alias(_) => false,
        };
        Atom {
            position: Position { line: at.line, column: at.column },
            parameters: Instances::new(&atom.scopes, 0).parameters.len() as u32,
            names_elements: atom.scopes.iter().any(symmetric),
        }
    });
    let claims = model.claims.iter().map(|claim| Claim {
        property: PropertyId(claim.property as u32),
        kind: match model.properties[claim.property].kind {
            PropertyKind::Deadlock => ClaimKind::Deadlock,
            PropertyKind::Liveness => ClaimKind::Liveness,
            PropertyKind::Safety => ClaimKind::Safety,
            PropertyKind::Ltl
            | PropertyKind::Invariant
            | PropertyKind::Assume
            | PropertyKind::Cover
            | PropertyKind::Reject
            | PropertyKind::Atom => ClaimKind::Ltl,
        },
        parameters: leak_all(claim.parameters.iter().map(|parameter| quantified(model, slots, parameter))),
        formula: formula(model, slots, &claim.formula),
    });
    let fairness = model.rules.iter().map(|rule| match rule.fairness {
        Fairness::None => contract::Fairness::None,
        Fairness::Weak => contract::Fairness::Weak,
        Fairness::Strong => contract::Fairness::Strong,
    });
    Some(leak(Temporal { atoms: leak_all(atoms), claims: leak_all(claims), fairness: leak_all(fairness) }))
}

fn quantified(model: &Model, slots: &Slots, quantified: &Quantified) -> Parameter {
    let Quantified { binder, local } = quantified;
    let instances = Instances::new(&[Scope::Parameter(binder.clone())], 0);
    let (first, step, count) = instances
        .parameters
        .first()
        .map_or((0, 1, 0), |parameter| (parameter.first, parameter.step, parameter.count));
    let ty = leak(simple(model, &slots.layout, local.ty));
    Parameter { name: text(&local.name), ty, first, step, count }
}

fn formula(model: &Model, slots: &Slots, tree: &temporal::Formula) -> Formula {
    use temporal::Formula as Tree;
    let one = |tree: &Tree| -> &'static Formula { leak(formula(model, slots, tree)) };
    let all = |trees: &[Tree]| leak_all(trees.iter().map(|tree| formula(model, slots, tree)));
    match tree {
        Tree::Atom(atom) => Formula::Atom(AtomId(*atom as u32)),
        Tree::Fired { rule, arguments } => Formula::Fired {
            family: *rule as u32,
            arguments: arguments.as_ref().map(|arguments| {
                leak_all(arguments.iter().map(|argument| match argument {
                    FiredArgument::Value(value) => Argument::Value(*value),
                    FiredArgument::Parameter(at) => Argument::Parameter(*at),
                }))
            }),
        },
        Tree::Constant(value) => Formula::Constant(*value),
        Tree::Not(inner) => Formula::Not(one(inner)),
        Tree::And(inner) => Formula::And(all(inner)),
        Tree::Or(inner) => Formula::Or(all(inner)),
        Tree::Always(inner) => Formula::Always(one(inner)),
        Tree::Eventually(inner) => Formula::Eventually(one(inner)),
        Tree::Next(inner) => Formula::Next(one(inner)),
        Tree::Until(left, right) => Formula::Until(one(left), one(right)),
        Tree::WeakUntil(left, right) => Formula::WeakUntil(one(left), one(right)),
        Tree::Release(left, right) => Formula::Release(one(left), one(right)),
        Tree::Forall(variable, body) => Formula::Forall(quantified(model, slots, variable), one(body)),
        Tree::Exists(variable, body) => Formula::Exists(quantified(model, slots, variable), one(body)),
    }
}
