//! Operators: arithmetic, comparison, and the connectives that stop early.

use super::checker::Checker;
use super::compatibility::{NO_NUMBERS, NO_SLOT_NUMBERS, NOTHING_IN_COMMON};
use super::constants::{self, constant, poison, value_of};
use super::model::{ArithmeticOperator, CompareOperator, Expression, ExpressionKind};
use super::types::{BOOLEAN, INTEGER, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, BinaryOperator, ChainOperator, UnaryOperator};

impl Checker {
    pub fn unary(&mut self, operator: UnaryOperator, operand: &tree::Expression, span: Span) -> Expression {
        // The smallest number has no positive counterpart, so its sign belongs to the literal.
        if operator == UnaryOperator::Minus
            && let tree::ExpressionKind::Integer(value) = operand.kind
            && value == i64::MIN.unsigned_abs()
        {
            return constant(i64::MIN, INTEGER, span);
        }
        match operator {
            UnaryOperator::Not => {
                let operand = self.condition(operand, "the operand of `!`");
                if operand.ty == POISON {
                    return operand;
                }
                match value_of(&operand) {
                    Some(value) => constant(i64::from(value == 0), BOOLEAN, span),
                    None => Expression { kind: ExpressionKind::Not(Box::new(operand)), ty: BOOLEAN, span },
                }
            }
            UnaryOperator::Plus => {
                let operand = self.expression(operand);
                self.require_number(operand, "the operand of `+`")
            }
            UnaryOperator::Minus => {
                let operand = self.expression(operand);
                let operand = self.require_number(operand, "the operand of `-`");
                if operand.ty == POISON {
                    return operand;
                }
                match value_of(&operand).map(i64::checked_neg) {
                    Some(Some(value)) => return constant(value, INTEGER, span),
                    Some(None) => self.report_failure(constants::Failure::Overflow, span),
                    None => {}
                }
                Expression { kind: ExpressionKind::Negate(Box::new(operand)), ty: INTEGER, span }
            }
            UnaryOperator::BitNot => {
                let operand = self.expression(operand);
                let operand = self.require_number(operand, "the operand of `~`");
                if operand.ty == POISON {
                    return operand;
                }
                match value_of(&operand) {
                    Some(value) => constant(!value, INTEGER, span),
                    None => Expression { kind: ExpressionKind::BitNot(Box::new(operand)), ty: INTEGER, span },
                }
            }
        }
    }

    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &tree::Expression,
        right: &tree::Expression,
        span: Span,
    ) -> Expression {
        if operator == BinaryOperator::Implies {
            return self.implies(left, right, span);
        }
        let left = self.expression(left);
        let right = self.expression(right);
        match operator {
            BinaryOperator::Add => self.arithmetic(ArithmeticOperator::Add, left, right, span),
            BinaryOperator::Subtract => self.arithmetic(ArithmeticOperator::Subtract, left, right, span),
            BinaryOperator::Multiply => self.arithmetic(ArithmeticOperator::Multiply, left, right, span),
            BinaryOperator::Divide => self.arithmetic(ArithmeticOperator::Divide, left, right, span),
            BinaryOperator::Modulo => self.arithmetic(ArithmeticOperator::Modulo, left, right, span),
            BinaryOperator::BitXor => self.arithmetic(ArithmeticOperator::BitXor, left, right, span),
            BinaryOperator::ShiftLeft => self.arithmetic(ArithmeticOperator::ShiftLeft, left, right, span),
            BinaryOperator::ShiftRight => self.arithmetic(ArithmeticOperator::ShiftRight, left, right, span),
            BinaryOperator::Equal => self.equality(false, left, right, span),
            BinaryOperator::NotEqual => self.equality(true, left, right, span),
            BinaryOperator::Less => self.order(CompareOperator::Less, left, right, span),
            BinaryOperator::LessOrEqual => self.order(CompareOperator::LessOrEqual, left, right, span),
            BinaryOperator::Greater => self.order(CompareOperator::Greater, left, right, span),
            BinaryOperator::GreaterOrEqual => self.order(CompareOperator::GreaterOrEqual, left, right, span),
            // Taken care of above, since it is the one that stops early.
            BinaryOperator::Implies => poison(span),
        }
    }

    fn implies(&mut self, left: &tree::Expression, right: &tree::Expression, span: Span) -> Expression {
        let left = self.condition(left, "the left side of `->`");
        let dead = value_of(&left) == Some(0);
        let right = self.reached_unless(dead, |checker| checker.condition(right, "the right side of `->`"));
        if left.ty == POISON || right.ty == POISON {
            return poison(span);
        }
        match value_of(&left) {
            Some(0) => constant(1, BOOLEAN, span),
            Some(_) => right,
            None => Expression {
                kind: ExpressionKind::Implies(Box::new(left), Box::new(right)),
                ty: BOOLEAN,
                span,
            },
        }
    }

    fn arithmetic(
        &mut self,
        operator: ArithmeticOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Expression {
        let symbol = symbol(operator);
        let left = self.require_number(left, &format!("the left operand of `{symbol}`"));
        let right = self.require_number(right, &format!("the right operand of `{symbol}`"));
        if left.ty == POISON || right.ty == POISON {
            return poison(span);
        }
        match (value_of(&left), value_of(&right)) {
            (Some(left), Some(right)) => match constants::arithmetic(operator, left, right) {
                Ok(value) => return constant(value, INTEGER, span),
                Err(failure) => self.report_failure(failure, span),
            },
            (None, Some(0))
                if matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulo) =>
            {
                self.report_failure(constants::Failure::DivisionByZero, span);
            }
            // Where a constant is needed, whatever cannot change the result need not be one.
            (Some(0), None) if self.constant_needed && absorbs_zero(operator) => {
                return constant(0, INTEGER, span);
            }
            (Some(_), None) | (None, Some(_)) | (None, None) => {}
        }
        let kind = ExpressionKind::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
        Expression { kind, ty: INTEGER, span }
    }

    fn order(
        &mut self,
        operator: CompareOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Expression {
        if left.ty == POISON || right.ty == POISON {
            return poison(span);
        }
        for side in [&left, &right] {
            if self.types.is_number(side.ty) {
                continue;
            }
            let subject = self.subject(side);
            let words = self.types.describe(side.ty);
            let diagnostic = if self.types.is_symmetric(side.ty) {
                Diagnostic::error(
                    "scalarset-order",
                    side.span,
                    format!("the elements of a scalarset have no order, and {} is {words}", subject.words),
                )
                .help("compare with `=` or `!=`, or use a subrange instead of the scalarset")
            } else {
                let diagnostic = Diagnostic::error(
                    "order-needs-numbers",
                    side.span,
                    format!("only numbers have an order, but {} is {words}", subject.words),
                );
                match self.types.slot_owner(side.ty) {
                    Some(_) => diagnostic.help(NO_SLOT_NUMBERS),
                    None => diagnostic,
                }
            };
            self.report(subject.point(diagnostic));
            return poison(span);
        }
        self.compare(operator, left, right, span)
    }

    fn equality(&mut self, negated: bool, left: Expression, right: Expression, span: Span) -> Expression {
        let Some(ty) = self.join(left.ty, right.ty, span) else {
            let side = |side: &Expression| {
                format!("{} is {}", self.subject(side).words, self.types.describe(side.ty))
            };
            let diagnostic = Diagnostic::error("incomparable", span, "these two can never be equal")
                .also(left.span, side(&left))
                .also(right.span, side(&right));
            let numbers = [&left, &right].map(|side| self.types.is_number(side.ty));
            let symmetric = [&left, &right].map(|side| self.types.is_symmetric(side.ty));
            let slot = [&left, &right].iter().any(|side| self.types.slot_owner(side.ty).is_some());
            self.report(if numbers.contains(&true) && symmetric.contains(&true) {
                diagnostic.help(NO_NUMBERS)
            } else if symmetric == [true, true] {
                diagnostic.help(NOTHING_IN_COMMON)
            } else if slot {
                diagnostic.help(NO_SLOT_NUMBERS)
            } else {
                diagnostic
            });
            return poison(span);
        };
        if ty == POISON {
            return poison(span);
        }
        if self.types.is_compound(ty) {
            let (left, right) = (Box::new(left), Box::new(right));
            let kind = ExpressionKind::CompareCompound { negated, left, right };
            return Expression { kind, ty: BOOLEAN, span };
        }
        let (left, right) = (self.convert(left, ty), self.convert(right, ty));
        let operator = if negated { CompareOperator::NotEqual } else { CompareOperator::Equal };
        self.compare(operator, left, right, span)
    }

    fn compare(
        &mut self,
        operator: CompareOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Expression {
        if let (Some(left), Some(right)) = (value_of(&left), value_of(&right)) {
            return constant(i64::from(constants::compare(operator, left, right)), BOOLEAN, span);
        }
        let kind = ExpressionKind::Compare { operator, left: Box::new(left), right: Box::new(right) };
        Expression { kind, ty: BOOLEAN, span }
    }

    /// `a & b & c`: a conjunction of booleans, or bitwise between numbers, as the first operand
    /// decides.
    pub fn chain(
        &mut self,
        operator: ChainOperator,
        operands: &[tree::Expression],
        span: Span,
    ) -> Expression {
        let decisive = match operator {
            ChainOperator::And | ChainOperator::AndAnd => 0,
            ChainOperator::Or | ChainOperator::OrOr => 1,
        };
        let mut decided = false;
        let mut checked = Vec::with_capacity(operands.len());
        for operand in operands {
            let operand = self.reached_unless(decided, |checker| checker.expression(operand));
            decided |= operand.ty == BOOLEAN && value_of(&operand) == Some(decisive);
            checked.push(operand);
        }
        let operands = checked;
        let known = operands.iter().find(|operand| operand.ty != POISON);
        let numbers = known.is_some_and(|operand| self.types.is_number(operand.ty));
        match (operator, numbers) {
            (ChainOperator::And, true) => self.bitwise(ArithmeticOperator::BitAnd, operands, span),
            (ChainOperator::Or, true) => self.bitwise(ArithmeticOperator::BitOr, operands, span),
            (ChainOperator::And, false) => self.connective(true, operands, "&", span),
            (ChainOperator::AndAnd, _) => self.connective(true, operands, "&&", span),
            (ChainOperator::Or, false) => self.connective(false, operands, "|", span),
            (ChainOperator::OrOr, _) => self.connective(false, operands, "||", span),
        }
    }

    fn bitwise(&mut self, operator: ArithmeticOperator, operands: Vec<Expression>, span: Span) -> Expression {
        let mut operands = operands.into_iter();
        let Some(mut result) = operands.next() else { return poison(span) };
        for operand in operands {
            let so_far = result.span.to(operand.span);
            result = self.arithmetic(operator, result, operand, so_far);
        }
        result
    }

    fn connective(&mut self, and: bool, operands: Vec<Expression>, symbol: &str, span: Span) -> Expression {
        let what = format!("an operand of `{symbol}`");
        let mut kept = Vec::with_capacity(operands.len());
        let mut poisoned = false;
        let mut decided = false;
        for operand in operands {
            let operand = self.require_boolean(operand, &what);
            poisoned |= operand.ty == POISON;
            if poisoned || decided {
                continue;
            }
            match value_of(&operand) {
                // Neutral: it adds nothing.
                Some(value) if (value != 0) == and => {}
                // Decisive: what stands to its right is never evaluated.
                Some(_) => {
                    decided = true;
                    kept.push(operand);
                }
                None => match operand.kind {
                    ExpressionKind::And(inner) if and => kept.extend(inner),
                    ExpressionKind::Or(inner) if !and => kept.extend(inner),
                    kind => kept.push(Expression { kind, ..operand }),
                },
            }
        }
        if poisoned {
            return poison(span);
        }
        if kept.len() < 2 {
            return kept.pop().unwrap_or_else(|| constant(i64::from(and), BOOLEAN, span));
        }
        let kind = if and { ExpressionKind::And(kept) } else { ExpressionKind::Or(kept) };
        Expression { kind, ty: BOOLEAN, span }
    }
}

/// Whether the result is zero as soon as the left operand is.
fn absorbs_zero(operator: ArithmeticOperator) -> bool {
    match operator {
        ArithmeticOperator::Multiply
        | ArithmeticOperator::Divide
        | ArithmeticOperator::Modulo
        | ArithmeticOperator::BitAnd
        | ArithmeticOperator::ShiftLeft
        | ArithmeticOperator::ShiftRight => true,
        ArithmeticOperator::Add
        | ArithmeticOperator::Subtract
        | ArithmeticOperator::BitOr
        | ArithmeticOperator::BitXor => false,
    }
}

fn symbol(operator: ArithmeticOperator) -> &'static str {
    match operator {
        ArithmeticOperator::Add => "+",
        ArithmeticOperator::Subtract => "-",
        ArithmeticOperator::Multiply => "*",
        ArithmeticOperator::Divide => "/",
        ArithmeticOperator::Modulo => "%",
        ArithmeticOperator::BitAnd => "&",
        ArithmeticOperator::BitOr => "|",
        ArithmeticOperator::BitXor => "^",
        ArithmeticOperator::ShiftLeft => "<<",
        ArithmeticOperator::ShiftRight => ">>",
    }
}
