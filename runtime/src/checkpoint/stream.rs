//! The data files of a checkpoint, written and read from their beginning to their end.
//!
//! A file is block after block, without gaps. All numbers have their lowest byte first:
//!
//! | field | bytes | meaning |
//! |---|---|---|
//! | number | 4 | how many blocks there are before this one |
//! | length | 4 | bytes that follow the checksum; all blocks but the last have [`BLOCK`] |
//! | checksum | 8 | of the number, the length, the file's name and the bytes |
//!
//! A block is checked before any of its bytes is returned, so a reader never sees what was
//! not written. The manifest has the length of the file and the checksum of all its blocks'
//! checksums in order, so no block can be missing at the end, and none is from another file.

use super::manifest::Entry;
use crate::hashing::words::{hash, hash_of};
use crate::storage::{File, StorageError};

/// Bytes of a block.
const BLOCK: usize = (64 << 10) - LABEL;
const LABEL: usize = 16;

/// A checksum of bytes, with their number.
pub fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let sum = hash_of(words.len(), |at| u64::from_le_bytes(words[at]));
    hash(&[sum, last, bytes.len() as u64])
}

fn label(name: u64, number: u32, bytes: &[u8]) -> [u8; LABEL] {
    let length = bytes.len() as u32;
    let sum = hash(&[checksum(bytes), name, u64::from(number) << 32 | u64::from(length)]);
    let mut label = [0; LABEL];
    label[..4].copy_from_slice(&number.to_le_bytes());
    label[4..8].copy_from_slice(&length.to_le_bytes());
    label[8..].copy_from_slice(&sum.to_le_bytes());
    label
}

/// The checksum of all blocks up to one with this label.
fn chain(before: u64, label: &[u8; LABEL]) -> u64 {
    let [number, sum] =
        [&label[..8], &label[8..]].map(|part| part.first_chunk().copied().unwrap_or_default());
    hash(&[before, u64::from_le_bytes(number), u64::from_le_bytes(sum)])
}

/// Writes a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    name: String,
    hashed: u64,
    /// A label's room, and the bytes of a block as far as they are known.
    block: Vec<u8>,
    number: u32,
    end: u64,
    sum: u64,
}

impl Writer {
    /// Into a new file of this name.
    pub fn new(file: File, name: &str) -> Self {
        let mut block = Vec::with_capacity(LABEL + BLOCK);
        block.resize(LABEL, 0);
        let hashed = checksum(name.as_bytes());
        Writer { file, name: name.to_owned(), hashed, block, number: 0, end: 0, sum: 0 }
    }

