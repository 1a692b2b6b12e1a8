//! Queues and stacks that are longer than memory: both ends are in memory, the rest is in files.
//!
//! Entries of equal size are gathered in blocks ([`fifo`], [`lifo`]). A queue or stack has a fixed
//! number of blocks in memory ([`buffers`]). When they are not enough, blocks go to a thread that
//! writes them to files and reads them back ([`channel`], [`thread`], [`files`]): written behind
//! and read ahead, so the search goes on meanwhile. Without a disk the same code keeps all blocks
//! in memory, as far as the budget allows.
//!
//! Every queue has two files, or none if it never needs them, and every stack has one. They have no
//! names, and are read and written sequentially. [`files`] gives their format.

mod blocks;
pub(crate) mod buffers;
mod channel;
pub(crate) mod fifo;
mod files;
pub(crate) mod lifo;
pub(crate) mod pack;
pub(crate) mod sequence;
mod thread;

use crate::memory::Budget;
use crate::storage::Directory;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use thread::Spool;

/// Bytes of a block on its way to the disk, at least and at most: long enough for a disk, short
/// enough for a cache.
const BLOCK: std::ops::RangeInclusive<u64> = 256..=256 << 10;
/// Blocks of a queue that goes to disk, at least. See [`fifo`] for who needs them.
const FEWEST: u64 = 6;
/// Blocks that a share of the memory is divided into, if they are then neither too short nor too
/// long.
const USUAL: u64 = 6;

/// What a search has written to its queue on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpillStats {
    /// Bytes of the entries that were written, before they were packed.
    pub entry_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// The most bytes in all files together.
    pub peak_bytes: u64,
}

impl SpillStats {
    /// The figures of a resumed search, added to those before the checkpoint.
    #[must_use]
    pub fn after(self, before: SpillStats) -> Self {
        SpillStats {
            entry_bytes: self.entry_bytes + before.entry_bytes,
            written_bytes: self.written_bytes + before.written_bytes,
            peak_bytes: self.peak_bytes.max(before.peak_bytes),
        }
    }

    /// These figures, and those of other processes at the same time.
    #[must_use]
    pub fn and(self, others: SpillStats) -> Self {
        SpillStats {
            entry_bytes: self.entry_bytes.saturating_add(others.entry_bytes),
            written_bytes: self.written_bytes.saturating_add(others.written_bytes),
            peak_bytes: self.peak_bytes.saturating_add(others.peak_bytes),
        }
    }

    /// Bytes written for each byte of the entries.
    pub fn packed(&self) -> f64 {
        self.written_bytes as f64 / self.entry_bytes.max(1) as f64
    }
}

/// Counters behind [`SpillStats`].
#[derive(Debug, Default)]
struct SpillCounters {
    entries: AtomicU64,
    written: AtomicU64,
    now: AtomicU64,
    peak: AtomicU64,
}

impl SpillCounters {
    fn wrote(&self, entries: usize, bytes: usize) {
        self.entries.fetch_add(entries as u64, Ordering::Relaxed);
        self.written.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// A file has another length.
    fn resized(&self, before: u64, after: u64) {
        let now = self.now.fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
        self.peak.fetch_max(now.wrapping_add(after).wrapping_sub(before), Ordering::Relaxed);
    }

    fn spilled(&self) -> SpillStats {
        SpillStats {
            entry_bytes: self.entries.load(Ordering::Relaxed),
            written_bytes: self.written.load(Ordering::Relaxed),
            peak_bytes: self.peak.load(Ordering::Relaxed),
        }
    }
}

/// The memory and, if any, the disk that queues and stacks take their blocks from.
#[derive(Clone, Debug)]
pub struct Supply {
    budget: Arc<Budget>,
    disk: Option<Disk>,
}

#[derive(Clone, Debug)]
struct Disk {
    spool: Arc<Spool>,
    /// The share of the memory.
    bytes: u64,
}

impl Supply {
    /// Keeps everything in memory.
    pub fn memory(budget: Arc<Budget>) -> Self {
        Supply { budget, disk: None }
    }

    /// Keeps `bytes` in memory, and the rest in files in this directory.
    pub fn disk(budget: Arc<Budget>, directory: Arc<dyn Directory>, bytes: u64) -> Self {
        // Some of it is for the thread that packs blocks and writes them.
        let bytes = bytes - bytes / 8;
        Supply { budget, disk: Some(Disk { spool: Arc::new(Spool::new(directory)), bytes }) }
    }

    /// `part` of `whole` of the share.
    #[must_use]
    pub fn part(&self, part: u64, whole: u64) -> Self {
        let share = |disk: &Disk| Disk { spool: disk.spool.clone(), bytes: disk.bytes * part / whole };
        Supply { budget: self.budget.clone(), disk: self.disk.as_ref().map(share) }
    }

    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Bytes that stay in memory, if that number is fixed.
    pub fn settled(&self) -> Option<u64> {
        self.disk.as_ref().map(|disk| disk.bytes)
    }

    /// What was written to disk so far; `None` where everything stays in memory.
    pub fn spilled(&self) -> Option<SpillStats> {
        self.disk.as_ref().map(|disk| disk.spool.spilled())
    }

    /// The shape of blocks for entries of `words` words. `bytes` is the size of a block where all
    /// blocks stay in memory.
    fn measure(&self, words: usize, bytes: u64) -> Measure {
        let entry = (words.max(1) * size_of::<u64>()) as u64;
        let (block, most) = match &self.disk {
            None => (bytes, usize::MAX),
            Some(disk) => {
                let block = (disk.bytes / USUAL).clamp(*BLOCK.start(), *BLOCK.end());
                (block, 0)
            }
        };
        let entries = (block / entry).max(1);
        let shift = entries.ilog2();
        let most = match &self.disk {
            None => most,
            Some(disk) => (disk.bytes / (entry << shift)).max(FEWEST) as usize,
        };
        Measure { words: words.max(1), shift, most }
    }
}

/// The shape of the blocks of a queue or stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Measure {
    /// Words of an entry.
    words: usize,
    /// A block has `1 << shift` entries.
    shift: u32,
    /// Largest number of blocks.
    most: usize,
}

#[cfg(test)]
mod tests;
