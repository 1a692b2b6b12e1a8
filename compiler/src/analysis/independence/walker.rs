//! Goes through a rule and notes what it may read and write of the state.
//!
//! Calls are followed, so that arguments take the place of parameters; see `calls`. Storage of the
//! rule's own is not noted: no other rule can see it.

use std::collections::{HashMap, HashSet};

use super::footprint::{Access, AccessKind, Footprint, Origin, Written};
use super::path::{Index, StatePath, StateStep};
use super::range::Range;
use super::symbolic;
use crate::analysis::reach::Reach;
use crate::semantics::model::{
    AliasBinding, AliasValue, Binder, Domain, Expression, Frame, FunctionId, LocalId, Model, Place, Property,
    Root, Rule, Scope, Step, TypeId, TypeKind,
};
use crate::semantics::visit::{PlaceUse, Visit, visit_statements};
use crate::source::Span;

/// What a local stands for.
#[derive(Clone, Debug)]
pub enum LocalMeaning {
    /// A simple value that does not change.
    Value(Index),
    /// Another name of a part of the state.
    Place(Target),
    /// Storage of the rule's own, or another name of it.
    Private,
}

/// A part of the state.
#[derive(Clone, Debug)]
pub struct Target {
    pub path: StatePath,
    /// The path ends at a multiset, and an element of it is meant, or a part of one.
    pub in_multiset: bool,
}

/// Whether parameters of rules are kept apart, or may be any of their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    Named,
    Any,
}

pub struct AccessWalker<'m> {
    pub model: &'m Model,
    pub reach: &'m Reach,
    pub footprint: Footprint,
    /// The locals of the code at hand, and what they stand for; those without an entry are storage
    /// of its own.
    pub frame: &'m Frame,
    pub bounds: HashMap<LocalId, LocalMeaning>,
    /// Its variables that get one value in one place, see `single`.
    pub single: HashSet<LocalId>,
    /// The functions that are being followed, and how many more calls may be.
    pub following: Vec<FunctionId>,
    pub calls_left: u32,
    /// What has certainly been written before: reading it asks nothing of the state.
    pub certain: Vec<StatePath>,
    /// Where the statement at hand stands in the text.
    pub at: Span,
    parameters: Parameters,
    /// How many parameters have been met.
    positions: usize,
}

impl<'m> AccessWalker<'m> {
    /// Calls beyond this number, in one rule, are summarised instead of followed.
    const MOST_CALLS: u32 = 2_000;

    fn new(model: &'m Model, reach: &'m Reach, frame: &'m Frame, parameters: Parameters) -> Self {
        AccessWalker {
            model,
            reach,
            footprint: Footprint::default(),
            frame,
            bounds: HashMap::new(),
            single: HashSet::new(),
            following: Vec::new(),
            calls_left: Self::MOST_CALLS,
            certain: Vec::new(),
            at: Span::default(),
            parameters,
            positions: 0,
        }
    }

    /// All that a rule does.
    pub fn rule(model: &'m Model, reach: &'m Reach, rule: &'m Rule) -> Footprint {
        let mut walker = AccessWalker::new(model, reach, &rule.frame, Parameters::Named);
        walker.scopes(&rule.scopes);
        rule.guard.iter().for_each(|guard| walker.visit_expression(guard));
        walker.single_assignments(&rule.body);
        visit_statements(&mut walker, &rule.body);
        walker.footprint
    }

    /// What the guard of a rule reads, and what stands around it, seen from the rule's parameters.
    pub fn guard(model: &'m Model, reach: &'m Reach, rule: &'m Rule) -> Footprint {
        let mut walker = AccessWalker::new(model, reach, &rule.frame, Parameters::Named);
        walker.scopes(&rule.scopes);
        rule.guard.iter().for_each(|guard| walker.visit_expression(guard));
        walker.footprint
    }

    /// What decides whether some instance of a rule is enabled.
    pub fn enabling(model: &'m Model, reach: &'m Reach, rule: &'m Rule) -> Footprint {
        let mut walker = AccessWalker::new(model, reach, &rule.frame, Parameters::Any);
        walker.scopes(&rule.scopes);
        rule.guard.iter().for_each(|guard| walker.visit_expression(guard));
        walker.footprint
    }

    pub fn property(model: &'m Model, reach: &'m Reach, property: &'m Property) -> Footprint {
        let mut walker = AccessWalker::new(model, reach, &property.frame, Parameters::Any);
        walker.scopes(&property.scopes);
        walker.visit_expression(&property.condition);
        walker.footprint
    }

