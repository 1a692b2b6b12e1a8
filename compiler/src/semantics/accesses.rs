//! What the body of a loop reads and writes, in the order of the text, seen from its loop variable.
//!
//! Calls are followed: the body of the function takes the place of the call, with the arguments in the place of
//! the parameters. Recursive functions, and calls beyond [`MOST_ACCESSES`], are taken to change in an
//! unknown way whatever they can reach.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::model::{
    AliasBinding, AliasValue, Argument, ArithmeticOperator, Call, CompareOperator, Domain, Expression,
    ExpressionKind, Frame, FunctionId, GlobalId, LocalId, Model, Place, Root, Statement, StatementKind, Step,
    TypeId, TypeKind,
};
use super::reach::Reach;
use super::walk::domain_parts;
use crate::syntax::span::Span;

/// From here on calls are no longer followed.
const MOST_ACCESSES: usize = 5_000;
/// How many reads of one value are remembered; with more it is taken to depend on the iteration.
const MOST_READS: usize = 64;
/// How deeply calls are followed.
const MOST_CALLS: usize = 16;

/// The frame that a local belongs to: 0 is that of the loop, every call that is followed has its own.
pub(super) type Activation = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PathRoot {
    Global(GlobalId),
    Local(Activation, LocalId),
    Temporary,
}

/// The index of an element, as far as two of them can be compared.
#[derive(Clone, Debug)]
enum Index {
    /// The loop variable: a different one in each iteration.
    Iteration,
    Constant(i64),
    /// A value that has one name and does not change while it has it.
    Fixed(Activation, LocalId),
    /// What a variable holds at the moment.
    Variable(Rc<Path>),
    Unknown,
    /// All indices of the array, one after the other.
    Every,
}

#[derive(Clone, Debug)]
enum PathStep {
    Field(u32),
    /// With the bounds of the array's index type.
    Element(Index, Option<(i64, i64)>),
}

/// A place with its aliases and parameters resolved.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub root: PathRoot,
    steps: Vec<PathStep>,
}

/// What a value was computed from.
#[derive(Clone, Debug, Default)]
pub(super) struct Term {
    /// The loop variable is in it.
    pub iteration: bool,
    pub reads: Vec<Rc<Path>>,
}

/// How a write uses what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Not at all.
    Plain,
    /// `x := x + …`, and whether that makes it larger or smaller, where it is known.
    Sum(Option<Direction>),
    /// `x := x & …`
    And,
    /// `x := x | …`
    Or,
    /// `if … > x then x := …`
    Maximum,
    /// `if … < x then x := …`
    Minimum,
    /// Adds to a multiset.
    Add,
    /// Removes from a multiset.
    Remove,
    /// In a way that is not looked into.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

/// What a write leaves behind.
#[derive(Clone, Debug)]
pub(super) enum Written {
    Constant(i64),
    Undefined,
    Cleared,
    Computed(Term),
}

/// A point in the body: what has certainly been written in this iteration when it is reached.
pub(super) type Moment = Option<usize>;

pub(super) enum Access {
    Read { path: Rc<Path>, at: Moment },
    Write { path: Rc<Path>, form: Form, value: Written, span: Span, at: Moment },
    Return { value: Option<Written>, span: Span },
}

/// What a local stands for: an alias, or a parameter of a function that is followed.
#[derive(Clone)]
struct Bound {
    /// The place that it is another name of.
    place: Option<Rc<Path>>,
    index: Index,
    term: Term,
}

pub(super) struct Accesses<'m> {
    model: &'m Model,
    reach: &'m Reach,
    variable: LocalId,
    pub list: Vec<Access>,
    bounds: HashMap<(Activation, LocalId), Bound>,
    /// The frames of the calls that are being followed, and the functions.
    frames: Vec<(Activation, &'m Frame)>,
    following: Vec<FunctionId>,
    activations: Activation,
    /// Certain writes: each with the one before it.
    certain: Vec<(Rc<Path>, Moment)>,
    now: Moment,
    /// Locals of the loop's own frame that get their values inside it: inner loop variables and aliases.
    inner: HashSet<LocalId>,
    /// Only looking, without noting anything.
    silent: bool,
}

/// A value as far as it is known: what it is computed from, and which index it makes.
struct Seen {
    term: Term,
    index: Index,
}

