//! What rules, functions and properties do: their statements, expressions and places.

use super::{FunctionId, GlobalId, LocalId, TypeId};
#[cfg(doc)]
use super::{LocalKind, Model, TypeKind};
use crate::source::Span;

/// A variable that runs through a domain; its local is a [`LocalKind::Value`].
#[derive(Clone, Debug)]
pub struct Binder {
    pub variable: LocalId,
    pub domain: Domain,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Domain {
    /// Every value from `low` to `high` of a type, or of `low to high` with constant bounds:
    /// not empty, so `low <= high`.
    Constant { low: i64, high: i64 },
    /// `from to upto by step`: evaluated once, before the loop; a step of zero is a run-time error
    /// (where it is a constant zero, a compile-time one). Empty where `from` is already past
    /// `upto`.
    Steps { from: Box<Expression>, upto: Box<Expression>, step: Box<Expression> },
}

#[derive(Clone, Debug)]
pub struct AliasBinding {
    pub local: LocalId,
    pub value: AliasValue,
}

#[derive(Clone, Debug)]
pub enum AliasValue {
    /// The local is a [`LocalKind::Reference`].
    Place(Place),
    /// The local is a [`LocalKind::Value`] (simple type, always defined) or a
    /// [`LocalKind::Storage`] that holds a copy.
    Expression(Expression),
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A simple target. `value` counts in the target's numbering (already converted); its static
    /// type may be wider, then the range is checked. Where `value` is exactly a read of a simple
    /// place ([`ExpressionKind::Read`], perhaps under a [`ExpressionKind::Convert`]), or a
    /// scalarset or union, "undefined" is copied.
    Assign {
        target: Place,
        value: Expression,
    },
    /// A record, array or multiset of the same type; undefined parts are copied as they are.
    Copy {
        target: Place,
        source: Expression,
    },
    If {
        arms: Vec<(Expression, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    /// The subject is evaluated once; cases are tried in order, from the left, and compared as by
    /// `=`.
    Switch {
        subject: Expression,
        cases: Vec<SwitchCase>,
        otherwise: Vec<Statement>,
    },
    For {
        binder: Binder,
        body: Vec<Statement>,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
    },
    Alias {
        binding: AliasBinding,
        body: Vec<Statement>,
    },
    Call(Call),
    Clear(Place),
    Undefine(Place),
    Error(String),
    Assert {
        condition: Expression,
        message: String,
    },
    Assume {
        condition: Expression,
    },
    /// `index` into [`Model::cover_statements`].
    Cover {
        index: u32,
        condition: Expression,
    },
    PutText(String),
    /// A simple value (which may be undefined, if it is a place), or a whole place.
    PutValue(Expression),
    /// Simple results are converted to the function's type and range-checked.
    Return(Option<Expression>),
    /// `value` has the element type: simple (converted, checked) or compound.
    MultisetAdd {
        value: Expression,
        multiset: Place,
    },
    /// `slot` is an integer from 0.
    MultisetRemove {
        slot: Expression,
        multiset: Place,
    },
    /// `variable` is a [`LocalKind::Value`]: the number of an occupied slot.
    MultisetRemovePredicate {
        variable: LocalId,
        multiset: Place,
        condition: Expression,
    },
}

#[derive(Clone, Debug)]
pub struct SwitchCase {
    pub values: Vec<Expression>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub function: FunctionId,
    pub arguments: Vec<Argument>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Argument {
    /// For a `var` parameter: a place of the same type.
    Reference(Place),
    /// For a read-only parameter: as in [`StatementKind::Assign`] or [`StatementKind::Copy`].
    Value(Expression),
}

/// Something with storage: a variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
    /// The type of what is reached after the last step.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Root {
    Global(GlobalId),
    /// [`LocalKind::Storage`] or [`LocalKind::Reference`].
    Local(LocalId),
    /// The record or array that an expression returns (a call, or a conditional): readable, not
    /// assignable.
    Temporary(Box<Expression>),
}

#[derive(Clone, Debug)]
pub enum Step {
    /// Position in [`TypeKind::Record`]'s fields.
    Field(u32),
    /// Counts in the numbering of the array's index type; checked at run time where its static type
    /// does not exclude a value outside.
    Index(Box<Expression>),
    /// An element of a multiset by the number of its slot, from 0; an empty slot is a run-time
    /// error.
    Slot(Box<Expression>),
}

#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub ty: TypeId,
    pub span: Span,
}

impl Expression {
    /// Its own nodes, without those of the expressions inside it: what its code grows with.
    pub fn own_nodes(&self) -> usize {
        match &self.kind {
            ExpressionKind::IsMember { ranges, .. } => 1 + ranges.len(),
            ExpressionKind::Convert { pieces, .. } => pieces.len(),
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => 1 + place.steps.len(),
            _ => 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOperator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// Literals, constants, enum members, `true` and `false`, and whatever folds to one.
    Constant(i64),
    /// The value of a [`LocalKind::Value`].
    Value(LocalId),
    /// A simple place: its value; undefined is a run-time error where a value is needed.
    /// A compound place: the place itself.
    Read(Place),
    Call(Call),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    BitNot(Box<Expression>),
    Arithmetic {
        operator: ArithmeticOperator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    /// Simple values in the same numbering. Where they are scalarsets or unions, undefined equals
    /// undefined and nothing else.
    Compare {
        operator: CompareOperator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    /// Records, arrays or multisets of the same type.
    CompareCompound {
        negated: bool,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Implies(Box<Expression>, Box<Expression>),
    Conditional {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    /// Over elements of a scalarset, which have no order, the body is evaluated for all of them,
    /// and fails if it does for one; otherwise from the first value on, as long as it holds.
    Forall {
        binder: Binder,
        body: Box<Expression>,
    },
    /// Over a scalarset or a union, evaluated for all values where the body can fail; otherwise
    /// from the first value on, until it holds.
    Exists {
        binder: Binder,
        body: Box<Expression>,
    },
    IsUndefined(Place),
    /// Whether a union's value lies in one of these inclusive ranges of its numbering.
    IsMember {
        value: Box<Expression>,
        ranges: Vec<(i64, i64)>,
    },
    /// The number of occupied slots `variable` where `condition` holds.
    MultisetCount {
        variable: LocalId,
        multiset: Place,
        condition: Box<Expression>,
    },
    /// From one numbering to another (member to union, union to member, union to union): each piece
    /// maps `low ..= high` to `low + shift ..= high + shift`. A value outside all pieces is a
    /// run-time range error. The expression's `ty` is the target type.
    Convert {
        value: Box<Expression>,
        pieces: Vec<ConvertPiece>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvertPiece {
    pub low: i64,
    pub high: i64,
    pub shift: i64,
}
