//! The files of one queue or stack, as the thread that reads and writes sees them.
//!
//! **A queue** has two files. Blocks are appended to one of them and read from the other, from its
//! beginning to its end. When that has been read, it is emptied, which gives its space back if it
//! was long, and the two change roles. So both are read and written in order, no list of blocks is
//! needed, and the files are never longer than what the queue held since the roles were changed
//! last.
//!
//! **A stack** has one file. Blocks are appended to it and read back from its end; it is shortened
//! when less than half of it is in use.
//!
//! A file begins with 16 bytes: `mccqueue`, the version (4 bytes) and 0 for a queue, 1 for a stack
//! (4 bytes). All numbers have their lowest byte first. Then there is block after block, each with
//! a *label* of 40 bytes, which a queue has before the entries and a stack behind them:
//!
//! | field | bytes | meaning |
//! |---|---|---|
//! | written | 8 | how many blocks were written before, so that an old one is not taken for a new one |
//! | below | 8 | a stack: one more than this number of the block that lies below, and 0 for the lowest; a queue: 0 |
//! | words | 4 | of the block, eight bytes each |
//! | stride | 4 | words of an entry |
//! | length | 4 | bytes of the entries as they are in the file |
//! | form | 4 | 0: the words themselves. 1: packed, see [`super::pack`] |
//! | checksum | 8 | of the label without it, and of the bytes of the entries |
//!
//! No other process ever reads these files, but disks lose writes and flip bits, and a search that
//! continues with other states than it found proves nothing. So every field of a label is compared
//! with its expected value.

use super::pack::{pack, unpack};
use super::thread::Shared;
use crate::hashing::words::hash_of;
use crate::memory::Block;
use crate::storage::ResourceError;
use crate::storage::{File, Purpose, StorageError};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"mccqueue";
const VERSION: u32 = 1;
const HEADER: u64 = 16;
/// A file up to this length is written over from its beginning rather than emptied: giving space
/// back takes a file system longer than writing some blocks, and a short queue comes to the end of
/// its file all the time.
const KEPT: u64 = 1 << 20;
const LABEL: usize = 40;
const PLAIN: u32 = 0;
const PACKED: u32 = 1;

/// Which block is read back first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Queue,
    Stack,
}

#[derive(Debug)]
pub struct BlockFiles {
    order: Order,
    stride: usize,
    shared: Arc<Shared>,
    /// A stack has the first only.
    files: [BlockFile; 2],
    /// The one that is written to.
    writing: usize,
    /// A queue: where reading goes on in the other one, and how many blocks are left there.
    position: u64,
    left: u64,
    /// Blocks in the one that is written to.
    there: u64,
    /// Blocks written and read in all.
    written: u64,
    read: u64,
    /// A stack: one more than the number of its highest block; 0: there is none.
    top: u64,
    failed: Option<StorageError>,
}

/// A file, if there is one already.
#[derive(Debug, Default)]
struct BlockFile {
    file: Option<File>,
    /// Where the next block goes.
    end: u64,
    /// How long the file is.
    length: u64,
}

impl BlockFiles {
    /// Files for entries of `stride` words.
    pub fn new(order: Order, stride: usize, shared: Arc<Shared>) -> Self {
        BlockFiles {
            order,
            stride,
            shared,
            files: Default::default(),
            writing: 0,
            position: 0,
            left: 0,
            there: 0,
            written: 0,
            read: 0,
            top: 0,
            failed: None,
        }
    }

    /// Writes a block. `bytes` is scratch space.
    pub fn write(&mut self, block: &Block, bytes: &mut Vec<u8>) -> Result<(), StorageError> {
        self.unless_failed(|files| files.append(block, bytes))
    }

    /// Reads the next block.
    pub fn read(&mut self, block: &mut Block, bytes: &mut Vec<u8>) -> Result<(), StorageError> {
        self.unless_failed(|files| match files.order {
            Order::Queue => files.read_next(block, bytes),
            Order::Stack => files.read_last(block, bytes),
        })
    }

    /// Returns the first error again: whatever follows it would be out of order.
    fn unless_failed(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        if let Some(failure) = self.failed {
            return Err(failure);
        }
        work(self).inspect_err(|&failure| self.failed = Some(failure))
    }

    fn header(&self) -> [u8; HEADER as usize] {
        let mut header = [0; HEADER as usize];
        header[..8].copy_from_slice(&MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..].copy_from_slice(&u32::from(self.order == Order::Stack).to_le_bytes());
        header
    }

