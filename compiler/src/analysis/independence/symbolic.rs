//! Which index an expression makes, as far as it follows from the rule's parameters.

use std::collections::HashMap;
use std::sync::Arc;

use super::formula::{Arithmetic, Comparison, Formula, pieces};
use super::path::Index;
use super::range::Range;
use super::walker::{AccessWalker, LocalMeaning};
use crate::semantics::model::{
    Argument, Call, Expression, ExpressionKind, LocalId, Place, Root, Statement, StatementKind,
};

pub fn parameter(position: usize) -> Index {
    Index::Known(Arc::new(Formula::Parameter(position)))
}

impl<'m> AccessWalker<'m> {
    pub fn index(&mut self, expression: &'m Expression) -> Index {
        match self.formula(expression) {
            Some(formula) => Index::Known(formula),
            None => Index::Within(self.range(expression)),
        }
    }

    /// What the value of an expression lies in, whatever the state.
    fn range(&self, expression: &Expression) -> Range {
        let of_type = || {
            let bounds = self.model.bounds(expression.ty);
            bounds.map_or(Range::ANY, |(low, high)| Range { low, high })
        };
        match &expression.kind {
            ExpressionKind::Value(local) => match self.bounds.get(local) {
                Some(LocalMeaning::Value(Index::Within(range))) => *range,
                Some(_) | None => Range::ANY,
            },
            // Whatever is stored or returned has been checked against its type.
            ExpressionKind::Read(_) | ExpressionKind::Call(_) => of_type(),
            _ => Range::ANY,
        }
    }

    pub fn formula(&mut self, expression: &'m Expression) -> Option<Arc<Formula>> {
        match &expression.kind {
            ExpressionKind::Constant(value) => Formula::Constant(*value).limited(),
            ExpressionKind::Value(local) => self.bound_formula(*local),
            // A read-only parameter holds what was passed.
            ExpressionKind::Read(Place { root: Root::Local(local), steps, .. }) if steps.is_empty() => {
                self.bound_formula(*local)
            }
            ExpressionKind::Arithmetic { operator, left, right } => {
                let operator = Arithmetic::new(*operator)?;
                Formula::Arithmetic(operator, self.formula(left)?, self.formula(right)?).limited()
            }
            ExpressionKind::Negate(operand) => {
                let zero = Arc::new(Formula::Constant(0));
                Formula::Arithmetic(Arithmetic::Subtract, zero, self.formula(operand)?).limited()
            }
            // A variable that gets its one value later is undefined till then, and may be compared.
            ExpressionKind::Compare { left, right, .. }
                if self.model.may_be_undefined(left) || self.model.may_be_undefined(right) =>
            {
                None
            }
            ExpressionKind::Compare { operator, left, right } => {
                let operator = Comparison::new(*operator);
                Formula::Compare(operator, self.formula(left)?, self.formula(right)?).limited()
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.formula(condition)?;
                Formula::Conditional(condition, self.formula(then)?, self.formula(otherwise)?).limited()
            }
            ExpressionKind::Convert { value, pieces: shifts } => {
                Formula::Convert(self.formula(value)?, pieces(shifts)).limited()
            }
            ExpressionKind::Call(call) => self.returned(call),
            // It may be any value.
            _ => None,
        }
    }

    fn bound_formula(&self, local: LocalId) -> Option<Arc<Formula>> {
        match self.bounds.get(&local)? {
            LocalMeaning::Value(Index::Known(formula)) => Some(formula.clone()),
            LocalMeaning::Value(Index::Within(_)) | LocalMeaning::Place(_) | LocalMeaning::Private => None,
        }
    }

    /// What a function returns that does nothing but return, such as the next in a ring.
    fn returned(&mut self, call: &'m Call) -> Option<Arc<Formula>> {
        let function = self.model.functions.get(call.function.index())?;
        if !self.may_follow(call.function, function) {
            return None;
        }
        let mut bounds = HashMap::new();
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            let bound = match argument {
                Argument::Reference(_) => LocalMeaning::Private,
                Argument::Value(value) => self.bound_value(value),
            };
            bounds.insert(parameter.local, bound);
        }
        let outer = std::mem::replace(&mut self.bounds, bounds);
        self.following.push(call.function);
        let formula = self.result(&function.body);
        self.following.pop();
        self.bounds = outer;
        formula
    }

    fn result(&mut self, body: &'m [Statement]) -> Option<Arc<Formula>> {
        let (first, rest) = body.split_first()?;
        match &first.kind {
            StatementKind::Return(value) => self.formula(value.as_ref()?),
            StatementKind::If { arms, otherwise } => {
                // What stands after an `if` without `else` is reached where no condition holds.
                let mut result = self.result(if otherwise.is_empty() { rest } else { otherwise })?;
                for (condition, body) in arms.iter().rev() {
                    let condition = self.formula(condition)?;
                    result = Formula::Conditional(condition, self.result(body)?, result).limited()?;
                }
                Some(result)
            }
            _ => None,
        }
    }
}
