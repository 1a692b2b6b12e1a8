//! The records of a segment in a checkpoint: how many there are, those that are still in memory,
//! and block after block as they are in the file.

use super::code::{LONGEST, Reading};
use super::{Block, Log, Records, checksum};
use crate::checkpoint::{Reader, Writer};
use crate::storage::{ResourceError, StorageError};
use crate::visited::numbers::NUMBER_BITS;
use std::sync::atomic::Ordering;

/// No block is longer.
const MOST: u64 = 1 << 20;

impl Log {
    pub fn save(&self, records: &Records, file: &mut Writer) -> Result<(), StorageError> {
        let Log { blocks, buffered, used, length, .. } = self;
        let unwritten = self.unwritten();
        file.words(&[*length, u64::from(*buffered), *used as u64, blocks.len() as u64])?;
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
        let mut head = [0; 2];
        file.words(&mut head)?;
        let (used, blocks) = (file.at_most(8 * MOST)?, file.count(1)?);
        if head[0] != expected {
            return Err(file.unexpected());
        }
        let mut bytes = vec![0; used.div_ceil(8) as usize];
        file.bytes(&mut bytes)?;
        for _ in 0..blocks {
            file.number()?;
            bytes.resize(file.at_most(MOST)? as usize, 0);
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
    ) -> Result<(), ResourceError> {
        self.length = file.at_most(1 << NUMBER_BITS)?;
        self.buffered = file.at_most(self.length.min(u64::from(u32::MAX)))? as u32;
        let used = file.at_most(8 * MOST)? as usize;
        let blocks = file.count(1)?;
        if self.length != expected {
            return Err(file.unexpected().into());
        }
        self.restore_unwritten(records, used, file)?;
        let mut contents = Vec::new();
        let mut before = None;
        for _ in 0..blocks {
            let first = file.at_most(self.length - u64::from(self.buffered))?;
            // The first block has the first record, and each one those after the block before.
            if before.map_or(first != 0, |before| first <= before) {
                return Err(file.unexpected().into());
            }
            before = Some(first);
            let bytes = file.at_most(MOST)?;
            contents.resize(bytes as usize, 0);
            file.bytes(&mut contents)?;
            let offset = records.end.fetch_add(bytes, Ordering::Relaxed);
            records.file.write(offset, &contents)?;
            self.make_room(records)?;
            self.blocks.push(Block { first, bytes: bytes as u32, offset, checksum: checksum(&contents) });
        }
        Ok(())
    }

    /// The records that were in memory, from which the code of the next ones follows. A log without
    /// records has none, and need not have begun a block.
    fn restore_unwritten(
        &mut self,
        records: &Records,
        used: usize,
        file: &mut Reader,
    ) -> Result<(), ResourceError> {
        self.make_room(records)?;
        if used == 0 {
            return if self.length == 0 { Ok(()) } else { Err(file.unexpected().into()) };
        }
        let bytes = used.div_ceil(8);
        if self.buffer.len() < bytes + LONGEST {
            let more = bytes + LONGEST - self.buffer.len();
            records.hold(more)?;
            self.buffer.reserve_exact(more);
            self.buffer.resize(bytes + LONGEST, 0);
        }
        file.bytes(&mut self.buffer[..bytes])?;
        let code = Reading::new(&self.buffer[..bytes], records.segmentation, records.bits)
            .and_then(|mut reading| {
                (0..self.buffered).try_for_each(|_| reading.record().map(drop))?;
                Some(reading.end())
            })
            .filter(|&(end, _)| end == used);
        (self.used, self.code) = code.ok_or_else(|| file.unexpected())?;
        Ok(())
    }
}
