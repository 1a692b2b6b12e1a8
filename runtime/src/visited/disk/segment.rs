//! One segment of a set on disk.
//!
//! Candidates wait in one queue with the states that are known to be new. How many of them are to be passed by before the next
//! new one is kept in a queue of small numbers, so the states themselves need not be looked at before they are expanded.

use super::Common;
use super::candidates::Candidates;
use super::figures::OnDisk;
use super::identity::{Identity, recorded};
use super::members::Members;
use super::plain::Plain;
use super::plan::{Plan, REPLACE};
use super::runs::Runs;
use crate::frontier::sequence::Sequence;
use crate::memory::{Budget, Exhausted, prefetch};
use crate::spool::{Shortage, Supply};
use crate::storage::Failure;
use crate::trace::records::{Log, Record, Records};
use crate::visited::cache::kept::Kept;
use crate::visited::cache::sets::{Sets, Stored};
use crate::visited::waiting::{Queue, Waiting};
use crate::visited::{Batch, Clerk, Full, Settlement, StateIndex};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Bytes of a block of waiting states, if all of them stay in memory.
const BLOCK: usize = 256 << 10;
/// New states that are told of at a time.
const TOLD: usize = 1024;
/// A gap that says "so many, and no state behind them".
const LONG: u64 = u16::MAX as u64;

#[derive(Debug)]
pub struct Segment {
    memory: MemoryTable,
    pub(super) candidates: Candidates,
    pub(super) table: DiskTable,
    /// New states and candidates, by the order in which they were found.
    pub(super) waiting: Waiting,
    /// For each new state that waits, candidates that turned out to be old before it.
    pub(super) gaps: Sequence,
    /// Those behind the last new one.
    pub(super) passed: u64,
    /// The number in the queue that is next, and the place of the next state to be taken.
    pub(super) cursor: u64,
    pub(super) next: u32,
    pub(super) log: Log,
    pub(super) states: u64,
    pub(super) figures: OnDisk,
    /// Taken for chunks that are read and written.
    chunks: u64,
    budget: Arc<Budget>,
}

/// What is looked up before a state becomes a candidate.
#[derive(Debug)]
enum MemoryTable {
    /// All candidates, and nothing else.
    Members(Members),
    /// States that were found not long ago, as far as they fit.
    Known(Sets),
}

#[derive(Debug)]
pub(super) enum DiskTable {
    Plain(Plain),
    Sorted(Runs),
}

impl Segment {
    pub fn new<I: Identity>(
        identity: &I,
        words: usize,
        plan: Plan,
        plain: bool,
        supply: &Supply,
    ) -> Result<Self, Exhausted> {
        let budget = supply.budget();
        let shape = identity.shape();
        let most = plan.candidates as usize;
        let chunks = plan.chunk * super::plan::CHUNKS;
        let candidates = Candidates::new(shape, most, budget.clone())?;
        let memory = match plain {
            true => MemoryTable::Members(Members::new(most, plan.segmentation.bits, budget.clone())?),
            false => MemoryTable::Known(Sets::new(identity.kept(), REPLACE, plan.sets, budget.clone())?),
        };
        budget.take(chunks)?;
        Ok(Segment {
            memory,
            candidates,
            table: match plain {
                true => DiskTable::Plain(Plain::new(shape, chunks as usize)),
                false => DiskTable::Sorted(Runs::new(shape, chunks as usize, budget.clone())),
            },
            waiting: Waiting::Queue(Queue::new(words, BLOCK, &supply.part(7, 8))),
            gaps: Sequence::new(&supply.part(1, 8)),
            passed: 0,
            cursor: 0,
            next: 0,
            log: Log::default(),
            states: 0,
            figures: OnDisk::default(),
            chunks,
            budget: budget.clone(),
        })
    }

    /// States that are known to be new.
    pub fn len(&self) -> u64 {
        self.states
    }

    pub fn is_full(&self) -> bool {
        self.candidates.is_full()
    }

    pub fn record(&self, records: &Records, place: u32) -> Result<Option<Record>, Failure> {
        self.log.get(records, place)
    }

