//! The set on disk in a checkpoint. The manifest has the number of segments. In the file `visited`
//! follow each other:
//!
//! - whether the table is that of the paper, the bits of a key, the words and the bytes of a rest,
//!   and the tables begun;
//! - for each segment: its numbers and figures; the table of the paper, or which sorted tables
//!   there are; the gaps between new states in the queue, the states that wait, and the records.
//!
//! A sorted table never changes, so each has a file of its own, `table` with the table's number,
//! which is written once and belongs to all checkpoints from then on until the table is merged with
//! others: its number, its entries, the blocks of keys and the blocks of rests as they are in its
//! files, labels included.
//!
//! Between two levels there are no candidates. What was known in memory is not saved: it only saves
//! the trouble of looking on disk.

use super::block::{Content, HEADER, LABEL, Label};
use super::figures::{DiskStats, Traffic};
use super::identity::{Identity, Shape};
use super::keys::{KEYS, Keys, MOST_BYTES};
use super::plain::Plain;
use super::run::{Entry, SortedRun, open};
use super::runs::Runs;
use super::segment::{DiskTable, LONG, Segment};
use super::{Common, DiskSet};
use crate::checkpoint::stream::MOST_COUNTED;
use crate::checkpoint::{Persist, Reader, Saved, Transaction, Writer};
use crate::memory::Budget;
use crate::state::validity::Inspector;
use crate::storage::ResourceError;
use crate::storage::{Directory, File, Purpose, StorageError};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Bytes to copy at a time, about.
const CHUNK: usize = 64 << 10;

/// No search takes longer: some thousand years.
const MOST_SECONDS: f64 = 1e11;

/// What must be the same.
fn kind(shape: Shape, plain: bool) -> [u64; 4] {
    let Shape { key_bits, rest_words, rest_bytes } = shape;
    [u64::from(plain), u64::from(key_bits), rest_words as u64, rest_bytes as u64]
}

impl<I: Identity> Persist for DiskSet<I> {
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError> {
        let DiskSet { common, segments } = self;
        checkpoint.fact("segment_bits", u64::from(common.plan.segmentation.bits));
        let mut file = checkpoint.create("visited", Purpose::SavedStates)?;
        file.words(&kind(common.identity.shape(), common.wanted.plain))?;
        file.number(*common.tables.get_mut())?;
        for segment in segments {
            segment.save(common, &mut file, checkpoint)?;
        }
        checkpoint.add(file.finish()?);
        Ok(())
    }

    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError> {
        let mut file = saved.reader("visited", Purpose::SavedStates)?;
        let DiskSet { common, segments } = self;
        let mut found = [0; 4];
        file.words(&mut found)?;
        let bits = saved.fact("segment_bits");
        if found != kind(common.identity.shape(), common.wanted.plain)
            || bits != Some(u64::from(common.plan.segmentation.bits))
        {
            return Err(file.unexpected().into());
        }
        let tables = file.at_most(u64::from(u32::MAX))?;
        common.tables = AtomicU64::new(tables);
        let mut states = 0;
        for segment in segments {
            segment.restore(common, &mut file, saved, inspector)?;
            states += segment.states;
        }
        common.permits = AtomicU64::new(states);
        Ok(file.finish()?)
    }

    fn places(&self, segment: usize) -> Range<u64> {
        self.segments.get(segment).map_or(0..0, |segment| segment.next..segment.states)
    }
}

impl Segment {
    fn save<I: Identity>(
        &mut self,
        common: &Common<I>,
        file: &mut Writer,
        checkpoint: &mut Transaction<'_>,
    ) -> Result<(), ResourceError> {
        file.words(&[self.states, self.passed, self.cursor, self.next])?;
        let DiskStats { hits, candidates, checks, level_ends, traffic, seconds, .. } = &self.figures;
        file.words(&[*hits, *candidates, traffic.read, traffic.written, seconds.to_bits()])?;
        file.list(checks)?;
        file.list(level_ends)?;
        match &mut self.table {
            DiskTable::Plain { disk, .. } => disk.save(file)?,
            DiskTable::Sorted { runs, .. } => runs.save(file, checkpoint)?,
        }
        self.gaps.save(file)?;
        self.waiting.save(file)?;
        Ok(self.log.save(&common.records, file)?)
    }

