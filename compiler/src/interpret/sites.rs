//! The places where a model can go wrong. The engines want them in a table before the search begins, so
//! every construct that can fail is visited once, and found again by its kind and place.

use crate::semantics::model::{
    AliasValue, Argument, Binder, Call, Domain, Expression, ExpressionKind, Model, Place, Root, Scope,
    Statement, StatementKind, Step,
};
use crate::syntax::span::{Source, Span};
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
        let mut visitor = Visitor { table: &mut table, source };
        visitor.add(FaultKind::Pruned, Span::default(), "an assumption does not hold");
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
}

impl Visitor<'_> {
    fn add(&mut self, kind: FaultKind, span: Span, message: &str) {
        let next = self.table.sites.len() as u32;
        if self.table.numbers.contains_key(&(kind, span)) {
            return;
        }
        self.table.numbers.insert((kind, span), next);
        let at = self.source.position(span.start);
        let position = Position { line: at.line, column: at.column };
        let message = Box::leak(message.to_owned().into_boxed_str());
        self.table.sites.push(Site { kind, position, message });
    }

    /// The message with the model's own words behind it.
    fn say(&mut self, kind: FaultKind, span: Span, before: &str, after: &str) {
        let words: Vec<&str> = span.text(&self.source.text).split_whitespace().collect();
        self.add(kind, span, &format!("{before}`{}`{after}", words.join(" ")));
    }

    fn model(&mut self, model: &Model) {
        for function in &model.functions {
            let name = &function.name;
            self.add(
                FaultKind::MissingReturn,
                function.span,
                &format!("function `{name}` ended without `return`"),
            );
            let message = format!("calls of `{name}` are nested more than {{}} deep");
            self.add(FaultKind::Recursion, function.span, &message);
            self.statements(&function.body);
        }
        for start in &model.starts {
            self.scopes(&start.scopes);
            self.statements(&start.body);
        }
        for rule in &model.rules {
            self.scopes(&rule.scopes);
            rule.guard.iter().for_each(|guard| self.expression(guard));
            self.statements(&rule.body);
        }
        for property in &model.properties {
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
                self.say(FaultKind::Range, span, "{} is outside the type of what is assigned to, in ", "");
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
                self.add(FaultKind::LoopBound, span, "a loop has turned {} times without an end");
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Alias { binding, body } => {
                self.alias(&binding.value);
                self.statements(body);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Clear(place) | StatementKind::Undefine(place) => self.place(place),
            StatementKind::Error(message) => self.add(FaultKind::ErrorStatement, span, message),
            StatementKind::Assert { condition, message } => {
                if message.is_empty() {
                    let words: Vec<&str> =
                        condition.span.text(&self.source.text).split_whitespace().collect();
                    self.add(FaultKind::Assertion, span, &format!("`{}` is false", words.join(" ")));
                } else {
                    self.add(FaultKind::Assertion, span, message);
                }
                self.expression(condition);
            }
            StatementKind::Assume { condition } | StatementKind::Cover { condition, .. } => {
                self.expression(condition);
            }
            StatementKind::PutText(_) | StatementKind::Return(None) => {}
            StatementKind::PutValue(value) => self.expression(value),
            StatementKind::Return(Some(value)) => {
                self.say(FaultKind::Range, value.span, "{} is outside the type of the function, in ", "");
                self.expression(value);
            }
            StatementKind::MultisetAdd { value, multiset } => {
                self.say(FaultKind::Multiset, span, "all {} slots are taken, in ", "");
                self.say(FaultKind::Range, span, "{} is outside the type of the elements, in ", "");
                self.expression(value);
                self.place(multiset);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                self.say(FaultKind::Multiset, slot.span, "slot {} is empty already: ", "");
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
                self.say(FaultKind::Undefined, place.span, "", " is undefined");
                self.place(place);
            }
            ExpressionKind::IsUndefined(place) => self.place(place),
            ExpressionKind::Call(call) => self.call(call),
            ExpressionKind::Negate(operand) => {
                self.say(FaultKind::Overflow, span, "", " does not fit 64 bits");
                self.expression(operand);
            }
            ExpressionKind::Not(operand) | ExpressionKind::BitNot(operand) => self.expression(operand),
            ExpressionKind::Arithmetic { left, right, .. } => {
                self.say(FaultKind::Overflow, span, "", " does not fit 64 bits");
                self.say(FaultKind::Division, span, "division by zero in ", "");
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
                self.say(
                    FaultKind::Range,
                    span,
                    "the value of ",
                    " is not one of the type that is needed here",
                );
                self.expression(value);
            }
        }
    }

    fn place(&mut self, place: &Place) {
        if let Root::Temporary(expression) = &place.root {
            self.expression(expression);
        }
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) => {
                    self.say(FaultKind::Index, index.span, "index {} is outside the array: ", "");
                    self.expression(index);
                }
                Step::Slot(slot) => {
                    self.say(FaultKind::Multiset, slot.span, "slot {} is empty or does not exist: ", "");
                    self.expression(slot);
                }
            }
        }
    }

    fn binder(&mut self, binder: &Binder) {
        match &binder.domain {
            Domain::Constant { .. } => {}
            Domain::Steps { from, upto, step } => {
                self.say(FaultKind::Division, step.span, "the step ", " is zero");
                self.expression(from);
                self.expression(upto);
                self.expression(step);
            }
        }
    }

    fn call(&mut self, call: &Call) {
        for argument in &call.arguments {
            match argument {
                Argument::Reference(place) => self.place(place),
                Argument::Value(value) => {
                    self.say(
                        FaultKind::Range,
                        value.span,
                        "{} is outside the type of the parameter, in ",
                        "",
                    );
                    self.expression(value);
                }
            }
        }
    }
}
