//! What every typed model promises to the passes after it, checked node by node.

use mcc_murphi::semantics::model::*;

pub fn model(model: &Model) {
    for (at, function) in model.functions.iter().enumerate() {
        let frame = Checked { model, frame: &function.frame, function: Some(at) };
        frame.locals();
        for parameter in &function.parameters {
            let kind = if parameter.by_reference { LocalKind::Reference } else { LocalKind::Storage };
            assert_eq!(frame.local(parameter.local).kind, kind);
        }
        frame.variables(&function.variables);
        frame.statements(&function.body);
    }
    for start in &model.starts {
        let frame = Checked { model, frame: &start.frame, function: None };
        frame.scopes(&start.scopes);
        frame.variables(&start.variables);
        frame.statements(&start.body);
    }
    for rule in &model.rules {
        let frame = Checked { model, frame: &rule.frame, function: None };
        frame.scopes(&rule.scopes);
        rule.guard.iter().for_each(|guard| frame.boolean(guard));
        frame.variables(&rule.variables);
        frame.statements(&rule.body);
    }
    for property in &model.properties {
        let frame = Checked { model, frame: &property.frame, function: None };
        frame.scopes(&property.scopes);
        frame.boolean(&property.condition);
    }
}

struct Checked<'m> {
    model: &'m Model,
    frame: &'m Frame,
    function: Option<usize>,
}

