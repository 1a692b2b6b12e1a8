//! What a call does.
//!
//! The call is replaced by the body of the function, with the arguments for the parameters. Where a
//! function can reach itself, or calls have become too many, the call may read and write all that
//! the function can reach: the globals that it and its callees name, which [`Reach`] has found by a
//! fixed point, and whatever is passed to it by reference.
//!
//! [`Reach`]: crate::analysis::reach::Reach

use std::collections::HashMap;

use super::footprint::Kind;
use super::path::Path;
use super::walker::{Bound, Walker};
use crate::semantics::model::{Argument, Call, Function, FunctionId, LocalId};
use crate::source::Span;

impl<'m> Walker<'m> {
    pub fn call(&mut self, call: &'m Call) {
        let Some(function) = self.model.functions.get(call.function.index()) else { return };
        let bounds = self.arguments(function, call);
        match self.may_follow(call.function, function) {
            true => self.follow(call.function, function, bounds),
            false => self.summarise(call.function, bounds, call.span),
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

    fn arguments(&mut self, function: &'m Function, call: &'m Call) -> HashMap<LocalId, Bound> {
        let mut bounds = HashMap::new();
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            let bound = match argument {
                Argument::Reference(place) => self.target(place).map_or(Bound::Private, Bound::Place),
                Argument::Value(value) => {
                    self.read(value);
                    self.bound_value(value)
                }
            };
            bounds.insert(parameter.local, bound);
        }
        bounds
    }

    fn follow(&mut self, id: FunctionId, function: &'m Function, bounds: HashMap<LocalId, Bound>) {
        let outer = (
            std::mem::replace(&mut self.frame, &function.frame),
            std::mem::replace(&mut self.bounds, bounds),
            std::mem::take(&mut self.single),
        );
        let before = self.certain.len();
        self.following.push(id);
        self.single_assignments(&function.body);
        self.statements(&function.body);
        self.following.pop();
        // It may have returned early, or not have been called at all (the right side of `&`).
        self.certain.truncate(before);
        (self.frame, self.bounds, self.single) = outer;
    }

    fn summarise(&mut self, id: FunctionId, bounds: HashMap<LocalId, Bound>, span: Span) {
        let reach = self.reach;
        let reached = reach.of(id);
        for global in reached.reads.iter().copied() {
            self.note(Path::whole(global), Kind::Read, span);
        }
        for global in reached.writes.iter().copied() {
            self.change(Path::whole(global), span);
        }
        let mut passed: Vec<Path> = bounds
            .into_values()
            .filter_map(|bound| match bound {
                Bound::Place(target) => Some(target.path),
                Bound::Value(_) | Bound::Private => None,
            })
            .collect();
        passed.sort();
        passed.into_iter().for_each(|path| self.change(path, span));
    }
}
