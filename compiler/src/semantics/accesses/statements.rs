//! Statements, in their order, and what all their branches certainly write.

use std::rc::Rc;

use super::paths::{Index, Path, PathStep};
use super::values::{Form, Term, Written};
use super::{Access, Accesses, Bound};
use crate::semantics::model::{AliasValue, Domain, LocalId, Statement, StatementKind};
use crate::semantics::walk::domain_parts;

impl<'m> Accesses<'m> {
    pub fn statements(&mut self, statements: &'m [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// Goes through one of several branches; what it certainly writes is returned, not kept.
    pub(super) fn branch(&mut self, walk: impl FnOnce(&mut Self)) -> Vec<Rc<Path>> {
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

    pub(super) fn certainly(&mut self, path: Rc<Path>) {
        self.certain.push((path, self.now));
        self.now = Some(self.certain.len() - 1);
    }

    /// What every branch writes is written.
    pub(super) fn merge(&mut self, branches: Vec<Vec<Rc<Path>>>) {
        let Some((first, others)) = branches.split_first() else { return };
        for path in first {
            let in_all = others.iter().all(|other| other.iter().any(|written| written.begins(path, true)));
            if in_all {
                self.certainly(path.clone());
            }
        }
    }

    pub(super) fn inner_loop(&mut self, variable: LocalId, domain: &'m Domain, body: &'m [Statement]) {
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

    pub(super) fn statement(&mut self, statement: &'m Statement) {
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
