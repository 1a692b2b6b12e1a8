//! Slot numbers belong to one multiset.
//!
//! Slots have no order that means anything: they are sorted when a rule ends, by values that
//! symmetry reduction may rename. So a slot of one multiset must not be used on another of the same
//! type. Where the places are certainly different it is an error, where they may be it is a
//! warning.

use std::collections::{BTreeSet, HashMap};

use super::reach::Reach;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{
    AliasBinding, AliasValue, Call, Expression, ExpressionKind, GlobalId, LocalId, Model, Place, Root, Scope,
    Statement, StatementKind, Step, TypeId, TypeKind,
};
use crate::semantics::visit::{
    PlaceUse, Visit, each, walk_alias, walk_bodies, walk_call, walk_expression, walk_parts, walk_place,
    walk_scope,
};
use crate::source::Span;

pub(super) fn check(model: &Model, reach: &Reach, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.extend(findings(model, reach).into_iter().map(|finding| finding.diagnostic));
}

/// The types of multisets of which a slot may be used on another one, with the place.
pub(super) fn uncertain(model: &Model, reach: &Reach) -> Vec<(TypeId, Span)> {
    let found = findings(model, reach);
    found.into_iter().map(|finding| (finding.multiset, finding.diagnostic.primary.span)).collect()
}

struct Finding {
    multiset: TypeId,
    diagnostic: Diagnostic,
}

fn findings(model: &Model, reach: &Reach) -> Vec<Finding> {
    let mut diagnostics = Vec::new();
    if !model.types.iter().any(|ty| matches!(ty.kind, TypeKind::Multiset { .. })) {
        return diagnostics;
    }
    for code in model.codes() {
        let mut found = Found::new(reach);
        code.visit(&mut found);
        found.judge(&mut diagnostics);
    }
    diagnostics
}

/// The root of a place and what follows it, with its aliases resolved.
struct Flat<'m> {
    root: &'m Root,
    steps: Vec<&'m Step>,
    /// An alias was on the way: its indices are what they were when it was entered.
    aliased: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sameness {
    Same,
    Unclear,
    Different,
}

/// What a rule or function has to say about slots.
struct Found<'m> {
    reach: &'m Reach,
    /// The multiset that a slot variable belongs to, and whether anything may be written while it
    /// has its value: that of `choose` has it in the whole rule, others in one condition.
    owners: HashMap<LocalId, (&'m Place, bool)>,
    aliases: HashMap<LocalId, &'m Place>,
    /// Other names of one slot of several: whose it is, is not known.
    unclear: BTreeSet<LocalId>,
    /// Slots that are compared with each other.
    compared: Vec<(&'m Expression, &'m Expression)>,
    /// A slot, the multiset that it is used on, with the number of steps to it, and where.
    uses: Vec<(&'m Expression, &'m Place, usize)>,
    written_globals: BTreeSet<GlobalId>,
    written_locals: BTreeSet<LocalId>,
}

impl<'m> Visit<'m> for Found<'m> {
    fn visit_scope(&mut self, scope: &'m Scope) {
        if let Scope::Choose { variable, multiset, .. } = scope {
            self.owners.insert(*variable, (multiset, true));
        }
        walk_scope(self, scope);
    }

    fn visit_alias(&mut self, binding: &'m AliasBinding) {
        walk_alias(self, binding);
        match &binding.value {
            AliasValue::Place(place) => {
                self.aliases.insert(binding.local, place);
            }
            AliasValue::Expression(value) => {
                // Another name of a slot belongs to the same multiset.
                let owners = self.owners_in(value);
                if let Some(owner) = owners.first() {
                    self.owners.insert(binding.local, *owner);
                }
                if owners.len() > 1 {
                    self.unclear.insert(binding.local);
                }
            }
        }
    }

    fn visit_expression(&mut self, expression: &'m Expression) {
        if let ExpressionKind::Compare { left, right, .. } = &expression.kind {
            self.compared.push((left, right));
        } else if let ExpressionKind::MultisetCount { variable, multiset, .. } = &expression.kind {
            self.owners.insert(*variable, (multiset, false));
        }
        walk_expression(self, expression);
    }

    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        self.steps(place);
        // What is written under another name is written by the statement that does it.
        if usage.may_write() && usage != PlaceUse::Aliased {
            self.write(place);
        }
        walk_place(self, place);
    }

    /// What the function writes is written here, its `var` parameters included.
    fn visit_call(&mut self, call: &'m Call) {
        self.written_globals.extend(&self.reach.of(call.function).writes);
        walk_call(self, call);
    }

    fn visit_statement(&mut self, statement: &'m Statement) {
        if let StatementKind::Switch { subject, cases, .. } = &statement.kind {
            let values = cases.iter().flat_map(|case| &case.values);
            self.compared.extend(values.map(|value| (subject, value)));
        } else if let StatementKind::MultisetRemove { slot, multiset } = &statement.kind {
            self.uses.push((slot, multiset, multiset.steps.len()));
        } else if let StatementKind::MultisetRemovePredicate { variable, multiset, .. } = &statement.kind {
            self.owners.insert(*variable, (multiset, false));
        }
        walk_parts(self, statement);
        walk_bodies(self, statement);
    }
}

