//! Which accesses of a loop may meet: a loop that writes thousands of places must not compare each
//! with each.

use std::collections::HashMap;

use super::path::{Base, Index, LoopPath, PathPart};
use super::walker::IterationAccess;

/// The first step of a path, where it is a certain one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Field(u32),
    Element(i64),
}

/// Accesses by what they begin with.
#[derive(Default)]
pub(super) struct Near<'w> {
    all: Vec<&'w IterationAccess>,
    whole: HashMap<u64, Vec<&'w IterationAccess>>,
    /// Those whose first step is a certain one, and, for each base, those whose is not.
    certain: HashMap<(u64, Step), Vec<&'w IterationAccess>>,
    other: HashMap<u64, Vec<&'w IterationAccess>>,
    /// What begins with a `var` parameter may be anything.
    references: Vec<&'w IterationAccess>,
}

impl<'w> Near<'w> {
    pub fn new(accesses: impl Iterator<Item = &'w IterationAccess>) -> Self {
        let mut near = Near::default();
        for access in accesses {
            near.all.push(access);
            match base(&access.path) {
                Some(base) => {
                    near.whole.entry(base).or_default().push(access);
                    match step(&access.path) {
                        Some(step) => near.certain.entry((base, step)).or_default().push(access),
                        None => near.other.entry(base).or_default().push(access),
                    }
                }
                None => near.references.push(access),
            }
        }
        near
    }

    /// Every access that could be to the place of a path, and some others.
    pub fn to(&self, path: &LoopPath) -> impl Iterator<Item = &'w IterationAccess> {
        let lists: [&[&'w IterationAccess]; 3] = match (base(path), step(path)) {
            (None, _) => [&self.all, &[], &[]],
            (Some(base), Some(step)) => {
                [list(self.certain.get(&(base, step))), list(self.other.get(&base)), &self.references]
            }
            (Some(base), None) => [list(self.whole.get(&base)), &[], &self.references],
        };
        lists.into_iter().flatten().copied()
    }
}

fn list<'l, 'w>(found: Option<&'l Vec<&'w IterationAccess>>) -> &'l [&'w IterationAccess] {
    found.map_or(&[], Vec::as_slice)
}

fn base(path: &LoopPath) -> Option<u64> {
    match path.base {
        Base::Global(global) => Some(u64::from(global.0)),
        // Activations are few enough for the upper half.
        Base::Local(activation, local) => Some((u64::from(activation) + 1) << 32 | u64::from(local.0)),
        Base::Reference(..) => None,
        Base::Temporary => Some(u64::MAX),
    }
}

fn step(path: &LoopPath) -> Option<Step> {
    match path.parts.first()? {
        PathPart::Field(field) => Some(Step::Field(*field)),
        PathPart::Element(Index::Constant(value)) => Some(Step::Element(*value)),
        PathPart::Element(_) | PathPart::Slot(_) | PathPart::Keyed(_) => None,
    }
}