impl Seen {
    fn computed(term: Term) -> Seen {
        Seen { term, index: Index::Unknown }
    }
}

impl Path {
    fn whole(root: PathRoot) -> Path {
        Path { root, steps: Vec::new() }
    }

    /// Whether two paths may lead to the same storage, or one into the other.
    pub fn overlaps(&self, other: &Path) -> bool {
        self.root == other.root
            && self.root != PathRoot::Temporary
            && self.steps.iter().zip(&other.steps).all(|(left, right)| match (left, right) {
                (PathStep::Field(left), PathStep::Field(right)) => left == right,
                (
                    PathStep::Element(Index::Constant(left), _),
                    PathStep::Element(Index::Constant(right), _),
                ) => left == right,
                (PathStep::Element(..), PathStep::Element(..))
                | (PathStep::Field(_), PathStep::Element(..))
                | (PathStep::Element(..), PathStep::Field(_)) => true,
            })
    }

    /// Whether two paths lead to different storage in any two different iterations.
    pub fn is_apart(&self, other: &Path) -> bool {
        self.root == other.root
            && self.steps.iter().zip(&other.steps).any(|steps| {
                matches!(
                    steps,
                    (PathStep::Element(Index::Iteration, _), PathStep::Element(Index::Iteration, _))
                )
            })
    }

    /// Whether two paths certainly lead to the same storage; at the same moment, unless they are `lasting`.
    fn is(&self, other: &Path, lasting: bool) -> bool {
        self.root == other.root && self.steps.len() == other.steps.len() && self.begins(other, lasting)
    }

    /// Whether the other one certainly leads to this storage, or into it.
    fn begins(&self, other: &Path, lasting: bool) -> bool {
        self.root == other.root
            && self.steps.len() <= other.steps.len()
            && self.steps.iter().zip(&other.steps).all(|(left, right)| match (left, right) {
                (PathStep::Field(left), PathStep::Field(right)) => left == right,
                (PathStep::Element(left, _), PathStep::Element(right, _)) => left.is(right, lasting),
                (PathStep::Field(_), PathStep::Element(..)) | (PathStep::Element(..), PathStep::Field(_)) => {
                    false
                }
            })
    }
}

impl Index {
    fn is(&self, other: &Index, lasting: bool) -> bool {
        match (self, other) {
            (Index::Iteration, Index::Iteration) | (Index::Every, _) => true,
            (Index::Constant(left), Index::Constant(right)) => left == right,
            (Index::Fixed(frame, left), Index::Fixed(other_frame, right)) => {
                frame == other_frame && left == right
            }
            (Index::Variable(left), Index::Variable(right)) => !lasting && left.is(right, false),
            (
                Index::Iteration
                | Index::Constant(_)
                | Index::Fixed(..)
                | Index::Variable(_)
                | Index::Unknown,
                _,
            ) => false,
        }
    }
}

impl Term {
    fn take(&mut self, other: Term) {
        self.iteration |= other.iteration;
        other.reads.into_iter().for_each(|path| self.add(path));
    }

    fn add(&mut self, path: Rc<Path>) {
        if self.reads.len() >= MOST_READS {
            self.iteration = true;
        } else if !self.reads.iter().any(|known| Rc::ptr_eq(known, &path) || known.is(&path, true)) {
            self.reads.push(path);
        }
    }
}

impl<'m> Accesses<'m> {
    pub fn new(model: &'m Model, reach: &'m Reach, frame: &'m Frame, variable: LocalId) -> Self {
        Accesses {
            model,
            reach,
            variable,
            list: Vec::new(),
            bounds: HashMap::new(),
            frames: vec![(0, frame)],
            following: Vec::new(),
            activations: 0,
            certain: Vec::new(),
            now: None,
            inner: HashSet::new(),
            silent: false,
        }
    }

    /// An alias that was entered before the loop.
    pub fn outer_alias(&mut self, binding: &'m AliasBinding) {
        if let AliasValue::Place(place) = &binding.value {
            let path = self.path_alone(place);
            let bound = Bound { place: Some(path), index: Index::Unknown, term: Term::default() };
            self.bounds.insert((0, binding.local), bound);
        }
    }

    /// Whether the storage of a path was certainly written before, in the same iteration.
    pub fn is_written(&self, mut at: Moment, path: &Path) -> bool {
        while let Some((written, before)) = at.and_then(|at| self.certain.get(at)) {
            if written.begins(path, true) {
                return true;
            }
            at = *before;
        }
        false
    }

