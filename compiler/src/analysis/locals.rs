//! Which locals an expression mentions, and which of those of a piece of code are bound outside of it.

use crate::semantics::model::{
    AliasValue, Argument, Binder, Call, Domain, Expression, ExpressionKind, LocalId, Place, Root, Statement,
    StatementKind, Step,
};
use crate::semantics::walk;
use std::collections::BTreeSet;

/// Calls `found` for every local that the expression mentions, those that it binds itself included.
pub fn mentioned(expression: &Expression, found: &mut impl FnMut(LocalId)) {
    match &expression.kind {
        ExpressionKind::Constant(_) => {}
        ExpressionKind::Value(local) => found(*local),
        ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => in_place(place, found),
        ExpressionKind::Call(call) => in_call(call, found),
        ExpressionKind::Not(operand) | ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => {
            mentioned(operand, found);
        }
        ExpressionKind::Arithmetic { left, right, .. }
        | ExpressionKind::Compare { left, right, .. }
        | ExpressionKind::CompareCompound { left, right, .. }
        | ExpressionKind::Implies(left, right) => {
            mentioned(left, found);
            mentioned(right, found);
        }
        ExpressionKind::And(operands) | ExpressionKind::Or(operands) => {
            operands.iter().for_each(|operand| mentioned(operand, found));
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            mentioned(condition, found);
            mentioned(then, found);
            mentioned(otherwise, found);
        }
        ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
            in_binder(binder, found);
            mentioned(body, found);
        }
        ExpressionKind::IsMember { value, .. } | ExpressionKind::Convert { value, .. } => {
            mentioned(value, found)
        }
        ExpressionKind::MultisetCount { multiset, condition, .. } => {
            in_place(multiset, found);
            mentioned(condition, found);
        }
    }
}

/// The same for a place.
pub fn in_place(place: &Place, found: &mut impl FnMut(LocalId)) {
    match &place.root {
        Root::Global(_) => {}
        Root::Local(local) => found(*local),
        Root::Temporary(expression) => mentioned(expression, found),
    }
    for step in &place.steps {
        match step {
            Step::Field(_) => {}
            Step::Index(index) | Step::Slot(index) => mentioned(index, found),
        }
    }
}

fn in_call(call: &Call, found: &mut impl FnMut(LocalId)) {
    for argument in &call.arguments {
        match argument {
            Argument::Reference(place) => in_place(place, found),
            Argument::Value(value) => mentioned(value, found),
        }
    }
}

fn in_binder(binder: &Binder, found: &mut impl FnMut(LocalId)) {
    match &binder.domain {
        Domain::Constant { .. } => {}
        Domain::Steps { from, upto, step } => {
            mentioned(from, found);
            mentioned(upto, found);
            mentioned(step, found);
        }
    }
}

/// Locals that some code uses and does not bind itself: what it has to be given where it stands elsewhere.
#[derive(Debug, Default)]
pub struct FreeLocals {
    used: BTreeSet<LocalId>,
    bound: BTreeSet<LocalId>,
}

impl FreeLocals {
    pub fn add_expression(&mut self, expression: &Expression) {
        mentioned(expression, &mut |local| {
            self.used.insert(local);
        });
        self.add_binders(expression);
    }

    pub fn add_statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.add_statement(statement));
    }

    fn add_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign { target, .. } | StatementKind::Copy { target, .. } => {
                self.add_root(target)
            }
            StatementKind::For { binder, .. } => {
                self.bound.insert(binder.variable);
            }
            StatementKind::Alias { binding, .. } => {
                self.bound.insert(binding.local);
                if let AliasValue::Place(place) = &binding.value {
                    self.add_root(place);
                }
            }
            StatementKind::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Reference(place) = argument {
                        self.add_root(place);
                    }
                }
            }
            StatementKind::Clear(place)
            | StatementKind::Undefine(place)
            | StatementKind::MultisetAdd { multiset: place, .. }
            | StatementKind::MultisetRemove { multiset: place, .. } => self.add_root(place),
            StatementKind::MultisetRemovePredicate { variable, multiset, .. } => {
                self.bound.insert(*variable);
                self.add_root(multiset);
            }
            StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::While { .. }
            | StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_) => {}
        }
        walk::expressions_of(statement, &mut |expression| self.add_expression(expression));
        walk::inner_statements(statement, &mut |inner| self.add_statement(inner));
    }

    /// The variable that a place begins with; the expressions in it are walked through elsewhere.
    fn add_root(&mut self, place: &Place) {
        if let Root::Local(local) = &place.root {
            self.used.insert(*local);
        }
    }

    fn add_binders(&mut self, expression: &Expression) {
        walk::each(expression, &mut |inner| match &inner.kind {
            ExpressionKind::Forall { binder, .. } | ExpressionKind::Exists { binder, .. } => {
                self.bound.insert(binder.variable);
            }
            ExpressionKind::MultisetCount { variable, .. } => {
                self.bound.insert(*variable);
            }
            _ => {}
        });
    }

    /// In the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = LocalId> {
        self.used.difference(&self.bound).copied()
    }
}
