//! What each start state certainly assigns: elements of arrays by constant indices, by loops over
//! whole index types, or with the array as a whole; also in procedures that it calls. Everything
//! else is taken to be left undefined.

use std::collections::HashMap;

use super::{Leaf, Leaves, Owner};
use crate::semantics::flow::{PlaceChange, change};
use crate::semantics::model::{
    AliasBinding, AliasValue, Argument, Binder, Call, Domain, Expression, ExpressionKind, GlobalId, LocalId,
    Model, Place, Root, Scope, Statement, StatementKind, Step, TypeId, TypeKind,
};
use crate::semantics::visit::Nesting;

/// How deep calls are followed.
const MOST_CALLS: usize = 8;

#[derive(Clone, Debug, PartialEq)]
enum PartStep {
    Field(u32),
    /// These indices, inclusive.
    Range(i64, i64),
}

/// A part of a global variable.
#[derive(Clone, Debug, PartialEq)]
struct AssignedPart {
    global: GlobalId,
    pieces: Vec<PartStep>,
    /// The loop variables in its indices: one of them in two indices would be a diagonal only.
    variables: Vec<LocalId>,
}

#[derive(Clone, Debug)]
enum StartBinding {
    /// Another name of this part; `None`: of something else.
    Part(Option<AssignedPart>),
    /// A loop variable that runs through these values.
    Values(i64, i64),
}

/// The leaves that some start state may leave undefined.
pub(super) fn unassigned(model: &Model) -> Leaves {
    let mut missing = Leaves::new();
    for start in &model.starts {
        let mut walker = AssignmentWalker { model, bound: HashMap::new(), depth: 0 };
        for scope in &start.scopes {
            if let Scope::Alias(binding) = scope {
                walker.alias(binding);
            }
        }
        let mut assigned = Vec::new();
        if !walker.statements(&start.body, &mut assigned) {
            assigned.clear();
        }
        for (number, global) in (0..).zip(&model.globals) {
            let global_id = GlobalId(number);
            let parts: Vec<&[PartStep]> = assigned
                .iter()
                .filter(|part| part.global == global_id)
                .map(|part| part.pieces.as_slice())
                .collect();
            let mut steps = Vec::new();
            uncovered(model, global.ty, &parts, &mut steps, &mut |steps| {
                missing.insert(Leaf { owner: Owner::Global(global_id), steps: steps.to_vec() });
            });
        }
    }
    missing
}

/// Reports the leaves of a type that these parts leave out. Multisets begin empty, so nothing in
/// them is undefined.
fn uncovered(
    model: &Model,
    ty: TypeId,
    parts: &[&[PartStep]],
    steps: &mut Vec<u32>,
    report: &mut dyn FnMut(&[u32]),
) {
    if parts.iter().any(|part| part.is_empty()) {
        return;
    }
    match model.types.get(ty.index()).map(|ty| &ty.kind) {
        Some(TypeKind::Record { fields }) => {
            for (number, field) in (0_u32..).zip(fields) {
                let inside: Vec<&[PartStep]> = parts
                    .iter()
                    .filter_map(|part| match part.split_first() {
                        Some((PartStep::Field(field), rest)) if *field == number => Some(rest),
                        _ => None,
                    })
                    .collect();
                steps.push(number + 1);
                uncovered(model, field.ty, &inside, steps, report);
                steps.pop();
            }
        }
        Some(TypeKind::Array { index, element }) => {
            let Some((low, high)) = model.bounds(*index) else { return };
            // Between the ends of ranges all indices are alike.
            let mut ends = vec![low];
            for part in parts {
                if let Some(PartStep::Range(from, to)) = part.first() {
                    ends.push(*from);
                    ends.push(to.saturating_add(1));
                }
            }
            ends.retain(|end| (low..=high).contains(end));
            ends.sort_unstable();
            ends.dedup();
            steps.push(0);
            for at in ends {
                let inside: Vec<&[PartStep]> = parts
                    .iter()
                    .filter_map(|part| match part.split_first() {
                        Some((PartStep::Range(from, to), rest)) if (*from..=*to).contains(&at) => Some(rest),
                        _ => None,
                    })
                    .collect();
                uncovered(model, *element, &inside, steps, report);
            }
            steps.pop();
        }
        Some(TypeKind::Multiset { .. }) | None => {}
        // All others are simple.
        Some(_) => report(steps),
    }
}

struct AssignmentWalker<'m> {
    model: &'m Model,
    bound: HashMap<LocalId, StartBinding>,
    depth: usize,
}

impl<'m> AssignmentWalker<'m> {
    fn alias(&mut self, binding: &'m AliasBinding) {
        let bound = match &binding.value {
            AliasValue::Place(place) => StartBinding::Part(self.part(place)),
            AliasValue::Expression(_) => StartBinding::Part(None),
        };
        self.bound.insert(binding.local, bound);
    }

