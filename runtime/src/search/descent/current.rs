//! What every loop of this folder does with the current state: meet it when it is new, fire its
//! rules, report what is wrong with it, and bring its successors into the form in which they are
//! stored.

use super::{contradiction, trail};
use crate::contract::model::RuleId;
use crate::contract::problem::problem_of;
use crate::expansion::Expander;
use crate::expansion::portion::bytes_of;
use crate::frontier::Level;
use crate::memory::{Account, Budget, counted};
use crate::search::Ending;
use crate::search::errors::waiting::Pending;
use crate::search::site::{Halt, SearchContext};
use crate::search::worker::{NOT_INDEPENDENT, Worker};
use crate::settings::Settings;
use crate::state::codec::Codec;
use crate::visited::batch::Sets;
use crate::visited::{Batch, Entered, Origin, StateIndex};
use std::sync::Arc;

/// How the search came to a state.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The rule that leads to it, and the state from which. A start state has the number of its
    /// start rule.
    pub rule: RuleId,
    pub origin: Origin,
    pub level: Level,
}

/// The current state, and what goes with its successors.
pub struct CurrentState {
    /// Whether violating states are expanded, as they are with sleep sets …
    expands_violating: bool,
    /// … and whether that has happened. Up to there every successor comes from a valid state.
    expanded_violating: bool,
    /// What was taken from the budget for the buffers.
    account: Account,
    /// Successors of the current state in the pieces before.
    made_before: u64,
    /// How often a loop has turned.
    pub steps: u64,
    // The state, as it is stored and as the model computes on it.
    stored: Vec<u64>,
    decoded: Vec<u64>,
    // What goes with its successors.
    encoded: Vec<u64>,
    hashes: Vec<u64>,
    signatures: Vec<u64>,
}

impl CurrentState {
    pub fn new(settings: &Settings, budget: &Arc<Budget>) -> Self {
        CurrentState {
            expands_violating: settings.goes_behind(),
            expanded_violating: false,
            account: Account::new(budget.clone()),
            made_before: 0,
            steps: 0,
            stored: Vec::new(),
            decoded: Vec::new(),
            encoded: Vec::new(),
            hashes: Vec::new(),
            signatures: Vec::new(),
        }
    }

    /// After a piece was dealt with: whether there is another one, of the same state.
    pub fn go_on(&mut self, worker: &mut Worker<'_>, site: &SearchContext<'_>) -> Result<bool, Halt> {
        if !worker.expander.go_on() {
            return Ok(false);
        }
        self.pause(worker, site)?;
        let successors = worker.expander.successors_mut();
        self.made_before += successors.len() as u64;
        successors.clear();
        Ok(true)
    }

    /// Takes from the budget what the buffers have come to need, and looks whether to stop.
    pub fn pause(&mut self, worker: &Worker<'_>, site: &SearchContext<'_>) -> Result<(), Halt> {
        let words = [&self.stored, &self.decoded, &self.encoded, &self.hashes, &self.signatures];
        let bytes = words.into_iter().map(bytes_of).sum::<u64>() + worker.expander.successors().bytes();
        self.account.set(counted(bytes)).map_err(|_| Halt::Ended(Ending::Memory))?;
        match site.interrupted.is_requested() {
            true => Err(Halt::Ended(Ending::Interrupted)),
            false => Ok(()),
        }
    }

    /// The place of the current state, in the form in which it is stored.
    #[inline(always)]
    pub fn place(&mut self) -> &mut Vec<u64> {
        &mut self.stored
    }

