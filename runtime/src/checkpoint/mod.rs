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