    /// Whether the storage to which a path leads in any iteration was certainly written before, in this one.
    pub fn is_written_for_all(&self, mut at: Moment, path: &Path) -> bool {
        while let Some((written, before)) = at.and_then(|at| self.certain.get(at)) {
            if !self.varies(written) && written.begins(path, true) {
                return true;
            }
            at = *before;
        }
        false
    }

    /// Whether a path may lead elsewhere in another iteration.
    fn varies(&self, path: &Path) -> bool {
        path.steps.iter().any(|step| match step {
            PathStep::Field(_) | PathStep::Element(Index::Constant(_) | Index::Every, _) => false,
            PathStep::Element(Index::Fixed(activation, local), _) => {
                *activation > 0 || self.inner.contains(local)
            }
            PathStep::Element(Index::Iteration | Index::Variable(_) | Index::Unknown, _) => true,
        })
    }

    /// Whether a value may differ between iterations.
    pub fn depends(&self, term: &Term) -> bool {
        term.iteration
            || self.list.iter().any(|access| match access {
                Access::Write { path, .. } => term.reads.iter().any(|read| read.overlaps(path)),
                Access::Read { .. } | Access::Return { .. } => false,
            })
    }

    fn activation(&self) -> Activation {
        self.frames.last().map_or(0, |(activation, _)| *activation)
    }

    fn local_type(&self, local: LocalId) -> Option<TypeId> {
        let (_, frame) = self.frames.last()?;
        frame.locals.get(local.index()).map(|local| local.ty)
    }

    fn element_type(&self, ty: Option<TypeId>, field: Option<u32>) -> (Option<TypeId>, Option<(i64, i64)>) {
        match (ty.and_then(|ty| self.model.types.get(ty.index())).map(|ty| &ty.kind), field) {
            (Some(TypeKind::Array { index, element }), None) => (Some(*element), self.model.bounds(*index)),
            (Some(TypeKind::Multiset { element, .. }), None) => (Some(*element), None),
            (Some(TypeKind::Record { fields }), Some(field)) => {
                (fields.get(field as usize).map(|field| field.ty), None)
            }
            (_, _) => (None, None),
        }
    }

    /// The path of a place, and what its indices are computed from; they are read.
    fn path(&mut self, place: &'m Place) -> (Rc<Path>, Term) {
        let mut term = Term::default();
        let here = self.activation();
        let (mut path, mut ty) = match &place.root {
            Root::Global(global) => (
                Path::whole(PathRoot::Global(*global)),
                self.model.globals.get(global.index()).map(|global| global.ty),
            ),
            Root::Local(local) => {
                let bound = self.bounds.get(&(here, *local)).and_then(|bound| bound.place.clone());
                let path = bound
                    .map_or_else(|| Path::whole(PathRoot::Local(here, *local)), |path| path.as_ref().clone());
                (path, self.local_type(*local))
            }
            Root::Temporary(value) => {
                term.take(self.read(value));
                (Path::whole(PathRoot::Temporary), Some(value.ty))
            }
        };
        for step in &place.steps {
            let (next, bounds) = match step {
                Step::Field(field) => self.element_type(ty, Some(*field)),
                Step::Index(_) | Step::Slot(_) => self.element_type(ty, None),
            };
            ty = next;
            path.steps.push(match step {
                Step::Field(field) => PathStep::Field(*field),
                Step::Index(index) | Step::Slot(index) => {
                    let seen = self.see(index);
                    term.take(seen.term);
                    PathStep::Element(seen.index, bounds)
                }
            });
        }
        (Rc::new(path), term)
    }

