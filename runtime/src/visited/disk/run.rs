//! A sorted table on disk: keys in ascending order, and their rests beside them.
//!
//! Keys lie in blocks of [`KEYS`], in the code of [`super::keys`]; the label of a block has the
//! first key. Where each block begins, and with which key, is kept in memory: 16 bytes for 512
//! keys. Rests lie in a file of their own, in the same order, in blocks that all have the same
//! length, so that it is known where each is.

use super::block::{Content, HEADER, LABEL, Label, header};
use super::figures::Traffic;
use super::identity::Shape;
use super::keys::{KEYS, Keys, encode};
use crate::checkpoint;
use crate::memory::{Budget, MemoryError};
use crate::storage::{Directory, File, Purpose, StorageError};
use crate::visited::InsertError;
use std::sync::Arc;

/// Bytes of a block of rests, about.
const RESTS: usize = 4 << 10;

/// Where a block begins, and its first key.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub first: u64,
    pub offset: u64,
}

#[derive(Debug)]
pub struct SortedRun {
    pub(super) shape: Shape,
    /// Of all tables of the search.
    pub(super) number: u32,
    pub(super) entries: u64,
    pub keys: File,
    pub(super) index: Vec<Entry>,
    /// Where the keys end.
    pub(super) end: u64,
    pub rests: Option<File>,
    pub(super) rests_end: u64,
    pub(super) budget: Arc<Budget>,
    /// The file of a checkpoint that has it.
    pub(super) saved: Option<checkpoint::Entry>,
}

impl SortedRun {
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// Bytes of its files.
    pub fn bytes(&self) -> u64 {
        self.end + if self.rests.is_some() { self.rests_end } else { 0 }
    }

    pub fn blocks(&self) -> usize {
        self.index.len()
    }

    /// The first key of a block; `None`: there is no such block.
    #[inline(always)]
    pub fn first(&self, block: usize) -> Option<u64> {
        self.index.get(block).map(|entry| entry.first)
    }

    /// Where a block begins, or where the last one ends.
    #[inline(always)]
    pub fn offset(&self, block: usize) -> u64 {
        self.index.get(block).map_or(self.end, |entry| entry.offset)
    }

    /// The first block in which a key may be.
    pub fn block_of(&self, key: u64) -> usize {
        // A key that begins a block may also end the one before.
        self.index.partition_point(|entry| entry.first < key).saturating_sub(1)
    }

    /// Looks whether the files are those that were written.
    pub fn check_headers(&self) -> Result<(), StorageError> {
        let files = [(Some(&self.keys), Content::Keys), (self.rests.as_ref(), Content::Rests)];
        for (file, content) in files {
            let Some(file) = file else { continue };
            let mut found = [0; HEADER as usize];
            file.read(0, &mut found)?;
            if found != header(content) {
                return Err(file.corrupted(0, found.len()));
            }
        }
        Ok(())
    }