    fn append(&mut self, block: &Block, bytes: &mut Vec<u8>) -> Result<(), StorageError> {
        let header = self.header();
        let before = match self.order {
            Order::Queue => LABEL,
            Order::Stack => 0,
        };
        bytes.clear();
        bytes.resize(before, 0);
        let form = if pack(block, self.stride, bytes) { PACKED } else { PLAIN };
        let label = Label {
            written: self.written,
            below: self.top,
            words: block.len() as u32,
            stride: self.stride as u32,
            length: (bytes.len() - before) as u32,
            form,
        };
        let label = label.to_bytes(&bytes[before..]);
        match self.order {
            Order::Queue => bytes[..LABEL].copy_from_slice(&label),
            Order::Stack => bytes.extend_from_slice(&label),
        }
        let target = &mut self.files[self.writing];
        let file = match &target.file {
            Some(file) => file,
            None => {
                let file = File::create(&*self.shared.directory, Purpose::Queue)?;
                file.write(0, &header)?;
                self.shared.figures.resized(0, HEADER);
                (target.end, target.length) = (HEADER, HEADER);
                target.file.insert(file)
            }
        };
        file.write(target.end, bytes)?;
        target.end += bytes.len() as u64;
        self.shared.figures.wrote(block.len() * size_of::<u64>(), bytes.len());
        self.shared.figures.resized(target.length, target.length.max(target.end));
        target.length = target.length.max(target.end);
        self.there += 1;
        self.written += 1;
        if self.order == Order::Stack {
            self.top = self.written;
        }
        Ok(())
    }

    fn read_next(&mut self, block: &mut Block, bytes: &mut Vec<u8>) -> Result<(), StorageError> {
        if self.left == 0 {
            self.swap()?;
        }
        self.position = self.read_at(1 - self.writing, self.position, self.read, block, bytes)?;
        self.read += 1;
        self.left -= 1;
        if self.left == 0 {
            self.empty(1 - self.writing)?;
        }
        Ok(())
    }

    /// Reads the block that is there in a file, and says where the next one is.
    fn read_at(
        &self,
        index: usize,
        position: u64,
        written: u64,
        block: &mut Block,
        bytes: &mut Vec<u8>,
    ) -> Result<u64, StorageError> {
        let Some(file) = &self.files[index].file else { return Err(nothing()) };
        let mut label = [0; LABEL];
        file.read(position, &mut label)?;
        let label = Label::from_bytes(&label);
        label.expect(written, self.stride, block).ok_or_else(|| file.corrupted(position, LABEL))?;
        bytes.resize(label.label.length as usize, 0);
        file.read(position + LABEL as u64, bytes)?;
        let corrupted = || file.corrupted(position, LABEL + bytes.len());
        label.restore(bytes, block).ok_or_else(corrupted)?;
        Ok(position + (LABEL + bytes.len()) as u64)
    }

    /// A queue: visits all blocks in the order in which they would be read, each read into this
    /// one. They stay in the files.
    pub fn each(
        &self,
        block: &mut Block,
        visit: &mut dyn FnMut(&Block) -> Result<(), ResourceError>,
    ) -> Result<(), ResourceError> {
        if let Some(failure) = self.failed {
            return Err(failure.into());
        }
        let mut bytes = Vec::new();
        let mut number = self.read;
        let files = [(1 - self.writing, self.position, self.left), (self.writing, HEADER, self.there)];
        for (index, mut position, blocks) in files {
            for _ in 0..blocks {
                position = self.read_at(index, position, number, block, &mut bytes)?;
                number += 1;
                visit(block)?;
            }
        }
        Ok(())
    }

    /// What was written is read from now on.
    fn swap(&mut self) -> Result<(), StorageError> {
        self.writing = 1 - self.writing;
        (self.left, self.there) = (self.there, 0);
        self.position = HEADER;
        self.check_header(1 - self.writing)?;
        if self.left == 0 { Err(nothing()) } else { Ok(()) }
    }

    fn check_header(&self, index: usize) -> Result<(), StorageError> {
        let Some(file) = &self.files[index].file else { return Err(nothing()) };
        let mut header = [0; HEADER as usize];
        file.read(0, &mut header)?;
        if header == self.header() { Ok(()) } else { Err(file.corrupted(0, header.len())) }
    }