    /// Finds the current state in the visited set, or enters it.
    #[inline(always)]
    pub fn enter(
        &self,
        rule: RuleId,
        origin: Origin,
        hash: u64,
        worker: &Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<Entered, Halt> {
        let batch = Batch {
            states: &self.stored,
            hashes: &[hash],
            signatures: &[],
            origins: &[origin],
            sets: Sets::default(),
        };
        trail(site)?.enter(&batch, rule).map_err(|full| worker.inserter.halt(full))
    }

    /// Counts the current state, which is new, and checks it. True: it is valid.
    #[inline(always)]
    pub fn meet(
        &mut self,
        way: Way,
        index: StateIndex,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> bool {
        let Way { rule, origin, level } = way;
        let Worker { expander, inserter, .. } = worker;
        inserter.tally.states += 1;
        inserter.tally.depth = inserter.tally.depth.max(level);
        let state = inserter.codec.decode(&mut self.stored, 1, &mut self.decoded);
        inserter.settings.watch.see(state, &mut inserter.watched);
        if let (true, Some(observer)) = (inserter.settings.show_states, &mut site.observer) {
            observer.state(state, index.0, origin.predecessor().map(|index| index.0));
        }
        let checked = match origin == Origin::START || self.expanded_violating {
            true => expander.check(state),
            false => expander.check_after(rule, state),
        };
        let Err(violation) = checked else { return true };
        let (problem, words) = (problem_of(violation), (&*state).into());
        let pending = Pending { from: 0, level, state: Some(index), words, problem };
        inserter.problems.violated(expander, pending);
        self.expanded_violating = self.expands_violating;
        false
    }

    /// Another state is expanded next.
    #[inline(always)]
    pub fn begin(&mut self, expander: &mut Expander<'_>) {
        expander.successors_mut().clear();
        expander.begin();
        self.made_before = 0;
    }

    /// The words that the model computes on.
    #[inline(always)]
    fn words(&mut self, codec: &Codec) -> &mut [u64] {
        if codec.converts() { &mut self.decoded } else { &mut self.stored }
    }

    /// Fires all rules in the state that was met: those of the piece that is due.
    pub fn fire(&mut self, worker: &mut Worker<'_>) {
        worker.expander.fire(self.words(worker.inserter.codec));
    }

    /// Fires the rules of the piece that is due that do not sleep in the buffer of successors.
    #[inline(always)]
    pub fn fire_awake(&mut self, worker: &mut Worker<'_>) {
        worker.expander.fire_awake(self.words(worker.inserter.codec));
    }

    /// Fires rules in a known state: those that slept in it and do not now, as far as they belong
    /// to the piece that is due. `awake` is the number of all of them.
    pub fn fire_woken(&mut self, awake: u64, worker: &mut Worker<'_>) -> Result<(), Halt> {
        let Worker { expander, inserter, .. } = worker;
        expander.fire_awake(inserter.codec.decode(&mut self.stored, 1, &mut self.decoded));
        let made = self.made_before + expander.successors().len() as u64;
        match made == awake || made < awake && expander.successors().is_cut() {
            true => Ok(()),
            false => Err(contradiction(NOT_INDEPENDENT)),
        }
    }

    /// Reports what went wrong in the state that was expanded, and finds the stored form of what it
    /// leads to. Of a violating state nothing else is reported.
    #[inline(always)]
    pub fn settle(
        &mut self,
        index: StateIndex,
        level: Level,
        valid: bool,
        worker: &mut Worker<'_>,
    ) -> Result<(), Halt> {
        let Worker { expander, inserter, .. } = worker;
        expander.settle(self.words(inserter.codec), |state, problem| {
            if valid {
                let words = state.into();
                inserter.problems.push(Pending { from: 0, level, state: Some(index), words, problem });
            }
        })?;
        inserter.tally.unreduced = expander.unreduced();
        Ok(())
    }

    /// Encodes and hashes the successors.
    #[inline(always)]
    pub fn hash<'d>(
        &'d mut self,
        expander: &'d Expander<'_>,
        codec: &Codec,
        site: &mut SearchContext<'_>,
    ) -> HandedOn<'d> {
        let successors = expander.successors();
        let states = codec.encode(successors.words(), successors.len(), &mut self.encoded);
        self.hashes.clear();
        self.signatures.clear();
        site.share.hash(states, &mut self.hashes, &mut self.signatures);
        let (rules, hashes) = (successors.rules(), &self.hashes);
        HandedOn { states, rules, hashes, place: &mut self.stored }
    }

    /// The successors, which were encoded and hashed before.
    #[inline(always)]
    pub fn hand_on<'d>(&'d mut self, expander: &'d Expander<'_>, codec: &Codec) -> HandedOn<'d> {
        HandedOn {
            states: codec.encoded(expander.successors().words(), &self.encoded),
            rules: expander.successors().rules(),
            hashes: &self.hashes,
            place: &mut self.stored,
        }
    }

    /// Which of the successors are known, once they are hashed.
    pub fn look_up(
        &self,
        worker: &Worker<'_>,
        site: &mut SearchContext<'_>,
        known: &mut Vec<Option<StateIndex>>,
    ) -> Result<(), Halt> {
        let successors = worker.expander.successors();
        let batch = Batch {
            states: worker.inserter.codec.encoded(successors.words(), &self.encoded),
            hashes: &self.hashes,
            signatures: &[],
            // Nothing is entered, so it does not matter where they come from.
            origins: &[],
            sets: Sets::default(),
        };
        known.clear();
        trail(site)?.known(&batch, successors.rules(), known);
        Ok(())
    }
}

/// Successors on their way to where they wait.
pub struct HandedOn<'d> {
    /// Their words, as they are stored.
    pub states: &'d [u64],
    pub rules: &'d [RuleId],
    pub hashes: &'d [u64],
    /// Where one goes whose turn is now.
    pub place: &'d mut Vec<u64>,
}

/// Makes a state the current one.
#[inline(always)]
pub fn put(state: &[u64], place: &mut Vec<u64>) {
    place.clear();
    place.extend_from_slice(state);
}
