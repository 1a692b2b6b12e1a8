//! The places where a model can go wrong. The engines want them in a table before the search
//! begins, so every construct that can fail is visited once, and found again by its kind and place.

use crate::faults::{Messages, PRUNED};
use crate::semantics::code::Code;
use crate::semantics::model::{
    Argument, Binder, Call, Domain, Expression, ExpressionKind, Local, Model, Place, Root, Start, Statement,
    StatementKind, Step, TypeId, TypeKind,
};
use crate::semantics::visit::{
    PlaceUse, Visit, walk_binder, walk_call, walk_expression, walk_place, walk_statement,
};
use crate::source::{Source, Span};
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::model::{Position, Type};
use std::collections::HashMap;

pub struct SiteTable {
    numbers: HashMap<(FaultKind, Span), u32>,
    pub sites: Vec<Site>,
    /// The number of the first of them.
    first: u32,
    text: String,
    /// The tables of the types, for `put`.
    pub types: Vec<&'static Type>,
}

impl SiteTable {
    pub fn new(model: &Model, source: &Source, types: Vec<&'static Type>) -> Self {
        let mut table = SiteTable {
            numbers: HashMap::new(),
            sites: Vec::new(),
            first: 0,
            text: source.text.clone(),
            types,
        };
        let messages = Messages { model, source };
        let mut visitor = Visitor { table: &mut table, source, messages, locals: &[], returns: None };
        visitor.add(FaultKind::Pruned, Span::default(), PRUNED.to_owned());
        visitor.model(model);
        table
    }

    /// The table with the places of some more code behind those of the model. Its messages live as
    /// long as the program.
    pub fn with<'a>(&self, model: &'a Model, source: &'a Source, first: u32, code: Code<'a>) -> Self {
        let (numbers, types) = (self.numbers.clone(), self.types.clone());
        let mut table = SiteTable { numbers, sites: Vec::new(), first, text: source.text.clone(), types };
        let messages = Messages { model, source };
        Visitor { table: &mut table, source, messages, locals: &[], returns: None }.code(code);
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
        let next = self.table.first + self.table.sites.len() as u32;
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
            self.returns = function.returns;
            self.code(function.code());
        }
        let starts = model.starts.iter().map(Start::code);
        starts.chain(model.executed()).for_each(|code| self.code(code));
    }

    fn code(&mut self, code: Code<'a>) {
        self.locals = &code.frame.locals;
        code.visit(self);
    }
}

impl<'a> Visit<'a> for Visitor<'a> {
    fn visit_statement(&mut self, statement: &'a Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, value } => self.range(target.ty, value, span),
            StatementKind::While { condition, .. } => {
                self.add(FaultKind::LoopBound, span, self.messages.loop_bound(condition));
            }
            StatementKind::Error(message) => self.add(FaultKind::ErrorStatement, span, message.clone()),
            StatementKind::Assert { condition, message } => {
                self.add(FaultKind::Assertion, span, self.messages.assertion(condition, message));
            }
            StatementKind::Return(Some(value)) => {
                if let Some(ty) = self.returns {
                    self.range(ty, value, value.span);
                }
            }
            StatementKind::MultisetAdd { value, multiset } => {
                self.add(FaultKind::Multiset, span, self.messages.full(multiset));
                if let TypeKind::Multiset { element, .. } = self.messages.model.ty(multiset.ty).kind {
                    self.range(element, value, span);
                }
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                self.add(FaultKind::Multiset, slot.span, self.messages.already_removed(multiset));
            }
            // Nothing else fails by itself.
            _ => {}
        }
        walk_statement(self, statement);
    }

    fn visit_expression(&mut self, expression: &'a Expression) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Call(call) if self.messages.model.returns_undefined(call) => {
                self.add(FaultKind::Undefined, call.span, self.messages.undefined_result(call));
            }
            ExpressionKind::Negate(_) => {
                self.add(FaultKind::Overflow, span, self.messages.overflow(span));
            }
            ExpressionKind::Arithmetic { .. } => {
                self.add(FaultKind::Overflow, span, self.messages.overflow(span));
                self.add(FaultKind::Division, span, self.messages.division(span));
            }
            ExpressionKind::Convert { .. } => {
                self.add(FaultKind::Range, span, self.messages.not_a_member(expression));
            }
            // Nothing else fails by itself.
            _ => {}
        }
        walk_expression(self, expression);
    }

    fn visit_place(&mut self, place: &'a Place, usage: PlaceUse) {
        if usage == PlaceUse::Read {
            self.add(FaultKind::Undefined, place.span, self.messages.undefined(place));
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
                    Some(*element)
                }
                (Some(TypeKind::Multiset { element, .. }), Step::Slot(slot)) => {
                    self.add(FaultKind::Multiset, slot.span, self.messages.no_element(place));
                    Some(*element)
                }
                // The checker lets no other pair through.
                _ => None,
            };
        }
        walk_place(self, place);
    }

    fn visit_binder(&mut self, binder: &'a Binder) {
        if let Domain::Steps { step, .. } = &binder.domain {
            self.add(FaultKind::Division, step.span, self.messages.zero_step(binder));
        }
        walk_binder(self, binder);
    }

    fn visit_call(&mut self, call: &'a Call) {
        let function = &self.messages.model.functions[call.function.index()];
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            if let Argument::Value(value) = argument {
                self.range(function.frame.locals[parameter.local.index()].ty, value, value.span);
            }
        }
        walk_call(self, call);
    }
}
