//! Which operator binds tighter.
//!
//! The grammar hands over a flat row of operands and operators. Two stacks turn it into a tree
//! without recursion, so that a row of a hundred thousand operators is an error message and not a
//! crash.

use super::expressions::Measured;
use super::{Builder, Span};
use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{
    BinaryOperator, ChainOperator, Expression, ExpressionKind, TemporalOperator, UnaryOperator,
};

/// Loosest first. `&&` and `||` bind looser than `|`, as in Rumur, the only tool that has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    LeadsTo,
    Implication,
    OrOr,
    AndAnd,
    Or,
    Xor,
    And,
    Until,
    Not,
    Comparison,
    Shift,
    Sum,
    Product,
    Sign,
    BitNot,
}

enum Operator {
    Prefix(UnaryOperator),
    Binary(BinaryOperator),
    Chain(ChainOperator),
    /// Of temporal logic, before one operand or between two.
    TemporalPrefix {
        operator: TemporalOperator,
        is_word: bool,
    },
    Temporal(TemporalOperator),
    /// With what stands between `?` and `:`.
    Conditional(Measured),
}

struct Waiting {
    operator: Operator,
    level: Level,
    span: Span,
}

#[derive(Default)]
pub(super) struct Row {
    operands: Vec<Measured>,
    waiting: Vec<Waiting>,
}

impl Row {
    pub(super) fn operand(&mut self, operand: Measured) {
        self.operands.push(operand);
    }

    pub(super) fn prefix(&mut self, sign: &str, span: Span) -> Option<()> {
        if let Some(operator) = temporal_prefix(sign) {
            let is_word = sign.starts_with(|first: char| first.is_ascii_alphabetic());
            let operator = Operator::TemporalPrefix { operator, is_word };
            self.waiting.push(Waiting { operator, level: Level::Not, span });
            return Some(());
        }
        let (operator, level) = match sign {
            "!" | "¬" => (UnaryOperator::Not, Level::Not),
            "-" | "−" => (UnaryOperator::Minus, Level::Sign),
            "+" => (UnaryOperator::Plus, Level::Sign),
            "~" => (UnaryOperator::BitNot, Level::BitNot),
            _ => return None,
        };
        self.waiting.push(Waiting { operator: Operator::Prefix(operator), level, span });
        Some(())
    }

    pub(super) fn binary(&mut self, builder: &mut Builder, sign: &str, span: Span) -> Option<()> {
        let (operator, level) = meaning(sign)?;
        self.reduce_before(builder, level)?;
        let same_level = self.waiting.last().is_some_and(|waiting| waiting.level == level);
        if same_level && level == Level::Comparison {
            builder.diagnostics.push(
                Diagnostic::error("syntax", span, "comparisons cannot be chained")
                    .help("put one of them in parentheses, or join two of them with `&`"),
            );
            return None;
        }
        if same_level && matches!(level, Level::Until | Level::LeadsTo) {
            builder.diagnostics.push(
                Diagnostic::error("syntax", span, "these temporal operators cannot be chained")
                    .help("put one of them in parentheses"),
            );
            return None;
        }
        self.waiting.push(Waiting { operator, level, span });
        Some(())
    }

    pub(super) fn conditional(&mut self, builder: &mut Builder, middle: Measured, span: Span) -> Option<()> {
        self.reduce_before(builder, Level::Conditional)?;
        let operator = Operator::Conditional(middle);
        self.waiting.push(Waiting { operator, level: Level::Conditional, span });
        Some(())
    }

    pub(super) fn finish(mut self, builder: &mut Builder) -> Option<Measured> {
        while let Some(waiting) = self.waiting.pop() {
            self.reduce(builder, waiting)?;
        }
        self.operands.pop()
    }

    /// Applies the operators that bind tighter than one of `level` that comes next.
    fn reduce_before(&mut self, builder: &mut Builder, level: Level) -> Option<()> {
        // Of several equal operators the left one comes first, except for these; and comparisons
        // stay to be complained about.
        let right_first = matches!(
            level,
            Level::Conditional | Level::LeadsTo | Level::Implication | Level::Until | Level::Comparison
        );
        while let Some(waiting) =
            self.waiting.pop_if(|top| top.level > level || (top.level == level && !right_first))
        {
            self.reduce(builder, waiting)?;
        }
        Some(())
    }

