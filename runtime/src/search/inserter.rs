//! What a thread does with states that are its own, whoever made them: it stores them, checks those
//! that are new, and queues those that are valid.

use super::errors::waiting::{Pending, Problems};
use super::fired::Fired;
use super::site::Halt;
use super::sleeping::Sleeping;
use super::walking::WalkStats;
use super::{Ending, Observer};
use crate::contract::model::Model;
use crate::contract::problem::problem_of;
use crate::contract::successors::Successors;
use crate::expansion::Expander;
use crate::expansion::portion::bytes_of;
use crate::frontier::{Frontier, Level};
use crate::memory::Budget;
use crate::settings::Settings;
use crate::settings::watch::Watched;
use crate::state::codec::Codec;
use crate::visited::{Batch, Fresh, InsertError, Origin, Segmentation, Share, StateIndex};
use std::ops::Range;
use std::sync::Arc;

/// What one thread has counted.
#[derive(Debug, Default)]
pub struct Tally {
    /// New states that it stored.
    pub states: u64,
    /// Rules that it fired.
    pub rules: u64,
    /// The largest level of a state that it stored.
    pub depth: Level,
    pub fired: Fired,
    /// States for which the canonical form was given up.
    pub unreduced: u64,
    /// What it walked through, if paths are compressed.
    pub walked: WalkStats,
}

/// Stores what is new.
pub struct Inserter<'a> {
    pub settings: &'a Settings,
    pub codec: &'a Codec,
    /// The number of the thread: its lane, in a server.
    pub lane: usize,
    pub tally: Tally,
    /// What it has found wrong, and was not reported yet.
    pub problems: Problems,
    /// Something was left out because it lies too deep.
    pub beyond_depth: bool,
    /// With this number of new states, it wants a level to end with a look at the steps.
    pub look_at: u64,
    /// The level of the states that were inserted last.
    pub inserted: Level,
    pub watched: Watched,
    /// Which rules sleep, if any do.
    pub sleeping: Option<Sleeping<'a>>,
    /// The segments of this thread, where states may come from other processes.
    pub owned: Option<(Segmentation, Range<usize>)>,
    hashes: Vec<u64>,
    signatures: Vec<u64>,
    fresh: Vec<Fresh>,
    valid: Vec<StateIndex>,
    /// The positions in their batch of the states that were queued last.
    queued: Vec<u32>,
    /// Of the states of a batch that a worker has checked those that have to be checked here.
    doubtful: Vec<u32>,
    /// All positions of a batch.
    all: Vec<u32>,
    stored: Vec<u64>,
    decoded: Vec<u64>,
}

/// Where the words of new states are, in the form that the model computes on.
pub enum Source<'s, 'a> {
    /// They are successors in the expander's buffer, of some states of a batch.
    Made { expander: &'s mut Expander<'a>, first: usize, ends: &'s [usize] },
    /// Another one did, and sent them in stored form.
    Sent(Sender<'s, 'a>),
}

/// Who sent states, and what is known of them.
#[derive(Clone, Copy)]
pub struct Sender<'s, 'a> {
    /// The expander of this thread.
    pub expander: &'s Expander<'a>,
    /// If the sender has checked them: the positions, in ascending order, of those that have to be
    /// checked here.
    pub checked: Option<&'s [u32]>,
}

impl Sender<'_, '_> {
    fn is_checked(&self, position: usize) -> bool {
        self.checked.is_some_and(|open| open.binary_search(&(position as u32)).is_err())
    }
}

impl Tally {
    pub fn count(&mut self, successors: &Successors) {
        self.rules += successors.len() as u64;
        successors.rules().iter().for_each(|&rule| self.fired.count(rule));
        if !successors.has_rare() {
            return;
        }
        let faulted = successors.faults().iter().filter(|faulty| !faulty.in_guard).map(|faulty| &faulty.rule);
        let rare = faulted.chain(successors.excluded()).chain(successors.unchanged());
        for &rule in rare {
            self.rules += 1;
            self.fired.count(rule);
        }
    }
}

impl<'a> Inserter<'a> {
    /// The `lane`-th thread's.
    pub fn new(
        model: &'a dyn Model,
        settings: &'a Settings,
        codec: &'a Codec,
        budget: &Arc<Budget>,
        lane: usize,
    ) -> Self {
        let description = model.description();
        let fired = Fired::new(description.rules);
        Inserter {
            settings,
            codec,
            lane,
            tally: Tally { fired, ..Tally::default() },
            problems: Problems::new(description, settings, budget),
            beyond_depth: false,
            look_at: u64::MAX,
            inserted: Level::default(),
            watched: Watched::default(),
            sleeping: settings.sleeps_by_level().then(|| Sleeping::new(model, budget)).flatten(),
            owned: None,
            hashes: Vec::new(),
            signatures: Vec::new(),
            fresh: Vec::new(),
            valid: Vec::new(),
            queued: Vec::new(),
            doubtful: Vec::new(),
            all: Vec::new(),
            stored: Vec::new(),
            decoded: Vec::new(),
        }
    }

