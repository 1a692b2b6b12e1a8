//! Why a property is false: the conjunct that fails, the witness of a quantifier, the values of the
//! sides of a comparison.
//!
//! The condition is evaluated again, part after part, by the plan in `analysis/why.rs`. A condition
//! that fails on the way is not explained.

use super::machine::{Binding, Machine};
use crate::analysis::why::{Explained, is_explained, parameters};
use crate::semantics::model::{Binder, Expression, LocalId, Property, Scope, TypeId};
use mcc_runtime::contract::explanation::{Bound, Noted, Part, Reason, Side, Why, part};
use mcc_runtime::fault::Fault;
use mcc_runtime::model::{Simple, Type};
use std::cell::RefCell;

/// Why a property that is violated in the machine's state is false there.
pub fn explain<'a>(machine: &mut Machine<'a>, property: &'a Property, source: &'a str) -> Vec<Reason> {
    if !is_explained(property) {
        return Vec::new();
    }
    machine.enter(&property.frame);
    let mut why = Why::new(source);
    let explainer = Explainer { machine: RefCell::new(machine), property };
    match explainer.scopes(&mut why, &property.scopes) {
        Ok(true) => why.reasons(),
        Ok(false) | Err(_) => Vec::new(),
    }
}

struct Explainer<'m, 'a> {
    machine: RefCell<&'m mut Machine<'a>>,
    property: &'a Property,
}

impl<'a> Explainer<'_, 'a> {
    /// Finds parameters for which the condition is false, and notes why.
    fn scopes(&self, why: &mut Why<'a>, scopes: &'a [Scope]) -> Result<bool, Fault> {
        let Some((scope, inner)) = scopes.split_first() else {
            why.clear();
            for variable in parameters(self.property) {
                if let Binding::Value(value) = self.machine.borrow().bound(variable) {
                    let Bound { name, ty } = self.variable(variable)?;
                    why.parameter(name, ty, value);
                }
            }
            return Ok(!self.noted(why, &self.property.condition, 0)?);
        };
        match scope {
            Scope::Parameter(binder) => {
                for value in self.values(binder)? {
                    self.bind(binder.variable, value);
                    if self.scopes(why, inner)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Scope::Alias(binding) => {
                self.machine.borrow_mut().alias(binding)?;
                self.scopes(why, inner)
            }
            Scope::Choose { variable, multiset, .. } => {
                let bag = self.machine.borrow_mut().place(multiset)?;
                let next = |from| self.machine.borrow().next_occupied(bag, multiset.ty, from);
                let mut from = 0;
                while let Some(number) = next(from) {
                    self.bind(*variable, number);
                    if self.scopes(why, inner)? {
                        return Ok(true);
                    }
                    from = number + 1;
                }
                Ok(false)
            }
        }
    }

    /// The value of a condition, with a note of what decides.
    fn noted(&self, why: &mut Why<'a>, condition: &'a Expression, level: usize) -> Result<bool, Fault> {
        let inside = |inner: &'a Expression| move |why: &mut Why<'a>| self.noted(why, inner, level + 1);
        let body = |binder: &'a Binder, body: &'a Expression| {
            move |why: &mut Why<'a>, value| {
                self.bind(binder.variable, value);
                self.noted(why, body, level + 1)
            }
        };
        let text = text(condition);
        match Explained::of(condition, level) {
            Explained::All(operands) => {
                let operands: Vec<_> = operands.iter().map(inside).collect();
                why.all(&operands.iter().map(|operand| operand as Noted<'_, 'a>).collect::<Vec<_>>())
            }
            Explained::Any(operands) => {
                let operands: Vec<_> = operands.iter().map(inside).collect();
                why.any(&operands.iter().map(|operand| operand as Noted<'_, 'a>).collect::<Vec<_>>())
            }
            Explained::Not(operand) => Ok(!inside(operand)(why)?),
            Explained::Implies(left, right) => why.implies(text, &inside(left), &inside(right)),
            Explained::Conditional([condition, then, otherwise]) => {
                why.conditional(text, &inside(condition), &inside(then), &inside(otherwise))
            }
            Explained::Forall(binder, inner) => {
                let variable = self.variable(binder.variable)?;
                why.forall(text, variable, &mut self.values(binder)?, &body(binder, inner))
            }
            Explained::Exists(binder, inner) => {
                let variable = self.variable(binder.variable)?;
                why.exists(text, variable, &mut self.values(binder)?, &body(binder, inner))
            }
            Explained::Compared(sides) => {
                let value = self.value(condition)?;
                let sides = sides.into_iter().map(|side| self.side(side));
                Ok(why.compared(text, value, &sides.collect::<Result<Vec<_>, Fault>>()?))
            }
            Explained::Value => Ok(why.value(text, self.value(condition)?)),
        }
    }

    fn side(&self, side: &'a Expression) -> Result<Side, Fault> {
        let value = self.machine.borrow_mut().maybe(side)?;
        Ok(Side { part: text(side), value, ty: self.simple(side.ty)? })
    }

    fn value(&self, condition: &'a Expression) -> Result<bool, Fault> {
        Ok(self.machine.borrow_mut().value(condition)? != 0)
    }

    fn values(&self, binder: &'a Binder) -> Result<impl Iterator<Item = i64> + use<>, Fault> {
        self.machine.borrow_mut().domain(binder)
    }

    fn bind(&self, variable: LocalId, value: i64) {
        self.machine.borrow_mut().bind(variable, Binding::Value(value));
    }

    fn variable(&self, variable: LocalId) -> Result<Bound<'a>, Fault> {
        let (name, ty) = {
            let machine = self.machine.borrow();
            (machine.local_name(variable), machine.local_type(variable))
        };
        Ok(Bound { name, ty: self.simple(ty)? })
    }

    /// The table of a simple type; what has another is not explained.
    fn simple(&self, ty: TypeId) -> Result<&'static Simple, Fault> {
        match self.machine.borrow().sites.types[ty.index()] {
            Type::Simple(simple) => Ok(simple),
            Type::Array { .. } | Type::Record { .. } | Type::Multiset { .. } => Err(Fault::at(u32::MAX)),
        }
    }
}

fn text(expression: &Expression) -> Part {
    part(expression.span.start, expression.span.end)
}
