//! What is copied where, and what is made undefined, in all rules and functions of a model.

use std::collections::{HashMap, HashSet};

use super::{Leaf, Leaves, Owner, leaves};
use crate::semantics::flow::{PlaceChange, ValueSource, change, source};
use crate::semantics::model::{
    AliasBinding, AliasValue, Argument, Call, Expression, ExpressionKind, LocalId, Model, Place, Root, Scope,
    Statement, StatementKind, Step, TypeId, TypeKind,
};
use crate::semantics::visit::{Nesting, each, expressions_of};

#[derive(Default)]
pub(super) struct Flows {
    pub undefined: Leaves,
    pub copies: Vec<(Leaf, Leaf)>,
    pub gave_up: bool,
    /// What aliases are other names of; and those of what lies in a slot, which may be empty by the
    /// time they are read.
    aliases: HashMap<(usize, LocalId), Option<Leaf>>,
    of_slots: HashSet<(usize, LocalId)>,
}

impl Flows {
    pub fn model(&mut self, model: &Model) {
        for (number, function) in model.functions.iter().enumerate() {
            self.variables(model, number, &function.frame.locals, &function.variables);
            self.statements(model, number, &function.body);
        }
        let mut frame = model.functions.len();
        for start in &model.starts {
            self.scopes(model, frame, &start.scopes);
            self.variables(model, frame, &start.frame.locals, &start.variables);
            self.statements(model, frame, &start.body);
            frame += 1;
        }
        for rule in &model.rules {
            self.scopes(model, frame, &rule.scopes);
            self.variables(model, frame, &rule.frame.locals, &rule.variables);
            rule.guard.iter().for_each(|guard| self.expression(model, frame, guard));
            self.statements(model, frame, &rule.body);
            frame += 1;
        }
        for property in model.evaluated() {
            self.scopes(model, frame, &property.scopes);
            self.expression(model, frame, &property.condition);
            frame += 1;
        }
    }

    /// Variables begin undefined.
    fn variables(
        &mut self,
        model: &Model,
        frame: usize,
        locals: &[crate::semantics::model::Local],
        variables: &[LocalId],
    ) {
        for variable in variables {
            let Some(local) = locals.get(variable.index()) else { continue };
            self.undefine(model, Leaf { owner: Owner::Local(frame, *variable), steps: Vec::new() }, local.ty);
        }
    }

    fn undefine(&mut self, model: &Model, whole: Leaf, ty: TypeId) {
        for steps in leaves(model, ty, true) {
            self.undefined.insert(whole.then(&steps));
        }
    }

    fn scopes(&mut self, model: &Model, frame: usize, scopes: &[Scope]) {
        for scope in scopes {
            match scope {
                Scope::Parameter(_) => {}
                Scope::Alias(binding) => self.alias(model, frame, binding),
                Scope::Choose { multiset, .. } => self.indices(model, frame, multiset),
            }
        }
    }

    fn alias(&mut self, model: &Model, frame: usize, binding: &AliasBinding) {
        match &binding.value {
            AliasValue::Place(place) => {
                self.indices(model, frame, place);
                let leaf = self.leaf(frame, place);
                if self.is_slot(frame, place) {
                    self.of_slots.insert((frame, binding.local));
                }
                self.aliases.insert((frame, binding.local), leaf);
            }
            AliasValue::Expression(value) => {
                self.expression(model, frame, value);
                let copy = Leaf { owner: Owner::Local(frame, binding.local), steps: Vec::new() };
                self.copy(model, frame, value, Some(copy), value.ty);
            }
        }
    }

