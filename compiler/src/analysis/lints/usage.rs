//! Who reads and writes a variable. What is not followed, such as an alias or a `var` parameter, counts as both.

use crate::semantics::model::{
    AliasValue, Argument, Expression, ExpressionKind, Place, Root, Scope, Statement, StatementKind, Step,
};
use crate::semantics::walk::{each, expressions_of};

/// How a variable is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub read: bool,
    pub written: bool,
    /// It is written with something else than the result of a call. The result of a function has to go somewhere, so a
    /// variable for it need not be read.
    pub written_with_a_value: bool,
}

impl Usage {
    pub fn add(&mut self, other: Usage) {
        self.read |= other.read;
        self.written |= other.written;
        self.written_with_a_value |= other.written_with_a_value;
    }
}

/// Follows code, and tells of each variable that is used how it is.
pub struct Follower<'v> {
    pub visit: &'v mut dyn FnMut(&Root, Usage),
}

const READ: Usage = Usage { read: true, written: false, written_with_a_value: false };
const WRITTEN: Usage = Usage { read: false, written: true, written_with_a_value: true };
const RESULT: Usage = Usage { read: false, written: true, written_with_a_value: false };
const BOTH: Usage = Usage { read: true, written: true, written_with_a_value: true };

impl Follower<'_> {
    pub fn scopes(&mut self, scopes: &[Scope]) {
        for scope in scopes {
            match scope {
                Scope::Parameter(_) => {}
                Scope::Alias(binding) => self.alias(&binding.value),
                Scope::Choose { multiset, .. } => self.place(multiset, READ),
            }
        }
    }

    pub fn statements(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        expressions_of(statement, &mut |expression| self.expression(expression));
        match &statement.kind {
            StatementKind::Assign { target, value } | StatementKind::Copy { target, source: value } => {
                let is_result = matches!(value.kind, ExpressionKind::Call(_));
                self.root(target, if is_result { RESULT } else { WRITTEN });
            }
            StatementKind::Clear(target) | StatementKind::Undefine(target) => self.root(target, WRITTEN),
            // A bag that is full is an error, so adding to it asks what is in it.
            StatementKind::MultisetAdd { multiset, .. }
            | StatementKind::MultisetRemove { multiset, .. }
            | StatementKind::MultisetRemovePredicate { multiset, .. } => self.root(multiset, BOTH),
            StatementKind::Alias { binding, .. } => self.alias(&binding.value),
            StatementKind::Call(call) => self.arguments(&call.arguments),
            StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_) => {}
        }
        bodies(statement).into_iter().for_each(|body| self.statements(body));
    }

    pub fn expression(&mut self, expression: &Expression) {
        each(expression, &mut |part| match &part.kind {
            ExpressionKind::Read(place)
            | ExpressionKind::IsUndefined(place)
            | ExpressionKind::MultisetCount { multiset: place, .. } => self.root(place, READ),
            ExpressionKind::Call(call) => self.arguments(&call.arguments),
            _ => {}
        });
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let Argument::Reference(place) = argument {
                self.root(place, BOTH);
            }
        }
    }

    fn alias(&mut self, value: &AliasValue) {
        match value {
            AliasValue::Place(place) => self.place(place, BOTH),
            AliasValue::Expression(value) => self.expression(value),
        }
    }

    /// A place with what its indices read.
    fn place(&mut self, place: &Place, usage: Usage) {
        self.root(place, usage);
        if let Root::Temporary(value) = &place.root {
            self.expression(value);
        }
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) | Step::Slot(index) => self.expression(index),
            }
        }
    }

    fn root(&mut self, place: &Place, usage: Usage) {
        (self.visit)(&place.root, usage);
    }
}

/// The bodies inside a statement.
pub fn bodies(statement: &Statement) -> Vec<&[Statement]> {
    match &statement.kind {
        StatementKind::If { arms, otherwise } => {
            arms.iter().map(|(_, body)| body.as_slice()).chain([otherwise.as_slice()]).collect()
        }
        StatementKind::Switch { cases, otherwise, .. } => {
            cases.iter().map(|case| case.body.as_slice()).chain([otherwise.as_slice()]).collect()
        }
        StatementKind::For { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::Alias { body, .. } => vec![body],
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
        | StatementKind::Return(_)
        | StatementKind::MultisetAdd { .. }
        | StatementKind::MultisetRemove { .. }
        | StatementKind::MultisetRemovePredicate { .. } => Vec::new(),
    }
}
