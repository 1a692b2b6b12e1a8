//! What statements do.

use super::coverage;
use super::expressions::Returned;
use super::machine::{Binding, Machine};
use super::slots::Slot;
use super::undefined::Purpose;
use crate::semantics::model::{
    Expression, ExpressionKind, Function, LocalId, Statement, StatementKind, TypeId, TypeKind,
};
use crate::source::Span;
use mcc_runtime::contract::undefined::UNDEFINED;
use mcc_runtime::fault::{Fault, FaultKind};

/// Whether to go on with the next statement.
enum Flow {
    Next,
    Return(Returned),
}

impl<'a> Machine<'a> {
    /// The body of a rule or start state.
    pub fn body(&mut self, variables: &[LocalId], statements: &'a [Statement]) -> Result<(), Fault> {
        self.declare(variables);
        self.statements(statements).map(|_| ())
    }

    /// The body of a function or procedure; its locals are bound already.
    pub fn run_function(&mut self, function: &'a Function) -> Result<Returned, Fault> {
        match self.statements(&function.body)? {
            Flow::Next if function.returns.is_some() => {
                Err(self.sites.fault(FaultKind::MissingReturn, function.span))
            }
            Flow::Next => Ok(Returned::Nothing),
            Flow::Return(value) => Ok(value),
        }
    }

