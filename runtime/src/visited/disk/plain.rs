//! The disk table of the paper: keys, and rests where there are any, in the order in which their
//! states were found. Candidates are checked by reading it from beginning to end.

use super::block::{Content, HEADER, LABEL, Label, append_words, header, same_words};
use super::candidates::Candidates;
use super::figures::Traffic;
use super::identity::Shape;
use super::members::Members;
use crate::storage::{Directory, File, Purpose, StorageError};
use crate::visited::{InsertError, StateSink};

#[derive(Debug)]
pub struct Plain {
    shape: Shape,
    /// Bytes of a key, and of an entry.
    key_bytes: usize,
    pub(super) entry: usize,
    pub(super) file: Option<File>,
    /// Blocks in the file, and where the next one goes.
    pub(super) blocks: u64,
    pub(super) end: u64,
    buffer: Vec<u8>,
    /// Bytes to read or write at a time.
    chunk: usize,
}

impl Plain {
    pub fn new(shape: Shape, chunk: usize) -> Self {
        let key_bytes = shape.key_bits.div_ceil(8) as usize;
        let entry = key_bytes + shape.rest_bytes;
        let chunk = chunk.max(2 * (LABEL + entry));
        let buffer = Vec::with_capacity(chunk);
        Plain { shape, key_bytes, entry, file: None, blocks: 0, end: HEADER, buffer, chunk }
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        if self.file.is_some() { self.end } else { 0 }
    }

    /// Strikes out the candidates that are in the table.
    pub fn strike(
        &mut self,
        candidates: &mut Candidates,
        members: &Members,
        traffic: &mut Traffic,
        sink: &mut dyn StateSink,
    ) -> Result<(), InsertError> {
        let Some(file) = &self.file else { return Ok(()) };
        let expected = header(Content::Plain);
        let mut found = [0; HEADER as usize];
        file.read(0, &mut found)?;
        if found != expected {
            return Err(file.corrupted(0, found.len()).into());
        }
        let (mut offset, mut block) = (HEADER, 0);
        while block < self.blocks {
            if !sink.goes_on() {
                return Err(InsertError::Stopped);
            }
            let length = (self.end - offset).min(self.chunk as u64) as usize;
            self.buffer.resize(length, 0);
            file.read(offset, &mut self.buffer)?;
            traffic.read += length as u64;
            let mut bytes = &self.buffer[..];
            let first = block;
            while let Some((label, entries)) = Label::read(bytes) {
                if label != self.label(block, entries.len()) || !entries.len().is_multiple_of(self.entry) {
                    return Err(file.corrupted(offset, bytes.len()).into());
                }
                for entry in entries.chunks_exact(self.entry) {
                    let (key, rest) = entry.split_at(self.key_bytes);
                    let key = self.key(key);
                    let same = |number: usize| {
                        self.shape.rest_words == 0 || same_words(rest, candidates.rest(number))
                    };
                    if let Some(number) = members.find(key, candidates, same) {
                        let (all, _) = candidates.parts();
                        all[number].strike();
                    }
                }
                bytes = &bytes[LABEL + entries.len()..];
                offset += (LABEL + entries.len()) as u64;
                block += 1;
            }
            if block == first {
                // There is room for a whole block, so this one is damaged.
                return Err(file.corrupted(offset, length).into());
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn key(&self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[8 - bytes.len()..].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// Appends the candidates that were not struck out, which are in the order in which they came.
    pub fn append(
        &mut self,
        candidates: &Candidates,
        directory: &dyn Directory,
        traffic: &mut Traffic,
    ) -> Result<(), StorageError> {
        self.begin();
        for candidate in candidates.entries().iter().filter(|candidate| candidate.is_new()) {
            if self.buffer.len() + self.entry > self.chunk / 2 {
                self.flush(directory, traffic)?;
            }
            self.buffer.extend_from_slice(&candidate.key.to_le_bytes()[8 - self.key_bytes..]);
            append_words(candidates.rest(candidate.number()), self.shape.rest_bytes, &mut self.buffer);
        }
        self.finish(directory, traffic)
    }

    /// Appends entries as they are in a file.
    pub fn append_bytes(
        &mut self,
        entries: &[u8],
        directory: &dyn Directory,
        traffic: &mut Traffic,
    ) -> Result<(), StorageError> {
        for entry in entries.chunks_exact(self.entry) {
            if self.buffer.len() + self.entry > self.chunk / 2 {
                self.flush(directory, traffic)?;
            }
            self.buffer.extend_from_slice(entry);
        }
        Ok(())
    }

    /// Begins to append.
    pub fn begin(&mut self) {
        self.buffer.clear();
        self.buffer.resize(LABEL, 0);
    }

    /// Writes what is left.
    pub fn finish(&mut self, directory: &dyn Directory, traffic: &mut Traffic) -> Result<(), StorageError> {
        if self.buffer.len() > LABEL { self.flush(directory, traffic) } else { Ok(()) }
    }

    /// The label of a block of `length` bytes.
    pub fn label(&self, block: u64, length: usize) -> Label {
        Label {
            table: 0,
            width: self.entry as u32,
            block,
            count: (length / self.entry) as u32,
            length: length as u32,
            first: 0,
        }
    }

    fn flush(&mut self, directory: &dyn Directory, traffic: &mut Traffic) -> Result<(), StorageError> {
        let label = self.label(self.blocks, self.buffer.len() - LABEL);
        label.write(&mut self.buffer);
        let file = match &self.file {
            Some(file) => file,
            None => {
                let file = File::create(directory, Purpose::Table)?;
                file.write(0, &header(Content::Plain))?;
                self.file.insert(file)
            }
        };
        file.write(self.end, &self.buffer)?;
        traffic.written += self.buffer.len() as u64;
        self.end += self.buffer.len() as u64;
        self.blocks += 1;
        self.buffer.truncate(LABEL);
        Ok(())
    }
}
