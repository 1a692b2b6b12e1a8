//! A search of several processes, as one of them goes through it.
//!
//! The threads of all processes are partners from the first start state on: nothing is spread,
//! split or joined later. Whenever they come back, after a level with errors, at the end, or
//! because one has stopped all, the processes confer: each reports to process 0, which reports the
//! errors of all in one order, decides, and says so to the others. So all of them go on or end
//! alike.

mod saving;

use super::{Search, ending_of};
use crate::cluster::frames::Frame;
use crate::cluster::hub::{Hub, Wake};
use crate::contract::model::Description;
use crate::frontier::Frontier;
use crate::frontier::levels::Levels;
use crate::search::Ending;
use crate::search::across::dealing::Dealing;
use crate::search::across::elsewhere::{Everywhere, answer};
use crate::search::across::endings::Ended;
use crate::search::across::letters::{Decision, Dropped, Report, Return, Waiting, read, write};
use crate::search::across::partners::{self, ClusterPartners, Parcels};
use crate::search::across::{ClusterStats, ProcessStats};
use crate::search::errors::kept::ErrorStats;
use crate::search::errors::waiting::Pending;
use crate::search::saving::Totals;
use crate::search::sets::frontier_supply;
use crate::search::site::{Figures, Halt, Pause};
use crate::search::teamwork::{Common, Job, result_of, work_together};
use crate::search::together::channels::Exchange;
use crate::search::together::meeting::Meeting;
use crate::search::worker::Worker;
use crate::spool::SpillStats;
use crate::sync::Ordering;
use crate::visited::{SetStats, Visited};
use std::sync::Arc;

/// Who owns which states, for traces that lead through several processes.
pub struct Owners {
    hub: Arc<Hub>,
    dealing: Arc<Dealing>,
    /// States of all processes.
    states: u64,
}

impl Owners {
    /// The states of all processes, of which these are of this one.
    pub fn states<'a>(&'a self, own: &'a dyn Visited) -> Everywhere<'a> {
        Everywhere { own, hub: &self.hub, dealing: &self.dealing, states: self.states }
    }
}

/// What other processes have done.
pub struct Across {
    pub stats: ClusterStats,
    /// States that wait there.
    pub waiting: u64,
    others: Vec<Report>,
}

impl Across {
    /// Adds what others have counted. Returns the bytes that they had in use.
    pub fn add_to(&self, totals: &mut Totals, description: &Description) -> u64 {
        self.others.iter().for_each(|report| {
            report.counted.add_to(totals, description);
        });
        self.others.iter().map(|report| report.stats.memory).sum()
    }

    /// What the queues of other processes have written to disk.
    pub fn spilled(&self) -> SpillStats {
        spilled(&self.others)
    }

    /// Adds the figures of the visited sets of other processes.
    pub fn join_sets(&self, own: &mut dyn SetStats) {
        self.others.iter().filter_map(|report| report.set.as_ref()).for_each(|set| {
            own.join(set);
        });
    }
}

fn spilled(reports: &[Report]) -> SpillStats {
    reports.iter().fold(SpillStats::default(), |sum, report| sum.and(report.stats.spilled))
}

/// What a process has of a search of several.
struct Part<'h> {
    hub: &'h Arc<Hub>,
    dealing: Arc<Dealing>,
    parcels: Parcels,
    meeting: Arc<Meeting>,
    /// The number of the search.
    search: u32,
    /// For each thread of this process.
    levels: Vec<Levels>,
    has_started: bool,
    /// What the other processes have reported last.
    others: Vec<Report>,
    /// The process that ended the search for all.
    ended_by: Option<usize>,
}

