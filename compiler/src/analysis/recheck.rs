//! Which invariants have to be evaluated after a rule.
//!
//! A state is expanded only if all its invariants hold. One that reads nothing of what a rule may
//! write has after the rule the value that it had before: it holds. Three things could make a
//! difference all the same, and such invariants are always evaluated:
//!
//! - functions that count (`cover`) or print (`put`) whenever they are executed
//! - functions that write to the state, on whose copy they are evaluated
//! - symmetry reduction, which gives the elements of a successor other names, where an invariant
//!   could depend on names. One made of expressions alone cannot. Statements can go through
//!   elements and slots in some order and reveal it.
//!
//! `cover` properties count the states in which they hold, so they are always evaluated as well.
//!
//! # What has to be proved
//! - The footprint of the invariant holds all that its value, and whether it fails, can depend on:
//!   every place that it, its scopes, its indices and the functions that it calls may read. That of
//!   the rule holds all that it may write, through aliases, references and calls. Both are on the
//!   safe side (`analysis/independence`), and where they do not meet the evaluation after the rule
//!   is the one before it.
//! - The evaluation before it came to `true`. Engines ask for [`after_rules`] only where they
//!   expanded a state that had been checked and was not violated. An invariant that is cut short by
//!   an `assume` counts as holding before and after.
//! - Nothing sees how often it is evaluated ([`Reach::has_side_effects`]), names that stand around
//!   the invariant included.
//! - Bags are sorted after a rule only where it may have written them, so slots that the invariant
//!   looks at stay.

use bitvec::vec::BitVec;
use std::collections::BTreeSet;

use super::independence::Accesses;
use super::reach::Reach;
use crate::semantics::model::{
    Call, Expression, ExpressionKind, FunctionId, LocalId, Model, Place, Property, PropertyKind, Root, Scope,
    Statement, Step, TypeKind,
};
use crate::semantics::visit::{
    Nesting, PlaceUse, Visit, walk_call, walk_expression, walk_place, walk_statement,
};

/// Pairs of a rule and a property that are looked at, at most. With more, every property is
/// evaluated after every rule.
const MOST_PAIRS: usize = 1 << 20;

/// Which invariants are evaluated only after some rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rechecks {
    /// Invariants that need not be evaluated after each rule. The position is that of their bit.
    pub masked: Vec<usize>,
    /// For each rule, the bits of those that are due after it.
    pub due: Vec<u64>,
}

impl Rechecks {
    /// As many invariants as there are bits.
    const MOST_MASKED: usize = 64;

    pub fn new(model: &Model, reach: &Reach, accesses: &Accesses) -> Self {
        let due = after_rules(model, reach, accesses);
        let spared = |index: &usize| due.iter().any(|rule| rule.get(*index).is_some_and(|due| !*due));
        let invariants = model.properties.iter().enumerate();
        let invariants = invariants.filter(|(_, property)| property.kind.must_hold());
        let masked = invariants.map(|(index, _)| index).filter(spared).take(Self::MOST_MASKED);
        let masked: Vec<usize> = masked.collect();
        let bits = |due: &BitVec| {
            let due = masked.iter().enumerate().filter(|(_, index)| due.get(**index).is_some_and(|due| *due));
            due.map(|(bit, _)| 1u64 << bit).sum()
        };
        Rechecks { due: due.iter().map(bits).collect(), masked }
    }
}

/// For each rule, for each property: whether it has to be evaluated after the rule. Assumptions
/// never have to, since they have been.
pub(super) fn after_rules(model: &Model, reach: &Reach, accesses: &Accesses) -> Vec<BitVec> {
    if model.rules.len().saturating_mul(model.properties.len()) > MOST_PAIRS {
        return Vec::new();
    }
    let always: BitVec = model.properties.iter().map(|property| always(model, reach, property)).collect();
    let due = |rule: &super::independence::Family| {
        let properties = model.properties.iter().zip(&accesses.properties).zip(always.iter().by_vals());
        properties
            .map(|((property, reads), always)| match property.kind {
                PropertyKind::Assume
                | PropertyKind::Deadlock
                | PropertyKind::Liveness
                | PropertyKind::Ltl
                | PropertyKind::Atom => false,
                PropertyKind::Cover => true,
                PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety => {
                    always || rule.footprint.disturbs(&rule.ranges, reads)
                }
            })
            .collect()
    };
    accesses.rules.iter().map(due).collect()
}

/// Whether an invariant has to be evaluated for more than what it reads.
fn always(model: &Model, reach: &Reach, property: &Property) -> bool {
    let has_scalarset = model.types.iter().any(|ty| matches!(ty.kind, TypeKind::Scalarset { .. }));
    let depends_on_names = has_scalarset && is_ordered(model, property);
    has_side_effects(reach, property) || property.writes || depends_on_names
}

