//! The tree-compressed visited set (`--tree`): exact, and as small as what states have in common
//! allows.
//!
//! A state is cut into leaves, leaves are paired, and each different pair gets a number; pairs of
//! numbers are paired again, up to one root. States that follow each other share nearly all of
//! their pairs, so that a state takes little more than its root (recursive indexing, as in LTSmin's
//! tree database). Equal states have equal roots and different states different ones: nothing is
//! lost, and nothing depends on chance.
//!
//! - [`shape`]: which bits are leaves, and what is paired with what; [`learning`] finds a good
//!   shape from a sample of states.
//! - [`pairs`]: the numbers of the pairs at one inner node, shared by all threads; [`places`]: the
//!   pairs by their numbers; [`chunks`]: the memory of both, which grows while threads read it.
//! - [`folding`]: from a state to its root and back.
//! - [`roots`]: the roots of one segment.
//! - [`outlook`]: what a tree would take for the states of another set.
//!
//! Inner nodes belong to all threads. Roots belong to segments, as the states of other sets do:
//! whoever made a state computes its root, which says to whom it belongs. Where several processes
//! have parts of the set, each has inner nodes of its own, so a root says nothing elsewhere: a hash
//! of the state names the owner, who computes the root. Beside its root a state
//! leaves a record in a file, from which traces are rebuilt, as in the compact set. What waits to
//! be expanded is a queue of roots.

mod chunks;
mod folding;
mod learning;
pub(crate) mod outlook;
mod pairs;
#[cfg(test)]
mod pairs_tests;
mod places;
pub(crate) mod plugin;
mod report;
mod roots;
mod saved;
mod shape;
mod slots;
mod variables;

use super::numbers::cut;
use super::plugin::Demand;
use super::stats::SetStats;
use super::waiting::{Queue, Stack, Waiting};
use super::{Batch, Fresh, InsertError, Origin, Own, Recalled, Segmentation, Share, StateIndex, Visited};
use crate::checkpoint::Persist;
use crate::hashing::words::hash;
use crate::memory::{Budget, MemoryError};
use crate::spool::Supply;
use crate::storage::{ResourceError, Storage, StorageError};
use crate::visited::records::{Log, Records};
use folding::{Folder, Root, find, unfold};
use learning::learn;
use pairs::{PairError, Pairs};
use roots::{Added, Roots};
use serde::{Deserialize, Serialize};
use shape::{Shape, pieces};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use variables::variables_of_words;

/// States that are looked up together.
const WINDOW: usize = 64;
/// Bytes of a chunk of waiting roots.
const CHUNK: usize = 16 << 10;

impl From<PairError> for InsertError {
    fn from(error: PairError) -> Self {
        match error {
            PairError::Memory => InsertError::Memory,
            PairError::Numbers => InsertError::Numbers,
        }
    }
}

/// What a tree is made of, for reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeStats {
    pub states: u64,
    pub leaves: u64,
    /// Inner nodes, without the root.
    pub nodes: u64,
    /// Pairs at all inner nodes.
    pub pairs: u64,
    pub pair_bytes: u64,
    pub root_bytes: u64,
    /// Bytes of the file from which traces are rebuilt.
    pub record_bytes: u64,
    /// The nodes with the most pairs, the largest first.
    pub largest: Vec<NodeStats>,
}

/// An inner node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStats {
    pub pairs: u64,
    pub bytes: u64,
    /// The variables below it, or parts of them.
    pub variables: Vec<String>,
}

/// Nodes that are listed in reports.
const LISTED: usize = 5;

#[derive(Debug)]
pub struct Tree {
    common: Common,
    segments: Vec<Segment>,
    /// For each thread that works on the set.
    folders: Vec<Folder>,
}

/// What belongs to all.
#[derive(Debug)]
struct Common {
    words: usize,
    shape: Shape,
    /// For each inner node but the root.
    pairs: Vec<Pairs>,
    segmentation: Segmentation,
    /// The segments of this process.
    own: Own,
    /// Other processes have parts of the set.
    is_divided: bool,
    records: Records,
    /// States that may still be inserted, if there is a limit.
    permits: Option<AtomicU64>,
    depth_first: bool,
    budget: Arc<Budget>,
    /// The variables in each word of a stored state.
    variables: Vec<Vec<&'static str>>,
}

