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
//! - [`pairs`]: the numbers of the pairs at one inner node, shared by all threads.
//! - [`folding`]: from a state to its root and back.
//! - [`roots`]: the roots of one segment.
//!
//! Inner nodes belong to all threads. Roots belong to segments, as the states of other sets do:
//! whoever made a state computes its root, which says to whom it belongs. Beside its root a state
//! leaves a record in a file, from which traces are rebuilt, as in the compact set. What waits to
//! be expanded is a queue of roots.

mod folding;
mod learning;
mod pairs;
pub(crate) mod plugin;
mod report;
mod roots;
mod saved;
mod shape;
mod variables;

use super::plugin::Demand;
use super::stats::SetStats;
use super::waiting::{Queue, Stack, Waiting};
use super::{Batch, Fresh, InsertError, Recalled, Renumbering, Segmentation, Share, StateIndex, Visited};
use crate::checkpoint::Persist;
use crate::hashing::words::hash;
use crate::memory::MemoryError;
use crate::spool::Supply;
use crate::storage::{ResourceError, Storage, StorageError};
use crate::visited::records::{Log, Record, Records};
use folding::{Folder, Root, unfold};
use learning::learn;
use pairs::{PairError, Pairs};
use roots::{Added, Roots};
use shape::{Shape, leaves};
use std::cell::RefCell;
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeStats {
    pub pairs: u64,
    pub bytes: u64,
    /// The variables below it, or parts of them.
    pub variables: Vec<&'static str>,
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
    records: Records,
    /// States that may still be inserted, if there is a limit.
    permits: Option<AtomicU64>,
    depth_first: bool,
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
        segmentation: Segmentation,
        storage: Arc<dyn Storage>,
        supply: &Supply,
    ) -> Result<Self, MemoryError> {
        let Demand { description, codec, most, by_levels, .. } = *demand;
        let depth_first = !by_levels;
        let budget = supply.budget();
        let shape = learn(leaves(codec.stored_masks()), sample, codec.stored_words());
        let each = supply.part(1, segmentation.segments() as u64);
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
            segments: (0..segmentation.segments()).map(segment).collect::<Result<_, MemoryError>>()?,
            common: Common {
                words: codec.stored_words(),
                pairs: (0..shape.inner()).map(|_| Pairs::new(budget.clone())).collect(),
                shape,
                segmentation,
                records: Records::new(storage, u64::BITS),
                permits: most.map(AtomicU64::new),
                depth_first,
                variables: variables_of_words(description, codec),
            },
        })
    }

    fn segment(&self, index: StateIndex) -> Option<(&Segment, u64)> {
        let segmentation = self.common.segmentation;
        Some((self.segments.get(segmentation.of_index(index))?, segmentation.place(index)))
    }

    fn figures(&self) -> TreeStats {
        let Common { shape, pairs, records, .. } = &self.common;
        let mut largest: Vec<NodeStats> = pairs
            .iter()
            .enumerate()
            .map(|(node, pairs)| NodeStats {
                pairs: pairs.len(),
                bytes: pairs.bytes(),
                variables: self.common.below(node),
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
        let Some((segment, number)) = self.segment(index) else { return Ok(None) };
        let record = segment.log.get(&self.common.records, number)?;
        Ok(record.map(|Record { origin, signature }| Recalled { origin, signature: Some(signature) }))
    }

    /// The root of a state; of one that was never inserted, that of no state.
    fn signature(&self, state: &[u64]) -> Option<u64> {
        let Common { words, shape, pairs, .. } = &self.common;
        Some(Folder::new(shape, *words).find(state, shape, pairs).0)
    }

    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>> {
        let mut shares: Vec<Box<dyn Share + '_>> = Vec::with_capacity(owners);
        let mut rest: &mut [Segment] = &mut self.segments;
        let common = &self.common;
        while self.folders.len() < owners {
            self.folders.push(Folder::new(&common.shape, common.words));
        }
        for (owner, folder) in self.folders.iter_mut().enumerate().take(owners) {
            let owned = common.segmentation.owned(owner, owners);
            let (segments, others) = rest.split_at_mut(owned.len().min(rest.len()));
            rest = others;
            let folder = RefCell::new((folder, None));
            shares.push(Box::new(Part { common, first: owned.start, segments, folder }));
        }
        shares
    }

    fn spread(&mut self, _: Segmentation) -> Result<Renumbering, MemoryError> {
        // It has as many segments as it will ever have: records cannot be renumbered.
        Err(MemoryError)
    }

    fn spreads(&self) -> bool {
        false
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

    /// Adds a root, and what has to be known of a new one.
    #[inline(always)]
    fn insert_one(&mut self, batch: &Batch<'_>, position: u32) -> Result<Option<StateIndex>, InsertError> {
        let Common { segmentation, records, permits, .. } = self.common;
        let at = position as usize;
        let root = Root(batch.signatures[at]);
        let number = self.number_of(batch.hashes[at]);
        let segment = &mut self.segments[number];
        // What it needs if it is new comes first, so that an error leaves nothing half done.
        let next = segment.waiting.next();
        if next >= segmentation.places() {
            return Err(InsertError::Numbers);
        }
        segment.waiting.make_room()?;
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
        let record = Record { origin: batch.origins[at], signature: root.0 };
        segment.log.push(records, record).map_err(InsertError::Disk)?;
        Ok(Some(segmentation.index(self.first + number, next)))
    }
}

impl Share for Part<'_> {
    /// The signature of a state is its root.
    fn hash(&self, states: &[u64], hashes: &mut Vec<u64>, signatures: &mut Vec<u64>) {
        let Common { words, shape, pairs, .. } = self.common;
        let (folder, failed) = &mut *self.folder.borrow_mut();
        for state in states.chunks_exact(*words) {
            let root = folder.fold(state, shape, pairs).unwrap_or_else(|error| {
                *failed = Some(error);
                Root::NONE
            });
            hashes.push(hash(&[root.0]));
            signatures.push(root.0);
        }
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
                self.segments[self.number_of(batch.hashes[at])].roots.ask(Root(batch.signatures[at]));
            }
            for &position in window {
                if batch.signatures[position as usize] == Root::NONE.0 {
                    // Another thread had no memory for it, and ends the search.
                    return Err(InsertError::Memory);
                }
                if let Some(index) = self.insert_one(batch, position)? {
                    fresh.push(Fresh { position, index });
                }
            }
        }
        Ok(())
    }

    fn knows(&self, batch: &Batch<'_>, positions: &[u32]) -> bool {
        positions.iter().all(|&position| {
            let at = position as usize;
            let segment = &self.segments[self.number_of(batch.hashes[at])];
            segment.roots.contains(Root(batch.signatures[at]))
        })
    }

    fn load(&mut self, indices: &[StateIndex], into: &mut Vec<u64>) -> Result<(), ResourceError> {
        let Common { words, shape, pairs, segmentation, .. } = self.common;
        for &index in indices {
            if let Some(segment) = self.segments.get_mut(segmentation.of_index(index) - self.first)
                && let Some(&[root]) = segment.waiting.take(segmentation.place(index))?
            {
                unfold(Root(root), shape, pairs, *words, into);
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