    fn scopes(&mut self, scopes: &'m [Scope]) {
        for scope in scopes {
            match scope {
                Scope::Parameter(binder) => self.parameter(binder.variable, Range::of(&binder.domain)),
                Scope::Alias(binding) => self.alias(binding),
                Scope::Choose { variable, multiset, capacity } => {
                    self.visit_place(multiset, PlaceUse::Counted);
                    self.parameter(*variable, Range { low: 0, high: i64::from(*capacity) - 1 });
                }
            }
        }
    }

    fn parameter(&mut self, variable: LocalId, range: Range) {
        let index = match self.parameters {
            Parameters::Named => symbolic::parameter(self.positions),
            Parameters::Any => Index::Within(range),
        };
        self.positions += 1;
        self.bounds.insert(variable, LocalMeaning::Value(index));
    }

    pub fn alias(&mut self, binding: &'m AliasBinding) {
        let bound = match &binding.value {
            AliasValue::Place(place) => self.target(place).map_or(LocalMeaning::Private, LocalMeaning::Place),
            AliasValue::Expression(value) => {
                self.visit_expression(value);
                self.bound_value(value)
            }
        };
        self.bounds.insert(binding.local, bound);
    }

    /// What a copy of a value stands for.
    pub fn bound_value(&mut self, value: &'m Expression) -> LocalMeaning {
        if self.model.is_simple(value.ty) {
            LocalMeaning::Value(self.index(value))
        } else {
            LocalMeaning::Private
        }
    }

    /// A variable that runs through a domain.
    pub fn bind(&mut self, binder: &'m Binder) {
        match &binder.domain {
            Domain::Constant { .. } => {}
            Domain::Steps { from, upto, step } => {
                [from, upto, step].into_iter().for_each(|part| self.visit_expression(part))
            }
        }
        self.bounds.insert(binder.variable, LocalMeaning::Value(Index::Within(Range::of(&binder.domain))));
    }

    /// The part of the state that a place is, if it is one; what its indices read is noted.
    pub fn target(&mut self, place: &'m Place) -> Option<Target> {
        let (mut target, mut ty) = match &place.root {
            Root::Global(global) => {
                let target = Target { path: StatePath::whole(*global), in_multiset: false };
                (Some(target), Some(self.model.globals.get(global.index())?.ty))
            }
            Root::Local(local) => {
                let target = match self.bounds.get(local) {
                    Some(LocalMeaning::Place(target)) => Some(target.clone()),
                    Some(LocalMeaning::Value(_) | LocalMeaning::Private) | None => None,
                };
                (target, self.frame.locals.get(local.index()).map(|local| local.ty))
            }
            Root::Temporary(value) => {
                self.visit_expression(value);
                (None, Some(value.ty))
            }
        };
        for step in &place.steps {
            let kind = ty.and_then(|ty| self.model.types.get(ty.index())).map(|ty| &ty.kind);
            let (next, taken) = match step {
                Step::Field(field) => (field_type(kind, *field), Some(StateStep::Field(*field))),
                Step::Index(index) => {
                    self.visit_expression(index);
                    let (element, of) = element_type(kind);
                    (element, Some(StateStep::Element(self.index(index), of)))
                }
                Step::Slot(slot) => {
                    self.visit_expression(slot);
                    (element_type(kind).0, None)
                }
            };
            ty = next;
            if let Some(target) = &mut target {
                target.in_multiset |= taken.is_none();
                if !target.in_multiset {
                    target.path.steps.extend(taken);
                }
            }
        }
        target
    }

    pub fn write_place(&mut self, place: &'m Place, written: Written, span: Span) {
        let Some(Target { path, in_multiset }) = self.target(place) else { return };
        if in_multiset {
            self.change(path, span);
            return;
        }
        self.note(path.clone(), AccessKind::Write(written), span);
        if path.is_fixed() {
            self.certain.push(path);
        }
    }

    /// Writes what depends on what was there before.
    pub fn change(&mut self, path: StatePath, span: Span) {
        self.note(path.clone(), AccessKind::Read, span);
        self.note(path, AccessKind::Write(Written::Computed), span);
    }

    pub fn note(&mut self, path: StatePath, kind: AccessKind, span: Span) {
        let own = kind == AccessKind::Read && self.certain.iter().any(|written| written.begins(&path));
        if !own {
            self.footprint.add(Access { path, kind, origin: Origin::Rule, span });
        }
    }
}

fn field_type(kind: Option<&TypeKind>, field: u32) -> Option<TypeId> {
    match kind {
        Some(TypeKind::Record { fields }) => fields.get(field as usize).map(|field| field.ty),
        _ => None,
    }
}

/// The type of the elements, and of the indices where they have one.
fn element_type(kind: Option<&TypeKind>) -> (Option<TypeId>, Option<TypeId>) {
    match kind {
        Some(TypeKind::Array { index, element }) => (Some(*element), Some(*index)),
        Some(TypeKind::Multiset { element, .. }) => (Some(*element), None),
        _ => (None, None),
    }
}
