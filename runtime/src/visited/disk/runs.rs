//! The sorted tables of a segment: candidates are checked against all of them, new states make another one, and several of about one size
//! are merged.
//!
//! A table belongs to a *tier* by its length, each tier being four times as long as the one below. When there are four tables of one tier
//! or below at the end of the list, they become one. So there are a few tables of each tier, and every entry is written once for each tier at
//! most. Candidates are compared with the newest table first, since that is where most old ones are.

use super::block::{LABEL, same_words};
use super::candidates::{Candidate, Candidates};
use super::figures::Traffic;
use super::identity::Shape;
use super::keys::{KEYS, Keys, Position};
use super::run::{Run, Writer};
use super::stream::Stream;
use crate::memory::Budget;
use crate::storage::{Directory, Failure};
use crate::visited::{Clerk, Full};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tables of one tier, at most, and by how many bits of their length tiers differ.
const TOGETHER: usize = 4;
const TIER: u32 = 2;
/// Candidates whose rests are compared together.
const MATCHES: usize = 1024;
/// With so many candidates for a block, its keys are gone through beside them; with fewer, each candidate is looked for.
const MANY: usize = 32;
/// Blocks that are read although nobody asks for them, if those on both sides are.
const BETWEEN: u64 = 4;

#[derive(Debug)]
pub struct Runs {
    pub(super) shape: Shape,
    /// The oldest first.
    pub(super) runs: Vec<Run>,
    /// Bytes of memory to read and write with.
    room: usize,
    pub(super) merged: u64,
    pub(super) peak: u64,
    pub(super) budget: Arc<Budget>,
}

/// A candidate with the key of an entry.
#[derive(Clone, Copy, Debug)]
struct Match {
    candidate: u32,
    entry: u64,
}

/// What it takes to compare candidates with a table.
struct Reader<'r> {
    run: &'r Run,
    chunk: usize,
    rest_bytes: usize,
    keys: Keys,
    decoded: Vec<u64>,
    bytes: Vec<u8>,
    start: u64,
    /// Where in these bytes the code of the keys at work is.
    data: Range<usize>,
    matches: Vec<Match>,
    rests: Vec<u8>,
}

impl Runs {
    pub fn new(shape: Shape, room: usize, budget: Arc<Budget>) -> Self {
        Runs { shape, runs: Vec::new(), room, merged: 0, peak: 0, budget }
    }

    pub fn tables(&self) -> u64 {
        self.runs.len() as u64
    }

    /// Entries that were written again.
    pub fn merged(&self) -> u64 {
        self.merged
    }

    /// Bytes of the files.
    pub fn bytes(&self) -> u64 {
        self.runs.iter().map(Run::bytes).sum()
    }

    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Strikes out the candidates that are in a table. They are sorted.
    pub fn strike(
        &self,
        candidates: &mut Candidates,
        traffic: &mut Traffic,
        clerk: &mut dyn Clerk,
    ) -> Result<(), Full> {
        let (entries, rests) = candidates.parts();
        for run in self.runs.iter().rev() {
            run.check_headers()?;
            let mut reader = Reader {
                run,
                chunk: self.room / 2,
                rest_bytes: self.shape.rest_bytes,
                keys: Keys::empty(),
                decoded: Vec::with_capacity(KEYS),
                data: 0..0,
                bytes: Vec::new(),
                start: 0,
                matches: Vec::new(),
                rests: Vec::new(),
            };
            let rest = |candidate: &Candidate| {
                &rests[candidate.number() * self.shape.rest_words..][..self.shape.rest_words]
            };
            reader.strike(entries, &rest, traffic, clerk)?;
        }
        Ok(())
    }

    /// Makes a table of the candidates that were not struck out, which are sorted.
    pub fn add(
        &mut self,
        candidates: &Candidates,
        numbers: &AtomicU64,
        directory: &dyn Directory,
        traffic: &mut Traffic,
    ) -> Result<(), Full> {
        let number = numbers.fetch_add(1, Ordering::Relaxed) as u32;
        let mut writer = Writer::new(self.shape, number, self.room / 2, directory, self.budget.clone());
        for candidate in candidates.entries().iter().filter(|candidate| candidate.is_new()) {
            writer.push_words(candidate.key, candidates.rest(candidate.number()), traffic)?;
        }
        self.runs.extend(writer.finish(traffic)?);
        self.peak = self.peak.max(self.bytes());
        Ok(())
    }

