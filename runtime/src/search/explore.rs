//! An exhaustive search from beginning to end: who works on it, and what comes out.
//!
//! One thread begins. When a level has enough states, all threads work on it together, each with
//! its own segments of the visited set, until there is little left to do or something to report. In
//! between, everything belongs to one thread again: that is when errors are reported
//! ([`reporting`]) and the set is spread.

mod across;
mod reporting;

use super::across::dealing::Dealing;
use super::descent::{Diving, dive};
use super::errors::kept::{ErrorStats, Findings};
use super::errors::reported::Reported;
use super::outcome::{explored_all, never_covered};
use super::saving::{self, Checkpoints, Parts, Totals};
use super::served::ServedPartners;
use super::serving::settings_here;
use super::sets::{empty_set, frontier_supply};
use super::site::{Figures, Halt, Pause, SearchContext};
use super::sleeping::Sleeping;
use super::teamwork::{Common, Job, result_of, work_together};
use super::together::channels::Exchange;
use super::together::meeting::Meeting;
use super::walking::WalkStats;
use super::worker::Worker;
use super::{CheckpointFailed, Counts, Ending, Observer, Outcome};
use crate::contract::model::Model;
use crate::frontier::levels::Levels;
use crate::frontier::stack::Stack;
use crate::frontier::{Frontier, Level};
use crate::interruption::Interruption;
use crate::memory::{Budget, MemoryError};
use crate::settings::Settings;
use crate::settings::watch::{Watch, Watched};
use crate::spool::{SpillStats, Supply};
use crate::state::codec::Codec;
use crate::storage::ResourceError;
use crate::storage::{Directory, SystemDirectory};
use crate::sync::Ordering;
use crate::visited::plugin::many_segments;
use crate::visited::stats::SetStats;
use crate::visited::tree::outlook::TreeOutlook;
use crate::visited::{Find, Visited};
use across::{Across, Owners};
use std::sync::Arc;
use std::time::Instant;

/// Threads that work together continue until a level has this factor fewer states than the level
/// from which on they do.
const FEWER: u64 = 8;

/// States that are enough for a first look at the steps that were noted …
const FIRST_LOOK: u64 = 1 << 16;
/// … and by which factor there have to be more for the next one.
const LOOK_FACTOR: u64 = 4;

/// Explores every state of the model, as far as the settings allow.
pub fn explore(
    model: &dyn Model,
    settings: &Settings,
    interrupted: &Interruption,
    observer: &mut dyn Observer,
) -> Outcome {
    explore_saving(model, settings, None, interrupted, observer, &mut |_, _| false)
}

/// A search that is over, while its visited set is still there.
#[derive(Clone, Copy)]
pub struct Explored<'a> {
    pub model: &'a dyn Model,
    pub settings: &'a Settings,
    pub codec: &'a Codec,
    /// The states that were found, where the visited set keeps them.
    pub states: Option<&'a dyn Find>,
    pub budget: &'a Arc<Budget>,
    pub interrupted: &'a Interruption,
    pub ending: &'a Ending,
    /// Whether every state was expanded.
    pub is_all: bool,
    /// Whether the search is between two levels, and will go on.
    pub goes_on: bool,
}

