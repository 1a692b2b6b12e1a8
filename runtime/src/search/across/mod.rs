//! Partners that are threads of several processes ([`super::partners`]).
//!
//! Who owns which segments is in [`dealing`]. [`partners`] is the seam: it sends states to threads
//! of this process as [`super::together`] does, and to others over the connections of
//! [`crate::cluster`]. Between levels the processes confer ([`letters`]): process 0 hears what each
//! has found, follows traces by asking the owners of states ([`elsewhere`]), and decides for all.

pub(crate) mod dealing;
pub(crate) mod elsewhere;
pub(crate) mod endings;
pub(crate) mod lately;
pub(crate) mod letters;
pub(crate) mod partners;
pub(crate) mod records;

use crate::spool::SpillStats;
use serde::{Deserialize, Serialize};

/// What one process of a search has done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessStats {
    pub states: u64,
    pub rules: u64,
    /// The most bytes in use, and bytes that the system refused.
    pub memory: u64,
    pub refused: Option<u64>,
    /// States that it sent to other processes, those that it did not send again, and bytes of all
    /// that it sent.
    pub states_sent: u64,
    pub states_repeated: u64,
    pub bytes_sent: u64,
    /// What its queue has written to disk.
    pub spilled: SpillStats,
}

/// The processes of a search, for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterStats {
    /// For each process its address, threads, share, and what it has done, if it said so.
    pub processes: Vec<(crate::cluster::hub::Place, Option<ProcessStats>)>,
    /// Whether messages were encrypted.
    pub encrypted: bool,
    /// The process that ended the search for all, if one did.
    pub ended_by: Option<usize>,
}

impl ClusterStats {
    /// The process that ended the search for all, as messages name it, with what it has done.
    pub fn culprit(&self) -> Option<(String, &crate::cluster::hub::Place, &ProcessStats)> {
        let number = self.ended_by?;
        let (place, done) = self.processes.get(number)?;
        Some((crate::cluster::name(number, &place.address), place, done.as_ref()?))
    }
}
