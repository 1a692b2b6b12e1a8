//! What executing a statement reads and writes.

use super::footprint::Written;
use super::walker::Walker;
use crate::semantics::model::{Expression, ExpressionKind, Place, Statement, StatementKind};
use crate::source::Span;

impl<'m> Walker<'m> {
    pub fn statements(&mut self, statements: &'m [Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// Statements that may not be executed: what they write is not certain afterwards.
    fn branch(&mut self, statements: &'m [Statement]) {
        let before = self.certain.len();
        self.statements(statements);
        self.certain.truncate(before);
    }

    fn statement(&mut self, statement: &'m Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                self.read(value);
                self.write_place(target, written(value), span);
                self.keep_single(target, value);
            }
            StatementKind::Copy { target, source } => {
                self.read(source);
                self.write_place(target, Written::Computed, span);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.read(condition);
                    self.branch(body);
                }
                self.branch(otherwise);
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                self.read(subject);
                for case in cases {
                    case.values.iter().for_each(|value| self.read(value));
                    self.branch(&case.body);
                }
                self.branch(otherwise);
            }
            StatementKind::For { binder, body } => {
                self.bind(binder);
                self.branch(body);
            }
            StatementKind::While { condition, body } => {
                self.read(condition);
                self.branch(body);
            }
            StatementKind::Alias { binding, body } => {
                self.alias(binding);
                self.statements(body);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Clear(place) => self.write_place(place, Written::Cleared, span),
            StatementKind::Undefine(place) => self.write_place(place, Written::Undefined, span),
            // Whether a rule fails is part of what it does: it must fail after the other rule where
            // it fails before.
            StatementKind::Assert { condition, .. }
            | StatementKind::Assume { condition }
            | StatementKind::Cover { condition, .. } => self.read(condition),
            StatementKind::PutValue(value) => self.read(value),
            StatementKind::Return(value) => value.iter().for_each(|value| self.read(value)),
            StatementKind::MultisetAdd { value, multiset } => {
                self.read(value);
                self.change_multiset(multiset, span);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                self.read(slot);
                self.change_multiset(multiset, span);
            }
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                self.change_multiset(multiset, span);
                self.slot(*variable);
                self.read(condition);
            }
            StatementKind::Error(_) | StatementKind::PutText(_) => {}
        }
    }

    /// Where an element comes to lie, or whether there is room for it, depends on the others.
    fn change_multiset(&mut self, multiset: &'m Place, span: Span) {
        if let Some(target) = self.target(multiset) {
            self.change(target.path, span);
        }
    }
}

fn written(value: &Expression) -> Written {
    match &value.kind {
        ExpressionKind::Constant(value) => Written::Constant(*value),
        _ => Written::Computed,
    }
}
