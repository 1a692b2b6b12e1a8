//! How large a cache is: from what the user wants to sets in segments.

use super::kept::{BEYOND, Kept, WAYS};
use super::sets::Replace;
use crate::visited::{Own, Segmentation};

/// The size of the cache, as the user says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Everything that the cache itself takes.
    Bytes(u64),
    /// States that it can hold.
    States(u64),
}

/// The size leaves some segment without a set; `bytes` would be enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSmall {
    pub bytes: u64,
    pub states: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub segmentation: Segmentation,
    /// The first segment of this process, and how many it has.
    pub first: usize,
    pub segments: u64,
    /// Of all segments of this process together.
    pub sets: u64,
    /// Bytes of a set, and those behind the sets of each segment.
    pub set_bytes: u64,
}

impl Plan {
    /// As many sets as fit into the size, dealt to the segments.
    pub fn new(
        size: Size,
        kept: &impl Kept,
        replace: Replace,
        own: impl Into<Own>,
    ) -> Result<Self, TooSmall> {
        let Own { segmentation, first, count } = own.into();
        let set_bytes = (replace.stamp_bytes() + kept.set_bytes()) as u64;
        let segments = count.max(1) as u64;
        let beyond = segments * BEYOND as u64;
        let sets = match size {
            Size::Bytes(bytes) => bytes.saturating_sub(beyond) / set_bytes,
            Size::States(states) => states / WAYS as u64,
        };
        let plan = Plan { segmentation, first, segments, sets, set_bytes };
        match sets >= segments {
            true => Ok(plan),
            false => {
                let least = Plan { sets: segments, ..plan };
                Err(TooSmall { bytes: least.bytes(), states: least.entries() })
            }
        }
    }

    /// The sets of a segment: as many as those of the others, or one more.
    pub fn sets_of(&self, segment: usize) -> u64 {
        self.sets / self.segments + u64::from((segment as u64) < self.sets % self.segments)
    }

    pub fn entries(&self) -> u64 {
        self.sets * WAYS as u64
    }

    pub fn bytes(&self) -> u64 {
        self.sets * self.set_bytes + self.segments * BEYOND as u64
    }

    pub fn bytes_per_entry(&self) -> f64 {
        self.set_bytes as f64 / WAYS as f64
    }
}
