//! Memory, names and places.
//!
//! Memory is one list of slots: the globals first, then whatever the code at work needs. A place is
//! the number of its first slot, so an alias or a `var` parameter is a number too.

use super::coverage::Counters;
use super::expressions::Returned;
use super::sites::SiteTable;
use super::slots::{Slot, Slots};
use super::undefined::Purpose;
use crate::layout::Shape;
use crate::semantics::model::{
    AliasBinding, AliasValue, Argument, Call, Expression, Frame, LocalId, LocalKind, Model, Place, Root,
    Scope, Step, TypeId, TypeKind,
};
use mcc_runtime::context::Context;
use mcc_runtime::contract::bags::Bags;
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
    /// The code at work.
    pub frame: Option<&'a Frame>,
    /// What the locals of the code at work stand for, from `first_local` on; before them, those of
    /// its callers.
    locals: Vec<Binding>,
    first_local: usize,
    /// The globals as they are before a property that writes to them.
    pub unchanged: Option<Vec<Slot>>,
    /// What the function at work returns.
    pub returns: Option<TypeId>,
    /// How often parts of the text are evaluated, if somebody wants to know.
    pub counters: Counters<'a>,
}

impl<'a> Machine<'a> {
    pub fn new(
        model: &'a Model,
        slots: &'a Slots,
        sites: &'a SiteTable,
        context: &'a Context,
        memory: Vec<Slot>,
    ) -> Self {
        let (frame, locals, first_local, returns) = (None, Vec::new(), 0, None);
        let (unchanged, counters) = (None, None);
        Machine {
            model,
            slots,
            sites,
            context,
            memory,
            frame,
            locals,
            first_local,
            unchanged,
            returns,
            counters,
        }
    }

    /// Begins a rule or property: none of its locals is bound.
    pub fn enter(&mut self, frame: &'a Frame) {
        self.locals.clear();
        self.enter_at(0, frame);
    }

    fn enter_at(&mut self, first_local: usize, frame: &'a Frame) {
        self.frame = Some(frame);
        self.first_local = first_local;
        self.locals.resize(first_local + frame.locals.len(), Binding::Nothing);
    }

    /// Gives variables storage of their own, in which nothing is defined.
    pub fn declare(&mut self, variables: &[LocalId]) {
        for variable in variables {
            let place = self.allocate(self.local_type(*variable));
            self.bind(*variable, Binding::At(place));
        }
    }

    #[inline]
    pub fn bind(&mut self, local: LocalId, binding: Binding) {
        self.locals[self.first_local + local.index()] = binding;
    }

    #[inline]
    pub fn bound(&self, local: LocalId) -> Binding {
        self.locals[self.first_local + local.index()]
    }

