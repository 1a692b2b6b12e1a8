//! What a ruleset, a loop or a quantifier runs through.

use super::checker::{Checker, Role};
use super::constants::{constant, value_of};
use super::model::{Binder, Domain, Expression, TypeId, TypeKind};
use super::scopes::Binding;
use super::types::{INTEGER, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, Quantifier, TypeExpression};

/// A loop of more turns takes minutes by itself.
const MAX_TURNS: u128 = 1 << 36;

impl Checker {
    /// Declares the variable of a quantifier in the scope at hand; `None` after an error.
    pub fn binder(&mut self, quantifier: &Quantifier, role: Role) -> Option<Binder> {
        let domain = match &quantifier.domain {
            tree::Domain::Type(definition) => self.type_domain(definition),
            tree::Domain::Steps { from, upto, step } => {
                self.step_domain(from, upto, step.as_deref(), role, quantifier.span)
            }
        };
        let Some((domain, ty)) = domain else {
            self.declare(&quantifier.variable, Binding::Poison);
            return None;
        };
        // Of a ruleset the instances are counted.
        let turns = count(&domain);
        if role != Role::RulesetParameter && turns > MAX_TURNS {
            let message = format!("this runs through {turns} values, more than any search can visit");
            self.report(
                Diagnostic::warning("endless-loop", quantifier.span, message)
                    .help("run through a smaller range, or take larger steps with `by`"),
            );
        }
        let variable = self.add_value(&quantifier.variable, ty, role);
        Some(Binder { variable, domain, span: quantifier.span })
    }

    fn type_domain(&mut self, definition: &TypeExpression) -> Option<(Domain, TypeId)> {
        let ty = self.type_expression(definition, None);
        if ty == POISON {
            return None;
        }
        let Some((low, high)) = self.types.bounds(ty) else {
            let words = self.types.describe(ty);
            let is_array = matches!(self.types.kind(ty), Some(TypeKind::Array { .. }));
            let message = format!("a variable can run through a simple type, but this is {words}");
            let diagnostic = Diagnostic::error("domain-not-simple", definition.span, message);
            self.report(if is_array {
                diagnostic.help("run through the index type of the array instead")
            } else {
                diagnostic
            });
            return None;
        };
        Some((Domain::Constant { low, high }, ty))
    }

    fn step_domain(
        &mut self,
        from: &tree::Expression,
        upto: &tree::Expression,
        step: Option<&tree::Expression>,
        role: Role,
        span: Span,
    ) -> Option<(Domain, TypeId)> {
        let from = self.bound(from, role, "the first value");
        let upto = self.bound(upto, role, "the last value");
        let step = match step {
            Some(step) => self.bound(step, role, "the step"),
            None => Some(constant(1, INTEGER, span)),
        };
        let (from, upto, step) = (from?, upto?, step?);
        let known_step = value_of(&step);
        if known_step == Some(0) {
            self.report(
                Diagnostic::error("zero-step", step.span, "a step of zero never reaches the last value")
                    .help("use a positive step to count up, a negative one to count down"),
            );
            return None;
        }
        let (first, last) = (value_of(&from), value_of(&upto));
        if let (Some(first), Some(last), Some(by)) = (first, last, known_step) {
            if by == 1 && first <= last {
                let ty = self.types.range(first, last, None, span);
                return Some((Domain::Constant { low: first, high: last }, ty));
            }
            if step.span != span && first != last && (first < last) != (by > 0) {
                self.report(
                    Diagnostic::warning(
                        "wrong-direction",
                        step.span,
                        format!(
                            "from {first} to {last} by {by}: the step leads away from the last value, so there are no iterations"
                        ),
                    )
                    .help("reverse the sign of the step"),
                );
            }
        }
        let ty = self.hull(&from, &upto, span);
        let (from, upto, step) = (Box::new(from), Box::new(upto), Box::new(step));
        Some((Domain::Steps { from, upto, step }, ty))
    }

    /// One of the three numbers of `from to upto by step`; those of a ruleset are constants.
    fn bound(&mut self, tree: &tree::Expression, role: Role, what: &str) -> Option<Expression> {
        if role == Role::RulesetParameter {
            let what = format!("{what} of a ruleset's parameter");
            return self.constant_number(tree, &what).map(|value| constant(value, INTEGER, tree.span));
        }
        let value = self.expression(tree);
        let value = self.require_number(value, &format!("{what} of this range"));
        (value.ty != POISON).then_some(value)
    }

    /// The smallest known type for a variable that stays between two values.
    fn hull(&mut self, from: &Expression, upto: &Expression, span: Span) -> TypeId {
        let bounds = |value: &Expression| match (value_of(value), self.types.kind(value.ty)) {
            (Some(known), _) => Some((known, known)),
            (None, Some(TypeKind::Range { low, high })) => Some((*low, *high)),
            (None, _) => None,
        };
        match (bounds(from), bounds(upto)) {
            (Some((a, b)), Some((c, d))) if i128::from(b.max(d)) - i128::from(a.min(c)) < 1 << 63 => {
                self.types.range(a.min(c), b.max(d), None, span)
            }
            (Some(_) | None, _) => INTEGER,
        }
    }
}

/// How many values a domain with constant bounds has.
pub(super) fn count(domain: &Domain) -> u128 {
    let (first, last, step) = match domain {
        Domain::Constant { low, high } => (*low, *high, 1),
        Domain::Steps { from, upto, step } => match (value_of(from), value_of(upto), value_of(step)) {
            (Some(first), Some(last), Some(step)) => (first, last, step),
            // Not constant: reported where it was found.
            (_, _, _) => return 0,
        },
    };
    let (distance, step) = (i128::from(last) - i128::from(first), i128::from(step));
    if step == 0 || (distance != 0 && (distance > 0) != (step > 0)) {
        return 0;
    }
    (distance / step).unsigned_abs() + 1
}
