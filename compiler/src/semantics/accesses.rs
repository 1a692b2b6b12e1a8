//! What the body of a loop reads and writes, in the order of the text, seen from its loop variable.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::model::{
    AliasBinding, AliasValue, Argument, ArithmeticOperator, Call, CompareOperator, Expression,
    ExpressionKind, GlobalId, LocalId, Place, Root, Statement, StatementKind, Step,
};
use super::walk::{domain_parts, each};
use crate::syntax::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PathRoot {
    Global(GlobalId),
    Local(LocalId),
    Temporary,
}

/// A place with its aliases resolved.
#[derive(Clone)]
pub(super) struct Path<'m> {
    pub root: PathRoot,
    steps: Vec<&'m Step>,
}

/// How a write uses what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Not at all.
    Plain,
    /// `x := x + …`
    Sum,
    /// `x := x & …`
    And,
    /// `x := x | …`
    Or,
    /// `if … > x then x := …`
    Maximum,
    /// `if … < x then x := …`
    Minimum,
    /// Adds to a multiset, or removes by a condition.
    Bag,
    /// In a way that is not looked into: a `var` argument.
    Unknown,
}

pub(super) enum Access<'m> {
    Read(Path<'m>),
    Write { path: Path<'m>, form: Form, value: Option<&'m Expression>, span: Span },
    Return { value: Option<&'m Expression>, span: Span },
}

pub(super) struct Accesses<'m> {
    variable: LocalId,
    pub list: Vec<Access<'m>>,
    aliases: HashMap<LocalId, &'m AliasValue>,
    /// Locals that were given something of this iteration.
    carried: HashSet<LocalId>,
    /// Which aliases depend on the iteration, as far as was asked since `carried` last grew: an alias may
    /// use another one twice, and that one the next.
    known: RefCell<HashMap<LocalId, bool>>,
}

impl<'m> Path<'m> {
    /// Whether two paths may lead to the same storage, or one into the other.
    pub fn overlaps(&self, other: &Path<'m>) -> bool {
        self.root == other.root
            && self.root != PathRoot::Temporary
            && self.steps.iter().zip(&other.steps).all(|(left, right)| match (left, right) {
                (Step::Field(left), Step::Field(right)) => left == right,
                (Step::Index(left) | Step::Slot(left), Step::Index(right) | Step::Slot(right)) => {
                    match (&left.kind, &right.kind) {
                        (ExpressionKind::Constant(left), ExpressionKind::Constant(right)) => left == right,
                        (_, _) => true,
                    }
                }
                (Step::Field(_), Step::Index(_) | Step::Slot(_))
                | (Step::Index(_) | Step::Slot(_), Step::Field(_)) => true,
            })
    }
}

impl<'m> Accesses<'m> {
    pub fn new(variable: LocalId) -> Self {
        Accesses {
            variable,
            list: Vec::new(),
            aliases: HashMap::new(),
            carried: HashSet::new(),
            known: RefCell::default(),
        }
    }

    pub fn alias(&mut self, binding: &'m AliasBinding) {
        self.aliases.insert(binding.local, &binding.value);
    }

