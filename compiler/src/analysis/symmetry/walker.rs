//! What one iteration of a loop, or one evaluation of a condition, reads and writes.
//!
//! The walker goes through the text once and follows calls. It only collects; [`super::loops`]
//! judges. Whatever it does not understand sets [`IterationWalker::gave_up`], and then nothing is
//! proved.

use std::collections::HashMap;

use super::definedness::Definedness;
use super::path::{Activation, Base, Index, LoopPath};
use crate::analysis::interval::{Interval, Known};
use crate::semantics::model::{Frame, LocalId, Model, Place, Statement, TypeId};
use crate::source::Span;

/// How many statements and expressions of a loop's body are looked at, calls followed.
const MOST_STEPS: usize = 400_000;

/// How a write uses what was in the place before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Not at all: this is what it leaves behind.
    Plain(IterationWrite),
    /// `x := x + …` with what is never negative.
    Up,
    /// `x := x - …` with what is never negative.
    Down,
    /// `b := b & …`
    And,
    /// `b := b | …`
    Or,
    /// The bitwise operators on numbers that are not negative.
    BitAnd,
    BitOr,
    /// `if … > x then x := …`
    Maximum,
    /// `if … < x then x := …`
    Minimum,
    /// Adds to a multiset, perhaps after asserting that it holds fewer elements than this.
    Add(Option<i64>),
    /// Removes all elements of a multiset for which a condition holds; whether it can fail for an
    /// element.
    Remove {
        fails: bool,
    },
    /// In a way that is not looked into.
    Unknown,
}

/// What a write leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IterationWrite {
    Constant(i64),
    Undefined,
    Cleared,
    /// The value of this term, as long as nothing is written that it reads.
    Fixed(String, Vec<LoopPath>),
    Varying,
}

/// A condition `i = x` on the loop variable: only one iteration comes here, as long as nothing is
/// written that `x` reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Single {
    pub term: String,
    pub reads: Vec<LoopPath>,
}

#[derive(Clone, Debug)]
pub(super) struct IterationAccess {
    pub path: LoopPath,
    /// `None` for a read.
    pub write: Option<Form>,
    pub span: Span,
    pub singles: Vec<Single>,
    /// The outermost statement around it that does the same in all iterations.
    pub uniform: Option<u32>,
    /// `a[i] := a[x]`: the number of this statement, for what it writes and for what it copies.
    pub broadcast: Option<usize>,
    /// Everything that it reads was written before in the same iteration.
    pub fresh: bool,
}

/// A value as far as it is known.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// What it is, if it is the same in all iterations.
    pub term: Option<String>,
    /// What that reads.
    pub reads: Vec<LoopPath>,
    /// Which index it makes.
    pub index: Index,
}

impl Value {
    pub fn varying() -> Value {
        Value { term: None, reads: Vec::new(), index: Index::Any }
    }

    pub fn constant(value: i64) -> Value {
        Value { term: Some(value.to_string()), reads: Vec::new(), index: Index::Constant(value) }
    }
}

/// What a local variable stands for.
#[derive(Clone, Debug)]
pub(super) enum BoundLocal {
    Place(LoopPath),
    Value(Value),
}

/// What may end an iteration early, or make it seen that it was executed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Events {
    /// Something may fail.
    pub fails: bool,
    pub assumes: bool,
    pub covers: bool,
}

