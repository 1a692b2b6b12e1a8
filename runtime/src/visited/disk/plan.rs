//! How the memory of a set on disk is divided.

use super::candidates::Candidates;
use super::identity::Identity;
use super::members::Members;
use super::pool::{Pool, WAYS};
use crate::visited::{Own, Segmentation};

/// Candidates of a segment, at least: what is found together should have room.
const FEWEST: u64 = 1024;
/// Bytes to read or write at a time, at least and at most.
const CHUNK: std::ops::RangeInclusive<u64> = 4 << 10..=256 << 10;
/// The share of the memory that is for that, and the buffers among which it is divided.
const CHUNK_PART: u64 = 8;
pub const CHUNKS: u64 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub segmentation: Segmentation,
    /// The segments of this process.
    pub own: Own,
    /// Of each segment: lines of the pool, candidates, and bytes to read at a time.
    pub lines: u64,
    pub candidates: u64,
    pub chunk: u64,
    /// Bytes of all segments of this process together.
    pub bytes: u64,
}

impl Plan {
    /// A plan for `bytes` bytes in all, or the least that is needed if that is more.
    pub fn new<I: Identity>(identity: &I, bytes: u64, plain: bool, own: impl Into<Own>) -> Self {
        let own = own.into();
        let segments = own.count.max(1) as u64;
        let shape = identity.shape();
        let each = bytes / segments;
        let chunk = (each / CHUNK_PART / CHUNKS).clamp(*CHUNK.start(), *CHUNK.end());
        let rest = each.saturating_sub(chunk * CHUNKS);
        let (lines, candidates, memory) = match plain {
            true => {
                let candidate = Candidates::bytes(shape) + Members::BYTES;
                let candidates = (rest / candidate).max(FEWEST);
                (0, candidates, candidates * candidate)
            }
            false => {
                let fewest = FEWEST / Pool::candidates(1);
                let lines = (rest / Pool::line_bytes(shape)).clamp(fewest, Pool::MOST);
                (lines, Pool::candidates(lines), lines * Pool::line_bytes(shape))
            }
        };
        let bytes = (chunk * CHUNKS + memory) * segments;
        Plan { segmentation: own.segmentation, own, lines, candidates, chunk, bytes }
    }

    /// States that are known in memory, candidates among them.
    pub fn known(&self) -> u64 {
        self.lines * WAYS as u64 * self.own.count as u64
    }
}