impl<'m> Found<'m> {
    fn new(reach: &'m Reach) -> Self {
        Found {
            reach,
            owners: HashMap::new(),
            aliases: HashMap::new(),
            unclear: BTreeSet::new(),
            compared: Vec::new(),
            uses: Vec::new(),
            written_globals: BTreeSet::new(),
            written_locals: BTreeSet::new(),
        }
    }

    /// The multisets whose slots are named in an expression.
    fn owners_in(&self, expression: &'m Expression) -> Vec<(&'m Place, bool)> {
        let mut owners = Vec::new();
        each(expression, |part| {
            let local = match &part.kind {
                ExpressionKind::Value(local) => Some(local),
                ExpressionKind::Read(Place { root: Root::Local(local), .. }) => Some(local),
                _ => None,
            };
            owners.extend(local.and_then(|local| self.owners.get(local)).copied());
        });
        owners
    }

    fn steps(&mut self, place: &'m Place) {
        for (at, step) in place.steps.iter().enumerate() {
            if let Step::Slot(slot) = step {
                self.uses.push((slot, place, at));
            }
        }
    }

    fn write(&mut self, place: &'m Place) {
        let root = self.flat(place, 0).root;
        match root {
            Root::Global(global) => {
                self.written_globals.insert(*global);
            }
            Root::Local(local) => {
                self.written_locals.insert(*local);
            }
            Root::Temporary(_) => {}
        }
    }

    fn judge(&self, diagnostics: &mut Vec<Finding>) {
        for (slot, place, length) in &self.uses {
            self.slot(slot, place, *length, diagnostics);
        }
        for (left, right) in &self.compared {
            for (one, one_lasts) in self.owners_of(left) {
                for (two, two_lasts) in self.owners_of(right) {
                    let (own, other) = self.flats(one, two, two.steps.len());
                    let lasts = one_lasts || two_lasts || own.aliased || other.aliased;
                    if self.compare(&own, &other, lasts) != Sameness::Same {
                        let span = left.span;
                        for (multiset, place) in [(one.ty, two.span), (two.ty, one.span)] {
                            let diagnostic = perhaps_foreign(span, place);
                            diagnostics.push(Finding { multiset, diagnostic });
                        }
                    }
                }
            }
        }
    }

    /// The multisets of which an expression is a slot.
    fn owners_of(&self, expression: &'m Expression) -> Vec<(&'m Place, bool)> {
        match &expression.kind {
            ExpressionKind::Value(_) => self.owners_in(expression),
            ExpressionKind::Read(place) if place.steps.is_empty() => self.owners_in(expression),
            ExpressionKind::Conditional { then, otherwise, .. } => {
                [self.owners_of(then), self.owners_of(otherwise)].concat()
            }
            ExpressionKind::Convert { value, .. } => self.owners_of(value),
            _ => Vec::new(),
        }
    }

    /// Two places with their aliases resolved; those that begin with one name are compared as they
    /// are.
    fn flats(&self, one: &'m Place, two: &'m Place, length: usize) -> (Flat<'m>, Flat<'m>) {
        if let (Root::Local(left), Root::Local(right)) = (&one.root, &two.root)
            && left == right
        {
            let steps = |place: &'m Place, length| place.steps.iter().take(length).collect();
            let own = Flat { root: &one.root, steps: steps(one, one.steps.len()), aliased: false };
            return (own, Flat { root: &two.root, steps: steps(two, length), aliased: false });
        }
        (self.flat(one, one.steps.len()), self.flat(two, length))
    }