/// What is done when a search is over, before its visited set goes; and between two levels where it
/// notes its steps, and has found a few times as many states as the last time. Then it says whether
/// the search may end, because what was found shows a violation.
pub type Inspection<'i> = &'i mut dyn FnMut(Explored<'_>, &mut dyn Observer) -> bool;

/// Explores every state, saving the search from time to time, or from where it was saved.
/// `inspect` sees the visited set in the end.
pub fn explore_saving(
    model: &dyn Model,
    settings: &Settings,
    checkpoints: Option<&mut Checkpoints>,
    interrupted: &Interruption,
    observer: &mut dyn Observer,
    inspect: Inspection<'_>,
) -> Outcome {
    let folder = SystemDirectory(settings.directory.clone());
    explore_with(model, settings, Arc::new(folder), checkpoints, interrupted, observer, inspect)
}

/// Explores every state as [`explore_saving`] does, with files from this directory.
pub fn explore_with(
    model: &dyn Model,
    settings: &Settings,
    directory: Arc<dyn Directory>,
    mut checkpoints: Option<&mut Checkpoints>,
    interrupted: &Interruption,
    observer: &mut dyn Observer,
    inspect: Inspection<'_>,
) -> Outcome {
    let description = model.description();
    let codec = settings.codec(description);
    let budget = Arc::new(Budget::new(settings.memory));
    let supply = match settings.queue_memory {
        None => Supply::memory(budget.clone()),
        Some(bytes) => Supply::disk(budget.clone(), directory.clone(), bytes),
    };
    if let Some(pool) = &settings.serve {
        pool.divide(1);
    }
    let here = settings.serve.as_ref().filter(|pool| pool.expands()).map(|_| settings_here(settings));
    let here = here.as_ref();
    let mut workers = vec![Worker::new(model, settings, &codec, &budget, 0).helps(model, here, &budget)];
    let mut findings = Findings::new(&budget);
    let mut queue = 0;
    let (mut set_stats, mut descended, mut across) = (None, None, None);
    let mut spilled_before = SpillStats::default();
    let saved = checkpoints.as_ref().and_then(|checkpoints| checkpoints.saved());
    let dealing = settings
        .cluster
        .as_ref()
        .map(|hub| (hub, Dealing::resumed(hub.places(), saved, settings.has_large_segments())));
    let divided = dealing
        .as_ref()
        .and_then(|(hub, dealing)| dealing.as_ref().map(|dealing| dealing.divided(hub.me, hub.places())));
    let set = empty_set(model, settings, &codec, &supply.part(3, 4), &directory, saved, divided);
    let begun = set.and_then(|mut visited| {
        // Several processes restore what is theirs when they know what that is.
        let Some(saved) = saved.filter(|_| settings.cluster.is_none()) else {
            let (mut visited, descent) = along_path(visited, model, settings, &supply)?;
            if settings.notes_steps() {
                visited.note_steps();
            }
            return Ok((visited, descent, None));
        };
        let supply = frontier_supply(settings, &supply);
        let resumed = saving::restore(saved, visited.as_mut(), description, &codec, supply, &budget)?;
        Ok((visited, None, Some(resumed)))
    });
    let ending = match begun {
        Err(ending) => ending,
        Ok((mut visited, descent, resumed)) => {
            let began = resumed.is_none();
            let mut levels = Levels::new(visited.segmentation(), frontier_supply(settings, &supply));
            let mut reported = Reported::new(&budget);
            if let Some(resumed) = resumed {
                let Totals { states, rules, depth, .. } = resumed.totals;
                workers.iter_mut().for_each(|worker| worker.take_over(&resumed.totals));
                (levels, reported, findings) = (resumed.levels, resumed.reported, resumed.findings);
                spilled_before = resumed.spilled;
                budget.raise_peak(resumed.peak_memory);
                let (queue, memory) = (levels.len(), budget.used());
                let counts = Counts { states, rules, depth, queue, memory, repeated: None };
                let before = checkpoints.as_ref().map_or(0.0, |checkpoints| checkpoints.seconds_before());
                observer.resumed(&counts, before);
                findings.kept().iter().for_each(|finding| observer.found(finding));
            }
            let segments = visited.segmentation().segments();
            let mut search = Search {
                model,
                settings,
                codec: &codec,
                levels,
                stack: Stack::new(&frontier_supply(settings, &supply)),
                budget: &budget,
                interrupted,
                observer,
                workers: &mut workers,
                here,
                // A set that was saved may have fewer segments than there are threads now.
                threads: match segments == 1 && visited.spreads() {
                    true => settings.threads_in_use(),
                    false => settings.threads_in_use().min(segments),
                },
                figures: (0..settings.threads_in_use()).map(|_| Figures::default()).collect(),
                may_spread: !settings.show_states && descent.is_none() && visited.spreads(),
                visited: visited.as_mut(),
                left_behind: 0,
                findings: &mut findings,
                reported,
                supply: &supply,
                spilled_before,
                checkpoints: checkpoints.as_deref_mut(),
                descent,
                everywhere: None,
                inspect: &mut *inspect,
                look_at: FIRST_LOOK,
            };
            let ending = match dealing {
                None => search.run(began),
                Some((hub, dealing)) => {
                    let (ending, figures) = search.run_across(hub, dealing);
                    across = Some(figures);
                    ending
                }
            };
            queue = match &search.descent {
                Some(descent) => descent.waiting(),
                None => search.frontier().len() + search.left_behind,
            };
            descended = search.descent.as_ref().map(|descent| descent.figures());
            set_stats = visited.stats();
            if ending == Ending::Memory && settings.could_use_tree(model) {
                set_stats = visited.finder().and_then(|states| {
                    TreeOutlook::of(states, &codec, budget.peak(), interrupted)
                        .map(|outlook| Box::new(outlook) as Box<dyn SetStats>)
                });
            }
            if let (Some(across), Some(set)) = (&across, &mut set_stats) {
                across.join_sets(set.as_mut());
            }
            let explored = Explored {
                model,
                settings,
                codec: &codec,
                states: visited.finder(),
                budget: &budget,
                interrupted,
                ending: &ending,
                is_all: explored_all(&ending, findings.all(), settings.goes_behind()),
                goes_on: false,
            };
            inspect(explored, observer);
            ending
        }
    };
    let mut totals = Totals::new(description);
    let mut watched = Watched::default();
    let mut walked = WalkStats::default();
    let mut slept = 0;
    for worker in &workers {
        worker.add_to(&mut totals);
        watched.join(&worker.inserter.watched);
        walked.join(&worker.inserter.tally.walked);
        slept += worker.inserter.sleeping.as_ref().map_or(0, |sleeping| sleeping.slept);
    }
    let mut peak_memory = budget.peak();
    let spilled_elsewhere = across.as_ref().map(Across::spilled).unwrap_or_default();
    let cluster = across.map(|across: Across| {
        queue += across.waiting;
        peak_memory += across.add_to(&mut totals, description);
        across.stats
    });
    let Totals { states, rules, depth, fired, covered, undefined_compared, unreduced, .. } = totals;
    let counts = Counts { states, rules, depth, queue, memory: budget.used(), repeated: None };
    observer.progress(&counts);
    let watched = (settings.watch != Watch::Off).then_some(watched);
    let bits_per_state = codec.bits_per_state();
    let (findings, errors) = findings.into_parts();
    let mut outcome = Outcome {
        ending,
        findings,
        errors,
        counts,
        fired,
        covered,
        undefined_compared,
        bits_per_state,
        peak_memory,
        refused_memory: budget.refused(),
        went_behind: settings.goes_behind(),
        assurance: None,
        watched,
        slept: settings.sleeps_by_level().then_some(slept),
        walked: settings.compresses_paths().then_some(walked),
        set: set_stats,
        spilled: supply.spilled().map(|spilled| spilled.after(spilled_before).and(spilled_elsewhere)),
        descended,
        unreduced,
        not_replayed: None,
        temporal: None,
        cluster,
        workers: settings.serve.as_ref().map(|pool| pool.table()),
        checkpointed: checkpoints.map(|checkpoints| checkpoints.figures().clone()),
    };
    if outcome.explored_all() {
        let uncovered = never_covered(model, &outcome.covered);
        uncovered.iter().for_each(|finding| observer.found(finding));
        outcome.errors.join(&ErrorStats::of(&uncovered));
        outcome.findings.extend(uncovered);
    }
    outcome
}

/// The visited set, and the search along a path, if the settings ask for one.
fn along_path<'a>(
    mut set: Box<dyn Visited>,
    model: &'a dyn Model,
    settings: &'a Settings,
    supply: &Supply,
) -> Result<(Box<dyn Visited>, Option<Diving<'a>>), Ending> {
    if !settings.follows_path() {
        return Ok((set, None));
    }
    if set.spreads() && set.segmentation().segments() == 1 && !settings.show_states {
        // A path is made of numbers, so it begins with those that it goes on with. If there is no
        // room for that, one segment will do.
        let _ = set.spread(many_segments(1, settings.memory));
    }
    let descent = dive(model, settings, set.segmentation(), &supply.part(1, 4))?;
    Ok((set, Some(descent)))
}