    /// Looks without noting anything.
    fn silently<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.silent, true);
        let found = look(self);
        self.silent = outer;
        found
    }

    fn path_alone(&mut self, place: &'m Place) -> Rc<Path> {
        self.silently(|all| all.path(place).0)
    }

    fn note(&mut self, access: Access) {
        if !self.silent {
            self.list.push(access);
        }
    }

    /// The value that a place holds.
    fn see_place(&mut self, place: &'m Place) -> Seen {
        let (path, mut term) = self.path(place);
        // A read-only parameter holds what was passed; its argument has been read already.
        if let PathRoot::Local(activation, local) = path.root
            && let Some(bound) = self.bounds.get(&(activation, local))
        {
            term.take(bound.term.clone());
            let index = if path.steps.is_empty() { bound.index.clone() } else { Index::Unknown };
            return Seen { term, index };
        }
        self.note(Access::Read { path: path.clone(), at: self.now });
        term.add(path.clone());
        Seen { term, index: Index::Variable(path) }
    }

    /// Notes what an expression reads, and what its calls do; returns what its value is computed from.
    pub fn read(&mut self, expression: &'m Expression) -> Term {
        self.see(expression).term
    }

    fn see_all(&mut self, parts: impl IntoIterator<Item = &'m Expression>) -> Seen {
        let mut term = Term::default();
        for part in parts {
            term.take(self.read(part));
        }
        Seen::computed(term)
    }

    fn see(&mut self, expression: &'m Expression) -> Seen {
        let here = self.activation();
        match &expression.kind {
            ExpressionKind::Constant(value) => Seen { term: Term::default(), index: Index::Constant(*value) },
            ExpressionKind::Value(local) if here == 0 && *local == self.variable => {
                Seen { term: Term { iteration: true, reads: Vec::new() }, index: Index::Iteration }
            }
            ExpressionKind::Value(local) => match self.bounds.get(&(here, *local)) {
                Some(bound) => Seen { term: bound.term.clone(), index: bound.index.clone() },
                None => Seen { term: Term::default(), index: Index::Fixed(here, *local) },
            },
            ExpressionKind::Read(place) => self.see_place(place),
            ExpressionKind::IsUndefined(place) => Seen::computed(self.see_place(place).term),
            ExpressionKind::Call(call) => Seen::computed(self.call(call)),
            // Numberings of one and the same value differ only where the arrays do.
            ExpressionKind::Convert { value, .. } => {
                let seen = self.see(value);
                match seen.index {
                    Index::Constant(_) => Seen::computed(seen.term),
                    index => Seen { index, ..seen },
                }
            }
            ExpressionKind::Not(operand)
            | ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::IsMember { value: operand, .. } => Seen::computed(self.read(operand)),
            ExpressionKind::Arithmetic { left, right, .. }
            | ExpressionKind::Compare { left, right, .. }
            | ExpressionKind::CompareCompound { left, right, .. }
            | ExpressionKind::Implies(left, right) => self.see_all([left.as_ref(), right]),
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => self.see_all(parts),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.see_all([condition.as_ref(), then, otherwise])
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.see_all(domain_parts(&binder.domain).into_iter().chain([body.as_ref()]))
            }
            ExpressionKind::MultisetCount { multiset, condition, .. } => {
                let mut term = self.see_place(multiset).term;
                term.take(self.read(condition));
                Seen::computed(term)
            }
        }
    }

    fn write(&mut self, place: &'m Place, form: Form, value: Written, span: Span) {
        let (path, _) = self.path(place);
        let at = self.now;
        if form == Form::Plain {
            self.certain.push((path.clone(), self.now));
            self.now = Some(self.certain.len() - 1);
        }
        self.note(Access::Write { path, form, value, span, at });
    }

    fn call(&mut self, call: &'m Call) -> Term {
        let Some(function) = self.model.functions.get(call.function.index()) else { return Term::default() };
        if self.silent {
            return Term { iteration: true, reads: Vec::new() };
        }
        let before = self.list.len();
        let mut term = Term::default();
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(match argument {
                Argument::Value(value) => {
                    let seen = self.see(value);
                    term.take(seen.term.clone());
                    // The variable may change, the parameter does not.
                    let index = match seen.index {
                        Index::Variable(_) => Index::Unknown,
                        index => index,
                    };
                    Bound { place: None, index, term: seen.term }
                }
                Argument::Reference(place) => {
                    let (path, of_indices) = self.path(place);
                    term.take(of_indices);
                    Bound { place: Some(path), index: Index::Unknown, term: Term::default() }
                }
            });
        }
        let follow = !function.recursive
            && self.list.len() < MOST_ACCESSES
            && self.following.len() < MOST_CALLS
            && !self.following.contains(&call.function);
        let inside = self.activations + 1;
        if follow {
            self.activations = inside;
            for (parameter, bound) in function.parameters.iter().zip(arguments) {
                self.bounds.insert((inside, parameter.local), bound);
            }
            let now = self.now;
            self.frames.push((inside, &function.frame));
            self.following.push(call.function);
            self.statements(&function.body);
            self.following.pop();
            self.frames.pop();
            // What comes after a `return` is not certain to happen.
            if returns_early(&function.body) {
                self.now = now;
            }
        } else {
            for bound in arguments {
                if let Some(path) = bound.place {
                    self.unknown(path, call.span);
                }
            }
            let reached = self.reach.of(call.function);
            for global in reached.reads.iter().copied() {
                let path = Rc::new(Path::whole(PathRoot::Global(global)));
                self.note(Access::Read { path, at: self.now });
            }
            for global in reached.writes.keys().copied() {
                self.unknown(Rc::new(Path::whole(PathRoot::Global(global))), call.span);
            }
        }
        for access in self.list.get(before..).unwrap_or_default() {
            if let Access::Read { path, .. } = access
                && !matches!(path.root, PathRoot::Local(frame, _) if frame >= inside)
            {
                term.add(path.clone());
            }
        }
        term
    }

    fn unknown(&mut self, path: Rc<Path>, span: Span) {
        let value = Written::Computed(Term { iteration: true, reads: Vec::new() });
        self.note(Access::Write { path, form: Form::Unknown, value, span, at: self.now });
    }

    fn written(expression: &Expression, term: Term) -> Written {
        match &expression.kind {
            ExpressionKind::Constant(value) => Written::Constant(*value),
            _ => Written::Computed(term),
        }
    }

    fn reads(&mut self, expression: &'m Expression, path: &Path) -> bool {
        match &expression.kind {
            ExpressionKind::Read(place) => self.path_alone(place).is(path, false),
            _ => false,
        }
    }

    /// Whether two expressions certainly have the same value at the same moment.
    fn same(&mut self, left: &'m Expression, right: &'m Expression) -> bool {
        self.silently(|all| {
            let (left, right) = (all.see(left).index, all.see(right).index);
            left.is(&right, false)
        })
    }

    fn assignment(&mut self, target: &'m Place, value: &'m Expression, span: Span) {
        let path = self.path_alone(target);
        let (form, rest) = self.update(&path, value);
        let mut term = Term::default();
        for part in rest {
            term.take(self.read(part));
        }
        self.write(target, form, Self::written(value, term), span);
    }

    /// How an assignment uses what was in the place before, and what else it reads.
    fn update(&mut self, path: &Path, value: &'m Expression) -> (Form, Vec<&'m Expression>) {
        match &value.kind {
            ExpressionKind::Arithmetic { operator, left, right } => {
                let (commutes, falls) = match operator {
                    ArithmeticOperator::Add => (true, false),
                    ArithmeticOperator::Subtract => (false, true),
                    ArithmeticOperator::Multiply
                    | ArithmeticOperator::Divide
                    | ArithmeticOperator::Modulo
                    | ArithmeticOperator::BitAnd
                    | ArithmeticOperator::BitOr
                    | ArithmeticOperator::BitXor
                    | ArithmeticOperator::ShiftLeft
                    | ArithmeticOperator::ShiftRight => return (Form::Plain, vec![value]),
                };
                if self.reads(left, path) {
                    (Form::Sum(self.direction(right, falls)), vec![&**right])
                } else if commutes && self.reads(right, path) {
                    (Form::Sum(self.direction(left, falls)), vec![&**left])
                } else {
                    (Form::Plain, vec![value])
                }
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                let mut rest = Vec::with_capacity(parts.len());
                for part in parts {
                    if !self.reads(part, path) {
                        rest.push(part);
                    }
                }
                if rest.len() == parts.len() {
                    (Form::Plain, vec![value])
                } else if matches!(value.kind, ExpressionKind::And(_)) {
                    (Form::And, rest)
                } else {
                    (Form::Or, rest)
                }
            }
            _ => (Form::Plain, vec![value]),
        }
    }

    fn direction(&self, addend: &Expression, falls: bool) -> Option<Direction> {
        let (low, high) = match &addend.kind {
            ExpressionKind::Constant(value) => (*value, *value),
            _ => self.model.bounds(addend.ty)?,
        };
        if low >= 0 {
            Some(if falls { Direction::Down } else { Direction::Up })
        } else if high <= 0 {
            Some(if falls { Direction::Up } else { Direction::Down })
        } else {
            None
        }
    }

    /// One arm of an `if`. Keeping the largest or the smallest of many values is the same in any order.
    fn arm(&mut self, condition: &'m Expression, body: &'m [Statement]) {
        let parts = match &condition.kind {
            ExpressionKind::And(parts) => parts.as_slice(),
            _ => std::slice::from_ref(condition),
        };
        let mut kept: Vec<(usize, Form)> = Vec::new();
        for part in parts {
            let mut found = None;
            for (at, statement) in body.iter().enumerate() {
                if let StatementKind::Assign { target, value } = &statement.kind
                    && let Some((form, rest)) = self.extreme(part, target, value)
                {
                    found = Some((at, form, rest));
                    break;
                }
            }
            match found {
                Some((at, form, rest)) => {
                    self.read(rest);
                    kept.push((at, form));
                }
                None => {
                    self.read(part);
                }
            }
        }
        for (at, statement) in body.iter().enumerate() {
            if let StatementKind::Assign { target, value } = &statement.kind
                && let Some((_, form)) = kept.iter().find(|(position, _)| *position == at)
            {
                let term = self.read(value);
                self.write(target, *form, Self::written(value, term), statement.span);
            } else {
                self.statement(statement);
            }
        }
    }

    /// Whether a condition compares a place with the value that it is about to get.
    fn extreme(
        &mut self,
        condition: &'m Expression,
        target: &'m Place,
        value: &'m Expression,
    ) -> Option<(Form, &'m Expression)> {
        let ExpressionKind::Compare { operator, left, right } = &condition.kind else { return None };
        let (when_left, when_right) = match operator {
            CompareOperator::Less | CompareOperator::LessOrEqual => (Form::Maximum, Form::Minimum),
            CompareOperator::Greater | CompareOperator::GreaterOrEqual => (Form::Minimum, Form::Maximum),
            CompareOperator::Equal | CompareOperator::NotEqual => return None,
        };
        let path = self.path_alone(target);
        if self.reads(left, &path) && self.same(right, value) {
            Some((when_left, right))
        } else if self.reads(right, &path) && self.same(left, value) {
            Some((when_right, left))
        } else {
            None
        }
    }

    pub fn statements(&mut self, statements: &'m [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// Goes through one of several branches; what it certainly writes is returned, not kept.
    fn branch(&mut self, walk: impl FnOnce(&mut Self)) -> Vec<Rc<Path>> {
        let before = self.now;
        walk(self);
        let mut written = Vec::new();
        let mut at = std::mem::replace(&mut self.now, before);
        while at != before {
            let Some((path, earlier)) = at.and_then(|at| self.certain.get(at)) else { break };
            written.push(path.clone());
            at = *earlier;
        }
        written
    }

    fn certainly(&mut self, path: Rc<Path>) {
        self.certain.push((path, self.now));
        self.now = Some(self.certain.len() - 1);
    }

    /// What every branch writes is written.
    fn merge(&mut self, branches: Vec<Vec<Rc<Path>>>) {
        let Some((first, others)) = branches.split_first() else { return };
        for path in first {
            let in_all = others.iter().all(|other| other.iter().any(|written| written.begins(path, true)));
            if in_all {
                self.certainly(path.clone());
            }
        }
    }

    fn inner_loop(&mut self, variable: LocalId, domain: &'m Domain, body: &'m [Statement]) {
        for part in domain_parts(domain) {
            self.read(part);
        }
        if self.activation() == 0 {
            self.inner.insert(variable);
        }
        let written = self.branch(|all| all.statements(body));
        let Domain::Constant { low, high } = domain else { return };
        let here = self.activation();
        for path in written {
            let mut path = path.as_ref().clone();
            let mut complete = true;
            for step in &mut path.steps {
                if let PathStep::Element(index, bounds) = step
                    && matches!(index, Index::Fixed(frame, local) if (*frame, *local) == (here, variable))
                {
                    complete &= *bounds == Some((*low, *high));
                    *index = Index::Every;
                }
            }
            if complete {
                self.certainly(Rc::new(path));
            }
        }
    }

    fn statement(&mut self, statement: &'m Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, value } => self.assignment(target, value, span),
            StatementKind::Copy { target, source } => {
                let term = self.read(source);
                self.write(target, Form::Plain, Written::Computed(term), span);
            }
            StatementKind::If { arms, otherwise } => {
                let mut branches = Vec::with_capacity(arms.len() + 1);
                for (condition, body) in arms {
                    branches.push(self.branch(|all| all.arm(condition, body)));
                }
                branches.push(self.branch(|all| all.statements(otherwise)));
                self.merge(branches);
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                self.read(subject);
                let mut branches = Vec::with_capacity(cases.len() + 1);
                for case in cases {
                    for value in &case.values {
                        self.read(value);
                    }
                    branches.push(self.branch(|all| all.statements(&case.body)));
                }
                branches.push(self.branch(|all| all.statements(otherwise)));
                self.merge(branches);
            }
            StatementKind::For { binder, body } => self.inner_loop(binder.variable, &binder.domain, body),
            StatementKind::While { condition, body } => {
                self.read(condition);
                self.branch(|all| all.statements(body));
            }
            StatementKind::Alias { binding, body } => {
                let here = self.activation();
                let bound = match &binding.value {
                    AliasValue::Place(place) => {
                        let (path, _) = self.path(place);
                        Bound { place: Some(path), index: Index::Unknown, term: Term::default() }
                    }
                    AliasValue::Expression(value) => {
                        let seen = self.see(value);
                        let index = match seen.index {
                            // What it was computed from may change, the alias does not.
                            Index::Variable(_) | Index::Unknown => Index::Fixed(here, binding.local),
                            index => index,
                        };
                        Bound { place: None, index, term: seen.term }
                    }
                };
                self.bounds.insert((here, binding.local), bound);
                if here == 0 {
                    self.inner.insert(binding.local);
                }
                self.statements(body);
            }
            StatementKind::Call(call) => {
                self.call(call);
            }
            StatementKind::Clear(place) => self.write(place, Form::Plain, Written::Cleared, span),
            StatementKind::Undefine(place) => self.write(place, Form::Plain, Written::Undefined, span),
            StatementKind::Assert { condition, .. }
            | StatementKind::Assume { condition }
            | StatementKind::Cover { condition, .. } => {
                self.read(condition);
            }
            StatementKind::Error(_) | StatementKind::PutText(_) | StatementKind::PutValue(_) => {}
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| {
                    let term = self.read(value);
                    Self::written(value, term)
                });
                if self.following.is_empty() {
                    self.note(Access::Return { value, span });
                }
            }
            StatementKind::MultisetAdd { value, multiset } => {
                let term = self.read(value);
                self.write(multiset, Form::Add, Written::Computed(term), span);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                let term = self.read(slot);
                self.write(multiset, Form::Remove, Written::Computed(term), span);
            }
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                let before = self.list.len();
                let term = self.read(condition);
                // Looking at the element that may go is part of removing it.
                let path = self.path_alone(multiset);
                let own = Index::Fixed(self.activation(), *variable);
                let depth = path.steps.len();
                let later = self.list.split_off(before);
                self.list.extend(later.into_iter().filter(|access| {
                    let Access::Read { path: read, .. } = access else { return true };
                    let at_own_slot = read.steps.get(depth).is_some_and(
                        |step| matches!(step, PathStep::Element(index, _) if index.is(&own, true)),
                    );
                    !(path.begins(read, false) && at_own_slot)
                }));
                self.write(multiset, Form::Remove, Written::Computed(term), span);
            }
        }
    }
}

/// Whether a body may be left before its last statement.
fn returns_early(body: &[Statement]) -> bool {
    fn returns(statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Return(_) => true,
            StatementKind::If { arms, otherwise } => {
                arms.iter().any(|(_, body)| body.iter().any(returns)) || otherwise.iter().any(returns)
            }
            StatementKind::Switch { cases, otherwise, .. } => {
                cases.iter().any(|case| case.body.iter().any(returns)) || otherwise.iter().any(returns)
            }
            StatementKind::For { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::Alias { body, .. } => body.iter().any(returns),
            StatementKind::Assign { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Call(_)
            | StatementKind::Clear(_)
            | StatementKind::Undefine(_)
            | StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::MultisetAdd { .. }
            | StatementKind::MultisetRemove { .. }
            | StatementKind::MultisetRemovePredicate { .. } => false,
        }
    }
    match body.split_last() {
        Some((last, before)) => {
            before.iter().any(returns) || (!matches!(last.kind, StatementKind::Return(_)) && returns(last))
        }
        None => false,
    }
}
