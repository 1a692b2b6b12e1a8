//! Depth-first search state by state: what sleep sets and a cache of states need.
//!
//! The search of [`super::worker`] takes states off a frontier, a batch at a time. It does not
//! know from which path they come, and depth first the states on its stack are those that wait.
//! Here there are two loops that go state by state. A cache, or the paper's sleep sets, need the
//! path ([`path`]). Sleep sets alone do not, if there are not too many rules ([`pathless`]). What
//! both do with a state is the same ([`current`]).
//!
//! With sleep sets, a violating state is expanded nevertheless, if the search goes on
//! at all. Otherwise what lies behind it would be missing where a rule sleeps because it was
//! explored on the way through that state.

mod current;
mod frames;
mod path;
mod pathless;
pub(crate) mod sleep;
mod stored;
mod sums;

use super::site::{Halt, Pause, SearchContext};
use super::worker::Worker;
use super::{Counts, Ending, Repeated};
use crate::contract::independence::Rows;
use crate::contract::model::Model;
use crate::expansion::starts::Starts;
use crate::settings::{Settings, SleepSets};
use crate::spool::Supply;
use crate::visited::{Segmentation, Trail};
use path::AlongPath;
use pathless::Pathless;

/// Steps between two reports of progress.
const PULSE: u64 = 1 << 10;

/// A search without a path expands states at one go, if that takes at most one part in this many of
/// the memory limit.
const PART: u64 = 32;

/// What a search along a path has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DescentStats {
    /// Rules that led to states that were known.
    pub matched: u64,
    /// What sleep sets left out, if there are any.
    pub slept: Option<SleepStats>,
    /// The most states on the path.
    pub longest: u64,
}

/// What sleep sets left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SleepStats {
    /// Rules that were enabled in a state and slept when it was first met.
    pub rules: u64,
    /// Those that were fired there later.
    pub woken: u64,
    /// How often the search went to a known state again for that.
    pub revisits: u64,
}

/// A search that goes state by state.
pub trait Dive {
    /// Goes on from where it was, until there is something to report or nothing is left.
    fn run(
        &mut self,
        from_start: bool,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<Pause, Halt>;

    fn figures(&self) -> DescentStats;

    /// States that wait.
    fn waiting(&self) -> u64;

    /// Reports how far it has come.
    fn pulse(&mut self, worker: &Worker<'_>, site: &mut SearchContext<'_>);
}

/// What is special about one of the loops. (Apart from [`Dive`], so that each has one copy of all
/// this, in its loop.)
trait Steps {
    /// Lets the start states wait.
    fn start(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<(), Halt>;

    /// Does what had to wait until a problem was reported.
    fn resume(&mut self, _site: &mut SearchContext<'_>) -> Result<(), Halt> {
        Ok(())
    }

    /// Explores a rule, or leaves a state. False: nothing is left.
    fn step(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<bool, Halt>;

    /// Takes from the budget what buffers have come to need, and looks whether to stop.
    fn pause(&mut self, worker: &Worker<'_>, site: &SearchContext<'_>) -> Result<(), Halt>;

    /// How many steps there were.
    fn steps(&mut self) -> &mut u64;

    fn figures(&self) -> DescentStats;

    fn waiting(&self) -> u64;

    /// How often each state is visited, if states are evicted.
    fn repeated(&mut self, _worker: &Worker<'_>, _site: &mut SearchContext<'_>) -> Option<Repeated> {
        None
    }
}

impl<S: Steps> Dive for S {
    fn run(
        &mut self,
        from_start: bool,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<Pause, Halt> {
        if from_start {
            self.start(worker, site)?;
        }
        self.resume(site)?;
        loop {
            if !worker.inserter.problems.is_empty() {
                worker.inserter.stop_early()?;
                return Ok(Pause::Problems);
            }
            let steps = self.steps();
            *steps += 1;
            if steps.is_multiple_of(PULSE) {
                self.pulse(worker, site);
                self.pause(worker, site)?;
            }
            if !self.step(worker, site)? {
                return Ok(Pause::Done);
            }
        }
    }

    fn figures(&self) -> DescentStats {
        Steps::figures(self)
    }

    fn waiting(&self) -> u64 {
        Steps::waiting(self)
    }

    fn pulse(&mut self, worker: &Worker<'_>, site: &mut SearchContext<'_>) {
        let repeated = self.repeated(worker, site);
        if let Some(observer) = &mut site.observer {
            observer.progress(&Counts {
                states: worker.inserter.tally.states,
                rules: worker.inserter.tally.rules,
                depth: worker.inserter.tally.depth,
                queue: Steps::waiting(self),
                memory: site.budget.used(),
                repeated,
            });
        }
    }
}

/// Whichever of them it is.
pub type Diving<'a> = Box<dyn Dive + 'a>;

/// The search that the settings ask for, with a visited set of these segments.
pub fn dive<'a>(
    model: &'a dyn Model,
    settings: &'a Settings,
    segmentation: Segmentation,
    supply: &Supply,
) -> Result<Diving<'a>, Ending> {
    // A path is needed to know which states are on it, or when a state may be evicted.
    let keeps_all =
        !settings.set.plugin().evicts() && settings.sleep_along_path() == Some(SleepSets::Revisit);
    let few_successors = pathless::buffers(model.description()) <= settings.memory / PART;
    if keeps_all
        && few_successors
        && let Some(rows) = Rows::new(model)
    {
        match rows.width() {
            1 => return Ok(Box::new(Pathless::<1>::new(model, settings, rows, segmentation, supply)?)),
            2 => return Ok(Box::new(Pathless::<2>::new(model, settings, rows, segmentation, supply)?)),
            3 => return Ok(Box::new(Pathless::<3>::new(model, settings, rows, segmentation, supply)?)),
            4 => return Ok(Box::new(Pathless::<4>::new(model, settings, rows, segmentation, supply)?)),
            _ => {}
        }
    }
    Ok(Box::new(AlongPath::new(model, settings, segmentation, supply)?))
}

/// Makes a portion of the start states, as successors of nothing. False: these were the last.
fn start(starts: &mut Starts, worker: &mut Worker<'_>) -> Result<bool, Halt> {
    let more = worker.make_starts(starts);
    if !more && starts.none() {
        return Err(Halt::Ended(Ending::NoStart));
    }
    Ok(more)
}

/// The visited set, as it serves a path.
fn trail<'s>(site: &'s mut SearchContext<'_>) -> Result<&'s mut dyn Trail, Halt> {
    site.share.trail().ok_or_else(|| contradiction("the visited set does not serve a path"))
}

fn contradiction(what: &str) -> Halt {
    Halt::Ended(Ending::Internal(what.to_owned()))
}
