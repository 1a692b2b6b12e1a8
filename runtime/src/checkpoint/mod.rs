//! Checkpoints: everything that a search needs to go on after a crash, in files that are complete
//! or not there.
//!
//! - [`stream`]: how a data file is written and read, block by block with checksums.
//! - [`manifest`]: which files belong together, and to which search.
//! - [`directory`]: the directory; the order in which files are made to last; when old ones go.
//! - [`refusal`]: why a directory cannot be used, in words.
//!
//! None of them knows what a search is. What a search saves is in `search/saving.rs`; a visited set
//! saves itself, through [`Persist`]. The order of operations, and why it is that one, is told in
//! `ARCHITECTURE.md`.

pub mod directory;
pub mod manifest;
pub mod refusal;
pub mod stream;

pub use directory::{CheckpointDirectory, Saved, Transaction};
pub use manifest::{Entry, Identity, Manifest, Standing};
pub use stream::{Reader, Writer};

use crate::state::validity::Inspector;
use crate::storage::ResourceError;
use std::ops::Range;

/// A part of a search that can be saved, and made again.
pub trait Persist {
    /// Writes everything to files of the checkpoint. Nothing changes in the set, whatever comes of
    /// it, except that a queue on disk may be found broken. Happens between two levels.
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError>;

    /// Becomes what was saved. The set is empty, and was made for the same model, by the same
    /// options and by the facts that [`Persist::save`] left in the manifest. Checksums do not tell
    /// who wrote the files, so every number is checked before anything rests on it, and states are
    /// shown to the inspector.
    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError>;

    /// The places of a segment from whose first one on states can still be taken; the end is that
    /// of the states that were found.
    fn places(&self, segment: usize) -> Range<u64>;
}