    fn restore<I: Identity>(
        &mut self,
        common: &Common<I>,
        file: &mut Reader,
        saved: &Saved,
        inspector: &mut Inspector<'_>,
    ) -> Result<(), ResourceError> {
        let mut words = [0; 4];
        file.counters(&mut words)?;
        let [states, passed, cursor, next] = words;
        if states > common.plan.segmentation.places() || next > states {
            return Err(file.unexpected().into());
        }
        (self.states, self.passed, self.cursor, self.next) = (states, passed, cursor, next);
        let mut words = [0; 4];
        file.counters(&mut words)?;
        let [hits, candidates, read, written] = words;
        let seconds = f64::from_bits(file.number()?);
        if !(0.0..=MOST_SECONDS).contains(&seconds) {
            return Err(file.unexpected().into());
        }
        self.figures = DiskStats {
            hits,
            candidates,
            traffic: Traffic { read, written },
            seconds,
            checks: file.list()?,
            level_ends: file.list()?,
            ..DiskStats::default()
        };
        for numbers in [&self.figures.checks, &self.figures.level_ends] {
            if !numbers.is_sorted() || numbers.last().is_some_and(|&last| last > states) {
                return Err(file.unexpected().into());
            }
        }
        let entries = match &mut self.table {
            DiskTable::Plain { disk, .. } => disk.restore(file, &*common.directory)?,
            DiskTable::Sorted { runs, .. } => runs.restore(file, saved, &*common.directory)?,
        };
        if entries != states {
            return Err(file.unexpected().into());
        }
        self.gaps.restore(file)?;
        self.waiting.restore(common.words, MOST_COUNTED, file, &mut |state| inspector.accepts(state))?;
        self.log.restore(&common.records, states, file)?;
        self.check_queue(file)
    }

    /// Whether the gaps lead from one new state that waits to the next, and from the last one to
    /// the end of the queue.
    fn check_queue(&mut self, file: &Reader) -> Result<(), ResourceError> {
        let (mut at, mut new) = (u128::from(self.cursor), 0);
        self.gaps.each(&mut |gap| {
            let is_new = u64::from(gap) < LONG;
            at += u128::from(gap) + u128::from(is_new);
            new += u64::from(is_new);
            Ok(())
        })?;
        let waiting = self.waiting.numbers();
        let ends = at + u128::from(self.passed) == u128::from(waiting.end);
        let right = ends && waiting.start <= self.cursor && self.next + new == self.states;
        if right { Ok(()) } else { Err(file.unexpected().into()) }
    }
}

/// The length of the entries behind a label, which may be anything.
fn length(label: &[u8]) -> usize {
    label.get(20..24).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes))
        as usize
}

impl Plain {
    /// Blocks, and the bytes of all of them with their labels.
    fn save(&self, file: &mut Writer) -> Result<(), StorageError> {
        file.words(&[self.blocks, self.end - HEADER])?;
        let Some(table) = &self.file else { return Ok(()) };
        let (mut offset, mut bytes) = (HEADER, Vec::new());
        for block in 0..self.blocks {
            bytes.resize(LABEL, 0);
            table.read(offset, &mut bytes)?;
            let all = LABEL + length(&bytes);
            if offset + all as u64 > self.end {
                return Err(table.corrupted(offset, LABEL));
            }
            bytes.resize(all, 0);
            table.read(offset, &mut bytes)?;
            self.check(block, &bytes).ok_or_else(|| table.corrupted(offset, all))?;
            file.bytes(&bytes)?;
            offset += all as u64;
        }
        if offset == self.end { Ok(()) } else { Err(table.corrupted(offset, 0)) }
    }

