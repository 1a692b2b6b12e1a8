//! Which variables are never undefined in a state.
//!
//! Variables are taken together by the fields on the way to them: all elements of an array, and all
//! slots of a multiset, are one *leaf*. A leaf may be undefined if some start state does not
//! certainly assign all of it ([`starts`]), if some statement makes it undefined, or if it is a
//! copy of one that may be ([`flows`]). Only copies have to be followed: every other operation on
//! an undefined value fails, and what fails leaves no state behind.

mod flows;
mod starts;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::path::{Base, LoopPath, PathPart};
use crate::semantics::model::{GlobalId, LocalId, Model, TypeId, TypeKind};

/// Leaves that are distinguished, at most; with more, each may be undefined.
const MOST_LEAVES: usize = 20_000;

/// What a leaf belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Owner {
    Global(GlobalId),
    /// A local of the rule, function, start state or property with this number.
    Local(usize, LocalId),
    /// What a function returns.
    Result(usize),
}

/// An owner and the fields on the way, each counted from one; 0 stands for an element or a slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Leaf {
    owner: Owner,
    steps: Vec<u32>,
}

impl Leaf {
    fn then(&self, steps: &[u32]) -> Leaf {
        let mut leaf = self.clone();
        leaf.steps.extend_from_slice(steps);
        leaf
    }
}

/// The leaves of a model's global variables that may be undefined.
pub(super) struct Definedness {
    undefined: HashSet<Leaf>,
    /// Nothing is known.
    unknown: bool,
}

impl Definedness {
    pub fn new(model: &Model) -> Self {
        let leaves: usize = model.globals.iter().map(|global| count(model, global.ty)).sum();
        if leaves > MOST_LEAVES {
            return Definedness { undefined: HashSet::new(), unknown: true };
        }
        let mut flows = flows::Flows::default();
        flows.model(model);
        let mut open: Vec<Leaf> = flows.undefined.iter().cloned().collect();
        open.extend(starts::unassigned(model));
        let mut copies: HashMap<&Leaf, Vec<&Leaf>> = HashMap::new();
        flows.copies.iter().for_each(|(from, to)| copies.entry(from).or_default().push(to));
        let mut undefined = HashSet::new();
        while let Some(leaf) = open.pop() {
            if undefined.insert(leaf.clone()) {
                open.extend(copies.get(&leaf).into_iter().flatten().map(|to| (*to).clone()));
            }
        }
        Definedness { undefined, unknown: flows.gave_up }
    }

    /// Whether a simple place may be undefined in a state, or become so while a rule runs.
    pub fn may_be_undefined(&self, model: &Model, path: &LoopPath) -> bool {
        let Base::Global(global) = path.base else { return true };
        // What has another name may have been removed since.
        if path.parts.contains(&PathPart::Slot(None)) {
            return true;
        }
        let steps = path.parts.iter().map(|part| match part {
            PathPart::Field(field) => field + 1,
            PathPart::Element(_) | PathPart::Slot(_) | PathPart::Keyed(_) => 0,
        });
        let leaf = Leaf { owner: Owner::Global(global), steps: steps.collect() };
        self.unknown || global.index() >= model.globals.len() || self.undefined.contains(&leaf)
    }
}

/// The simple parts of a type; those inside a multiset are left out where `outside`.
fn leaves(model: &Model, ty: TypeId, outside: bool) -> Vec<Vec<u32>> {
    let under = |step: u32, ty: TypeId| {
        leaves(model, ty, outside).into_iter().map(move |mut steps| {
            steps.insert(0, step);
            steps
        })
    };
    match model.types.get(ty.index()).map(|ty| &ty.kind) {
        Some(TypeKind::Array { element, .. }) => under(0, *element).collect(),
        Some(TypeKind::Multiset { element, .. }) if !outside => under(0, *element).collect(),
        Some(TypeKind::Multiset { .. }) | None => Vec::new(),
        Some(TypeKind::Record { fields }) => {
            (1..).zip(fields).flat_map(|(number, field)| under(number, field.ty)).collect()
        }
        // All others are simple.
        Some(_) => vec![Vec::new()],
    }
}

fn count(model: &Model, ty: TypeId) -> usize {
    match model.types.get(ty.index()).map(|ty| &ty.kind) {
        Some(TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. }) => count(model, *element),
        Some(TypeKind::Record { fields }) => {
            fields.iter().fold(0, |sum, field| usize::saturating_add(sum, count(model, field.ty)))
        }
        Some(_) | None => 1,
    }
}

/// Leaves in a fixed order, so that nothing depends on how they are kept.
type Leaves = BTreeSet<Leaf>;
