//! A kind of visited set as a plug-in: everything that the rest of the verifier wants to know about
//! it before a search, behind one trait. What it reports after a search is [`super::SetStats`].
//!
//! A new kind is a folder with its configuration, which implements [`SetPlugin`], a line in
//! [`super::kinds`], and the options by which users ask for it (`cli/sets.rs`).

use super::Visited;
use super::numbers::{Own, Segmentation};
use super::records::compared;
use super::signatures::SignatureConfig;
use crate::checkpoint::Saved;
use crate::contract::model::Description;
use crate::datum::Datum;
use crate::memory::MemoryError;
use crate::refusal::Refusal;
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::{Directory, Operation, Purpose, ResourceError, Storage, StorageError};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Segments of a set that is no longer small: `1 << SEGMENT_BITS`, …
const SEGMENT_BITS: u32 = 4;
/// … or about this number for each thread, …
const SEGMENTS_EACH: usize = 8;
/// … or one for this much memory. A state takes eight bytes at least, so there are at most 2^28 in
/// a segment, whose table then still has bits for tags.
const SEGMENT_BYTES: u64 = 1 << 31;
/// The number of a segment has two bytes.
const MOST_BITS: u32 = 16;

/// What to use where a set does not keep the states that it was given.
pub const EXACT_INSTEAD: &str = "an exact search, packed to the bit (-b) where memory is short";

/// The configuration of one kind of visited set.
pub trait SetPlugin: fmt::Debug {
    /// An empty set.
    fn empty(&self, demand: &Demand<'_>, from: &Resources<'_>) -> Result<Box<dyn Visited>, BuildError>;

    /// Why the set cannot serve a search that does this, and what to do instead.
    fn refuses(&self, feature: Feature) -> Option<Refusal>;

    /// Whether there can be such a set for the states of this model.
    fn check(&self, _demand: &Demand<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Lines above a search.
    fn heading(&self, _demand: &Demand<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Keys of the report's `options`, with their values.
    fn options(&self) -> Vec<(&'static str, Datum)> {
        Vec::new()
    }

    /// Options that a checkpoint has to agree with, with their values.
    fn identity(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Whether a state may be evicted, and found and checked once more.
    fn evicts(&self) -> bool {
        false
    }

    /// Files that the set needs.
    fn files(&self) -> Files {
        Files::None
    }

    /// Whether each segment has files or a table of fixed size, so that there should be few of
    /// them.
    fn has_large_segments(&self) -> bool {
        false
    }

    /// How signatures take the place of states, if they do.
    fn signatures(&self) -> Option<&SignatureConfig> {
        None
    }

    /// As [`SetPlugin::signatures`], for drawing other hash functions.
    fn signatures_mut(&mut self) -> Option<&mut SignatureConfig> {
        None
    }
}

/// What a search may do that not every set can serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// States are expanded as they are found, and there are no levels.
    DepthFirst,
    /// Rules sleep whose effect is found in another order.
    SleepSets { depth_first: bool },
    /// States with one successor are not stored.
    CompressPaths,
    /// States are shown when they are found.
    ShowStates,
    /// States are gone over once more when the search is over, for a profile, a graph, or
    /// properties of runs. A set without a [`super::Find`] refuses that.
    Locality,
}

/// Where a set has its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// There are none.
    None,
    /// In the directory for files that a search needs.
    Shared,
    /// In the directory that this option names.
    Own(&'static str),
}

/// The part of a set that one of several processes has. Sets that cannot be spread later begin with
/// these segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divided {
    /// Segments of all processes.
    pub segmentation: Segmentation,
    /// The first segment of this process, and how many it has.
    pub first: usize,
    pub count: usize,
    /// The most segments that a process has, and the least memory: all processes know the same.
    pub most: usize,
    pub memory: u64,
}

/// What a search demands of its visited set.
#[derive(Clone, Copy)]
pub struct Demand<'a> {
    pub description: &'a Description,
    pub codec: &'a Codec,
    /// Threads that work on the set.
    pub threads: usize,
    /// Bytes that the search may use.
    pub memory: u64,
    /// Whether states are explored level after level.
    pub by_levels: bool,
    /// Whether states that wait may go to disk.
    pub queue_on_disk: bool,
    /// Whether the search is saved from time to time.
    pub is_saved: bool,
    /// Where files go.
    pub directory: &'a Path,
    /// States that may be stored.
    pub most: Option<u64>,
    /// Where several processes have parts of the set.
    pub divided: Option<Divided>,
}

/// What a set is made from.
pub struct Resources<'a> {
    pub supply: &'a Supply,
    pub directory: &'a Arc<dyn Directory>,
    /// What the search goes on from.
    pub saved: Option<&'a Saved>,
    /// A sample of the states in stored form, for sets that learn what states have in common.
    pub sample: &'a dyn Fn() -> Vec<u64>,
}

/// Why there is no set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    Resource(ResourceError),
    Refused(Refusal),
}

impl fmt::Display for BuildError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Resource(error) => error.fmt(out),
            BuildError::Refused(refusal) => refusal.fmt(out),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<MemoryError> for BuildError {
    fn from(error: MemoryError) -> Self {
        BuildError::Resource(error.into())
    }
}

impl From<StorageError> for BuildError {
    fn from(error: StorageError) -> Self {
        BuildError::Resource(error.into())
    }
}

impl From<Refusal> for BuildError {
    fn from(refusal: Refusal) -> Self {
        BuildError::Refused(refusal)
    }
}

impl Demand<'_> {
    /// Bits by which states are distinguished in traces, where states are not kept.
    pub fn compared(&self) -> u32 {
        compared(self.description.rule_instances(), self.description.start_instances())
    }

    /// The segments of this process, if the set is not divided those of this segmentation.
    pub fn own(&self, undivided: impl FnOnce() -> Segmentation) -> Own {
        match self.divided {
            Some(Divided { segmentation, first, count, .. }) => Own { segmentation, first, count },
            None => undivided().into(),
        }
    }

    /// The segments of a set that cannot be spread later.
    pub fn fixed_segmentation(&self) -> Segmentation {
        match self.threads {
            1 => Segmentation::new(0),
            threads => many_segments(threads, self.memory),
        }
    }

    /// As few segments as there are threads, if that divides them evenly: for sets whose segments
    /// have queues or tables of their own.
    pub fn few_segments(&self) -> Segmentation {
        match self.threads {
            threads if threads.is_power_of_two() => Segmentation::new(threads.ilog2()),
            _ => self.fixed_segmentation(),
        }
    }
}

impl Resources<'_> {
    /// The segments that the set had when it was saved.
    pub fn saved_segmentation(&self) -> Option<Segmentation> {
        let bits = self.saved?.fact("segment_bits").filter(|&bits| bits <= 16)?;
        Some(Segmentation::new(bits as u32))
    }

    /// A file for the records behind traces, where states are not kept.
    pub fn records_file(&self) -> Result<Arc<dyn Storage>, StorageError> {
        let failed = |error| StorageError::new(Purpose::Records, Operation::Create, &error);
        self.directory.create().map_err(failed)
    }
}

/// The segments of a set for many states, if they are to be found by this number of threads in this
/// much memory.
pub fn many_segments(threads: usize, memory: u64) -> Segmentation {
    let bits = (threads * SEGMENTS_EACH).next_power_of_two().ilog2();
    let large = (memory / SEGMENT_BYTES).next_power_of_two().ilog2();
    Segmentation::new(bits.max(large).clamp(SEGMENT_BITS, MOST_BITS))
}
