//! The contract between a model and the search engines.
//!
//! Generated code fulfils [`Model`]; so may an interpreter. The engines know a model only through
//! this file, by one dynamic call per *state*, so they are compiled once, here, and not again for
//! every model.
//!
//! # States
//! A state is [`Description::words`] 64-bit words in the *byte-aligned* layout that
//! [`Description::variables`] describes. Models compute on that layout alone. How states are
//! stored (as they are, or packed to the bit with `-b`) is the engines' business: the packed layout
//! follows from the same description.
//!
//! # Rules
//! A *rule family* is a rule as written; its *instances* are the combinations of its parameters'
//! values. Instances are numbered consecutively ([`RuleId`]): family after family in the order of
//! the text, the last parameter running fastest.
//!
//! # Faults
//! Whatever goes wrong in a rule is a [`Fault`]: a value that names a [`Site`] of the model's text.
//! It is never a panic.

use crate::contract::bags::Bags;
use crate::contract::choice::Choice;
use crate::contract::context::Context;
use crate::contract::coverage::{Part, PartKind};
use crate::contract::dependencies::Dependencies;
use crate::contract::explanation::Reason;
use crate::contract::fault::{Fault, Site};
use crate::contract::independence::Independence;
use crate::contract::successors::Successors;
use crate::contract::symmetry::Looking;
use crate::contract::temporal::{AtomId, Temporal};

/// The number of a rule instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);

/// The number of a start state instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StartId(pub u32);

/// The position of a property in [`Description::properties`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(pub u32);

/// Why a state is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    pub property: PropertyId,
    /// `None`: the property is false. `Some`: evaluating it went wrong.
    pub fault: Option<Fault>,
}

/// What one rule instance did to one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firing {
    /// The guard is false (or the chosen slot is empty).
    Disabled,
    /// The state now holds the successor.
    Fired,
    /// An assumption does not hold: the successor does not count.
    Pruned,
    Faulted(Fault),
}

/// A model, as the engines see it.
///
/// States come as `&mut [u64]` because generated code views them as cells that it may write;
/// `expand` and `check` leave the words as they were.
pub trait Model: Sync {
    fn description(&self) -> &'static Description;

    /// Turns the all-zero (all undefined) state into start state `start`. Never
    /// [`Firing::Disabled`], except for a start state inside `choose`.
    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing;

