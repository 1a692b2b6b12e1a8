//! Walks the syntax tree once and notes what each name stands for.

mod expressions;

use std::collections::HashMap;
use std::rc::Rc;

use super::{Kind, Names, Occurrence, Shape, Symbol, SymbolId};
use crate::source::Span;
use crate::syntax::tree::{
    AliasBinding, Declaration, Domain, Function, Item, Name, Program, Quantifier, RuleItem, Statement,
    StatementKind, TypeExpression, TypeExpressionKind,
};

pub(super) fn resolve(program: &Program, length: usize) -> Names {
    let whole = Span::new(0, length);
    let mut walk = Walk {
        names: Names::default(),
        scopes: vec![(whole, HashMap::new())],
        declared: HashMap::new(),
        other: Rc::new(Shape::Other),
    };
    // Bodies may use whatever the model declares anywhere.
    for item in &program.items {
        match item {
            Item::Declaration(declaration) => walk.declaration(declaration, Kind::Variable),
            Item::Function(function) => walk.signature(function),
            Item::External(..) | Item::Formula(_) | Item::Rule(_) => {}
        }
    }
    for item in &program.items {
        match item {
            Item::Function(function) => walk.body(function),
            Item::Rule(rule) => walk.rule(rule),
            Item::Declaration(_) | Item::External(..) | Item::Formula(_) => {}
        }
    }
    walk.names.occurrences.sort_by_key(|one| (one.span.start, one.span.end));
    walk.names.occurrences.dedup();
    walk.names
}

struct Walk {
    names: Names,
    scopes: Vec<(Span, HashMap<String, SymbolId>)>,
    /// What is declared at a place: `a, b: enum { … }` has its members twice in the tree.
    declared: HashMap<u32, SymbolId>,
    other: Rc<Shape>,
}

impl Walk {
    fn inside(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        self.scopes.push((span, HashMap::new()));
        walk(self);
        self.scopes.pop();
    }

    fn symbol(&mut self, name: &Name, kind: Kind, definition: Span, shape: Rc<Shape>) -> SymbolId {
        if let Some(known) = self.declared.get(&name.span.start) {
            return *known;
        }
        let id = SymbolId(self.names.symbols.len());
        let scope = self.scopes.last().map_or(Span::default(), |(span, _)| *span);
        self.names.symbols.push(Symbol {
            name: name.text.clone(),
            kind,
            span: name.span,
            definition,
            scope,
            shape,
            value: None,
            parameters: Vec::new(),
        });
        self.names.occurrences.push(Occurrence { span: name.span, symbol: id });
        self.declared.insert(name.span.start, id);
        id
    }

    fn enter(&mut self, id: SymbolId) {
        if let (Some(symbol), Some((_, names))) = (self.names.symbols.get(id.0), self.scopes.last_mut()) {
            names.insert(symbol.name.clone(), id);
        }
    }

    fn declare(&mut self, name: &Name, kind: Kind, definition: Span, shape: Rc<Shape>) -> SymbolId {
        let id = self.symbol(name, kind, definition, shape);
        self.enter(id);
        id
    }

    fn lookup(&self, name: &str, wanted: impl Fn(Kind) -> bool) -> Option<SymbolId> {
        let of = |(_, names): &(Span, HashMap<String, SymbolId>)| names.get(name).copied();
        let fits = |id: &SymbolId| self.names.symbol(*id).is_some_and(|symbol| wanted(symbol.kind));
        self.scopes.iter().rev().filter_map(of).find(fits)
    }

    fn mention(&mut self, span: Span, symbol: SymbolId) -> Rc<Shape> {
        self.names.occurrences.push(Occurrence { span, symbol });
        self.names.symbol(symbol).map_or(self.other.clone(), |symbol| symbol.shape.clone())
    }

    fn declaration(&mut self, declaration: &Declaration, variable: Kind) {
        match declaration {
            Declaration::Constant { name, value, set: _ } => {
                let shape = self.expression(value);
                let number = self.value(value);
                let id = self.declare(name, Kind::Constant, value.span, shape);
                if let Some(symbol) = self.names.symbols.get_mut(id.0) {
                    symbol.value = number;
                }
            }
            Declaration::Type { name, definition } => {
                let shape = self.shape(definition);
                self.declare(name, Kind::Type, definition.span, shape);
            }
            Declaration::Variables { names, definition } => {
                let shape = self.shape(definition);
                for name in names {
                    self.declare(name, variable, definition.span, shape.clone());
                }
            }
            Declaration::Unparsed(_) => {}
        }
    }

    fn shape(&mut self, ty: &TypeExpression) -> Rc<Shape> {
        match &ty.kind {
            TypeExpressionKind::Name(name) => match self.lookup(&name.text, |kind| kind == Kind::Type) {
                Some(id) => {
                    self.mention(name.span, id);
                    Rc::new(Shape::Named(id))
                }
                None => self.other.clone(),
            },
            TypeExpressionKind::Enum(members) => {
                for member in members {
                    self.declare(member, Kind::Member, ty.span, self.other.clone());
                }
                self.other.clone()
            }
            TypeExpressionKind::Range { low, high } => {
                self.expression(low);
                self.expression(high);
                self.other.clone()
            }
            TypeExpressionKind::Scalarset(size) => {
                self.expression(size);
                self.other.clone()
            }
            TypeExpressionKind::Union(members) => {
                members.iter().for_each(|member| drop(self.shape(member)));
                self.other.clone()
            }
            TypeExpressionKind::Array { index, element } => {
                self.shape(index);
                Rc::new(Shape::Sequence(self.shape(element)))
            }
            TypeExpressionKind::Record(fields) => {
                let mut ids = Vec::new();
                for field in fields {
                    let shape = self.shape(&field.definition);
                    for name in &field.names {
                        ids.push(self.symbol(name, Kind::Field, field.definition.span, shape.clone()));
                    }
                }
                Rc::new(Shape::Record(ids))
            }
            TypeExpressionKind::Multiset { capacity, element } => {
                self.expression(capacity);
                Rc::new(Shape::Sequence(self.shape(element)))
            }
            TypeExpressionKind::Real => self.other.clone(),
        }
    }

