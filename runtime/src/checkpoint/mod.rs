//! Checkpoints: everything that a search needs to continue after a crash, in files that are either
//! complete or absent.
//!
//! - [`stream`]: how a data file is written and read, block by block with checksums.
//! - [`manifest`]: which files belong together, and to which search.
//! - [`directory`]: the directory, the order in which files are synced, and when old ones are
//!   removed.
//! - [`refusal`]: the messages for a directory that cannot be used.
//!
//! None of them knows what a search is: `search/saving.rs` decides what a search saves, and a
//! visited set saves itself through [`Persist`]. `docs/internals/checkpoints.md` gives the order of
//! operations and the reasons for it.

pub(crate) mod directory;
pub(crate) mod manifest;
pub(crate) mod refusal;
pub(crate) mod stream;

pub use directory::{CheckpointDirectory, Saved, Transaction};
pub use manifest::{Entry, Identity, Manifest, Standing};
pub use stream::{Reader, Writer};

use crate::state::validity::Inspector;
use crate::storage::ResourceError;
use std::ops::Range;

/// A part of a search that can be saved and restored.
pub trait Persist {
    /// Writes the set to files of the checkpoint, between two levels. The set does not change, even
    /// if an error is returned, except that a queue on disk may turn out to be corrupt.
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError>;

    /// Restores what was saved. The set is empty, and was made for the same model, with the same
    /// options and with the facts that [`Persist::save`] left in the manifest. A valid checksum
    /// does not say who wrote a file, so every number is checked before it is used, and every state
    /// is shown to the inspector.
    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError>;

    /// The places of a segment: from the first state that can still be expanded to the end of those
    /// that were found.
    fn places(&self, segment: usize) -> Range<u64>;
}

/// A visited set of which each of several processes saves and restores some segments.
pub trait PersistPart {
    /// What the manifest has to say, so that the set is made again as it was.
    fn facts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// What this process has counted about its part as a whole.
    fn figures(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Restores what all processes had counted. One of those that go on reports it. False: it makes
    /// no sense.
    fn restore_figures(&mut self, of_parts: &[Vec<u64>], _reports: bool) -> bool {
        of_parts.iter().all(Vec::is_empty)
    }

    /// The number of states in each segment.
    fn lengths(&self) -> Vec<u64>;

    /// Writes the states of a segment, between two levels. They do not change, except that a queue
    /// on disk may turn out to be corrupt.
    fn save_segment(&mut self, number: usize, file: &mut Writer) -> Result<(), ResourceError>;

    /// Fills an empty segment with that number of saved states. States that can be seen only now
    /// are shown to the inspector.
    fn restore_segment(
        &mut self,
        number: usize,
        length: u64,
        file: &mut Reader,
        inspector: &mut Inspector<'_>,
    ) -> Result<(), ResourceError>;

    /// The place of the first state of a segment that can still be expanded.
    fn first_place(&self, _segment: usize) -> u64 {
        0
    }

    /// Reads over the states of a segment that is not restored here.
    fn skip_segment(&self, length: u64, file: &mut Reader) -> Result<(), ResourceError>;

    /// Shows every state of a restored segment to the inspector. Predecessors must be among those
    /// that segments of these lengths have.
    fn inspect_segment(
        &self,
        number: usize,
        lengths: &[u64],
        file: &Reader,
        inspector: &mut Inspector<'_>,
    ) -> Result<(), ResourceError>;
}
