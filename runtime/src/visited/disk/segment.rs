//! One segment of a set on disk.
//!
//! Candidates wait in one queue with the states that are known to be new. How many of them are to
//! be passed by before the next new one is kept in a queue of small numbers, so the states
//! themselves need not be looked at before they are expanded.

use super::Common;
use super::candidates::Candidates;
use super::figures::DiskStats;
use super::identity::Identity;
use super::members::Members;
use super::plain::Plain;
use super::plan::Plan;
use super::pool::Pool;
use super::runs::Runs;
use crate::memory::{Budget, MemoryError, prefetch};
use crate::spool::Supply;
use crate::spool::fifo::Fifo;
use crate::spool::sequence::Sequence;
use crate::storage::ResourceError;
use crate::storage::StorageError;
use crate::visited::records::{Log, Records};
use crate::visited::waiting::{Queue, Waiting};
use crate::visited::{Batch, InsertError, Origin, Recalled, Settlement, StateIndex, StateSink};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Bytes of a block of waiting states, if all of them stay in memory.
const BLOCK: usize = 256 << 10;
/// Bytes of a block of the queue of states that are not checked yet, of which only a number is
/// kept.
const UNCHECKED: u64 = 4 << 10;
/// New states that are reported at a time.
const REPORTED: usize = 1024;
/// The largest gap, after which no state follows.
pub(super) const LONG: u64 = u16::MAX as u64;

#[derive(Debug)]
pub struct Segment {
    pub(super) table: DiskTable,
    /// New states and candidates, by the order in which they were found.
    pub(super) waiting: Waiting,
    /// For each new state that waits, candidates that turned out to be old before it.
    pub(super) gaps: Sequence,
    /// Those behind the last new one.
    pub(super) passed: u64,
    /// The number in the queue that is next, and the place of the next state to be taken.
    pub(super) cursor: u64,
    pub(super) next: u64,
    pub(super) log: Log,
    pub(super) states: u64,
    pub(super) figures: DiskStats,
    /// Taken for chunks that are read and written.
    chunks: u64,
    budget: Arc<Budget>,
}

/// What is known, and what is not checked yet.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each thread, and the larger one is the usual one"
)]
pub(super) enum DiskTable {
    /// The paper's. Its table in memory has all candidates, and nothing else.
    Plain {
        disk: Plain,
        candidates: Candidates,
        members: Members,
    },
    Sorted {
        runs: Runs,
        pool: Pool,
        unchecked: Unchecked,
    },
}

/// Candidates in the order in which they were found: for each a word, where in the pool it is and
/// how far its predecessor is from a *base*. Where that is too far, a word with another base comes
/// before it.
#[derive(Debug)]
pub(super) struct Unchecked {
    queue: Fifo,
    next: u64,
    /// The bases of the candidates at both ends.
    pushed: u64,
    popped: u64,
}

/// The mark of a word that is a base. Slots have 31 bits.
const BASE: u64 = 1 << 63;

impl Unchecked {
    fn new(supply: &Supply) -> Self {
        Unchecked { queue: Fifo::new(1, UNCHECKED, supply), next: 0, pushed: 0, popped: 0 }
    }

    /// Appends a candidate. There must be room for a word.
    #[inline(always)]
    fn push(&mut self, slot: u32, origin: Origin) -> Result<(), ResourceError> {
        let mut apart = origin.0.wrapping_sub(self.pushed);
        if apart as i64 != i64::from(apart as i32) {
            self.queue.push(&[BASE | origin.0]);
            (self.pushed, apart) = (origin.0, 0);
            self.queue.make_room()?;
        }
        self.queue.push(&[u64::from(slot) << 32 | u64::from(apart as u32)]);
        Ok(())
    }

    #[inline(always)]
    fn pop(&mut self) -> Result<Option<(u32, Origin)>, ResourceError> {
        while let Some(&[entry]) = self.queue.take(self.next)? {
            self.next += 1;
            if entry & BASE == 0 {
                let apart = i64::from(entry as u32 as i32);
                return Ok(Some(((entry >> 32) as u32, Origin(self.popped.wrapping_add_signed(apart)))));
            }
            self.popped = entry & !BASE;
        }
        Ok(None)
    }

    fn clear(&mut self) -> Result<(), ResourceError> {
        while self.pop()?.is_some() {}
        Ok(())
    }
}

/// What there is to know of a candidate that was settled.
struct Settled {
    key: u64,
    origin: Origin,
    new: bool,
}

