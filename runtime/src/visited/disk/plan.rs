//! How the memory of a set on disk is divided.

use super::candidates::Candidates;
use super::identity::{Identity, Shape};
use super::members::Members;
use crate::visited::Segmentation;
use crate::visited::cache::kept::{BEYOND, Kept, WAYS};
use crate::visited::cache::sets::Replace;

/// Candidates of a segment, at least: what is found together should have room.
const FEWEST: u64 = 1024;
/// Bytes to read or write at a time, at least and at most.
const CHUNK: std::ops::RangeInclusive<u64> = 4 << 10..=256 << 10;
/// The share of the memory that is for that, and the buffers among which it is divided.
const CHUNK_PART: u64 = 8;
pub const CHUNKS: u64 = 6;

/// Which states are let go from memory, where states are known.
pub const REPLACE: Replace = Replace::Oldest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub segmentation: Segmentation,
    /// Of each segment: sets of known states, candidates, and bytes to read at a time.
    pub sets: u64,
    pub candidates: u64,
    pub chunk: u64,
    /// Bytes of all segments together.
    pub bytes: u64,
}

impl Plan {
    /// For so many bytes in all, or what is least needed if that is more.
    pub fn new<I: Identity>(identity: &I, bytes: u64, plain: bool, segmentation: Segmentation) -> Self {
        let segments = segmentation.segments() as u64;
        let shape = identity.shape();
        let each = bytes / segments;
        let chunk = (each / CHUNK_PART / CHUNKS).clamp(*CHUNK.start(), *CHUNK.end());
        let rest = each.saturating_sub(chunk * CHUNKS);
        let set = (REPLACE.stamp_bytes() + identity.kept().set_bytes()) as u64;
        let (sets, candidates) = match plain {
            true => (0, (rest / (Candidates::bytes(shape) + Members::BYTES)).max(FEWEST)),
            false => {
                let candidates = (rest / 2 / candidate_bytes(shape)).max(FEWEST);
                let left = rest.saturating_sub(candidates * candidate_bytes(shape) + BEYOND as u64);
                ((left / set).max(16), candidates)
            }
        };
        let memory = match plain {
            true => Members::BYTES * candidates,
            false => sets * set + BEYOND as u64,
        };
        let all = chunk * CHUNKS + candidates * Candidates::bytes(shape) + memory;
        Plan { segmentation, sets, candidates, chunk, bytes: all * segments }
    }

    /// States that are known in memory.
    pub fn known(&self) -> u64 {
        self.sets * WAYS as u64 * self.segmentation.segments() as u64
    }
}

fn candidate_bytes(shape: Shape) -> u64 {
    Candidates::bytes(shape)
}