    /// The entries of a block, if it is this one.
    fn check<'b>(&self, block: u64, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let (label, entries) = Label::read(bytes)?;
        let right = label == self.label(block, entries.len()) && entries.len().is_multiple_of(self.entry);
        right.then_some(entries)
    }

    /// Says how many entries there are. Blocks are as long as there is memory now for reading them.
    fn restore(&mut self, file: &mut Reader, directory: &dyn Directory) -> Result<u64, StorageError> {
        let (blocks, mut left) = (file.count(LABEL as u64)? as u64, file.count(1)?);
        let mut bytes = Vec::new();
        let mut entries = 0;
        // What was written for this was counted when it was written first.
        let mut traffic = Traffic::default();
        self.begin();
        for block in 0..blocks {
            bytes.resize(LABEL, 0);
            file.bytes(&mut bytes)?;
            let all = LABEL + length(&bytes);
            left = left.checked_sub(all).ok_or_else(|| file.unexpected())?;
            bytes.resize(all, 0);
            file.bytes(&mut bytes[LABEL..])?;
            let found = self.check(block, &bytes).ok_or_else(|| file.unexpected())?;
            self.append_bytes(found, directory, &mut traffic)?;
            entries += (found.len() / self.entry) as u64;
        }
        self.finish(directory, &mut traffic)?;
        if left == 0 { Ok(entries) } else { Err(file.unexpected()) }
    }
}

impl Runs {
    fn save(&mut self, file: &mut Writer, checkpoint: &mut Transaction<'_>) -> Result<(), StorageError> {
        file.words(&[self.merged, self.peak])?;
        file.list(&self.runs.iter().map(|run| u64::from(run.number)).collect::<Vec<_>>())?;
        self.runs.iter_mut().try_for_each(|run| run.save(checkpoint))
    }

    /// Says how many entries there are.
    fn restore(
        &mut self,
        file: &mut Reader,
        saved: &Saved,
        directory: &dyn Directory,
    ) -> Result<u64, ResourceError> {
        (self.merged, self.peak) = (file.counted()?, file.counted()?);
        let mut entries = 0;
        for number in file.list()? {
            let number = u32::try_from(number).map_err(|_| file.unexpected())?;
            if self.runs.iter().any(|run| run.number == number) {
                return Err(file.unexpected().into());
            }
            let run = SortedRun::restore(number, self.shape, saved, directory, &self.budget)?;
            entries += run.len();
            self.runs.push(run);
        }
        Ok(entries)
    }
}

/// What is in the file of a table with this number.
fn name(number: u32) -> String {
    format!("table{number}")
}

/// Copies bytes that come piece by piece, in larger pieces.
struct Copy<'f> {
    file: &'f File,
    end: u64,
    bytes: Vec<u8>,
}

impl Copy<'_> {
    fn push(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), StorageError> {
        self.file.write(self.end, &self.bytes)?;
        self.end += self.bytes.len() as u64;
        self.bytes.clear();
        Ok(())
    }
}