    fn statements(&mut self, statements: &'a [Statement]) -> Result<Flow, Fault> {
        for statement in statements {
            // What the statement needs for itself is given back when it is done.
            let mark = self.memory.len();
            coverage::count(self.counters, statement.span);
            let flow = self.statement(statement)?;
            if let Flow::Return(_) = flow {
                return Ok(flow);
            }
            self.memory.truncate(mark);
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<Flow, Fault> {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let at = self.place(target)?;
                self.assign(at, target.ty, value, statement.span)?;
            }
            StatementKind::Copy { target, source } => {
                let at = self.place(target)?;
                let value = self.compound(source)?;
                self.memory[at..at + value.len()].copy_from_slice(&value);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.value(condition)? != 0 {
                        return self.statements(body);
                    }
                }
                return self.statements(otherwise);
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                let subject = self.optional(subject, Purpose::Compared)?;
                for case in cases {
                    for value in &case.values {
                        if self.optional(value, Purpose::Compared)? == subject {
                            return self.statements(&case.body);
                        }
                    }
                }
                return self.statements(otherwise);
            }
            StatementKind::For { binder, body } => {
                for value in self.domain(binder)? {
                    self.bind(binder.variable, Binding::Value(value));
                    if let Flow::Return(value) = self.statements(body)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            StatementKind::While { condition, body } => {
                let (mut turns, site) = (0, self.sites.number(FaultKind::LoopBound, statement.span));
                while self.value(condition)? != 0 {
                    self.context.turn(&mut turns, site)?;
                    if let Flow::Return(value) = self.statements(body)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            StatementKind::Alias { binding, body } => {
                self.alias(binding)?;
                return self.statements(body);
            }
            StatementKind::Call(call) => {
                self.call(call)?;
            }
            StatementKind::Clear(place) => {
                let at = self.place(place)?;
                self.clear(at, place.ty);
            }
            StatementKind::Undefine(place) => {
                let at = self.place(place)?;
                self.memory[at..at + self.slots.size(place.ty)].fill(None);
            }
            StatementKind::Error(_) => {
                return Err(self.sites.fault(FaultKind::ErrorStatement, statement.span));
            }
            StatementKind::Assert { condition, .. } => {
                if self.value(condition)? == 0 {
                    return Err(self.sites.fault(FaultKind::Assertion, statement.span));
                }
            }
            StatementKind::Assume { condition } => {
                if self.value(condition)? == 0 {
                    return Err(Fault::PRUNED);
                }
            }
            StatementKind::Cover { index, condition } => {
                if self.value(condition)? != 0 {
                    self.context.cover(self.model.properties.len() + *index as usize);
                }
            }
            StatementKind::PutText(text) => self.context.put_text(text),
            StatementKind::PutValue(value) => self.put(value)?,
            StatementKind::Return(None) => return Ok(Flow::Return(Returned::Nothing)),
            StatementKind::Return(Some(value)) => {
                let bounds = self.returns.and_then(|ty| self.slots.bounds(ty));
                return Ok(Flow::Return(match bounds {
                    Some(bounds) => Returned::Simple(self.within(value, bounds, value.span)?),
                    None => {
                        let copy = self.compound(value)?;
                        Returned::Compound(self.keep(value.ty, &copy))
                    }
                }));
            }
            StatementKind::MultisetAdd { value, multiset } => {
                let element = match &self.model.ty(multiset.ty).kind {
                    TypeKind::Multiset { element, .. } => *element,
                    _ => value.ty,
                };
                let value = match self.slots.bounds(element) {
                    Some(bounds) => vec![self.within(value, bounds, statement.span)?],
                    None => self.compound(value)?,
                };
                let bag = self.place(multiset)?;
                let free = self.places(bag, multiset.ty).find(|place| self.memory[*place].is_none());
                let free = free.ok_or_else(|| {
                    let (capacity, _) = self.slots.bag(multiset.ty);
                    self.sites.fault_with(FaultKind::Multiset, statement.span, capacity as i64)
                })?;
                self.memory[free] = Some(1);
                self.memory[free + 1..free + 1 + value.len()].copy_from_slice(&value);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                let number = self.value(slot)?;
                let bag = self.place(multiset)?;
                self.remove(bag, multiset.ty, number)
                    .ok_or_else(|| self.sites.fault_with(FaultKind::Multiset, slot.span, number))?;
            }
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                let bag = self.place(multiset)?;
                let mut from = 0;
                while let Some(number) = self.next_occupied(bag, multiset.ty, from) {
                    self.bind(*variable, Binding::Value(number));
                    if self.value(condition)? != 0 {
                        self.remove(bag, multiset.ty, number);
                    }
                    from = number + 1;
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Assigns to a simple place. A mere copy of a variable copies "undefined", unless that is
    /// forbidden.
    pub fn assign(&mut self, at: usize, ty: TypeId, value: &'a Expression, span: Span) -> Result<(), Fault> {
        self.pass(at, ty, value, span)?;
        match self.memory[at] {
            None if self.context.strict_undefined => {
                Err(self.sites.fault(FaultKind::Undefined, copied(value)))
            }
            None | Some(_) => Ok(()),
        }
    }

    /// Fills a read-only parameter: as an assignment, but "undefined" may always be passed.
    pub fn pass(&mut self, at: usize, ty: TypeId, value: &'a Expression, span: Span) -> Result<(), Fault> {
        let new = self.maybe(value)?;
        let (low, high) = self.slots.bounds(ty).unwrap_or((i64::MIN, i64::MAX));
        if let Some(value) = new.filter(|value| *value < low || *value > high) {
            return Err(self.sites.fault_with(FaultKind::Range, span, value));
        }
        self.memory[at] = new;
        Ok(())
    }

    /// A value that must lie between bounds. It has to be defined, unless it is a scalarset or
    /// union.
    fn within(&mut self, value: &'a Expression, (low, high): (i64, i64), span: Span) -> Result<Slot, Fault> {
        match self.optional(value, Purpose::Copied)? {
            Some(value) if value < low || value > high => {
                Err(self.sites.fault_with(FaultKind::Range, span, value))
            }
            value => Ok(value),
        }
    }

    fn remove(&mut self, bag: usize, ty: TypeId, number: i64) -> Option<()> {
        let place = self.occupied(bag, ty, number)?;
        let (_, size) = self.slots.bag(ty);
        self.memory[place..place + size].fill(None);
        Some(())
    }

    /// The smallest value of every part; multisets become empty.
    fn clear(&mut self, at: usize, ty: TypeId) {
        match &self.model.ty(ty).kind {
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_) => self.memory[at] = self.slots.bounds(ty).map(|(low, _)| low),
            TypeKind::Array { element, .. } => {
                let size = self.slots.size(*element).max(1);
                let count = self.slots.size(ty) / size;
                (0..count).for_each(|nth| self.clear(at + nth * size, *element));
            }
            TypeKind::Record { fields } => {
                for (number, field) in (0..).zip(fields) {
                    self.clear(at + self.slots.field(ty, number), field.ty);
                }
            }
            TypeKind::Multiset { .. } => self.memory[at..at + self.slots.size(ty)].fill(None),
        }
    }

    fn put(&mut self, value: &'a Expression) -> Result<(), Fault> {
        let (name, ty) = self.sites.put(value);
        if let ExpressionKind::Read(_) = value.kind {
            let slots =
                if self.slots.is_simple(value.ty) { vec![self.maybe(value)?] } else { self.compound(value)? };
            let bytes = self.slots.bytes(self.model, value.ty, &slots);
            self.context.put_place(name, ty, &bytes);
        } else if let mcc_runtime::model::Type::Simple(simple) = ty {
            match self.optional(value, Purpose::Copied)? {
                Some(value) => self.context.put_value(simple, value),
                None => self.context.put_optional(simple, UNDEFINED),
            }
        } else {
            let slots = self.compound(value)?;
            let bytes = self.slots.bytes(self.model, value.ty, &slots);
            self.context.put_place(name, ty, &bytes);
        }
        Ok(())
    }
}

/// The place that an expression merely copies.
fn copied(value: &Expression) -> Span {
    match &value.kind {
        ExpressionKind::Read(place) => place.span,
        ExpressionKind::Convert { value, .. } => copied(value),
        _ => value.span,
    }
}
