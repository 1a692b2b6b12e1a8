//! Why a property is false: the conjunct that fails, the witness of a quantifier, the values of the
//! sides of a comparison.
//!
//! The condition is evaluated again, from the outside in, with the same rules as in
//! [`super::expressions`]; what does not decide is left out. A condition that writes to the state,
//! or that fails on the way, is not explained.

use super::machine::{Binding, Machine};
use crate::semantics::model::{
    Binder, Expression, ExpressionKind, LocalId, Property, PropertyKind, Scope, TypeId,
};
use crate::source::Span;
use crate::tables;
use mcc_runtime::contract::explanation::{
    MOST, Reason, excerpt, side_in_words, value_and_sides, witness_in_words,
};
use mcc_runtime::fault::Fault;

/// Why a property that is violated in the machine's state is false there.
pub fn explain<'a>(machine: &mut Machine<'a>, property: &'a Property, source: &'a str) -> Vec<Reason> {
    // A formula is false for what came before.
    if property.writes || !property.kind.must_hold() || property.kind == PropertyKind::Safety {
        return Vec::new();
    }
    machine.enter(&property.frame);
    let mut explainer = Explainer { machine, source, reasons: Vec::new() };
    match explainer.scopes(&property.scopes, &property.condition) {
        Ok(true) => explainer.reasons,
        Ok(false) | Err(_) => Vec::new(),
    }
}

struct Explainer<'m, 'a> {
    machine: &'m mut Machine<'a>,
    source: &'a str,
    reasons: Vec<Reason>,
}

