//! The typed model: every name resolved, every type known, every constant computed.
//!
//! This is what the later passes see; none of them looks at the syntax tree again. What can be said
//! wrong about a model has been said before one of these exists.
//!
//! # Values
//! A *simple* value is an `i64`: a boolean is 0 or 1, an enum member its position from 0, a
//! subrange value the number itself, a scalarset element its position from 0, a union value its
//! position in the concatenation of the union's members (see [`Union`]). Where a union meets one of
//! its members (assignment, comparison, index, argument), the checker has inserted
//! [`ExpressionKind::Convert`], so both sides of an operation always count in the same way.
//!
//! # Locals
//! Whatever a rule, function, start state or property names that is not a global is a [`Local`] of
//! its [`Frame`]: parameters of rulesets, of functions, loop and quantifier variables, aliases,
//! declared variables. Names may repeat (shadowing); a [`LocalId`] is unique in its frame.

mod bodies;

pub use bodies::{
    AliasBinding, AliasValue, Argument, ArithmeticOperator, Binder, Call, CompareOperator, ConvertPiece,
    Domain, Expression, ExpressionKind, Place, Root, Statement, StatementKind, Step, SwitchCase,
};

use super::temporal::{Claim, Fairness};
use crate::source::Span;

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}
identifiers! {
    /// Position in [`Model::types`].
    TypeId
    /// Position in [`Model::globals`].
    GlobalId
    /// Position in [`Model::functions`].
    FunctionId
    /// Position in the [`Frame::locals`] of the rule, function or property at hand.
    LocalId
}

#[derive(Clone, Debug)]
pub struct Model {
    pub types: Vec<Type>,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    pub starts: Vec<Start>,
    pub rules: Vec<Rule>,
    pub properties: Vec<Property>,
    /// The conditions in [`Model::claims`].
    pub atoms: Vec<Property>,
    /// What `liveness`, `deadlock` and `ltl` properties say.
    pub claims: Vec<Claim>,
    /// `cover` statements inside rules and functions, in the order of the text.
    pub cover_statements: Vec<CoverStatement>,
    /// Constants and types that nothing uses, in the order of the text. Constants that are set from
    /// outside count as used.
    pub unused_names: Vec<UnusedName>,
}

#[derive(Clone, Debug)]
pub struct UnusedName {
    pub name: String,
    pub kind: NameKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Constant,
    Type,
}

#[derive(Clone, Debug)]
pub struct Type {
    /// The name under which the user declared it; `None` for an anonymous type.
    pub name: Option<String>,
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    /// The type of literals and of arithmetic: any 64-bit number. Nothing is stored with this type,
    /// except through `const`.
    Integer,
    Boolean,
    Enum {
        members: Vec<String>,
    },
    /// `low <= high` has been checked.
    Range {
        low: i64,
        high: i64,
    },
    /// `size >= 1`. Elements print as `Name_1` … `Name_n`.
    Scalarset {
        size: u32,
    },
    Union(Union),
    Array {
        index: TypeId,
        element: TypeId,
    },
    Record {
        fields: Vec<RecordField>,
    },
    /// A bag of at most `capacity` elements.
    Multiset {
        capacity: u32,
        element: TypeId,
    },
}

/// The members of a union, flattened: each is an enum or a scalarset, none is a union.
#[derive(Clone, Debug)]
pub struct Union {
    pub members: Vec<UnionMember>,
}

#[derive(Clone, Debug)]
pub struct UnionMember {
    pub ty: TypeId,
    /// Where this member's values begin in the union's numbering.
    pub first: i64,
    pub count: i64,
}

#[derive(Clone, Debug)]
pub struct RecordField {
    pub name: String,
    pub ty: TypeId,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: TypeId,
    /// It is what a formula remembers of the run, and reports do not show it.
    pub hidden: bool,
    pub span: Span,
}

/// The locals of one rule, function, start state or property.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub locals: Vec<Local>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: TypeId,
    pub kind: LocalKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A simple value that is always defined and never changes while it is in scope: a parameter of
    /// a ruleset, a loop or quantifier variable, a slot number of `choose`, an alias of an
    /// expression that is not a place and cannot be undefined.
    Value,
    /// A variable with storage of its own: declared with `var` in a rule or function, the read-only
    /// parameters of functions (a copy, which may be undefined), and aliases of other expressions.
    Storage,
    /// Another name for a place: a `var` parameter or an alias of a designator.
    Reference,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub frame: Frame,
    pub parameters: Vec<FunctionParameter>,
    /// `None` for a procedure.
    pub returns: Option<TypeId>,
    /// Locals to be made undefined on entry, in order.
    pub variables: Vec<LocalId>,
    pub body: Vec<Statement>,
    /// Whether it can reach itself through calls: then its depth is bounded at run time.
    pub recursive: bool,
    pub span: Span,
    pub name_span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct FunctionParameter {
    pub local: LocalId,
    pub by_reference: bool,
}

