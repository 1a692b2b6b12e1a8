//! What evaluating an expression reads, and what its calls do.

use super::footprint::Kind;
use super::path::Index;
use super::range::Range;
use super::walker::{Bound, Walker};
use crate::semantics::model::{Expression, ExpressionKind, LocalId};

impl<'m> Walker<'m> {
    pub fn read(&mut self, expression: &'m Expression) {
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Value(_) => {}
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => self.read_place(place),
            ExpressionKind::Call(call) => self.call(call),
            ExpressionKind::Not(operand)
            | ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::IsMember { value: operand, .. }
            | ExpressionKind::Convert { value: operand, .. } => self.read(operand),
            ExpressionKind::Arithmetic { left, right, .. }
            | ExpressionKind::Compare { left, right, .. }
            | ExpressionKind::CompareCompound { left, right, .. }
            | ExpressionKind::Implies(left, right) => {
                self.read(left);
                self.read(right);
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                parts.iter().for_each(|part| self.read(part));
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.read(condition);
                self.read(then);
                self.read(otherwise);
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.bind(binder);
                self.read(body);
            }
            ExpressionKind::MultisetCount { variable, multiset, condition } => {
                let target = self.target(multiset);
                target.into_iter().for_each(|target| self.note(target.path, Kind::Read, multiset.span));
                self.slot(*variable);
                self.read(condition);
            }
        }
    }

    /// A variable that goes through the slots of a multiset.
    pub fn slot(&mut self, variable: LocalId) {
        self.bounds.insert(variable, Bound::Value(Index::Within(Range::ANY)));
    }
}
