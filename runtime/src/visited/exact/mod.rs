//! The exact visited set: all states in memory, none evicted, none confused.
//!
//! A set begins with one segment. When it is no longer small it is spread over many, each with its
//! own states and its own table, so that each grows on its own and by little: there is no moment at
//! which everything is there twice, and no pause.

mod insertion;
mod line;
pub mod plugin;
mod policy;
mod saved;
mod segment;
mod shape;
mod stock;

pub use shape::Shape;

use super::{
    Batch, Entered, Find, Fresh, InsertError, Origin, Recalled, Renumbering, Segmentation, Share, StateIndex,
    Trail, Visited,
};
use crate::checkpoint::{Persist, PersistPart};
use crate::contract::model::RuleId;
use crate::hashing::words::{hash, hash_of};
use crate::memory::{Budget, MemoryError};
use crate::state::stride::Stride;
use crate::storage::ResourceError;
use crate::storage::StorageError;
use crate::visited::batch::Sets;
use crate::visited::numbers::cut;
use crate::visited::steps::{StepLog, Steps};
use line::LINE;
use policy::Policy;
use segment::{Probe, Segment};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use stock::Stock;

/// States that are looked up together.
const WINDOW: usize = 64;
/// Lines of the table of a small set, in the beginning …
const FIRST_LINES: usize = 16;
/// … and of all tables of one that is spread, if this is a small part of the memory. Tables grow by
/// little, so that small ones would be rebuilt again and again.
const SPREAD_LINES: usize = (2 << 20) / (LINE * size_of::<u32>());
const SMALL_PART: u64 = 64;

#[derive(Debug)]
pub struct Exact<S> {
    stride: S,
    segmentation: Segmentation,
    segments: Vec<Segment>,
    stock: Stock,
    steps: Option<Steps>,
}

impl<S: Stride> Exact<S> {
    /// An empty set for states of this shape, `most` of them at most.
    pub fn new(stride: S, shape: Shape, budget: Arc<Budget>, most: Option<u64>) -> Result<Self, MemoryError> {
        let stock = Stock::new(shape, Policy::single(), true, budget, most);
        let segments = vec![stock.segment(FIRST_LINES)?];
        Ok(Exact { stride, segmentation: Segmentation::new(0), segments, stock, steps: None })
    }

    fn share(&mut self) -> ExactShare<'_, S> {
        ExactShare {
            stride: self.stride,
            segmentation: self.segmentation,
            first: 0,
            segments: &mut self.segments,
            stock: &self.stock,
            log: self.steps.as_mut().and_then(|steps| steps.logs(1).first_mut()),
        }
    }

    fn segment(&self, index: StateIndex) -> Option<(&Segment, u32)> {
        let segment = self.segments.get(self.segmentation.of_index(index))?;
        Some((segment, place_of(self.segmentation, index)))
    }

    /// A copy of the states in another set, with the new number of each.
    fn copy(&self, segmentation: Segmentation) -> Result<(Self, Vec<StateIndex>), MemoryError> {
        let left = self.stock.permits.as_ref().map(|permits| permits.load(Ordering::Relaxed));
        let shape = self.stock.shape;
        let policy = Policy::many(&shape, segmentation.segments());
        let budget = self.stock.budget.clone();
        let stock = Stock::new(shape, policy, false, budget, None);
        let mut copy = Exact { stride: self.stride, segmentation, segments: Vec::new(), stock, steps: None };
        let lines = first_lines(segmentation, &copy.stock.budget);
        for _ in 0..segmentation.segments() {
            copy.segments.push(copy.stock.segment(lines)?);
        }
        let mut indices: Vec<StateIndex> = Vec::new();
        let (mut state, mut fresh) = (Vec::new(), Vec::new());
        for segment in &self.segments {
            for place in 0..segment.length {
                state.clear();
                segment.load(place, self.stride, &shape, &mut state);
                // Predecessors were inserted before, so their new numbers are known.
                let origin = segment.origin(place, &shape).and_then(Origin::predecessor);
                let origin =
                    origin.and_then(|index| indices.get(self.segmentation.place(index) as usize).copied());
                let origin = origin.map_or(Origin::START, Origin::from);
                let batch = Batch {
                    states: &state,
                    hashes: &[hash(&state)],
                    signatures: &[],
                    origins: &[origin],
                    sets: Sets::default(),
                };
                fresh.clear();
                copy.share().insert(&batch, &[0], &mut fresh).map_err(|_| MemoryError)?;
                indices.push(fresh.first().map(|fresh| fresh.index).ok_or(MemoryError)?);
            }
        }
        if let Some(left) = left {
            copy.stock.permits = Some(left.into());
            // From here on each state needs a permit of its own.
            copy.segments.iter_mut().for_each(|segment| segment.ready = segment.length);
        }
        Ok((copy, indices))
    }
}

