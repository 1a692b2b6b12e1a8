//! `ismember(x, T)`: which part of a union a value lies in.

use super::checker::Checker;
use super::constants::poison;
use super::model::{Expression, ExpressionKind, TypeId, TypeKind};
use super::scopes::Binding;
use super::types::{BOOLEAN, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, Name, TypeExpression, TypeExpressionKind};

impl Checker {
    pub fn is_member(
        &mut self,
        value: &tree::Expression,
        definition: &TypeExpression,
        span: Span,
    ) -> Expression {
        let value = self.expression(value);
        let wanted = match &definition.kind {
            // An in-line enum repeats one that the union declared; it declares nothing itself.
            TypeExpressionKind::Enum(members) => self.known_members(members),
            TypeExpressionKind::Name(_)
            | TypeExpressionKind::Range { .. }
            | TypeExpressionKind::Scalarset(_)
            | TypeExpressionKind::Union(_)
            | TypeExpressionKind::Array { .. }
            | TypeExpressionKind::Record(_)
            | TypeExpressionKind::Multiset { .. }
            | TypeExpressionKind::Real => self.whole_members(definition),
        };
        let Some(wanted) = wanted.filter(|_| value.ty != POISON) else { return poison(span) };
        let Some(stretches) = self.stretches(value.ty) else {
            let words = self.types.describe(value.ty);
            self.report(Diagnostic::error(
                "ismember-value",
                value.span,
                format!("`ismember` asks about a value of a union, but this is {words}"),
            ));
            return poison(span);
        };
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for (member, low, high) in wanted {
            for (part, first) in &stretches {
                if *part == member {
                    ranges.push((first + low, first + high));
                }
            }
        }
        if ranges.is_empty() {
            let words = self.types.describe(value.ty);
            self.report(
                Diagnostic::warning(
                    "ismember-never",
                    span,
                    format!("the value is {words}, which never lies in this type"),
                )
                .label("always false"),
            );
        }
        ranges.sort_unstable();
        let kind = ExpressionKind::IsMember { value: Box::new(value), ranges };
        Expression { kind, ty: BOOLEAN, span }
    }

    /// The members of a union-like type and where each begins.
    fn stretches(&self, ty: TypeId) -> Option<Vec<(TypeId, i64)>> {
        match self.types.kind(ty)? {
            TypeKind::Enum { .. } | TypeKind::Scalarset { .. } => Some(vec![(ty, 0)]),
            TypeKind::Union(union) => {
                Some(union.members.iter().map(|member| (member.ty, member.first)).collect())
            }
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Range { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record { .. }
            | TypeKind::Multiset { .. } => None,
        }
    }

    /// All values of a named type, member by member.
    fn whole_members(&mut self, definition: &TypeExpression) -> Option<Vec<(TypeId, i64, i64)>> {
        let ty = self.type_expression(definition, None);
        if ty == POISON {
            return None;
        }
        let Some(stretches) = self.stretches(ty) else {
            let words = self.types.describe(ty);
            self.report(Diagnostic::error(
                "ismember-type",
                definition.span,
                format!("`ismember` needs an enum, a scalarset or a union, but this is {words}"),
            ));
            return None;
        };
        let whole = |(member, _)| {
            let (low, high) = self.types.bounds(member).unwrap_or((0, 0));
            (member, low, high)
        };
        Some(stretches.into_iter().map(whole).collect())
    }

    /// The values that an in-line enum lists.
    fn known_members(&mut self, members: &[Name]) -> Option<Vec<(TypeId, i64, i64)>> {
        let mut found = Vec::with_capacity(members.len());
        for member in members {
            match self.resolve(&member.text, member.span) {
                Binding::Constant { value, ty }
                    if matches!(self.types.kind(ty), Some(TypeKind::Enum { .. })) =>
                {
                    found.push((ty, value, value));
                }
                Binding::Poison => return None,
                other @ (Binding::Constant { .. }
                | Binding::Type(_)
                | Binding::Global(_)
                | Binding::Local(_)
                | Binding::Function(_)) => {
                    let words = self.binding_words(other);
                    self.report(Diagnostic::error(
                        "ismember-type",
                        member.span,
                        format!("`{}` is {words}, but an enum member is needed here", member.text),
                    ));
                    return None;
                }
            }
        }
        Some(found)
    }
}