impl Segment {
    pub fn new<I: Identity>(
        identity: &I,
        words: usize,
        plan: Plan,
        plain: bool,
        supply: &Supply,
    ) -> Result<Self, MemoryError> {
        let budget = supply.budget();
        let shape = identity.shape();
        let (common, chunks) = (plan.segmentation.bits, plan.chunk * super::plan::CHUNKS);
        let table = match plain {
            true => DiskTable::Plain {
                disk: Plain::new(shape, chunks as usize),
                candidates: Candidates::new(shape, plan.candidates as usize, budget.clone())?,
                members: Members::new(plan.candidates as usize, common, budget.clone())?,
            },
            false => DiskTable::Sorted {
                runs: Runs::new(shape, chunks as usize, budget.clone()),
                pool: Pool::new(shape, common, plan.lines, budget.clone())?,
                unchecked: Unchecked::new(&supply.part(1, 16)),
            },
        };
        budget.take(chunks)?;
        Ok(Segment {
            table,
            waiting: Waiting::Queue(Queue::new(words, BLOCK, &supply.part(13, 16))),
            gaps: Sequence::new(&supply.part(2, 16)),
            passed: 0,
            cursor: 0,
            next: 0,
            log: Log::default(),
            states: 0,
            figures: DiskStats::default(),
            chunks,
            budget: budget.clone(),
        })
    }

    /// States that are known to be new.
    pub fn len(&self) -> u64 {
        self.states
    }

    pub fn is_full(&self) -> bool {
        match &self.table {
            DiskTable::Plain { candidates, .. } => candidates.is_full(),
            DiskTable::Sorted { pool, .. } => pool.is_full(),
        }
    }

    /// States that are not settled.
    fn candidates(&self) -> usize {
        match &self.table {
            DiskTable::Plain { candidates, .. } => candidates.len(),
            DiskTable::Sorted { pool, .. } => pool.len(),
        }
    }

    pub fn record(&self, records: &Records, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        self.log.get(records, index)
    }