pub(super) struct IterationWalker<'m> {
    pub model: &'m Model,
    pub definedness: &'m Definedness,
    /// Multisets whose slots may be distinguished: the order of additions to them is visible.
    pub doubtful_multisets: &'m [TypeId],
    /// The loop variable; `None` for a condition on the slots of a multiset.
    pub own: Option<LocalId>,
    /// Variables that are equal to the loop variable here.
    pub equal: Vec<(Activation, LocalId)>,
    pub frames: Vec<(Activation, &'m Frame)>,
    pub next_activation: Activation,
    /// With a number that counts bindings, so that it can be said whether it was bound inside a
    /// statement.
    pub bound: HashMap<(Activation, LocalId), (u32, BoundLocal)>,
    /// The values of the variables of inner loops.
    pub domains: HashMap<(Activation, LocalId), (i64, i64)>,
    pub next_binding: u32,
    /// The smallest number of a binding that the statement at hand has used; the loop variable has
    /// number 0.
    pub oldest_used: u32,
    /// The smallest number of an activation that the statement at hand may return from.
    pub returned: Activation,
    pub next_statement: u32,
    /// What the indices of each broadcast read.
    pub broadcasts: Vec<Vec<LoopPath>>,
    pub accesses: Vec<IterationAccess>,
    pub singles: Vec<Single>,
    /// What the iteration has certainly written.
    pub assigned: Vec<LoopPath>,
    /// The `return`s of the body itself: what they return, if it is always the same.
    pub returns: Vec<(Option<String>, Vec<LoopPath>, Span)>,
    pub events: Events,
    pub gave_up: bool,
    pub steps_left: usize,
    /// Slots that are bound by a condition on this multiset: occupied, whatever else is known.
    pub own_slots: Vec<(Activation, LocalId, &'m Place)>,
}

impl<'m> IterationWalker<'m> {
    pub fn new(
        model: &'m Model,
        definedness: &'m Definedness,
        doubtful_multisets: &'m [TypeId],
        frame: &'m Frame,
        own: Option<LocalId>,
    ) -> Self {
        IterationWalker {
            model,
            definedness,
            doubtful_multisets,
            own,
            equal: Vec::new(),
            frames: vec![(0, frame)],
            next_activation: 1,
            bound: HashMap::new(),
            domains: HashMap::new(),
            next_binding: 1,
            oldest_used: u32::MAX,
            returned: Activation::MAX,
            next_statement: 0,
            broadcasts: Vec::new(),
            accesses: Vec::new(),
            singles: Vec::new(),
            assigned: Vec::new(),
            returns: Vec::new(),
            events: Events::default(),
            gave_up: false,
            steps_left: MOST_STEPS,
            own_slots: Vec::new(),
        }
    }

    pub fn activation(&self) -> Activation {
        self.frames.last().map_or(0, |(activation, _)| *activation)
    }

    /// Whether there is still something to be looked at; otherwise nothing is proved.
    pub fn step(&mut self) -> bool {
        match self.steps_left.checked_sub(1) {
            Some(left) => self.steps_left = left,
            None => self.gave_up = true,
        }
        !self.gave_up
    }

    pub fn local_type(&self, local: LocalId) -> Option<TypeId> {
        let (_, frame) = self.frames.last()?;
        frame.locals.get(local.index()).map(|local| local.ty)
    }

    pub fn bind(&mut self, activation: Activation, local: LocalId, bound: BoundLocal) {
        self.bound.insert((activation, local), (self.next_binding, bound));
        self.next_binding += 1;
    }

    pub fn uses(&mut self, binding: u32) {
        self.oldest_used = self.oldest_used.min(binding);
    }

    pub fn read(&mut self, path: LoopPath, span: Span) {
        let fresh = self.is_fresh(&path);
        self.access(path, None, span, fresh);
    }

    pub fn write(&mut self, path: LoopPath, form: Form, span: Span) {
        // An update reads what was there.
        let fresh = matches!(form, Form::Plain(_)) || self.is_fresh(&path);
        self.access(path, Some(form), span, fresh);
    }

    /// An alias that may be a slot, and whatever else cannot be said exactly, is never fresh.
    fn is_fresh(&self, path: &LoopPath) -> bool {
        self.assigned.iter().any(|written| written.covers(path))
    }

    fn access(&mut self, path: LoopPath, write: Option<Form>, span: Span, fresh: bool) {
        if path.base == Base::Temporary {
            return;
        }
        let singles = self.singles.clone();
        self.accesses.push(IterationAccess {
            path,
            write,
            span,
            singles,
            uniform: None,
            broadcast: None,
            fresh,
        });
    }

    /// Statements in order; each that uses nothing of the iteration is marked as uniform.
    pub fn statements(&mut self, statements: &'m [Statement]) {
        let mut at = 0;
        while let Some(statement) = statements.get(at) {
            if !self.step() {
                return;
            }
            let first = self.accesses.len();
            let binding = self.next_binding;
            let outside = std::mem::replace(&mut self.oldest_used, u32::MAX);
            let returned = std::mem::replace(&mut self.returned, Activation::MAX);
            at += if self.guarded_add(statement, statements.get(at + 1)) {
                2
            } else {
                self.statement(statement);
                1
            };
            // What leaves the statement by a `return` is something that the iteration goes on with.
            if self.oldest_used >= binding && self.returned > self.activation() {
                let number = self.next_statement;
                self.next_statement += 1;
                self.accesses.iter_mut().skip(first).for_each(|access| access.uniform = Some(number));
            }
            self.oldest_used = self.oldest_used.min(outside);
            self.returned = self.returned.min(returned);
        }
    }

    /// What happens in one of several branches: nothing of it is certain afterwards.
    pub fn branch(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<LoopPath> {
        let before = self.assigned.len();
        inside(self);
        self.assigned.split_off(before)
    }

    /// What all branches have written is written.
    pub fn merge(&mut self, mut branches: Vec<Vec<LoopPath>>) {
        let Some(first) = branches.pop() else { return };
        for path in first {
            let everywhere = branches.iter().all(|branch| branch.iter().any(|other| other.covers(&path)));
            if everywhere && !self.assigned.contains(&path) {
                self.assigned.push(path);
            }
        }
    }
}

impl Known for IterationWalker<'_> {
    fn local(&self, local: LocalId) -> Interval {
        let bounds = self.local_type(local).and_then(|ty| self.model.bounds(ty));
        bounds.map_or(Interval::ALL, |(low, high)| Interval::new(low, high))
    }
}