    /// Merges tables, as long as there are too many of one tier.
    pub fn merge(
        &mut self,
        numbers: &AtomicU64,
        directory: &dyn Directory,
        traffic: &mut Traffic,
        clerk: &mut dyn Clerk,
    ) -> Result<(), Full> {
        let tier = |run: &Run| run.len().max(1).ilog2() / TIER;
        while let Some(last) = self.runs.last().map(tier) {
            let small = self.runs.iter().rev().take_while(|run| tier(run) <= last).count();
            if small < TOGETHER {
                break;
            }
            let number = numbers.fetch_add(1, Ordering::Relaxed) as u32;
            let some = self.runs.split_off(self.runs.len() - small);
            let before = self.bytes() + some.iter().map(Run::bytes).sum::<u64>();
            let one = self.merge_into_one(some, number, directory, traffic, clerk)?;
            self.merged += one.as_ref().map_or(0, Run::len);
            self.peak = self.peak.max(before + one.as_ref().map_or(0, Run::bytes));
            self.runs.extend(one);
        }
        Ok(())
    }

    fn merge_into_one(
        &self,
        runs: Vec<Run>,
        number: u32,
        directory: &dyn Directory,
        traffic: &mut Traffic,
        clerk: &mut dyn Clerk,
    ) -> Result<Option<Run>, Full> {
        let files = if self.shape.rest_bytes > 0 { 2 } else { 1 };
        let chunk = self.room / (files * (runs.len() + 1));
        let mut writer = Writer::new(self.shape, number, chunk, directory, self.budget.clone());
        let mut streams = Vec::with_capacity(runs.len());
        for run in runs {
            streams.push(Stream::new(run, self.shape.rest_bytes, chunk, traffic)?);
        }
        loop {
            // The stream with the smallest key goes on up to the smallest key of the others.
            let (mut least, mut other) = (None, u64::MAX);
            for (at, stream) in streams.iter().enumerate() {
                let Some(key) = stream.key() else { continue };
                match least {
                    Some((_, smallest)) if key >= smallest => other = other.min(key),
                    _ => {
                        other = least.map_or(other, |(_, smallest)| smallest);
                        least = Some((at, key));
                    }
                }
            }
            let Some((at, _)) = least else { break };
            let stream = &mut streams[at];
            while let Some(key) = stream.key().filter(|&key| key <= other) {
                writer.push(key, stream.rest(), traffic)?;
                if stream.advance(traffic)? && !clerk.goes_on() {
                    return Err(Full::Stopped);
                }
            }
        }
        writer.finish(traffic)
    }
}

impl Reader<'_> {
    fn strike<'c>(
        &mut self,
        candidates: &mut [Candidate],
        rest: &impl Fn(&Candidate) -> &'c [u64],
        traffic: &mut Traffic,
        clerk: &mut dyn Clerk,
    ) -> Result<(), Full> {
        let dense = candidates.len() >= self.run.blocks() / 2;
        let (mut at, mut block) = (0, 0);
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
            if self.load(block, dense, traffic)? && !clerk.goes_on() {
                return Err(Full::Stopped);
            }
            self.join(candidates, at, block, next);
            if self.rest_bytes > 0 && self.matches.len() >= MATCHES {
                self.compare(candidates, rest, traffic)?;
            }
            block += 1;
        }
        self.compare(candidates, rest, traffic)?;
        Ok(())
    }

    /// Takes in the keys of a block. True: they had to be read.
    fn load(&mut self, block: usize, dense: bool, traffic: &mut Traffic) -> Result<bool, Failure> {
        let (from, to) = (self.run.offset(block), self.run.offset(block + 1));
        let read = from < self.start || to > self.start + self.bytes.len() as u64;
        if read {
            let mut last = block + 1;
            while dense && last < self.run.blocks() && self.run.offset(last + 1) - from <= self.chunk as u64 {
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
        Ok(read)
    }

    /// Finds the candidates from `at` on whose keys are in the block at work. The next block begins with the key `next`.
    fn join(&mut self, candidates: &mut [Candidate], at: usize, block: usize, next: Option<u64>) {
        let data = &self.bytes[self.data.clone()];
        let beyond = |candidate: &Candidate| next.is_some_and(|next| candidate.key > next);
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
            let (from, same) = match many {
                true => merge(&self.decoded, candidate.key, &mut passed),
                false => self.keys.find(data, candidate.key, &mut position),
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
    fn compare<'c>(
        &mut self,
        candidates: &mut [Candidate],
        rest: &impl Fn(&Candidate) -> &'c [u64],
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
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
                if same_words(&self.rests[offset..][..self.rest_bytes], rest(candidate)) {
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

/// Which of the keys from `passed` on are this one: from the first on, so many. All that are smaller are passed.
#[inline(always)]
fn merge(keys: &[u64], key: u64, passed: &mut usize) -> (usize, usize) {
    while keys.get(*passed).is_some_and(|&other| other < key) {
        *passed += 1;
    }
    (*passed, keys[*passed..].iter().take_while(|&&other| other == key).count())
}
