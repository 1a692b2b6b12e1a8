//! What functions, start states, rules and properties have in common: locals, what stands around
//! them, a condition, statements.

use super::model::{Expression, Frame, Function, LocalId, Model, Property, Rule, Scope, Start, Statement};
use super::visit::{Visit, visit_statements};

/// A function, start state, rule or property, seen as a piece of code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<'m> {
    pub frame: &'m Frame,
    pub scopes: &'m [Scope],
    /// The guard of a rule, or what a property says.
    pub condition: Option<&'m Expression>,
    /// The variables that it declares.
    pub variables: &'m [LocalId],
    pub body: &'m [Statement],
}

impl<'m> Code<'m> {
    /// Visits scopes, condition and body.
    pub fn visit(&self, visitor: &mut (impl Visit<'m> + ?Sized)) {
        self.scopes.iter().for_each(|scope| visitor.visit_scope(scope));
        self.condition.into_iter().for_each(|condition| visitor.visit_expression(condition));
        visit_statements(visitor, self.body);
    }
}

impl Function {
    pub(crate) fn code(&self) -> Code<'_> {
        let Function { frame, variables, body, .. } = self;
        Code { frame, scopes: &[], condition: None, variables, body }
    }
}

impl Start {
    pub(crate) fn code(&self) -> Code<'_> {
        let Start { frame, scopes, variables, body, .. } = self;
        Code { frame, scopes, condition: None, variables, body }
    }
}

impl Rule {
    pub(crate) fn code(&self) -> Code<'_> {
        let Rule { frame, scopes, guard, variables, body, .. } = self;
        Code { frame, scopes, condition: guard.as_ref(), variables, body }
    }
}

impl Property {
    pub(crate) fn code(&self) -> Code<'_> {
        let Property { frame, scopes, condition, .. } = self;
        Code { frame, scopes, condition: Some(condition), variables: &[], body: &[] }
    }
}

impl Model {
    /// All code of the model: functions, start states, rules, properties.
    pub(crate) fn codes(&self) -> impl Iterator<Item = Code<'_>> {
        let functions = self.functions.iter().map(Function::code);
        functions.chain(self.starts.iter().map(Start::code)).chain(self.executed())
    }

    /// What is executed in a search once there are start states: rules and properties.
    pub(crate) fn executed(&self) -> impl Iterator<Item = Code<'_>> {
        self.rules.iter().map(Rule::code).chain(self.evaluated().map(Property::code))
    }

    /// Everything with a condition that is evaluated in a state: properties and the conditions of
    /// claims.
    pub(crate) fn evaluated(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().chain(&self.atoms)
    }
}
