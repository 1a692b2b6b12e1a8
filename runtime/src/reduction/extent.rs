//! How far states are reduced: which scalarsets' elements are renamed, and which multisets' slots
//! are sorted.
//!
//! Both are sound only where nothing can observe the order of elements or of slots. The compiler
//! proves that, type by type; where it could not, the description carries a [`Doubt`], and the type
//! is not reduced unless the user says so (`--symmetry trust`). Everything that asks whether there
//! is a reduction asks here.

use super::canonical::Reduction;
use crate::contract::bags::Bags;
use crate::contract::model::{Description, Doubt, Scalarset, Type};
use std::ops::Range;

/// What the user wants to be reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How the elements of scalarsets are renamed; `None`: they are not.
    pub renaming: Option<Reduction>,
    /// Reduce also what was not proved to be symmetric.
    pub trust: bool,
    /// Sort no multiset.
    pub keep_slots: bool,
    /// Elements that keep their names, the first ones of their scalarsets: something distinguishes
    /// them from the others.
    pub apart: Vec<u16>,
}

/// A type that was not proved to be symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproved {
    pub kind: UnprovedKind,
    /// The scalarset, or the variable in which the multiset is.
    pub name: &'static str,
    pub doubt: Doubt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnprovedKind {
    Scalarset { size: u32 },
    Multiset,
}

impl Extent {
    /// Nothing is reduced.
    pub const NOTHING: Extent = Extent { renaming: None, trust: false, keep_slots: true, apart: Vec::new() };

    pub fn bags(&self) -> Bags {
        match (self.keep_slots, self.trust) {
            (true, _) => Bags::None,
            (false, true) => Bags::All,
            (false, false) => Bags::Proved,
        }
    }

    /// Whether elements of a scalarset may get other names.
    pub fn renames(&self, scalarset: &Scalarset) -> bool {
        !self.renamed(scalarset).is_empty()
    }

    /// The elements of a scalarset that may get other names, those of one another.
    pub fn renamed(&self, scalarset: &Scalarset) -> Range<usize> {
        let (first, size) = (scalarset.first as usize, scalarset.size as usize);
        let all = first..first + size;
        let apart = self.apart.iter().filter(|element| all.contains(&usize::from(**element))).count();
        let is_alone = apart > 0 && size <= apart + 1;
        match self.renaming.is_some() && (self.trust || scalarset.doubt.is_none()) && !is_alone {
            true => first + apart..first + size,
            false => first..first,
        }
    }

    /// Whether elements of any scalarset may get other names.
    pub fn renames_any(&self, description: &Description) -> bool {
        description.scalarsets.iter().any(|scalarset| self.renames(scalarset))
    }

    /// Whether two different states may be taken for one.
    pub fn is_reduction(&self, description: &Description) -> bool {
        let mut bags = false;
        each_multiset(description, &mut |_, doubt| bags |= self.bags().sorts(doubt.is_some()));
        bags || self.renames_any(description)
    }

    /// The types that are not reduced because they were not proved to be symmetric.
    pub fn left_out(&self, description: &Description) -> Vec<Unproved> {
        if self.trust { Vec::new() } else { self.wanted(description) }
    }

    /// The types that are reduced although they were not proved to be symmetric.
    pub fn assumed(&self, description: &Description) -> Vec<Unproved> {
        if self.trust { self.wanted(description) } else { Vec::new() }
    }

    /// The types that were not proved to be symmetric, of those that the user wants to be reduced.
    fn wanted(&self, description: &Description) -> Vec<Unproved> {
        let mut unproved = Vec::new();
        if self.renaming.is_some() {
            unproved.extend(description.scalarsets.iter().filter_map(|scalarset| {
                let (kind, name) = (UnprovedKind::Scalarset { size: scalarset.size }, scalarset.name);
                Some(Unproved { kind, name, doubt: scalarset.doubt? })
            }));
        }
        if !self.keep_slots {
            each_multiset(description, &mut |name, doubt| {
                let kind = UnprovedKind::Multiset;
                let new = doubt.map(|doubt| Unproved { kind, name, doubt });
                unproved.extend(new.filter(|new| !unproved.contains(new)));
            });
        }
        unproved
    }
}

/// Calls `found` with the variable and the doubt of each multiset in a state.
fn each_multiset(description: &Description, found: &mut dyn FnMut(&'static str, Option<Doubt>)) {
    fn walk(ty: &Type, name: &'static str, found: &mut dyn FnMut(&'static str, Option<Doubt>)) {
        match ty {
            Type::Simple(_) => {}
            Type::Array { element, .. } => walk(element, name, found),
            Type::Record { fields } => fields.iter().for_each(|field| walk(field.ty, name, found)),
            Type::Multiset { element, doubt, .. } => {
                found(name, *doubt);
                walk(element, name, found);
            }
        }
    }
    description.variables.iter().for_each(|variable| walk(variable.ty, variable.name, found));
}
