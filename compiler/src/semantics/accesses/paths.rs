//! Places with their aliases and parameters resolved, and when two of them are the same or apart.

use std::rc::Rc;

use crate::semantics::model::{GlobalId, LocalId};

/// The frame that a local belongs to: 0 is that of the loop, every call that is followed has its own.
pub type Activation = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathRoot {
    Global(GlobalId),
    Local(Activation, LocalId),
    Temporary,
}

/// The index of an element, as far as two of them can be compared.
#[derive(Clone, Debug)]
pub(super) enum Index {
    /// The loop variable: a different one in each iteration.
    Iteration,
    Constant(i64),
    /// A value that has one name and does not change while it has it.
    Fixed(Activation, LocalId),
    /// What a variable holds at the moment.
    Variable(Rc<Path>),
    Unknown,
    /// All indices of the array, one after the other.
    Every,
}

#[derive(Clone, Debug)]
pub(super) enum PathStep {
    Field(u32),
    /// With the bounds of the array's index type.
    Element(Index, Option<(i64, i64)>),
}

/// A place with its aliases and parameters resolved.
#[derive(Clone, Debug)]
pub struct Path {
    pub root: PathRoot,
    pub(super) steps: Vec<PathStep>,
}

impl Path {
    pub(super) fn whole(root: PathRoot) -> Path {
        Path { root, steps: Vec::new() }
    }

    /// Whether two paths may lead to the same storage, or one into the other.
    pub fn overlaps(&self, other: &Path) -> bool {
        self.root == other.root
            && self.root != PathRoot::Temporary
            && self.steps.iter().zip(&other.steps).all(|(left, right)| match (left, right) {
                (PathStep::Field(left), PathStep::Field(right)) => left == right,
                (
                    PathStep::Element(Index::Constant(left), _),
                    PathStep::Element(Index::Constant(right), _),
                ) => left == right,
                (PathStep::Element(..), PathStep::Element(..))
                | (PathStep::Field(_), PathStep::Element(..))
                | (PathStep::Element(..), PathStep::Field(_)) => true,
            })
    }

    /// Whether two paths lead to different storage in any two different iterations.
    pub fn is_apart(&self, other: &Path) -> bool {
        self.root == other.root
            && self.steps.iter().zip(&other.steps).any(|steps| {
                matches!(
                    steps,
                    (PathStep::Element(Index::Iteration, _), PathStep::Element(Index::Iteration, _))
                )
            })
    }

    /// Whether two paths certainly lead to the same storage; at the same moment, unless they are `lasting`.
    pub(super) fn is(&self, other: &Path, lasting: bool) -> bool {
        self.root == other.root && self.steps.len() == other.steps.len() && self.begins(other, lasting)
    }

    /// Whether the other one certainly leads to this storage, or into it.
    pub(super) fn begins(&self, other: &Path, lasting: bool) -> bool {
        self.root == other.root
            && self.steps.len() <= other.steps.len()
            && self.steps.iter().zip(&other.steps).all(|(left, right)| match (left, right) {
                (PathStep::Field(left), PathStep::Field(right)) => left == right,
                (PathStep::Element(left, _), PathStep::Element(right, _)) => left.is(right, lasting),
                (PathStep::Field(_), PathStep::Element(..)) | (PathStep::Element(..), PathStep::Field(_)) => {
                    false
                }
            })
    }
}

impl Index {
    pub(super) fn is(&self, other: &Index, lasting: bool) -> bool {
        match (self, other) {
            (Index::Iteration, Index::Iteration) | (Index::Every, _) => true,
            (Index::Constant(left), Index::Constant(right)) => left == right,
            (Index::Fixed(frame, left), Index::Fixed(other_frame, right)) => {
                frame == other_frame && left == right
            }
            (Index::Variable(left), Index::Variable(right)) => !lasting && left.is(right, false),
            (
                Index::Iteration
                | Index::Constant(_)
                | Index::Fixed(..)
                | Index::Variable(_)
                | Index::Unknown,
                _,
            ) => false,
        }
    }
}