/// Whether the value of a property may depend on the identities of scalarset elements, or on the
/// order of slots, where a model has such.
pub(super) fn depends_on_order(model: &Model, property: &Property) -> bool {
    let has_order = |kind: &TypeKind| matches!(kind, TypeKind::Scalarset { .. } | TypeKind::Multiset { .. });
    model.types.iter().any(|ty| has_order(&ty.kind)) && is_ordered(model, property)
}

fn is_ordered(model: &Model, property: &Property) -> bool {
    let mut look = Look { model, slots: Vec::new(), seen: BTreeSet::new(), ordered: false };
    for scope in &property.scopes {
        match scope {
            Scope::Parameter(_) => {}
            // The place that it names is covered by the reads of the state; whether it is a slot is
            // not followed.
            Scope::Alias(_) => look.ordered = true,
            Scope::Choose { variable, multiset, .. } => {
                look.visit_place(multiset, PlaceUse::Counted);
                look.slots.push((*variable, multiset));
            }
        }
    }
    look.visit_expression(&property.condition);
    look.ordered
}

/// Whether it is observed how often a property is evaluated.
pub(super) fn has_side_effects(reach: &Reach, property: &Property) -> bool {
    property.scopes.iter().any(|scope| reach.scope_has_side_effects(scope))
        || reach.has_side_effects(&property.condition)
}

/// Finds out whether the value of a property may depend on the identities of scalarset elements, or
/// on the slots of multisets.
struct Look<'m> {
    model: &'m Model,
    /// Variables that run through the slots of a multiset.
    slots: Vec<(LocalId, &'m Place)>,
    seen: BTreeSet<FunctionId>,
    ordered: bool,
}

impl<'m> Look<'m> {
    /// A slot may stand for its element, in the multiset that it belongs to.
    fn slots_of(&mut self, place: &'m Place) {
        for (at, step) in place.steps.iter().enumerate() {
            let Step::Slot(slot) = step else { continue };
            let own = match slot.kind {
                ExpressionKind::Value(local) => self.slots.iter().any(|(variable, multiset)| {
                    *variable == local && is_same(multiset, &place.root, &place.steps[..at])
                }),
                _ => false,
            };
            self.ordered |= !own;
        }
    }
}

impl<'m> Visit<'m> for Look<'m> {
    fn visit_expression(&mut self, expression: &'m Expression) {
        if let ExpressionKind::MultisetCount { variable, multiset, .. } = &expression.kind {
            self.slots.push((*variable, multiset));
        }
        walk_expression(self, expression);
    }

    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        self.slots_of(place);
        // An element goes into the first slot that is free.
        self.ordered |= usage == PlaceUse::Changed;
        walk_place(self, place);
    }

    fn visit_call(&mut self, call: &'m Call) {
        walk_call(self, call);
        let Some(function) = self.model.functions.get(call.function.index()) else { return };
        if self.seen.insert(call.function) {
            // The locals of the function are not those of the property.
            let slots = std::mem::take(&mut self.slots);
            function.code().visit(self);
            self.slots = slots;
        }
    }

    fn visit_statement(&mut self, statement: &'m Statement) {
        match Nesting::of(statement) {
            Nesting::Loop(_) | Nesting::Once(_) => self.ordered = true,
            Nesting::Nothing | Nesting::Branches(_) => {}
        }
        walk_statement(self, statement);
    }
}

/// Whether a multiset is certainly the place of this root and these steps.
fn is_same(multiset: &Place, root: &Root, steps: &[Step]) -> bool {
    let roots = match (&multiset.root, root) {
        (Root::Global(own), Root::Global(other)) => own == other,
        (_, _) => false,
    };
    roots
        && multiset.steps.len() == steps.len()
        && multiset.steps.iter().zip(steps).all(|pair| match pair {
            (Step::Field(own), Step::Field(other)) => own == other,
            (Step::Index(own), Step::Index(other)) => is_same_value(own, other),
            (_, _) => false,
        })
}

fn is_same_value(one: &Expression, other: &Expression) -> bool {
    match (&one.kind, &other.kind) {
        (ExpressionKind::Constant(one), ExpressionKind::Constant(other)) => one == other,
        (ExpressionKind::Value(one), ExpressionKind::Value(other)) => one == other,
        (
            ExpressionKind::Convert { value: one, pieces },
            ExpressionKind::Convert { value: other, pieces: others },
        ) => pieces == others && is_same_value(one, other),
        (_, _) => false,
    }
}
