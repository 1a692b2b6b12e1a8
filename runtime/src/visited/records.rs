//! The predecessors of states that are not kept: one record a state, in a file that is only written
//! at its end.
//!
//! Each segment of the visited set writes blocks of its own. A block is records, one after the
//! other, of the states with consecutive numbers in the segment:
//!
//! | field | bytes | meaning |
//! |---|---|---|
//! | origin | 1 to 8 | 0: a start state. Otherwise 1 + the zigzag form of the predecessor's number less that of the record before; seven bits a byte, the lowest first, and the top bit says that more follow. Below 2^32 states at most five bytes |
//! | signature | b/8, rounded up | the lowest byte first |
//!
//! In a block, the record before the first one counts as having number 0. The file has no header
//! and no version, because no other process ever reads it, and it has no name. Which block is where
//! is kept in memory, with its checksum: some bytes for a thousand records.

mod saved;

use crate::hashing::words::hash_of;
use crate::storage::{File, Purpose, Storage, StorageError};
use crate::visited::numbers::NUMBER_BITS;
use crate::visited::{Origin, StateIndex};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a block, about.
const BLOCK: usize = 8 << 10;
/// No record takes more bytes: eight for the origin, whose number has 48 bits, and eight.
const LONGEST: usize = size_of::<u128>();

/// What is known about a state that is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub origin: Origin,
    pub signature: u64,
}

/// The file that all segments write to.
#[derive(Debug)]
pub struct Records {
    file: File,
    end: AtomicU64,
    /// Bytes of a signature.
    bytes: usize,
}

/// The records of one segment.
#[derive(Debug, Default)]
pub struct Log {
    /// The number of the first record of each block, where it is and how long.
    blocks: Vec<Block>,
    /// The records after those, as they will be written, at the beginning of the
    /// buffer. Behind them there is always room for one.
    buffer: Vec<u8>,
    used: usize,
    /// How many records there are in the buffer, and the last predecessor.
    buffered: u32,
    last: u64,
    length: u64,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    first: u64,
    bytes: u32,
    offset: u64,
    checksum: u64,
}

impl Records {
    /// A log of records with signatures of `bits` bits.
    pub fn new(storage: Arc<dyn Storage>, bits: u32) -> Self {
        let file = File::new(storage, Purpose::Records);
        Records { file, end: AtomicU64::new(0), bytes: bits.div_ceil(8).clamp(1, 8) as usize }
    }

    /// Bytes written.
    pub fn len(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }
}

impl Log {
    /// Appends the record of the next state.
    #[inline]
    pub fn push(&mut self, records: &Records, record: Record) -> Result<(), StorageError> {
        let Record { origin, signature } = record;
        // From the lowest byte on.
        let (mut bytes, mut count) = (0u128, 1);
        if let Some(StateIndex(predecessor)) = origin.predecessor() {
            let apart = predecessor.wrapping_sub(self.last) as i64;
            let mut rest = (apart << 1 ^ apart >> 63) as u64 + 1;
            self.last = predecessor;
            bytes = u128::from(rest & 127);
            while rest >= 128 {
                rest >>= 7;
                bytes |= u128::from(128 | (rest & 127) << 8) << (8 * (count - 1));
                count += 1;
            }
        }
        bytes |= u128::from(signature) << (8 * count);
        if self.buffer.len() < self.used + LONGEST {
            self.buffer.resize(BLOCK.max(self.used) + LONGEST, 0);
        }
        // Whatever is written beyond the record is written over by the next one.
        if let Some(place) = self.buffer.get_mut(self.used..self.used + LONGEST) {
            place.copy_from_slice(&bytes.to_le_bytes());
        }
        self.used += count + records.bytes;
        self.buffered += 1;
        self.length += 1;
        if self.used < BLOCK { Ok(()) } else { self.flush(records) }
    }

    /// The records that are not in the file.
    fn unwritten(&self) -> &[u8] {
        self.buffer.get(..self.used).unwrap_or_default()
    }

    #[cold]
    fn flush(&mut self, records: &Records) -> Result<(), StorageError> {
        let bytes = self.used as u32;
        let offset = records.end.fetch_add(u64::from(bytes), Ordering::Relaxed);
        records.file.write(offset, self.unwritten())?;
        let checksum = checksum(self.unwritten());
        self.blocks.push(Block { first: self.length - u64::from(self.buffered), bytes, offset, checksum });
        (self.used, self.buffered, self.last) = (0, 0, 0);
        Ok(())
    }

    /// The record of a state, by its number in the segment; `None`: there is no such state.
    pub fn get(&self, records: &Records, number: u64) -> Result<Option<Record>, StorageError> {
        if number >= self.length {
            return Ok(None);
        }
        let first = self.length - u64::from(self.buffered);
        if number >= first {
            return Ok(nth(self.unwritten(), records.bytes, number - first));
        }
        let after = self.blocks.partition_point(|block| block.first <= number);
        let Some(&block) = after.checked_sub(1).and_then(|at| self.blocks.get(at)) else {
            return Ok(None);
        };
        let mut bytes = vec![0; block.bytes as usize];
        records.file.read(block.offset, &mut bytes)?;
        if checksum(&bytes) != block.checksum {
            return Err(records.file.corrupted(block.offset, bytes.len()));
        }
        Ok(nth(&bytes, records.bytes, number - block.first))
    }