impl Search<'_, '_> {
    /// Goes through the search together with the other processes.
    pub(super) fn run_across(&mut self, hub: &Arc<Hub>, dealing: Option<Dealing>) -> (Ending, Across) {
        let threads = hub.places().get(hub.me).map_or(1, |place| place.threads);
        let meeting = Arc::new(Meeting::new(threads));
        let bells = meeting.clone();
        let search = hub.begin(Arc::new(move |wake| match wake {
            Wake::Thread(thread) => bells.ring(thread),
            Wake::All => (0..bells.threads()).for_each(|thread| bells.ring(thread)),
            Wake::Stop => bells.stop(),
        }));
        let (mut others, mut ended_by) = (Vec::new(), None);
        let ending = match dealing {
            None => Ending::Internal("there are more threads than segments".to_owned()),
            Some(dealing) => {
                let least = hub.places().iter().map(|place| place.memory).min().unwrap_or(0);
                let parcels = Parcels::new(self.codec, &dealing, hub.me, self.settings.memory, least);
                let dealing = Arc::new(dealing);
                let mut part = Part {
                    hub,
                    dealing,
                    parcels,
                    meeting,
                    search,
                    levels: Vec::new(),
                    has_started: false,
                    others: Vec::new(),
                    ended_by: None,
                };
                let mut prepared = self.prepare(&mut part);
                let ending = loop {
                    let worked = match std::mem::replace(&mut prepared, Ok(())) {
                        Ok(()) => self.work_across(&mut part),
                        Err(ending) => Err(Halt::Ended(ending)),
                    };
                    if let Some(ending) = self.confer(&mut part, worked) {
                        break ending;
                    }
                };
                self.left_behind = part.levels.iter().map(Frontier::len).sum();
                (others, ended_by) = (part.others, part.ended_by);
                ending
            }
        };
        hub.end();
        // Whatever else happened, that is the reason.
        let ending = hub.failure().map_or(ending, Ending::Lost);
        let mut stats = vec![None; hub.count()];
        if let Some(own) = stats.get_mut(hub.me) {
            *own = Some(self.stats(hub));
        }
        let numbers = hub.others();
        numbers.zip(&others).for_each(|(process, report)| stats[process] = Some(report.stats.clone()));
        let processes = hub.places().iter().cloned().zip(stats).collect();
        let waiting = others.iter().map(|report| report.waiting).sum();
        let stats = ClusterStats { processes, encrypted: hub.is_encrypted, ended_by };
        (ending, Across { stats, waiting, others })
    }

    /// Makes the visited set, the frontiers and the threads of this process.
    fn prepare(&mut self, part: &mut Part<'_>) -> Result<(), Ending> {
        let Part { hub, dealing, .. } = part;
        if self.visited.spreads() && self.visited.spread(dealing.segmentation).is_err() {
            return Err(Ending::Memory);
        }
        let supply = frontier_supply(self.settings, self.supply);
        let ranges = dealing.ranges(hub.me);
        part.levels = ranges
            .iter()
            .map(|range| Levels::of(dealing.segmentation, range.clone(), supply.clone()))
            .collect();
        while self.workers.len() < ranges.len() {
            let number = self.workers.len();
            self.workers.push(Worker::new(self.model, self.settings, self.codec, self.budget, number));
        }
        for (worker, range) in self.workers.iter_mut().zip(ranges) {
            worker.inserter.owned = Some((dealing.segmentation, range));
        }
        self.figures = (0..dealing.seats.len()).map(|_| Figures::default()).collect();
        self.resume_across(part)
    }