impl Common {
    /// The variables below a node, each once, in the order of the state.
    fn below(&self, node: usize) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = Vec::new();
        for word in self.shape.words_below(node) {
            for &name in self.variables.get(word).map_or(&[][..], Vec::as_slice) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

#[derive(Debug)]
struct Segment {
    roots: Roots,
    waiting: Waiting,
    log: Log,
}

impl Tree {
    /// An empty set; the shape of the tree is learned from a sample of states.
    pub fn new(
        demand: &Demand<'_>,
        sample: &[u64],
        own: Own,
        storage: Arc<dyn Storage>,
        supply: &Supply,
    ) -> Result<Self, MemoryError> {
        let Demand { description, codec, most, by_levels, divided, .. } = *demand;
        let depth_first = !by_levels;
        let budget = supply.budget();
        let shape = learn(pieces(codec.stored_masks()), sample, codec.stored_words());
        let each = supply.part(1, own.count.max(1) as u64);
        let segment = |_| {
            Ok(Segment {
                roots: Roots::new(budget.clone())?,
                waiting: match depth_first {
                    true => Waiting::Stack(Stack::new(1, &each)),
                    false => Waiting::Queue(Queue::new(1, CHUNK, &each)),
                },
                log: Log::default(),
            })
        };
        Ok(Tree {
            folders: Vec::new(),
            segments: (0..own.count).map(segment).collect::<Result<_, MemoryError>>()?,
            common: Common {
                words: codec.stored_words(),
                pairs: shape.tables(budget),
                shape,
                segmentation: own.segmentation,
                own,
                is_divided: divided.is_some(),
                records: Records::new(storage, own.segmentation, demand.compared(), budget.clone()),
                permits: most.map(AtomicU64::new),
                depth_first,
                budget: budget.clone(),
                variables: variables_of_words(description, codec),
            },
        })
    }

    fn segment(&self, index: StateIndex) -> Option<(&Segment, u64)> {
        let own = self.common.own;
        Some((self.segments.get(own.of_index(index))?, own.segmentation.place(index)))
    }

    fn figures(&self) -> TreeStats {
        let Common { shape, pairs, records, .. } = &self.common;
        let mut largest: Vec<NodeStats> = pairs
            .iter()
            .enumerate()
            .map(|(node, pairs)| NodeStats {
                pairs: pairs.len(),
                bytes: pairs.bytes(),
                variables: self.common.below(node).into_iter().map(str::to_owned).collect(),
            })
            .collect();
        largest.sort_by_key(|node| std::cmp::Reverse(node.pairs));
        TreeStats {
            states: self.len(),
            leaves: shape.leaves.len() as u64,
            nodes: shape.inner() as u64,
            pairs: pairs.iter().map(Pairs::len).sum(),
            pair_bytes: pairs.iter().map(Pairs::bytes).sum(),
            root_bytes: self.segments.iter().map(|segment| segment.roots.bytes()).sum(),
            record_bytes: records.len(),
            largest: largest.into_iter().take(LISTED).collect(),
        }
    }
}

impl Visited for Tree {
    fn len(&self) -> u64 {
        self.segments.iter().map(|segment| segment.roots.len()).sum()
    }

    fn segmentation(&self) -> Segmentation {
        self.common.segmentation
    }

    fn load(&self, index: StateIndex, into: &mut Vec<u64>) {
        let Common { words, shape, pairs, .. } = &self.common;
        if let Some((segment, number)) = self.segment(index)
            && let Some(&[root]) = segment.waiting.get(number)
        {
            unfold(Root(root), shape, pairs, *words, into);
        }
    }

    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        let Some((segment, _)) = self.segment(index) else { return Ok(None) };
        segment.log.get(&self.common.records, index)
    }

    /// That of the root of a state; `None`: it was never inserted, because parts of it are not
    /// there. Roots are numbers of one process: where others have parts of the set, it is that of
    /// the state.
    fn signature(&self, state: &[u64]) -> Option<u64> {
        let Common { shape, pairs, is_divided, records, .. } = &self.common;
        if *is_divided {
            return Some(records.signature(hash(state)));
        }
        let root = find(state, shape, pairs);
        (root.0 != Root::NONE.0).then(|| records.signature(hash(&[root.0])))
    }

    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>> {
        self.shares_of(&self.common.segmentation.ranges(owners))
    }

    fn shares_of(&mut self, ranges: &[Range<usize>]) -> Vec<Box<dyn Share + '_>> {
        let common = &self.common;
        while self.folders.len() < ranges.len() {
            self.folders.push(Folder::new(&common.shape, common.words, &common.budget));
        }
        let segments = cut(&mut self.segments, common.own.first, ranges);
        let all = ranges.iter().zip(segments).zip(&mut self.folders);
        let part = |((owned, segments), folder): ((&Range<usize>, _), _)| -> Box<dyn Share + '_> {
            let folder = RefCell::new((folder, None));
            Box::new(Part { common, first: owned.start, segments, folder })
        };
        all.map(part).collect()
    }

    fn persist(&mut self) -> Option<&mut dyn Persist> {
        self.persistent()
    }

    fn stats(&self) -> Option<Box<dyn SetStats>> {
        Some(Box::new(self.figures()))
    }
}

/// Some of the segments.
struct Part<'a> {
    common: &'a Common,
    /// The number of the first segment of this part.
    first: usize,
    segments: &'a mut [Segment],
    /// Brings states to their roots; and why that failed once, which the next insertion reports.
    folder: RefCell<(&'a mut Folder, Option<PairError>)>,
}

