//! Between which bounds each local of a rule, start state, function or property lies.
//!
//! Variables of loops and quantifiers lie in their domain, slots of a multiset below its capacity,
//! other names of values where the value does, and all others in their type. Each local gets its
//! value in one place, so one interval holds wherever the local is in scope.

use super::interval::{self, Interval, Known};
use super::parameters;
use crate::semantics::code::Code;
use crate::semantics::model::{
    AliasBinding, AliasValue, Binder, Expression, Frame, LocalId, LocalKind, Model, Place, TypeKind,
};
use crate::semantics::visit::{PlaceUse, Visit, walk_alias, walk_binder, walk_slots};

/// The intervals of the locals of a frame, by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Intervals(Vec<Interval>);

impl Intervals {
    /// Those of a rule or start state, whose parameters run through known values.
    pub fn of_instances(model: &Model, code: Code<'_>) -> Self {
        let mut found = Finder::new(model, code.frame);
        for scope in code.scopes {
            found.visit_scope(scope);
            if let Some(parameter) = parameters::parameter(scope) {
                found.set(parameter.local, parameter.interval());
            }
        }
        found.inside(code)
    }

    /// Those of a function or property.
    pub fn of_code(model: &Model, code: Code<'_>) -> Self {
        let mut found = Finder::new(model, code.frame);
        code.scopes.iter().for_each(|scope| found.visit_scope(scope));
        found.inside(code)
    }
}

impl Known for Intervals {
    fn local(&self, local: LocalId) -> Interval {
        self.0.get(local.index()).copied().unwrap_or(Interval::ALL)
    }
}

struct Finder<'m> {
    model: &'m Model,
    frame: &'m Frame,
    found: Intervals,
}

impl<'m> Finder<'m> {
    fn new(model: &'m Model, frame: &'m Frame) -> Self {
        let of_type = |ty| model.bounds(ty).map_or(Interval::ALL, |(low, high)| Interval::new(low, high));
        let found = Intervals(frame.locals.iter().map(|local| of_type(local.ty)).collect());
        Finder { model, frame, found }
    }

    /// What stands around the code is known; what is inside it follows.
    fn inside(mut self, code: Code<'m>) -> Intervals {
        Code { scopes: &[], ..code }.visit(&mut self);
        self.found
    }

    fn set(&mut self, local: LocalId, interval: Interval) {
        self.found.0.get_mut(local.index()).into_iter().for_each(|known| *known = interval);
    }

    fn of(&self, value: &Expression) -> Interval {
        interval::of(self.model, &self.found, value)
    }
}

impl<'m> Visit<'m> for Finder<'m> {
    fn visit_binder(&mut self, binder: &'m Binder) {
        walk_binder(self, binder);
        self.set(binder.variable, interval::of_domain(self.model, &self.found, &binder.domain));
    }

    fn visit_alias(&mut self, binding: &'m AliasBinding) {
        walk_alias(self, binding);
        let local = self.frame.locals.get(binding.local.index());
        if let AliasValue::Expression(value) = &binding.value
            && local.is_some_and(|local| local.kind == LocalKind::Value)
        {
            self.set(binding.local, self.of(value));
        }
    }

    fn visit_slots(&mut self, variable: LocalId, multiset: &'m Place, usage: PlaceUse) {
        walk_slots(self, variable, multiset, usage);
        if let TypeKind::Multiset { capacity, .. } = self.model.ty(multiset.ty).kind {
            self.set(variable, Interval::new(0, i64::from(capacity) - 1));
        }
    }
}
