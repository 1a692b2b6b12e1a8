//! Type expressions.

use super::grammar::Rule;
use super::{Builder, Pair, Pairs};
use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{ExpressionKind, Field, Name, TypeExpression, TypeExpressionKind};

impl Builder {
    pub(super) fn type_expression(&mut self, pair: Pair<'_, Rule>) -> Option<TypeExpression> {
        let span = self.span(&pair);
        let definition = pair.into_inner().next()?;
        let rule = definition.as_rule();
        let inner = definition.into_inner();
        let kind = match rule {
            Rule::enum_type => self.enum_type(inner),
            Rule::record_type => self.record_type(inner),
            Rule::array_type => self.array_type(inner),
            Rule::scalarset_type => self.scalarset_type(inner),
            Rule::union_type => self.union_type(inner),
            Rule::multiset_type => self.multiset_type(inner),
            Rule::real_type => Some(TypeExpressionKind::Real),
            Rule::range_or_name => self.range_or_name(inner),
            _ => None,
        };
        Some(TypeExpression { kind: kind?, span })
    }

    fn enum_type(&mut self, mut inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        match inner.find(|part| part.as_rule() == Rule::names) {
            Some(names) => self.names(names).map(TypeExpressionKind::Enum),
            None => Some(TypeExpressionKind::Enum(Vec::new())),
        }
    }

    fn record_type(&mut self, inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        let mut fields = Vec::new();
        for field in inner.filter(|part| part.as_rule() == Rule::field) {
            fields.push(self.field(field)?);
        }
        Some(TypeExpressionKind::Record(fields))
    }

    fn array_type(&mut self, mut inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        let index = Box::new(self.type_expression(inner.nth(2)?)?);
        let element = Box::new(self.type_expression(inner.nth(2)?)?);
        Some(TypeExpressionKind::Array { index, element })
    }

    fn scalarset_type(&mut self, mut inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        Some(TypeExpressionKind::Scalarset(Box::new(self.expression(inner.nth(2)?)?)))
    }

    fn union_type(&mut self, inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        let mut members = Vec::new();
        for member in inner.filter(|part| part.as_rule() == Rule::type_expression) {
            members.push(self.type_expression(member)?);
        }
        Some(TypeExpressionKind::Union(members))
    }

    fn multiset_type(&mut self, mut inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        let capacity = Box::new(self.expression(inner.nth(2)?)?);
        let element = Box::new(self.type_expression(inner.nth(2)?)?);
        Some(TypeExpressionKind::Multiset { capacity, element })
    }

    fn range_or_name(&mut self, mut inner: Pairs<'_, Rule>) -> Option<TypeExpressionKind> {
        let low = self.expression(inner.next()?)?;
        if let Some(high) = inner.nth(1) {
            let high = Box::new(self.expression(high)?);
            return Some(TypeExpressionKind::Range { low: Box::new(low), high });
        }
        if let ExpressionKind::Name(text) = low.kind {
            return Some(TypeExpressionKind::Name(Name { text, span: low.span }));
        }
        self.diagnostics.push(
            Diagnostic::error("syntax", low.span, "expected a type, found an expression")
                .help("a range of numbers is written `low..high`"),
        );
        None
    }

    fn field(&mut self, pair: Pair<'_, Rule>) -> Option<Field> {
        let mut inner = pair.into_inner();
        let names = self.names(inner.next()?)?;
        let definition = self.type_expression(inner.nth(1)?)?;
        Some(Field { names, definition })
    }
}
