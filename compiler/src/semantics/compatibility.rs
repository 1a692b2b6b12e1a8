//! Which values may go where: subranges among each other, unions with their members, and little
//! else.

use std::collections::{HashMap, HashSet};

use super::checker::Checker;
use super::constants::{constant, value_of};
use super::model::{ConvertPiece, Expression, ExpressionKind, TypeId, TypeKind};
use super::types::{INTEGER, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// What to do where a scalarset meets a number.
pub(super) const NO_NUMBERS: &str =
    "the elements of a scalarset have no numbers: take one from a ruleset, a loop or a variable";

/// What to do where two scalarsets meet.
pub(super) const NOTHING_IN_COMMON: &str =
    "two scalarsets have no element in common: use one type for both, or a union where either may stand";

/// What to do where a slot meets a number.
pub(super) const NO_SLOT_NUMBERS: &str =
    "slots have no numbers: they name the elements of their multiset, and can be compared with each other";

/// A stretch of a union-like type: a member with its place in the numbering.
struct UnionPart {
    member: TypeId,
    first: i64,
    count: i64,
}

impl Checker {
    /// An enum, scalarset or union as a list of its members; `None` for every other type.
    fn parts(&self, ty: TypeId) -> Option<Vec<UnionPart>> {
        match self.types.kind(ty)? {
            TypeKind::Enum { members } => {
                Some(vec![UnionPart { member: ty, first: 0, count: members.len() as i64 }])
            }
            TypeKind::Scalarset { size } => {
                Some(vec![UnionPart { member: ty, first: 0, count: i64::from(*size) }])
            }
            TypeKind::Union(union) => {
                let part = |member: &super::model::UnionMember| UnionPart {
                    member: member.ty,
                    first: member.first,
                    count: member.count,
                };
                Some(union.members.iter().map(part).collect())
            }
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Range { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record { .. }
            | TypeKind::Multiset { .. } => None,
        }
    }

    /// How values of one type become values of another: `None` where they never do, no pieces where
    /// nothing changes.
    pub(super) fn conversion(&self, from: TypeId, to: TypeId) -> Option<Vec<ConvertPiece>> {
        if self.types.same(from, to) || (self.types.is_number(from) && self.types.is_number(to)) {
            return Some(Vec::new());
        }
        let (from, to) = (self.parts(from)?, self.parts(to)?);
        let targets: HashMap<TypeId, i64> = to.iter().map(|target| (target.member, target.first)).collect();
        let mut pieces = Vec::new();
        for source in &from {
            if let Some(first) = targets.get(&source.member) {
                let high = source.first + source.count - 1;
                pieces.push(ConvertPiece { low: source.first, high, shift: first - source.first });
            }
        }
        if pieces.is_empty() { None } else { Some(pieces) }
    }

    pub fn are_compatible(&self, left: TypeId, right: TypeId) -> bool {
        left == POISON || right == POISON || self.conversion(left, right).is_some()
    }

    /// The smallest type that has room for the values of both; `None` if they have none in common.
    pub fn join(&mut self, left: TypeId, right: TypeId, span: Span) -> Option<TypeId> {
        if left == POISON || right == POISON {
            return Some(POISON);
        }
        if self.types.same(left, right) {
            return Some(left);
        }
        if self.types.is_number(left) && self.types.is_number(right) {
            return Some(INTEGER);
        }
        self.conversion(left, right)?;
        let members = |parts: Vec<UnionPart>| parts.into_iter().map(|part| part.member).collect::<Vec<_>>();
        let (lefts, rights) = (members(self.parts(left)?), members(self.parts(right)?));
        let (left_set, right_set): (HashSet<_>, HashSet<_>) =
            (lefts.iter().collect(), rights.iter().collect());
        if right_set.is_subset(&left_set) {
            return Some(left);
        }
        if left_set.is_subset(&right_set) {
            return Some(right);
        }
        let missing = rights.iter().filter(|member| !left_set.contains(member));
        let all: Vec<TypeId> = lefts.iter().chain(missing).copied().collect();
        Some(self.types.union(&all, None, span))
    }

    /// Brings a value into the numbering of a compatible type; anything else is returned as it is.
    pub fn convert(&self, value: Expression, to: TypeId) -> Expression {
        let Some(pieces) = self.conversion(value.ty, to).filter(|pieces| !pieces.is_empty()) else {
            return value;
        };
        let span = value.span;
        if let Some(known) = value_of(&value)
            && let Some(piece) = pieces.iter().find(|piece| piece.low <= known && known <= piece.high)
        {
            return constant(known + piece.shift, to, span);
        }
        Expression { kind: ExpressionKind::Convert { value: Box::new(value), pieces }, ty: to, span }
    }

    /// Brings a value to where a value of type `to` is needed, or says why it cannot go there.
    /// `purpose` begins the sentence: "this assignment".
    pub fn coerce(&mut self, value: Expression, to: TypeId, purpose: &str) -> Expression {
        if value.ty == POISON || to == POISON {
            return Expression { ty: POISON, ..value };
        }
        if !self.are_compatible(value.ty, to) {
            let diagnostic = self.mismatch(&value, to, purpose);
            self.report(diagnostic);
            return Expression { ty: POISON, ..value };
        }
        self.warn_out_of_range(&value, to, purpose);
        self.convert(value, to)
    }

    /// Says that a value does not go where one of type `to` is needed.
    pub fn mismatch(&self, value: &Expression, to: TypeId, purpose: &str) -> Diagnostic {
        let (from, span) = (value.ty, value.span);
        let needed = self.types.describe_value(to);
        let subject = self.subject(value);
        let given = self.types.describe(from);
        let message = format!("{purpose} needs {needed}, but {} is {given}", subject.words);
        if self.types.is_symmetric(to) && self.types.is_number(from) {
            return Diagnostic::error("scalarset-literal", span, message).help(NO_NUMBERS);
        }
        if self.types.is_symmetric(from) && self.types.is_number(to) {
            return Diagnostic::error("scalarset-as-number", span, message).help(
                "a scalarset may only be compared for equality, assigned, used as an index or enumerated",
            );
        }
        let mut diagnostic = subject.point(Diagnostic::error("type-mismatch", span, message));
        if self.types.is_symmetric(from) && self.types.is_symmetric(to) {
            diagnostic = diagnostic.help(NOTHING_IN_COMMON);
        }
        if self.types.slot_owner(from).is_some() {
            diagnostic = diagnostic.help(NO_SLOT_NUMBERS);
        }
        if self.types.is_compound(from) && self.types.is_compound(to) {
            diagnostic = diagnostic
                .help("compound values fit only where both sides have the same parts in the same order");
        }
        if let Some(ty) = self.types.get(to)
            && ty.name.is_some()
            && ty.span != Span::default()
        {
            diagnostic = diagnostic.also(ty.span, format!("{needed} is needed"));
        }
        diagnostic
    }

    /// A constant that cannot fit is a run-time error wherever it is reached: worth a warning now.
    fn warn_out_of_range(&mut self, value: &Expression, to: TypeId, purpose: &str) {
        if !self.unreached
            && let Some(known) = value_of(value)
            && let Some(TypeKind::Range { low, high }) = self.types.kind(to)
            && !(*low..=*high).contains(&known)
        {
            let diagnostic = Diagnostic::warning(
                "out-of-range",
                value.span,
                format!("{purpose} needs a number from {low} to {high}, but this is {known}"),
            )
            .label("a run-time error, if it is ever reached");
            self.report(diagnostic);
        }
    }

    /// A boolean, or an error that says what was found instead.
    pub fn require_boolean(&mut self, value: Expression, what: &str) -> Expression {
        if value.ty == POISON || value.ty == super::types::BOOLEAN {
            return value;
        }
        let subject = self.subject(&value);
        let words = self.types.describe(value.ty);
        let message = format!("{what} must be a boolean, but {} is {words}", subject.words);
        self.report(subject.point(Diagnostic::error("boolean-needed", value.span, message)));
        Expression { ty: POISON, ..value }
    }

    /// A number, or an error that says what was found instead.
    pub fn require_number(&mut self, value: Expression, what: &str) -> Expression {
        if value.ty == POISON || self.types.is_number(value.ty) {
            return value;
        }
        let subject = self.subject(&value);
        let words = self.types.describe(value.ty);
        let message = format!("{what} must be a number, but {} is {words}", subject.words);
        let diagnostic = if self.types.is_symmetric(value.ty) {
            Diagnostic::error("scalarset-as-number", value.span, message).help(
                "a scalarset may only be compared for equality, assigned, used as an index or enumerated",
            )
        } else {
            let diagnostic = Diagnostic::error("number-needed", value.span, message);
            match self.types.slot_owner(value.ty) {
                Some(_) => diagnostic.help(NO_SLOT_NUMBERS),
                None => diagnostic,
            }
        };
        self.report(subject.point(diagnostic));
        Expression { ty: POISON, ..value }
    }
}
