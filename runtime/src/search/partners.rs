//! Who works on one search together, and what they say to each other.
//!
//! A *partner* is a worker: a thread that expands states, with segments of the visited set and a
//! part of the frontier of its own. A new state belongs to the partner that owns the segment of its
//! hash, and the partner that finds it sends it there. Nothing else is shared. Everything that
//! partners say to each other goes through [`Partners`], so the loop of the search
//! ([`super::worker`]) does not know whether they are threads ([`super::together`]), processes or
//! machines.
//!
//! # A level
//!
//! 1. Each partner expands its states of the level. Successors are dealt out by [`Partners::deal`]:
//!    its own it stores, the others it sends ([`Partners::send`]). Between batches it stores what
//!    others have sent ([`Partners::receive`]).
//! 2. With nothing left to expand, it says so to each of the others ([`Partners::finish_level`]),
//!    and goes on receiving until all of them have said so ([`Partners::level_is_over`]). From then
//!    on no state of this level is under way.
//! 3. All agree on sums ([`Partners::agree`]): how many states wait for the next level, how many
//!    errors were found, and whether a partner wants the search to be saved. The sums are the same
//!    for all, so all of them go on, or all return, and nobody has to be asked.
//!
//! # What an implementation promises
//!
//! - What is sent arrives once, whole, and in the order in which it was sent to one partner. What
//!   was sent before [`Partners::finish_level`] is received before [`Partners::level_is_over`] says
//!   yes.
//! - Memory is bounded: where there is no room, `send` and `finish_level` say so. The caller then
//!   receives, and waits ([`Partners::wait`]); so two partners that send to each other never wait
//!   for each other. A partner that waits is woken by anything that arrives, by room, and by a
//!   stop.
//! - No call is made for a single state: states come in batches, and [`Partners::deal`] is asked
//!   once for a batch. So a call may be dynamic, and may cost what a lock or a system call costs.
//! - [`Partners::stop`] reaches everybody, at any time: a partner that waits returns, `agree` gives
//!   `None`, and a search that was stopped is not gone on with. A partner that fails, or unwinds,
//!   or is lost stops all others: what it had not sent is lost, and so is the search.
//!
//! # How a process of several threads fits
//!
//! Partners are counted over all processes, and so are segments: [`Segmentation::owned`] says which
//! belong to whom, and a state's number says in which segment it is. A process holds the segments
//! of its own threads, and nothing moves to another one between levels. `send` to a thread of
//! the same process goes through a ring as it does today; to another process it appends to the
//! buffer of that process, which one connection empties. `agree` adds up inside of the process
//! first, and then between processes.
//!
//! What is done between levels when `agree` says that there is a reason:
//!
//! - *Errors.* The threads of each process return ([`super::site::Pause::Problems`]), at the same
//!   level everywhere. The errors that wait are gathered by one process and ordered by level and
//!   state ([`super::errors::waiting::Pending::order`]), which does not depend on who found them. A
//!   trace is followed by asking the owner of each number where its state comes from
//!   ([`crate::visited::Visited::recall`]).
//! - *A checkpoint.* It is due if one partner says so. Each process saves the segments that it has
//!   and its part of the frontier, in files of its own; the one that began commits the manifest
//!   when all have answered. Numbers do not name processes, so a resumed search may deal the
//!   segments out to another number of them.
//! - *Few states.* Below [`Partners::fewest`] waiting states, threads part and one goes on alone
//!   with everything, because it can reach everything. Processes cannot, and have no such number.
//!
//! [`Segmentation::owned`]: crate::visited::Segmentation::owned

use super::Counts;
use super::site::Halt;
use crate::visited::Batch;

/// What partners add up at the end of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelSums {
    /// States that wait for the next level.
    pub waiting: u64,
    /// Errors that are not reported yet.
    pub problems: u64,
    /// Partners that want the search to be saved.
    pub saves: u64,
    /// States that were found so far.
    pub states: u64,
}

/// Stores a batch of states that another partner has sent.
pub type Work<'w> = &'w mut dyn FnMut(&Batch<'_>) -> Result<(), Halt>;

/// The partners of a search, as one of them sees the others.
pub trait Partners {
    /// How many partners there are, this one included.
    fn count(&self) -> usize;

    /// Which one this is, from 0 on.
    fn me(&self) -> usize;

    /// Appends the position of each hash to the list of the partner that owns it. There is a list
    /// for each partner.
    fn deal(&self, hashes: &[u64], by_owner: &mut [Vec<u32>]);

    /// Sends states of a batch to the partner that owns them: as many as there is room for, from
    /// the first position on. Returns their number. 0: there is no room until that partner has
    /// worked.
    fn send(&mut self, to: usize, batch: &Batch<'_>, positions: &[u32]) -> usize;

    /// Hands everything that has come in to `work`, and returns its first error.
    fn receive(&mut self, work: Work<'_>) -> Result<(), Halt>;

    /// Says to a partner that it has got everything of this level. False: there is no room until
    /// that partner has worked.
    fn finish_level(&mut self, to: usize) -> bool;

    /// Whether all others have sent everything of this level, and it was received. After it has
    /// said yes, the next level begins.
    fn level_is_over(&mut self) -> bool;

    /// Waits until something has come in, or until there is room on the way to this partner, if one
    /// is named; or until all are stopped. It may return without a reason.
    fn wait(&mut self, room: Option<usize>);

    /// Waits for all partners, and adds up what they bring. `None`: they were stopped.
    fn agree(&mut self, brought: LevelSums) -> Option<LevelSums>;

    /// Stops all partners, wherever they are.
    fn stop(&self);

    fn stopped(&self) -> bool;

    /// With fewer states waiting than this, the partners part after a level.
    fn fewest(&self) -> u64;

    /// Makes known how far the partners of this process are, and adds what is known of others.
    fn publish(&self, _here: &mut Counts) {}

    /// All partners but this one.
    fn others(&self) -> std::iter::Chain<std::ops::Range<usize>, std::ops::Range<usize>> {
        (0..self.me()).chain(self.me() + 1..self.count())
    }
}
