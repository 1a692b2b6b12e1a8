//! The records of a segment in a checkpoint: how many there are, those that are still in memory,
//! and block after block as they are in the file.

use super::{Block, Log, Records, checksum};
use crate::checkpoint::{Reader, Writer};
use crate::storage::StorageError;
use crate::visited::numbers::NUMBER_BITS;
use std::sync::atomic::Ordering;

/// No block is longer.
const LONGEST: u64 = 1 << 20;

impl Log {
    pub fn save(&self, records: &Records, file: &mut Writer) -> Result<(), StorageError> {
        let Log { blocks, buffered, last, length, .. } = self;
        let unwritten = self.unwritten();
        file.words(&[*length, u64::from(*buffered), *last])?;
        file.words(&[unwritten.len() as u64, blocks.len() as u64])?;
        file.bytes(unwritten)?;
        let mut bytes = Vec::new();
        for block in blocks {
            bytes.resize(block.bytes as usize, 0);
            records.file.read(block.offset, &mut bytes)?;
            if checksum(&bytes) != block.checksum {
                return Err(records.file.corrupted(block.offset, bytes.len()));
            }
            file.words(&[block.first, bytes.len() as u64])?;
            file.bytes(&bytes)?;
        }
        Ok(())
    }

    /// Reads over the records of that number of states.
    pub fn skip(expected: u64, file: &mut Reader) -> Result<(), StorageError> {
        let mut head = [0; 3];
        file.words(&mut head)?;
        let (unwritten, blocks) = (file.at_most(LONGEST)?, file.count(1)?);
        if head[0] != expected {
            return Err(file.unexpected());
        }
        let mut bytes = vec![0; unwritten as usize];
        file.bytes(&mut bytes)?;
        for _ in 0..blocks {
            file.number()?;
            bytes.resize(file.at_most(LONGEST)? as usize, 0);
            file.bytes(&mut bytes)?;
        }
        Ok(())
    }

    /// Restores an empty log from what was saved. The contents of the saved file are copied into
    /// the new one.
    pub fn restore(
        &mut self,
        records: &Records,
        expected: u64,
        file: &mut Reader,
    ) -> Result<(), StorageError> {
        self.length = file.at_most(1 << NUMBER_BITS)?;
        self.buffered = file.at_most(self.length.min(u64::from(u32::MAX)))? as u32;
        self.last = file.at_most(1 << NUMBER_BITS)?;
        let bytes = file.at_most(LONGEST)? as usize;
        let blocks = file.count(1)?;
        if self.length != expected {
            return Err(file.unexpected());
        }
        self.buffer.resize(bytes, 0);
        file.bytes(&mut self.buffer)?;
        self.used = bytes;
        let mut contents = Vec::new();
        let mut before = None;
        for _ in 0..blocks {
            let first = file.at_most(self.length - u64::from(self.buffered))?;
            // The first block has the first record, and each one those after the block before.
            if before.map_or(first != 0, |before| first <= before) {
                return Err(file.unexpected());
            }
            before = Some(first);
            let bytes = file.at_most(LONGEST)?;
            contents.resize(bytes as usize, 0);
            file.bytes(&mut contents)?;
            let offset = records.end.fetch_add(bytes, Ordering::Relaxed);
            records.file.write(offset, &contents)?;
            self.blocks.push(Block { first, bytes: bytes as u32, offset, checksum: checksum(&contents) });
        }
        Ok(())
    }
}
