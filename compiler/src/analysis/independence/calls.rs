//! What a call does.
//!
//! The call is replaced by the body of the function, with the arguments for the parameters. Where a
//! function can reach itself, or calls have become too many, the call may read and write all that
//! the function can reach: the globals that it and its callees name, which [`Reach`] has found by a
//! fixed point, and whatever is passed to it by reference.
//!
//! [`Reach`]: crate::analysis::reach::Reach

use std::collections::HashMap;

use super::footprint::AccessKind;
use super::path::StatePath;
use super::walker::{AccessWalker, LocalMeaning};
use crate::semantics::model::{Argument, Call, Function, FunctionId, LocalId};
use crate::semantics::visit::{Visit, visit_statements};
use crate::source::Span;

impl<'m> AccessWalker<'m> {
    pub fn call(&mut self, call: &'m Call) {
        let Some(function) = self.model.functions.get(call.function.index()) else { return };
        let bounds = self.arguments(function, call);
        if self.may_follow(call.function, function) {
            self.follow(call.function, function, bounds)
        } else {
            self.summarise(call.function, bounds, call.span)
        }
    }

    /// Takes one of the calls that may be followed.
    pub fn may_follow(&mut self, id: FunctionId, function: &Function) -> bool {
        if function.recursive || self.following.contains(&id) || self.calls_left == 0 {
            return false;
        }
        self.calls_left -= 1;
        true
    }

    fn arguments(&mut self, function: &'m Function, call: &'m Call) -> HashMap<LocalId, LocalMeaning> {
        let mut bounds = HashMap::new();
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            let bound = match argument {
                Argument::Reference(place) => {
                    self.target(place).map_or(LocalMeaning::Private, LocalMeaning::Place)
                }
                Argument::Value(value) => {
                    self.visit_expression(value);
                    self.bound_value(value)
                }
            };
            bounds.insert(parameter.local, bound);
        }
        bounds
    }

    fn follow(&mut self, id: FunctionId, function: &'m Function, bounds: HashMap<LocalId, LocalMeaning>) {
        let outer = (
            std::mem::replace(&mut self.frame, &function.frame),
            std::mem::replace(&mut self.bounds, bounds),
            std::mem::take(&mut self.single),
        );
        let (before, at) = (self.certain.len(), self.at);
        self.following.push(id);
        self.single_assignments(&function.body);
        visit_statements(self, &function.body);
        self.following.pop();
        // It may have returned early, or not have been called at all (the right side of `&`).
        self.certain.truncate(before);
        self.at = at;
        (self.frame, self.bounds, self.single) = outer;
    }

    fn summarise(&mut self, id: FunctionId, bounds: HashMap<LocalId, LocalMeaning>, span: Span) {
        let reach = self.reach;
        let reached = reach.of(id);
        for global in reached.reads.iter().copied() {
            self.note(StatePath::whole(global), AccessKind::Read, span);
        }
        for global in reached.writes.iter().copied() {
            self.change(StatePath::whole(global), span);
        }
        let mut passed: Vec<StatePath> = bounds
            .into_values()
            .filter_map(|bound| match bound {
                LocalMeaning::Place(target) => Some(target.path),
                LocalMeaning::Value(_) | LocalMeaning::Private => None,
            })
            .collect();
        passed.sort();
        passed.into_iter().for_each(|path| self.change(path, span));
    }
}