    /// Bytes of memory in use.
    #[cfg(test)]
    pub fn memory(&self) -> u64 {
        (self.buffer.capacity() + self.blocks.capacity() * size_of::<Block>()) as u64
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    hash_of(bytes.len().div_ceil(8), |at| words.get(at).map_or(last, |word| u64::from_le_bytes(*word)))
}

/// The record at a position of a block.
fn nth(mut bytes: &[u8], width: usize, number: u64) -> Option<Record> {
    let mut last = 0u64;
    let mut at = 0;
    loop {
        let (mut rest, mut shift) = (0u64, 0u32);
        loop {
            let (&byte, others) = bytes.split_first()?;
            bytes = others;
            // No number is so long.
            rest |= u64::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if byte < 128 {
                break;
            }
        }
        let origin = match rest.checked_sub(1) {
            None => Origin::START,
            Some(zigzag) => {
                last = last.wrapping_add(zigzag >> 1 ^ (zigzag & 1).wrapping_neg());
                Origin::from(StateIndex(last & ((1 << NUMBER_BITS) - 1)))
            }
        };
        let (signature, others) = bytes.split_at_checked(width)?;
        bytes = others;
        if at == number {
            let mut full = [0; 8];
            full[..width].copy_from_slice(signature);
            return Some(Record { origin, signature: u64::from_le_bytes(full) });
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::storage::Operation;
    use crate::storage::faulty::Faulty;

    fn record(random: &mut Random, bits: u32) -> Record {
        let origin = match random.below(5) {
            0 => Origin::START,
            1 => Origin(random.number() >> (64 - NUMBER_BITS)),
            2 => Origin(1 + (1 << NUMBER_BITS) - 2 - random.below(1000)),
            _ => Origin(random.below(1000)),
        };
        Record { origin, signature: random.number() >> (64 - bits) }
    }

    #[test]
    fn two_logs_in_one_file_keep_their_records() {
        for bits in [8, 13, 40, 64] {
            let records = Records::new(Arc::new(Faulty::after(u64::MAX)), bits);
            let mut logs = [Log::default(), Log::default()];
            let mut expected = [Vec::new(), Vec::new()];
            let mut random = Random(u64::from(bits));
            for _ in 0..20_000 {
                let at = random.below(2) as usize;
                let record = record(&mut random, bits);
                logs[at].push(&records, record).unwrap();
                expected[at].push(record);
            }
            assert!(records.len() > 8 * BLOCK as u64);
            for (log, expected) in logs.iter().zip(&expected) {
                for (number, record) in expected.iter().enumerate().filter(|(at, _)| at % 37 == 0) {
                    assert_eq!(log.get(&records, number as u64).unwrap(), Some(*record));
                }
                let last = expected.len() as u64 - 1;
                assert_eq!(log.get(&records, last).unwrap(), expected.last().copied());
                assert_eq!(log.get(&records, last + 1).unwrap(), None);
            }
        }
    }

    /// Predecessors that follow each other take a byte each.
    #[test]
    fn records_are_small() {
        let records = Records::new(Arc::new(Faulty::after(u64::MAX)), 40);
        let mut log = Log::default();
        for number in 0..100_000 {
            log.push(&records, Record { origin: Origin(number / 3 + 500_000), signature: 77 }).unwrap();
        }
        assert!(records.len() < 100_000 * 6 + 1000, "{}", records.len());
        assert!(log.memory() < 20_000);
    }

    /// Records have numbers beyond 2^32, in the file and in memory.
    #[test]
    fn there_may_be_many_records() {
        let records = Records::new(Arc::new(Faulty::after(u64::MAX)), 24);
        let first = (1 << 32) - 5_000;
        let mut log = Log { length: first, ..Log::default() };
        let mut random = Random(5);
        let pushed: Vec<Record> = (0..20_000).map(|_| record(&mut random, 24)).collect();
        pushed.iter().for_each(|&record| log.push(&records, record).unwrap());
        assert!(log.blocks.iter().any(|block| block.first > 1 << 32));
        for (number, &record) in (first..).zip(&pushed).step_by(7) {
            assert_eq!(log.get(&records, number).unwrap(), Some(record));
        }
        assert_eq!(log.get(&records, first + 20_000).unwrap(), None);
    }

    #[test]
    fn a_full_disk_is_reported() {
        let storage = Arc::new(Faulty::after(3));
        let records = Records::new(storage.clone(), 64);
        let mut log = Log::default();
        let mut random = Random(1);
        let mut pushed = Vec::new();
        let error = loop {
            let record = record(&mut random, 64);
            pushed.push(record);
            if let Err(error) = log.push(&records, record) {
                break error;
            }
        };
        assert_eq!(error.kind, std::io::ErrorKind::StorageFull);
        assert_eq!((error.file, error.operation), (Purpose::Records, Operation::Write));
        assert_eq!(log.blocks.len(), 3);
        // What was written before can still be read, when the disk allows it.
        assert!(log.get(&records, 0).is_err());
        storage.allow(100);
        assert_eq!(log.get(&records, 0).unwrap(), Some(pushed[0]));
        let last = pushed.len() - 1;
        assert_eq!(log.get(&records, last as u64).unwrap(), Some(pushed[last]));
    }
}