struct Search<'a, 'w> {
    model: &'a dyn Model,
    settings: &'a Settings,
    codec: &'a Codec,
    visited: &'w mut dyn Visited,
    /// One of the two is in use, as the settings say.
    levels: Levels,
    stack: Stack,
    budget: &'a Arc<Budget>,
    interrupted: &'a Interruption,
    observer: &'w mut dyn Observer,
    workers: &'w mut Vec<Worker<'a>>,
    /// The settings of a server that expands states itself, as its threads do that.
    here: Option<&'a Settings>,
    /// Threads that may be used.
    threads: usize,
    figures: Vec<Figures>,
    may_spread: bool,
    /// States that threads had before them when they ended.
    left_behind: u64,
    findings: &'w mut Findings,
    /// What was reported, where a state may be found more than once.
    reported: Reported,
    supply: &'a Supply,
    spilled_before: SpillStats,
    checkpoints: Option<&'w mut Checkpoints>,
    /// A search along a path uses neither levels nor stack.
    descent: Option<Diving<'a>>,
    /// Where the states of other processes are, while errors are reported.
    everywhere: Option<Owners>,
    /// Looks at what was found when there are this number of states.
    inspect: &'w mut dyn FnMut(Explored<'_>, &mut dyn Observer) -> bool,
    look_at: u64,
}

