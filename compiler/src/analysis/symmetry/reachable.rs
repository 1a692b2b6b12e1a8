//! Which functions are called by rules and properties, or by what these call.

use crate::semantics::model::{
    AliasValue, Argument, Call, Expression, ExpressionKind, Model, Place, Root, Scope, Statement,
    StatementKind, Step,
};
use crate::semantics::walk::{each, expressions_of, inner_statements};

/// For each function, whether it is called after a start state.
pub(super) fn functions(model: &Model) -> Vec<bool> {
    let mut reached = Reached { called: vec![false; model.functions.len()], open: Vec::new() };
    for rule in &model.rules {
        reached.scopes(&rule.scopes);
        rule.guard.iter().for_each(|guard| reached.expression(guard));
        reached.statements(&rule.body);
    }
    for property in &model.properties {
        reached.scopes(&property.scopes);
        reached.expression(&property.condition);
    }
    while let Some(function) = reached.open.pop() {
        if let Some(function) = model.functions.get(function) {
            reached.statements(&function.body);
        }
    }
    reached.called
}

struct Reached {
    called: Vec<bool>,
    open: Vec<usize>,
}

impl Reached {
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

    fn expression(&mut self, expression: &Expression) {
        each(expression, &mut |part| {
            if let ExpressionKind::Call(call) = &part.kind {
                self.call(call);
            }
        });
    }

    fn call(&mut self, call: &Call) {
        let number = call.function.index();
        if let Some(called) = self.called.get_mut(number)
            && !std::mem::replace(called, true)
        {
            self.open.push(number);
        }
        for argument in &call.arguments {
            match argument {
                Argument::Reference(place) => self.place(place),
                Argument::Value(value) => self.expression(value),
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            expressions_of(statement, &mut |expression| self.expression(expression));
            if let StatementKind::Call(call) = &statement.kind {
                self.call(call);
            }
            inner_statements(statement, &mut |inner| self.statements(std::slice::from_ref(inner)));
        }
    }
}