    fn indices(&mut self, model: &Model, frame: usize, place: &Place) {
        if let Root::Temporary(value) = &place.root {
            self.expression(model, frame, value);
        }
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) | Step::Slot(index) => self.expression(model, frame, index),
            }
        }
    }

    fn is_slot(&self, frame: usize, place: &Place) -> bool {
        place.steps.iter().any(|step| matches!(step, Step::Slot(_))) || self.is_renamed_slot(frame, place)
    }

    /// Whether a place is reached by another name of what lies in a slot.
    fn is_renamed_slot(&self, frame: usize, place: &Place) -> bool {
        matches!(&place.root, Root::Local(local) if self.of_slots.contains(&(frame, *local)))
    }

    /// Where a place is; `None` for what a conditional expression returns.
    fn leaf(&mut self, frame: usize, place: &Place) -> Option<Leaf> {
        let mut leaf = match &place.root {
            Root::Global(global) => Leaf { owner: Owner::Global(*global), steps: Vec::new() },
            Root::Local(local) => match self.aliases.get(&(frame, *local)) {
                Some(known) => known.clone()?,
                None => Leaf { owner: Owner::Local(frame, *local), steps: Vec::new() },
            },
            Root::Temporary(value) => match &value.kind {
                ExpressionKind::Call(call) => {
                    Leaf { owner: Owner::Result(call.function.index()), steps: Vec::new() }
                }
                _ => return None,
            },
        };
        leaf.steps.extend(place.steps.iter().map(|step| match step {
            Step::Field(field) => field + 1,
            Step::Index(_) | Step::Slot(_) => 0,
        }));
        Some(leaf)
    }

    /// What `value` holds is copied to `target`, if it is a mere copy.
    fn copy(&mut self, model: &Model, frame: usize, value: &Expression, target: Option<Leaf>, ty: TypeId) {
        let Some(target) = target else {
            self.gave_up = true;
            return;
        };
        match source(value) {
            ValueSource::Place(place) => {
                let renamed = self.is_renamed_slot(frame, place);
                match self.leaf(frame, place).filter(|_| !renamed) {
                    Some(source) => self.copy_all(model, &source, &target, ty),
                    None => self.undefine_all(model, &target, ty),
                }
            }
            ValueSource::Local(local) => {
                let source = Leaf { owner: Owner::Local(frame, local), steps: Vec::new() };
                self.copy_all(model, &source, &target, ty);
            }
            ValueSource::Converted(value) => self.copy(model, frame, value, Some(target), ty),
            ValueSource::Either(then, otherwise) => {
                self.copy(model, frame, then, Some(target.clone()), ty);
                self.copy(model, frame, otherwise, Some(target), ty);
            }
            ValueSource::Result(call) => {
                let source = Leaf { owner: Owner::Result(call.function.index()), steps: Vec::new() };
                self.copy_all(model, &source, &target, ty);
            }
            ValueSource::Computed => {}
        }
    }

    fn copy_all(&mut self, model: &Model, source: &Leaf, target: &Leaf, ty: TypeId) {
        for steps in leaves(model, ty, false) {
            self.copies.push((source.then(&steps), target.then(&steps)));
        }
    }

    fn undefine_all(&mut self, model: &Model, target: &Leaf, ty: TypeId) {
        for steps in leaves(model, ty, false) {
            self.undefined.insert(target.then(&steps));
        }
    }

    fn expression(&mut self, model: &Model, frame: usize, expression: &Expression) {
        each(expression, |part| {
            if let ExpressionKind::Call(call) = &part.kind {
                self.call(model, frame, call);
            }
        });
    }

    fn call(&mut self, model: &Model, frame: usize, call: &Call) {
        let number = call.function.index();
        let Some(function) = model.functions.get(number) else { return };
        for (parameter, argument) in function.parameters.iter().zip(&call.arguments) {
            let inside = Leaf { owner: Owner::Local(number, parameter.local), steps: Vec::new() };
            match argument {
                Argument::Reference(place) => match self.leaf(frame, place) {
                    // Two names of one place.
                    Some(outside) => {
                        if self.is_slot(frame, place) {
                            self.undefine_all(model, &inside, place.ty);
                        }
                        self.copy_all(model, &outside, &inside, place.ty);
                        self.copy_all(model, &inside, &outside, place.ty);
                    }
                    None => self.gave_up = true,
                },
                Argument::Value(value) => {
                    self.copy(model, frame, value, Some(inside), value.ty);
                }
            }
        }
    }

    fn statements(&mut self, model: &Model, frame: usize, statements: &[Statement]) {
        for statement in statements {
            expressions_of(statement, |expression| self.expression(model, frame, expression));
            match change(statement) {
                Some((target, PlaceChange::Stored(value))) => {
                    let leaf = self.leaf(frame, target);
                    self.copy(model, frame, value, leaf, target.ty);
                }
                Some((target, PlaceChange::Undefined)) => match self.leaf(frame, target) {
                    Some(leaf) => self.undefine(model, leaf, target.ty),
                    None => self.gave_up = true,
                },
                Some((multiset, PlaceChange::Added(value))) => {
                    let element = match &model.ty(multiset.ty).kind {
                        TypeKind::Multiset { element, .. } => *element,
                        _ => value.ty,
                    };
                    let leaf = self.leaf(frame, multiset).map(|leaf| leaf.then(&[0]));
                    self.copy(model, frame, value, leaf, element);
                }
                Some((_, PlaceChange::Cleared | PlaceChange::Removed(_) | PlaceChange::Filtered)) | None => {}
            }
            match &statement.kind {
                StatementKind::Return(Some(value)) => {
                    let result = Leaf { owner: Owner::Result(frame), steps: Vec::new() };
                    // Only functions return something.
                    self.copy(model, frame, value, Some(result), value.ty);
                }
                StatementKind::Call(call) => self.call(model, frame, call),
                StatementKind::Alias { binding, .. } => self.alias(model, frame, binding),
                _ => {}
            }
            for body in Nesting::of(statement).bodies() {
                self.statements(model, frame, body);
            }
        }
    }
}