    /// Bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        bytes_of(&self.fresh)
            + bytes_of(&self.hashes)
            + bytes_of(&self.signatures)
            + bytes_of(&self.valid)
            + bytes_of(&self.queued)
            + bytes_of(&self.doubtful)
            + bytes_of(&self.all)
            + bytes_of(&self.stored)
            + bytes_of(&self.decoded)
    }

    /// Stores states of this thread's share, and remembers which of them are new.
    pub fn insert(
        &mut self,
        level: Level,
        batch: &Batch<'_>,
        positions: &[u32],
        share: &mut dyn Share,
    ) -> Result<(), Halt> {
        self.fresh.clear();
        self.inserted = level;
        if self.is_beyond(level) && !share.delays() {
            self.beyond_depth |= !share.knows(batch, positions);
            return Ok(());
        }
        share.insert(batch, positions, &mut self.fresh).map_err(|full| self.halt(full))?;
        match &mut self.sleeping {
            Some(sleeping) => sleeping.found(batch, positions, &self.fresh),
            None => Ok(()),
        }
    }

    /// Whether states of this level are not wanted.
    pub fn is_beyond(&self, level: Level) -> bool {
        self.settings.max_depth.is_some_and(|depth| level.0 > depth)
    }

    /// What it means for the search that a state could not be stored.
    pub fn halt(&self, full: InsertError) -> Halt {
        match Ending::of_full(full, self.settings) {
            Some(ending) => Halt::Ended(ending),
            None => Halt::Stopped,
        }
    }

    /// Stores a whole batch, and remembers which of its states are new.
    pub fn insert_all(&mut self, level: Level, batch: &Batch<'_>, share: &mut dyn Share) -> Result<(), Halt> {
        let count = batch.hashes.len();
        let mut all = std::mem::take(&mut self.all);
        all.extend(all.len() as u32..count.max(all.len()) as u32);
        let full = self.insert(level, batch, &all[..count], share);
        self.all = all;
        full
    }

    /// Stores states that another thread made, or a worker: those at these positions, or all.
    pub fn take_in(
        &mut self,
        level: Level,
        batch: &Batch<'_>,
        positions: Option<&[u32]>,
        expander: &Expander<'_>,
        (share, frontier): (&mut dyn Share, &mut dyn Frontier),
    ) -> Result<(), Halt> {
        let mut doubtful = std::mem::take(&mut self.doubtful);
        doubtful.clear();
        let mut checked = None;
        if self.settings.serve.is_some() && batch.sets.width > 0 {
            // Workers check, and say which ones the owner has to check.
            let marked = batch.sets.words.iter().enumerate().filter(|(_, word)| **word != 0);
            doubtful.extend(marked.map(|(position, _)| position as u32));
            checked = Some(&doubtful[..]);
        }
        let taken = self.insert_sent(level, batch, positions, Sender { expander, checked }, share, frontier);
        self.doubtful = doubtful;
        if let Some(pool) = &self.settings.serve {
            let words = self.codec.stored_words();
            let state = |at: &u32| batch.states.get(*at as usize * words..(*at as usize + 1) * words);
            pool.foresee(self.lane, level.0, self.queued.iter().filter_map(state));
        }
        taken
    }

    fn insert_sent(
        &mut self,
        level: Level,
        batch: &Batch<'_>,
        positions: Option<&[u32]>,
        sender: Sender<'_, '_>,
        share: &mut dyn Share,
        frontier: &mut dyn Frontier,
    ) -> Result<(), Halt> {
        let full = match positions {
            Some(positions) => self.insert(level, batch, positions, share),
            None if batch.hashes.len() == batch.origins.len() => self.insert_all(level, batch, share),
            None => self.insert_hashed(level, batch, share),
        };
        let words = self.codec.stored_words();
        self.stored.clear();
        // What nothing is to be checked of is not needed.
        let needed = if sender.checked.is_some_and(<[u32]>::is_empty) { &[][..] } else { &self.fresh };
        for fresh in needed {
            self.stored.extend_from_slice(&batch.states[fresh.position as usize * words..][..words]);
        }
        self.admit(level, frontier, Source::Sent(sender))?;
        full
    }

