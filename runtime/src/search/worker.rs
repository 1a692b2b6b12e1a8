//! The loop of every exhaustive search, as one thread goes through it.
//!
//! It takes a batch of states off the frontier, lets the model expand each into one buffer
//! ([`crate::expansion`]), and
//! brings the successors to whom they belong: its own it stores at once, the whole buffer together,
//! those of other threads it sends to them. A new state is checked and queued by the thread that
//! owns it ([`super::inserter`]). What differs between searches is behind
//! [`Share`](crate::visited::Share) and [`Frontier`](crate::frontier::Frontier).
//!
//! Alone, a thread processes states in the order in which the frontier gives them out and
//! successors in the order of their rules, so what it finds does not depend on the size of the
//! batches.

use super::Ending;
use super::errors::waiting::Pending;
use super::fired::Fired;
use super::inserter::{Inserter, Source, Tally};
use super::partners::LevelSums;
use super::saving::Totals;
use super::serving::{OwnShare, Reserve};
use super::settling::Signs;
use super::site::{Halt, Pause, SearchContext};
use super::sleeping::Sleeping;
use super::walking::{Beginning, PathWalker};
use crate::contract::model::Model;
use crate::expansion::Expander;
use crate::expansion::portion::{Portion, bytes_of};
use crate::expansion::starts::Starts;
use crate::frontier::{Frontier, Level, Taken};
use crate::memory::{Account, Budget, counted};
use crate::settings::Settings;
use crate::state::codec::Codec;
use crate::visited::batch::SetBuffer;
use crate::visited::{Batch, Origin, Share};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The number of successors that should be gathered before they are stored.
const GATHER: u64 = 256;
/// With this many successors, they are stored before the next state is expanded.
const MANY: usize = 1024;
/// States expanded together, at most.
const BATCH: usize = 128;
/// Batches between two reports of progress.
const PULSE: u64 = 8;

/// The engine contradicts itself.
pub const NOT_INDEPENDENT: &str = "a rule is enabled in a state where it should not be, or the other way round: it is not independent of one that \
     led there";

/// A thread's own buffers, counters and context, for the whole search.
pub struct Worker<'a> {
    pub expander: Expander<'a>,
    pub inserter: Inserter<'a>,
    expansion: Expansion<'a>,
    /// The positions of the successors that belong to each thread.
    pub(super) by_owner: Vec<Vec<u32>>,
    /// States for the workers of a server that are in no batch yet.
    pub(super) reserve: Reserve,
    /// If this is a thread of a server that expands states as well.
    pub(super) own_share: Option<OwnShare<'a>>,
    /// What was taken from the budget for the buffers.
    account: Account,
}

/// The states that were taken off the frontier, and what goes with their successors.
struct Expansion<'a> {
    codec: &'a Codec,
    /// Walks through states with one successor, if paths are compressed.
    walker: Option<PathWalker>,
    taken: Taken,
    decoded: Vec<u64>,
    portion: Portion,
    /// States to take at a time.
    most: usize,
    expanded: u64,
    batches: u64,
    /// The first state taken whose successors are in the buffer.
    first: usize,
    /// Of its successors some are still to be made.
    unfinished: bool,
    /// For each state from there on, where its successors end.
    ends: Vec<usize>,
    /// The hashes of the states taken, and their signatures, where rules sleep in them.
    taken_hashes: Vec<u64>,
    taken_signatures: Vec<u64>,
    // What goes with each successor.
    sets: SetBuffer,
    encoded: Vec<u64>,
    hashes: Vec<u64>,
    signatures: Vec<u64>,
    origins: Vec<Origin>,
}

impl<'a> Worker<'a> {
    /// The `number`-th thread's.
    pub fn new(
        model: &'a dyn Model,
        settings: &'a Settings,
        codec: &'a Codec,
        budget: &Arc<Budget>,
        number: usize,
    ) -> Self {
        let description = model.description();
        let inserter = Inserter::new(model, settings, codec, budget, number);
        let sets = inserter.sleeping.as_ref().map_or(0, Sleeping::words);
        let portion = Portion::new(settings, description, sets);
        Worker {
            expander: Expander::for_search(model, settings, portion, number),
            inserter,
            expansion: Expansion {
                codec,
                walker: settings.compresses_paths().then(|| PathWalker::new(description, portion)),
                taken: Taken::default(),
                decoded: Vec::new(),
                portion,
                most: 1,
                expanded: 0,
                batches: 0,
                first: 0,
                unfinished: false,
                ends: Vec::new(),
                taken_hashes: Vec::new(),
                taken_signatures: Vec::new(),
                sets: SetBuffer::default(),
                encoded: Vec::new(),
                hashes: Vec::new(),
                signatures: Vec::new(),
                origins: Vec::new(),
            },
            by_owner: Vec::new(),
            reserve: Reserve::default(),
            own_share: None,
            account: Account::new(budget.clone()),
        }
    }

