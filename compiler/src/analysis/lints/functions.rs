//! Functions and procedures that no rule, start state or property calls, directly or through others.

use std::collections::BTreeSet;

use super::usage::bodies;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{
    AliasValue, Expression, ExpressionKind, FunctionId, Model, Place, Root, Scope, Statement, StatementKind,
    Step,
};
use crate::semantics::walk::{each, expressions_of};

pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let mut calls = Calls::default();
    for start in &model.starts {
        calls.scopes(&start.scopes);
        calls.statements(&start.body);
    }
    for rule in &model.rules {
        calls.scopes(&rule.scopes);
        rule.guard.iter().for_each(|guard| calls.expression(guard));
        calls.statements(&rule.body);
    }
    for property in &model.properties {
        calls.scopes(&property.scopes);
        calls.expression(&property.condition);
    }
    while let Some(next) = calls.open.pop() {
        if let Some(function) = model.functions.get(next.index()) {
            calls.statements(&function.body);
        }
    }
    let functions = (0..).map(FunctionId).zip(&model.functions);
    let unused = functions.filter(|(id, _)| !calls.seen.contains(id));
    unused
        .map(|(_, function)| {
            let what = if function.returns.is_some() { "function" } else { "procedure" };
            let message = format!("the {what} `{}` is never called", function.name);
            Diagnostic::warning("unused-function", function.name_span, message)
        })
        .collect()
}

/// The functions that are called, and those of them whose own calls are still to be followed.
#[derive(Default)]
struct Calls {
    seen: BTreeSet<FunctionId>,
    open: Vec<FunctionId>,
}

impl Calls {
    fn call(&mut self, function: FunctionId) {
        if self.seen.insert(function) {
            self.open.push(function);
        }
    }

    fn scopes(&mut self, scopes: &[Scope]) {
        for scope in scopes {
            match scope {
                Scope::Parameter(_) => {}
                Scope::Alias(binding) => match &binding.value {
                    AliasValue::Place(place) => self.place(place),
                    AliasValue::Expression(value) => self.expression(value),
                },
                Scope::Choose { multiset, .. } => self.place(multiset),
            }
        }
    }

    fn place(&mut self, place: &Place) {
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

    fn statements(&mut self, body: &[Statement]) {
        for statement in body {
            if let StatementKind::Call(call) = &statement.kind {
                self.call(call.function);
            }
            expressions_of(statement, &mut |expression| self.expression(expression));
            bodies(statement).into_iter().for_each(|body| self.statements(body));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        each(expression, &mut |part| {
            if let ExpressionKind::Call(call) = &part.kind {
                self.call(call.function);
            }
        });
    }
}
