//! Who reads and writes a variable. What is not followed, such as an alias or a `var` parameter, counts as both.

use std::collections::HashSet;

use crate::semantics::model::{
    AliasValue, Argument, Expression, ExpressionKind, Place, Root, Scope, Statement, StatementKind, Step,
};
use crate::semantics::walk::{each, expressions_of};

/// How a variable is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub read: bool,
    /// It is read where a value is needed. Where it is copied or asked whether it is undefined, it may be a variable
    /// that is meant to have none: old models pass "undefined" so.
    pub needed: bool,
    pub written: bool,
    /// It is written with something else than the result of a call. The result of a function has to go somewhere, so a
    /// variable for it need not be read.
    pub written_with_a_value: bool,
}

impl Usage {
    pub fn add(&mut self, other: Usage) {
        self.read |= other.read;
        self.needed |= other.needed;
        self.written |= other.written;
        self.written_with_a_value |= other.written_with_a_value;
    }
}

/// Follows code, and tells of each variable that is used how it is.
pub struct Follower<'v> {
    pub visit: &'v mut dyn FnMut(&Root, Usage),
}

const UNUSED: Usage = Usage { read: false, needed: false, written: false, written_with_a_value: false };
const READ: Usage = Usage { read: true, needed: true, ..UNUSED };
const COPIED: Usage = Usage { read: true, ..UNUSED };
const WRITTEN: Usage = Usage { written: true, written_with_a_value: true, ..UNUSED };
const RESULT: Usage = Usage { written: true, ..UNUSED };
const BOTH: Usage = Usage { read: true, needed: true, written: true, written_with_a_value: true };

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
        match &statement.kind {
            StatementKind::Assign { target, value } | StatementKind::Copy { target, source: value } => {
                let is_result = matches!(value.kind, ExpressionKind::Call(_));
                self.place(target, if is_result { RESULT } else { WRITTEN });
                self.copied(value);
                return;
            }
            StatementKind::Return(Some(value)) => {
                self.copied(value);
                return;
            }
            StatementKind::Call(call) => {
                self.arguments(&call.arguments);
                return;
            }
            StatementKind::Clear(target) | StatementKind::Undefine(target) => self.root(target, WRITTEN),
            // A bag that is full is an error, so adding to it asks what is in it.
            StatementKind::MultisetAdd { multiset, .. }
            | StatementKind::MultisetRemove { multiset, .. }
            | StatementKind::MultisetRemovePredicate { multiset, .. } => self.root(multiset, BOTH),
            StatementKind::Alias { binding, .. } => self.alias(&binding.value),
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
            | StatementKind::Return(None) => {}
        }
        expressions_of(statement, &mut |expression| self.expression(expression));
        bodies(statement).into_iter().for_each(|body| self.statements(body));
    }

    /// A value that goes elsewhere as it is: where it is the value of a variable, "undefined" goes there, too.
    fn copied(&mut self, value: &Expression) {
        match &unconverted(value).kind {
            ExpressionKind::Read(place) => self.place(place, COPIED),
            _ => self.expression(value),
        }
    }

    pub fn expression(&mut self, expression: &Expression) {
        // A call is met before its arguments.
        let mut copies: HashSet<*const Expression> = HashSet::new();
        each(expression, &mut |part| match &part.kind {
            ExpressionKind::Read(place) => {
                let is_copy = copies.contains(&std::ptr::from_ref(part));
                self.root(place, if is_copy { COPIED } else { READ });
            }
            ExpressionKind::MultisetCount { multiset, .. } => self.root(multiset, READ),
            ExpressionKind::IsUndefined(place) => self.root(place, COPIED),
            ExpressionKind::Call(call) => {
                for argument in &call.arguments {
                    match argument {
                        Argument::Reference(place) => self.root(place, BOTH),
                        Argument::Value(value) => {
                            copies.insert(unconverted(value));
                        }
                    }
                }
            }
            _ => {}
        });
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            match argument {
                Argument::Reference(place) => self.place(place, BOTH),
                Argument::Value(value) => self.copied(value),
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

/// An expression without the conversions around it.
fn unconverted(mut expression: &Expression) -> &Expression {
    while let ExpressionKind::Convert { value, .. } = &expression.kind {
        expression = value;
    }
    expression
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
