//! Values of scalarsets and unions that may be undefined.

use super::expressions::Returned;
use super::machine::Machine;
use super::slots::Slot;
use crate::semantics::model::{Expression, ExpressionKind};
use crate::source::Span;
use mcc_runtime::fault::{Fault, FaultKind};

/// What becomes of a value that may be undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is one side of `=` or `!=`, or the subject or a label of `switch`.
    Compared,
    /// It is assigned, returned, put into a multiset or printed, or asked for its membership.
    Copied,
}

impl<'a> Machine<'a> {
    /// The value of a simple expression. A scalarset or union may be undefined, unless
    /// `--strict-undefined` forbids it.
    pub fn optional(&mut self, expression: &'a Expression, purpose: Purpose) -> Result<Slot, Fault> {
        if !self.model.may_be_undefined(expression) {
            return self.value(expression).map(Some);
        }
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let at = self.place(place)?;
                self.noted(self.memory[at], place.span, purpose)
            }
            ExpressionKind::Call(call) => match self.call(call)? {
                Returned::Simple(value) => self.noted(value, call.span, purpose),
                Returned::Nothing | Returned::Compound(_) => Ok(None),
            },
            ExpressionKind::Conditional { condition, then, otherwise } => match self.value(condition)? {
                0 => self.optional(otherwise, purpose),
                _ => self.optional(then, purpose),
            },
            ExpressionKind::Convert { value, pieces } => match self.optional(value, purpose)? {
                Some(value) => self.convert(value, pieces, expression.span).map(Some),
                None => Ok(None),
            },
            // Nothing else may be undefined.
            _ => self.value(expression).map(Some),
        }
    }

    /// The context notes where an undefined value is used, or forbids it.
    fn noted(&self, value: Slot, span: Span, purpose: Purpose) -> Result<Slot, Fault> {
        if value.is_none() {
            let site = self.sites.number(FaultKind::Undefined, span);
            match purpose {
                Purpose::Compared => self.context.compares_undefined(site)?,
                Purpose::Copied => self.context.copies_undefined(site)?,
            };
        }
        Ok(value)
    }
}