    /// Takes in the keys of a block, whose bytes these are, and returns what of them belongs to the
    /// keys.
    pub fn decode<'a>(
        &self,
        block: usize,
        bytes: &'a [u8],
        keys: &mut Keys,
    ) -> Result<&'a [u8], StorageError> {
        let count = (self.entries - (block * KEYS) as u64).min(KEYS as u64) as usize;
        let corrupted = || self.keys.corrupted(self.offset(block), bytes.len());
        let (label, data) = Label::read(bytes).ok_or_else(corrupted)?;
        let expected = Label {
            table: self.number,
            block: block as u64,
            count: count as u32,
            length: (bytes.len() - LABEL) as u32,
            first: self.first(block).unwrap_or_default(),
            ..label
        };
        let below = u64::BITS - self.shape.key_bits;
        let read = keys.read(label.first, below, label.width, count, data);
        read.filter(|()| label == expected).ok_or_else(corrupted)?;
        Ok(data)
    }

    /// Entries of a block of rests, and where one begins.
    pub fn rests_in_block(&self) -> usize {
        rests_in_block(self.shape)
    }

    pub fn rest_block(&self, block: u64) -> u64 {
        HEADER + block * (LABEL + rests_in_block(self.shape) * self.shape.rest_bytes) as u64
    }

    pub fn rests_end(&self) -> u64 {
        self.rests_end
    }

    /// The rests of a block, whose bytes begin here.
    pub fn decode_rests<'a>(&self, block: u64, bytes: &'a [u8]) -> Result<&'a [u8], StorageError> {
        let Some(file) = &self.rests else { return Ok(&[]) };
        let each = self.rests_in_block() as u64;
        let count = self.entries.saturating_sub(block * each).min(each) as usize;
        let expected = Label {
            table: self.number,
            width: self.shape.rest_bytes as u32,
            block,
            count: count as u32,
            length: (count * self.shape.rest_bytes) as u32,
            first: 0,
        };
        match Label::read(bytes) {
            Some((label, rests)) if label == expected => Ok(rests),
            _ => Err(file.corrupted(self.rest_block(block), bytes.len().min(LABEL + RESTS))),
        }
    }
}

impl Drop for SortedRun {
    fn drop(&mut self) {
        self.budget.give_back(index_bytes(self.index.len()));
    }
}

fn index_bytes(blocks: usize) -> u64 {
    (blocks * size_of::<Entry>()) as u64
}

fn rests_in_block(shape: Shape) -> usize {
    (RESTS / shape.rest_bytes.max(1)).max(1)
}

/// Writes a sorted table.
pub struct Writer<'d> {
    shape: Shape,
    number: u32,
    directory: &'d dyn Directory,
    budget: Arc<Budget>,
    /// Bytes to write at a time.
    chunk: usize,
    keys: Option<File>,
    rests: Option<File>,
    index: Vec<Entry>,
    /// Keys of the block at work.
    block: Vec<u64>,
    entries: u64,
    /// What goes to the files next, and where.
    key_bytes: Vec<u8>,
    key_end: u64,
    rest_bytes: Vec<u8>,
    rest_end: u64,
    /// Where in them the block of rests at work begins, and how many blocks came before.
    rest_block: usize,
    rest_blocks: u64,
}

impl<'d> Writer<'d> {
    pub fn new(
        shape: Shape,
        number: u32,
        chunk: usize,
        directory: &'d dyn Directory,
        budget: Arc<Budget>,
    ) -> Self {
        Writer {
            shape,
            number,
            directory,
            budget,
            chunk,
            keys: None,
            rests: None,
            index: Vec::new(),
            block: Vec::with_capacity(KEYS),
            entries: 0,
            key_bytes: Vec::new(),
            key_end: HEADER,
            rest_bytes: Vec::new(),
            rest_end: HEADER,
            rest_block: 0,
            rest_blocks: 0,
        }
    }

    /// Appends an entry, whose key is not smaller than those before.
    #[inline(always)]
    pub fn push(&mut self, key: u64, rest: &[u8], traffic: &mut Traffic) -> Result<(), StorageError> {
        if self.shape.rest_bytes > 0 {
            self.begin_rest();
            self.rest_bytes.extend_from_slice(rest);
            self.end_rest(traffic)?;
        }
        self.push_key(key, traffic)
    }

    #[inline(always)]
    fn begin_rest(&mut self) {
        if self.rest_bytes.len() == self.rest_block {
            self.rest_bytes.resize(self.rest_block + LABEL, 0);
        }
    }

    #[inline(always)]
    fn end_rest(&mut self, traffic: &mut Traffic) -> Result<(), StorageError> {
        let full = LABEL + rests_in_block(self.shape) * self.shape.rest_bytes;
        if self.rest_bytes.len() - self.rest_block == full { self.close_rests(traffic) } else { Ok(()) }
    }

