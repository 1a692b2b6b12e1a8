//! `always`, `eventually` and `next` where the model has something of that name.
//!
//! In a formula the words are operators. Where they could as well be meant as names the formula is
//! refused, because a property that says something else than its author meant may be verified for
//! the wrong reason: `next(b)` may be a call, and `next - 1 = 0` may be about a variable.

use super::super::checker::Checker;
use super::super::scopes::Binding;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{Expression, ExpressionKind, TemporalOperator, UnaryOperator};

impl Checker {
    /// Refuses an operator that is written as a word, at `word`, if it may be meant as a name.
    pub(super) fn check_word(&mut self, operator: TemporalOperator, word: Span, operand: &Expression) {
        let (name, sign) = match operator {
            TemporalOperator::Always => ("always", Some("[]")),
            TemporalOperator::Eventually => ("eventually", Some("<>")),
            TemporalOperator::Next => ("next", None),
            TemporalOperator::Until
            | TemporalOperator::WeakUntil
            | TemporalOperator::Release
            | TemporalOperator::LeadsTo => return,
        };
        let with_sign = begins_with_sign(operand);
        // What is declared in any case of letters: a mistake in it would not be noticed either.
        let meant = self.scopes.find_ignoring_case(name, |binding| match binding {
            Binding::Function(_) => true,
            Binding::Constant { .. } | Binding::Global(_) | Binding::Local(_) => with_sign,
            Binding::Type(_) | Binding::Poison => false,
        });
        let Some(entry) = meant else { return };
        let remedy = match (entry.binding, sign) {
            (_, Some(sign)) => format!("write `{sign}` for the operator, or give the other another name"),
            (Binding::Function(_), None) => "give the function another name".to_owned(),
            (_, None) => {
                "for the operator, put its operand in parentheses; or give the other another name".to_owned()
            }
        };
        self.report(
            Diagnostic::error(
                "operator-or-name",
                word,
                format!("`{name}` may mean the temporal operator or what the model calls so"),
            )
            .label("in a formula this is the operator")
            .also(entry.span, "declared here")
            .help(remedy),
        );
    }
}

/// Whether the first thing in it is `+` or `-`, outside of parentheses: a parenthesised expression
/// has the span of its parentheses, and begins before its first operand.
fn begins_with_sign(tree: &Expression) -> bool {
    let first = match &tree.kind {
        ExpressionKind::Unary { operator: UnaryOperator::Minus | UnaryOperator::Plus, operand } => {
            // In parentheses the operand is further away, which cannot be seen from here; being
            // refused then is on the safe side.
            return operand.span.start > tree.span.start;
        }
        ExpressionKind::Binary { left, .. } => Some(&**left),
        ExpressionKind::Chain { operands, .. } => operands.first(),
        ExpressionKind::Conditional { condition, .. } => Some(&**condition),
        ExpressionKind::Temporal { word: None, operands, .. } if operands.len() == 2 => operands.first(),
        _ => None,
    };
    first.is_some_and(|first| first.span.start == tree.span.start && begins_with_sign(first))
}
