//! Local variables that get one value in the whole body, such as `next := (i + 1) % N`: whoever reads one reads that
//! value, since reading it earlier is an error. To compare an undefined scalarset or union is none, so nothing is said of what such a comparison
//! yields (`symbolic`).

use std::collections::{HashMap, HashSet};

use super::walker::{Bound, Walker};
use crate::semantics::model::{
    AliasValue, Argument, Call, Expression, ExpressionKind, LocalId, LocalKind, Place, Root, Statement,
    StatementKind,
};
use crate::semantics::walk::{each, expressions_of};

impl<'m> Walker<'m> {
    /// Finds the variables of the code at hand that are assigned to in one place.
    pub fn single_assignments(&mut self, body: &'m [Statement]) {
        let mut writers = Writers::default();
        writers.statements(body);
        let frame = self.frame;
        let is_storage = |local: &LocalId| {
            frame.locals.get(local.index()).is_some_and(|local| local.kind == LocalKind::Storage)
        };
        self.single = writers
            .count
            .into_iter()
            .filter(|(local, count)| *count == 1 && is_storage(local))
            .map(|(local, _)| local)
            .collect::<HashSet<_>>();
    }

    /// An assignment, perhaps the only one to a variable.
    pub fn keep_single(&mut self, target: &'m Place, value: &'m Expression) {
        if let Root::Local(local) = &target.root
            && target.steps.is_empty()
            && self.single.contains(local)
        {
            let index = self.index(value);
            self.bounds.insert(*local, Bound::Value(index));
        }
    }
}

/// How many places may write each local.
#[derive(Default)]
struct Writers {
    count: HashMap<LocalId, u32>,
}

impl Writers {
    /// More than one, whatever comes.
    const MANY: u32 = 2;

    fn add(&mut self, place: &Place, count: u32) {
        if let Root::Local(local) = &place.root {
            let total = self.count.entry(*local).or_default();
            *total = total.saturating_add(count);
        }
    }

    fn call(&mut self, call: &Call) {
        for argument in &call.arguments {
            if let Argument::Reference(place) = argument {
                self.add(place, Self::MANY);
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        expressions_of(statement, &mut |expression| {
            each(expression, &mut |part| {
                if let ExpressionKind::Call(call) = &part.kind {
                    self.call(call);
                }
            });
        });
        match &statement.kind {
            StatementKind::Assign { target, .. } => self.add(target, 1),
            StatementKind::Copy { target, .. }
            | StatementKind::Clear(target)
            | StatementKind::Undefine(target)
            | StatementKind::MultisetAdd { multiset: target, .. }
            | StatementKind::MultisetRemove { multiset: target, .. }
            | StatementKind::MultisetRemovePredicate { multiset: target, .. } => self.add(target, Self::MANY),
            StatementKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| self.statements(body));
                self.statements(otherwise);
            }
            StatementKind::Switch { cases, otherwise, .. } => {
                cases.iter().for_each(|case| self.statements(&case.body));
                self.statements(otherwise);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => self.statements(body),
            StatementKind::Alias { binding, body } => {
                if let AliasValue::Place(place) = &binding.value {
                    self.add(place, Self::MANY);
                }
                self.statements(body);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_) => {}
        }
    }
}
