//! Which scalarsets and multisets are proved to be symmetric.
//!
//! Symmetry reduction takes for granted that the elements of a scalarset can be exchanged, and that
//! it does not matter in which slot of a multiset an element lies. The type rules see to most of
//! that. What is left are the places where elements or slots are gone through one after the other:
//! `for` loops, quantifiers, properties inside a `ruleset`, and conditions on the elements of a
//! multiset. Each of them is *proved* to give the same result in any order ([`loops`], [`slots`]),
//! or what it goes through is doubtful and is not reduced. Start states are as they are: whatever
//! they do, they do it once, and what follows from two states that differ in names alone differs in
//! names alone.
//!
//! If only one scalarset is doubtful, the others can be reduced all the same: a loop over its
//! elements goes through them in one fixed order, and whatever the loop does is symmetric in the
//! others. With a doubtful multiset it is so as well, but what is added to it in a loop over a
//! scalarset lies there in the order of the elements, so such a loop is not proved.

mod calls;
mod definedness;
mod expressions;
mod liveness;
mod loops;
mod near;
mod path;
mod places;
mod same;
mod search;
mod slots;
mod statements;
mod summaries;
mod updates;
mod walker;

use std::collections::BTreeMap;

use super::reach::Reach;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, TypeId, TypeKind};
use crate::source::Span;

/// What could not be proved about the symmetry of a model. What is absent is proved.
#[derive(Clone, Debug, Default)]
pub struct SymmetryProof {
    pub scalarsets: BTreeMap<TypeId, Doubt>,
    pub multisets: BTreeMap<TypeId, Doubt>,
}

impl SymmetryProof {
    /// Whether everything is proved.
    pub fn is_complete(&self) -> bool {
        self.scalarsets.is_empty() && self.multisets.is_empty()
    }
}

/// The first reason why the elements of a scalarset, or the slots of a multiset type, may not be
/// interchangeable.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    pub span: Span,
    pub message: String,
}

/// Proves what can be proved, and warns of everything that could not be.
pub(super) fn prove(model: &Model, reach: &Reach) -> (SymmetryProof, Vec<Diagnostic>) {
    let is_wanted = |kind: &TypeKind| matches!(kind, TypeKind::Scalarset { .. } | TypeKind::Multiset { .. });
    if !model.types.iter().any(|ty| is_wanted(&ty.kind)) {
        return (SymmetryProof::default(), Vec::new());
    }
    search::run(model, reach)
}
