//! The places where a model can go wrong. The engines want them in a table before the search
//! begins, so every construct that can fail is visited once, and found again by its kind and place.

use crate::faults::{Messages, PRUNED};
use crate::semantics::model::{
    AliasValue, Argument, Binder, Call, Domain, Expression, ExpressionKind, Local, Model, Place, Root, Scope,
    Statement, StatementKind, Step, TypeId, TypeKind,
};
use crate::source::{Source, Span};
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::model::{Position, Type};
use std::collections::HashMap;

pub struct SiteTable {
    numbers: HashMap<(FaultKind, Span), u32>,
    pub sites: Vec<Site>,
    text: String,
    /// The tables of the types, for `put`.
    pub types: Vec<&'static Type>,
}

impl SiteTable {
    pub fn new(model: &Model, source: &Source, types: Vec<&'static Type>) -> Self {
        let mut table =
            SiteTable { numbers: HashMap::new(), sites: Vec::new(), text: source.text.clone(), types };
        let messages = Messages { model, source };
        let mut visitor = Visitor { table: &mut table, source, messages, locals: &[], returns: None };
        visitor.add(FaultKind::Pruned, Span::default(), PRUNED.to_owned());
        visitor.model(model);
        table
    }

    pub fn number(&self, kind: FaultKind, span: Span) -> u32 {
        self.numbers.get(&(kind, span)).copied().unwrap_or(u32::MAX - 2)
    }

    pub fn fault(&self, kind: FaultKind, span: Span) -> Fault {
        Fault::at(self.number(kind, span))
    }

    pub fn fault_with(&self, kind: FaultKind, span: Span, value: i64) -> Fault {
        Fault::with(self.number(kind, span), value)
    }

    /// How `put` calls a place, and the table of its type.
    pub fn put(&self, value: &Expression) -> (&str, &'static Type) {
        (value.span.text(&self.text), self.types[value.ty.index()])
    }
}

struct Visitor<'a> {
    table: &'a mut SiteTable,
    source: &'a Source,
    messages: Messages<'a>,
    /// The locals of the code at hand, and what it returns.
    locals: &'a [Local],
    returns: Option<TypeId>,
}

impl<'a> Visitor<'a> {
    fn add(&mut self, kind: FaultKind, span: Span, message: String) {
        let next = self.table.sites.len() as u32;
        if self.table.numbers.contains_key(&(kind, span)) {
            return;
        }
        self.table.numbers.insert((kind, span), next);
        let at = self.source.position(span.start);
        let position = Position { line: at.line, column: at.column };
        let message = Box::leak(message.into_boxed_str());
        self.table.sites.push(Site { kind, position, message });
    }

    /// A number that must lie in a type. What is converted to it lies in it.
    fn range(&mut self, ty: TypeId, value: &Expression, span: Span) {
        if self.messages.model.is_simple(ty) && !matches!(value.kind, ExpressionKind::Convert { .. }) {
            self.add(FaultKind::Range, span, self.messages.range(ty, span));
        }
    }

    fn model(&mut self, model: &'a Model) {
        for function in &model.functions {
            let span = function.span;
            self.add(FaultKind::MissingReturn, span, self.messages.missing_return(function));
            self.add(FaultKind::Recursion, span, self.messages.recursion(function));
            (self.locals, self.returns) = (&function.frame.locals, function.returns);
            self.statements(&function.body);
        }
        for start in &model.starts {
            self.locals = &start.frame.locals;
            self.scopes(&start.scopes);
            self.statements(&start.body);
        }
        for rule in &model.rules {
            self.locals = &rule.frame.locals;
            self.scopes(&rule.scopes);
            rule.guard.iter().for_each(|guard| self.expression(guard));
            self.statements(&rule.body);
        }
        for property in &model.properties {
            self.locals = &property.frame.locals;
            self.scopes(&property.scopes);
            self.expression(&property.condition);
        }
    }

    fn scopes(&mut self, scopes: &[Scope]) {
        for scope in scopes {
            match scope {
                Scope::Parameter(binder) => self.binder(binder),
                Scope::Alias(binding) => self.alias(&binding.value),
                Scope::Choose { multiset, .. } => self.place(multiset),
            }
        }
    }

