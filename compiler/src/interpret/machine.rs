//! Memory, names and places.
//!
//! Memory is one list of slots: the globals first, then whatever the code at work needs. A place is the
//! number of its first slot, so an alias or a `var` parameter is a number too.

use super::sites::SiteTable;
use super::slots::{Slot, Slots};
use crate::layout::Shape;
use crate::semantics::model::{
    AliasBinding, AliasValue, Expression, Frame, LocalId, Model, Place, Root, Scope, Step, TypeId, TypeKind,
};
use mcc_runtime::context::Context;
use mcc_runtime::fault::{Fault, FaultKind};

/// What a local name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Binding {
    Nothing,
    /// A value that does not change.
    Value(i64),
    /// A place.
    At(usize),
}

pub struct Machine<'a> {
    pub model: &'a Model,
    pub slots: &'a Slots,
    pub sites: &'a SiteTable,
    pub context: &'a Context,
    pub memory: Vec<Slot>,
    /// The code at work: its locals, and what they stand for.
    pub frame: Option<&'a Frame>,
    pub locals: Vec<Binding>,
    /// What the function at work returns.
    pub returns: Option<TypeId>,
}

impl<'a> Machine<'a> {
    pub fn new(
        model: &'a Model,
        slots: &'a Slots,
        sites: &'a SiteTable,
        context: &'a Context,
        memory: Vec<Slot>,
    ) -> Self {
        Machine { model, slots, sites, context, memory, frame: None, locals: Vec::new(), returns: None }
    }

    /// Begins a rule, function or property: nothing is bound but its variables, which are undefined.
    pub fn enter(&mut self, frame: &'a Frame, variables: &[LocalId]) {
        self.frame = Some(frame);
        self.locals.clear();
        self.locals.resize(frame.locals.len(), Binding::Nothing);
        for variable in variables {
            let place = self.allocate(frame.locals[variable.index()].ty);
            self.bind(*variable, Binding::At(place));
        }
    }

    pub fn bind(&mut self, local: LocalId, binding: Binding) {
        self.locals[local.index()] = binding;
    }

    /// Fresh, undefined storage.
    pub fn allocate(&mut self, ty: TypeId) -> usize {
        let place = self.memory.len();
        self.memory.resize(place + self.slots.size(ty), None);
        place
    }

