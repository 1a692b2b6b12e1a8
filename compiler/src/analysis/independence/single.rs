//! Local variables that get one value in the whole body, such as `next := (i + 1) % N`: a read
//! of one yields that value, since reading it earlier is an error. To compare an undefined
//! scalarset or union is none, so nothing is said of what such a comparison yields (`symbolic`).

use std::collections::{HashMap, HashSet};

use super::walker::{AccessWalker, LocalMeaning};
use crate::semantics::model::{Expression, LocalId, LocalKind, Place, Root, Statement};
use crate::semantics::visit::{PlaceUse, Visit, visit_statements, walk_place};

impl<'m> AccessWalker<'m> {
    /// Finds the variables of the code at hand that are assigned to in one place.
    pub fn single_assignments(&mut self, body: &'m [Statement]) {
        let mut writers = Writers::default();
        visit_statements(&mut writers, body);
        let frame = self.frame;
        let is_storage = |local: &LocalId| {
            frame.locals.get(local.index()).is_some_and(|local| local.kind == LocalKind::Storage)
        };
        self.single = writers
            .count
            .into_iter()
            .filter(|(local, count)| *count == 1 && is_storage(local))
            .map(|(local, _)| local)
            .collect::<HashSet<_>>();
    }

    /// An assignment, perhaps the only one to a variable.
    pub fn keep_single(&mut self, target: &'m Place, value: &'m Expression) {
        if let Root::Local(local) = &target.root
            && target.steps.is_empty()
            && self.single.contains(local)
        {
            let index = self.index(value);
            self.bounds.insert(*local, LocalMeaning::Value(index));
        }
    }
}

/// How many places may write each local.
#[derive(Default)]
struct Writers {
    count: HashMap<LocalId, u32>,
}

impl Writers {
    /// More than one, whatever comes.
    const MANY: u32 = 2;

    fn add(&mut self, place: &Place, count: u32) {
        if let Root::Local(local) = &place.root {
            let total = self.count.entry(*local).or_default();
            *total = total.saturating_add(count);
        }
    }
}

impl<'m> Visit<'m> for Writers {
    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        if usage.may_write() {
            self.add(place, if usage == PlaceUse::Assigned { 1 } else { Self::MANY });
        }
        walk_place(self, place);
    }
}