impl<S: Stride> Visited for Exact<S> {
    fn len(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.length)).sum()
    }

    fn segmentation(&self) -> Segmentation {
        self.segmentation
    }

    fn load(&self, index: StateIndex, into: &mut Vec<u64>) {
        if let Some((segment, place)) = self.segment(index) {
            segment.load(place, self.stride, &self.stock.shape, into);
        }
    }

    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        let origin =
            self.segment(index).and_then(|(segment, place)| segment.origin(place, &self.stock.shape));
        Ok(origin.map(|origin| Recalled { origin, signature: None }))
    }

    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>> {
        self.shares_of(&self.segmentation.ranges(owners))
    }

    fn shares_of(&mut self, ranges: &[Range<usize>]) -> Vec<Box<dyn Share + '_>> {
        let Exact { stride, segmentation, segments, stock, steps } = self;
        let (stride, segmentation, stock) = (*stride, *segmentation, &*stock);
        let mut logs = steps.as_mut().map(|steps| steps.logs(ranges.len()).iter_mut());
        let part = |(owned, segments): (&Range<usize>, _)| -> Box<dyn Share + '_> {
            let log = logs.as_mut().and_then(Iterator::next);
            Box::new(ExactShare { stride, segmentation, first: owned.start, segments, stock, log })
        };
        ranges.iter().zip(cut(segments, 0, ranges)).map(part).collect()
    }

    fn spread(&mut self, segmentation: Segmentation) -> Result<Renumbering, MemoryError> {
        let (mut copy, indices) = self.copy(segmentation)?;
        let renumbering = Renumbering { segmentation, indices };
        copy.steps = self.steps.take();
        copy.steps.iter_mut().for_each(|steps| steps.renumber(&renumbering));
        *self = copy;
        Ok(renumbering)
    }

    fn note_steps(&mut self) {
        self.steps = Some(Steps::new(self.stock.budget.clone()));
    }

    fn spreads(&self) -> bool {
        true
    }

    fn finder(&self) -> Option<&dyn Find> {
        Some(self)
    }

    fn persist(&mut self) -> Option<&mut dyn Persist> {
        Some(self)
    }

    fn persist_part(&mut self) -> Option<&mut dyn PersistPart> {
        Some(self)
    }
}

impl<S: Stride> Find for Exact<S> {
    fn lengths(&self) -> Vec<u64> {
        self.segments.iter().map(|segment| u64::from(segment.length)).collect()
    }

    fn find(&self, states: &[u64], found: &mut Vec<Option<StateIndex>>) {
        let bits = self.segmentation.bits;
        let words = self.stride.words();
        for window in states.chunks(WINDOW * words) {
            let mut hashes = [0; WINDOW];
            for (state, hashed) in window.chunks_exact(words).zip(&mut hashes) {
                *hashed = hash(state);
                self.segments[self.segmentation.of_hash(*hashed)].ask(*hashed, bits);
            }
            found.extend(window.chunks_exact(words).zip(hashes).map(|(state, hash)| {
                let number = self.segmentation.of_hash(hash);
                match self.segments[number].probe(state, hash, bits, &self.stock.shape) {
                    Probe::Known(place) => Some(self.segmentation.index(number, place.into())),
                    Probe::Missing(_) => None,
                }
            }));
        }
    }

    fn steps(&self) -> Option<&Steps> {
        self.steps.as_ref().filter(|steps| !steps.is_lost())
    }
}

impl<S> Drop for Exact<S> {
    fn drop(&mut self) {
        self.stock.budget.give_back(self.segments.iter().map(Segment::own_bytes).sum());
    }
}

/// Lines that the table of a segment has in the beginning, also in a set that is resumed.
fn first_lines(segmentation: Segmentation, budget: &Budget) -> usize {
    let bytes = (SPREAD_LINES * LINE * size_of::<u32>()) as u64;
    match (segmentation.segments(), budget.limit() / SMALL_PART >= bytes) {
        (1, _) => FIRST_LINES,
        (segments, true) => (SPREAD_LINES / segments).max(1),
        (_, false) => 1,
    }
}

/// Some of the segments.
struct ExactShare<'a, S> {
    stride: S,
    segmentation: Segmentation,
    /// The number of the first segment of this part.
    first: usize,
    segments: &'a mut [Segment],
    stock: &'a Stock,
    /// Where the steps to states are noted, if they are.
    log: Option<&'a mut StepLog>,
}

/// States that a segment can have.
fn most(segmentation: Segmentation) -> u32 {
    segmentation.places().min(u64::from(segment::MOST)) as u32
}

/// A state's place in its segment. A number that no state can have gives a place that none has.
#[inline(always)]
fn place_of(segmentation: Segmentation, index: StateIndex) -> u32 {
    segmentation.place(index).min(u64::from(u32::MAX)) as u32
}

/// The words of the state at a position.
#[inline(always)]
fn state<'a>(batch: &Batch<'a>, position: u32, words: usize) -> &'a [u64] {
    &batch.states[position as usize * words..][..words]
}

