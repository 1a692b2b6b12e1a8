//! A sorted table from beginning to end, for merging.

use super::figures::Traffic;
use super::keys::{KEYS, Keys};
use super::run::SortedRun;
use crate::storage::StorageError;

pub struct Stream {
    pub run: SortedRun,
    rest_bytes: usize,
    /// Bytes to read at a time.
    chunk: usize,
    code: Box<Keys>,
    /// Keys of the block at work, and which is next.
    keys: Vec<u64>,
    at: usize,
    /// The block after it.
    block: usize,
    bytes: Vec<u8>,
    /// Where in the file these bytes are.
    start: u64,
    /// The buffer for rests: bytes, where they are in the file, where in the bytes the block at
    /// work begins, and which block that is.
    rests: Vec<u8>,
    rests_start: u64,
    rest_at: usize,
    rest_block: u64,
    in_block: usize,
}

impl Stream {
    pub fn new(
        run: SortedRun,
        rest_bytes: usize,
        chunk: usize,
        traffic: &mut Traffic,
    ) -> Result<Self, StorageError> {
        run.check_headers()?;
        let mut stream = Stream {
            in_block: run.rests_in_block(),
            run,
            rest_bytes,
            chunk,
            code: Box::new(Keys::empty()),
            keys: Vec::new(),
            at: 0,
            block: 0,
            bytes: Vec::new(),
            start: 0,
            rests: Vec::new(),
            rests_start: 0,
            rest_at: 0,
            rest_block: 0,
        };
        stream.read_keys(traffic)?;
        stream.read_rests(0, traffic)?;
        Ok(stream)
    }

    /// The key that is next.
    #[inline(always)]
    pub fn key(&self) -> Option<u64> {
        self.keys.get(self.at).copied()
    }

    /// Its rest.
    #[inline(always)]
    pub fn rest(&self) -> &[u8] {
        if self.rest_bytes == 0 {
            return &[];
        }
        let number = (self.block - 1) * KEYS + self.at;
        &self.rests[self.rest_at + number % self.in_block * self.rest_bytes..][..self.rest_bytes]
    }

    /// Goes on. True: more was read for that.
    #[inline(always)]
    pub fn advance(&mut self, traffic: &mut Traffic) -> Result<bool, StorageError> {
        self.at += 1;
        let mut read = false;
        if self.at == self.keys.len() {
            read = self.read_keys(traffic)?;
        }
        if self.rest_bytes > 0 && !self.keys.is_empty() {
            let number = (self.block - 1) * KEYS + self.at;
            if number.is_multiple_of(self.in_block) {
                read |= self.read_rests((number / self.in_block) as u64, traffic)?;
            }
        }
        Ok(read)
    }

    fn read_keys(&mut self, traffic: &mut Traffic) -> Result<bool, StorageError> {
        self.keys.clear();
        self.at = 0;
        if self.block == self.run.blocks() {
            return Ok(false);
        }
        let (from, to) = (self.run.offset(self.block), self.run.offset(self.block + 1));
        let read = to > self.start + self.bytes.len() as u64;
        if read {
            let mut last = self.block + 1;
            while last < self.run.blocks() && self.run.offset(last + 1) - from <= self.chunk as u64 {
                last += 1;
            }
            self.bytes.resize((self.run.offset(last) - from) as usize, 0);
            self.start = from;
            self.run.keys.read(from, &mut self.bytes)?;
            traffic.read += self.bytes.len() as u64;
        }
        let within = (from - self.start) as usize..(to - self.start) as usize;
        let data = self.run.decode(self.block, &self.bytes[within], &mut self.code)?;
        self.code.decode(data, &mut self.keys);
        self.block += 1;
        Ok(read)
    }

    fn read_rests(&mut self, block: u64, traffic: &mut Traffic) -> Result<bool, StorageError> {
        let Some(file) = &self.run.rests else { return Ok(false) };
        let end = self.run.rests_end();
        let (from, to) = (self.run.rest_block(block), self.run.rest_block(block + 1).min(end));
        let read = to > self.rests_start + self.rests.len() as u64;
        if read {
            let each = self.run.rest_block(1) - self.run.rest_block(0);
            let blocks = (self.chunk as u64 / each).max(1);
            let last = self.run.rest_block(block + blocks).min(end);
            self.rests.resize((last - from) as usize, 0);
            self.rests_start = from;
            file.read(from, &mut self.rests)?;
            traffic.read += self.rests.len() as u64;
        }
        let begin = (from - self.rests_start) as usize;
        self.run.decode_rests(block, &self.rests[begin..])?;
        self.rest_at = begin + super::block::LABEL;
        self.rest_block = block;
        Ok(read)
    }
}
