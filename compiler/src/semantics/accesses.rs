//! What the body of a loop reads and writes, in the order of the text, seen from its loop variable.

use std::collections::{HashMap, HashSet};

use super::model::{
    AliasBinding, AliasValue, Argument, ArithmeticOperator, Call, Domain, Expression, ExpressionKind,
    GlobalId, LocalId, Place, Root, Statement, StatementKind, Step,
};
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

    /// Whether two paths certainly lead to the same storage.
    fn is_same(&self, other: &Path<'m>) -> bool {
        self.root == other.root
            && self.steps.len() == other.steps.len()
            && self.steps.iter().zip(&other.steps).all(|(left, right)| match (left, right) {
                (Step::Field(left), Step::Field(right)) => left == right,
                (Step::Index(left) | Step::Slot(left), Step::Index(right) | Step::Slot(right)) => {
                    match (&left.kind, &right.kind) {
                        (ExpressionKind::Constant(left), ExpressionKind::Constant(right)) => left == right,
                        (ExpressionKind::Value(left), ExpressionKind::Value(right)) => left == right,
                        (_, _) => false,
                    }
                }
                (Step::Field(_), Step::Index(_) | Step::Slot(_))
                | (Step::Index(_) | Step::Slot(_), Step::Field(_)) => false,
            })
    }
}

impl<'m> Accesses<'m> {
    pub fn new(variable: LocalId) -> Self {
        Accesses { variable, list: Vec::new(), aliases: HashMap::new(), carried: HashSet::new() }
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
        each(expression, &mut |part| match &part.kind {
            ExpressionKind::Value(local) => found |= self.depends_local(*local),
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => {
                let path = self.path(place);
                found |= self.depends_path(&path) || self.is_carried(path.root);
            }
            _ => {}
        });
        found
    }

    fn depends_local(&self, local: LocalId) -> bool {
        local == self.variable
            || match self.aliases.get(&local) {
                Some(AliasValue::Expression(value)) => self.depends(value),
                Some(AliasValue::Place(place)) => self.depends_path(&self.path(place)),
                None => false,
            }
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

    fn read(&mut self, expression: &'m Expression) {
        let mut places = Vec::new();
        let mut calls = Vec::new();
        each(expression, &mut |part| match &part.kind {
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => places.push(place),
            ExpressionKind::MultisetCount { multiset, .. } => places.push(multiset),
            ExpressionKind::Call(call) => calls.push(call),
            _ => {}
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
        {
            self.carried.insert(local);
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
        let is_target = |checker: &Self, part: &'m Expression| match &part.kind {
            ExpressionKind::Read(place) => checker.path(place).is_same(&path),
            _ => false,
        };
        let (form, rest): (Form, Vec<&'m Expression>) = match &value.kind {
            ExpressionKind::Arithmetic { operator: ArithmeticOperator::Add, left, right } => {
                if is_target(self, left) {
                    (Form::Sum, vec![right])
                } else if is_target(self, right) {
                    (Form::Sum, vec![left])
                } else {
                    (Form::Plain, vec![value])
                }
            }
            ExpressionKind::Arithmetic { operator: ArithmeticOperator::Subtract, left, right }
                if is_target(self, left) =>
            {
                (Form::Sum, vec![right])
            }
            ExpressionKind::And(parts) if parts.iter().any(|part| is_target(self, part)) => {
                (Form::And, parts.iter().filter(|part| !is_target(self, part)).collect())
            }
            ExpressionKind::Or(parts) if parts.iter().any(|part| is_target(self, part)) => {
                (Form::Or, parts.iter().filter(|part| !is_target(self, part)).collect())
            }
            _ => (Form::Plain, vec![value]),
        };
        rest.into_iter().for_each(|part| self.read(part));
        self.write(target, form, Some(value), span);
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
                    self.read(condition);
                    self.statements(body);
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

fn domain_parts(domain: &Domain) -> Vec<&Expression> {
    match domain {
        Domain::Constant { .. } => Vec::new(),
        Domain::Steps { from, upto, step } => vec![from, upto, step],
    }
}

/// Visits an expression and everything inside it, indices included.
fn each<'m>(expression: &'m Expression, visit: &mut dyn FnMut(&'m Expression)) {
    visit(expression);
    match &expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Value(_) => {}
        ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => each_in_place(place, visit),
        ExpressionKind::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Reference(place) => each_in_place(place, visit),
                    Argument::Value(value) => each(value, visit),
                }
            }
        }
        ExpressionKind::Not(operand) | ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => {
            each(operand, visit);
        }
        ExpressionKind::Arithmetic { left, right, .. }
        | ExpressionKind::Compare { left, right, .. }
        | ExpressionKind::CompareCompound { left, right, .. }
        | ExpressionKind::Implies(left, right) => {
            each(left, visit);
            each(right, visit);
        }
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
            parts.iter().for_each(|part| each(part, visit));
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            each(condition, visit);
            each(then, visit);
            each(otherwise, visit);
        }
        ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
            domain_parts(&binder.domain).into_iter().for_each(|part| each(part, visit));
            each(body, visit);
        }
        ExpressionKind::IsMember { value, .. } | ExpressionKind::Convert { value, .. } => each(value, visit),
        ExpressionKind::MultisetCount { multiset, condition, .. } => {
            each_in_place(multiset, visit);
            each(condition, visit);
        }
    }
}

fn each_in_place<'m>(place: &'m Place, visit: &mut dyn FnMut(&'m Expression)) {
    if let Root::Temporary(value) = &place.root {
        each(value, visit);
    }
    for step in &place.steps {
        match step {
            Step::Field(_) => {}
            Step::Index(index) | Step::Slot(index) => each(index, visit),
        }
    }
}