    /// Adds what this thread has done to what others have.
    pub fn add_to(&self, totals: &mut Totals) {
        let Worker { expander, inserter, expansion, .. } = self;
        let tally = &inserter.tally;
        totals.states += tally.states;
        totals.rules += tally.rules;
        totals.depth = totals.depth.max(tally.depth);
        totals.unreduced += tally.unreduced;
        totals.fired.iter_mut().zip(tally.fired.counts()).for_each(|(sum, count)| *sum += count);
        totals.covered.iter_mut().zip(expander.context().covered()).for_each(|(sum, count)| *sum += count);
        totals.undefined_compared.join(&expander.context().undefined_compared());
        totals.expanded += expansion.expanded;
        totals.batches += expansion.batches;
        totals.batch = totals.batch.max(expansion.most as u64);
        totals.beyond_depth |= inserter.beyond_depth;
    }

    /// Goes on as if it had done all that.
    pub fn take_over(&mut self, totals: &Totals) {
        let Worker { expander, inserter, expansion, .. } = self;
        inserter.tally = Tally {
            states: totals.states,
            rules: totals.rules,
            depth: totals.depth,
            fired: Fired::from_counts(expander.model().description().rules, totals.fired.clone()),
            unreduced: totals.unreduced,
            // Searches that walk are not saved.
            walked: Default::default(),
        };
        expander.set_unreduced(totals.unreduced);
        expander.context().set_covered(&totals.covered);
        expander.context().set_undefined_compared(&totals.undefined_compared);
        inserter.beyond_depth = totals.beyond_depth;
        // Batches of the same states, so that all that is looked at once a batch is looked at as
        // before.
        (expansion.expanded, expansion.batches) = (totals.expanded, totals.batches);
        expansion.most = (totals.batch as usize).clamp(1, BATCH);
    }

    /// Makes the start states the first batch.
    pub fn start(&mut self, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let mut starts = Starts::default();
        loop {
            self.expansion.clear();
            let more = self.make_starts(&mut starts);
            self.expansion.origins.resize(self.expander.successors().len(), Origin::START);
            self.absorb(Level::default(), site)?;
            self.settle_if_full(site)?;
            self.count_memory()?;
            if !more {
                break;
            }
            self.pulse(site);
            if site.interrupted.is_requested() {
                return Err(Halt::Ended(Ending::Interrupted));
            }
        }
        if starts.none() { Err(Halt::Ended(Ending::NoStart)) } else { Ok(()) }
    }