impl Search<'_, '_> {
    fn run(&mut self, from_start: bool) -> Ending {
        let mut started = !from_start;
        loop {
            if self.checkpoints.is_some() && started && self.between_levels() {
                let stop = self.interrupted.is_requested();
                self.save(stop);
                if stop {
                    return Ending::Interrupted;
                }
            }
            if let Some(ending) = self.look() {
                return ending;
            }
            if let Err(shortage) = self.spread() {
                return shortage.into();
            }
            let worked = match self.helpers() {
                true => self.together(),
                false => self.alone(!std::mem::replace(&mut started, true)),
            };
            if let Err(ending) = self.report_problems() {
                return match (ending, worked) {
                    // That is why there is no trace.
                    (Ending::NotReplayed(_), Err(why @ Ending::Asymmetric(_))) => why,
                    (ending, _) => ending,
                };
            }
            match worked {
                Ok(Pause::Problems | Pause::Regroup) => {}
                Ok(Pause::Done) => break,
                Err(ending) => return ending,
            }
        }
        let beyond = self.workers.iter().any(|worker| worker.inserter.beyond_depth);
        match self.settings.max_depth {
            Some(depth) if beyond => Ending::Depth(depth),
            _ => Ending::Complete,
        }
    }

    /// Looks at the steps that were noted, if there are enough states; why the search ends, if they
    /// show that it may.
    fn look(&mut self) -> Option<Ending> {
        if !self.settings.looks_at_steps() || !self.between_levels() {
            return None;
        }
        let states = self.visited.len();
        if states >= self.look_at {
            self.look_at = states.saturating_mul(LOOK_FACTOR);
            let ending = Ending::States(states);
            let explored = Explored {
                model: self.model,
                settings: self.settings,
                codec: self.codec,
                states: self.visited.finder(),
                budget: self.budget,
                interrupted: self.interrupted,
                ending: &ending,
                is_all: false,
                goes_on: true,
            };
            if (self.inspect)(explored, &mut *self.observer) {
                return Some(ending);
            }
        }
        // Threads have about the same number of states.
        let share = (self.look_at - states) / self.threads.max(1) as u64 + 1;
        for worker in self.workers.iter_mut() {
            worker.inserter.look_at = worker.inserter.tally.states.saturating_add(share);
        }
        None
    }

