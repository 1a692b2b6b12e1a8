//! Who watches a search, and what it is shown.

use super::outcome::Counts;
use super::saving::CheckpointStats;
use crate::contract::model::RuleId;
use crate::contract::problem::Finding;
use crate::frontier::Level;
use crate::settings::Settings;
use crate::storage::ResourceError;

/// A checkpoint that could not be written.
#[derive(Debug)]
pub struct CheckpointFailed<'a> {
    pub shortage: ResourceError,
    pub level: Level,
    /// What was saved before.
    pub checkpoints: &'a CheckpointStats,
    pub settings: &'a Settings,
}

/// Somebody who wants to see how a search goes on.
pub trait Observer {
    /// Called now and then.
    fn progress(&mut self, counts: &Counts);

    /// The profile of locality was measured over `_states` of all states. Called now and then.
    fn profiled(&mut self, _states: u64, _all: u64) {}

    /// Properties about runs are being checked: the graph was made, or a condition evaluated, for
    /// this number of all states. Called now and then.
    fn checked_runs(&mut self, _states: u64, _all: u64) {}

    /// The search goes on where another one was when it was saved: what it had counted,
    /// and the seconds that it had taken.
    fn resumed(&mut self, _counts: &Counts, _seconds: f64) {}

    /// Something that does not end the search, but that the user should know.
    fn warned(&mut self, _warning: &str) {}

    /// Workers have come or gone: what happened, and how many there are now.
    fn workers(&mut self, _notice: &str, _count: usize) {}

    /// A checkpoint could not be written; the search goes on without it.
    fn checkpoint_failed(&mut self, _failed: &CheckpointFailed<'_>) {}

    /// An error was found.
    fn found(&mut self, finding: &Finding);

    /// A new state, byte-aligned, with its number and its predecessor's. Called only if the
    /// settings ask for it.
    fn state(&mut self, state: &[u64], number: u64, predecessor: Option<u64>);

    /// The path to the error of a random walk was shortened by replaying it without some of its
    /// steps.
    fn shortened(&mut self, _from: u64, _to: u64) {}

    /// A random walk took a step.
    fn step(&mut self, rule: RuleId, before: &[u64], after: &[u64]);
}