    pub fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), StorageError> {
        while !bytes.is_empty() {
            let (some, rest) = bytes.split_at(bytes.len().min(LABEL + BLOCK - self.block.len()));
            self.block.extend_from_slice(some);
            bytes = rest;
            if self.block.len() == LABEL + BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    pub fn number(&mut self, number: u64) -> Result<(), StorageError> {
        self.bytes(&number.to_le_bytes())
    }

    /// Words, without their number.
    pub fn words(&mut self, words: &[u64]) -> Result<(), StorageError> {
        words.iter().try_for_each(|&word| self.number(word))
    }

    /// Words, with their number before them.
    pub fn list(&mut self, words: &[u64]) -> Result<(), StorageError> {
        self.number(words.len() as u64)?;
        self.words(words)
    }

    /// Bytes of memory most of which are zero, as a rule: what is zero is left out, in pieces.
    pub fn sparse(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        for piece in bytes.chunks(PIECE) {
            let empty = piece.iter().all(|&byte| byte == 0);
            self.bytes(&[u8::from(!empty)])?;
            if !empty {
                self.bytes(piece)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), StorageError> {
        let label = label(self.hashed, self.number, &self.block[LABEL..]);
        self.block[..LABEL].copy_from_slice(&label);
        self.file.write(self.end, &self.block)?;
        self.end += self.block.len() as u64;
        self.number += 1;
        self.sum = chain(self.sum, &label);
        self.block.truncate(LABEL);
        Ok(())
    }

    /// Writes what is left, and makes it last.
    pub fn finish(mut self) -> Result<Entry, StorageError> {
        if self.block.len() > LABEL || self.number == 0 {
            self.flush()?;
        }
        self.file.sync()?;
        Ok(Entry { name: self.name, bytes: self.end, checksum: self.sum })
    }
}

/// The most that a search may have counted of anything: some of them can be added up.
pub const MOST_COUNTED: u64 = 1 << 56;

/// Bytes that are left out together by [`Writer::sparse`].
pub const PIECE: usize = 4096;

/// Reads a file.
#[derive(Debug)]
pub struct Reader {
    file: File,
    entry: Entry,
    hashed: u64,
    /// The bytes of a block, and how many of them were handed on.
    block: Vec<u8>,
    at: usize,
    number: u32,
    end: u64,
    sum: u64,
}

impl Reader {
    /// From a file that is known to the manifest.
    pub fn new(file: File, entry: &Entry) -> Self {
        let (entry, hashed) = (entry.clone(), checksum(entry.name.as_bytes()));
        Reader { file, entry, hashed, block: Vec::new(), at: 0, number: 0, end: 0, sum: 0 }
    }

    fn next_block(&mut self) -> Result<(), StorageError> {
        let start = self.end;
        let damaged = |reader: &Self, bytes| Err(reader.file.corrupted(start, bytes));
        let left = self.entry.bytes.saturating_sub(start);
        if left < LABEL as u64 {
            return damaged(self, LABEL);
        }
        let mut found = [0; LABEL];
        self.file.read(start, &mut found)?;
        let length = found[4..8].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)) as usize;
        if length > BLOCK || (LABEL + length) as u64 > left {
            return damaged(self, LABEL);
        }
        self.block.resize(length, 0);
        self.at = 0;
        self.file.read(start + LABEL as u64, &mut self.block)?;
        if label(self.hashed, self.number, &self.block) != found {
            self.block.clear();
            return damaged(self, LABEL + length);
        }
        self.end += (LABEL + length) as u64;
        self.number += 1;
        self.sum = chain(self.sum, &found);
        // The last one: now it is known whether all of them were there.
        if self.end == self.entry.bytes && self.sum != self.entry.checksum {
            self.block.clear();
            return damaged(self, LABEL + length);
        }
        Ok(())
    }

    pub fn bytes(&mut self, mut into: &mut [u8]) -> Result<(), StorageError> {
        while !into.is_empty() {
            if self.at == self.block.len() {
                self.next_block()?;
                if self.block.is_empty() {
                    return Err(self.unexpected());
                }
            }
            let count = into.len().min(self.block.len() - self.at);
            let (some, rest) = into.split_at_mut(count);
            some.copy_from_slice(&self.block[self.at..self.at + count]);
            self.at += count;
            into = rest;
        }
        Ok(())
    }

    pub fn number(&mut self) -> Result<u64, StorageError> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number that is at most this.
    pub fn at_most(&mut self, most: u64) -> Result<u64, StorageError> {
        let number = self.number()?;
        if number <= most { Ok(number) } else { Err(self.unexpected()) }
    }

    /// Something that was counted: no search counts so far that sums of such numbers overflow.
    pub fn counted(&mut self) -> Result<u64, StorageError> {
        self.at_most(MOST_COUNTED)
    }

    /// Several of them.
    pub fn counters(&mut self, into: &mut [u64]) -> Result<(), StorageError> {
        into.iter_mut().try_for_each(|counter| {
            *counter = self.counted()?;
            Ok(())
        })
    }

    /// Counters that have their number before them.
    pub fn counter_list(&mut self) -> Result<Vec<u64>, StorageError> {
        let list = self.list()?;
        if list.iter().all(|&counter| counter <= MOST_COUNTED) { Ok(list) } else { Err(self.unexpected()) }
    }

    /// Whether the file may have `bytes` more bytes.
    pub fn has(&self, bytes: u128) -> bool {
        let left = self.entry.bytes.saturating_sub(self.end) as usize + (self.block.len() - self.at);
        bytes <= left as u128
    }

    pub fn words(&mut self, into: &mut [u64]) -> Result<(), StorageError> {
        for word in into {
            *word = self.number()?;
        }
        Ok(())
    }

    /// Reads the number of items that follow, of `bytes` bytes each; they must fit into the file.
    pub fn count(&mut self, bytes: u64) -> Result<usize, StorageError> {
        let most = self.entry.bytes / bytes.max(1);
        Ok(self.at_most(most)? as usize)
    }

    /// Words that have their number before them.
    pub fn list(&mut self) -> Result<Vec<u64>, StorageError> {
        let count = self.count(8)?;
        let mut words = vec![0; count];
        self.words(&mut words)?;
        Ok(words)
    }

    /// As [`Writer::sparse`] wrote them, into memory that is zero.
    pub fn sparse(&mut self, into: &mut [u8]) -> Result<(), StorageError> {
        for piece in into.chunks_mut(PIECE) {
            let mut there = [0];
            self.bytes(&mut there)?;
            if there[0] != 0 {
                self.bytes(piece)?;
            }
        }
        Ok(())
    }

    /// What is there is not what should be: the checksums are right, so another program wrote it.
    #[cold]
    pub fn unexpected(&self) -> StorageError {
        self.file.corrupted(self.end.saturating_sub((self.block.len() - self.at) as u64), 0)
    }

    /// Nothing should be left.
    pub fn finish(self) -> Result<(), StorageError> {
        if self.at == self.block.len() && self.end == self.entry.bytes {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::simulated::Disk;
    use crate::storage::{Archive, Purpose};

    fn open(disk: &Disk, entry: &Entry) -> Reader {
        Reader::new(File::new(disk.open(&entry.name).unwrap(), Purpose::SavedStates), entry)
    }

    fn written(disk: &Disk, bytes: &[u8]) -> Entry {
        let mut writer = Writer::new(File::new(disk.create("some").unwrap(), Purpose::SavedStates), "some");
        bytes.chunks(777).for_each(|some| writer.bytes(some).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn bytes_come_back() {
        for length in [0, 1, 8, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17] {
            let disk = Disk::sound();
            let bytes: Vec<u8> = (0..length).map(|at| (at * at / 7) as u8).collect();
            let entry = written(&disk, &bytes);
            let mut reader = open(&disk, &entry);
            let mut found = vec![0; length];
            found.chunks_mut(1001).for_each(|some| reader.bytes(some).unwrap());
            assert_eq!(found, bytes);
            if length > 0 {
                reader.finish().unwrap();
            } else {
                assert!(reader.bytes(&mut [0]).is_err());
            }
            if length > 1 {
                let mut reader = open(&disk, &entry);
                reader.bytes(&mut found[1..]).unwrap();
                assert!(reader.finish().is_err(), "something is left");
            }
        }
    }

    /// Every byte of a short file, and some of a long one.
    #[test]
    fn no_changed_byte_is_handed_on() {
        for (length, step) in [(100, 1), (2 * BLOCK + 50, 4999)] {
            let disk = Disk::sound();
            let bytes: Vec<u8> = (0..length).map(|at| at as u8).collect();
            let entry = written(&disk, &bytes);
            for at in (0..entry.bytes as usize).step_by(step) {
                let other = disk.with("some", |bytes| {
                    bytes[at] ^= 16;
                    true
                });
                let mut reader = open(&other, &entry);
                let mut found = vec![0; length];
                let mut read = 0;
                let failed = found
                    .chunks_mut(10)
                    .try_for_each(|some| reader.bytes(some).inspect(|()| read += some.len()));
                assert!(failed.is_err() && found[..read] == bytes[..read], "{at}");
            }
            // The last block is gone, and the file looks complete.
            let cut = disk.with("some", |bytes| {
                bytes.truncate(LABEL + BLOCK);
                true
            });
            let shorter = Entry { bytes: (LABEL + BLOCK) as u64, ..entry.clone() };
            let mut found = vec![0; BLOCK];
            assert!(open(&cut, &shorter).bytes(&mut found).is_err());
        }
    }

    #[test]
    fn zeros_take_little_room() {
        let disk = Disk::sound();
        let mut bytes = vec![0; 300_000];
        (bytes[5], bytes[200_000], bytes[299_999]) = (1, 2, 3);
        let mut writer = Writer::new(File::new(disk.create("some").unwrap(), Purpose::SavedStates), "some");
        writer.sparse(&bytes).unwrap();
        writer.list(&[7, 8]).unwrap();
        let entry = writer.finish().unwrap();
        assert!(entry.bytes < 14_000, "{}", entry.bytes);
        let mut reader = open(&disk, &entry);
        let mut found = vec![0; 300_000];
        reader.sparse(&mut found).unwrap();
        assert_eq!((found, reader.list().unwrap()), (bytes, vec![7, 8]));
        reader.finish().unwrap();
    }
}
