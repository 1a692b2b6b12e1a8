//! The predecessors of states that are not kept: one record a state, of about two bytes, in a file
//! that is only written at its end.
//!
//! Each segment of the visited set writes blocks of its own. A block is records, one after the
//! other, of the states with consecutive numbers in the segment, in the code of [`code`]:
//!
//! | field | bits | meaning |
//! |---|---|---|
//! | predecessor | 2 to 220, most of them 8 to 12 | its number, relative to those of earlier records |
//! | signature | 10 or more ([`compared`]) less those of the segment, 4 at least | a part of the hash of the state |
//!
//! The file has no header and no version, because no other process ever reads it, and it has no
//! name. Which block is where is kept in memory, with its checksum: 32 bytes for two thousand
//! records. These and the buffers are counted.
//!
//! **Why ten bits of a state are enough.** A record says little about its state, but a path is
//! known by all of its records, and its last state to the last bit. Let n(0) … n(k) be the numbers
//! from a start state to the state e with an error, as the records name them, and x(i) the state
//! that got the number n(i). C(0) are the start states whose signature is that of n(0), and C(i+1)
//! the successors of states of C(i) whose signature is that of n(i+1) (`trace/candidates.rs`).
//!
//! - *A path is found.* x(0) is in C(0). If x(i) is in C(i), then x(i+1) is in C(i+1): the record
//!   of n(i+1) was made when x(i+1) was found as a successor of the state with the number in it,
//!   which is x(i), and a signature depends on nothing but the state. So x(k) = e is in C(k).
//! - *Whatever is found is a counterexample.* Each state of C(i+1) is a successor of one of C(i).
//!   So from e in C(k) there is a path back to a start state, of k steps as the one that the search
//!   took; breadth first no path is shorter. It need not be that path.
//!
//! This holds for signatures of any width, and tests use none at all. It does not matter that
//! signatures of `-c` stand for several states (x(i) is the one that was found and expanded), nor
//! that a cache has several records of a state (a record names the number that was expanded), nor
//! that rules slept (the rule by which a state was found is one of all rules, by which traces
//! expand). Where states are reduced, *state* is the reduced form, and C(i) are such forms; with
//! `--compress-paths` a *successor* is one of the state where the walk ends, and x(k) leads to e by
//! a walk, and there a path has as many stored states but perhaps other walks.
//!
//! States that are in C(i) by chance cost time and memory: with s successors a state and signatures
//! of b bits, s / 2^b of them are expected for each that is there. A state has at most as many
//! successors as there are instances of rules, so where these are more than 256, b is chosen such
//! that this is a quarter at most ([`compared`]): their number stays below two for each state on
//! the path, and does not grow with its length.

mod code;
mod saved;
#[cfg(test)]
mod tests;

use crate::hashing::words::hash_of;
use crate::memory::{Budget, MemoryError, counted};
use crate::storage::{File, Purpose, Storage, StorageError};
use crate::visited::numbers::Segmentation;
use crate::visited::{Origin, Recalled, StateIndex};
use code::{Code, LONGEST, Reading, Record};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a block, about.
const BLOCK: usize = 4 << 10;
/// Bits of a hash by which states are distinguished, with those that the segment says, at least.
const COMPARED: u32 = 10;
/// Start states that are candidates for the first one on a path: 2 to the power of this, about.
const STARTS: u32 = 10;
/// At least this number of them is not from the segment.
const LEAST: u32 = 4;

/// The file that all segments write to.
#[derive(Debug)]
pub struct Records {
    file: File,
    end: AtomicU64,
    segmentation: Segmentation,
    /// Bits of a signature in the file.
    bits: u32,
    /// Bytes of buffers and of what is known about blocks.
    held: AtomicU64,
    budget: Arc<Budget>,
}

/// The records of one segment.
#[derive(Debug, Default)]
pub struct Log {
    /// The number of the first record of each block, where it is and how long.
    blocks: Vec<Block>,
    /// The records after those, as they will be written, at the beginning of the buffer. Behind
    /// them there is always room for one.
    buffer: Vec<u8>,
    /// Bits of the buffer.
    used: usize,
    /// How many records there are in the buffer.
    buffered: u32,
    code: Code,
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
    /// A file for the segments of a set, with this number of [`compared`] bits.
    pub fn new(
        storage: Arc<dyn Storage>,
        segmentation: Segmentation,
        compared: u32,
        budget: Arc<Budget>,
    ) -> Self {
        let file = File::new(storage, Purpose::Records);
        let bits = signature_bits(segmentation, compared);
        Records { file, end: AtomicU64::new(0), segmentation, bits, held: AtomicU64::new(0), budget }
    }

    /// Bytes written.
    pub fn len(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    /// What a record says about a state, by the hash that says in which segment it belongs. States
    /// of different segments are different. The rest is mixed, because hashes may be linear: two
    /// states whose hashes agree in the top bits and that differ in what no rule on the path
    /// looks at would else go on together to its end.
    #[inline(always)]
    pub fn signature(&self, hash: u64) -> u64 {
        (self.segmentation.of_hash(hash) as u64) << self.bits | self.stored(hash)
    }

    #[inline(always)]
    fn stored(&self, hash: u64) -> u64 {
        let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // In two steps, because a shift by 64 is none.
        (mixed >> 1) >> (63 - self.bits)
    }

    /// Asks for memory before it is used.
    fn hold(&self, bytes: usize) -> Result<(), MemoryError> {
        let before = self.held.fetch_add(bytes as u64, Ordering::Relaxed);
        let taken = self.budget.take(counted(before + bytes as u64) - counted(before));
        taken.inspect_err(|_| {
            self.held.fetch_sub(bytes as u64, Ordering::Relaxed);
        })
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        self.budget.give_back(counted(*self.held.get_mut()));
    }
}

impl Log {
    /// Makes room for the next record, so that only the disk can refuse it.
    #[inline(always)]
    pub fn make_room(&mut self, records: &Records) -> Result<(), MemoryError> {
        match self.has_room() {
            true => Ok(()),
            false => self.grow(records),
        }
    }