    /// Stores states of another process, which come without their hashes.
    fn insert_hashed(&mut self, level: Level, batch: &Batch<'_>, share: &mut dyn Share) -> Result<(), Halt> {
        let (mut hashes, mut signatures) =
            (std::mem::take(&mut self.hashes), std::mem::take(&mut self.signatures));
        hashes.clear();
        signatures.clear();
        share.hash(batch.states, &mut hashes, &mut signatures);
        let is_owned = match &self.owned {
            Some((segmentation, owned)) => {
                hashes.iter().all(|&hash| owned.contains(&segmentation.of_hash(hash)))
            }
            None => false,
        };
        let inserted = match is_owned && hashes.len() == batch.origins.len() {
            true => {
                let batch = Batch { hashes: &hashes, signatures: &signatures, ..*batch };
                self.insert_all(level, &batch, share)
            }
            false => {
                self.fresh.clear();
                Err(Halt::Ended(Ending::Internal(
                    "a state was sent to a process that does not own it".to_owned(),
                )))
            }
        };
        (self.hashes, self.signatures) = (hashes, signatures);
        inserted
    }

    /// Shows the new states that this thread made.
    #[cold]
    pub fn show(
        &self,
        successors: &Successors,
        origins: &[Origin],
        observer: &mut Option<&mut dyn Observer>,
    ) {
        for &Fresh { position, index } in &self.fresh {
            let position = position as usize;
            let origin = origins.get(position).and_then(|origin| origin.predecessor());
            let origin = origin.map(|index| index.0);
            if let Some(observer) = observer {
                observer.state(successors.state(position), index.0, origin);
            }
        }
    }

    /// Checks the new states and queues those that are valid.
    pub fn admit(
        &mut self,
        level: Level,
        frontier: &mut dyn Frontier,
        mut source: Source<'_, '_>,
    ) -> Result<(), Halt> {
        self.queued.clear();
        if self.fresh.is_empty() {
            return Ok(());
        }
        self.tally.states += self.fresh.len() as u64;
        self.tally.depth = self.tally.depth.max(level);
        self.valid.clear();
        let width = self.codec.aligned_words();
        let is_successor = level != Level::default();
        let sent = match source {
            Source::Made { .. } => &mut [],
            Source::Sent(Sender { checked: Some([]), .. }) => &mut [],
            Source::Sent(_) => self.codec.decode(&mut self.stored, self.fresh.len(), &mut self.decoded),
        };
        for (at, &Fresh { position, index }) in self.fresh.iter().enumerate() {
            let position = position as usize;
            // Only valid states are expanded, so what made the state from one of them says what can
            // be violated. Start states have been made from nothing; what comes from another thread
            // comes without the rule.
            let (checked, state) = match &mut source {
                Source::Made { expander, .. } => {
                    self.settings.watch.see(expander.successors().state(position), &mut self.watched);
                    expander.check_successor(position, is_successor)
                }
                Source::Sent(sender) if sender.is_checked(position) => (Ok(()), &[][..]),
                Source::Sent(Sender { expander, .. }) => {
                    let state = sent.get_mut(at * width..(at + 1) * width).unwrap_or(&mut []);
                    self.settings.watch.see(state, &mut self.watched);
                    (expander.check(state), &*state)
                }
            };
            match checked {
                Ok(()) => {
                    self.valid.push(index);
                    if matches!(source, Source::Sent(_)) {
                        self.queued.push(position as u32);
                    }
                }
                Err(violation) => {
                    let (problem, words) = (problem_of(violation), state.into());
                    let from = match &source {
                        Source::Made { first, ends, .. } => {
                            first + ends.partition_point(|&end| end <= position)
                        }
                        Source::Sent(_) => 0,
                    };
                    let pending = Pending { from, level, state: Some(index), words, problem };
                    let expander = match &source {
                        Source::Made { expander, .. } => &**expander,
                        Source::Sent(sender) => sender.expander,
                    };
                    self.problems.violated(expander, pending);
                    frontier.push(level, &self.valid)?;
                    self.valid.clear();
                    frontier.leave_out(index)?;
                }
            }
        }
        Ok(frontier.push(level, &self.valid)?)
    }

    /// Puts the problems of a batch into the order of the states that they came from.
    pub fn order_problems(&mut self) {
        self.problems.order();
    }

    /// Ends the search if all processes together have found more states than are allowed. Within
    /// one process the visited set ensures that, and stores no more.
    pub fn count_together(&self, states: u64) -> Result<(), Halt> {
        match self.settings.max_states {
            Some(most) if self.settings.cluster.is_some() && states > most => {
                Err(Halt::Ended(Ending::States(most)))
            }
            _ => Ok(()),
        }
    }

    /// If one error is enough, and there is one, all stop.
    pub fn stop_early(&self) -> Result<(), Halt> {
        // Several processes, and workers of a server, finish the level, so that what they find
        // does not depend on their number.
        let stops = self.settings.max_errors == Some(1) && !self.settings.is_divided();
        if stops && !self.problems.is_empty() {
            return Err(Halt::Ended(Ending::Errors));
        }
        Ok(())
    }
}
