//! Which invariants have to be evaluated after a rule.
//!
//! A state is expanded only if all its invariants hold. One that reads nothing of what a rule may write has after
//! the rule the value that it had before: it holds. Three things could make a difference all the same, and such invariants are always evaluated:
//!
//! - functions that count (`cover`) or print (`put`) whenever they are executed
//! - functions that write to the state, on whose copy they are evaluated
//! - symmetry reduction, which gives the elements of a successor other names, where an invariant could depend on names. One made of expressions
//!   alone cannot. Statements can go through elements and slots in some order and tell what they found.
//!
//! `cover` properties count the states in which they hold, so they are always evaluated as well.
//!
//! # What has to be proved
//! - The footprint of the invariant holds all that its value, and whether it fails, can depend on: every place that it, its scopes, its indices and the
//!   functions that it calls may read. That of the rule holds all that it may write, through aliases, references and calls. Both are on the
//!   safe side (`analysis/independence`), and where they do not meet the evaluation after the rule is the one before it.
//! - The evaluation before it came to `true`. Engines ask for [`after_rules`] only where they expanded a state that had been checked and was not violated.
//!   An invariant that is cut short by an `assume` counts as holding before and after.
//! - Nothing sees how often it is evaluated ([`Telling`]), names that stand around the invariant included.
//! - Bags are sorted after a rule only where it may have written them, so slots that the invariant looks at stay.

use std::collections::BTreeSet;

use super::failure::Telling;
use super::independence::Accesses;
use crate::semantics::model::{
    Argument, Call, Expression, ExpressionKind, FunctionId, LocalId, Model, Place, Property, PropertyKind,
    Root, Scope, Statement, StatementKind, Step, TypeKind,
};
use crate::semantics::walk::{each, expressions_of};

/// Pairs of a rule and a property that are looked at, at most. With more, every property is evaluated after every rule.
const MOST_PAIRS: usize = 1 << 20;

/// For each rule, for each property: whether it has to be evaluated after the rule. Assumptions never have to, since they have been.
pub fn after_rules(model: &Model, accesses: &Accesses) -> Vec<Vec<bool>> {
    if model.rules.len().saturating_mul(model.properties.len()) > MOST_PAIRS {
        return Vec::new();
    }
    let telling = Telling::new(model);
    let always: Vec<bool> =
        model.properties.iter().map(|property| always(model, &telling, property)).collect();
    let due = |rule: &super::independence::Family| {
        let properties = model.properties.iter().zip(&accesses.properties).zip(&always);
        properties
            .map(|((property, reads), always)| match property.kind {
                PropertyKind::Assume => false,
                PropertyKind::Cover => true,
                PropertyKind::Invariant => *always || rule.footprint.disturbs(&rule.ranges, reads),
            })
            .collect()
    };
    accesses.rules.iter().map(due).collect()
}

/// Whether an invariant has to be evaluated for more than what it reads.
fn always(model: &Model, telling: &Telling, property: &Property) -> bool {
    let tells =
        property.scopes.iter().any(|scope| telling.scope(scope)) || telling.expression(&property.condition);
    let has_scalarset = model.types.iter().any(|ty| matches!(ty.kind, TypeKind::Scalarset { .. }));
    let mut look = Look { model, slots: Vec::new(), seen: BTreeSet::new(), ordered: false };
    for scope in &property.scopes {
        match scope {
            Scope::Parameter(_) => {}
            // What it is another name of is looked at by whoever reads the state; whether it is a slot is not followed.
            Scope::Alias(_) => look.ordered = true,
            Scope::Choose { variable, multiset, .. } => {
                look.place(multiset);
                look.slots.push((*variable, multiset));
            }
        }
    }
    look.expression(&property.condition);
    tells || property.writes || (has_scalarset && look.ordered)
}

/// Looks for what makes it matter under which names of elements, or in which slots, a property is evaluated.
struct Look<'m> {
    model: &'m Model,
    /// Variables that run through the slots of a multiset.
    slots: Vec<(LocalId, &'m Place)>,
    seen: BTreeSet<FunctionId>,
    ordered: bool,
}

impl<'m> Look<'m> {
    fn expression(&mut self, expression: &'m Expression) {
        let mut parts = Vec::new();
        each(expression, &mut |part| parts.push(part));
        for part in &parts {
            if let ExpressionKind::MultisetCount { variable, multiset, .. } = &part.kind {
                self.slots.push((*variable, multiset));
            }
        }
        for part in parts {
            match &part.kind {
                ExpressionKind::Read(place)
                | ExpressionKind::IsUndefined(place)
                | ExpressionKind::MultisetCount { multiset: place, .. } => self.place(place),
                ExpressionKind::Call(call) => self.call(call),
                _ => {}
            }
        }
    }

    /// A slot may stand for its element, in the multiset that it belongs to.
    fn place(&mut self, place: &'m Place) {
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

    fn call(&mut self, call: &'m Call) {
        for argument in &call.arguments {
            if let Argument::Reference(place) = argument {
                self.place(place);
            }
        }
        let Some(function) = self.model.functions.get(call.function.index()) else { return };
        if self.seen.insert(call.function) {
            // The locals of the function are not those of the property.
            let slots = std::mem::take(&mut self.slots);
            self.statements(&function.body);
            self.slots = slots;
        }
    }

    fn statements(&mut self, statements: &'m [Statement]) {
        for statement in statements {
            expressions_of(statement, &mut |expression| self.expression(expression));
            match &statement.kind {
                StatementKind::Assign { target: place, .. }
                | StatementKind::Copy { target: place, .. }
                | StatementKind::Clear(place)
                | StatementKind::Undefine(place) => self.place(place),
                StatementKind::If { arms, otherwise } => {
                    arms.iter().for_each(|(_, body)| self.statements(body));
                    self.statements(otherwise);
                }
                StatementKind::Switch { cases, otherwise, .. } => {
                    cases.iter().for_each(|case| self.statements(&case.body));
                    self.statements(otherwise);
                }
                StatementKind::For { body, .. }
                | StatementKind::While { body, .. }
                | StatementKind::Alias { body, .. } => {
                    self.ordered = true;
                    self.statements(body);
                }
                StatementKind::MultisetAdd { .. }
                | StatementKind::MultisetRemove { .. }
                | StatementKind::MultisetRemovePredicate { .. } => self.ordered = true,
                StatementKind::Call(call) => self.call(call),
                StatementKind::Cover { .. }
                | StatementKind::PutText(_)
                | StatementKind::PutValue(_)
                | StatementKind::Error(_)
                | StatementKind::Assert { .. }
                | StatementKind::Assume { .. }
                | StatementKind::Return(_) => {}
            }
        }
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