    /// Lets the threads of this process work until all partners pause, or stop.
    fn work_across(&mut self, part: &mut Part<'_>) -> Result<Pause, Halt> {
        let threads = part.levels.len();
        let words = self.codec.stored_words();
        let bytes = Exchange::bytes(threads, words, 0) + part.parcels.memory();
        if self.budget.take(bytes).is_err() {
            return Err(Halt::Ended(Ending::Memory));
        }
        let mut exchange = Exchange::new(threads, words, 0);
        let starts = part.hub.me == 0 && !std::mem::replace(&mut part.has_started, true);
        let found = part.levels.first().map(Levels::found).unwrap_or_default();
        let common = partners::Common {
            hub: part.hub,
            dealing: &part.dealing,
            parcels: part.parcels,
            search: part.search,
            interrupted: self.interrupted,
        };
        let results = {
            let near = exchange.partners(part.dealing.segmentation, &part.meeting, 0);
            let shares = self.visited.shares_of(&part.dealing.ranges(part.hub.me));
            let all = self.workers.iter_mut().zip(shares).zip(&mut part.levels).zip(near).enumerate();
            let jobs = all.map(|(number, (((worker, share), levels), near))| Job {
                worker,
                share,
                levels,
                partners: Box::new(ClusterPartners::new(common, near)),
                starts: starts && number == 0,
            });
            let (figures, interrupted, budget) = (&self.figures[..], self.interrupted, self.budget);
            // Process 0 decides for all.
            let save_from = self.checkpoints.as_ref().map(|checkpoints| checkpoints.due());
            let save_from = save_from.filter(|_| part.hub.me == 0);
            let shared = Common { figures, interrupted, budget, found, save_from };
            let stop = || part.meeting.stop();
            work_together(jobs, shared, &mut *self.observer, self.model.stack_use(), &stop)
        };
        self.figures.iter().for_each(|figures| figures.waiting.store(0, Ordering::Relaxed));
        self.budget.give_back(bytes);
        let refused = || Err(Halt::Ended(Ending::Internal("the system has no more threads".to_owned())));
        results.map_or_else(refused, result_of)
    }

    /// Confers with the other processes. `None`: all go on.
    fn confer(&mut self, part: &mut Part<'_>, worked: Result<Pause, Halt>) -> Option<Ending> {
        let returned = match worked {
            Ok(Pause::Done) => Return::Done,
            Ok(Pause::Problems) => Return::Problems,
            Ok(Pause::Regroup) => Return::Paused,
            Err(Halt::Stopped) if self.interrupted.is_requested() => {
                Return::Ended(Ended::from(&Ending::Interrupted))
            }
            Err(Halt::Stopped) => Return::Stopped,
            Err(Halt::Ended(ending)) => Return::Ended(Ended::from(&ending)),
        };
        if !matches!(returned, Return::Done | Return::Problems | Return::Paused) {
            part.hub.stop(part.search);
        }
        let (mut problems, mut dropped) = (Vec::new(), ErrorStats::default());
        for worker in self.workers.iter_mut() {
            let (waiting, did_not_fit) = worker.inserter.problems.take();
            problems.extend(waiting);
            dropped.join(&did_not_fit);
        }
        match part.hub.me {
            0 => self.decide(part, returned, problems, dropped),
            _ => self.follow_decision(part, returned, &problems, &dropped),
        }
    }

    /// What this process has done so far.
    fn stats(&self, hub: &Hub) -> ProcessStats {
        let mut totals = Totals::new(self.model.description());
        self.workers.iter().for_each(|worker| worker.add_to(&mut totals));
        let links = || hub.others().filter_map(|process| hub.link(process));
        ProcessStats {
            states: totals.states,
            rules: totals.rules,
            memory: self.budget.peak(),
            refused: self.budget.refused(),
            states_sent: links().map(|link| link.states.load(std::sync::atomic::Ordering::Relaxed)).sum(),
            states_repeated: links()
                .map(|link| link.repeated.load(std::sync::atomic::Ordering::Relaxed))
                .sum(),
            bytes_sent: links().map(|link| link.bytes.load(std::sync::atomic::Ordering::Relaxed)).sum(),
            spilled: self.supply.spilled().unwrap_or_default(),
        }
    }

    /// Reports to process 0, answers its questions, and does as it says.
    fn follow_decision(
        &mut self,
        part: &mut Part<'_>,
        returned: Return,
        problems: &[Pending],
        dropped: &ErrorStats,
    ) -> Option<Ending> {
        let hub = part.hub;
        let mut totals = Totals::new(self.model.description());
        self.workers.iter().for_each(|worker| worker.add_to(&mut totals));
        let report = Report {
            returned,
            problems: problems.iter().map(Waiting::from).collect(),
            dropped: Dropped::from(dropped),
            counted: (&totals).into(),
            waiting: part.levels.iter().map(Frontier::len).sum(),
            stats: self.stats(hub),
            set: self.visited.stats().and_then(|set| set.letter()),
        };
        hub.send(0, &Frame::Letter(&write(&report)));
        self.workers.iter_mut().for_each(|worker| worker.inserter.problems.release());
        loop {
            let Some(letter) = hub.letter(0) else { return Some(lost(hub)) };
            match read(&letter) {
                Some(Decision::Ask(question)) => {
                    hub.send(0, &Frame::Letter(&write(&answer(&*self.visited, question))));
                }
                Some(Decision::Save(generation)) => {
                    let answer = self.save_part(part, generation);
                    hub.send(0, &Frame::Letter(&write(&answer)));
                }
                Some(Decision::GoOn) => return None,
                Some(Decision::End(ended)) => return Some(ended.into()),
                None => {
                    hub.accuse(0);
                    return Some(lost(hub));
                }
            }
        }
    }

