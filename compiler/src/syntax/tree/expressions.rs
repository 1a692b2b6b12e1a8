//! Expressions of the syntax tree, and their operators.

use super::{Name, Quantifier, Text, TypeExpression};
use crate::source::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Not,
    Minus,
    Plus,
    /// Rumur's `~`
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Implies,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

/// Chains are kept flat, so that an invariant of thousands of conjuncts is not thousands of levels
/// deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainOperator {
    /// `&`: a conjunction of booleans, or bitwise between integers.
    And,
    /// `|`: likewise.
    Or,
    /// `&&` is always a conjunction.
    AndAnd,
    /// `||` is always a disjunction.
    OrOr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// Without its sign, so that the smallest 64-bit number can be written.
    Integer(u64),
    /// A number with a decimal point: recognised so that it can be refused by name.
    Real,
    Name(String),
    Field {
        base: Box<Expression>,
        field: Name,
    },
    Index {
        base: Box<Expression>,
        index: Box<Expression>,
    },
    Call {
        name: Name,
        arguments: Vec<Expression>,
    },
    Unary {
        operator: UnaryOperator,
        operand: Box<Expression>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Chain {
        operator: ChainOperator,
        operands: Vec<Expression>,
    },
    Conditional {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    Forall {
        quantifiers: Vec<Quantifier>,
        body: Box<Expression>,
    },
    Exists {
        quantifiers: Vec<Quantifier>,
        body: Box<Expression>,
    },
    IsUndefined(Box<Expression>),
    IsMember {
        value: Box<Expression>,
        definition: Box<TypeExpression>,
    },
    MultisetCount {
        variable: Name,
        multiset: Box<Expression>,
        condition: Box<Expression>,
    },
    /// `undefined` on the right of an assignment.
    Undefined,
    /// An operator of temporal logic; only in an `ltl` property.
    Temporal {
        operator: TemporalOperator,
        /// Where a word stands before its operand, which might be meant as a name; `None`: a sign,
        /// or an operator between two.
        word: Option<Span>,
        /// One or two, as the operator says.
        operands: Vec<Expression>,
    },
    /// `fired("rule", values)`, about a step; only in an `ltl` property.
    Fired {
        rule: Text,
        arguments: Vec<Expression>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalOperator {
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    LeadsTo,
}
