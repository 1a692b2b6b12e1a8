//! What is known of a value, and of what a write leaves behind.

use std::rc::Rc;

use super::paths::{Index, Path};

/// How many reads of one value are remembered; with more it is taken to depend on the iteration.
const MOST_READS: usize = 64;

/// What a value was computed from.
#[derive(Clone, Debug, Default)]
pub struct Term {
    /// The loop variable is in it.
    pub iteration: bool,
    pub reads: Vec<Rc<Path>>,
}

/// How a write uses what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Not at all.
    Plain,
    /// `x := x + …`, and whether that makes it larger or smaller, where it is known.
    Sum(Option<Direction>),
    /// `x := x & …`
    And,
    /// `x := x | …`
    Or,
    /// `if … > x then x := …`
    Maximum,
    /// `if … < x then x := …`
    Minimum,
    /// Adds to a multiset.
    Add,
    /// Removes from a multiset.
    Remove,
    /// In a way that is not looked into.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

/// What a write leaves behind.
#[derive(Clone, Debug)]
pub enum Written {
    Constant(i64),
    Undefined,
    Cleared,
    Computed(Term),
}

/// A value as far as it is known: what it is computed from, and which index it makes.
pub(super) struct Seen {
    pub term: Term,
    pub index: Index,
}

impl Seen {
    pub(super) fn computed(term: Term) -> Seen {
        Seen { term, index: Index::Unknown }
    }
}

impl Term {
    pub(super) fn take(&mut self, other: Term) {
        self.iteration |= other.iteration;
        other.reads.into_iter().for_each(|path| self.add(path));
    }

    pub(super) fn add(&mut self, path: Rc<Path>) {
        if self.reads.len() >= MOST_READS {
            self.iteration = true;
        } else if !self.reads.iter().any(|known| Rc::ptr_eq(known, &path) || known.is(&path, true)) {
            self.reads.push(path);
        }
    }
}