    /// Fills the expander's buffer with a portion of the start states, and notes what goes wrong
    /// with them. False: these were the last.
    pub fn make_starts(&mut self, starts: &mut Starts) -> bool {
        let Worker { expander, inserter, .. } = self;
        let one_is_enough = inserter.settings.max_errors == Some(1);
        expander.start(starts, |problem| {
            let (level, words) = (Level::default(), Arc::default());
            inserter.problems.push(Pending { from: 0, level, state: None, words, problem });
            if one_is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// Takes from the budget what the buffers have come to need.
    fn count_memory(&mut self) -> Result<(), Halt> {
        let lane = self.inserter.lane;
        let batches = self.inserter.settings.serve.as_ref().map_or(0, |pool| pool.bytes(lane));
        let own_share = self.own_share.as_ref().map_or(0, OwnShare::bytes);
        let by_owner: u64 = self.by_owner.iter().map(bytes_of).sum();
        let own = self.expansion.bytes() + self.expander.successors().bytes() + self.inserter.bytes();
        let bytes = counted(own + by_owner + batches + own_share + self.reserve.bytes());
        self.account.set(bytes).map_err(|_| Halt::Ended(Ending::Memory))
    }

    /// Goes through level after level.
    pub fn run(&mut self, site: &mut SearchContext<'_>) -> Result<Pause, Halt> {
        // Where one thread does all the work, what it finds is always the same, and is reported at
        // once. Otherwise it is gathered until the end of the level, and put in order.
        let at_once = self.inserter.settings.works_alone();
        let enough = self.inserter.settings.threads_from;
        let by_level = self.inserter.settings.by_levels();
        loop {
            while self.step(site)? {
                if at_once && !self.inserter.problems.is_empty() {
                    return Ok(Pause::Problems);
                }
                if !by_level && site.spreads && self.inserter.tally.states >= enough {
                    return Ok(Pause::Regroup);
                }
            }
            self.finish_level(site)?;
            if by_level {
                self.end_level(site)?;
            }
            let waiting = site.frontier.advance();
            if let Some(sleeping) = &mut self.inserter.sleeping {
                sleeping.advance();
            }
            site.found = site.found.next();
            self.pulse(site);
            let save = site.wants_to_save(&self.inserter.tally, self.inserter.settings)
                || self.inserter.tally.states >= self.inserter.look_at;
            let Some(partners) = &mut site.partners else {
                if !self.inserter.problems.is_empty() {
                    return Ok(Pause::Problems);
                }
                if waiting == 0 {
                    return Ok(Pause::Done);
                }
                if save {
                    return Ok(Pause::Regroup);
                }
                let spread = site.spreads && self.inserter.tally.states >= enough;
                if spread || site.helpers && waiting >= enough {
                    return Ok(Pause::Regroup);
                }
                continue;
            };
            let problems = self.inserter.problems.len() as u64;
            let states = self.inserter.tally.states;
            let brought = LevelSums { waiting, problems, saves: u64::from(save), states };
            let LevelSums { waiting, problems, saves, states } =
                partners.agree(brought).ok_or(Halt::Stopped)?;
            if problems > 0 {
                return Ok(Pause::Problems);
            }
            self.inserter.count_together(states)?;
            if waiting == 0 {
                return Ok(Pause::Done);
            }
            if saves > 0 || waiting < partners.fewest() {
                return Ok(Pause::Regroup);
            }
        }
    }

    /// Expands a batch of states. False: there is nothing left in this level.
    fn step(&mut self, site: &mut SearchContext<'_>) -> Result<bool, Halt> {
        if let Some(pool) = &self.inserter.settings.serve {
            return self.step_elsewhere(&pool.clone(), site);
        }
        let expansion = &mut self.expansion;
        expansion.taken.clear();
        let Some(level) = site.frontier.take(&mut *site.share, expansion.most, &mut expansion.taken)? else {
            return Ok(false);
        };
        if self.inserter.sleeping.is_some() {
            expansion.taken_hashes.clear();
            expansion.taken_signatures.clear();
            site.share.hash(
                &expansion.taken.words,
                &mut expansion.taken_hashes,
                &mut expansion.taken_signatures,
            );
        }
        // Out of `self` while they are at work: for the byte-aligned layout these words are the
        // states.
        let mut stored = std::mem::take(&mut expansion.taken.words);
        let mut buffer = std::mem::take(&mut expansion.decoded);
        let mut count = expansion.taken.indices.len();
        let states = self.inserter.codec.decode(&mut stored, count, &mut buffer);
        let mut worked = Ok(());
        if site.share.delays() {
            count = self.inserter.check_taken(level, &mut expansion.taken.indices, states, &self.expander);
            worked = self.inserter.stop_early();
        }
        self.expansion.first = 0;
        while self.expansion.first < count && worked.is_ok() {
            worked = self.expand(states, level, site);
            worked = worked.and_then(|()| self.absorb(level.next(), site));
            worked = worked.and_then(|()| self.settle_if_full(site));
            worked = worked.and_then(|()| self.count_memory());
            self.expansion.first += self.expansion.ends.len();
            if self.expansion.unfinished {
                worked = worked.and_then(|()| self.between_pieces(level, site));
            }
        }
        self.expansion.taken.words = stored;
        self.expansion.decoded = buffer;
        self.inserter.order_problems();
        worked?;

        let expansion = &mut self.expansion;
        expansion.expanded += count as u64;
        let rules = self.inserter.tally.rules.max(1);
        let most = BATCH.min(expansion.portion.states) as u64;
        expansion.most = ((GATHER * expansion.expanded) / rules).clamp(1, most) as usize;
        expansion.batches += 1;
        if expansion.batches.is_multiple_of(PULSE) {
            self.pulse(site);
        }
        if site.interrupted.is_requested() {
            return Err(Halt::Ended(Ending::Interrupted));
        }
        self.receive(level.next(), site)?;
        Ok(true)
    }

    /// A batch of `count` states was expanded elsewhere, and what it led to is stored.
    pub(super) fn expanded_elsewhere(
        &mut self,
        count: usize,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        self.expansion.expanded += count as u64;
        self.expansion.batches += 1;
        self.settle_if_full(site)?;
        self.count_memory()?;
        if self.expansion.batches.is_multiple_of(PULSE) {
            self.pulse(site);
        }
        Ok(())
    }

    /// Fires all rules in the states taken, from the first that is still to do, until there are
    /// many successors.
    fn expand(&mut self, states: &mut [u64], level: Level, site: &SearchContext<'_>) -> Result<(), Halt> {
        let Worker { expander, inserter, expansion, .. } = self;
        expansion.clear();
        expander.successors_mut().clear();
        let width = expansion.codec.aligned_words();
        let mut rest = states.get_mut(expansion.first * width..).unwrap_or(&mut []);
        for (from, &index) in expansion.taken.indices.iter().enumerate().skip(expansion.first) {
            let goes_on = std::mem::take(&mut expansion.unfinished);
            let made = expander.successors();
            if made.len() >= MANY || made.words().len() >= expansion.portion.enough() {
                break;
            }
            let (state, others) = rest.split_at_mut(width.min(rest.len()));
            rest = others;
            if !goes_on {
                expander.begin();
            }
            if let Some(walker) = &mut expansion.walker {
                let beginning = Beginning { from, index, level };
                let stopped = || site.stopped();
                let is_wide = goes_on || walker.walk(expander, inserter, beginning, state, &stopped)?;
                if is_wide {
                    expander.expand_again(walker.end());
                }
            } else {
                match (&mut inserter.sleeping, expansion.taken_hashes.get(from)) {
                    (Some(sleeping), Some(&hash)) => {
                        if !goes_on {
                            sleeping.begin(hash, expander.successors_mut());
                        }
                        expander.fire_awake(state);
                        let (successors, before) = (expander.successors(), expander.before());
                        if !sleeping.end(successors, before, &mut expansion.sets) {
                            return Err(Halt::Ended(Ending::Internal(NOT_INDEPENDENT.to_owned())));
                        }
                    }
                    (Some(_) | None, _) => expander.fire(state),
                }
                expander.settle(state, |state, problem| {
                    let words = state.into();
                    inserter.problems.push(Pending { from, level, state: Some(index), words, problem });
                })?;
            }
            expansion.origins.resize(expander.successors().len(), Origin::from(index));
            if expander.go_on() {
                expansion.unfinished = true;
                break;
            }
            expansion.ends.push(expander.successors().len());
        }
        if expansion.walker.is_none() {
            inserter.tally.count(expander.successors());
        }
        if let Some(sleeping) = &mut inserter.sleeping {
            sleeping.slept += expander.successors().slept();
        }
        inserter.tally.unreduced = expander.unreduced();
        Ok(())
    }

    /// A state with many successors is being expanded: others wait meanwhile, and so does the user.
    fn between_pieces(&mut self, level: Level, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        self.pulse(site);
        if site.interrupted.is_requested() {
            return Err(Halt::Ended(Ending::Interrupted));
        }
        self.receive(level.next(), site)
    }

    /// Takes in what other threads have sent so far.
    pub(super) fn receive(&mut self, level: Level, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let Some(partners) = &mut site.partners else { return Ok(()) };
        if partners.stopped() {
            return Err(Halt::Stopped);
        }
        let Worker { expander, inserter, .. } = self;
        let (share, frontier) = (&mut *site.share, &mut *site.frontier);
        partners.receive(&mut |batch| {
            inserter.take_in(level, batch, None, expander, (&mut *share, &mut *frontier))
        })?;
        inserter.stop_early()?;
        self.settle_if_full(site)
    }

    /// Lets the visited set settle its candidates if there are many.
    fn settle_if_full(&mut self, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        if !site.share.is_full() {
            return Ok(());
        }
        let (share, frontier, mut signs) = site.signs();
        self.inserter.settle(false, share, frontier, &mut signs)
    }

    /// Waits until nobody will send any more states of this level.
    fn finish_level(&mut self, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let Some(partners) = &site.partners else { return Ok(()) };
        let level = site.found;
        for other in partners.others() {
            while site.partners.as_mut().is_some_and(|partners| !partners.finish_level(other)) {
                self.receive(level, site)?;
                site.partners.iter_mut().for_each(|partners| partners.wait(Some(other)));
            }
        }
        while site.partners.as_mut().is_some_and(|partners| !partners.level_is_over()) {
            site.partners.iter_mut().for_each(|partners| partners.wait(None));
            self.receive(level, site)?;
        }
        Ok(())
    }

    /// Lets the visited set do what it does between levels.
    fn end_level(&mut self, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        if site.share.delays() {
            // Everybody settles what is in segments of its own.
            let (share, frontier, mut signs) = site.signs();
            return self.inserter.settle(true, share, frontier, &mut signs);
        }
        if !site.share.gathers() {
            return Ok(());
        }
        if let Some(partners) = &mut site.partners {
            // Until all are here, somebody may be looking something up. The next time that they
            // agree, the next level begins.
            partners.agree(LevelSums::default()).ok_or(Halt::Stopped)?;
        }
        site.share.end_level();
        Ok(())
    }

    /// Stores the successors, which belong to `level`, or sends them to their owners.
    fn absorb(&mut self, level: Level, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let Worker { expander, inserter, expansion, by_owner, .. } = self;
        let Expansion { codec, first, ends, encoded, hashes, signatures, origins, sets, unfinished, .. } =
            expansion;
        let successors = expander.successors();
        let states = codec.encode(successors.words(), successors.len(), encoded);
        hashes.clear();
        signatures.clear();
        site.share.hash_successors(states, origins, hashes, signatures);
        let batch = Batch { states, hashes, signatures, origins, sets: sets.as_sets() };
        let (share, frontier, mut signs) = site.signs();
        let mine =
            send_to_owners(level, &batch, expander, inserter, by_owner, (share, frontier), &mut signs)?;
        let full = match mine {
            None => inserter.insert_all(level, &batch, share),
            Some(mine) => inserter.insert(level, &batch, mine, share),
        };
        if inserter.settings.show_states {
            inserter.show(expander.successors(), origins, signs.observer);
        }
        inserter.admit(level, frontier, Source::Made { expander, first: *first, ends })?;
        full?;
        // What goes wrong in the state itself comes before what its successors are, whichever piece
        // it is in.
        if *unfinished { Ok(()) } else { inserter.stop_early() }
    }

    /// Reports how far it has come.
    pub fn pulse(&mut self, site: &mut SearchContext<'_>) {
        let (_, frontier, mut signs) = site.signs();
        signs.report(&self.inserter.tally, frontier.len());
    }
}

/// Sends the successors of a batch to the threads that own them. Returns the positions of those
/// that belong to this one; `None`: it works alone, and owns all.
pub(super) fn send_to_owners<'o>(
    level: Level,
    batch: &Batch<'_>,
    expander: &Expander<'_>,
    inserter: &mut Inserter<'_>,
    by_owner: &'o mut Vec<Vec<u32>>,
    (share, frontier): (&mut dyn Share, &mut dyn Frontier),
    signs: &mut Signs<'_, '_>,
) -> Result<Option<&'o [u32]>, Halt> {
    let Some(partners) = &signs.partners else { return Ok(None) };
    let me = partners.me();
    by_owner.resize_with(partners.count(), Vec::new);
    by_owner.iter_mut().for_each(Vec::clear);
    partners.deal(batch.hashes, by_owner);
    for other in partners.others() {
        let mut rest = &by_owner[other][..];
        while let (false, Some(partners)) = (rest.is_empty(), &mut signs.partners) {
            let sent = partners.send(other, batch, rest);
            rest = &rest[sent..];
            if sent > 0 {
                continue;
            }
            if partners.stopped() {
                return Err(Halt::Stopped);
            }
            partners.receive(&mut |batch| {
                inserter.take_in(level, batch, None, expander, (&mut *share, &mut *frontier))
            })?;
            if share.is_full() {
                inserter.settle(false, share, frontier, signs)?;
            }
            signs.partners.iter_mut().for_each(|partners| partners.wait(Some(other)));
        }
    }
    Ok(by_owner.get(me).map(Vec::as_slice))
}

impl Expansion<'_> {
    /// Bytes of its buffers.
    fn bytes(&self) -> u64 {
        let words =
            [&self.taken.words, &self.decoded, &self.taken_hashes, &self.taken_signatures, &self.encoded];
        let words = words.into_iter().chain([&self.hashes, &self.signatures]);
        words.map(bytes_of).sum::<u64>()
            + bytes_of(&self.taken.indices)
            + bytes_of(&self.ends)
            + bytes_of(&self.origins)
            + self.sets.bytes()
            + self.walker.as_ref().map_or(0, PathWalker::bytes)
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.origins.clear();
        self.sets.clear();
    }
}
