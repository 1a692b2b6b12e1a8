//! What expressions read, and to which places they lead.

use std::rc::Rc;

use super::paths::{Activation, Index, Path, PathRoot, PathStep};
use super::values::{Form, Seen, Term, Written};
use super::{Access, Accesses};
use crate::semantics::model::{Expression, ExpressionKind, LocalId, Place, Root, Step, TypeId, TypeKind};
use crate::semantics::walk::domain_parts;
use crate::syntax::span::Span;

impl<'m> Accesses<'m> {
    pub(super) fn activation(&self) -> Activation {
        self.frames.last().map_or(0, |(activation, _)| *activation)
    }

    pub(super) fn local_type(&self, local: LocalId) -> Option<TypeId> {
        let (_, frame) = self.frames.last()?;
        frame.locals.get(local.index()).map(|local| local.ty)
    }

    pub(super) fn element_type(
        &self,
        ty: Option<TypeId>,
        field: Option<u32>,
    ) -> (Option<TypeId>, Option<(i64, i64)>) {
        match (ty.and_then(|ty| self.model.types.get(ty.index())).map(|ty| &ty.kind), field) {
            (Some(TypeKind::Array { index, element }), None) => (Some(*element), self.model.bounds(*index)),
            (Some(TypeKind::Multiset { element, .. }), None) => (Some(*element), None),
            (Some(TypeKind::Record { fields }), Some(field)) => {
                (fields.get(field as usize).map(|field| field.ty), None)
            }
            (_, _) => (None, None),
        }
    }

    /// The path of a place, and what its indices are computed from; they are read.
    pub(super) fn path(&mut self, place: &'m Place) -> (Rc<Path>, Term) {
        let mut term = Term::default();
        let here = self.activation();
        let (mut path, mut ty) = match &place.root {
            Root::Global(global) => (
                Path::whole(PathRoot::Global(*global)),
                self.model.globals.get(global.index()).map(|global| global.ty),
            ),
            Root::Local(local) => {
                let bound = self.bounds.get(&(here, *local)).and_then(|bound| bound.place.clone());
                let path = bound
                    .map_or_else(|| Path::whole(PathRoot::Local(here, *local)), |path| path.as_ref().clone());
                (path, self.local_type(*local))
            }
            Root::Temporary(value) => {
                term.take(self.read(value));
                (Path::whole(PathRoot::Temporary), Some(value.ty))
            }
        };
        for step in &place.steps {
            let (next, bounds) = match step {
                Step::Field(field) => self.element_type(ty, Some(*field)),
                Step::Index(_) | Step::Slot(_) => self.element_type(ty, None),
            };
            ty = next;
            path.steps.push(match step {
                Step::Field(field) => PathStep::Field(*field),
                Step::Index(index) | Step::Slot(index) => {
                    let seen = self.see(index);
                    term.take(seen.term);
                    PathStep::Element(seen.index, bounds)
                }
            });
        }
        (Rc::new(path), term)
    }

    /// Looks without noting anything.
    pub(super) fn silently<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.silent, true);
        let found = look(self);
        self.silent = outer;
        found
    }

    pub(super) fn path_alone(&mut self, place: &'m Place) -> Rc<Path> {
        self.silently(|all| all.path(place).0)
    }

    pub(super) fn note(&mut self, access: Access) {
        if !self.silent {
            self.list.push(access);
        }
    }

    /// The value that a place holds.
    pub(super) fn see_place(&mut self, place: &'m Place) -> Seen {
        let (path, mut term) = self.path(place);
        // A read-only parameter holds what was passed; its argument has been read already.
        if let PathRoot::Local(activation, local) = path.root
            && let Some(bound) = self.bounds.get(&(activation, local))
        {
            term.take(bound.term.clone());
            let index = if path.steps.is_empty() { bound.index.clone() } else { Index::Unknown };
            return Seen { term, index };
        }
        self.note(Access::Read { path: path.clone(), at: self.now });
        term.add(path.clone());
        Seen { term, index: Index::Variable(path) }
    }

    /// Notes what an expression reads, and what its calls do; returns what its value is computed from.
    pub fn read(&mut self, expression: &'m Expression) -> Term {
        self.see(expression).term
    }

    pub(super) fn see_all(&mut self, parts: impl IntoIterator<Item = &'m Expression>) -> Seen {
        let mut term = Term::default();
        for part in parts {
            term.take(self.read(part));
        }
        Seen::computed(term)
    }

    pub(super) fn see(&mut self, expression: &'m Expression) -> Seen {
        let here = self.activation();
        match &expression.kind {
            ExpressionKind::Constant(value) => Seen { term: Term::default(), index: Index::Constant(*value) },
            ExpressionKind::Value(local) if here == 0 && *local == self.variable => {
                Seen { term: Term { iteration: true, reads: Vec::new() }, index: Index::Iteration }
            }
            ExpressionKind::Value(local) => match self.bounds.get(&(here, *local)) {
                Some(bound) => Seen { term: bound.term.clone(), index: bound.index.clone() },
                None => Seen { term: Term::default(), index: Index::Fixed(here, *local) },
            },
            ExpressionKind::Read(place) => self.see_place(place),
            ExpressionKind::IsUndefined(place) => Seen::computed(self.see_place(place).term),
            ExpressionKind::Call(call) => Seen::computed(self.call(call)),
            // Numberings of one and the same value differ only where the arrays do.
            ExpressionKind::Convert { value, .. } => {
                let seen = self.see(value);
                match seen.index {
                    Index::Constant(_) => Seen::computed(seen.term),
                    index => Seen { index, ..seen },
                }
            }
            ExpressionKind::Not(operand)
            | ExpressionKind::Negate(operand)
            | ExpressionKind::BitNot(operand)
            | ExpressionKind::IsMember { value: operand, .. } => Seen::computed(self.read(operand)),
            ExpressionKind::Arithmetic { left, right, .. }
            | ExpressionKind::Compare { left, right, .. }
            | ExpressionKind::CompareCompound { left, right, .. }
            | ExpressionKind::Implies(left, right) => self.see_all([left.as_ref(), right]),
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => self.see_all(parts),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.see_all([condition.as_ref(), then, otherwise])
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.see_all(domain_parts(&binder.domain).into_iter().chain([body.as_ref()]))
            }
            ExpressionKind::MultisetCount { multiset, condition, .. } => {
                let mut term = self.see_place(multiset).term;
                term.take(self.read(condition));
                Seen::computed(term)
            }
        }
    }

    pub(super) fn write(&mut self, place: &'m Place, form: Form, value: Written, span: Span) {
        let (path, _) = self.path(place);
        let at = self.now;
        if form == Form::Plain {
            self.certain.push((path.clone(), self.now));
            self.now = Some(self.certain.len() - 1);
        }
        self.note(Access::Write { path, form, value, span, at });
    }
}