    fn reduce(&mut self, builder: &mut Builder, waiting: Waiting) -> Option<()> {
        let right = self.operands.pop()?;
        let combined = match waiting.operator {
            Operator::Prefix(operator) => {
                let span = waiting.span.to(right.expression.span);
                let depth = builder.check_depth(right.depth + 1, waiting.span)?;
                let operand = Box::new(right.expression);
                measured(ExpressionKind::Unary { operator, operand }, span, depth)
            }
            Operator::TemporalPrefix { operator, is_word } => {
                let span = waiting.span.to(right.expression.span);
                let depth = builder.check_depth(right.depth + 1, waiting.span)?;
                let operands = vec![right.expression];
                let word = is_word.then_some(waiting.span);
                measured(ExpressionKind::Temporal { operator, word, operands }, span, depth)
            }
            Operator::Temporal(operator) => {
                let left = self.operands.pop()?;
                let span = left.expression.span.to(right.expression.span);
                let depth = builder.check_depth(left.depth.max(right.depth) + 1, waiting.span)?;
                let operands = vec![left.expression, right.expression];
                measured(ExpressionKind::Temporal { operator, word: None, operands }, span, depth)
            }
            Operator::Binary(operator) => {
                let left = self.operands.pop()?;
                let span = left.expression.span.to(right.expression.span);
                let depth = builder.check_depth(left.depth.max(right.depth) + 1, waiting.span)?;
                let (left, right) = (Box::new(left.expression), Box::new(right.expression));
                measured(ExpressionKind::Binary { operator, left, right }, span, depth)
            }
            Operator::Chain(operator) => {
                let left = self.operands.pop()?;
                chain(builder, operator, left, right, waiting.span)?
            }
            Operator::Conditional(then) => {
                let condition = self.operands.pop()?;
                let span = condition.expression.span.to(right.expression.span);
                let height = condition.depth.max(then.depth).max(right.depth);
                let depth = builder.check_depth(height + 1, waiting.span)?;
                let kind = ExpressionKind::Conditional {
                    condition: Box::new(condition.expression),
                    then: Box::new(then.expression),
                    otherwise: Box::new(right.expression),
                };
                measured(kind, span, depth)
            }
        };
        self.operands.push(combined);
        Some(())
    }
}

fn measured(kind: ExpressionKind, span: Span, depth: u32) -> Measured {
    Measured { expression: Expression { kind, span }, depth, grouped: false }
}

/// Joins two operands, extending the chain on the left if it is one of the same operator.
fn chain(
    builder: &mut Builder,
    operator: ChainOperator,
    left: Measured,
    right: Measured,
    sign: Span,
) -> Option<Measured> {
    let span = left.expression.span.to(right.expression.span);
    let right_depth = builder.check_depth(right.depth + 1, sign)?;
    match left.expression.kind {
        ExpressionKind::Chain { operator: same, mut operands } if same == operator && !left.grouped => {
            operands.push(right.expression);
            let depth = left.depth.max(right_depth);
            Some(measured(ExpressionKind::Chain { operator, operands }, span, depth))
        }
        kind => {
            let depth = builder.check_depth(left.depth + 1, sign)?.max(right_depth);
            let first = Expression { kind, span: left.expression.span };
            let operands = vec![first, right.expression];
            Some(measured(ExpressionKind::Chain { operator, operands }, span, depth))
        }
    }
}

fn meaning(sign: &str) -> Option<(Operator, Level)> {
    use BinaryOperator as Binary;
    use ChainOperator as Chain;
    if let Some((operator, level)) = temporal(sign) {
        return Some((Operator::Temporal(operator), level));
    }
    Some(match sign {
        "->" | "→" => (Operator::Binary(Binary::Implies), Level::Implication),
        "||" | "∨" => (Operator::Chain(Chain::OrOr), Level::OrOr),
        "&&" | "∧" => (Operator::Chain(Chain::AndAnd), Level::AndAnd),
        "|" => (Operator::Chain(Chain::Or), Level::Or),
        "^" => (Operator::Binary(Binary::BitXor), Level::Xor),
        "&" => (Operator::Chain(Chain::And), Level::And),
        "=" | "==" => (Operator::Binary(Binary::Equal), Level::Comparison),
        "!=" | "≠" => (Operator::Binary(Binary::NotEqual), Level::Comparison),
        "<" => (Operator::Binary(Binary::Less), Level::Comparison),
        "<=" | "≤" => (Operator::Binary(Binary::LessOrEqual), Level::Comparison),
        ">" => (Operator::Binary(Binary::Greater), Level::Comparison),
        ">=" | "≥" => (Operator::Binary(Binary::GreaterOrEqual), Level::Comparison),
        "<<" => (Operator::Binary(Binary::ShiftLeft), Level::Shift),
        ">>" => (Operator::Binary(Binary::ShiftRight), Level::Shift),
        "+" => (Operator::Binary(Binary::Add), Level::Sum),
        "-" | "−" => (Operator::Binary(Binary::Subtract), Level::Sum),
        "*" | "×" => (Operator::Binary(Binary::Multiply), Level::Product),
        "/" | "÷" | "∕" => (Operator::Binary(Binary::Divide), Level::Product),
        "%" => (Operator::Binary(Binary::Modulo), Level::Product),
        _ => return None,
    })
}

fn temporal_prefix(sign: &str) -> Option<TemporalOperator> {
    match sign.to_ascii_lowercase().as_str() {
        "always" | "[]" => Some(TemporalOperator::Always),
        "eventually" | "<>" => Some(TemporalOperator::Eventually),
        "next" => Some(TemporalOperator::Next),
        _ => None,
    }
}

fn temporal(sign: &str) -> Option<(TemporalOperator, Level)> {
    match sign.to_ascii_lowercase().as_str() {
        "until" => Some((TemporalOperator::Until, Level::Until)),
        "weakuntil" => Some((TemporalOperator::WeakUntil, Level::Until)),
        "release" => Some((TemporalOperator::Release, Level::Until)),
        "leadsto" | "~>" => Some((TemporalOperator::LeadsTo, Level::LeadsTo)),
        _ => None,
    }
}
