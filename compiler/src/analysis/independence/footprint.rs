//! What one rule may read and write, and what it leaves behind.

use std::collections::HashSet;

use super::path::StatePath;
use super::range::Range;
use crate::source::Span;

/// What a write leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {
    Constant(i64),
    Undefined,
    Cleared,
    /// A value that may differ from one state to the next.
    Computed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    Read,
    Write(Written),
}

/// Why a rule reads what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Its own guard and body say so, or what stands around it.
    Rule,
    /// A state that breaks the assumption would not count, so the rule that makes it asks.
    Assumption,
    /// It fires only where no rule of a smaller priority number is enabled, so it asks their
    /// guards.
    Priority,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub path: StatePath,
    pub kind: AccessKind,
    pub origin: Origin,
    /// Where it stands in the text; the first place, if there are several.
    pub span: Span,
}

/// All accesses of one rule, without duplicates.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    pub accesses: Vec<Access>,
    known: HashSet<(StatePath, AccessKind)>,
}

impl Footprint {
    pub fn add(&mut self, access: Access) {
        if self.known.insert((access.path.clone(), access.kind)) {
            self.accesses.push(access);
        }
    }

    pub fn writes(&self) -> impl Iterator<Item = &Access> {
        self.accesses.iter().filter(|access| access.kind != AccessKind::Read)
    }

    /// Whether something is written here that is read there. What the parameters there run through
    /// is in the paths.
    pub fn disturbs(&self, parameters: &[Range], reads: &Footprint) -> bool {
        self.writes().any(|write| {
            reads.accesses.iter().any(|read| write.path.meeting(&read.path, parameters, &[]).is_some())
        })
    }

    /// Takes over what another one reads.
    pub fn take_reads(&mut self, other: &Footprint, origin: Origin) {
        for access in other.accesses.iter().filter(|access| access.kind == AccessKind::Read) {
            self.add(Access { origin, ..access.clone() });
        }
    }
}

/// How little two rules must have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Their order must not matter: they may write the same constant to the same place.
    Commute,
    /// They must also write to different places. Then what one of them changes is the same bytes,
    /// from the same values to the same values, before and after the other.
    Apart,
}

impl AccessKind {
    /// Whether two accesses to the same place break the demand.
    pub fn breaks(self, other: AccessKind, demand: Demand) -> bool {
        match demand {
            Demand::Commute => self.conflicts(other),
            Demand::Apart => self != AccessKind::Read || other != AccessKind::Read,
        }
    }

    /// Whether two accesses to the same place leave something else behind in the other order, or
    /// see something else. Writing the same constant twice does not.
    fn conflicts(self, other: AccessKind) -> bool {
        match (self, other) {
            (AccessKind::Read, AccessKind::Read) => false,
            (AccessKind::Write(Written::Computed), AccessKind::Write(_)) => true,
            (AccessKind::Write(own), AccessKind::Write(others)) => own != others,
            (AccessKind::Read, AccessKind::Write(_)) | (AccessKind::Write(_), AccessKind::Read) => true,
        }
    }
}
