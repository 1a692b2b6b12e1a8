//! Expressions: dispatch, and the forms that are neither operators nor designators.

use super::checker::{Checker, Role};
use super::constants::{constant, poison, value_of};
use super::designators::Designated;
use super::model::{Binder, Domain, Expression, ExpressionKind};
use super::temporal::temporal_word;
use super::types::{BOOLEAN, INTEGER, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, Quantifier};

impl Checker {
    pub fn expression(&mut self, tree: &tree::Expression) -> Expression {
        let span = tree.span;
        match &tree.kind {
            tree::ExpressionKind::Integer(value) => self.literal(*value, span),
            tree::ExpressionKind::Name(_)
            | tree::ExpressionKind::Field { .. }
            | tree::ExpressionKind::Index { .. } => {
                let designated = self.designated(tree);
                Self::read(designated)
            }
            tree::ExpressionKind::Call { name, arguments } => self.function_call(name, arguments, span),
            tree::ExpressionKind::Unary { operator, operand } => self.unary(*operator, operand, span),
            tree::ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, left, right, span)
            }
            tree::ExpressionKind::Chain { operator, operands } => self.chain(*operator, operands, span),
            tree::ExpressionKind::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, span)
            }
            tree::ExpressionKind::Forall { quantifiers, body } => {
                self.quantified(quantifiers, body, true, span)
            }
            tree::ExpressionKind::Exists { quantifiers, body } => {
                self.quantified(quantifiers, body, false, span)
            }
            tree::ExpressionKind::IsUndefined(operand) => self.is_undefined(operand, span),
            tree::ExpressionKind::IsMember { value, definition } => self.is_member(value, definition, span),
            tree::ExpressionKind::MultisetCount { variable, multiset, condition } => {
                self.multiset_count(variable, multiset, condition, span)
            }
            tree::ExpressionKind::Real => {
                self.report(
                    Diagnostic::error("unsupported-real", span, "mcc does not support real numbers")
                        .help("scale the quantity and use whole numbers"),
                );
                poison(span)
            }
            tree::ExpressionKind::Temporal { .. } | tree::ExpressionKind::Fired { .. } => {
                let (word, span) = temporal_word(tree);
                let message = format!("{word} cannot stand here");
                self.report(
                    Diagnostic::error("temporal-operand", span, message)
                        .help("formulas are joined by `!`, `&`, `|`, `->` and temporal operators alone"),
                );
                poison(span)
            }
            tree::ExpressionKind::Undefined => {
                self.report(
                    Diagnostic::error(
                        "undefined-value",
                        span,
                        "`undefined` can only be assigned or passed to a read-only parameter",
                    )
                    .help("ask with `isundefined(…)` whether a variable is undefined"),
                );
                poison(span)
            }
        }
    }

    /// An expression that must be a boolean.
    pub fn condition(&mut self, tree: &tree::Expression, what: &str) -> Expression {
        let value = self.expression(tree);
        self.require_boolean(value, what)
    }

    fn literal(&mut self, value: u64, span: Span) -> Expression {
        match i64::try_from(value) {
            Ok(value) => constant(value, INTEGER, span),
            Err(_) => {
                self.report(
                    Diagnostic::error(
                        "number-too-large",
                        span,
                        format!("{value} does not fit into 64 bits with a sign"),
                    )
                    .help(format!("the largest number is {}", i64::MAX)),
                );
                poison(span)
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &tree::Expression,
        then: &tree::Expression,
        otherwise: &tree::Expression,
        span: Span,
    ) -> Expression {
        let condition = self.condition(condition, "the condition of `?:`");
        let known = value_of(&condition);
        let then = self.reached_unless(known == Some(0), |checker| checker.expression(then));
        let otherwise = self.reached_unless(known == Some(1), |checker| checker.expression(otherwise));
        let Some(ty) = self.join(then.ty, otherwise.ty, span) else {
            let (left, right) = (self.types.describe(then.ty), self.types.describe(otherwise.ty));
            self.report(
                Diagnostic::error(
                    "type-mismatch",
                    span,
                    "the two results of this conditional have nothing in common",
                )
                .also(then.span, format!("this is {left}"))
                .also(otherwise.span, format!("this is {right}")),
            );
            return poison(span);
        };
        if ty == POISON || condition.ty == POISON {
            return Expression { ty, ..poison(span) };
        }
        let (then, otherwise) = (self.convert(then, ty), self.convert(otherwise, ty));
        match known {
            Some(0) => Expression { ty, ..otherwise },
            Some(_) => Expression { ty, ..then },
            None => Expression {
                kind: ExpressionKind::Conditional {
                    condition: Box::new(condition),
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                },
                ty,
                span,
            },
        }
    }

    fn quantified(
        &mut self,
        quantifiers: &[Quantifier],
        body: &tree::Expression,
        all: bool,
        span: Span,
    ) -> Expression {
        let mut binders = Vec::with_capacity(quantifiers.len());
        for quantifier in quantifiers {
            self.scopes.enter();
            binders.push(self.binder(quantifier, Role::QuantifierVariable));
        }
        let name = if all { "forall" } else { "exists" };
        let mut result = self.condition(body, &format!("the body of `{name}`"));
        for binder in binders.into_iter().rev() {
            self.scopes.leave();
            result = match binder {
                Some(binder) => quantify(binder, result, all, span),
                None => Expression { ty: POISON, ..result },
            };
        }
        result
    }

    fn is_undefined(&mut self, operand: &tree::Expression, span: Span) -> Expression {
        match self.designated(operand) {
            Designated::Place { place, .. } if self.types.is_simple(place.ty) => {
                Expression { kind: ExpressionKind::IsUndefined(place), ty: BOOLEAN, span }
            }
            Designated::Place { place, .. } => {
                if place.ty != POISON {
                    let words = self.types.describe(place.ty);
                    self.report(
                        Diagnostic::error(
                            "isundefined-compound",
                            operand.span,
                            format!("`isundefined` needs a simple variable, but this is {words}"),
                        )
                        .help("ask about one of its parts"),
                    );
                }
                Expression { ty: BOOLEAN, ..poison(span) }
            }
            // A loop variable or a parameter of a ruleset always has a value.
            Designated::Value(Expression { kind: ExpressionKind::Value(_), .. }) => {
                constant(0, BOOLEAN, span)
            }
            Designated::Value(value) => {
                if value.ty != POISON {
                    self.report(Diagnostic::error(
                        "isundefined-value",
                        operand.span,
                        "`isundefined` needs a variable, but this is a computed value",
                    ));
                }
                poison(span)
            }
        }
    }
}

/// One `forall` or `exists` around a body.
fn quantify(binder: Binder, body: Expression, all: bool, span: Span) -> Expression {
    if body.ty == POISON {
        return body;
    }
    if matches!(binder.domain, Domain::Constant { .. })
        && let Some(known) = value_of(&body)
    {
        return constant(known, BOOLEAN, span);
    }
    let body = Box::new(body);
    let kind =
        if all { ExpressionKind::Forall { binder, body } } else { ExpressionKind::Exists { binder, body } };
    Expression { kind, ty: BOOLEAN, span }
}