    /// Hears all other processes, reports the errors of all, and decides.
    fn decide(
        &mut self,
        part: &mut Part<'_>,
        returned: Return,
        mut problems: Vec<Pending>,
        mut dropped: ErrorStats,
    ) -> Option<Ending> {
        let hub = part.hub;
        let description = self.model.description();
        let mut returns = vec![returned];
        part.others.clear();
        for process in hub.others() {
            let Some(letter) = hub.letter(process) else { return Some(lost(hub)) };
            let Some(mut report) = read::<Report>(&letter) else {
                hub.accuse(process);
                return Some(lost(hub));
            };
            for waiting in std::mem::take(&mut report.problems) {
                let Some(pending) = waiting.pending(description) else {
                    hub.accuse(process);
                    return Some(lost(hub));
                };
                problems.push(pending);
            }
            let fits = report.counted.add_to(&mut Totals::new(description), description);
            if !fits {
                hub.accuse(process);
                return Some(lost(hub));
            }
            dropped.join(&report.dropped.clone().into());
            returns.push(report.returned.clone());
            part.others.push(report);
        }
        part.ended_by = returns.iter().position(|returned| matches!(returned, Return::Ended(_)));
        let own: u64 = self.workers.iter().map(|worker| worker.inserter.tally.states).sum();
        let states = own + part.others.iter().map(|report| report.counted.states()).sum::<u64>();
        self.everywhere = Some(Owners { hub: hub.clone(), dealing: part.dealing.clone(), states });
        let reported = self.report(problems, dropped);
        self.everywhere = None;
        let beyond = self.workers.iter().any(|worker| worker.inserter.beyond_depth)
            || part.others.iter().any(|report| report.counted.is_beyond_depth());
        let all_done = match self.settings.max_depth {
            Some(depth) if beyond => Ending::Depth(depth),
            _ => Ending::Complete,
        };
        let ending = match (reported, together(&returns, all_done)) {
            // That is why there is no trace.
            (Err(Ending::NotReplayed(_)), Some(why @ Ending::Asymmetric(_))) => Some(why),
            (Err(ending), _) => Some(ending),
            (Ok(()), ending) => ending,
        };
        if hub.failure().is_some() {
            return Some(lost(hub));
        }
        if ending.is_none() {
            self.save_across(part);
            if hub.failure().is_some() {
                return Some(lost(hub));
            }
        }
        let decision = match &ending {
            None => Decision::GoOn,
            Some(ending) => Decision::End(ending.into()),
        };
        let letter = write(&decision);
        hub.send_to_all(&Frame::Letter(&letter));
        ending
    }
}

/// How the search goes on if the processes came back like this: `None`, it does.
fn together(returns: &[Return], all_done: Ending) -> Option<Ending> {
    let ended = returns.iter().find_map(|returned| match returned {
        Return::Ended(ended) => Some(ended.clone().into()),
        Return::Done | Return::Problems | Return::Paused | Return::Stopped => None,
    });
    if ended.is_some() {
        return ended;
    }
    if returns.contains(&Return::Stopped) {
        return Some(ending_of(Halt::Stopped));
    }
    returns.iter().all(|returned| *returned == Return::Done).then_some(all_done)
}

fn lost(hub: &Hub) -> Ending {
    Ending::Lost(hub.failure().unwrap_or_else(|| "a process is lost".to_owned()))
}