impl SortedRun {
    /// Writes a file for it, unless the last checkpoint has one. Every block is checked on the way.
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), StorageError> {
        if self.saved.as_ref().is_some_and(|entry| checkpoint.keep(entry)) {
            return Ok(());
        }
        self.check_headers()?;
        let mut file = checkpoint.create(&name(self.number), Purpose::SavedStates)?;
        file.words(&[u64::from(self.number), self.entries])?;
        let (mut bytes, mut keys) = (Vec::new(), Keys::empty());
        let mut block = 0;
        while block < self.blocks() {
            let from = self.offset(block);
            let mut to = block + 1;
            while to < self.blocks() && self.offset(to + 1) - from <= CHUNK as u64 {
                to += 1;
            }
            bytes.resize((self.offset(to) - from) as usize, 0);
            self.keys.read(from, &mut bytes)?;
            for block in block..to {
                let within = (self.offset(block) - from) as usize..(self.offset(block + 1) - from) as usize;
                self.decode(block, &bytes[within], &mut keys)?;
            }
            file.bytes(&bytes)?;
            block = to;
        }
        if let Some(rests) = &self.rests {
            for block in 0..self.entries.div_ceil(self.rests_in_block() as u64) {
                let (from, to) = (self.rest_block(block), self.rest_block(block + 1).min(self.rests_end));
                bytes.resize((to - from) as usize, 0);
                rests.read(from, &mut bytes)?;
                self.decode_rests(block, &bytes)?;
                file.bytes(&bytes)?;
            }
        }
        let entry = file.finish()?;
        checkpoint.add(entry.clone());
        // It counts from when the manifest names it.
        self.saved = Some(entry);
        Ok(())
    }

    fn restore(
        number: u32,
        shape: Shape,
        saved: &Saved,
        directory: &dyn Directory,
        budget: &Arc<Budget>,
    ) -> Result<Self, ResourceError> {
        let what = name(number);
        let mut file = saved.reader(&what, Purpose::SavedStates)?;
        let (found, entries) = (file.number()?, file.number()?);
        if found != u64::from(number) || entries == 0 {
            return Err(file.unexpected().into());
        }
        let mut keys = None;
        open(&mut keys, directory, Content::Keys)?;
        let Some(keys) = keys else { return Err(file.unexpected().into()) };
        let mut run = SortedRun {
            shape,
            number,
            entries,
            keys,
            index: Vec::new(),
            end: HEADER,
            rests: None,
            rests_end: HEADER,
            budget: budget.clone(),
            saved: saved.entry(&what).cloned(),
        };
        run.restore_keys(&mut file)?;
        if shape.rest_bytes > 0 {
            open(&mut run.rests, directory, Content::Rests)?;
            run.restore_rests(&mut file)?;
        }
        file.finish()?;
        Ok(run)
    }

    fn restore_keys(&mut self, file: &mut Reader) -> Result<(), ResourceError> {
        let (table, mut bytes, mut keys) = (self.keys.clone(), Vec::new(), Vec::new());
        let mut code = Keys::empty();
        let mut copy = Copy { file: &table, end: HEADER, bytes: Vec::new() };
        let mut last = 0;
        for block in 0..self.entries.div_ceil(KEYS as u64) as usize {
            bytes.resize(LABEL, 0);
            file.bytes(&mut bytes)?;
            let all = LABEL + length(&bytes);
            if all > LABEL + MOST_BYTES {
                return Err(file.unexpected().into());
            }
            bytes.resize(all, 0);
            file.bytes(&mut bytes[LABEL..])?;
            let (label, _) = Label::read(&bytes).ok_or_else(|| file.unexpected())?;
            self.budget.take(size_of::<Entry>() as u64)?;
            self.index.push(Entry { first: label.first, offset: self.end });
            self.end += all as u64;
            let data = self.decode(block, &bytes, &mut code).map_err(|_| file.unexpected())?;
            code.decode(data, &mut keys);
            if label.first < last || keys.first() != Some(&label.first) || !keys.is_sorted() {
                return Err(file.unexpected().into());
            }
            last = keys.last().copied().unwrap_or(last);
            copy.push(&bytes)?;
        }
        self.index.shrink_to_fit();
        Ok(copy.flush()?)
    }

    fn restore_rests(&mut self, file: &mut Reader) -> Result<(), ResourceError> {
        let Some(table) = self.rests.clone() else { return Ok(()) };
        let mut copy = Copy { file: &table, end: HEADER, bytes: Vec::new() };
        let (each, mut bytes) = (self.rests_in_block() as u64, Vec::new());
        for block in 0..self.entries.div_ceil(each) {
            let count = (self.entries - block * each).min(each);
            bytes.resize(LABEL + count as usize * self.shape.rest_bytes, 0);
            file.bytes(&mut bytes)?;
            self.decode_rests(block, &bytes).map_err(|_| file.unexpected())?;
            self.rests_end += bytes.len() as u64;
            copy.push(&bytes)?;
        }
        Ok(copy.flush()?)
    }
}
