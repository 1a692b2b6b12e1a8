//! The syntax tree: what the model says, before anybody asks whether it makes sense.
//!
//! Every node has a span. Names are not resolved, and the tree keeps what the user wrote:
//! `&` may still be a conjunction or a bitwise operation, `true` is still a name.

mod expressions;

use crate::source::Span;
pub use expressions::{
    BinaryOperator, ChainOperator, Expression, ExpressionKind, TemporalOperator, UnaryOperator,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A string literal; `text` has its escapes (`\"`, `\n`, `\t`, `\\`) already replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

/// A whole model: declarations and rules in the order in which they stand in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub items: Vec<Item>,
    /// Whether parts of the text are missing here because they could not be parsed.
    pub damaged: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Declaration(Declaration),
    Function(Function),
    /// `externfun` / `externproc` of CMurphi: recognised so that it can be refused by name.
    External(Name, Span),
    /// `pctl …` of CMurphi, a formula over probabilities: recognised so that it can be refused by
    /// name.
    Formula(Span),
    Rule(RuleItem),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Declaration {
    Constant {
        name: Name,
        value: Expression,
        /// What the command line says in its place.
        set: Option<String>,
    },
    Type {
        name: Name,
        definition: TypeExpression,
    },
    /// `a, b : T` declares several names at once.
    Variables {
        names: Vec<Name>,
        definition: TypeExpression,
    },
    /// Only in a damaged program.
    Unparsed(Unparsed),
}

#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpression {
    pub kind: TypeExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeExpressionKind {
    /// A type's name, `boolean` included.
    Name(Name),
    Enum(Vec<Name>),
    Range {
        low: Box<Expression>,
        high: Box<Expression>,
    },
    Scalarset(Box<Expression>),
    Union(Vec<TypeExpression>),
    Array {
        index: Box<TypeExpression>,
        element: Box<TypeExpression>,
    },
    Record(Vec<Field>),
    Multiset {
        capacity: Box<Expression>,
        element: Box<TypeExpression>,
    },
    /// `real(digits, exponent)`: recognised so that it can be refused by name.
    Real,
}

/// `a, b : T` inside a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub names: Vec<Name>,
    pub definition: TypeExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    /// `None` for a procedure.
    pub returns: Option<TypeExpression>,
    pub declarations: Vec<Declaration>,
    pub body: Vec<Statement>,
    pub span: Span,
}

/// `var a, b : T` (by reference) or `a, b : T` (read-only).
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub by_reference: bool,
    pub names: Vec<Name>,
    pub definition: TypeExpression,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RuleItem {
    Rule(SimpleRule),
    StartState(StartState),
    Property(Property),
    Ruleset {
        /// `fair ruleset`: of each instance of the rules in it.
        fairness: Option<Fairness>,
        quantifiers: Vec<Quantifier>,
        rules: Vec<RuleItem>,
        span: Span,
    },
    Alias {
        bindings: Vec<AliasBinding>,
        rules: Vec<RuleItem>,
        span: Span,
    },
    /// `choose i: m do … end` over the occupied slots of a multiset.
    Choose {
        variable: Name,
        multiset: Expression,
        rules: Vec<RuleItem>,
        span: Span,
    },
    /// Rules inside of a header that could not be parsed. Only in a damaged program.
    Unparsed {
        header: Unparsed,
        rules: Vec<RuleItem>,
        span: Span,
    },
}

/// What stands before `rule` or `ruleset`: `fair` or `strong fair`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fairness {
    pub strong: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SimpleRule {
    pub fairness: Option<Fairness>,
    pub name: Option<Text>,
    /// CMurphi's rule priority: accepted, ignored with a warning.
    pub priority: Option<Expression>,
    /// `None`: always enabled.
    pub guard: Option<Expression>,
    pub declarations: Vec<Declaration>,
    pub body: Vec<Statement>,
    /// The whole rule, from its keyword to its `end`.
    pub span: Span,
    /// The keyword and the name: what a diagnostic underlines.
    pub header: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StartState {
    pub name: Option<Text>,
    pub declarations: Vec<Declaration>,
    pub body: Vec<Statement>,
    pub span: Span,
    pub header: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `invariant`, and `assert` at top level.
    Invariant,
    Assume,
    Cover,
    /// From every reachable state one can be reached in which it holds.
    Liveness,
    /// No reachable state may fulfil it.
    Reject,
    /// Which states without a way on are errors.
    Deadlock,
    /// A formula of linear temporal logic.
    Ltl,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: Option<Text>,
    pub condition: Expression,
    pub span: Span,
    pub header: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Quantifier {
    pub variable: Name,
    pub domain: Domain,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    Type(TypeExpression),
    /// `i := from to upto by step`
    Steps {
        from: Box<Expression>,
        upto: Box<Expression>,
        step: Option<Box<Expression>>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct AliasBinding {
    pub name: Name,
    pub value: Expression,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Assign {
        target: Expression,
        value: Expression,
    },
    /// The first arm is the `if`, the others are `elsif`s.
    If {
        arms: Vec<(Expression, Vec<Statement>)>,
        otherwise: Option<Vec<Statement>>,
    },
    Switch {
        subject: Expression,
        cases: Vec<SwitchCase>,
        otherwise: Option<Vec<Statement>>,
    },
    For {
        quantifiers: Vec<Quantifier>,
        body: Vec<Statement>,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
    },
    Alias {
        bindings: Vec<AliasBinding>,
        body: Vec<Statement>,
    },
    Call {
        name: Name,
        arguments: Vec<Expression>,
    },
    Clear(Expression),
    Undefine(Expression),
    Error(Text),
    Assert {
        condition: Expression,
        message: Option<Text>,
    },
    Assume {
        condition: Expression,
        message: Option<Text>,
    },
    Cover {
        condition: Expression,
        message: Option<Text>,
    },
    PutText(Text),
    PutValue(Expression),
    Return(Option<Expression>),
    MultisetAdd {
        value: Expression,
        multiset: Expression,
    },
    MultisetRemove {
        slot: Expression,
        multiset: Expression,
    },
    MultisetRemovePredicate {
        variable: Name,
        multiset: Expression,
        condition: Expression,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct SwitchCase {
    pub values: Vec<Expression>,
    pub body: Vec<Statement>,
}

/// Text in which something could not be parsed, so that it is missing from the tree. What its names
/// mean is unknown, and nobody is to complain about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unparsed {
    /// The names that it seems to declare.
    pub declared: Vec<Name>,
    /// All other names in it.
    pub mentioned: Vec<Name>,
}