    fn path(&self, place: &'m Place) -> Path<'m> {
        let mut path = match &place.root {
            Root::Global(global) => Path { root: PathRoot::Global(*global), steps: Vec::new() },
            Root::Local(local) => match self.aliases.get(local) {
                Some(AliasValue::Place(aliased)) => self.path(aliased),
                Some(AliasValue::Expression(_)) | None => {
                    Path { root: PathRoot::Local(*local), steps: Vec::new() }
                }
            },
            Root::Temporary(_) => Path { root: PathRoot::Temporary, steps: Vec::new() },
        };
        path.steps.extend(&place.steps);
        path
    }

    /// Whether an expression has something of this iteration in it.
    pub fn depends(&self, expression: &'m Expression) -> bool {
        let mut found = false;
        each(expression, &mut |part| {
            if let ExpressionKind::Value(local) = &part.kind {
                found |= self.depends_local(*local);
            }
            if let Some(place) = place_read(part) {
                let path = self.path(place);
                found |= self.depends_path(&path) || self.is_carried(path.root);
            }
        });
        found
    }

    fn depends_local(&self, local: LocalId) -> bool {
        if local == self.variable {
            return true;
        }
        let Some(value) = self.aliases.get(&local) else { return false };
        let known = self.known.borrow().get(&local).copied();
        known.unwrap_or_else(|| {
            let depends = match value {
                AliasValue::Expression(value) => self.depends(value),
                AliasValue::Place(place) => self.depends_path(&self.path(place)),
            };
            self.known.borrow_mut().insert(local, depends);
            depends
        })
    }

    fn is_carried(&self, root: PathRoot) -> bool {
        match root {
            PathRoot::Local(local) => self.carried.contains(&local),
            PathRoot::Global(_) | PathRoot::Temporary => false,
        }
    }

    /// Whether different iterations reach different places.
    pub fn depends_path(&self, path: &Path<'m>) -> bool {
        path.steps.iter().any(|step| match step {
            Step::Field(_) => false,
            Step::Index(index) | Step::Slot(index) => self.depends(index),
        })
    }

    /// Whether two paths certainly lead to the same storage.
    fn same_path(&self, left: &Path<'m>, right: &Path<'m>) -> bool {
        left.root == right.root
            && left.steps.len() == right.steps.len()
            && left.steps.iter().zip(&right.steps).all(|(left, right)| match (left, right) {
                (Step::Field(left), Step::Field(right)) => left == right,
                (Step::Index(left) | Step::Slot(left), Step::Index(right) | Step::Slot(right)) => {
                    self.same(left, right)
                }
                (Step::Field(_), Step::Index(_) | Step::Slot(_))
                | (Step::Index(_) | Step::Slot(_), Step::Field(_)) => false,
            })
    }

    /// Whether two expressions certainly have the same value.
    fn same(&self, left: &'m Expression, right: &'m Expression) -> bool {
        match (&left.kind, &right.kind) {
            (ExpressionKind::Constant(left), ExpressionKind::Constant(right)) => left == right,
            (ExpressionKind::Value(left), ExpressionKind::Value(right)) => left == right,
            (ExpressionKind::Read(left), ExpressionKind::Read(right)) => {
                self.same_path(&self.path(left), &self.path(right))
            }
            (ExpressionKind::Convert { value: left, .. }, ExpressionKind::Convert { value: right, .. }) => {
                self.same(left, right)
            }
            (_, _) => false,
        }
    }

    fn reads(&self, expression: &'m Expression, path: &Path<'m>) -> bool {
        matches!(&expression.kind, ExpressionKind::Read(place) if self.same_path(&self.path(place), path))
    }

    fn read(&mut self, expression: &'m Expression) {
        let mut places = Vec::new();
        let mut calls = Vec::new();
        each(expression, &mut |part| {
            places.extend(place_read(part));
            if let ExpressionKind::Call(call) = &part.kind {
                calls.push(call);
            }
        });
        for place in places {
            let path = self.path(place);
            self.list.push(Access::Read(path));
        }
        for call in calls {
            self.references(call);
        }
    }

    fn read_steps(&mut self, place: &'m Place) {
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) | Step::Slot(index) => self.read(index),
            }
        }
    }

    fn write(&mut self, place: &'m Place, form: Form, value: Option<&'m Expression>, span: Span) {
        self.read_steps(place);
        let path = self.path(place);
        if let PathRoot::Local(local) = path.root
            && value.is_some_and(|value| self.depends(value))
            && self.carried.insert(local)
        {
            self.known.borrow_mut().clear();
        }
        self.list.push(Access::Write { path, form, value, span });
    }

    fn references(&mut self, call: &'m Call) {
        for argument in &call.arguments {
            match argument {
                Argument::Reference(place) => {
                    self.write(place, Form::Unknown, None, call.span);
                }
                Argument::Value(_) => {}
            }
        }
    }

    fn assignment(&mut self, target: &'m Place, value: &'m Expression, span: Span) {
        let path = self.path(target);
        let (form, rest) = self.update(&path, value);
        rest.into_iter().for_each(|part| self.read(part));
        self.write(target, form, Some(value), span);
    }

    /// How an assignment uses what was in the place before, and what else it reads.
    fn update(&self, path: &Path<'m>, value: &'m Expression) -> (Form, Vec<&'m Expression>) {
        let others = |parts: &'m [Expression]| {
            let rest: Vec<_> = parts.iter().filter(|part| !self.reads(part, path)).collect();
            (rest.len() < parts.len()).then_some(rest)
        };
        let found = if let ExpressionKind::Arithmetic { operator, left, right } = &value.kind {
            let commutes = *operator == ArithmeticOperator::Add;
            let sums = commutes || *operator == ArithmeticOperator::Subtract;
            if sums && self.reads(left, path) {
                Some((Form::Sum, vec![&**right]))
            } else if commutes && self.reads(right, path) {
                Some((Form::Sum, vec![&**left]))
            } else {
                None
            }
        } else if let ExpressionKind::And(parts) = &value.kind {
            others(parts).map(|rest| (Form::And, rest))
        } else if let ExpressionKind::Or(parts) = &value.kind {
            others(parts).map(|rest| (Form::Or, rest))
        } else {
            None
        };
        found.unwrap_or((Form::Plain, vec![value]))
    }

    /// One arm of an `if`. Keeping the largest or the smallest of many values is the same in any order.
    fn arm(&mut self, condition: &'m Expression, body: &'m [Statement]) {
        let parts = if let ExpressionKind::And(parts) = &condition.kind {
            parts.as_slice()
        } else {
            std::slice::from_ref(condition)
        };
        let mut kept: Vec<(usize, Form)> = Vec::new();
        for part in parts {
            let found = body.iter().enumerate().find_map(|(at, statement)| {
                let StatementKind::Assign { target, value } = &statement.kind else { return None };
                self.extreme(part, target, value).map(|(form, rest)| (at, form, rest))
            });
            match found {
                Some((at, form, rest)) => {
                    self.read(rest);
                    kept.push((at, form));
                }
                None => self.read(part),
            }
        }
        for (at, statement) in body.iter().enumerate() {
            if let StatementKind::Assign { target, value } = &statement.kind
                && let Some((_, form)) = kept.iter().find(|(position, _)| *position == at)
            {
                self.read(value);
                self.write(target, *form, Some(value), statement.span);
            } else {
                self.statement(statement);
            }
        }
    }

    /// Whether a condition compares a place with the value that it is about to get.
    fn extreme(
        &self,
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
        let path = self.path(target);
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

    fn statement(&mut self, statement: &'m Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, value } => self.assignment(target, value, span),
            StatementKind::Copy { target, source } => {
                self.read(source);
                self.write(target, Form::Plain, Some(source), span);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.arm(condition, body);
                }
                self.statements(otherwise);
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                self.read(subject);
                for case in cases {
                    case.values.iter().for_each(|value| self.read(value));
                    self.statements(&case.body);
                }
                self.statements(otherwise);
            }
            StatementKind::For { binder, body } => {
                domain_parts(&binder.domain).into_iter().for_each(|part| self.read(part));
                self.statements(body);
            }
            StatementKind::While { condition, body } => {
                self.read(condition);
                self.statements(body);
            }
            StatementKind::Alias { binding, body } => {
                match &binding.value {
                    AliasValue::Place(place) => self.read_steps(place),
                    AliasValue::Expression(value) => self.read(value),
                }
                self.alias(binding);
                self.statements(body);
            }
            StatementKind::Call(call) => {
                for argument in &call.arguments {
                    match argument {
                        Argument::Value(value) => self.read(value),
                        Argument::Reference(_) => {}
                    }
                }
                self.references(call);
            }
            StatementKind::Clear(place) | StatementKind::Undefine(place) => {
                self.write(place, Form::Plain, None, span);
            }
            StatementKind::Assert { condition, .. }
            | StatementKind::Assume { condition }
            | StatementKind::Cover { condition, .. } => self.read(condition),
            StatementKind::Error(_) | StatementKind::PutText(_) | StatementKind::PutValue(_) => {}
            StatementKind::Return(value) => {
                value.iter().for_each(|value| self.read(value));
                self.list.push(Access::Return { value: value.as_ref(), span });
            }
            StatementKind::MultisetAdd { value, multiset } => {
                self.read(value);
                self.write(multiset, Form::Bag, None, span);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                self.read(slot);
                self.write(multiset, Form::Bag, None, span);
            }
            StatementKind::MultisetRemovePredicate { multiset, condition, .. } => {
                let before = self.list.len();
                self.read(condition);
                // Looking at the elements that it removes is part of removing them.
                let path = self.path(multiset);
                let mut at = 0;
                self.list.retain(|access| {
                    at += 1;
                    at <= before || !matches!(access, Access::Read(read) if read.overlaps(&path))
                });
                self.write(multiset, Form::Bag, None, span);
            }
        }
    }
}

/// The place that an expression reads itself, not counting what is inside it.
fn place_read(expression: &Expression) -> Option<&Place> {
    if let ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) = &expression.kind {
        Some(place)
    } else if let ExpressionKind::MultisetCount { multiset, .. } = &expression.kind {
        Some(multiset)
    } else {
        None
    }
}
