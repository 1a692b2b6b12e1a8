//! The visited set on disk (`--disk`): memory for what is being decided, and files for what is
//! known.
//!
//! The algorithm is that of Stern and Dill, "Using magnetic disk instead of main memory in the
//! Murphi verifier" (1998). A state that is found is a *candidate*: it waits in the queue, and its
//! key is kept in memory. When a level ends, or there is no room for more candidates, they are
//! *settled*: all of them together are compared with what is on disk, in the order in which it lies
//! there. Those that are not there are new. They are written to disk, get their numbers, and are
//! expanded in the next level; the others are passed by when the queue comes to them. Whole states
//! are never read for that where signatures take their place.
//!
//! Two tables on disk do this: that of the paper, which has its entries in the order in which they
//! came ([`plain`]), and sorted ones, which are read in parts, compressed and merged ([`runs`]).
//! With the latter, the table in memory also has states that are known ([`pool`]), so that most
//! successors that are old need not be checked at all.
//!
//! Segments and shares are those of the other sets. Each segment has its own candidates, tables and
//! queue, so threads settle without asking each other.

mod block;
mod candidates;
pub(crate) mod figures;
pub(crate) mod identity;
mod keys;
mod members;
mod part;
mod plain;
pub(crate) mod plan;
pub(crate) mod plugin;
mod pool;
mod reader;
pub(crate) mod report;
mod run;
mod runs;
mod saved;
mod segment;
mod stream;
#[cfg(test)]
mod tests;

use super::numbers::cut;
use super::{Recalled, Segmentation, SetStats, Share, StateIndex, Visited};
use crate::checkpoint::Persist;
use crate::memory::MemoryError;
use crate::spool::Supply;
use crate::storage::{Directory, Storage, StorageError};
use crate::visited::records::Records;
use figures::DiskStats;
use identity::Identity;
use part::DiskShare;
use plan::Plan;
use segment::Segment;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What the user wants of a set on disk, apart from how much memory it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskWanted {
    /// The table of the paper.
    pub plain: bool,
    /// States that may be stored.
    pub most: Option<u64>,
    /// Bits by which states are distinguished in traces.
    pub compared: u32,
}

#[derive(Debug)]
pub struct DiskSet<I> {
    common: Common<I>,
    segments: Vec<Segment>,
}

/// What belongs to all.
#[derive(Debug)]
pub struct Common<I> {
    identity: I,
    words: usize,
    plan: Plan,
    wanted: DiskWanted,
    records: Records,
    directory: Arc<dyn Directory>,
    /// States for which a permit was taken, where there is a limit.
    permits: AtomicU64,
    /// Tables that were begun.
    tables: AtomicU64,
}

impl<I: Identity> DiskSet<I> {
    /// An empty set of states of `words` words.
    pub fn new(
        identity: I,
        words: usize,
        plan: Plan,
        wanted: DiskWanted,
        directory: Arc<dyn Directory>,
        storage: Arc<dyn Storage>,
        supply: &Supply,
    ) -> Result<Self, MemoryError> {
        let each = supply.part(1, plan.own.count.max(1) as u64);
        let segment = |_| Segment::new(&identity, words, plan, wanted.plain, &each);
        let segments = (0..plan.own.count).map(segment).collect::<Result<_, _>>()?;
        let records = Records::new(storage, plan.segmentation, wanted.compared, supply.budget().clone());
        let (permits, tables) = Default::default();
        let common = Common { identity, words, plan, wanted, records, directory, permits, tables };
        Ok(DiskSet { common, segments })
    }
}

impl<I: Identity> Visited for DiskSet<I> {
    fn len(&self) -> u64 {
        self.segments.iter().map(Segment::len).sum()
    }

    fn segmentation(&self) -> Segmentation {
        self.common.plan.segmentation
    }

    /// States are taken in the order of their numbers, each once.
    fn load(&self, _: StateIndex, _: &mut Vec<u64>) {}

    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        let own = self.common.plan.own;
        let Some(segment) = self.segments.get(own.of_index(index)) else { return Ok(None) };
        segment.record(&self.common.records, index)
    }

    fn signature(&self, state: &[u64]) -> Option<u64> {
        let mut keys = Vec::new();
        self.common.identity.hash(state, &mut keys);
        keys.first().map(|&key| self.common.records.signature(key))
    }

    fn shares(&mut self, owners: usize) -> Vec<Box<dyn Share + '_>> {
        self.shares_of(&self.common.plan.segmentation.ranges(owners))
    }

    fn shares_of(&mut self, ranges: &[Range<usize>]) -> Vec<Box<dyn Share + '_>> {
        let common = &self.common;
        let part = |(owned, segments): (&Range<usize>, _)| -> Box<dyn Share + '_> {
            Box::new(DiskShare { common, first: owned.start, segments })
        };
        ranges.iter().zip(cut(&mut self.segments, common.plan.own.first, ranges)).map(part).collect()
    }

    fn persist(&mut self) -> Option<&mut dyn Persist> {
        Some(self)
    }

    fn stats(&self) -> Option<Box<dyn SetStats>> {
        let Common { identity, plan, wanted, records, .. } = &self.common;
        let mut all = DiskStats {
            plain: wanted.plain,
            signatures: identity.signatures(),
            memory_bytes: plan.bytes,
            known_entries: plan.known(),
            candidate_entries: plan.candidates * plan.own.count as u64,
            record_bytes: records.len(),
            ..DiskStats::default()
        };
        self.segments.iter().for_each(|segment| all.join(&segment.figures()));
        Some(Box::new(all))
    }
}
