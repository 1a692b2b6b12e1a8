//! What is known of a model before it runs: names, types, layout, rules and properties, as tables.
//!
//! All of it is `static` in generated code. The runtime prints states, differences and JSON from
//! it.

use crate::contract::coverage::PartKind;
use crate::contract::fault::Site;

/// Everything about a model that is known before it runs.
#[derive(Debug)]
pub struct Description {
    /// The model file's name, without its directory.
    pub name: &'static str,
    /// The model's text, for showing the line of an error.
    pub source: &'static str,
    /// A hash of the text and of [`Description::constants`]: distinguishes models in files and
    /// reports.
    pub fingerprint: u64,
    /// The constants that got another value than in the text when the model was compiled, and these
    /// values.
    pub constants: &'static [(&'static str, &'static str)],
    /// 64-bit words per state in the byte-aligned layout.
    pub words: usize,
    pub variables: &'static [Variable],
    /// The scalarsets of two elements or more: their elements may be renamed without changing what
    /// a state means.
    pub scalarsets: &'static [Scalarset],
    pub starts: &'static [Family],
    pub rules: &'static [Family],
    pub properties: &'static [Property],
    /// `cover` statements inside rules and functions. Their counters follow those of
    /// [`Description::properties`] in [`covered`](crate::contract::context::Context::covered).
    pub cover_statements: &'static [Cover],
    /// Parts of the text whose evaluations are counted, if it was compiled to do that. Their
    /// counters come last in [`covered`](crate::contract::context::Context::covered).
    pub parts: &'static [(Position, PartKind)],
    /// Indexed by [`site`](crate::contract::fault::Fault::site).
    pub sites: &'static [Site],
}

impl Description {
    /// No variables and no rules: what a model that is written by hand leaves out.
    pub const EMPTY: Description = Description {
        name: "",
        source: "",
        fingerprint: 0,
        constants: &[],
        words: 0,
        variables: &[],
        scalarsets: &[],
        starts: &[],
        rules: &[],
        properties: &[],
        cover_statements: &[],
        parts: &[],
        sites: &[],
    };

    /// The number of counters in a [`Context`](crate::contract::context::Context): of properties,
    /// cover statements and parts.
    pub fn counters(&self) -> usize {
        self.properties.len() + self.cover_statements.len() + self.parts.len()
    }
}

/// A line and column of the model's text, counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A global variable.
#[derive(Debug)]
pub struct Variable {
    /// Empty where it is not the user's: see [`Variable::is_hidden`].
    pub name: &'static str,
    /// Its first byte in the byte-aligned layout.
    pub offset: usize,
    pub ty: &'static Type,
}

impl Variable {
    /// Whether it is what a formula remembers of the run, which is no part of what users see.
    pub fn is_hidden(&self) -> bool {
        self.name.is_empty()
    }
}

/// How a value lies in the byte-aligned layout, and how it is printed.
#[derive(Debug)]
pub enum Type {
    Simple(Simple),
    Array {
        /// Says how the indices print; its values number the elements in order.
        index: &'static Simple,
        element: &'static Type,
        /// Bytes from one element to the next; they follow each other without gaps.
        stride: usize,
    },
    Record {
        fields: &'static [Field],
    },
    /// `capacity` slots, each one byte (1: occupied, 0: empty) and then the element. Empty slots
    /// are all zero. In a state the occupied slots come first, in descending order of their bytes,
    /// unless elements keep their slots.
    Multiset {
        capacity: usize,
        element: &'static Type,
        stride: usize,
        /// Why its slots may not be interchangeable; `None`: they were proved to be.
        doubt: Option<Doubt>,
    },
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    /// From the first byte of the record.
    pub offset: usize,
    pub ty: &'static Type,
}

/// A simple type: the numbers from `low` to `high`, or *undefined*.
///
/// Stored as an unsigned little-endian number: 0 is undefined, otherwise `value - low + 1`.
/// [`Width::Nine`] is for the type of all 2^64 numbers: one byte that is 1 where the value is
/// defined, then eight bytes of `value - low`; undefined is all zero.
#[derive(Debug)]
pub struct Simple {
    /// The type's name, or how the user wrote it, such as `0..3`.
    pub name: &'static str,
    pub width: Width,
    pub low: i64,
    pub high: i64,
    pub labels: Labels,
    /// Which of its values are elements of scalarsets.
    pub spans: &'static [Span],
}

/// A type whose elements are alike.
#[derive(Debug)]
pub struct Scalarset {
    pub name: &'static str,
    pub size: u32,
    /// The number of its first element, if the elements of all scalarsets are counted through.
    pub first: u32,
    /// Why its elements may not be interchangeable; `None`: they were proved to be.
    pub doubt: Option<Doubt>,
}

