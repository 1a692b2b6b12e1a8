//! Slots of multisets: the proof that nothing distinguishes them.
//!
//! When a rule ends, the elements of a multiset are sorted, so nothing may depend on which slot an
//! element is in. One instance of a rule for each slot (`choose`) does not. Three things might, and
//! make the multiset's type doubtful:
//!
//! 1. a condition on the elements (`multisetcount`, `multisetremovepred`) that writes, assumes or
//!    covers something, since it is evaluated slot after slot; or, in a removal, one that reads the
//!    bag that it shrinks at other slots than its own.
//! 2. a slot of `choose` that is used after its element may have been removed and something else
//!    added, which goes into the first slot that is free. Whatever replaces a whole multiset does
//!    the same.
//! 3. a slot that may belong to another multiset of the type (`analysis/slots.rs` warns of it).

use super::path::PathPart;
use super::summaries::{Summariser, Summary, multisets_in};
use super::walker::IterationWalker;
use crate::semantics::flow::{PlaceChange, change};
use crate::semantics::model::{
    AliasBinding, AliasValue, Argument, Call, Expression, ExpressionKind, GlobalId, LocalId, Model, Place,
    Root, Scope, Statement, StatementKind, Step, TypeId,
};
use crate::semantics::visit::{Nesting, each, expressions_of, visit_statements};
use crate::source::Span;
use std::collections::{BTreeSet, HashMap};

/// What is said against a condition on slots that has been walked through.
pub(super) fn condition(
    walker: &IterationWalker<'_>,
    removed_from: Option<&super::path::LoopPath>,
) -> Option<String> {
    if walker.gave_up {
        return Some("this condition on the elements of a multiset is too large or calls recursive functions, which is not looked into".into());
    }
    let written = walker.accesses.iter().any(|access| {
        access.write.is_some()
            && !matches!(access.path.base, super::path::Base::Local(activation, _) if activation > 0)
    });
    if written || walker.events.assumes || walker.events.covers {
        return Some("this condition on the elements of a multiset has an effect, and the order of the slots could be seen in it".into());
    }
    let bag = removed_from?;
    let looks = walker.accesses.iter().any(|access| {
        access.write.is_none() && {
            let mut whole = access.path.clone();
            whole.parts.retain(|part| !matches!(part, PathPart::Keyed(_)));
            !whole.is_apart(bag, walker.model)
        }
    });
    looks.then(|| "this condition looks at the multiset from which it removes, so the order of the slots could be seen".into())
}

/// Which slots are used after they may have got another element.
pub(super) struct Refills<'m> {
    model: &'m Model,
    functions: Vec<Summary>,
}

impl<'m> Refills<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut functions: Vec<Summary> = Vec::with_capacity(model.functions.len());
        for function in &model.functions {
            let mut found = Summariser { model, summary: Summary::default() };
            visit_statements(&mut found, &function.body);
            functions.push(found.summary);
        }
        // Until nothing is new: what is called is done by the caller.
        loop {
            let mut grown = false;
            for caller in 0..functions.len() {
                for callee in functions[caller].calls.clone() {
                    let Some(other) = functions.get(callee).cloned() else { continue };
                    let one = &mut functions[caller];
                    let before = one.removes.len() + one.adds.len();
                    one.removes.extend(other.removes);
                    one.adds.extend(other.adds);
                    grown |= one.removes.len() + one.adds.len() > before;
                }
            }
            if !grown {
                return Refills { model, functions };
            }
        }
    }

    /// Looks through a rule; returns multisets, each with the place where a slot is used too late.
    pub fn rule(
        &self,
        scopes: &'m [Scope],
        guard: Option<&'m Expression>,
        body: &'m [Statement],
    ) -> Vec<(TypeId, Span)> {
        let mut flow = Flow {
            refills: self,
            slots: Vec::new(),
            names: Vec::new(),
            roots: HashMap::new(),
            found: Vec::new(),
        };
        for scope in scopes {
            match scope {
                Scope::Parameter(_) => {}
                Scope::Alias(binding) => flow.alias(binding, &Happened::default()),
                Scope::Choose { variable, multiset, .. } => flow.slots.push((*variable, flow.bag(multiset))),
            }
        }
        if !flow.slots.is_empty() {
            let mut happened = Happened::default();
            if let Some(guard) = guard {
                flow.expression(guard, &happened);
                flow.calls(guard, &mut happened);
            }
            flow.statements(body, &mut happened);
        }
        flow.found
    }
}