    /// Binds parameters and aliases; `false` where a chosen slot is empty.
    pub fn scopes(&mut self, scopes: &'a [Scope], values: &[i64]) -> Result<bool, Fault> {
        let mut values = values.iter();
        for scope in scopes {
            match scope {
                Scope::Parameter(binder) => {
                    self.bind(binder.variable, Binding::Value(values.next().copied().unwrap_or(0)));
                }
                Scope::Alias(binding) => self.alias(binding)?,
                Scope::Choose { variable, multiset, .. } => {
                    let number = values.next().copied().unwrap_or(0);
                    self.bind(*variable, Binding::Value(number));
                    let bag = self.place(multiset)?;
                    if self.memory[self.nth(bag, multiset.ty, number)].is_none() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether the condition of a property has the value `wanted` somewhere inside its scopes.
    pub fn decided(
        &mut self,
        scopes: &'a [Scope],
        condition: &'a Expression,
        wanted: bool,
    ) -> Result<bool, Fault> {
        let Some((scope, inner)) = scopes.split_first() else {
            return Ok((self.value(condition)? != 0) == wanted);
        };
        match scope {
            Scope::Parameter(binder) => {
                for value in self.domain(binder)? {
                    self.bind(binder.variable, Binding::Value(value));
                    if self.decided(inner, condition, wanted)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Scope::Alias(binding) => {
                self.alias(binding)?;
                self.decided(inner, condition, wanted)
            }
            Scope::Choose { variable, multiset, capacity } => {
                let bag = self.place(multiset)?;
                for number in 0..i64::from(*capacity) {
                    self.bind(*variable, Binding::Value(number));
                    if self.occupied(bag, multiset.ty, number).is_some()
                        && self.decided(inner, condition, wanted)?
                    {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    pub fn alias(&mut self, binding: &'a AliasBinding) -> Result<(), Fault> {
        let bound = match &binding.value {
            AliasValue::Place(place) => Binding::At(self.place(place)?),
            AliasValue::Expression(value) if self.model.is_simple(value.ty) => {
                Binding::Value(self.value(value)?)
            }
            AliasValue::Expression(value) => {
                let copy = self.compound(value)?;
                Binding::At(self.keep(value.ty, &copy))
            }
        };
        self.bind(binding.local, bound);
        Ok(())
    }

    /// Puts a value into storage of its own.
    pub fn keep(&mut self, ty: TypeId, value: &[Slot]) -> usize {
        let place = self.allocate(ty);
        self.memory[place..place + value.len()].copy_from_slice(value);
        place
    }

    /// The slots at a place.
    pub fn slots_at(&self, place: usize, ty: TypeId) -> Vec<Slot> {
        self.memory[place..place + self.slots.size(ty)].to_vec()
    }

    /// The first slot of what a designator names.
    pub fn place(&mut self, place: &'a Place) -> Result<usize, Fault> {
        let (mut at, mut ty) = match &place.root {
            Root::Global(global) => {
                (self.slots.globals[global.index()], self.model.globals[global.index()].ty)
            }
            Root::Local(local) => match self.locals[local.index()] {
                Binding::At(at) => (at, self.local_type(*local)),
                // The checker gives names that stand for values no places.
                Binding::Value(_) | Binding::Nothing => (0, place.ty),
            },
            Root::Temporary(expression) => {
                let value = self.compound(expression)?;
                (self.keep(expression.ty, &value), expression.ty)
            }
        };
        for step in &place.steps {
            match (&self.model.ty(ty).kind, step) {
                (TypeKind::Record { fields }, Step::Field(field)) => {
                    let before = &fields[..*field as usize];
                    at += before.iter().map(|field| self.slots.size(field.ty)).sum::<usize>();
                    ty = fields[*field as usize].ty;
                }
                (TypeKind::Array { index, element }, Step::Index(expression)) => {
                    let value = self.value(expression)?;
                    let (low, high) = self.model.bounds(*index).unwrap_or((0, -1));
                    if value < low || value > high {
                        return Err(self.sites.fault_with(FaultKind::Index, expression.span, value));
                    }
                    at += (value - low) as usize * self.slots.size(*element);
                    ty = *element;
                }
                (TypeKind::Multiset { element, .. }, Step::Slot(expression)) => {
                    let value = self.value(expression)?;
                    at = self
                        .occupied(at, ty, value)
                        .ok_or_else(|| self.sites.fault_with(FaultKind::Multiset, expression.span, value))?
                        + 1;
                    ty = *element;
                }
                // The checker lets no other pair through.
                _ => {}
            }
        }
        Ok(at)
    }

    fn local_type(&self, local: LocalId) -> TypeId {
        self.frame.map_or(TypeId(0), |frame| frame.locals[local.index()].ty)
    }

    /// The place of a slot of a multiset, whether it is occupied or not.
    pub fn nth(&self, bag: usize, ty: TypeId, number: i64) -> usize {
        bag + number as usize * (1 + self.slots.size(self.element(ty)))
    }

    /// The place of an occupied slot of a multiset.
    pub fn occupied(&self, bag: usize, ty: TypeId, number: i64) -> Option<usize> {
        let place = self.nth(bag, ty, number);
        ((0..self.capacity(ty)).contains(&number) && self.memory[place].is_some()).then_some(place)
    }

    pub fn capacity(&self, ty: TypeId) -> i64 {
        match &self.model.ty(ty).kind {
            TypeKind::Multiset { capacity, .. } => i64::from(*capacity),
            _ => 0,
        }
    }

    pub fn element(&self, ty: TypeId) -> TypeId {
        match &self.model.ty(ty).kind {
            TypeKind::Multiset { element, .. } | TypeKind::Array { element, .. } => *element,
            _ => ty,
        }
    }

    /// Brings every bag of the state into the order that stands for it.
    pub fn sort_bags(&mut self) {
        for index in 0..self.model.globals.len() {
            self.sort_bags_in(self.slots.globals[index], self.model.globals[index].ty);
        }
    }

    pub fn sort_bags_in(&mut self, place: usize, ty: TypeId) {
        match &self.slots.layout.ty(ty).shape {
            Shape::Simple { .. } => {}
            Shape::Array { count, element, .. } => {
                for at in 0..*count {
                    self.sort_bags_in(place + at * self.slots.size(*element), *element);
                }
            }
            Shape::Record { .. } => {
                let mut first = place;
                if let TypeKind::Record { fields } = &self.model.ty(ty).kind {
                    for field in fields {
                        self.sort_bags_in(first, field.ty);
                        first += self.slots.size(field.ty);
                    }
                }
            }
            Shape::Multiset { capacity, element } => {
                let size = 1 + self.slots.size(*element);
                (0..*capacity).for_each(|at| self.sort_bags_in(place + at * size + 1, *element));
                // What was written to an element after it was removed is gone.
                for slot in self.memory[place..place + capacity * size].chunks_mut(size) {
                    if slot[0].is_none() {
                        slot.fill(None);
                    }
                }
                // The order is the one of the contract: descending by bytes, empty slots last.
                let mut bags: Vec<(Vec<u8>, Vec<Slot>)> = self.memory[place..place + capacity * size]
                    .chunks(size)
                    .map(|slot| {
                        let mut bytes = vec![u8::from(slot[0].is_some())];
                        self.slots.write(self.model, *element, &slot[1..], &mut bytes);
                        (bytes, slot.to_vec())
                    })
                    .collect();
                bags.sort_by(|left, right| right.0.cmp(&left.0));
                let sorted: Vec<Slot> = bags.into_iter().flat_map(|(_, slot)| slot).collect();
                self.memory[place..place + capacity * size].copy_from_slice(&sorted);
            }
        }
    }
}
