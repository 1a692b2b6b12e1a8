//! The loop of every exhaustive search, as one thread goes through it.
//!
//! It takes a batch of states off the frontier, lets the model expand each into one buffer, and
//! brings the successors to whom they belong: its own it stores at once, the whole buffer together,
//! those of other threads it sends to them. A new state is checked and queued by the thread that
//! owns it ([`super::keeping`]). What differs between searches is behind
//! [`Share`](crate::visited::Share) and [`Frontier`](crate::frontier::Frontier).
//!
//! Alone, a thread processes states in the order in which the frontier gives them out and
//! successors in the order of their rules, so what it finds does not depend on the size of the
//! batches.

use super::Ending;
use super::errors::found::{Before, problems_in};
use super::errors::waiting::Pending;
use super::fired::Fired;
use super::keeping::{Keeper, Source, Tally};
use super::partners::LevelSums;
use super::portion::{Portion, bytes_of};
use super::saving::Totals;
use super::site::{Halt, Pause, Site};
use super::sleeping::Sleeping;
use super::starts::Starts;
use super::walking::{Beginning, Walker};
use crate::contract::model::{Description, Model};
use crate::contract::successors::Successors;
use crate::frontier::{Level, Taken};
use crate::memory::{Account, Budget, counted};
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::check::SymmetryCheck;
use crate::reduction::form::canonicaliser;
use crate::reduction::variants::Variants;
use crate::settings::{Order, Settings};
use crate::state::codec::Codec;
use crate::visited::batch::SetBuffer;
use crate::visited::{Batch, Origin};
use std::sync::Arc;

/// About so many successors are gathered before they are stored.
const GATHER: u64 = 256;
/// With so many, they are stored before the next state is expanded.
const MANY: usize = 1024;
/// States expanded together, at most.
const BATCH: usize = 128;
/// Progress is told every so many batches.
const PULSE: u64 = 8;

/// The engine contradicts itself.
pub const NOT_INDEPENDENT: &str = "a rule is enabled in a state where it should not be, or the other way round: it is not independent of one that \
     led there";

/// A thread's own buffers, counters and context, for the whole search.
pub struct Worker<'a> {
    maker: Maker<'a>,
    pub keeper: Keeper<'a>,
    /// What was taken from the budget for the buffers.
    account: Account,
}