impl<S: Stride> ExactShare<'_, S> {
    #[inline(always)]
    fn segment(&self, hash: u64) -> &Segment {
        &self.segments[self.segmentation.of_hash(hash) - self.first]
    }

    fn find(&self, state: &[u64], hash: u64) -> Option<StateIndex> {
        match self.segment(hash).probe(state, hash, self.segmentation.bits, &self.stock.shape) {
            Probe::Known(place) => {
                Some(self.segmentation.index(self.segmentation.of_hash(hash), place.into()))
            }
            Probe::Missing(_) => None,
        }
    }
}

/// Makes room for one more state in a segment, if that is allowed.
#[cold]
fn make_room<S: Stride>(
    segment: &mut Segment,
    origin: Origin,
    segmentation: Segmentation,
    number: usize,
    stride: S,
    stock: &Stock,
) -> Result<(), InsertError> {
    let most = most(segmentation);
    if segment.length >= most {
        return Err(InsertError::Numbers);
    }
    // Where permits are needed, none is ready that has none.
    if segment.length == segment.ready && !stock.permit() {
        return Err(InsertError::Room);
    }
    segment.make_room(origin, stride, segmentation.bits, number, stock)?;
    segment.ready = match stock.permits {
        // Each state needs a permit of its own.
        Some(_) => segment.length + 1,
        None => segment.ready.min(most),
    };
    Ok(())
}

impl<S: Stride> Share for ExactShare<'_, S> {
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, _: &mut Vec<u64>) {
        let words = self.stride.words();
        let first = hashes.len();
        hashes.resize(first + states.len() / words, 0);
        // Not by extending: what does that is not a part of this function, and does not know the
        // number of words.
        for (state, hashed) in states.chunks_exact(words).zip(&mut hashes[first..]) {
            *hashed = hash_of(words, |at| state[at]);
        }
    }

    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        self.insert_all(batch, positions, fresh)
    }

    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool {
        positions.iter().all(|&position| {
            let hash = batch.hashes[position as usize];
            let state = state(batch, position, self.stride.words());
            let probe = self.segment(hash).probe(state, hash, self.segmentation.bits, &self.stock.shape);
            matches!(probe, Probe::Known(_))
        })
    }

    fn trail(&mut self) -> Option<&mut dyn Trail> {
        Some(self)
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        let words = self.stride.words();
        into.reserve(indices.len() * words);
        for &index in indices {
            if let Some(segment) = self.segments.get(self.segmentation.of_index(index) - self.first) {
                segment.load(place_of(self.segmentation, index), self.stride, &self.stock.shape, into);
            }
        }
        Ok(())
    }

    fn prefetch(&self, indices: &[StateIndex]) {
        for &index in indices {
            if let Some(segment) = self.segments.get(self.segmentation.of_index(index) - self.first) {
                segment.prefetch(place_of(self.segmentation, index), &self.stock.shape);
            }
        }
    }
}

impl<S: Stride> Trail for ExactShare<'_, S> {
    fn known(&mut self, batch: &Batch<'_>, _: &[RuleId], known: &mut Vec<Option<StateIndex>>) {
        let bits = self.segmentation.bits;
        for &hash in batch.hashes {
            self.segment(hash).ask(hash, bits);
        }
        let states = batch.states.chunks_exact(self.stride.words());
        known.extend(states.zip(batch.hashes).map(|(state, &hash)| self.find(state, hash)));
    }

    fn enter(&mut self, batch: &Batch<'_>, _: RuleId) -> Result<Entered, InsertError> {
        let hash = batch.hashes.first().copied().unwrap_or(0);
        let (bits, shape) = (self.segmentation.bits, self.stock.shape);
        let state = state(batch, 0, self.stride.words());
        let number = self.segmentation.of_hash(hash);
        let segment = &mut self.segments[number - self.first];
        let mut entry = match segment.probe(state, hash, bits, &shape) {
            Probe::Known(place) => return Ok(Entered::Known(self.segmentation.index(number, place.into()))),
            Probe::Missing(entry) => entry,
        };
        let origin = batch.origins.first().copied().unwrap_or(Origin::START);
        if segment.length == segment.ready || !segment.takes(origin) {
            make_room(segment, origin, self.segmentation, number, self.stride, self.stock)?;
            // The table may be another one now.
            match segment.probe(state, hash, bits, &shape) {
                Probe::Known(place) => {
                    return Ok(Entered::Known(self.segmentation.index(number, place.into())));
                }
                Probe::Missing(found) => entry = found,
            }
        }
        let index = self.segmentation.index(number, segment.length.into());
        // SAFETY: there is room, and the entry was just found.
        unsafe { segment.push(entry, state, hash, origin, &shape) };
        Ok(Entered::Fresh(index))
    }

    fn ask(&self, hash: u64) {
        self.segment(hash).ask(hash, self.segmentation.bits);
    }
}

#[cfg(test)]
mod tests;