/// Multisets of a type, in this global variable if it is known.
type Bag = (TypeId, Option<GlobalId>);

/// Whether one of these may be a multiset of this type, in this variable.
fn meets(bags: &BTreeSet<Bag>, bag: Bag) -> bool {
    bags.iter().any(|(ty, root)| *ty == bag.0 && (root.is_none() || bag.1.is_none() || *root == bag.1))
}

/// What may have happened so far.
#[derive(Clone, Debug, Default, PartialEq)]
struct Happened {
    removed: BTreeSet<Bag>,
    refilled: BTreeSet<Bag>,
}

impl Happened {
    fn join(&mut self, other: Happened) {
        self.removed.extend(other.removed);
        self.refilled.extend(other.refilled);
    }
}

struct Flow<'r, 'm> {
    refills: &'r Refills<'m>,
    /// Variables of `choose`, with their multiset.
    slots: Vec<(LocalId, Bag)>,
    /// Aliases of what lies in a slot.
    names: Vec<(LocalId, Bag)>,
    /// The variables that aliases are parts of.
    roots: HashMap<LocalId, Option<GlobalId>>,
    found: Vec<(TypeId, Span)>,
}

impl<'m> Flow<'_, 'm> {
    fn alias(&mut self, binding: &'m AliasBinding, happened: &Happened) {
        match &binding.value {
            AliasValue::Place(place) => {
                self.place(place, happened);
                let bags = self.slot_bags(place);
                self.names.extend(bags.into_iter().map(|bag| (binding.local, bag)));
                let root = self.root(place);
                self.roots.insert(binding.local, root);
            }
            AliasValue::Expression(value) => {
                self.expression(value, happened);
                // Another name of a slot is one as well.
                let bags = self.named_slots(value);
                self.slots.extend(bags.into_iter().map(|bag| (binding.local, bag)));
            }
        }
    }

    /// The multisets in whose slots a place lies, by a variable of `choose`.
    fn slot_bags(&self, place: &Place) -> Vec<Bag> {
        let mut types = Vec::new();
        if let Root::Local(local) = &place.root {
            types.extend(self.names.iter().filter(|(name, _)| name == local).map(|(_, ty)| *ty));
        }
        for step in &place.steps {
            if let Step::Slot(slot) = step {
                types.extend(self.named_slots(slot));
            }
        }
        types
    }

    /// The multisets whose slots are named in an expression.
    fn named_slots(&self, expression: &Expression) -> Vec<Bag> {
        let mut bags = Vec::new();
        each(expression, |part| {
            let local = match &part.kind {
                ExpressionKind::Value(local) => Some(local),
                ExpressionKind::Read(Place { root: Root::Local(local), .. }) => Some(local),
                _ => None,
            };
            let Some(local) = local else { return };
            bags.extend(self.slots.iter().filter(|(slot, _)| slot == local).map(|(_, bag)| *bag));
        });
        bags
    }

    fn place(&mut self, place: &'m Place, happened: &Happened) {
        for bag in self.slot_bags(place) {
            if meets(&happened.refilled, bag) {
                self.found.push((bag.0, place.span));
            }
        }
        if let Root::Temporary(value) = &place.root {
            self.expression(value, happened);
        }
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) | Step::Slot(index) => self.expression(index, happened),
            }
        }
    }

    fn expression(&mut self, expression: &'m Expression, happened: &Happened) {
        let mut places: Vec<&'m Place> = Vec::new();
        let mut calls: Vec<&'m Call> = Vec::new();
        let mut values: Vec<(LocalId, Span)> = Vec::new();
        each(expression, |part| match &part.kind {
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => {
                if let Root::Local(local) = &place.root {
                    values.push((*local, part.span));
                }
                places.push(place);
            }
            ExpressionKind::MultisetCount { multiset, .. } => places.push(multiset),
            ExpressionKind::Call(call) => calls.push(call),
            ExpressionKind::Value(local) => values.push((*local, part.span)),
            _ => {}
        });
        // A call in an expression may come before what is read in it.
        let mut after = happened.clone();
        calls.into_iter().for_each(|call| self.call(call, &mut after));
        // The number of a slot says which one it was.
        for (local, span) in values {
            for (slot, bag) in self.slots.clone() {
                if slot == local && meets(&after.refilled, bag) {
                    self.found.push((bag.0, span));
                }
            }
        }
        for place in places {
            for bag in self.slot_bags(place) {
                if meets(&after.refilled, bag) {
                    self.found.push((bag.0, place.span));
                }
            }
        }
    }

    /// What the functions do that are called in an expression.
    fn calls(&mut self, expression: &'m Expression, happened: &mut Happened) {
        each(expression, |part| {
            if let ExpressionKind::Call(call) = &part.kind {
                self.call(call, happened);
            }
        });
    }

    fn call(&mut self, call: &'m Call, happened: &mut Happened) {
        let summary = self.refills.functions.get(call.function.index()).cloned().unwrap_or_default();
        // A function may mean any multiset of a type.
        happened.removed.extend(summary.removes.iter().map(|ty| (*ty, None)));
        for ty in &summary.adds {
            if meets(&happened.removed, (*ty, None)) {
                happened.refilled.insert((*ty, None));
            }
        }
        for argument in &call.arguments {
            // It may be used in the function until the end.
            if let Argument::Reference(place) = argument {
                self.place(place, &happened.clone());
            }
        }
    }

    /// The global variable that a place is part of, if it is known.
    fn root(&self, place: &Place) -> Option<GlobalId> {
        match &place.root {
            Root::Global(global) => Some(*global),
            Root::Local(local) => self.roots.get(local).copied().flatten(),
            Root::Temporary(_) => None,
        }
    }

    fn bag(&self, multiset: &Place) -> Bag {
        (multiset.ty, self.root(multiset))
    }

    fn statements(&mut self, statements: &'m [Statement], happened: &mut Happened) {
        for statement in statements {
            self.statement(statement, happened);
        }
    }

    fn statement(&mut self, statement: &'m Statement, happened: &mut Happened) {
        expressions_of(statement, |expression| self.expression(expression, &happened.clone()));
        expressions_of(statement, |expression| self.calls(expression, happened));
        if let Some((target, what)) = change(statement) {
            self.place(target, happened);
            self.change(target, what, happened);
        }
        match &statement.kind {
            StatementKind::Alias { binding, .. } => self.alias(binding, happened),
            StatementKind::Call(call) => self.call(call, happened),
            _ => {}
        }
        match Nesting::of(statement) {
            Nesting::Nothing => {}
            Nesting::Branches(bodies) => {
                let before = happened.clone();
                for body in bodies {
                    let mut inside = before.clone();
                    self.statements(body, &mut inside);
                    happened.join(inside);
                }
            }
            Nesting::Loop(body) => loop {
                // The next turn begins with what this one has done.
                let before = happened.clone();
                self.statements(body, happened);
                expressions_of(statement, |expression| self.expression(expression, &happened.clone()));
                if *happened == before {
                    break;
                }
            },
            Nesting::Once(body) => self.statements(body, happened),
        }
    }

    fn change(&mut self, target: &'m Place, change: PlaceChange<'m>, happened: &mut Happened) {
        let bag = self.bag(target);
        match change {
            PlaceChange::Stored(_) | PlaceChange::Cleared | PlaceChange::Undefined => {
                for ty in multisets_in(self.refills.model, target.ty) {
                    happened.removed.insert((ty, bag.1));
                    happened.refilled.insert((ty, bag.1));
                }
            }
            PlaceChange::Added(_) => {
                if meets(&happened.removed, bag) {
                    happened.refilled.insert(bag);
                }
            }
            PlaceChange::Removed(slot) => {
                if meets(&happened.refilled, bag) {
                    self.found.push((target.ty, slot.span));
                }
                happened.removed.insert(bag);
            }
            PlaceChange::Filtered => {
                happened.removed.insert(bag);
            }
        }
    }
}
