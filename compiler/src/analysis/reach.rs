//! What a function can do, also through what it calls: which global variables it can read and
//! write, and whether it counts or prints.

use std::collections::{BTreeSet, VecDeque};

use crate::semantics::model::{
    Call, Expression, FunctionId, GlobalId, Model, Place, Root, Scope, Statement, StatementKind,
};
use crate::semantics::visit::{PlaceUse, Visit, walk_call, walk_place, walk_statement};

#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    pub reads: BTreeSet<GlobalId>,
    /// What has another name counts as written: whatever is written under it may be this.
    pub writes: BTreeSet<GlobalId>,
    /// It executes a `cover` or a `put`: then it is observed how often it is called.
    pub has_side_effects: bool,
    calls: BTreeSet<FunctionId>,
}

/// What each function of a model can reach.
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
            function.code().visit(&mut reached);
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

    /// Whether it is observed how often an expression is evaluated.
    pub fn has_side_effects(&self, expression: &Expression) -> bool {
        self.is_observed(|observed| observed.visit_expression(expression))
    }

    /// Whether it is observed how often a scope is entered.
    pub fn scope_has_side_effects(&self, scope: &Scope) -> bool {
        self.is_observed(|observed| observed.visit_scope(scope))
    }

    fn is_observed(&self, visit: impl FnOnce(&mut Observed<'_>)) -> bool {
        let mut observed = Observed { reach: self, found: false };
        visit(&mut observed);
        observed.found
    }

    /// Adds what a function reaches to one that calls it; whether there was anything new.
    fn take_over(&mut self, caller: usize, callee: usize) -> bool {
        let from = std::mem::take(&mut self.functions[callee]);
        let mut grown = false;
        if caller != callee {
            let to = &mut self.functions[caller];
            let size = |reached: &Reached| {
                reached.reads.len() + reached.writes.len() + usize::from(reached.has_side_effects)
            };
            let before = size(to);
            to.reads.extend(from.reads.iter().copied());
            to.writes.extend(from.writes.iter().copied());
            to.has_side_effects |= from.has_side_effects;
            grown = size(to) > before;
        }
        self.functions[callee] = from;
        grown
    }
}

impl<'m> Visit<'m> for Reached {
    fn visit_statement(&mut self, statement: &'m Statement) {
        self.has_side_effects |= matches!(
            statement.kind,
            StatementKind::Cover { .. } | StatementKind::PutText(_) | StatementKind::PutValue(_)
        );
        walk_statement(self, statement);
    }

    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        if let Root::Global(global) = &place.root {
            if usage.may_write() {
                self.writes.insert(*global);
            }
            if !usage.may_write() || usage == PlaceUse::Passed {
                self.reads.insert(*global);
            }
        }
        walk_place(self, place);
    }

    fn visit_call(&mut self, call: &'m Call) {
        self.calls.insert(call.function);
        walk_call(self, call);
    }
}

/// Looks for calls of functions that count or print.
struct Observed<'r> {
    reach: &'r Reach,
    found: bool,
}

impl<'m> Visit<'m> for Observed<'_> {
    fn visit_call(&mut self, call: &'m Call) {
        // A function that is not there could do anything.
        let reached = self.reach.functions.get(call.function.index());
        self.found |= reached.is_none_or(|reached| reached.has_side_effects);
        walk_call(self, call);
    }
}
