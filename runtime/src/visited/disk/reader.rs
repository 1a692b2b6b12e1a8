//! Comparing candidates with one sorted table.
//!
//! Both are in the order of keys, so the table is gone through once, from its beginning to its end;
//! blocks without a candidate are not read. Rests are read only where keys are the same.

use super::block::LABEL;
use super::figures::Traffic;
use super::keys::{KEYS, Keys, Position};
use super::pool::{Pool, Query};
use super::run::SortedRun;
use crate::storage::StorageError;
use crate::visited::{InsertError, StateSink};
use std::ops::Range;

/// Candidates whose rests are compared together.
const MATCHES: usize = 1024;
/// Candidates for a block from which on they are merged with its keys; with fewer, each candidate
/// is searched for.
const MANY: usize = 32;
/// Blocks that are read although nobody asks for them, if those on both sides are.
const BETWEEN: u64 = 4;

/// A candidate with the key of an entry.
#[derive(Clone, Copy, Debug)]
struct Match {
    candidate: u32,
    entry: u64,
}

/// What it takes to compare candidates with a table.
pub struct Reader<'r> {
    run: &'r SortedRun,
    chunk: usize,
    rest_bytes: usize,
    /// Whether candidates are dense, so that one block after the other will be read.
    dense: bool,
    keys: Keys,
    /// The block whose keys these are.
    loaded: Option<usize>,
    decoded: Vec<u64>,
    bytes: Vec<u8>,
    start: u64,
    /// Where in these bytes the code of the keys at work is.
    data: Range<usize>,
    matches: Vec<Match>,
    rests: Vec<u8>,
}

impl<'r> Reader<'r> {
    /// A reader for `candidates` candidates, which reads `chunk` bytes at a time.
    pub fn new(run: &'r SortedRun, chunk: usize, candidates: usize) -> Self {
        Reader {
            run,
            chunk,
            rest_bytes: run.shape.rest_bytes,
            dense: candidates >= run.blocks() / 2,
            keys: Keys::empty(),
            loaded: None,
            decoded: Vec::with_capacity(KEYS),
            data: 0..0,
            bytes: Vec::new(),
            start: 0,
            matches: Vec::new(),
            rests: Vec::new(),
        }
    }

    /// Strikes out the candidates that are in the table: some of them, behind those of the last
    /// time.
    pub fn strike(
        &mut self,
        candidates: &mut [Query],
        pool: &Pool,
        traffic: &mut Traffic,
        sink: &mut dyn StateSink,
    ) -> Result<(), InsertError> {
        let Some(first) = candidates.first() else { return Ok(()) };
        let (mut at, mut block) = (0, self.run.block_of(first.key));
        while let Some(first) = self.run.first(block) {
            while candidates.get(at).is_some_and(|candidate| candidate.key < first || !candidate.is_new()) {
                at += 1;
            }
            let Some(candidate) = candidates.get(at) else { break };
            let next = self.run.first(block + 1);
            if next.is_some_and(|next| candidate.key > next) {
                block = self.run.block_of(candidate.key).max(block + 1);
                continue;
            }
            if self.load(block, traffic)? && !sink.goes_on() {
                return Err(InsertError::Stopped);
            }
            self.join(candidates, at, block, next);
            if self.rest_bytes > 0 && self.matches.len() >= MATCHES {
                self.compare(candidates, pool, traffic)?;
            }
            block += 1;
        }
        self.compare(candidates, pool, traffic)?;
        Ok(())
    }

    /// Takes in the keys of a block. True: they had to be read.
    fn load(&mut self, block: usize, traffic: &mut Traffic) -> Result<bool, StorageError> {
        if self.loaded == Some(block) {
            return Ok(false);
        }
        let (from, to) = (self.run.offset(block), self.run.offset(block + 1));
        let read = from < self.start || to > self.start + self.bytes.len() as u64;
        if read {
            self.loaded = None;
            let mut last = block + 1;
            while self.dense
                && last < self.run.blocks()
                && self.run.offset(last + 1) - from <= self.chunk as u64
            {
                last += 1;
            }
            self.bytes.resize((self.run.offset(last) - from) as usize, 0);
            self.start = from;
            self.run.keys.read(from, &mut self.bytes)?;
            traffic.read += self.bytes.len() as u64;
        }
        let within = (from - self.start) as usize..(to - self.start) as usize;
        let data = self.run.decode(block, &self.bytes[within.clone()], &mut self.keys)?;
        self.data = within.start + LABEL..within.start + LABEL + data.len();
        self.loaded = Some(block);
        Ok(read)
    }