    #[inline(always)]
    fn push_key(&mut self, key: u64, traffic: &mut Traffic) -> Result<(), StorageError> {
        self.block.push(key);
        self.entries += 1;
        if self.block.len() == KEYS { self.close_keys(traffic) } else { Ok(()) }
    }

    fn close_rests(&mut self, traffic: &mut Traffic) -> Result<(), StorageError> {
        let length = self.rest_bytes.len() - self.rest_block - LABEL;
        let label = Label {
            table: self.number,
            width: self.shape.rest_bytes as u32,
            block: self.rest_blocks,
            count: (length / self.shape.rest_bytes) as u32,
            length: length as u32,
            first: 0,
        };
        label.write(&mut self.rest_bytes[self.rest_block..]);
        self.rest_block = self.rest_bytes.len();
        self.rest_blocks += 1;
        if self.rest_bytes.len() >= self.chunk { self.flush_rests(traffic) } else { Ok(()) }
    }

    fn flush_rests(&mut self, traffic: &mut Traffic) -> Result<(), StorageError> {
        let file = open(&mut self.rests, self.directory, Content::Rests)?;
        file.write(self.rest_end, &self.rest_bytes)?;
        traffic.written += self.rest_bytes.len() as u64;
        self.rest_end += self.rest_bytes.len() as u64;
        self.rest_bytes.clear();
        self.rest_block = 0;
        Ok(())
    }

    fn close_keys(&mut self, traffic: &mut Traffic) -> Result<(), StorageError> {
        let Some(&first) = self.block.first() else { return Ok(()) };
        let start = self.key_bytes.len();
        self.key_bytes.resize(start + LABEL, 0);
        let width = encode(&self.block, u64::BITS - self.shape.key_bits, &mut self.key_bytes);
        let length = self.key_bytes.len() - start - LABEL;
        let label = Label {
            table: self.number,
            width,
            block: self.index.len() as u64,
            count: self.block.len() as u32,
            length: length as u32,
            first,
        };
        label.write(&mut self.key_bytes[start..]);
        self.index.push(Entry { first, offset: self.key_end + start as u64 });
        self.block.clear();
        if self.key_bytes.len() >= self.chunk { self.flush_keys(traffic) } else { Ok(()) }
    }

    fn flush_keys(&mut self, traffic: &mut Traffic) -> Result<(), StorageError> {
        let file = open(&mut self.keys, self.directory, Content::Keys)?;
        file.write(self.key_end, &self.key_bytes)?;
        traffic.written += self.key_bytes.len() as u64;
        self.key_end += self.key_bytes.len() as u64;
        self.key_bytes.clear();
        Ok(())
    }

    /// What was written, if that is anything.
    pub fn finish(mut self, traffic: &mut Traffic) -> Result<Option<SortedRun>, InsertError> {
        self.close_keys(traffic)?;
        if self.rest_bytes.len() > self.rest_block {
            self.close_rests(traffic)?;
        }
        if !self.key_bytes.is_empty() {
            self.flush_keys(traffic)?;
        }
        if !self.rest_bytes.is_empty() {
            self.flush_rests(traffic)?;
        }
        let Some(keys) = self.keys else { return Ok(None) };
        self.budget.take(index_bytes(self.index.len())).map_err(|MemoryError| InsertError::Memory)?;
        self.index.shrink_to_fit();
        Ok(Some(SortedRun {
            shape: self.shape,
            number: self.number,
            entries: self.entries,
            keys,
            index: self.index,
            end: self.key_end,
            rests: self.rests,
            rests_end: self.rest_end,
            budget: self.budget,
            saved: None,
        }))
    }
}

pub(super) fn open<'f>(
    file: &'f mut Option<File>,
    directory: &dyn Directory,
    content: Content,
) -> Result<&'f File, StorageError> {
    match file {
        Some(file) => Ok(file),
        None => {
            let new = File::create(directory, Purpose::Table)?;
            new.write(0, &header(content))?;
            Ok(file.insert(new))
        }
    }
}