impl<'a> Explainer<'_, 'a> {
    /// Finds parameters for which the condition is false, and explains that.
    fn scopes(&mut self, scopes: &'a [Scope], condition: &'a Expression) -> Result<bool, Fault> {
        let Some((scope, inner)) = scopes.split_first() else {
            if self.machine.value(condition)? != 0 {
                return Ok(false);
            }
            self.because(condition, false, 0)?;
            return Ok(true);
        };
        let at = self.reasons.len();
        match scope {
            Scope::Parameter(binder) => {
                for value in self.machine.domain(binder)? {
                    self.machine.bind(binder.variable, Binding::Value(value));
                    if self.scopes(inner, condition)? {
                        let text = self.witness(binder.variable, value);
                        self.reasons.insert(at, Reason { depth: 0, text, value: String::new() });
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Scope::Alias(binding) => {
                self.machine.alias(binding)?;
                self.scopes(inner, condition)
            }
            Scope::Choose { variable, multiset, .. } => {
                let bag = self.machine.place(multiset)?;
                let mut from = 0;
                while let Some(number) = self.machine.next_occupied(bag, multiset.ty, from) {
                    self.machine.bind(*variable, Binding::Value(number));
                    if self.scopes(inner, condition)? {
                        let text = self.witness(*variable, number);
                        self.reasons.insert(at, Reason { depth: 0, text, value: String::new() });
                        return Ok(true);
                    }
                    from = number + 1;
                }
                Ok(false)
            }
        }
    }

    /// Explains why an expression, which has been evaluated to `value`, has that value.
    fn because(&mut self, expression: &'a Expression, value: bool, depth: usize) -> Result<(), Fault> {
        if self.reasons.len() >= MOST {
            return Ok(());
        }
        match &expression.kind {
            // One part decides: it says more than the whole.
            ExpressionKind::And(operands) if !value => self.deciding(operands, false, depth),
            ExpressionKind::Or(operands) if value => self.deciding(operands, true, depth),
            ExpressionKind::And(operands) | ExpressionKind::Or(operands) => {
                operands.iter().try_for_each(|operand| self.because(operand, value, depth))
            }
            ExpressionKind::Not(operand) => self.because(operand, !value, depth),
            ExpressionKind::Implies(left, right) if !value => {
                self.line(expression, depth, "false");
                self.because(left, true, depth + 1)?;
                self.because(right, false, depth + 1)
            }
            ExpressionKind::Implies(left, right) => match self.machine.value(left)? {
                0 => self.because(left, false, depth),
                _ => self.because(right, true, depth),
            },
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let holds = self.machine.value(condition)? != 0;
                self.line(expression, depth, &value.to_string());
                self.because(condition, holds, depth + 1)?;
                self.because(if holds { then } else { otherwise }, value, depth + 1)
            }
            ExpressionKind::Forall { binder, body } if !value => self.quantified(binder, body, false, depth),
            ExpressionKind::Exists { binder, body } if value => self.quantified(binder, body, true, depth),
            ExpressionKind::Compare { left, right, .. } => {
                let sides = [self.side(left)?, self.side(right)?];
                let sides: Vec<String> = sides.into_iter().flatten().collect();
                self.line(expression, depth, &value_and_sides(value, &sides));
                Ok(())
            }
            ExpressionKind::IsMember { value: of, .. } => {
                let sides: Vec<String> = self.side(of)?.into_iter().collect();
                self.line(expression, depth, &value_and_sides(value, &sides));
                Ok(())
            }
            ExpressionKind::Constant(_)
            | ExpressionKind::Value(_)
            | ExpressionKind::Read(_)
            | ExpressionKind::Call(_)
            | ExpressionKind::Negate(_)
            | ExpressionKind::BitNot(_)
            | ExpressionKind::Arithmetic { .. }
            | ExpressionKind::CompareCompound { .. }
            | ExpressionKind::Forall { .. }
            | ExpressionKind::Exists { .. }
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::MultisetCount { .. }
            | ExpressionKind::Convert { .. } => {
                self.line(expression, depth, &value.to_string());
                Ok(())
            }
        }
    }

    /// Explains the first operand with this value.
    fn deciding(&mut self, operands: &'a [Expression], value: bool, depth: usize) -> Result<(), Fault> {
        for operand in operands {
            if (self.machine.value(operand)? != 0) == value {
                return self.because(operand, value, depth);
            }
        }
        Ok(())
    }

    /// Explains the body for the first value of a quantifier for which it has this value.
    fn quantified(
        &mut self,
        binder: &'a Binder,
        body: &'a Expression,
        value: bool,
        depth: usize,
    ) -> Result<(), Fault> {
        for number in self.machine.domain(binder)? {
            self.machine.bind(binder.variable, Binding::Value(number));
            if (self.machine.value(body)? != 0) == value {
                let text = self.witness(binder.variable, number);
                self.reasons.push(Reason { depth, text, value: String::new() });
                return self.because(body, value, depth + 1);
            }
        }
        Ok(())
    }

    /// `state[i] is waiting`: a side of a comparison that is no constant.
    fn side(&mut self, expression: &'a Expression) -> Result<Option<String>, Fault> {
        if let ExpressionKind::Constant(_) = &expression.kind {
            return Ok(None);
        }
        if let ExpressionKind::Convert { value, .. } = &expression.kind {
            return self.side(value);
        }
        let label = self.machine.maybe(expression)?.map(|value| self.label(expression.ty, value));
        Ok(Some(side_in_words(&self.text(expression.span), label.as_deref())))
    }

    fn line(&mut self, expression: &'a Expression, depth: usize, value: &str) {
        let text = self.text(expression.span);
        self.reasons.push(Reason { depth, text, value: value.to_owned() });
    }

    /// `for i = Proc_1`.
    fn witness(&self, local: LocalId, value: i64) -> String {
        let name = self.machine.local_name(local);
        witness_in_words(name, &self.label(self.machine.local_type(local), value))
    }

    fn label(&self, ty: TypeId, value: i64) -> String {
        let model = self.machine.model;
        let low = model.bounds(ty).map_or(0, |(low, _)| low);
        let name = tables::labels(model, ty)
            .and_then(|names| names.get(usize::try_from(value.checked_sub(low)?).ok()?).cloned());
        name.unwrap_or_else(|| value.to_string())
    }

    /// A part of the model's text on one line.
    fn text(&self, span: Span) -> String {
        excerpt(self.source.get(span.start as usize..span.end as usize).unwrap_or(""))
    }
}