    /// Fires every enabled rule instance in `state` and hands successors that differ from it, rules
    /// that change nothing, excluded states and faults to `successors`, always in the same order;
    /// those that [`Successors::sleeps`] are enabled, but need not fire. Of rules with priorities
    /// only those with the smallest number that are enabled fire, unless [`Context::priorities`] is
    /// off.
    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors);

    /// Expands a state as [`Model::expand`] does, without the families of rules for which
    /// [`Successors::tries`] returns false. It must be called for each family once, in the order of
    /// `expand`, because it counts the rules in the sleep set.
    fn expand_some(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.expand(context, state, successors);
    }

    /// Fires one instance in place, for traces and walks; not for the inner loop. After anything
    /// but [`Firing::Fired`] the contents of `state` are unspecified.
    fn fire(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let mut successors = Successors::new(state.len());
        self.expand(context, state, &mut successors);
        if let Some(at) = successors.rules().iter().position(|fired| *fired == rule) {
            state.copy_from_slice(successors.state(at));
            return Firing::Fired;
        }
        if successors.unchanged().contains(&rule) {
            return Firing::Fired;
        }
        if successors.excluded().contains(&rule) {
            return Firing::Pruned;
        }
        match successors.faults().iter().find(|firing| firing.rule == rule) {
            Some(firing) => Firing::Faulted(firing.fault),
            None => Firing::Disabled,
        }
    }

    /// How the elements of scalarsets are found and renamed in a state; `None` where there is no
    /// scalarset.
    fn symmetry(&self) -> Option<&dyn Symmetry> {
        None
    }

    /// Which instances of rules are independent; `None`: nothing is known about that.
    fn independence(&self) -> Option<&'static Independence> {
        None
    }

    /// What it says about its runs; `None`: nothing.
    fn temporal(&self) -> Option<&'static Temporal> {
        None
    }

    /// Whether a condition of [`Model::temporal`] holds in a state, for these values of its
    /// parameters. Where there is no such condition it is false; nobody asks.
    fn atom(
        &self,
        _context: &Context,
        _atom: AtomId,
        _values: &[i64],
        _state: &mut [u64],
    ) -> Result<bool, Fault> {
        Ok(false)
    }

    /// The multisets of `choose` parameters, for reports. One that is missing is shown as the
    /// number of its slot.
    fn choices(&self) -> &'static [Choice] {
        &[]
    }

    /// What rules and properties read, for reports; `None`: that is not known.
    fn dependencies(&self) -> Option<&'static Dependencies> {
        None
    }

    /// Counts from now on how often the parts of its text are evaluated; false: it cannot.
    fn count_coverage(&self) -> bool {
        false
    }

    /// How often the parts of its text were evaluated since [`Model::count_coverage`].
    fn coverage(&self) -> Vec<Part> {
        Vec::new()
    }

    /// Why a property is false in a state, from the outermost part of its condition on; empty where
    /// the model cannot say. The context's counters and output are not used.
    fn explain(&self, _context: &Context, _property: PropertyId, _state: &mut [u64]) -> Vec<Reason> {
        Vec::new()
    }

    /// What its variables take of the native stack.
    fn stack_use(&self) -> StackUse {
        StackUse::default()
    }

    /// Checks the invariants of a new state, in the order of the text, and counts the `cover`
    /// properties that it reaches in `context`. Assumptions are not checked here: a state that
    /// breaks one was already [`Firing::Pruned`].
    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation>;

    /// Checks the invariants of a successor under `rule` of a state in which all of them hold. The
    /// elements of its scalarsets may have been permuted since. Invariants that the rule cannot
    /// have violated need not be evaluated.
    fn check_after(&self, context: &Context, _rule: RuleId, state: &mut [u64]) -> Result<(), Violation> {
        self.check(context, state)
    }

    /// Reports every property that a state violates, in the order of the text, [`Model::check`]'s
    /// first. Only for a state of which `check` or `check_after` has said that it violates one, if
    /// more than one error is wanted; and with a context whose counters and output are not used,
    /// since `check` has counted what the state covers.
    /// [`Fault::value`](crate::contract::fault::Fault::value) is that of the violation while it is
    /// reported.
    fn check_all(&self, context: &Context, state: &mut [u64], report: &mut dyn FnMut(Violation)) {
        if let Err(violation) = self.check(context, state) {
            report(violation);
        }
    }
}

/// What a model says about the elements of its scalarsets in a state. Elements are counted through
/// over all scalarsets, see [`Scalarset::first`]. States come as `&mut` for the same reason as in
/// [`Model`]; only `into` is written.
pub trait Symmetry: Sync {
    /// Makes each element's colour what the state says about it alone: its rows, as far as no other
    /// element occurs in them. May make it 0.
    fn rows(&self, state: &mut [u64], colours: &mut [u64]);

    /// Reports what the state says about related elements, see [`crate::contract::symmetry`]. Marks
    /// exactly those elements as named that are values in the state.
    fn links(&self, state: &mut [u64], looking: &mut Looking);

    /// Whether exchanging two elements of one scalarset, neither of which is named, leaves the
    /// state as it is. May return `false` where that is expensive to decide.
    fn alike(&self, state: &mut [u64], left: usize, right: usize) -> bool;

    /// Makes `into`, which holds the same state, the one in which element `e` is called `to[e]`,
    /// and with those of its multisets sorted anew that `bags` says.
    fn rename(&self, state: &mut [u64], to: &[u16], bags: Bags, into: &mut [u64]);
}

/// Bytes of the native stack that a model's local variables, parameters and results take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackUse {
    /// If each rule and each function is active once.
    pub frames: usize,
    /// Of the recursive functions: for each nested call.
    pub recursion: usize,
}

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
    /// [`Description::properties`] in [`Context::covered`].
    pub cover_statements: &'static [Cover],
    /// Parts of the text whose evaluations are counted, if it was compiled to do that. Their
    /// counters come last in [`Context::covered`].
    pub parts: &'static [(Position, PartKind)],
    /// Indexed by [`Fault::site`].
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

    /// The number of counters in a [`Context`]: of properties, cover statements and parts.
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
    /// Which states without a way on are errors; see [`Model::temporal`], as for the next two.
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
