//! Which place is meant, and whether it is the same one in all iterations.

use super::path::{Base, Index, LoopPath, PathPart};
use super::walker::{BoundLocal, IterationWalker, Value};
use crate::analysis::interval;
use crate::semantics::model::{ExpressionKind, LocalId, LocalKind, Place, Root, Step, TypeId, TypeKind};

/// Longer terms are taken to vary.
pub(super) const LONGEST_TERM: usize = 400;

impl<'m> IterationWalker<'m> {
    /// Notes that a whole place is read.
    pub fn read_place(&mut self, place: &'m Place) -> Value {
        let here = self.activation();
        // A parameter by value is a copy that cannot be assigned to: it is what was passed.
        if let Root::Local(local) = &place.root
            && place.steps.is_empty()
            && let Some((number, BoundLocal::Value(known))) = self.bound.get(&(here, *local))
        {
            let (number, known) = (*number, known.clone());
            self.uses(number);
            self.events.fails |= self.model.is_simple(place.ty);
            return known;
        }
        let (path, term, mut reads) = self.path_and_term(place);
        self.events.fails |=
            self.model.is_simple(place.ty) && self.definedness.may_be_undefined(self.model, &path);
        self.read(path.clone(), place.span);
        match term {
            Some(term) => {
                reads.push(path);
                Value { term: Some(term.clone()), reads, index: Index::Fixed(term) }
            }
            None => Value::varying(),
        }
    }

    pub fn path(&mut self, place: &'m Place) -> LoopPath {
        self.path_and_term(place).0
    }

    /// Where a place is, with its indices evaluated; and, if it is the same place in all
    /// iterations, the text of it with what its indices read.
    pub fn path_and_term(&mut self, place: &'m Place) -> (LoopPath, Option<String>, Vec<LoopPath>) {
        let mut reads = Vec::new();
        let here = self.activation();
        let (mut path, mut term, mut ty) = match &place.root {
            Root::Global(global) => {
                let ty = self.model.globals.get(global.index()).map(|global| global.ty);
                (LoopPath::new(Base::Global(*global)), Some(format!("g{}", global.0)), ty)
            }
            Root::Local(local) => {
                let ty = self.local_type(*local);
                let (path, term) = self.local_root(here, *local, ty);
                (path, term, ty)
            }
            Root::Temporary(value) => {
                self.expression(value);
                (LoopPath::new(Base::Temporary), None, Some(value.ty))
            }
        };
        for (at, step) in place.steps.iter().enumerate() {
            let (mut part, text, next) = self.place_step(step, ty, &mut reads);
            if let PathPart::Slot(variable) = &mut part {
                // The slot of a condition is occupied in the multiset that it belongs to, not in
                // another.
                let is_own = variable.is_some_and(|(activation, local)| {
                    self.own_slots.iter().any(|(owner, slot, bag)| {
                        (*owner, *slot) == (activation, local) && super::same::is_prefix(bag, place, at)
                    })
                });
                self.events.fails |= !is_own;
                if !is_own {
                    *variable = None;
                }
            }
            path.parts.push(part);
            term = match (term, text) {
                (Some(so_far), Some(text)) if so_far.len() + text.len() < LONGEST_TERM => {
                    Some(so_far + &text)
                }
                (_, _) => None,
            };
            ty = next;
        }
        (path, term, reads)
    }

    fn local_root(&mut self, here: u32, local: LocalId, ty: Option<TypeId>) -> (LoopPath, Option<String>) {
        match self.bound.get(&(here, local)) {
            Some((number, BoundLocal::Place(path))) => {
                let (number, path) = (*number, path.clone());
                self.uses(number);
                // Bound inside the loop, it may be another place each time.
                let term = (number == u32::MAX).then(|| format!("r{}", local.0));
                (path, term)
            }
            // A copy of what was passed, or of what an alias stands for.
            Some((number, BoundLocal::Value(_))) => {
                let number = *number;
                self.uses(number);
                (LoopPath::new(Base::Local(here, local)), None)
            }
            None => {
                let kind = self.frames.last().and_then(|(_, frame)| frame.locals.get(local.index()));
                match (kind.map(|local| local.kind), ty) {
                    (Some(LocalKind::Storage), _) => {
                        (LoopPath::new(Base::Local(here, local)), Some(format!("l{here}.{}", local.0)))
                    }
                    (Some(LocalKind::Reference), Some(ty)) if here == 0 => {
                        (LoopPath::new(Base::Reference(local, ty)), Some(format!("r{}", local.0)))
                    }
                    (Some(LocalKind::Reference | LocalKind::Value) | None, _) => {
                        self.gave_up = true;
                        (LoopPath::new(Base::Temporary), None)
                    }
                }
            }
        }
    }

    fn place_step(
        &mut self,
        step: &'m Step,
        ty: Option<TypeId>,
        reads: &mut Vec<LoopPath>,
    ) -> (PathPart, Option<String>, Option<TypeId>) {
        let kind = ty.and_then(|ty| self.model.types.get(ty.index())).map(|ty| &ty.kind);
        match (step, kind) {
            (Step::Field(field), Some(TypeKind::Record { fields })) => {
                let next = fields.get(*field as usize).map(|field| field.ty);
                (PathPart::Field(*field), Some(format!(".{field}")), next)
            }
            (Step::Index(index), Some(TypeKind::Array { index: index_type, element })) => {
                let known = self.expression(index);
                let inside = self
                    .model
                    .bounds(*index_type)
                    .is_some_and(|(low, high)| interval::of(self.model, self, index).within(low, high));
                self.events.fails |= !inside;
                reads.extend(known.reads);
                let text = known.term.map(|term| format!("[{term}]"));
                let index = match (known.index, &index.kind) {
                    (Index::Inner(activation, local, _), ExpressionKind::Value(_)) => {
                        let domain = self.domains.get(&(activation, local)).copied();
                        let whole = domain.is_some() && domain == self.model.bounds(*index_type);
                        Index::Inner(activation, local, whole)
                    }
                    (index, _) => index,
                };
                (PathPart::Element(index), text, Some(*element))
            }
            (Step::Slot(slot), Some(TypeKind::Multiset { element, .. })) => {
                self.expression(slot);
                let variable = match &slot.kind {
                    ExpressionKind::Value(local) => Some((self.activation(), *local)),
                    _ => None,
                };

                (PathPart::Slot(variable), None, Some(*element))
            }
            (Step::Field(_) | Step::Index(_) | Step::Slot(_), _) => {
                self.gave_up = true;
                (PathPart::Slot(None), None, None)
            }
        }
    }
}