    #[inline(always)]
    fn has_room(&self) -> bool {
        self.used / 8 + LONGEST <= self.buffer.len() && self.blocks.len() < self.blocks.capacity()
    }

    #[cold]
    fn grow(&mut self, records: &Records) -> Result<(), MemoryError> {
        // A buffer that could not be written is longer than a block.
        let bytes = BLOCK.max(self.used / 8) + LONGEST;
        if self.buffer.len() < bytes {
            records.hold(bytes - self.buffer.len())?;
            self.buffer.reserve_exact(bytes - self.buffer.len());
            self.buffer.resize(bytes, 0);
        }
        if self.code.is_empty() {
            records.hold(Code::bytes(records.segmentation))?;
            self.code = Code::new(records.segmentation);
            self.used = self.code.begin(&mut self.buffer);
        }
        if self.blocks.len() == self.blocks.capacity() {
            let more = (self.blocks.len() / 2).max(8);
            records.hold(more * size_of::<Block>())?;
            self.blocks.reserve_exact(more);
        }
        Ok(())
    }

    /// Appends the record of the next state, whose hash says in which segment it belongs. There is
    /// room.
    #[inline(always)]
    pub fn push(&mut self, records: &Records, origin: Origin, hash: u64) -> Result<(), StorageError> {
        let record = Record { origin, signature: records.stored(hash) };
        self.used = self.code.write(&mut self.buffer, self.used, record, records.bits);
        self.buffered += 1;
        self.length += 1;
        if self.used < 8 * BLOCK { Ok(()) } else { self.flush(records) }
    }

    /// The records that are not in the file.
    fn unwritten(&self) -> &[u8] {
        self.buffer.get(..self.used.div_ceil(8)).unwrap_or_default()
    }

    #[cold]
    fn flush(&mut self, records: &Records) -> Result<(), StorageError> {
        let bytes = self.unwritten().len() as u32;
        let offset = records.end.fetch_add(u64::from(bytes), Ordering::Relaxed);
        records.file.write(offset, self.unwritten())?;
        let checksum = checksum(self.unwritten());
        self.blocks.push(Block { first: self.length - u64::from(self.buffered), bytes, offset, checksum });
        self.used = self.code.begin(&mut self.buffer);
        self.buffered = 0;
        Ok(())
    }

    /// What is known about a state of this segment; `None`: there is no such state.
    pub fn get(&self, records: &Records, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        let number = records.segmentation.place(index);
        if number >= self.length {
            return Ok(None);
        }
        let first = self.length - u64::from(self.buffered);
        let record = if number >= first {
            nth(records, self.unwritten(), number - first)
        } else {
            let after = self.blocks.partition_point(|block| block.first <= number);
            let Some(&block) = after.checked_sub(1).and_then(|at| self.blocks.get(at)) else {
                return Ok(None);
            };
            let mut bytes = vec![0; block.bytes as usize];
            records.file.read(block.offset, &mut bytes)?;
            if checksum(&bytes) != block.checksum {
                return Err(records.file.corrupted(block.offset, bytes.len()));
            }
            nth(records, &bytes, number - block.first)
        };
        let segment = records.segmentation.of_index(index) as u64;
        Ok(record.map(|Record { origin, signature }| Recalled {
            origin,
            signature: Some(segment << records.bits | signature),
        }))
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    hash_of(bytes.len().div_ceil(8), |at| words.get(at).map_or(last, |word| u64::from_le_bytes(*word)))
}

/// The record at a position of a block.
fn nth(records: &Records, bytes: &[u8], number: u64) -> Option<Record> {
    let mut reading = Reading::new(bytes, records.segmentation, records.bits)?;
    for _ in 0..number {
        reading.record()?;
    }
    reading.record()
}

/// Bits of a hash by which the states of a model are distinguished that has this number of
/// instances of rules and of start states.
pub fn compared(rules: u32, starts: u32) -> u32 {
    let bits = |count: u32| u32::BITS - count.leading_zeros();
    COMPARED.max(bits(rules) + 2).max(bits(starts).saturating_sub(STARTS))
}

#[cfg(not(test))]
fn signature_bits(segmentation: Segmentation, compared: u32) -> u32 {
    compared.saturating_sub(segmentation.bits).max(LEAST)
}

#[cfg(test)]
fn signature_bits(segmentation: Segmentation, compared: u32) -> u32 {
    FORCED.get().unwrap_or(compared.saturating_sub(segmentation.bits).max(LEAST))
}

#[cfg(test)]
thread_local! {
    static FORCED: std::cell::Cell<Option<u32>> = const { std::cell::Cell::new(None) };
}

/// Does something with signatures of this number of bits, in sets that this thread makes.
#[cfg(test)]
pub fn signatures_of<T>(bits: u32, work: impl FnOnce() -> T) -> T {
    let before = FORCED.replace(Some(bits));
    let result = work();
    FORCED.set(before);
    result
}