    fn read_last(&mut self, block: &mut Block, bytes: &mut Vec<u8>) -> Result<(), StorageError> {
        let written = self.top.checked_sub(1).ok_or_else(nothing)?;
        let target = &self.files[0];
        let Some(file) = &target.file else { return Err(nothing()) };
        let mut label = [0; LABEL];
        let at = target.end.saturating_sub(LABEL as u64);
        file.read(at, &mut label)?;
        let label = Label::from_bytes(&label);
        let expected = label.expect(written, self.stride, block);
        let start = expected.and_then(|()| at.checked_sub(u64::from(label.label.length)));
        let start = start.ok_or_else(|| file.corrupted(at, LABEL))?;
        bytes.resize(label.label.length as usize, 0);
        file.read(start, bytes)?;
        label.restore(bytes, block).ok_or_else(|| file.corrupted(start, LABEL + bytes.len()))?;
        self.top = label.label.below;
        let length = target.length;
        self.files[0].end = start;
        if start < length / 2 { self.shorten(0, start) } else { Ok(()) }
    }

    /// Everything in a file was read.
    fn empty(&mut self, index: usize) -> Result<(), StorageError> {
        if self.files[index].length > KEPT {
            return self.shorten(index, HEADER);
        }
        self.files[index].end = HEADER;
        Ok(())
    }

    fn shorten(&mut self, index: usize, length: u64) -> Result<(), StorageError> {
        let target = &mut self.files[index];
        if let Some(file) = &target.file {
            file.shorten(length)?;
            self.shared.figures.resized(target.length, length);
            (target.end, target.length) = (length, length);
        }
        Ok(())
    }
}

impl Drop for BlockFiles {
    fn drop(&mut self) {
        self.files.iter().for_each(|file| self.shared.figures.resized(file.length, 0));
    }
}

/// The error for a request of a block that was never written.
fn nothing() -> StorageError {
    StorageError::new(
        Purpose::Queue,
        crate::storage::Operation::Read,
        &std::io::ErrorKind::UnexpectedEof.into(),
    )
}

/// What is known about a block.
#[derive(Clone, Copy, Debug)]
struct Label {
    written: u64,
    below: u64,
    words: u32,
    stride: u32,
    length: u32,
    form: u32,
}

/// A label as it was read, with the checksum that stands in it.
#[derive(Clone, Copy, Debug)]
struct Found {
    label: Label,
    checksum: u64,
}

impl Label {
    fn fields(&self) -> [u64; 4] {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [self.written, self.below, pair(self.words, self.stride), pair(self.length, self.form)]
    }

    fn checksum(&self, bytes: &[u8]) -> u64 {
        let fields = self.fields();
        let whole = bytes.len() / 8;
        hash_of(fields.len() + bytes.len().div_ceil(8), |at| match at.checked_sub(fields.len()) {
            None => fields[at],
            Some(at) if at < whole => word(&bytes[8 * at..]),
            Some(at) => bytes[8 * at..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        })
    }

    fn to_bytes(self, bytes: &[u8]) -> [u8; LABEL] {
        let [written, below, words, length] = self.fields();
        let mut label = [0; LABEL];
        let fields = [written, below, words, length, self.checksum(bytes)];
        for (place, field) in label.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        label
    }

    fn from_bytes(label: &[u8; LABEL]) -> Found {
        let field = |at: usize| word(&label[8 * at..]);
        let label = Label {
            written: field(0),
            below: field(1),
            words: field(2) as u32,
            stride: (field(2) >> 32) as u32,
            length: field(3) as u32,
            form: (field(3) >> 32) as u32,
        };
        Found { label, checksum: field(4) }
    }
}

impl Found {
    /// Whether this is the label that is to be expected.
    fn expect(&self, written: u64, stride: usize, block: &Block) -> Option<()> {
        let Label { length, form, .. } = self.label;
        let plain = block.len() * size_of::<u64>();
        let fits = if form == PACKED { (length as usize) < plain } else { length as usize == plain };
        let right = self.label.written == written
            && self.label.words as usize == block.len()
            && self.label.stride as usize == stride;
        (right && fits && form <= PACKED).then_some(())
    }

    /// The entries, if they are those that were written.
    fn restore(&self, bytes: &[u8], block: &mut Block) -> Option<()> {
        if self.label.checksum(bytes) != self.checksum {
            return None;
        }
        match self.label.form {
            PACKED => unpack(bytes, self.label.stride as usize, block),
            _ => {
                block.iter_mut().zip(bytes.chunks_exact(8)).for_each(|(place, bytes)| *place = word(bytes));
                Some(())
            }
        }
    }
}

/// The first eight bytes.
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
