//! What can be known about a typed model without running it, and what follows for its code.
//!
//! [`analyse`] finds out what is true of a model: what its functions can do (`reach`), what its
//! rules and properties read and write (`independence`), and what of it is symmetric (`symmetry`).
//! The interpreter, the compiler and the reports about a model read the same [`Analysis`].
//!
//! From it follows a [`Plan`](plan::Plan): every decision about generated code, made before the
//! first token of it is printed, by one file for each kind of decision (`guards`, `selection`,
//! `hoisting`, `recheck`, `settling`, `signs`, `writing`, `facts`). `optimisations` says which of
//! them are made.
//!
//! `checks`, `lints` and `advice` turn what is found into diagnostics.

pub(crate) mod advice;
mod calls;
pub(crate) mod checks;
pub(crate) mod dependencies;
pub(crate) mod facts;
pub(crate) mod failure;
pub(crate) mod guards;
pub(crate) mod hoisting;
pub(crate) mod independence;
pub(crate) mod interval;
mod intervals;
pub(crate) mod lints;
pub(crate) mod locals;
pub(crate) mod monitors;
mod optimisations;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod plan;
mod reach;
pub(crate) mod recheck;
pub(crate) mod selection;
mod settling;
pub(crate) mod signs;
pub(crate) mod size;
mod slots;
pub(crate) mod symmetry;
mod undefined;
pub(crate) mod why;
pub(crate) mod writing;

pub use independence::Independence;
pub use independence::footprint::Demand;
pub use optimisations::{Optimisation, Optimisations, UnknownOptimisationError};
pub use symmetry::SymmetryProof;

use crate::semantics::model::Model;
use independence::Accesses;
use reach::Reach;
use std::sync::OnceLock;

/// What is known about one model. Each part is computed once; what takes long, when it is first
/// asked for.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What each function can do, also through what it calls.
    reach: Reach,
    /// What was not proved to be symmetric.
    pub symmetry: SymmetryProof,
    accesses: OnceLock<Accesses>,
}

/// Finds out what is known about a model that has no errors.
pub fn analyse(model: &Model) -> Analysis {
    let reach = Reach::new(model);
    let (symmetry, _) = symmetry::prove(model, &reach);
    Analysis::new(reach, symmetry)
}

impl Analysis {
    fn new(reach: Reach, symmetry: SymmetryProof) -> Self {
        Analysis { reach, symmetry, accesses: OnceLock::new() }
    }

    /// What rules and properties read and write. Here as below, `model` is the one that was
    /// analysed.
    fn accesses(&self, model: &Model) -> &Accesses {
        self.accesses.get_or_init(|| Accesses::new(model, &self.reach))
    }

    /// What rules and properties read and write, for those who show it.
    pub(crate) fn footprints(&self, model: &Model) -> &Accesses {
        self.accesses(model)
    }

    /// What the conditions in formulas about runs read.
    fn atom_footprints(&self, model: &Model) -> Vec<independence::footprint::Footprint> {
        independence::atom_footprints(model, &self.reach)
    }

    /// Which instances of rules have so little to do with each other as is demanded.
    pub fn independence(&self, model: &Model, demand: Demand) -> Independence {
        Independence::new(model, &self.reach, self.accesses(model), demand)
    }

    /// For each rule, for each property: whether it has to be evaluated after the rule.
    pub fn due_after_rules(&self, model: &Model) -> Vec<bitvec::vec::BitVec> {
        recheck::after_rules(model, &self.reach, self.accesses(model))
    }
}