    fn slot(&self, slot: &'m Expression, place: &'m Place, length: usize, out: &mut Vec<Finding>) {
        match &slot.kind {
            ExpressionKind::Value(variable) => {
                let Some((owner, lasts)) = self.owners.get(variable) else { return };
                let (own, used) = self.flats(owner, place, length);
                let unclear = self.unclear.contains(variable);
                match self.compare(&own, &used, *lasts || own.aliased || used.aliased) {
                    Sameness::Same if unclear => {
                        let diagnostic = perhaps_foreign(slot.span, owner.span);
                        out.push(Finding { multiset: owner.ty, diagnostic });
                    }
                    Sameness::Same => {}
                    Sameness::Unclear => {
                        let diagnostic = perhaps_foreign(slot.span, owner.span);
                        out.push(Finding { multiset: owner.ty, diagnostic });
                    }
                    Sameness::Different => {
                        let diagnostic = foreign(slot.span, owner.span);
                        out.push(Finding { multiset: owner.ty, diagnostic });
                    }
                }
            }
            ExpressionKind::Conditional { then, otherwise, .. } => {
                self.slot(then, place, length, out);
                self.slot(otherwise, place, length, out);
            }
            // Nothing else has the type of a slot.
            _ => {}
        }
    }

    fn flat(&self, place: &'m Place, length: usize) -> Flat<'m> {
        let mut flat = match &place.root {
            Root::Local(local) => match self.aliases.get(local) {
                Some(aliased) => Flat { aliased: true, ..self.flat(aliased, aliased.steps.len()) },
                None => Flat { root: &place.root, steps: Vec::new(), aliased: false },
            },
            Root::Global(_) | Root::Temporary(_) => {
                Flat { root: &place.root, steps: Vec::new(), aliased: false }
            }
        };
        flat.steps.extend(place.steps.iter().take(length));
        flat
    }

    /// Whether two places are the same; `lasts` if variables may change between them.
    fn compare(&self, left: &Flat<'m>, right: &Flat<'m>, lasts: bool) -> Sameness {
        let same_root = match (left.root, right.root) {
            (Root::Global(left), Root::Global(right)) => left == right,
            (Root::Local(left), Root::Local(right)) => left == right,
            (Root::Global(_) | Root::Local(_) | Root::Temporary(_), _) => false,
        };
        if !same_root || left.steps.len() != right.steps.len() {
            return Sameness::Different;
        }
        let steps = left.steps.iter().zip(&right.steps).map(|(left, right)| match (left, right) {
            (Step::Field(left), Step::Field(right)) if left == right => Sameness::Same,
            (Step::Index(left) | Step::Slot(left), Step::Index(right) | Step::Slot(right)) => {
                self.compare_values(left, right, lasts)
            }
            (Step::Field(_) | Step::Index(_) | Step::Slot(_), _) => Sameness::Different,
        });
        steps.max().unwrap_or(Sameness::Same)
    }

    fn compare_values(&self, left: &'m Expression, right: &'m Expression, lasts: bool) -> Sameness {
        match (&left.kind, &right.kind) {
            (ExpressionKind::Constant(left), ExpressionKind::Constant(right)) => {
                if left == right {
                    Sameness::Same
                } else {
                    Sameness::Different
                }
            }
            (ExpressionKind::Value(left), ExpressionKind::Value(right)) if left == right => Sameness::Same,
            (ExpressionKind::Convert { value: left, .. }, ExpressionKind::Convert { value: right, .. }) => {
                self.compare_values(left, right, lasts)
            }
            (ExpressionKind::Read(left), ExpressionKind::Read(right)) => {
                let (left, right) = (self.flat(left, left.steps.len()), self.flat(right, right.steps.len()));
                let changes = match left.root {
                    Root::Global(global) => self.written_globals.contains(global),
                    Root::Local(local) => self.written_locals.contains(local),
                    Root::Temporary(_) => true,
                };
                match self.compare(&left, &right, lasts) {
                    Sameness::Same if !(lasts && changes) => Sameness::Same,
                    Sameness::Same | Sameness::Unclear | Sameness::Different => Sameness::Unclear,
                }
            }
            (_, _) => Sameness::Unclear,
        }
    }
}

const HELP: &str = "elements have no order: reach those of a multiset with `choose i: m do … end` or `multisetcount(i: m, …)`";

fn foreign(slot: Span, owner: Span) -> Diagnostic {
    let message =
        "the elements of a multiset are named by its own slots, but this is a slot of another multiset";
    Diagnostic::error("multiset-index", slot, message).also(owner, "its multiset is this one").help(HELP)
}

fn perhaps_foreign(slot: Span, owner: Span) -> Diagnostic {
    let message =
        "the elements of a multiset are named by its own slots, but this could be a slot of another multiset";
    Diagnostic::warning("other-multiset", slot, message).also(owner, "its multiset is this one").help(HELP)
}