    fn alias(&mut self, value: &AliasValue) {
        match value {
            AliasValue::Place(place) => self.place(place),
            AliasValue::Expression(expression) => self.expression(expression),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                self.range(target.ty, value, span);
                self.place(target);
                self.expression(value);
            }
            StatementKind::Copy { target, source } => {
                self.place(target);
                self.expression(source);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expression(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                self.expression(subject);
                for case in cases {
                    case.values.iter().for_each(|value| self.expression(value));
                    self.statements(&case.body);
                }
                self.statements(otherwise);
            }
            StatementKind::For { binder, body } => {
                self.binder(binder);
                self.statements(body);
            }
            StatementKind::While { condition, body } => {
                self.add(FaultKind::LoopBound, span, self.messages.loop_bound(condition));
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Alias { binding, body } => {
                self.alias(&binding.value);
                self.statements(body);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Clear(place) | StatementKind::Undefine(place) => self.place(place),
            StatementKind::Error(message) => self.add(FaultKind::ErrorStatement, span, message.clone()),
            StatementKind::Assert { condition, message } => {
                self.add(FaultKind::Assertion, span, self.messages.assertion(condition, message));
                self.expression(condition);
            }
            StatementKind::Assume { condition } | StatementKind::Cover { condition, .. } => {
                self.expression(condition);
            }
            StatementKind::PutText(_) | StatementKind::Return(None) => {}
            StatementKind::PutValue(value) => self.expression(value),
            StatementKind::Return(Some(value)) => {
                if let Some(ty) = self.returns {
                    self.range(ty, value, value.span);
                }
                self.expression(value);
            }
            StatementKind::MultisetAdd { value, multiset } => {
                self.add(FaultKind::Multiset, span, self.messages.full(multiset));
                if let TypeKind::Multiset { element, .. } = self.messages.model.ty(multiset.ty).kind {
                    self.range(element, value, span);
                }
                self.expression(value);
                self.place(multiset);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                self.add(FaultKind::Multiset, slot.span, self.messages.already_removed(multiset));
                self.expression(slot);
                self.place(multiset);
            }
            StatementKind::MultisetRemovePredicate { multiset, condition, .. } => {
                self.place(multiset);
                self.expression(condition);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Value(_) => {}
            ExpressionKind::Read(place) => {
                self.add(FaultKind::Undefined, place.span, self.messages.undefined(place));
                self.place(place);
            }
            ExpressionKind::IsUndefined(place) => self.place(place),
            ExpressionKind::Call(call) => {
                if self.messages.model.returns_undefined(call) {
                    self.add(FaultKind::Undefined, call.span, self.messages.undefined_result(call));
                }
                self.call(call);
            }
            ExpressionKind::Negate(operand) => {
                self.add(FaultKind::Overflow, span, self.messages.overflow(span));
                self.expression(operand);
            }
            ExpressionKind::Not(operand) | ExpressionKind::BitNot(operand) => self.expression(operand),
            ExpressionKind::Arithmetic { left, right, .. } => {
                self.add(FaultKind::Overflow, span, self.messages.overflow(span));
                self.add(FaultKind::Division, span, self.messages.division(span));
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Compare { left, right, .. }
            | ExpressionKind::CompareCompound { left, right, .. }
            | ExpressionKind::Implies(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::And(operands) | ExpressionKind::Or(operands) => {
                operands.iter().for_each(|operand| self.expression(operand));
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.expression(condition);
                self.expression(then);
                self.expression(otherwise);
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.binder(binder);
                self.expression(body);
            }
            ExpressionKind::IsMember { value, .. } => self.expression(value),
            ExpressionKind::MultisetCount { multiset, condition, .. } => {
                self.place(multiset);
                self.expression(condition);
            }
            ExpressionKind::Convert { value, .. } => {
                self.add(FaultKind::Range, span, self.messages.not_a_member(expression));
                self.expression(value);
            }
        }
    }

    fn place(&mut self, place: &Place) {
        if let Root::Temporary(expression) = &place.root {
            self.expression(expression);
        }
        let model = self.messages.model;
        let mut ty = match &place.root {
            Root::Global(global) => Some(model.globals[global.index()].ty),
            Root::Local(local) => self.locals.get(local.index()).map(|local| local.ty),
            Root::Temporary(expression) => Some(expression.ty),
        };
        for step in &place.steps {
            let kind = ty.map(|ty| &model.ty(ty).kind);
            ty = match (kind, step) {
                (Some(TypeKind::Record { fields }), Step::Field(field)) => {
                    fields.get(*field as usize).map(|field| field.ty)
                }
                (Some(TypeKind::Array { index: bounds, element }), Step::Index(index)) => {
                    let bounds = model.bounds(*bounds).unwrap_or((0, -1));
                    self.add(FaultKind::Index, index.span, self.messages.index(place, bounds));
                    self.expression(index);
                    Some(*element)
                }
                (Some(TypeKind::Multiset { element, .. }), Step::Slot(slot)) => {
                    self.add(FaultKind::Multiset, slot.span, self.messages.no_element(place));
                    self.expression(slot);
                    Some(*element)
                }
                // The checker lets no other pair through.
                _ => None,
            };
        }
    }

    fn binder(&mut self, binder: &Binder) {
        match &binder.domain {
            Domain::Constant { .. } => {}
            Domain::Steps { from, upto, step } => {
                self.add(FaultKind::Division, step.span, self.messages.zero_step(binder));
                self.expression(from);
                self.expression(upto);
                self.expression(step);
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let function = &self.messages.model.functions[call.function.index()];
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            match argument {
                Argument::Reference(place) => self.place(place),
                Argument::Value(value) => {
                    self.range(function.frame.locals[parameter.local.index()].ty, value, value.span);
                    self.expression(value);
                }
            }
        }
    }
}