    /// Finds the candidates from `at` on whose keys are in the block at work. The next block begins
    /// with the key `next`.
    fn join(&mut self, candidates: &mut [Query], at: usize, block: usize, next: Option<u64>) {
        let data = &self.bytes[self.data.clone()];
        let beyond = |candidate: &Query| next.is_some_and(|next| candidate.key > next);
        let many = candidates.get(at + MANY).is_some_and(|candidate| !beyond(candidate));
        let mut position = Position::default();
        let mut passed = 0;
        if many {
            self.keys.decode(data, &mut self.decoded);
        }
        for (number, candidate) in candidates[at..].iter_mut().enumerate() {
            if beyond(candidate) {
                break;
            }
            if !candidate.is_new() {
                continue;
            }
            let (from, same) = if many {
                merge(&self.decoded, candidate.key, &mut passed)
            } else {
                self.keys.find(data, candidate.key, &mut position)
            };
            if same == 0 {
                continue;
            }
            if self.rest_bytes == 0 {
                candidate.strike();
                continue;
            }
            for entry in from..from + same {
                let entry = (block * KEYS + entry) as u64;
                self.matches.push(Match { candidate: (at + number) as u32, entry });
            }
        }
    }

    /// Strikes out those of the candidates with a key of the table that also have its rest.
    fn compare(
        &mut self,
        candidates: &mut [Query],
        pool: &Pool,
        traffic: &mut Traffic,
    ) -> Result<(), StorageError> {
        let mut matches = std::mem::take(&mut self.matches);
        if !matches.is_sorted_by_key(|found| found.entry) {
            // Several candidates have one key, and each goes through the entries that have it.
            matches.sort_unstable_by_key(|found| found.entry);
        }
        let Some(file) = &self.run.rests else { return Ok(()) };
        let each = self.run.rests_in_block() as u64;
        let most = (self.chunk as u64 / (self.run.rest_block(1) - self.run.rest_block(0))).max(1);
        let mut at = 0;
        while let Some(first) = matches.get(at) {
            // Blocks that lie close together are read together.
            let from = first.entry / each;
            let mut to = from;
            let mut end = at;
            while let Some(found) = matches.get(end) {
                let block = found.entry / each;
                if block > to + BETWEEN || block >= from + most {
                    break;
                }
                to = block;
                end += 1;
            }
            let start = self.run.rest_block(from);
            let length = self.run.rest_block(to + 1).min(self.run.rests_end()) - start;
            self.rests.resize(length as usize, 0);
            file.read(start, &mut self.rests)?;
            traffic.read += length;
            let mut checked = None;
            for found in &matches[at..end] {
                let block = found.entry / each;
                let begin = (self.run.rest_block(block) - start) as usize;
                if checked != Some(block) {
                    self.run.decode_rests(block, &self.rests[begin..])?;
                    checked = Some(block);
                }
                let offset = begin + LABEL + (found.entry % each) as usize * self.rest_bytes;
                let candidate = &mut candidates[found.candidate as usize];
                if self.rests[offset..][..self.rest_bytes] == *pool.rest(candidate.slot()) {
                    candidate.strike();
                }
            }
            at = end;
        }
        self.matches = matches;
        self.matches.clear();
        Ok(())
    }
}

/// The keys from `passed` on that equal `key`: the place of the first, and their number. Smaller
/// ones are passed.
#[inline(always)]
fn merge(keys: &[u64], key: u64, passed: &mut usize) -> (usize, usize) {
    while keys.get(*passed).is_some_and(|&other| other < key) {
        *passed += 1;
    }
    (*passed, keys[*passed..].iter().take_while(|&&other| other == key).count())
}
