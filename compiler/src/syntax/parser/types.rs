//! Type expressions.

use super::grammar::Rule;
use super::{Builder, Pair};
use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{ExpressionKind, Field, Name, TypeExpression, TypeExpressionKind};

impl Builder {
    pub(super) fn type_expression(&mut self, pair: Pair<'_, Rule>) -> Option<TypeExpression> {
        let span = self.span(&pair);
        let definition = pair.into_inner().next()?;
        let rule = definition.as_rule();
        let mut inner = definition.into_inner();
        let kind = match rule {
            Rule::enum_type => match inner.find(|inner| inner.as_rule() == Rule::names) {
                Some(names) => TypeExpressionKind::Enum(self.names(names)?),
                None => TypeExpressionKind::Enum(Vec::new()),
            },
            Rule::record_type => TypeExpressionKind::Record(
                inner
                    .filter(|inner| inner.as_rule() == Rule::field)
                    .map(|field| self.field(field))
                    .collect::<Option<_>>()?,
            ),
            Rule::array_type => {
                let index = Box::new(self.type_expression(inner.nth(2)?)?);
                let element = Box::new(self.type_expression(inner.nth(2)?)?);
                TypeExpressionKind::Array { index, element }
            }
            Rule::scalarset_type => TypeExpressionKind::Scalarset(Box::new(self.expression(inner.nth(2)?)?)),
            Rule::union_type => TypeExpressionKind::Union(
                inner
                    .filter(|inner| inner.as_rule() == Rule::type_expression)
                    .map(|member| self.type_expression(member))
                    .collect::<Option<_>>()?,
            ),
            Rule::multiset_type => {
                let capacity = Box::new(self.expression(inner.nth(2)?)?);
                let element = Box::new(self.type_expression(inner.nth(2)?)?);
                TypeExpressionKind::Multiset { capacity, element }
            }
            Rule::real_type => TypeExpressionKind::Real,
            Rule::range_or_name => {
                let low = self.expression(inner.next()?)?;
                match (inner.nth(1), low.kind) {
                    (Some(high), kind) => TypeExpressionKind::Range {
                        low: Box::new(crate::syntax::tree::Expression { kind, span: low.span }),
                        high: Box::new(self.expression(high)?),
                    },
                    (None, ExpressionKind::Name(text)) => {
                        TypeExpressionKind::Name(Name { text, span: low.span })
                    }
                    (None, _) => {
                        self.diagnostics.push(
                            Diagnostic::error("syntax", low.span, "expected a type, found an expression")
                                .help("a range of numbers is written `low..high`"),
                        );
                        return None;
                    }
                }
            }
            _ => return None,
        };
        Some(TypeExpression { kind, span })
    }

    fn field(&mut self, pair: Pair<'_, Rule>) -> Option<Field> {
        let mut inner = pair.into_inner();
        let names = self.names(inner.next()?)?;
        let definition = self.type_expression(inner.nth(1)?)?;
        Some(Field { names, definition })
    }
}