    fn signature(&mut self, function: &Function) {
        let mut parameters = Vec::new();
        self.scopes.push((function.span, HashMap::new()));
        for parameter in &function.parameters {
            let shape = self.shape(&parameter.definition);
            for name in &parameter.names {
                let definition = parameter.definition.span;
                parameters.push(self.symbol(name, Kind::Parameter, definition, shape.clone()));
            }
        }
        let inner = self.scopes.pop();
        // Members of enums that are written in a signature belong to the model.
        if let (Some((_, names)), Some((_, outer))) = (inner, self.scopes.last_mut()) {
            outer.extend(names);
        }
        let returns = function.returns.as_ref().map(|returns| (returns.span, self.shape(returns)));
        let (definition, shape) = returns.unwrap_or((Span::default(), self.other.clone()));
        let id = self.declare(&function.name, Kind::Function, definition, shape);
        if let Some(symbol) = self.names.symbols.get_mut(id.0) {
            symbol.parameters = parameters;
        }
    }

    fn body(&mut self, function: &Function) {
        self.inside(function.span, |walk| {
            for parameter in &function.parameters {
                for name in &parameter.names {
                    if let Some(id) = walk.declared.get(&name.span.start).copied() {
                        walk.enter(id);
                    }
                }
            }
            walk.routine(&function.declarations, &function.body);
        });
    }

    fn routine(&mut self, declarations: &[Declaration], body: &[Statement]) {
        for declaration in declarations {
            self.declaration(declaration, Kind::Local);
        }
        self.statements(body);
    }

    fn rule(&mut self, item: &RuleItem) {
        match item {
            RuleItem::Rule(rule) => self.inside(rule.span, |walk| {
                rule.priority.iter().chain(&rule.guard).for_each(|one| drop(walk.expression(one)));
                walk.routine(&rule.declarations, &rule.body);
            }),
            RuleItem::StartState(start) => {
                self.inside(start.span, |walk| walk.routine(&start.declarations, &start.body));
            }
            RuleItem::Property(property) => drop(self.expression(&property.condition)),
            RuleItem::Ruleset { quantifiers, rules, span, .. } => self.inside(*span, |walk| {
                walk.quantifiers(quantifiers);
                rules.iter().for_each(|rule| walk.rule(rule));
            }),
            RuleItem::Alias { bindings, rules, span } => self.inside(*span, |walk| {
                walk.bindings(bindings);
                rules.iter().for_each(|rule| walk.rule(rule));
            }),
            RuleItem::Choose { variable, multiset, rules, span } => self.inside(*span, |walk| {
                walk.expression(multiset);
                walk.declare(variable, Kind::Parameter, multiset.span, walk.other.clone());
                rules.iter().for_each(|rule| walk.rule(rule));
            }),
            RuleItem::Unparsed { rules, span, .. } => {
                self.inside(*span, |walk| rules.iter().for_each(|rule| walk.rule(rule)));
            }
        }
    }

    fn quantifiers(&mut self, quantifiers: &[Quantifier]) {
        for quantifier in quantifiers {
            let (shape, span) = match &quantifier.domain {
                Domain::Type(ty) => (self.shape(ty), ty.span),
                Domain::Steps { from, upto, step } => {
                    self.expression(from);
                    self.expression(upto);
                    step.iter().for_each(|step| drop(self.expression(step)));
                    (self.other.clone(), from.span.to(upto.span))
                }
            };
            self.declare(&quantifier.variable, Kind::Parameter, span, shape);
        }
    }

    fn bindings(&mut self, bindings: &[AliasBinding]) {
        for binding in bindings {
            let shape = self.expression(&binding.value);
            self.declare(&binding.name, Kind::Alias, binding.value.span, shape);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign { target, value } => self.all([target, value]),
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expression(condition);
                    self.statements(body);
                }
                otherwise.iter().for_each(|body| self.statements(body));
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                self.expression(subject);
                for case in cases {
                    self.all(&case.values);
                    self.statements(&case.body);
                }
                otherwise.iter().for_each(|body| self.statements(body));
            }
            StatementKind::For { quantifiers, body } => self.inside(statement.span, |walk| {
                walk.quantifiers(quantifiers);
                walk.statements(body);
            }),
            StatementKind::While { condition, body } => {
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Alias { bindings, body } => self.inside(statement.span, |walk| {
                walk.bindings(bindings);
                walk.statements(body);
            }),
            StatementKind::Call { name, arguments } => {
                if let Some(id) = self.lookup(&name.text, |kind| kind == Kind::Function) {
                    self.mention(name.span, id);
                }
                self.all(arguments);
            }
            StatementKind::Clear(place) | StatementKind::Undefine(place) => drop(self.expression(place)),
            StatementKind::Error(_) | StatementKind::PutText(_) => {}
            StatementKind::Assert { condition, .. }
            | StatementKind::Assume { condition, .. }
            | StatementKind::Cover { condition, .. } => drop(self.expression(condition)),
            StatementKind::PutValue(value) => drop(self.expression(value)),
            StatementKind::Return(value) => self.all(value),
            StatementKind::MultisetAdd { value, multiset } => self.all([value, multiset]),
            StatementKind::MultisetRemove { slot, multiset } => self.all([slot, multiset]),
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                self.slots(variable, multiset, condition, statement.span);
            }
        }
    }
}