    /// Asks for the memory that a state will be looked for in.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        if let MemoryTable::Known(sets) = &self.memory {
            sets.prefetch(key);
        }
    }

    #[inline(always)]
    pub fn prefetch_entry<K: Kept>(&self, kept: &K, key: u64, looked_for: K::Key<'_>) {
        if let MemoryTable::Known(sets) = &self.memory {
            sets.prefetch_entry(kept, key, looked_for);
        }
    }

    /// Makes a state a candidate unless it is known to be one, or to be old. `rest` is the key without the bits that say which segment it is.
    #[inline(always)]
    pub fn insert<I: Identity>(
        &mut self,
        common: &Common<I>,
        batch: &Batch<'_>,
        position: u32,
        rest: u64,
    ) -> Result<(), Full> {
        let at = position as usize;
        let (key, words) = (batch.hashes[at], common.words);
        let state = &batch.states[at * words..][..words];
        self.waiting.make_room()?;
        let known = match &mut self.memory {
            MemoryTable::Known(sets) => {
                let kept = common.identity.kept();
                sets.insert(kept, rest, kept.key(batch, position)) == Stored::Known
            }
            MemoryTable::Members(members) => {
                !members.add(key, common.identity.shape().rest(state), &self.candidates)?
            }
        };
        if known {
            self.figures.hits += 1;
            return Ok(());
        }
        self.candidates.push(key, batch.origins[at], state)?;
        self.waiting.push(state);
        Ok(())
    }

    /// Appends the words of the state at a place, which is not before the last one that was taken.
    pub fn take(&mut self, place: u32, into: &mut Vec<u64>) -> Result<(), Shortage> {
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
        clerk: &mut dyn Clerk,
    ) -> Result<u64, Full> {
        let started = Instant::now();
        let settled = match self.candidates.len() {
            0 => Ok(0),
            _ => self.check(common, number, settlement, clerk),
        };
        if settlement.ends_level {
            self.figures.level_ends.push(self.states);
            self.waiting.trim();
            if let MemoryTable::Known(sets) = &mut self.memory {
                sets.end_level();
            }
        }
        self.figures.seconds += started.elapsed().as_secs_f64();
        settled
    }

    fn check<I: Identity>(
        &mut self,
        common: &Common<I>,
        number: usize,
        settlement: Settlement,
        clerk: &mut dyn Clerk,
    ) -> Result<u64, Full> {
        let Segment { memory, candidates, table, figures, .. } = self;
        figures.checks.push(self.states);
        figures.candidates += candidates.len() as u64;
        let traffic = &mut figures.traffic;
        match table {
            DiskTable::Plain(plain) => {
                if let MemoryTable::Members(members) = memory {
                    plain.strike(candidates, members, traffic, clerk)?;
                }
                if settlement.keeps {
                    plain.append(candidates, &*common.directory, traffic)?;
                }
            }
            DiskTable::Sorted(runs) => {
                candidates.sort();
                runs.strike(candidates, traffic, clerk)?;
                if settlement.keeps {
                    runs.add(candidates, &common.tables, &*common.directory, traffic)?;
                    runs.merge(&common.tables, &*common.directory, traffic, clerk)?;
                }
                candidates.restore();
            }
        }
        let found = match settlement.keeps {
            true => self.admit(common, number, clerk),
            false => {
                self.passed += self.candidates.len() as u64;
                Ok(self.candidates.entries().iter().filter(|candidate| candidate.is_new()).count() as u64)
            }
        };
        self.candidates.clear();
        if let MemoryTable::Members(members) = &mut self.memory {
            members.clear();
        }
        found
    }

    /// Numbers the candidates that are new, in the order in which they came, and tells of them.
    fn admit<I: Identity>(
        &mut self,
        common: &Common<I>,
        number: usize,
        clerk: &mut dyn Clerk,
    ) -> Result<u64, Full> {
        let segmentation = common.plan.segmentation;
        let before = self.states;
        let mut told: Vec<StateIndex> = Vec::with_capacity(TOLD);
        let mut refused = None;
        for candidate in self.candidates.entries() {
            if !candidate.is_new() {
                self.passed += 1;
                continue;
            }
            if self.states >= u64::from(segmentation.places()) {
                refused = Some(Full::Numbers);
                break;
            }
            if let Some(most) = common.wanted.most
                && common.permits.fetch_add(1, Ordering::Relaxed) >= most
            {
                refused = Some(Full::Room);
                break;
            }
            let record = Record { origin: candidate.origin, signature: recorded(candidate.key) };
            self.log.push(&common.records, record)?;
            while self.passed >= LONG {
                self.gaps.push(LONG as u16)?;
                self.passed -= LONG;
            }
            self.gaps.push(std::mem::take(&mut self.passed) as u16)?;
            told.push(segmentation.index(number, self.states as u32));
            self.states += 1;
            if told.len() == TOLD {
                clerk.found(&told)?;
                told.clear();
            }
        }
        clerk.found(&told)?;
        match refused {
            Some(full) => Err(full),
            None => Ok(self.states - before),
        }
    }

    pub fn figures(&self) -> OnDisk {
        let (tables, merged, table_bytes, peak_bytes) = match &self.table {
            DiskTable::Plain(plain) => (1, 0, plain.bytes(), plain.bytes()),
            DiskTable::Sorted(runs) => (runs.tables(), runs.merged(), runs.bytes(), runs.peak()),
        };
        OnDisk { states: self.states, tables, table_bytes, peak_bytes, merged, ..self.figures.clone() }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        self.budget.give_back(self.chunks);
    }
}