impl Checked<'_> {
    fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.model.types[ty.index()].kind
    }

    fn local(&self, local: LocalId) -> &Local {
        &self.frame.locals[local.index()]
    }

    fn locals(&self) {
        for local in &self.frame.locals {
            let simple = self.model.is_simple(local.ty);
            assert!(local.kind != LocalKind::Value || simple, "{local:?}");
        }
    }

    fn variables(&self, variables: &[LocalId]) {
        variables.iter().for_each(|local| assert_eq!(self.local(*local).kind, LocalKind::Storage));
    }

    /// Whether values of both types count alike.
    fn same_numbering(&self, left: TypeId, right: TypeId) -> bool {
        let number = |ty| matches!(self.kind(ty), TypeKind::Integer | TypeKind::Range { .. });
        if left == right || (number(left) && number(right)) {
            return true;
        }
        match (self.kind(left), self.kind(right)) {
            (TypeKind::Union(left), TypeKind::Union(right)) => {
                let members = |union: &Union| union.members.iter().map(|one| one.ty).collect::<Vec<_>>();
                members(left) == members(right)
            }
            _ => false,
        }
    }

    fn fits(&self, value: &Expression, ty: TypeId) {
        self.expression(value);
        if self.model.is_simple(ty) {
            assert!(self.same_numbering(value.ty, ty), "{value:#?} against {:?}", self.kind(ty));
        } else {
            assert_eq!(value.ty, ty, "{value:#?}");
        }
    }

    fn boolean(&self, value: &Expression) {
        self.expression(value);
        assert!(matches!(self.kind(value.ty), TypeKind::Boolean), "{value:#?}");
    }

    fn number(&self, value: &Expression) {
        self.expression(value);
        assert!(matches!(self.kind(value.ty), TypeKind::Integer | TypeKind::Range { .. }), "{value:#?}");
    }

    fn place(&self, place: &Place) {
        let mut ty = match &place.root {
            Root::Global(global) => self.model.globals[global.index()].ty,
            Root::Local(local) => {
                assert_ne!(self.local(*local).kind, LocalKind::Value);
                self.local(*local).ty
            }
            Root::Temporary(value) => {
                self.expression(value);
                assert!(!self.model.is_simple(value.ty));
                value.ty
            }
        };
        for step in &place.steps {
            ty = match (step, self.kind(ty)) {
                (Step::Field(field), TypeKind::Record { fields }) => fields[*field as usize].ty,
                (Step::Index(value), TypeKind::Array { index, element }) => {
                    self.fits(value, *index);
                    *element
                }
                (Step::Slot(slot), TypeKind::Multiset { element, .. }) => {
                    self.number(slot);
                    *element
                }
                (step, kind) => panic!("{step:?} into {kind:?}"),
            };
        }
        assert_eq!(ty, place.ty, "{place:#?}");
    }

    fn binder(&self, binder: &Binder) {
        assert_eq!(self.local(binder.variable).kind, LocalKind::Value);
        match &binder.domain {
            Domain::Constant { low, high } => assert!(low <= high),
            Domain::Steps { from, upto, step } => {
                [from, upto, step].into_iter().for_each(|value| self.number(value));
            }
        }
    }

    fn alias(&self, binding: &AliasBinding) {
        let local = self.local(binding.local);
        match &binding.value {
            AliasValue::Place(place) => {
                self.place(place);
                assert_eq!((local.kind, local.ty), (LocalKind::Reference, place.ty));
            }
            AliasValue::Expression(value) => {
                self.expression(value);
                let simple = self.model.is_simple(value.ty);
                let kind = if simple { LocalKind::Value } else { LocalKind::Storage };
                assert_eq!((local.kind, local.ty), (kind, value.ty));
            }
        }
    }

    fn scopes(&self, scopes: &[Scope]) {
        self.locals();
        for scope in scopes {
            match scope {
                Scope::Parameter(binder) => self.binder(binder),
                Scope::Alias(binding) => self.alias(binding),
                Scope::Choose { variable, multiset, capacity } => {
                    assert_eq!(self.local(*variable).kind, LocalKind::Value);
                    assert_eq!(self.bag(multiset).0, *capacity);
                }
            }
        }
    }

    fn bag(&self, place: &Place) -> (u32, TypeId) {
        self.place(place);
        match self.kind(place.ty) {
            TypeKind::Multiset { capacity, element } => (*capacity, *element),
            other => panic!("a multiset, not {other:?}"),
        }
    }

    fn call(&self, call: &Call) {
        let function = &self.model.functions[call.function.index()];
        assert_eq!(function.parameters.len(), call.arguments.len());
        for (parameter, argument) in function.parameters.iter().zip(&call.arguments) {
            let ty = function.frame.locals[parameter.local.index()].ty;
            match argument {
                Argument::Reference(place) => {
                    assert!(parameter.by_reference);
                    self.place(place);
                    assert_eq!(self.model.bounds(place.ty), self.model.bounds(ty));
                    assert!(place.ty == ty || self.same_numbering(place.ty, ty));
                }
                Argument::Value(value) => {
                    assert!(!parameter.by_reference);
                    self.fits(value, ty);
                }
            }
        }
    }

    fn expression(&self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Constant(known) => {
                let (low, high) = self.model.bounds(value.ty).expect("a simple constant");
                assert!((low..=high).contains(known), "{value:?}");
            }
            ExpressionKind::Value(local) => {
                assert_eq!((self.local(*local).kind, self.local(*local).ty), (LocalKind::Value, value.ty));
            }
            ExpressionKind::Read(place) => {
                self.place(place);
                assert!(place.ty == value.ty || self.same_numbering(place.ty, value.ty));
            }
            ExpressionKind::Call(call) => {
                self.call(call);
                assert!(self.model.functions[call.function.index()].returns.is_some());
            }
            ExpressionKind::Not(operand) => self.boolean(operand),
            ExpressionKind::Negate(operand) | ExpressionKind::BitNot(operand) => self.number(operand),
            ExpressionKind::Arithmetic { left, right, .. } => {
                self.number(left);
                self.number(right);
            }
            ExpressionKind::Compare { left, right, .. } => {
                self.expression(left);
                assert!(self.model.is_simple(left.ty));
                self.fits(right, left.ty);
            }
            ExpressionKind::CompareCompound { left, right, .. } => {
                self.expression(left);
                assert!(!self.model.is_simple(left.ty));
                self.fits(right, left.ty);
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                assert!(parts.len() > 1);
                parts.iter().for_each(|part| self.boolean(part));
            }
            ExpressionKind::Implies(left, right) => {
                self.boolean(left);
                self.boolean(right);
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.boolean(condition);
                self.fits(then, value.ty);
                self.fits(otherwise, value.ty);
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.binder(binder);
                self.boolean(body);
            }
            ExpressionKind::IsUndefined(place) => {
                self.place(place);
                assert!(self.model.is_simple(place.ty));
            }
            ExpressionKind::IsMember { value, ranges } => {
                self.expression(value);
                let (low, high) = self.model.bounds(value.ty).expect("a simple value");
                ranges.iter().for_each(|(from, to)| assert!(low <= *from && from <= to && *to <= high));
            }
            ExpressionKind::MultisetCount { variable, multiset, condition } => {
                assert_eq!(self.local(*variable).kind, LocalKind::Value);
                self.bag(multiset);
                self.boolean(condition);
            }
            ExpressionKind::Convert { value: inner, pieces } => {
                self.expression(inner);
                let from = self.model.bounds(inner.ty).expect("simple");
                let to = self.model.bounds(value.ty).expect("simple");
                for piece in pieces {
                    assert!(from.0 <= piece.low && piece.low <= piece.high && piece.high <= from.1);
                    assert!(to.0 <= piece.low + piece.shift && piece.high + piece.shift <= to.1);
                }
            }
        }
    }

    fn statements(&self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                self.place(target);
                assert!(self.model.is_simple(target.ty));
                self.fits(value, target.ty);
            }
            StatementKind::Copy { target, source } => {
                self.place(target);
                assert!(!self.model.is_simple(target.ty));
                self.fits(source, target.ty);
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.boolean(condition);
                    self.statements(body);
                }
                self.statements(otherwise);
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                self.expression(subject);
                for case in cases {
                    case.values.iter().for_each(|value| self.fits(value, subject.ty));
                    self.statements(&case.body);
                }
                self.statements(otherwise);
            }
            StatementKind::For { binder, body } => {
                self.binder(binder);
                self.statements(body);
            }
            StatementKind::While { condition, body } => {
                self.boolean(condition);
                self.statements(body);
            }
            StatementKind::Alias { binding, body } => {
                self.alias(binding);
                self.statements(body);
            }
            StatementKind::Call(call) => self.call(call),
            StatementKind::Clear(place) | StatementKind::Undefine(place) => self.place(place),
            StatementKind::Error(_) | StatementKind::PutText(_) => {}
            StatementKind::Assert { condition, .. } | StatementKind::Assume { condition } => {
                self.boolean(condition);
            }
            StatementKind::Cover { index, condition } => {
                assert!((*index as usize) < self.model.cover_statements.len());
                self.boolean(condition);
            }
            StatementKind::PutValue(value) => self.expression(value),
            StatementKind::Return(value) => {
                let returns = self.function.and_then(|at| self.model.functions[at].returns);
                assert_eq!(value.is_some(), returns.is_some());
                if let (Some(value), Some(ty)) = (value, returns) {
                    self.fits(value, ty);
                }
            }
            StatementKind::MultisetAdd { value, multiset } => {
                let (_, element) = self.bag(multiset);
                self.fits(value, element);
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                self.number(slot);
                self.bag(multiset);
            }
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                assert_eq!(self.local(*variable).kind, LocalKind::Value);
                self.bag(multiset);
                self.boolean(condition);
            }
        }
    }
}