/// Makes successors.
struct Maker<'a> {
    codec: &'a Codec,
    /// Brings states into the form in which they are stored, if that is not the one they have.
    canonicaliser: Option<Canonicaliser<'a>>,
    symmetry_check: Option<SymmetryCheck>,
    /// Walks through states with one successor, if paths are compressed.
    walker: Option<Walker>,
    taken: Taken,
    decoded: Vec<u64>,
    portion: Portion,
    /// States to take at a time.
    most: usize,
    expanded: u64,
    batches: u64,
    successors: Successors,
    /// The first state taken whose successors are in the buffer.
    first: usize,
    /// Of its successors some are still to be made …
    unfinished: bool,
    /// … and among those that were there is a way out of it.
    has_way_out: bool,
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
    /// The positions of those that belong to each thread.
    by_owner: Vec<Vec<u32>>,
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
        let keeper = Keeper::new(model, settings, codec, budget);
        let sets = keeper.sleeping.as_ref().map_or(0, Sleeping::words);
        let portion = Portion::new(settings, description, sets);
        Worker {
            maker: Maker {
                codec,
                canonicaliser: canonicaliser(model, settings.extent()),
                symmetry_check: symmetry_check(description, settings, number as u64),
                walker: settings.compress_paths.then(|| Walker::new(description, settings, portion)),
                taken: Taken::default(),
                decoded: Vec::new(),
                portion,
                most: 1,
                expanded: 0,
                batches: 0,
                successors: Successors::in_pieces(description.words, portion.words),
                first: 0,
                unfinished: false,
                has_way_out: false,
                ends: Vec::new(),
                taken_hashes: Vec::new(),
                taken_signatures: Vec::new(),
                sets: SetBuffer::default(),
                encoded: Vec::new(),
                hashes: Vec::new(),
                signatures: Vec::new(),
                origins: Vec::new(),
                by_owner: Vec::new(),
            },
            keeper,
            account: Account::new(budget.clone()),
        }
    }

    /// Adds what this thread has done to what others have.
    pub fn add_to(&self, totals: &mut Totals) {
        let Worker { maker, keeper, .. } = self;
        let tally = &keeper.tally;
        totals.states += tally.states;
        totals.rules += tally.rules;
        totals.depth = totals.depth.max(tally.depth);
        totals.unreduced += tally.unreduced;
        totals.fired.iter_mut().zip(tally.fired.counts()).for_each(|(sum, count)| *sum += count);
        totals.covered.iter_mut().zip(keeper.context.covered()).for_each(|(sum, count)| *sum += count);
        totals.undefined_compared.join(&keeper.context.undefined_compared());
        totals.expanded += maker.expanded;
        totals.batches += maker.batches;
        totals.batch = totals.batch.max(maker.most as u64);
        totals.beyond_depth |= keeper.beyond_depth;
    }

    /// Goes on as if it had done all that.
    pub fn take_over(&mut self, totals: &Totals) {
        let Worker { maker, keeper, .. } = self;
        keeper.tally = Tally {
            states: totals.states,
            rules: totals.rules,
            depth: totals.depth,
            fired: Fired::from_counts(keeper.model.description().rules, totals.fired.clone()),
            unreduced: totals.unreduced,
            // Searches that walk are not saved.
            walked: Default::default(),
        };
        if let Some(canonicaliser) = &mut maker.canonicaliser {
            canonicaliser.unfinished = totals.unreduced;
        }
        keeper.context.set_covered(&totals.covered);
        keeper.context.set_undefined_compared(&totals.undefined_compared);
        keeper.beyond_depth = totals.beyond_depth;
        // Batches of the same states, so that all that is looked at once a batch is looked at as
        // before.
        (maker.expanded, maker.batches) = (totals.expanded, totals.batches);
        maker.most = (totals.batch as usize).clamp(1, BATCH);
    }

    /// Makes the start states the first batch.
    pub fn start(&mut self, site: &mut Site<'_>) -> Result<(), Halt> {
        let mut starts = Starts::new(self.maker.portion);
        loop {
            let Worker { maker, keeper, .. } = self;
            maker.clear();
            let more = starts.make(keeper, &mut maker.successors);
            maker.origins.resize(maker.successors.len(), Origin::START);
            reduce(&mut maker.canonicaliser, &mut maker.successors, 0);
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
        starts.end()
    }

    /// Takes from the budget what the buffers have come to need.
    fn count_memory(&mut self) -> Result<(), Halt> {
        let bytes = counted(self.maker.bytes() + self.keeper.bytes());
        self.account.set(bytes).map_err(|_| Halt::Ended(Ending::Memory))
    }

    /// Goes through level after level.
    pub fn run(&mut self, site: &mut Site<'_>) -> Result<Pause, Halt> {
        // Where one thread does all the work, what it finds is always the same, and is told at
        // once. Otherwise it is gathered until the end of the level, and put in order.
        let at_once = self.keeper.settings.threads_in_use() == 1;
        let enough = self.keeper.settings.threads_from;
        let by_level = self.keeper.settings.order == Order::BreadthFirst;
        loop {
            while self.step(site)? {
                if at_once && !self.keeper.problems.is_empty() {
                    return Ok(Pause::Problems);
                }
                if !by_level && site.spreads && self.keeper.tally.states >= enough {
                    return Ok(Pause::Regroup);
                }
            }
            self.finish_level(site)?;
            if by_level {
                self.end_level(site)?;
            }
            let waiting = site.frontier.advance();
            if let Some(sleeping) = &mut self.keeper.sleeping {
                sleeping.advance();
            }
            site.found = site.found.next();
            self.pulse(site);
            let save = site.wants_to_save(&self.keeper.tally, self.keeper.settings);
            let Some(partners) = &mut site.partners else {
                if !self.keeper.problems.is_empty() {
                    return Ok(Pause::Problems);
                }
                if waiting == 0 {
                    return Ok(Pause::Done);
                }
                if save {
                    return Ok(Pause::Regroup);
                }
                let spread = site.spreads && self.keeper.tally.states >= enough;
                if spread || site.helpers && waiting >= enough {
                    return Ok(Pause::Regroup);
                }
                continue;
            };
            let problems = self.keeper.problems.len() as u64;
            let brought = LevelSums { waiting, problems, saves: u64::from(save) };
            let LevelSums { waiting, problems, saves } = partners.agree(brought).ok_or(Halt::Stopped)?;
            if problems > 0 {
                return Ok(Pause::Problems);
            }
            if waiting == 0 {
                return Ok(Pause::Done);
            }
            if saves > 0 || waiting < partners.fewest() {
                return Ok(Pause::Regroup);
            }
        }
    }

    /// Expands a batch of states. False: there is nothing left in this level.
    fn step(&mut self, site: &mut Site<'_>) -> Result<bool, Halt> {
        let maker = &mut self.maker;
        maker.taken.clear();
        let Some(level) = site.frontier.take(&mut *site.share, maker.most, &mut maker.taken)? else {
            return Ok(false);
        };
        if self.keeper.sleeping.is_some() {
            maker.taken_hashes.clear();
            maker.taken_signatures.clear();
            site.share.hash(&maker.taken.words, &mut maker.taken_hashes, &mut maker.taken_signatures);
        }
        // Out of `self` while they are at work: for the byte-aligned layout these words are the
        // states.
        let mut stored = std::mem::take(&mut maker.taken.words);
        let mut buffer = std::mem::take(&mut maker.decoded);
        let mut count = maker.taken.indices.len();
        let states = self.keeper.codec.decode(&mut stored, count, &mut buffer);
        let mut worked = Ok(());
        if site.share.delays() {
            count = self.keeper.check_taken(level, &mut maker.taken.indices, states);
            worked = self.keeper.stop_early();
        }
        self.maker.first = 0;
        while self.maker.first < count && worked.is_ok() {
            worked = self.maker.expand(&mut self.keeper, states, level, site);
            worked = worked.and_then(|()| self.absorb(level.next(), site));
            worked = worked.and_then(|()| self.settle_if_full(site));
            worked = worked.and_then(|()| self.count_memory());
            self.maker.first += self.maker.ends.len();
            if self.maker.unfinished {
                worked = worked.and_then(|()| self.between_pieces(level, site));
            }
        }
        self.maker.taken.words = stored;
        self.maker.decoded = buffer;
        self.keeper.order_problems();
        worked?;

        let maker = &mut self.maker;
        maker.expanded += count as u64;
        let rules = self.keeper.tally.rules.max(1);
        let most = BATCH.min(maker.portion.states) as u64;
        maker.most = ((GATHER * maker.expanded) / rules).clamp(1, most) as usize;
        maker.batches += 1;
        if maker.batches.is_multiple_of(PULSE) {
            self.pulse(site);
        }
        if site.interrupted.is_requested() {
            return Err(Halt::Ended(Ending::Interrupted));
        }
        self.receive(level.next(), site)?;
        Ok(true)
    }

    /// A state with many successors is being expanded: others wait meanwhile, and so does the user.
    fn between_pieces(&mut self, level: Level, site: &mut Site<'_>) -> Result<(), Halt> {
        self.pulse(site);
        if site.interrupted.is_requested() {
            return Err(Halt::Ended(Ending::Interrupted));
        }
        self.receive(level.next(), site)
    }

    /// Takes in what other threads have sent so far.
    fn receive(&mut self, level: Level, site: &mut Site<'_>) -> Result<(), Halt> {
        let Some(partners) = &mut site.partners else { return Ok(()) };
        if partners.stopped() {
            return Err(Halt::Stopped);
        }
        let (keeper, share, frontier) = (&mut self.keeper, &mut *site.share, &mut *site.frontier);
        partners.receive(&mut |batch| keeper.keep_sent(level, batch, share, frontier))?;
        keeper.stop_early()?;
        self.settle_if_full(site)
    }

    /// Lets the visited set settle its candidates if there are many.
    fn settle_if_full(&mut self, site: &mut Site<'_>) -> Result<(), Halt> {
        if !site.share.is_full() {
            return Ok(());
        }
        let (share, frontier, mut signs) = site.signs();
        self.keeper.settle(false, share, frontier, &mut signs)
    }

    /// Waits until nobody will send any more states of this level.
    fn finish_level(&mut self, site: &mut Site<'_>) -> Result<(), Halt> {
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
    fn end_level(&mut self, site: &mut Site<'_>) -> Result<(), Halt> {
        if site.share.delays() {
            // Everybody settles what is in segments of its own.
            let (share, frontier, mut signs) = site.signs();
            return self.keeper.settle(true, share, frontier, &mut signs);
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
    fn absorb(&mut self, level: Level, site: &mut Site<'_>) -> Result<(), Halt> {
        let Worker { maker, keeper, .. } = self;
        let Maker {
            codec,
            successors,
            first,
            ends,
            encoded,
            hashes,
            signatures,
            origins,
            sets,
            by_owner,
            unfinished,
            ..
        } = maker;
        let count = successors.len();
        let states = codec.encode(successors.words(), count, encoded);
        hashes.clear();
        signatures.clear();
        site.share.hash(states, hashes, signatures);
        let batch = Batch { states, hashes, signatures, origins, sets: sets.as_sets() };
        let (share, frontier, mut signs) = site.signs();
        let mut me = None;
        if let Some(partners) = &signs.partners {
            me = Some(partners.me());
            by_owner.resize_with(partners.count(), Vec::new);
            by_owner.iter_mut().for_each(Vec::clear);
            partners.deal(hashes, by_owner);
            for other in partners.others() {
                let mut rest = &by_owner[other][..];
                while let (false, Some(partners)) = (rest.is_empty(), &mut signs.partners) {
                    let sent = partners.send(other, &batch, rest);
                    rest = &rest[sent..];
                    if sent > 0 {
                        continue;
                    }
                    if partners.stopped() {
                        return Err(Halt::Stopped);
                    }
                    partners.receive(&mut |batch| keeper.keep_sent(level, batch, share, frontier))?;
                    if share.is_full() {
                        keeper.settle(false, share, frontier, &mut signs)?;
                    }
                    signs.partners.iter_mut().for_each(|partners| partners.wait(Some(other)));
                }
            }
        }
        let full = match me {
            None => keeper.insert_all(level, &batch, share),
            Some(me) => keeper.insert(level, &batch, &by_owner[me], share),
        };
        if keeper.settings.show_states {
            keeper.show(successors, origins, signs.observer);
        }
        keeper.admit(level, frontier, Source::Made { successors, first: *first, ends })?;
        full?;
        // What goes wrong in the state itself comes before what its successors are, whichever piece
        // it is in.
        if *unfinished { Ok(()) } else { keeper.stop_early() }
    }

    /// Tells how far it has come.
    pub fn pulse(&mut self, site: &mut Site<'_>) {
        let (_, frontier, mut signs) = site.signs();
        signs.tell(&self.keeper.tally, frontier.len());
    }
}

impl Maker<'_> {
    /// Bytes of its buffers.
    fn bytes(&self) -> u64 {
        let words =
            [&self.taken.words, &self.decoded, &self.taken_hashes, &self.taken_signatures, &self.encoded];
        let words = words.into_iter().chain([&self.hashes, &self.signatures]);
        words.map(bytes_of).sum::<u64>()
            + bytes_of(&self.taken.indices)
            + bytes_of(&self.ends)
            + bytes_of(&self.origins)
            + self.by_owner.iter().map(bytes_of).sum::<u64>()
            + self.successors.bytes()
            + self.sets.bytes()
            + self.walker.as_ref().map_or(0, Walker::bytes)
    }

    fn clear(&mut self) {
        self.successors.clear();
        self.ends.clear();
        self.origins.clear();
        self.sets.clear();
    }

    /// Fires all rules in the states taken, from the first that is still to do, until there are
    /// many successors.
    fn expand(
        &mut self,
        keeper: &mut Keeper<'_>,
        states: &mut [u64],
        level: Level,
        site: &Site<'_>,
    ) -> Result<(), Halt> {
        self.clear();
        let width = self.codec.aligned_words();
        let mut rest = states.get_mut(self.first * width..).unwrap_or(&mut []);
        for (from, &index) in self.taken.indices.iter().enumerate().skip(self.first) {
            let goes_on = std::mem::take(&mut self.unfinished);
            if self.successors.len() >= MANY || self.successors.words().len() >= self.portion.enough() {
                break;
            }
            let (state, others) = rest.split_at_mut(width.min(rest.len()));
            rest = others;
            let before = Before::new(&self.successors);
            if !goes_on {
                self.successors.begin();
                self.has_way_out = false;
            }
            if let Some(walker) = &mut self.walker {
                let reduction = (&mut self.canonicaliser, &mut self.symmetry_check);
                let beginning = Beginning { from, index, level };
                let stopped = || site.stopped();
                let is_wide = goes_on
                    || walker.walk(keeper, beginning, state, reduction, &stopped, &mut self.successors)?;
                if is_wide {
                    walker.expand_end(keeper.model, &mut self.successors);
                    reduce(&mut self.canonicaliser, &mut self.successors, before.successors);
                }
            } else {
                if let (Some(sleeping), Some(&hash)) = (&mut keeper.sleeping, self.taken_hashes.get(from)) {
                    if !goes_on {
                        sleeping.begin(hash, &mut self.successors);
                    }
                    keeper.model.expand_some(&keeper.context, state, &mut self.successors);
                    if !sleeping.end(&self.successors, before, &mut self.sets) {
                        return Err(Halt::Ended(Ending::Internal(NOT_INDEPENDENT.to_owned())));
                    }
                } else {
                    keeper.model.expand(&keeper.context, state, &mut self.successors);
                }
                problems_in(&self.successors, before, keeper.settings, &mut self.has_way_out, |problem| {
                    let words = (&*state).into();
                    keeper.problems.push(Pending { from, level, state: Some(index), words, problem });
                });
                if let Some(check) = self.symmetry_check.as_mut().filter(|_| !goes_on) {
                    check
                        .examine(keeper.model, state)
                        .map_err(|difference| Halt::Ended(Ending::Asymmetric(difference)))?;
                }
                reduce(&mut self.canonicaliser, &mut self.successors, before.successors);
            }
            self.origins.resize(self.successors.len(), Origin::from(index));
            if self.successors.go_on() {
                self.unfinished = true;
                break;
            }
            self.ends.push(self.successors.len());
        }
        if self.walker.is_none() {
            keeper.tally.count(&self.successors);
        }
        if let Some(sleeping) = &mut keeper.sleeping {
            sleeping.slept += self.successors.slept();
        }
        keeper.tally.unreduced =
            self.canonicaliser.as_ref().map_or(0, |canonicaliser| canonicaliser.unfinished);
        Ok(())
    }
}

/// The check that the settings ask for, for the `number`-th thread.
pub fn symmetry_check(description: &Description, settings: &Settings, number: u64) -> Option<SymmetryCheck> {
    let seed = settings.symmetry_check?;
    let variants = Variants::new(description, settings.extent())?;
    let context = settings.rerun_context(description);
    let piece = Portion::new(settings, description, 0).words;
    Some(SymmetryCheck::new(description, context, variants, piece, seed.wrapping_add(number)))
}

/// Brings the successors from `first` on into the form in which states are stored.
pub fn reduce(canonicaliser: &mut Option<Canonicaliser<'_>>, successors: &mut Successors, first: usize) {
    if let Some(canonicaliser) = canonicaliser {
        for at in first..successors.len() {
            canonicaliser.canonicalise(successors.state_mut(at));
        }
    }
}
