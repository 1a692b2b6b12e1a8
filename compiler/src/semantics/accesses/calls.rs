//! Calls, which are followed as far as that can be done.

use std::rc::Rc;

use super::paths::{Index, Path, PathRoot};
use super::values::{Form, Term, Written};
use super::{Access, Accesses, Bound};
use crate::semantics::model::{Argument, Call, Statement, StatementKind};
use crate::syntax::span::Span;

/// From here on calls are no longer followed.
const MOST_ACCESSES: usize = 5_000;
/// How deeply calls are followed.
const MOST_CALLS: usize = 16;

impl<'m> Accesses<'m> {
    pub(super) fn call(&mut self, call: &'m Call) -> Term {
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

    pub(super) fn unknown(&mut self, path: Rc<Path>, span: Span) {
        let value = Written::Computed(Term { iteration: true, reads: Vec::new() });
        self.note(Access::Write { path, form: Form::Unknown, value, span, at: self.now });
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
