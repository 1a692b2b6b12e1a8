//! What functions do to multisets: from which types of them they remove, and to which they add.

use crate::semantics::flow::{PlaceChange, change};
use crate::semantics::model::{Call, Model, Statement, TypeId, TypeKind};
use crate::semantics::visit::{Visit, walk_call, walk_statement};
use std::collections::BTreeSet;

/// What happens to the slots of multisets in a function, calls included.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    pub removes: BTreeSet<TypeId>,
    pub adds: BTreeSet<TypeId>,
    pub calls: BTreeSet<usize>,
}

/// Finds what a function does to multisets itself.
pub(super) struct Summariser<'m> {
    pub model: &'m Model,
    pub summary: Summary,
}

impl<'m> Visit<'m> for Summariser<'m> {
    fn visit_statement(&mut self, statement: &'m Statement) {
        match change(statement) {
            Some((multiset, PlaceChange::Added(_))) => {
                self.summary.adds.insert(multiset.ty);
            }
            Some((multiset, PlaceChange::Removed(_) | PlaceChange::Filtered)) => {
                self.summary.removes.insert(multiset.ty);
            }
            Some((target, PlaceChange::Stored(_) | PlaceChange::Cleared | PlaceChange::Undefined)) => {
                let types = multisets_in(self.model, target.ty);
                self.summary.removes.extend(types.iter().copied());
                self.summary.adds.extend(types);
            }
            None => {}
        }
        walk_statement(self, statement);
    }

    fn visit_call(&mut self, call: &'m Call) {
        self.summary.calls.insert(call.function.index());
        walk_call(self, call);
    }
}

/// The multisets that an object of a type is or contains.
pub(super) fn multisets_in(model: &Model, ty: TypeId) -> BTreeSet<TypeId> {
    let Some(of) = model.types.get(ty.index()) else { return BTreeSet::new() };
    let inside = of.kind.parts().into_iter().flat_map(|part| multisets_in(model, part));
    let own = matches!(of.kind, TypeKind::Multiset { .. }).then_some(ty);
    inside.chain(own).collect()
}
