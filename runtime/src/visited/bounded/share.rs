//! The set of a search along a path, as the one thread uses it that works on it.

use super::{Bounded, PathCacheStats};
use crate::contract::model::RuleId;
use crate::hashing::words::hash;
use crate::storage::ResourceError;
use crate::visited::{Batch, Entered, Fresh, InsertError, Origin, Share, StateIndex, Trail, Visited};

/// All of it: one thread works on it.
pub(super) struct BoundedShare<'a>(pub &'a mut Bounded);

impl Share for BoundedShare<'_> {
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, _: &mut Vec<u64>) {
        hashes.extend(states.chunks_exact(self.0.words).map(hash));
    }

    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        for &position in positions {
            let at = position as usize;
            let (state, hash) = (&batch.states[at * self.0.words..][..self.0.words], batch.hashes[at]);
            if let Entered::Fresh(index) = self.0.insert(state, hash, batch.origins[at], RuleId(0))? {
                fresh.push(Fresh { position, index });
            }
        }
        Ok(())
    }

    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool {
        positions.iter().all(|&position| {
            let state = &batch.states[position as usize * self.0.words..][..self.0.words];
            self.0.find(state, batch.hashes[position as usize]).is_some()
        })
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        indices.iter().for_each(|&index| Visited::load(self.0, index, into));
        Ok(())
    }

    fn prefetch(&self, _: &[StateIndex]) {}

    fn trail(&mut self) -> Option<&mut dyn Trail> {
        Some(self)
    }
}

impl Trail for BoundedShare<'_> {
    fn known(&mut self, batch: &Batch<'_>, rules: &[RuleId], known: &mut Vec<Option<StateIndex>>) {
        let states = batch.states.chunks_exact(self.0.words).zip(batch.hashes).zip(rules);
        for ((state, &hash), &rule) in states {
            let found = self.0.find(state, hash);
            if let Some(slot) = found {
                self.0.met(slot, rule);
            }
            known.push(found.map(|slot| self.0.index(slot)));
        }
    }

    fn enter(&mut self, batch: &Batch<'_>, rule: RuleId) -> Result<Entered, InsertError> {
        let hash = batch.hashes.first().copied().unwrap_or(0);
        let origin = batch.origins.first().copied().unwrap_or(Origin::START);
        self.0.insert(batch.states, hash, origin, rule)
    }

    fn enter_again(&mut self, state: StateIndex, from: Origin) {
        let (number, origin) = (self.0.slot_of(state), self.0.origin_in_slot(from));
        let slot = &mut self.0.slots[number as usize];
        slot.times += 1;
        if slot.times == 1 {
            slot.origin = origin;
            self.0.take_from_beside(number);
        }
    }

    fn bounds(&self) -> Option<PathCacheStats> {
        Some(self.0.figures())
    }

    fn leave(&mut self, state: StateIndex, _: RuleId) {
        let set = &mut *self.0;
        let number = set.slot_of(state);
        let (visits, slot) = (set.visits, &mut set.slots[number as usize]);
        slot.times = slot.times.saturating_sub(1);
        if slot.times > 0 {
            return;
        }
        if slot.last == 0 {
            slot.behind = (visits as u32).wrapping_sub(slot.behind);
            set.choice.left(slot.family);
        }
        slot.last = visits as u32;
        if set.beside.len() as u64 >= set.capacity {
            let Some(victim) = set.choice.victim(&set.beside, &set.slots) else {
                set.evict(number);
                return;
            };
            set.take_from_beside(victim);
            set.evict(victim);
        }
        set.slots[number as usize].place = set.beside.len() as u32;
        set.beside.push(number);
        set.bounds.most_beside = set.bounds.most_beside.max(set.beside.len() as u64);
    }
}