    /// Writes a checkpoint if it is time, or if the search stops here. If that fails the search
    /// goes on, and the one before is still there.
    fn save(&mut self, stop: bool) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        let level = self.levels.level();
        let last = stop || self.settings.max_depth == Some(level.0);
        if checkpoints.has(level) || !last && Instant::now() < checkpoints.due() {
            return;
        }
        let mut totals = Totals::new(self.model.description());
        self.workers.iter().for_each(|worker| worker.add_to(&mut totals));
        let parts = Parts {
            totals: &totals,
            findings: self.findings,
            reported: &self.reported,
            spilled: self.supply.spilled().map(|spilled| spilled.after(self.spilled_before)),
            peak_memory: self.budget.peak(),
            levels: &mut self.levels,
        };
        let errors = parts.findings.all().found;
        let visited = &mut *self.visited;
        let written = checkpoints
            .write(level, totals.states, errors, |checkpoint| saving::save(visited, parts, checkpoint));
        if let Err(shortage) = written {
            let (checkpoints, settings) = (checkpoints.figures(), self.settings);
            self.observer.checkpoint_failed(&CheckpointFailed { shortage, level, checkpoints, settings });
        }
    }

    fn frontier(&mut self) -> &mut dyn Frontier {
        match self.settings.by_levels() {
            true => &mut self.levels,
            false => &mut self.stack,
        }
    }

    /// Whether the search stands where segments and threads may change.
    fn between_levels(&self) -> bool {
        !self.settings.by_levels() || self.levels.between_levels()
    }

    /// Whether several threads should work now.
    fn helpers(&self) -> bool {
        self.threads > 1
            && self.settings.by_levels()
            && self.visited.segmentation().segments() > 1
            && self.between_levels()
            && self.levels.len() >= self.settings.threads_from.max(1)
    }

    /// Spreads the visited set if it is no longer small.
    fn spread(&mut self) -> Result<(), ResourceError> {
        let small = self.visited.segmentation().segments() == 1;
        if !(small
            && self.may_spread
            && self.between_levels()
            && self.visited.len() >= self.settings.threads_from)
        {
            return Ok(());
        }
        match self.visited.spread(many_segments(self.threads, self.settings.memory)) {
            Ok(renumbering) => self.frontier().renumber(&renumbering),
            // There is not enough memory for that: it goes on in one segment as long as it can.
            Err(MemoryError) => {
                self.may_spread = false;
                Ok(())
            }
        }
    }

    /// One thread works.
    fn alone(&mut self, from_start: bool) -> Result<Pause, Ending> {
        let single = self.visited.segmentation().segments() == 1;
        let frontier: &mut dyn Frontier = match self.settings.by_levels() {
            true => &mut self.levels,
            false => &mut self.stack,
        };
        let mut site = SearchContext {
            share: self.visited.shares(1).pop().ok_or_else(lost)?,
            frontier,
            partners: None,
            observer: Some(&mut *self.observer),
            figures: &self.figures,
            interrupted: self.interrupted,
            budget: self.budget,
            spreads: single && self.may_spread,
            helpers: self.threads > 1 && !single,
            found: Level::default(),
            save_from: self.checkpoints.as_ref().map(|checkpoints| checkpoints.due()),
        };
        let worker = self.workers.first_mut().ok_or_else(lost)?;
        if let Some(descent) = &mut self.descent {
            let worked = descent.run(from_start, worker, &mut site);
            descent.pulse(worker, &mut site);
            return worked.map_err(ending_of);
        }
        let started = if from_start { worker.start(&mut site) } else { Ok(()) };
        let worked = started.and_then(|()| {
            // Faults of start states are reported before the search goes on.
            if worker.inserter.problems.is_empty() { worker.run(&mut site) } else { Ok(Pause::Problems) }
        });
        worker.pulse(&mut site);
        if let (Err(_), Some(pool)) = (&worked, &self.settings.serve) {
            self.left_behind = pool.states() + worker.reserve.len();
        }
        worked.map_err(ending_of)
    }

    /// All threads work.
    fn together(&mut self) -> Result<Pause, Ending> {
        let threads = self.threads;
        let words = self.codec.stored_words();
        let sleeping = self.workers.first().and_then(|worker| worker.inserter.sleeping.as_ref());
        let pool = self.settings.serve.as_ref();
        let doubts = pool.is_some_and(|pool| pool.workers_check());
        let sets = sleeping.map_or(usize::from(doubts), Sleeping::words);
        let bytes = Exchange::bytes(threads, words, sets);
        if self.budget.take(bytes).is_err() {
            self.threads = 1;
            return Ok(Pause::Regroup);
        }
        while self.workers.len() < threads {
            let number = self.workers.len();
            let worker = Worker::new(self.model, self.settings, self.codec, self.budget, number);
            self.workers.push(worker.helps(self.model, self.here, self.budget));
        }
        let meeting = Meeting::new(threads);
        let mut exchange = Exchange::new(threads, words, sets);
        let Some(mut levels) = self.levels.split(threads)? else {
            self.budget.give_back(bytes);
            self.threads = 1;
            return Ok(Pause::Regroup);
        };
        self.deal_sets(threads)?;
        if let Some(pool) = pool {
            pool.divide(threads);
        }
        let found = self.levels.found();
        let results = {
            let fewest = self.settings.threads_from / FEWER;
            let partners = exchange.partners(self.visited.segmentation(), &meeting, fewest);
            let shares = self.visited.shares(threads);
            let observer = &mut *self.observer;
            let (figures, interrupted, budget) = (&self.figures[..], self.interrupted, self.budget);
            let all = self.workers.iter_mut().zip(shares).zip(levels.iter_mut()).zip(partners);
            let jobs = all.map(|(((worker, share), levels), partners)| Job {
                worker,
                share,
                levels,
                partners: match pool {
                    Some(pool) => Box::new(ServedPartners::new(partners, pool)),
                    None => Box::new(partners),
                },
                starts: false,
            });
            let save_from = self.checkpoints.as_ref().map(|checkpoints| checkpoints.due());
            let common = Common { figures, interrupted, budget, found, save_from };
            work_together(jobs, common, observer, self.model.stack_use(), &|| meeting.stop())
        };
        self.figures.iter().for_each(|figures| figures.waiting.store(0, Ordering::Relaxed));
        self.budget.give_back(bytes);
        let waiting = pool.map_or(0, |pool| pool.states());
        if let Some(pool) = pool {
            pool.divide(1);
        }
        let Some(results) = results else {
            // The system has no more threads: nothing was done, and one goes on.
            self.levels.join(levels)?;
            self.deal_sets(1)?;
            self.threads = 1;
            return Ok(Pause::Regroup);
        };
        let worked = result_of(results).map_err(ending_of);
        match worked {
            Ok(pause) => {
                self.levels.join(levels)?;
                self.deal_sets(1)?;
                Ok(pause)
            }
            Err(ending) => {
                let reserved = self.workers.iter().map(|worker| worker.reserve.len()).sum::<u64>();
                self.left_behind = levels.iter().map(Frontier::len).sum::<u64>() + waiting + reserved;
                Err(ending)
            }
        }
    }

    /// Deals the sleep sets out to the owners of the states, for `threads` threads.
    fn deal_sets(&mut self, threads: usize) -> Result<(), Ending> {
        let segmentation = self.visited.segmentation();
        let mut sleeping: Vec<&mut Sleeping> =
            self.workers.iter_mut().filter_map(|worker| worker.inserter.sleeping.as_mut()).collect();
        Sleeping::deal(&mut sleeping, |hash| segmentation.owner(hash, threads)).map_err(ending_of)
    }
}

fn ending_of(halt: Halt) -> Ending {
    match halt {
        Halt::Ended(ending) => ending,
        Halt::Stopped => Ending::Internal("a thread was stopped, and nobody says why".to_owned()),
    }
}

fn lost() -> Ending {
    Ending::Internal("a part of the visited set is lost".to_owned())
}