    pub fn call(&mut self, call: &'a Call) -> Result<Returned, Fault> {
        let function = &self.model.functions[call.function.index()];
        let mark = self.memory.len();
        // The arguments wait behind the caller's locals until the function's own come.
        let arguments = self.locals.len();
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            let ty = function.frame.locals[parameter.local.index()].ty;
            let place = match argument {
                Argument::Reference(place) => self.place(place)?,
                Argument::Value(value) if self.slots.is_simple(ty) => {
                    let place = self.allocate(ty);
                    self.pass(place, ty, value, value.span)?;
                    place
                }
                Argument::Value(value) => {
                    let value = self.compound(value)?;
                    self.keep(ty, &value)
                }
            };
            self.locals.push(Binding::At(place));
        }
        let (frame, returns, first_local) = (self.frame, self.returns, self.first_local);
        if function.recursive {
            self.context.enter(self.sites.number(FaultKind::Recursion, function.span))?;
        }
        self.returns = function.returns;
        self.enter_at(self.locals.len(), &function.frame);
        for (at, parameter) in function.parameters.iter().enumerate() {
            self.bind(parameter.local, self.locals[arguments + at]);
        }
        self.declare(&function.variables);
        let returned = self.run_function(function);
        if function.recursive {
            self.context.leave();
        }
        (self.frame, self.returns, self.first_local) = (frame, returns, first_local);
        self.locals.truncate(arguments);
        // Of what the function needed only its result stays.
        let mut returned = returned?;
        let mut kept = 0;
        if let (Returned::Compound(at), Some(ty)) = (&mut returned, function.returns) {
            kept = self.slots.size(ty);
            self.memory.copy_within(*at..*at + kept, mark);
            *at = mark;
        }
        self.memory.truncate(mark + kept);
        Ok(returned)
    }

    /// Fresh, undefined storage.
    #[inline]
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
                    if self.occupied(bag, multiset.ty, number).is_none() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether the condition of a property has the value `wanted` somewhere inside its scopes. With
    /// `through_all` the search goes on where it has, so that no fault is missed.
    pub fn decided(
        &mut self,
        scopes: &'a [Scope],
        condition: &'a Expression,
        wanted: bool,
        through_all: bool,
    ) -> Result<bool, Fault> {
        let Some((scope, inner)) = scopes.split_first() else {
            let value = self.value(condition)?;
            self.restore();
            return Ok((value != 0) == wanted);
        };
        let mut decided = false;
        match scope {
            Scope::Parameter(binder) => {
                for value in self.domain(binder)? {
                    self.bind(binder.variable, Binding::Value(value));
                    decided |= self.decided(inner, condition, wanted, through_all)?;
                    if decided && !through_all {
                        break;
                    }
                }
            }
            Scope::Alias(binding) => {
                self.alias(binding)?;
                decided = self.decided(inner, condition, wanted, through_all)?;
            }
            Scope::Choose { variable, multiset, .. } => {
                let bag = self.place(multiset)?;
                let mut from = 0;
                while let Some(number) = self.next_occupied(bag, multiset.ty, from) {
                    self.bind(*variable, Binding::Value(number));
                    decided |= self.decided(inner, condition, wanted, through_all)?;
                    if decided && !through_all {
                        break;
                    }
                    from = number + 1;
                }
            }
        }
        Ok(decided)
    }

    /// Drops what a property has written to the state.
    pub fn restore(&mut self) {
        if let Some(unchanged) = &self.unchanged {
            self.memory[..unchanged.len()].copy_from_slice(unchanged);
        }
    }

    pub fn alias(&mut self, binding: &'a AliasBinding) -> Result<(), Fault> {
        let bound = match &binding.value {
            AliasValue::Place(place) => Binding::At(self.place(place)?),
            AliasValue::Expression(value) if self.slots.is_simple(value.ty) => {
                match self.frame.map(|frame| frame.locals[binding.local.index()].kind) {
                    Some(LocalKind::Storage) => {
                        let value = self.optional(value, Purpose::Copied)?;
                        Binding::At(self.keep(self.local_type(binding.local), &[value]))
                    }
                    Some(LocalKind::Value | LocalKind::Reference) | None => {
                        Binding::Value(self.value(value)?)
                    }
                }
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
            Root::Local(local) => match self.bound(*local) {
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
                    at += self.slots.field(ty, *field);
                    ty = fields[*field as usize].ty;
                }
                (TypeKind::Array { index, element }, Step::Index(expression)) => {
                    let value = self.value(expression)?;
                    let (low, high) = self.slots.bounds(*index).unwrap_or((0, -1));
                    if value < low || value > high {
                        return Err(self.sites.fault_with(FaultKind::Index, expression.span, value));
                    }
                    at += value.wrapping_sub(low) as usize * self.slots.size(*element);
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

    pub fn local_type(&self, local: LocalId) -> TypeId {
        self.frame.map_or(TypeId(0), |frame| frame.locals[local.index()].ty)
    }

    /// The name of a local, as written.
    pub fn local_name(&self, local: LocalId) -> &'a str {
        self.frame.map_or("", |frame| frame.locals[local.index()].name.as_str())
    }

    /// The places of all slots of a multiset, occupied or not.
    pub fn places(&self, bag: usize, ty: TypeId) -> impl Iterator<Item = usize> + use<> {
        let (capacity, size) = self.slots.bag(ty);
        (0..capacity).map(move |number| bag + number * size)
    }

    /// The place of an occupied slot of a multiset.
    #[inline]
    pub fn occupied(&self, bag: usize, ty: TypeId, number: i64) -> Option<usize> {
        let (capacity, size) = self.slots.bag(ty);
        let number = usize::try_from(number).ok().filter(|number| *number < capacity)?;
        let place = bag + number * size;
        self.memory[place].is_some().then_some(place)
    }

    /// The numbers of the occupied slots of a multiset. Whatever happens between two of them, a
    /// slot is asked when its turn comes.
    #[inline]
    pub fn next_occupied(&self, bag: usize, ty: TypeId, from: i64) -> Option<i64> {
        let (capacity, size) = self.slots.bag(ty);
        (from..capacity as i64).find(|number| self.memory[bag + *number as usize * size].is_some())
    }

    /// Empties what was removed from the bags of the state, and unless they keep their slots,
    /// brings them into the order that stands for them.
    pub fn settle_bags(&mut self) {
        let bags = self.context.bags;
        for index in 0..self.model.globals.len() {
            self.settle_bags_in(self.slots.globals[index], self.model.globals[index].ty, bags);
        }
    }

    pub fn settle_bags_in(&mut self, place: usize, ty: TypeId, bags: Bags) {
        let slots = self.slots;
        if !slots.layout.ty(ty).has_multiset {
            return;
        }
        match &slots.layout.ty(ty).shape {
            Shape::Simple { .. } => {}
            Shape::Array { count, element, .. } => {
                for at in 0..*count {
                    self.settle_bags_in(place + at * slots.size(*element), *element, bags);
                }
            }
            Shape::Record { .. } => {
                if let TypeKind::Record { fields } = &self.model.ty(ty).kind {
                    for (number, field) in (0..).zip(fields) {
                        self.settle_bags_in(place + slots.field(ty, number), field.ty, bags);
                    }
                }
            }
            Shape::Multiset { capacity, element } => {
                let size = 1 + slots.size(*element);
                (0..*capacity).for_each(|at| self.settle_bags_in(place + at * size + 1, *element, bags));
                let bag = &mut self.memory[place..place + capacity * size];
                // What was written to an element after it was removed is gone.
                bag.chunks_mut(size).filter(|slot| slot[0].is_none()).for_each(|slot| slot.fill(None));
                if !bags.sorts(slots.proof.multisets.contains_key(&ty)) {
                    return;
                }
                // The order is the one of the contract: descending by bytes, empty slots last.
                let order = |left: &&[Slot], right: &&[Slot]| slots.compare(self.model, ty, right, left);
                if bag.chunks(size).is_sorted_by(|left, right| order(left, right).is_le()) {
                    return;
                }
                let mut sorted: Vec<&[Slot]> = bag.chunks(size).collect();
                sorted.sort_by(order);
                let sorted = sorted.concat();
                bag.copy_from_slice(&sorted);
            }
        }
    }
}
