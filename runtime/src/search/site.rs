//! Where a thread works, and why it comes back from there.

use super::inserter::Tally;
use super::partners::Partners;
use super::settling::Signs;
use super::{Ending, Observer};
use crate::expansion::symmetry_check::AsymmetryError;
use crate::frontier::{Frontier, Level};
use crate::interruption::Interruption;
use crate::memory::Budget;
use crate::settings::Settings;
use crate::storage::ResourceError;
use crate::sync::AtomicU64;
use crate::visited::Share;
use std::time::Instant;

/// Why a thread comes back before the search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// There is nothing left.
    Done,
    /// There are problems to tell of.
    Problems,
    /// It may be time to use another number of segments or threads, or to save the search.
    Regroup,
}

/// Why a thread comes back, and the search is over.
#[derive(Clone, Debug)]
pub enum Halt {
    Ended(Ending),
    /// Another thread has ended the search.
    Stopped,
}

impl From<ResourceError> for Ending {
    fn from(shortage: ResourceError) -> Self {
        match shortage {
            ResourceError::Memory => Ending::Memory,
            ResourceError::Disk(failure) => Ending::Disk(failure),
        }
    }
}

impl From<AsymmetryError> for Halt {
    fn from(AsymmetryError(difference): AsymmetryError) -> Self {
        Halt::Ended(Ending::Asymmetric(difference))
    }
}

impl From<ResourceError> for Halt {
    fn from(shortage: ResourceError) -> Self {
        Halt::Ended(shortage.into())
    }
}

/// What a thread has counted, for all threads to see from time to time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Figures {
    pub states: AtomicU64,
    pub rules: AtomicU64,
    pub waiting: AtomicU64,
}

/// Where a thread works: what it owns for a while.
pub struct SearchContext<'a> {
    pub share: Box<dyn Share + 'a>,
    pub frontier: &'a mut dyn Frontier,
    /// `None`: it works alone, and owns everything.
    pub partners: Option<Box<dyn Partners + 'a>>,
    /// Of one thread only.
    pub observer: Option<&'a mut dyn Observer>,
    /// For each thread.
    pub figures: &'a [Figures],
    pub interrupted: &'a Interruption,
    pub budget: &'a Budget,
    /// Whether the visited set would like to be spread when it is no longer small.
    pub spreads: bool,
    /// Whether there are threads that would like to help.
    pub helpers: bool,
    /// The level of the states that are found, where all of them are of one.
    pub found: Level,
    /// When the search wants to be saved at the end of a level, if ever.
    pub save_from: Option<Instant>,
}

impl SearchContext<'_> {
    /// Whether all threads should end now that a level is over, although there is more to do. Of
    /// several threads, it is enough if one says so.
    pub fn wants_to_save(&self, tally: &Tally, settings: &Settings) -> bool {
        let Some(from) = self.save_from else { return false };
        // Beyond the last level that is allowed nothing is stored, and whoever allows more later
        // can go on from here.
        let last = settings.max_depth == Some(tally.depth.0);
        last || self.interrupted.is_requested() || Instant::now() >= from
    }
}

impl<'a> SearchContext<'a> {
    /// The parts of it, so that a thread can show how far it is while it works with the others.
    pub fn signs(&mut self) -> (&mut (dyn Share + 'a), &mut dyn Frontier, Signs<'_, 'a>) {
        let SearchContext { share, frontier, partners, observer, figures, interrupted, budget, .. } = self;
        let signs = Signs { figures, interrupted, budget, partners: partners.as_deref_mut(), observer };
        (&mut **share, *frontier, signs)
    }
}

impl SearchContext<'_> {
    /// Why a thread that is busy for long should stop.
    pub fn stopped(&self) -> Option<Halt> {
        if self.interrupted.is_requested() {
            return Some(Halt::Ended(Ending::Interrupted));
        }
        self.partners.as_ref().is_some_and(|partners| partners.stopped()).then_some(Halt::Stopped)
    }
}
