//! What has to be done to a state after a start state or a rule: multisets are sorted, and
//! assumptions are checked.
//!
//! # What has to be proved
//! After a rule that writes no variable with a multiset in it, all multisets are in the order in
//! which they were left. Footprints hold all that a rule may write (`analysis/independence`).

use super::independence::Accesses;
use super::symmetry::SymmetryProof;
use crate::semantics::model::{Global, GlobalId, Model, PropertyKind, TypeId, TypeKind};

#[derive(Clone, Debug)]
pub(crate) struct Settling {
    /// A state has multisets.
    has_multisets: bool,
    /// There are assumptions, which may exclude a state.
    pub has_assumptions: bool,
    /// Of each rule, whether it may write to a variable with a multiset in it; nothing is said of
    /// those that are absent.
    changes_multisets: Vec<bool>,
    /// Of each type, whether there is a multiset in it whose slots were not proved to be
    /// interchangeable.
    doubtful: Vec<bool>,
}

impl Settling {
    /// Where nothing is known of `accesses`, after each rule.
    pub fn new(model: &Model, accesses: Option<&Accesses>, proof: &SymmetryProof) -> Self {
        let with_multisets = types_with(model, &|_| true);
        let holds = |global: &Global| with_multisets.get(global.ty.index()) == Some(&true);
        let has_multisets = model.globals.iter().any(holds);
        let written = |global: GlobalId| model.globals.get(global.index()).is_none_or(holds);
        let changes = |accesses: &Accesses| {
            let rules = accesses.rules.iter();
            rules
                .map(|rule| has_multisets && rule.footprint.writes().any(|write| written(write.path.root)))
                .collect()
        };
        Settling {
            has_multisets,
            has_assumptions: model.properties.iter().any(|property| property.kind == PropertyKind::Assume),
            changes_multisets: accesses.map(changes).unwrap_or_default(),
            doubtful: types_with(model, &|ty| proof.multisets.contains_key(&ty)),
        }
    }

    /// Whether anything is done to the start states.
    pub fn is_needed(&self) -> bool {
        self.has_assumptions || self.has_multisets
    }

    /// Whether anything is done to a state after this rule.
    pub fn is_needed_after(&self, rule: usize) -> bool {
        let changes = self.changes_multisets.get(rule).copied().unwrap_or(true);
        self.has_assumptions || (self.has_multisets && changes)
    }

    /// Whether there is a multiset in this type whose slots were not proved to be interchangeable.
    pub fn is_doubtful(&self, ty: TypeId) -> bool {
        self.doubtful.get(ty.index()) == Some(&true)
    }
}

/// Of each type, whether there is a multiset in it for which `is_wanted`.
fn types_with(model: &Model, is_wanted: &dyn Fn(TypeId) -> bool) -> Vec<bool> {
    let mut known = vec![None; model.types.len()];
    let ids = (0..model.types.len()).map(|index| TypeId(index as u32));
    ids.map(|ty| has(model, ty, is_wanted, &mut known)).collect()
}

/// Types may be declared in any order, so each is looked at when first asked for.
fn has(model: &Model, ty: TypeId, is_wanted: &dyn Fn(TypeId) -> bool, known: &mut Vec<Option<bool>>) -> bool {
    if let Some(known) = known[ty.index()] {
        return known;
    }
    let found = match &model.ty(ty).kind {
        TypeKind::Array { element, .. } => has(model, *element, is_wanted, known),
        TypeKind::Record { fields } => fields.iter().any(|field| has(model, field.ty, is_wanted, known)),
        TypeKind::Multiset { element, .. } => is_wanted(ty) || has(model, *element, is_wanted, known),
        TypeKind::Integer
        | TypeKind::Boolean
        | TypeKind::Enum { .. }
        | TypeKind::Range { .. }
        | TypeKind::Scalarset { .. }
        | TypeKind::Union(_) => false,
    };
    known[ty.index()] = Some(found);
    found
}
