//! The sorted tables of a segment: candidates are checked against all of them, new states make
//! another one, and several of about one size are merged.
//!
//! A table belongs to a *tier* by its length, each tier being four times as long as the one below.
//! When there are four tables of one tier or below at the end of the list, they become one. So
//! there are a few tables of each tier, and every entry is written once for each tier at most.
//! Candidates are compared with the newest table first, since that is where most old ones are.

use super::figures::Traffic;
use super::identity::Shape;
use super::pool::{Cursor, Pool, Query};
use super::reader::Reader;
use super::run::{SortedRun, Writer};
use super::stream::Stream;
use crate::memory::Budget;
use crate::storage::Directory;
use crate::visited::{InsertError, StateSink};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tables of one tier, at most, and by how many bits of their length tiers differ.
const TOGETHER: usize = 4;
const TIER: u32 = 2;

#[derive(Debug)]
pub struct Runs {
    pub(super) shape: Shape,
    /// The oldest first.
    pub(super) runs: Vec<SortedRun>,
    /// Bytes of memory to read and write with.
    room: usize,
    pub(super) merged: u64,
    pub(super) peak: u64,
    pub(super) budget: Arc<Budget>,
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
        self.runs.iter().map(SortedRun::bytes).sum()
    }

    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Strikes out the candidates that are in a table. They are sorted.
    pub fn strike(
        &self,
        pool: &mut Pool,
        traffic: &mut Traffic,
        sink: &mut dyn StateSink,
    ) -> Result<(), InsertError> {
        let chunk = self.room * 3 / 4 / self.runs.len().max(1);
        let mut readers = Vec::with_capacity(self.runs.len());
        for run in self.runs.iter().rev() {
            run.check_headers()?;
            readers.push(Reader::new(run, chunk, pool.len()));
        }
        let (mut cursor, mut some) = (Cursor::default(), Vec::new());
        while pool.gather(&mut cursor, &mut some) {
            for reader in &mut readers {
                reader.strike(&mut some, pool, traffic, sink)?;
                pool.note(&some);
                some.retain(Query::is_new);
            }
        }
        Ok(())
    }

    /// Makes a table of the candidates that were not struck out.
    pub fn add(
        &mut self,
        pool: &Pool,
        numbers: &AtomicU64,
        directory: &dyn Directory,
        traffic: &mut Traffic,
    ) -> Result<(), InsertError> {
        let number = numbers.fetch_add(1, Ordering::Relaxed) as u32;
        let mut writer = Writer::new(self.shape, number, self.room / 2, directory, self.budget.clone());
        let (mut cursor, mut some) = (Cursor::default(), Vec::new());
        while pool.gather(&mut cursor, &mut some) {
            for query in &some {
                writer.push(query.key, pool.rest(query.slot()), traffic)?;
            }
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
        sink: &mut dyn StateSink,
    ) -> Result<(), InsertError> {
        let tier = |run: &SortedRun| run.len().max(1).ilog2() / TIER;
        while let Some(last) = self.runs.last().map(tier) {
            let small = self.runs.iter().rev().take_while(|run| tier(run) <= last).count();
            if small < TOGETHER {
                break;
            }
            let number = numbers.fetch_add(1, Ordering::Relaxed) as u32;
            let some = self.runs.split_off(self.runs.len() - small);
            let before = self.bytes() + some.iter().map(SortedRun::bytes).sum::<u64>();
            let one = self.merge_into_one(some, number, directory, traffic, sink)?;
            self.merged += one.as_ref().map_or(0, SortedRun::len);
            self.peak = self.peak.max(before + one.as_ref().map_or(0, SortedRun::bytes));
            self.runs.extend(one);
        }
        Ok(())
    }

    fn merge_into_one(
        &self,
        runs: Vec<SortedRun>,
        number: u32,
        directory: &dyn Directory,
        traffic: &mut Traffic,
        sink: &mut dyn StateSink,
    ) -> Result<Option<SortedRun>, InsertError> {
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
                if stream.advance(traffic)? && !sink.goes_on() {
                    return Err(InsertError::Stopped);
                }
            }
        }
        writer.finish(traffic)
    }
}