/// The first reason why the elements of a scalarset, or the slots of a multiset, may not be
/// interchangeable: what the compiler could not prove. See `crate::reduction::extent` for what
/// follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub position: Position,
    pub message: &'static str,
}

/// The values of a simple type that are the elements of one scalarset, in order: all values of the
/// scalarset itself, some of those of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The value that is the first element.
    pub low: i64,
    pub size: u32,
    /// [`Scalarset::first`] of the scalarset.
    pub first: u32,
}

/// Bytes of a simple value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    One,
    Two,
    Four,
    Eight,
    Nine,
}

/// How the values of a simple type print.
#[derive(Debug)]
pub enum Labels {
    /// As numbers.
    Numbers,
    /// `names[value - low]`: enums, booleans, scalarsets (`Type_1` …) and unions.
    Names(&'static [&'static str]),
}

/// A rule or start state as written, with all its instances.
#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    pub position: Position,
    pub parameters: &'static [Parameter],
    /// The number of its first instance.
    pub first: u32,
    /// The number of its instances: the product of its parameters' counts.
    pub instances: u32,
}

/// A parameter of a rule: of a `ruleset`, or the slot of a `choose`.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// Says how its values print.
    pub ty: &'static Simple,
    /// The values are `first`, `first + step`, … : `count` of them.
    pub first: i64,
    pub step: i64,
    pub count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Invariant,
    Assume,
    Cover,
    /// What no state may fulfil.
    Reject,
    /// Which states without a way on are errors; see
    /// [`temporal`](crate::contract::model::Model::temporal), as for the next two.
    Deadlock,
    Liveness,
    Ltl,
    /// A formula that is checked state by state, by what the model remembers of the run. No
    /// continuation of a path to a state that violates it fulfils the formula.
    Safety,
}

/// An invariant, assumption or cover property at top level. Rulesets around it are part of it: it
/// holds for all values of their parameters (a cover: for some).
#[derive(Debug)]
pub struct Property {
    pub kind: PropertyKind,
    pub name: &'static str,
    pub position: Position,
}

/// A `cover` statement.
#[derive(Debug)]
pub struct Cover {
    pub name: &'static str,
    pub position: Position,
}

impl Family {
    /// The values of the parameters of one instance.
    pub fn values<const N: usize>(&self, instance: u32) -> [i64; N] {
        let mut values = [0; N];
        self.fill_values(instance, &mut values);
        values
    }

    /// The values of an instance's parameters, for a number of parameters known at run time only.
    pub fn fill_values(&self, instance: u32, values: &mut [i64]) {
        let mut rest = instance.wrapping_sub(self.first);
        // The last parameter runs fastest.
        for (value, parameter) in values.iter_mut().zip(self.parameters).rev() {
            let count = parameter.count.max(1);
            *value = parameter.first.wrapping_add(parameter.step.wrapping_mul(i64::from(rest % count)));
            rest /= count;
        }
    }
}

impl Width {
    pub fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
            Width::Eight => 8,
            Width::Nine => 9,
        }
    }
}

impl Type {
    /// Bytes that a value of this type takes in the byte-aligned layout.
    pub fn bytes(&self) -> usize {
        match self {
            Type::Simple(simple) => simple.width.bytes(),
            Type::Array { index, stride, .. } => (index.high - index.low + 1) as usize * stride,
            Type::Record { fields } => fields.iter().map(|field| field.ty.bytes()).sum(),
            Type::Multiset { capacity, stride, .. } => capacity * stride,
        }
    }
}

impl Description {
    /// `N = 4, M = 2`: the constants that have another value than in the text; nothing where there
    /// are none.
    pub fn constants_set(&self) -> Option<String> {
        let set: Vec<String> =
            self.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        (!set.is_empty()).then(|| set.join(", "))
    }

    /// The model's name without directories, for names of files and for comparing.
    pub fn file_name(&self) -> &str {
        let separators: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
        self.name.rsplit(separators).next().unwrap_or(self.name)
    }

    /// The model's name, and the constants that were set for it: `ring.m with N = 4`.
    pub fn title(&self) -> String {
        match self.constants_set() {
            Some(set) => format!("{} with {set}", self.name),
            None => self.name.to_owned(),
        }
    }

    pub fn rule_instances(&self) -> u32 {
        self.rules.last().map_or(0, |family| family.first + family.instances)
    }

    /// The number of elements of all scalarsets together.
    pub fn elements(&self) -> usize {
        self.scalarsets.iter().map(|scalarset| scalarset.size as usize).sum()
    }

    pub fn start_instances(&self) -> u32 {
        self.starts.last().map_or(0, |family| family.first + family.instances)
    }
}