/// What stands around a rule, start state or property, from the outside in.
#[derive(Clone, Debug)]
pub enum Scope {
    /// A parameter of a ruleset. `domain` has constant bounds here.
    Parameter(Binder),
    /// `alias name: value do`: bound before the guard is evaluated, once for each instance of a
    /// rule.
    Alias(AliasBinding),
    /// `choose variable: multiset do`: one instance for each slot; disabled where the slot is
    /// empty.
    Choose { variable: LocalId, multiset: Place, capacity: u32 },
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub fairness: Fairness,
    /// The user's name, or `Rule 7` counted from one in the order of the text where there is none.
    pub name: String,
    pub frame: Frame,
    pub scopes: Vec<Scope>,
    /// CMurphi's priority, 0 where none is given: of the rules that are enabled in a state only
    /// those with the smallest number fire.
    pub priority: i64,
    pub guard: Option<Expression>,
    /// The guard calls a function that writes globals: what it writes stays in the successor.
    pub guard_writes: bool,
    /// The guard or what stands around the rule calls a function that executes `cover` or `put`, so
    /// it matters that it is evaluated once for each instance.
    pub guard_has_side_effects: bool,
    pub variables: Vec<LocalId>,
    pub body: Vec<Statement>,
    pub span: Span,
    pub header: Span,
}

#[derive(Clone, Debug)]
pub struct Start {
    pub name: String,
    pub frame: Frame,
    pub scopes: Vec<Scope>,
    pub variables: Vec<LocalId>,
    pub body: Vec<Statement>,
    pub span: Span,
    pub header: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Invariant,
    Assume,
    Cover,
    /// The condition is negated already: it must hold.
    Reject,
    /// The headline of a claim, as are the next two; the condition is trivial.
    Deadlock,
    Liveness,
    Ltl,
    /// An `ltl` property that is checked state by state; its condition is about what the model
    /// remembers of the run (`analysis/monitors`).
    Safety,
    /// A condition of a claim; not in [`Model::properties`].
    Atom,
}

impl PropertyKind {
    /// Whether a state in which it is false violates it.
    pub fn must_hold(self) -> bool {
        match self {
            PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety => true,
            PropertyKind::Assume
            | PropertyKind::Cover
            | PropertyKind::Deadlock
            | PropertyKind::Liveness
            | PropertyKind::Ltl
            | PropertyKind::Atom => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: String,
    pub frame: Frame,
    pub scopes: Vec<Scope>,
    pub condition: Expression,
    /// The condition calls a function that writes globals: each instance of the property is
    /// evaluated on the state as it is, and what it writes is dropped.
    pub writes: bool,
    pub span: Span,
    pub header: Span,
}

#[derive(Clone, Debug)]
pub struct CoverStatement {
    pub name: String,
    pub span: Span,
}

impl Model {
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The smallest and largest value of a simple type in its numbering; `None` for compound types.
    pub fn bounds(&self, id: TypeId) -> Option<(i64, i64)> {
        match &self.ty(id).kind {
            TypeKind::Integer => Some((i64::MIN, i64::MAX)),
            TypeKind::Boolean => Some((0, 1)),
            TypeKind::Enum { members } => Some((0, members.len() as i64 - 1)),
            TypeKind::Range { low, high } => Some((*low, *high)),
            TypeKind::Scalarset { size } => Some((0, i64::from(*size) - 1)),
            TypeKind::Union(union) => Some((0, union.count() - 1)),
            TypeKind::Array { .. } | TypeKind::Record { .. } | TypeKind::Multiset { .. } => None,
        }
    }

    pub fn is_simple(&self, id: TypeId) -> bool {
        self.bounds(id).is_some()
    }

    /// The scalarsets whose elements are values of a simple type.
    pub fn scalarsets(&self, id: TypeId) -> Vec<TypeId> {
        match self.types.get(id.index()).map(|ty| &ty.kind) {
            Some(TypeKind::Scalarset { .. }) => vec![id],
            Some(TypeKind::Union(union)) => {
                union.members.iter().flat_map(|member| self.scalarsets(member.ty)).collect()
            }
            Some(
                TypeKind::Integer
                | TypeKind::Boolean
                | TypeKind::Enum { .. }
                | TypeKind::Range { .. }
                | TypeKind::Array { .. }
                | TypeKind::Record { .. }
                | TypeKind::Multiset { .. },
            )
            | None => Vec::new(),
        }
    }

    /// Whether values of a simple type are elements of scalarsets, always or sometimes: then they
    /// have no order.
    pub fn is_symmetric(&self, id: TypeId) -> bool {
        !self.scalarsets(id).is_empty()
    }
}

impl TypeKind {
    /// The types of the fields of a record, or of the elements of an array or multiset. A simple
    /// type has no parts.
    pub fn parts(&self) -> Vec<TypeId> {
        match self {
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => vec![*element],
            TypeKind::Record { fields } => fields.iter().map(|field| field.ty).collect(),
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_) => Vec::new(),
        }
    }
}

impl Union {
    pub fn count(&self) -> i64 {
        self.members.iter().map(|member| member.count).sum()
    }
}