impl Part<'_> {
    #[inline(always)]
    fn number_of(&self, hash: u64) -> usize {
        self.common.segmentation.of_hash(hash) - self.first
    }

    /// The hashes of states and their roots, which are their signatures.
    #[inline(always)]
    fn fold(
        &self,
        states: &[u64],
        origins: impl Iterator<Item = Option<Origin>>,
        hashes: &mut Vec<u64>,
        signatures: &mut Vec<u64>,
    ) {
        let Common { words, shape, pairs, is_divided, .. } = self.common;
        if *is_divided {
            // Roots are made by whoever owns the state, when it is inserted.
            hashes.extend(states.chunks_exact(*words).map(hash));
            return;
        }
        let (folder, failed) = &mut *self.folder.borrow_mut();
        for (state, from) in states.chunks_exact(*words).zip(origins) {
            let root = folder.fold(state, from, shape, pairs).unwrap_or_else(|error| {
                *failed = Some(error);
                Root::NONE
            });
            hashes.push(hash(&[root.0]));
            signatures.push(root.0);
        }
    }

    /// The root of a state of a batch. A state that came from another process has no root before it
    /// is here.
    #[inline(always)]
    fn root_of(&mut self, batch: &Batch<'_>, position: u32) -> Result<Root, InsertError> {
        let Common { words, shape, pairs, is_divided, .. } = self.common;
        let at = position as usize;
        if !is_divided {
            let signature = batch.signatures[at];
            return match signature == Root::NONE.0 {
                // Another thread had no memory for it, and ends the search.
                true => Err(InsertError::Memory),
                false => Ok(Root(signature)),
            };
        }
        let state = &batch.states[at * words..][..*words];
        Ok(self.folder.get_mut().0.fold(state, Some(batch.origins[at]), shape, pairs)?)
    }

    /// Adds a root, and what has to be known of a new one.
    #[inline(always)]
    fn insert_one(&mut self, batch: &Batch<'_>, position: u32) -> Result<Option<StateIndex>, InsertError> {
        let Common { segmentation, records, permits, .. } = self.common;
        let at = position as usize;
        let root = self.root_of(batch, position)?;
        let number = self.number_of(batch.hashes[at]);
        let segment = &mut self.segments[number];
        // What it needs if it is new comes first, so that an error leaves nothing half done.
        let next = segment.waiting.next();
        if next >= segmentation.places() {
            return Err(InsertError::Numbers);
        }
        segment.waiting.make_room()?;
        segment.log.make_room(records)?;
        if let Some(permits) = permits {
            if segment.roots.contains(root) {
                return Ok(None);
            }
            let less = |left: u64| left.checked_sub(1);
            let taken = permits.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
            taken.map_err(|_| InsertError::Room)?;
        }
        if segment.roots.add(root)? == Added::Known {
            return Ok(None);
        }
        segment.waiting.push(&[root.0]);
        segment.log.push(records, batch.origins[at], batch.hashes[at])?;
        Ok(Some(segmentation.index(self.first + number, next)))
    }
}

impl Share for Part<'_> {
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>) {
        self.fold(states, std::iter::repeat(None), hashes, signatures);
    }

    fn hash_successors(
        &self,
        states: &[u64],
        origins: &[Origin],
        hashes: &mut Vec<u64>,
        signatures: &mut Vec<u64>,
    ) {
        self.fold(states, origins.iter().copied().map(Some), hashes, signatures);
    }

    fn insert(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        if let Some(error) = self.folder.get_mut().1 {
            return Err(error.into());
        }
        for window in positions.chunks(WINDOW) {
            for &position in window {
                let at = position as usize;
                if let Some(&root) = batch.signatures.get(at) {
                    self.segments[self.number_of(batch.hashes[at])].roots.ask(Root(root));
                }
            }
            for &position in window {
                if let Some(index) = self.insert_one(batch, position)? {
                    fresh.push(Fresh { position, index });
                }
            }
        }
        Ok(())
    }

    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool {
        positions.iter().all(|&position| {
            let Common { words, shape, pairs, is_divided, .. } = self.common;
            let at = position as usize;
            let segment = &self.segments[self.number_of(batch.hashes[at])];
            let root = match is_divided {
                true => find(&batch.states[at * words..][..*words], shape, pairs),
                false => Root(batch.signatures[at]),
            };
            segment.roots.contains(root)
        })
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        let Common { shape, pairs, segmentation, .. } = self.common;
        let (folder, _) = self.folder.get_mut();
        for &index in indices {
            if let Some(segment) = self.segments.get_mut(segmentation.of_index(index) - self.first)
                && let Some(&[root]) = segment.waiting.take(segmentation.place(index))?
            {
                folder.unfold(Root(root), index.into(), shape, pairs, into);
            }
        }
        Ok(())
    }

    fn prefetch(&self, indices: &[StateIndex]) {
        let segmentation = self.common.segmentation;
        for &index in indices {
            if let Some(segment) = self.segments.get(segmentation.of_index(index) - self.first) {
                segment.waiting.prefetch(segmentation.place(index));
            }
        }
    }
}