    /// Asks for the memory that a state will be looked for in.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        if let DiskTable::Sorted { pool, .. } = &self.table {
            pool.prefetch(key);
        }
    }

    #[inline(always)]
    pub fn prefetch_rest(&self, key: u64) {
        if let DiskTable::Sorted { pool, .. } = &self.table {
            pool.prefetch_rest(key);
        }
    }

    /// Makes a state a candidate unless it is known to be one, or to be old.
    #[inline(always)]
    pub fn insert<I: Identity>(
        &mut self,
        common: &Common<I>,
        batch: &Batch<'_>,
        position: u32,
    ) -> Result<(), InsertError> {
        let at = position as usize;
        let (key, words) = (batch.hashes[at], common.words);
        let (state, origin) = (&batch.states[at * words..][..words], batch.origins[at]);
        self.waiting.make_room()?;
        match &mut self.table {
            DiskTable::Sorted { pool, unchecked, .. } => {
                unchecked.queue.make_room()?;
                let Some(slot) = pool.insert(key, state)? else {
                    self.figures.hits += 1;
                    return Ok(());
                };
                unchecked.push(slot, origin)?;
            }
            DiskTable::Plain { candidates, members, .. } => {
                if !members.add(key, common.identity.shape().rest(state), candidates)? {
                    self.figures.hits += 1;
                    return Ok(());
                }
                candidates.push(key, origin, state)?;
            }
        }
        self.waiting.push(state);
        Ok(())
    }

    /// Appends the words of the state at a place, which is not before the last one that was taken.
    pub fn take(&mut self, place: u64, into: &mut Vec<u64>) -> Result<(), ResourceError> {
        while self.next <= place {
            let Some(gap) = self.gaps.pop()? else { return Ok(()) };
            self.cursor += u64::from(gap);
            if u64::from(gap) < LONG {
                self.cursor += 1;
                self.next += 1;
            }
        }
        into.extend_from_slice(self.waiting.take(self.cursor - 1)?.unwrap_or_default());
        Ok(())
    }

    /// The state that will be taken next is asked for.
    pub fn prefetch_waiting(&self) {
        if let Some(state) = self.waiting.get(self.cursor) {
            prefetch(state.as_ptr());
        }
    }

    /// Finds out which candidates are new; see [`crate::visited::Share::settle`].
    pub fn settle<I: Identity>(
        &mut self,
        common: &Common<I>,
        number: usize,
        settlement: Settlement,
        sink: &mut dyn StateSink,
    ) -> Result<u64, InsertError> {
        let started = Instant::now();
        let settled = match self.candidates() {
            0 => Ok(0),
            _ => self.check(common, number, settlement, sink),
        };
        if settlement.ends_level {
            self.figures.level_ends.push(self.states);
            self.waiting.trim();
        }
        self.figures.seconds += started.elapsed().as_secs_f64();
        settled
    }

    fn check<I: Identity>(
        &mut self,
        common: &Common<I>,
        number: usize,
        settlement: Settlement,
        sink: &mut dyn StateSink,
    ) -> Result<u64, InsertError> {
        self.figures.checks.push(self.states);
        self.figures.candidates += self.candidates() as u64;
        let directory = &*common.directory;
        let Segment { table, figures, .. } = self;
        let traffic = &mut figures.traffic;
        match table {
            DiskTable::Plain { disk, candidates, members } => {
                disk.strike(candidates, members, traffic, sink)?;
                if settlement.keeps {
                    disk.append(candidates, directory, traffic)?;
                }
            }
            DiskTable::Sorted { runs, pool, .. } => {
                pool.sort();
                runs.strike(pool, traffic, sink)?;
                if settlement.keeps {
                    runs.add(pool, &common.tables, directory, traffic)?;
                    runs.merge(&common.tables, directory, traffic, sink)?;
                }
                pool.restore();
            }
        }
        let found = if settlement.keeps { self.admit(common, number, sink)? } else { self.pass_by()? };
        match &mut self.table {
            DiskTable::Plain { candidates, members, .. } => {
                candidates.clear();
                members.clear();
            }
            DiskTable::Sorted { pool, .. } => pool.release(),
        }
        Ok(found)
    }

    /// Passes all candidates by, and says how many of them would be new.
    fn pass_by(&mut self) -> Result<u64, InsertError> {
        self.passed += self.candidates() as u64;
        Ok(match &mut self.table {
            DiskTable::Plain { candidates, .. } => {
                candidates.entries().iter().filter(|candidate| candidate.is_new()).count() as u64
            }
            DiskTable::Sorted { pool, unchecked, .. } => {
                unchecked.clear()?;
                pool.fresh()
            }
        })
    }

    /// Numbers the candidates that are new, in the order in which they came, and reports them.
    fn admit<I: Identity>(
        &mut self,
        common: &Common<I>,
        number: usize,
        sink: &mut dyn StateSink,
    ) -> Result<u64, InsertError> {
        let before = self.states;
        let mut told: Vec<StateIndex> = Vec::with_capacity(REPORTED);
        for at in 0.. {
            let settled = match &mut self.table {
                DiskTable::Plain { candidates, .. } => candidates.entries().get(at).map(|candidate| {
                    let origin = candidates.origin(candidate);
                    Settled { key: candidate.key, origin, new: candidate.is_new() }
                }),
                DiskTable::Sorted { pool, unchecked, .. } => unchecked.pop()?.map(|(slot, origin)| {
                    let (key, new) = pool.verdict(slot);
                    Settled { key, origin, new }
                }),
            };
            let Some(settled) = settled else { break };
            if !settled.new {
                self.passed += 1;
                continue;
            }
            if let Err(full) = self.write_down(common, &settled) {
                sink.found(&told)?;
                return Err(full);
            }
            told.push(common.plan.segmentation.index(number, self.states));
            self.states += 1;
            if told.len() == REPORTED {
                sink.found(&told)?;
                told.clear();
            }
        }
        sink.found(&told)?;
        Ok(self.states - before)
    }

    /// Notes where a new state comes from, and how many candidates are to be passed by before it.
    #[inline(always)]
    fn write_down<I: Identity>(&mut self, common: &Common<I>, settled: &Settled) -> Result<(), InsertError> {
        if self.states >= common.plan.segmentation.places() {
            return Err(InsertError::Numbers);
        }
        if let Some(most) = common.wanted.most
            && common.permits.fetch_add(1, Ordering::Relaxed) >= most
        {
            return Err(InsertError::Room);
        }
        self.log.make_room(&common.records)?;
        self.log.push(&common.records, settled.origin, settled.key)?;
        while self.passed >= LONG {
            self.gaps.push(LONG as u16)?;
            self.passed -= LONG;
        }
        Ok(self.gaps.push(std::mem::take(&mut self.passed) as u16)?)
    }

    pub fn figures(&self) -> DiskStats {
        let (tables, merged, table_bytes, peak_bytes) = match &self.table {
            DiskTable::Plain { disk, .. } => (1, 0, disk.bytes(), disk.bytes()),
            DiskTable::Sorted { runs, .. } => (runs.tables(), runs.merged(), runs.bytes(), runs.peak()),
        };
        DiskStats { states: self.states, tables, table_bytes, peak_bytes, merged, ..self.figures.clone() }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        self.budget.give_back(self.chunks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn candidates_come_back_with_their_predecessors_however_far_apart() {
        let mut unchecked = Unchecked::new(&Supply::memory(Arc::new(Budget::new(1 << 24))));
        let mut random = Random(7);
        let mut expected = std::collections::VecDeque::new();
        for round in 0..20_000u64 {
            let near = (1 << 32) - 10_000 + round;
            let origin = match random.below(20) {
                0 => Origin::START,
                1 => Origin(random.number() >> 16),
                2 => Origin(near ^ 1 << 31),
                _ => Origin(near),
            };
            let slot = random.number() as u32 >> 1;
            unchecked.queue.make_room().unwrap();
            unchecked.push(slot, origin).unwrap();
            expected.push_back((slot, origin));
            if random.below(3) == 0 {
                assert_eq!(unchecked.pop().unwrap(), expected.pop_front());
            }
        }
        while let Some(candidate) = expected.pop_front() {
            assert_eq!(unchecked.pop().unwrap(), Some(candidate));
        }
        assert_eq!(unchecked.pop().unwrap(), None);
    }
}
