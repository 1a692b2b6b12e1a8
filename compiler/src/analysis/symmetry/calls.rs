//! Calls are followed: a parameter stands for what is passed.

use super::path::{Base, LoopPath};
use super::walker::{BoundLocal, IterationWalker, Value};
use crate::semantics::model::{Argument, Call, StatementKind};
use crate::semantics::visit::has_return;

/// How deep calls are followed.
const MOST_CALLS: usize = 24;

impl<'m> IterationWalker<'m> {
    pub fn call(&mut self, call: &'m Call) -> Value {
        // A function may end without `return`, or be called too deep.
        self.events.fails = true;
        let Some(function) = self.model.functions.get(call.function.index()) else {
            self.gave_up = true;
            return Value::varying();
        };
        if function.recursive || self.frames.len() > MOST_CALLS {
            self.gave_up = true;
            return Value::varying();
        }
        let mut bounds = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            bounds.push(match argument {
                Argument::Reference(place) => BoundLocal::Place(super::statements::lasting(self.path(place))),
                Argument::Value(value) => {
                    let mut known = self.expression(value);
                    // What it reads may change before the parameter is used.
                    if !known.reads.is_empty() {
                        known.term = None;
                        known.reads.clear();
                        known.index = super::path::Index::Any;
                    }
                    BoundLocal::Value(known)
                }
            });
        }
        let activation = self.next_activation;
        self.next_activation += 1;
        for (parameter, bound) in function.parameters.iter().zip(bounds) {
            self.bind(activation, parameter.local, bound);
        }
        self.frames.push((activation, &function.frame));
        let assigned = self.assigned.len();
        self.statements(&function.body);
        self.frames.pop();
        // Left early, it has not written everything.
        let (last, before) =
            function.body.split_last().map_or((None, [].as_slice()), |(last, rest)| (Some(last), rest));
        let inside = last.is_some_and(|last| {
            !matches!(last.kind, StatementKind::Return(_)) && has_return(std::slice::from_ref(last))
        });
        let own = |path: &LoopPath| matches!(path.base, Base::Local(owner, _) if owner == activation);
        let kept: Vec<LoopPath> = self.assigned.drain(assigned..).filter(|path| !own(path)).collect();
        self.assigned.extend(kept);
        if inside || has_return(before) {
            self.assigned.truncate(assigned);
        }
        Value::varying()
    }
}