    fn part(&self, place: &Place) -> Option<AssignedPart> {
        let mut part = match &place.root {
            Root::Global(global) => {
                AssignedPart { global: *global, pieces: Vec::new(), variables: Vec::new() }
            }
            Root::Local(local) => match self.bound.get(local)? {
                StartBinding::Part(part) => part.clone()?,
                StartBinding::Values(..) => return None,
            },
            Root::Temporary(_) => return None,
        };
        for step in &place.steps {
            part.pieces.push(match step {
                Step::Field(field) => PartStep::Field(*field),
                Step::Index(index) => {
                    let (low, high) = self.values(index)?;
                    if let Some(variable) = variable(index) {
                        if part.variables.contains(&variable) {
                            return None;
                        }
                        part.variables.push(variable);
                    }
                    PartStep::Range(low, high)
                }
                Step::Slot(_) => return None,
            });
        }
        Some(part)
    }

    /// The values that an index takes, all of them, one after the other.
    fn values(&self, index: &Expression) -> Option<(i64, i64)> {
        match &index.kind {
            ExpressionKind::Constant(value) => Some((*value, *value)),
            ExpressionKind::Value(local) => match self.bound.get(local)? {
                StartBinding::Values(low, high) => Some((*low, *high)),
                StartBinding::Part(_) => None,
            },
            ExpressionKind::Convert { value, pieces } => {
                let (low, high) = self.values(value)?;
                let piece = pieces.iter().find(|piece| piece.low <= low && piece.high >= high)?;
                Some((low.checked_add(piece.shift)?, high.checked_add(piece.shift)?))
            }
            _ => None,
        }
    }

    /// Adds what is certainly assigned; `false` where statements may be left before their end.
    fn statements(&mut self, statements: &'m [Statement], assigned: &mut Vec<AssignedPart>) -> bool {
        statements.iter().all(|statement| self.statement(statement, assigned))
    }

    fn statement(&mut self, statement: &'m Statement, assigned: &mut Vec<AssignedPart>) -> bool {
        if let Some((target, PlaceChange::Stored(_) | PlaceChange::Cleared | PlaceChange::Undefined)) =
            change(statement)
        {
            assigned.extend(self.part(target));
            return true;
        }
        match &statement.kind {
            StatementKind::For {
                binder: Binder { variable, domain: Domain::Constant { low, high }, .. },
                body,
            } => {
                self.bound.insert(*variable, StartBinding::Values(*low, *high));
                let done = self.statements(body, assigned);
                self.bound.remove(variable);
                return done;
            }
            StatementKind::Alias { binding, .. } => self.alias(binding),
            StatementKind::Call(call) => self.call(call, assigned),
            StatementKind::Return(_) => return false,
            _ => {}
        }
        match Nesting::of(statement) {
            Nesting::Nothing => true,
            Nesting::Branches(bodies) => self.branches(bodies.into_iter(), assigned),
            Nesting::Loop(body) => self.statements(body, &mut Vec::new()),
            Nesting::Once(body) => self.statements(body, assigned),
        }
    }

    /// What a procedure assigns that certainly ends.
    fn call(&mut self, call: &'m Call, assigned: &mut Vec<AssignedPart>) {
        let Some(function) = self.model.functions.get(call.function.index()) else { return };
        if function.recursive || self.depth >= MOST_CALLS {
            return;
        }
        let mut inside = HashMap::new();
        for (parameter, argument) in function.parameters.iter().zip(&call.arguments) {
            let bound = match argument {
                Argument::Reference(place) => StartBinding::Part(self.part(place)),
                Argument::Value(_) => StartBinding::Part(None),
            };
            inside.insert(parameter.local, bound);
        }
        let outside = std::mem::replace(&mut self.bound, inside);
        self.depth += 1;
        let mut parts = Vec::new();
        if self.statements(&function.body, &mut parts) {
            assigned.extend(parts);
        }
        self.depth -= 1;
        self.bound = outside;
    }

    /// What all of several branches assign.
    fn branches<'b>(
        &mut self,
        bodies: impl Iterator<Item = &'m [Statement]> + 'b,
        assigned: &mut Vec<AssignedPart>,
    ) -> bool {
        let mut common: Option<Vec<AssignedPart>> = None;
        let mut done = true;
        for body in bodies {
            let mut parts = Vec::new();
            done &= self.statements(body, &mut parts);
            common = Some(match common {
                None => parts,
                Some(common) => common.into_iter().filter(|part| parts.contains(part)).collect(),
            });
        }
        assigned.extend(common.into_iter().flatten());
        done
    }
}

fn variable(index: &Expression) -> Option<LocalId> {
    match &index.kind {
        ExpressionKind::Value(local) => Some(*local),
        ExpressionKind::Convert { value, .. } => variable(value),
        _ => None,
    }
}
