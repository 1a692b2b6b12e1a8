//! Which global variables a function can read and write, also through what it calls.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::model::{
    AliasValue, Argument, Call, Expression, ExpressionKind, FunctionId, GlobalId, Model, Place, Root,
    Statement, StatementKind,
};
use super::walk::{each, expressions_of};
use crate::syntax::span::Span;

#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    pub reads: BTreeSet<GlobalId>,
    /// With one of the places where it is written.
    pub writes: BTreeMap<GlobalId, Span>,
    calls: BTreeSet<FunctionId>,
}

/// For each function of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    functions: Vec<Reached>,
    nothing: Reached,
}

impl Reach {
    pub fn new(model: &Model) -> Self {
        let mut functions: Vec<Reached> = Vec::with_capacity(model.functions.len());
        for function in &model.functions {
            let mut reached = Reached::default();
            function.body.iter().for_each(|statement| reached.statement(statement));
            functions.push(reached);
        }
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (caller, reached) in functions.iter().enumerate() {
            for callee in &reached.calls {
                callers.get_mut(callee.index()).into_iter().for_each(|callers| callers.push(caller));
            }
        }
        let mut reach = Reach { functions, nothing: Reached::default() };
        let mut open: VecDeque<usize> = (0..reach.functions.len()).collect();
        let mut is_open = vec![true; reach.functions.len()];
        while let Some(callee) = open.pop_front() {
            is_open[callee] = false;
            for caller in &callers[callee] {
                if reach.take_over(*caller, callee) && !std::mem::replace(&mut is_open[*caller], true) {
                    open.push_back(*caller);
                }
            }
        }
        reach
    }

    pub fn of(&self, function: FunctionId) -> &Reached {
        self.functions.get(function.index()).unwrap_or(&self.nothing)
    }

    /// Adds what a function reaches to one that calls it; whether there was anything new.
    fn take_over(&mut self, caller: usize, callee: usize) -> bool {
        let from = std::mem::take(&mut self.functions[callee]);
        let mut grown = false;
        if caller != callee {
            let to = &mut self.functions[caller];
            let before = to.reads.len() + to.writes.len();
            to.reads.extend(from.reads.iter().copied());
            for (global, span) in &from.writes {
                to.writes.entry(*global).or_insert(*span);
            }
            grown = to.reads.len() + to.writes.len() > before;
        }
        self.functions[callee] = from;
        grown
    }
}

impl Reached {
    fn statement(&mut self, statement: &Statement) {
        expressions_of(statement, &mut |expression| each(expression, &mut |part| self.expression(part)));
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, .. } | StatementKind::Copy { target, .. } => {
                self.write(target, span);
            }
            StatementKind::Clear(target) | StatementKind::Undefine(target) => self.write(target, span),
            StatementKind::MultisetAdd { multiset, .. }
            | StatementKind::MultisetRemove { multiset, .. }
            | StatementKind::MultisetRemovePredicate { multiset, .. } => self.write(multiset, span),
            StatementKind::Call(call) => self.call(call),
            StatementKind::If { arms, otherwise } => {
                arms.iter().flat_map(|(_, body)| body).for_each(|statement| self.statement(statement));
                otherwise.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::Switch { cases, otherwise, .. } => {
                cases.iter().flat_map(|case| &case.body).for_each(|statement| self.statement(statement));
                otherwise.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::Alias { binding, body } => {
                // Its writes are writes through the alias: whatever it is an alias of may be written.
                if let AliasValue::Place(place) = &binding.value {
                    self.write(place, span);
                }
                body.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                body.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_) => {}
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => self.read(place),
            ExpressionKind::MultisetCount { multiset, .. } => self.read(multiset),
            ExpressionKind::Call(call) => self.call(call),
            _ => {}
        }
    }

    fn call(&mut self, call: &Call) {
        self.calls.insert(call.function);
        for argument in &call.arguments {
            if let Argument::Reference(place) = argument {
                self.read(place);
                self.write(place, call.span);
            }
        }
    }

    fn read(&mut self, place: &Place) {
        if let Root::Global(global) = &place.root {
            self.reads.insert(*global);
        }
    }

    fn write(&mut self, place: &Place, span: Span) {
        if let Root::Global(global) = &place.root {
            self.writes.entry(*global).or_insert(span);
        }
    }
}
