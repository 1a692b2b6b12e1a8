//! Names in expressions, and what they have fields of.

use super::{Kind, Shape, SymbolId, Walk};
use crate::source::Span;
use crate::syntax::tree::{
    BinaryOperator, Expression, ExpressionKind, Name, TypeExpression, TypeExpressionKind, UnaryOperator,
};
use std::rc::Rc;

impl Walk {
    pub(super) fn all<'a>(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        for expression in expressions {
            self.expression(expression);
        }
    }

    /// `m: multiset, condition`
    pub(super) fn slots(
        &mut self,
        variable: &Name,
        multiset: &Expression,
        condition: &Expression,
        span: Span,
    ) {
        self.inside(span, |walk| {
            walk.expression(multiset);
            walk.declare(variable, Kind::Parameter, multiset.span, walk.other.clone());
            walk.expression(condition);
        });
    }

    pub(super) fn expression(&mut self, expression: &Expression) -> Rc<Shape> {
        let other = self.other.clone();
        match &expression.kind {
            ExpressionKind::Integer(_) | ExpressionKind::Real | ExpressionKind::Undefined => other,
            ExpressionKind::Name(name) => match self.lookup(name, |kind| kind != Kind::Field) {
                // The place of an expression may include brackets around it.
                Some(id) if (expression.span.end - expression.span.start) as usize == name.len() => {
                    self.mention(expression.span, id)
                }
                _ => other,
            },
            ExpressionKind::Field { base, field } => {
                let shape = self.expression(base);
                let named =
                    |id: &&SymbolId| self.names.symbol(**id).is_some_and(|symbol| symbol.name == field.text);
                match self.names.fields(&shape).iter().find(named).copied() {
                    Some(id) => self.mention(field.span, id),
                    None => other,
                }
            }
            ExpressionKind::Index { base, index } => {
                let shape = self.expression(base);
                self.expression(index);
                self.names.element(&shape).unwrap_or(other)
            }
            ExpressionKind::Call { name, arguments } => {
                let function = self.lookup(&name.text, |kind| kind == Kind::Function);
                let shape = function.map(|id| self.mention(name.span, id));
                self.all(arguments);
                shape.unwrap_or(other)
            }
            ExpressionKind::Unary { operand, .. } => {
                self.expression(operand);
                other
            }
            ExpressionKind::Binary { left, right, .. } => {
                self.all([&**left, &**right]);
                other
            }
            ExpressionKind::Chain { operands, .. } | ExpressionKind::Temporal { operands, .. } => {
                self.all(operands);
                other
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.expression(condition);
                let shape = self.expression(then);
                self.expression(otherwise);
                shape
            }
            ExpressionKind::Forall { quantifiers, body } | ExpressionKind::Exists { quantifiers, body } => {
                self.inside(expression.span, |walk| {
                    walk.quantifiers(quantifiers);
                    walk.expression(body);
                });
                other
            }
            ExpressionKind::IsUndefined(place) => {
                self.expression(place);
                other
            }
            ExpressionKind::IsMember { value, definition } => {
                self.expression(value);
                self.member_of(definition);
                other
            }
            ExpressionKind::MultisetCount { variable, multiset, condition } => {
                self.slots(variable, multiset, condition, expression.span);
                other
            }
            ExpressionKind::Fired { arguments, .. } => {
                self.all(arguments);
                other
            }
        }
    }

    /// The type in `ismember(x, T)`: an enum there means members that are declared elsewhere.
    fn member_of(&mut self, ty: &TypeExpression) {
        match &ty.kind {
            TypeExpressionKind::Enum(members) => {
                for member in members {
                    if let Some(id) = self.lookup(&member.text, |kind| kind == Kind::Member) {
                        self.mention(member.span, id);
                    }
                }
            }
            _ => drop(self.shape(ty)),
        }
    }

    /// The value of a number that is known where it is declared.
    pub(super) fn value(&self, expression: &Expression) -> Option<i64> {
        match &expression.kind {
            ExpressionKind::Integer(value) => i64::try_from(*value).ok(),
            ExpressionKind::Name(name) => {
                self.names.symbol(self.lookup(name, |kind| kind != Kind::Field)?)?.value
            }
            ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => {
                self.value(operand)?.checked_neg()
            }
            ExpressionKind::Unary { operator: UnaryOperator::Plus, operand } => self.value(operand),
            ExpressionKind::Binary { operator, left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match operator {
                    BinaryOperator::Add => left.checked_add(right),
                    BinaryOperator::Subtract => left.checked_sub(right),
                    BinaryOperator::Multiply => left.checked_mul(right),
                    BinaryOperator::Divide => left.checked_div(right),
                    BinaryOperator::Modulo => left.checked_rem(right),
                    BinaryOperator::BitXor => Some(left ^ right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
