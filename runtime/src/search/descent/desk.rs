//! What every loop of this folder does with a state at hand: meet it when it is new, fire its
//! rules, tell what is wrong with it, and bring its successors into the form in which they are
//! stored.

use super::{contradiction, trail};
use crate::contract::model::{Model, RuleId};
use crate::contract::problem::problem_of;
use crate::contract::successors::Successors;
use crate::frontier::Level;
use crate::memory::{Account, Budget, counted};
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::check::SymmetryCheck;
use crate::reduction::form::canonicaliser;
use crate::search::Ending;
use crate::search::errors::found::{Before, problems_in};
use crate::search::errors::waiting::Pending;
use crate::search::expansion::{NOT_INDEPENDENT, reduce, symmetry_check};
use crate::search::keeping::Keeper;
use crate::search::portion::{Portion, bytes_of};
use crate::search::site::{Halt, Site};
use crate::search::starts::Starts;
use crate::settings::Settings;
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

/// The state at hand, and its successors.
pub struct Desk<'a> {
    pub successors: Successors,
    canonicaliser: Option<Canonicaliser<'a>>,
    symmetry_check: Option<SymmetryCheck>,
    /// Whether the search goes on behind a state that breaks a property, as it does with sleep sets
    /// …
    goes_behind: bool,
    /// … and whether it has done so. Up to there every successor comes from a state in which all
    /// properties hold.
    went_behind: bool,
    portion: Portion,
    /// What was taken from the budget for the buffers.
    account: Account,
    /// Whether a way out of the state at hand was found, and how many successors, in the pieces
    /// before.
    has_way_out: bool,
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

impl<'a> Desk<'a> {
    /// States are expanded in pieces, if `in_pieces` says so.
    pub fn new(model: &'a dyn Model, settings: &Settings, budget: &Arc<Budget>, in_pieces: bool) -> Self {
        let description = model.description();
        let portion = Portion::new(settings, description, 0);
        Desk {
            successors: match in_pieces {
                true => Successors::in_pieces(description.words, portion.words),
                false => Successors::new(description.words),
            },
            canonicaliser: canonicaliser(model, settings.extent()),
            symmetry_check: symmetry_check(description, settings, 0),
            goes_behind: settings.goes_behind(),
            went_behind: false,
            portion,
            account: Account::new(budget.clone()),
            has_way_out: false,
            made_before: 0,
            steps: 0,
            stored: Vec::new(),
            decoded: Vec::new(),
            encoded: Vec::new(),
            hashes: Vec::new(),
            signatures: Vec::new(),
        }
    }

    /// The start states, all of which are still to be made.
    pub fn starts(&self) -> Starts {
        Starts::new(self.portion)
    }

    /// Makes a portion of the start states, as successors of nothing. False: these were the last.
    pub fn start(&mut self, starts: &mut Starts, keeper: &mut Keeper<'_>) -> Result<bool, Halt> {
        self.successors.clear();
        let more = starts.make(keeper, &mut self.successors);
        if !more {
            starts.end()?;
        }
        reduce(&mut self.canonicaliser, &mut self.successors, 0);
        Ok(more)
    }

    /// After a piece was dealt with: whether there is another one, of the same state.
    pub fn go_on(&mut self, site: &Site<'_>) -> Result<bool, Halt> {
        if !self.successors.go_on() {
            return Ok(false);
        }
        self.pause(site)?;
        self.made_before += self.successors.len() as u64;
        self.successors.clear();
        Ok(true)
    }

    /// Takes from the budget what the buffers have come to need, and looks whether to stop.
    pub fn pause(&mut self, site: &Site<'_>) -> Result<(), Halt> {
        let words = [&self.stored, &self.decoded, &self.encoded, &self.hashes, &self.signatures];
        let bytes = words.into_iter().map(bytes_of).sum::<u64>() + self.successors.bytes();
        self.account.set(counted(bytes)).map_err(|_| Halt::Ended(Ending::Memory))?;
        match site.interrupted.is_requested() {
            true => Err(Halt::Ended(Ending::Interrupted)),
            false => Ok(()),
        }
    }

    /// The place of the state at hand, in the form in which it is stored.
    #[inline(always)]
    pub fn place(&mut self) -> &mut Vec<u64> {
        &mut self.stored
    }

    /// Finds the state at hand in the visited set, or enters it.
    #[inline(always)]
    pub fn enter(
        &self,
        rule: RuleId,
        origin: Origin,
        hash: u64,
        keeper: &Keeper<'_>,
        site: &mut Site<'_>,
    ) -> Result<Entered, Halt> {
        let batch = Batch {
            states: &self.stored,
            hashes: &[hash],
            signatures: &[],
            origins: &[origin],
            sets: Sets::default(),
        };
        trail(site)?.enter(&batch, rule).map_err(|full| keeper.halt(full))
    }

    /// Counts the state at hand, which is new, and checks it. Whether all properties hold in it.
    #[inline(always)]
    pub fn meet(
        &mut self,
        way: Way,
        index: StateIndex,
        keeper: &mut Keeper<'_>,
        site: &mut Site<'_>,
    ) -> bool {
        let Way { rule, origin, level } = way;
        keeper.tally.states += 1;
        keeper.tally.depth = keeper.tally.depth.max(level);
        let state = keeper.codec.decode(&mut self.stored, 1, &mut self.decoded);
        keeper.settings.watch.see(state, &mut keeper.watched);
        if let (true, Some(observer)) = (keeper.settings.show_states, &mut site.observer) {
            observer.state(state, index.0, origin.predecessor().map(|index| index.0));
        }
        let checked = match origin == Origin::START || self.went_behind {
            true => keeper.model.check(&keeper.context, state),
            false => keeper.model.check_after(&keeper.context, rule, state),
        };
        let Err(violation) = checked else { return true };
        let (problem, words) = (problem_of(violation), (&*state).into());
        let pending = Pending { from: 0, level, state: Some(index), words, problem };
        keeper.problems.violated(keeper.model, pending);
        self.went_behind = self.goes_behind;
        false
    }

    /// Another state is expanded next.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.successors.clear();
        self.successors.begin();
        self.has_way_out = false;
        self.made_before = 0;
    }

    /// Fires all rules in the state that was met: those of the piece that is due.
    pub fn expand(&mut self, keeper: &mut Keeper<'_>) {
        let state = if keeper.codec.converts() { &mut self.decoded } else { &mut self.stored };
        keeper.model.expand(&keeper.context, state, &mut self.successors);
    }

    /// Fires those of them that do not sleep, as the successors were told.
    #[inline(always)]
    pub fn expand_some(&mut self, keeper: &mut Keeper<'_>) {
        let state = if keeper.codec.converts() { &mut self.decoded } else { &mut self.stored };
        keeper.model.expand_some(&keeper.context, state, &mut self.successors);
    }

    /// Fires so many rules in a known state: those that slept in it and do not now, as far as they
    /// belong to the piece that is due.
    pub fn expand_again(&mut self, awake: u64, keeper: &mut Keeper<'_>) -> Result<(), Halt> {
        let state = keeper.codec.decode(&mut self.stored, 1, &mut self.decoded);
        keeper.model.expand_some(&keeper.context, state, &mut self.successors);
        let made = self.made_before + self.successors.len() as u64;
        match made == awake || made < awake && self.successors.is_cut() {
            true => Ok(()),
            false => Err(contradiction(NOT_INDEPENDENT)),
        }
    }

    /// Tells what went wrong in the state that was expanded, and finds the stored form of what it
    /// leads to. Of a state that is not right nothing else is told.
    #[inline(always)]
    pub fn settle(
        &mut self,
        index: StateIndex,
        level: Level,
        right: bool,
        keeper: &mut Keeper<'_>,
    ) -> Result<(), Halt> {
        let state = if keeper.codec.converts() { &mut self.decoded } else { &mut self.stored };
        let (settings, way_out) = (keeper.settings, &mut self.has_way_out);
        problems_in(&self.successors, Before::default(), settings, way_out, |problem| {
            if right {
                let words = (&**state).into();
                keeper.problems.push(Pending { from: 0, level, state: Some(index), words, problem });
            }
        });
        let is_first = self.made_before == 0;
        if let Some(check) = self.symmetry_check.as_mut().filter(|_| is_first) {
            let examined = check.examine(keeper.model, state);
            examined.map_err(|difference| Halt::Ended(Ending::Asymmetric(difference)))?;
        }
        reduce(&mut self.canonicaliser, &mut self.successors, 0);
        if let Some(canonicaliser) = &self.canonicaliser {
            keeper.tally.unreduced = canonicaliser.unfinished;
        }
        Ok(())
    }

    /// Encodes and hashes the successors.
    #[inline(always)]
    pub fn hash(&mut self, keeper: &Keeper<'_>, site: &mut Site<'_>) -> HandedOn<'_> {
        let count = self.successors.len();
        let states = keeper.codec.encode(self.successors.words(), count, &mut self.encoded);
        self.hashes.clear();
        self.signatures.clear();
        site.share.hash(states, &mut self.hashes, &mut self.signatures);
        let (rules, hashes) = (self.successors.rules(), &self.hashes);
        HandedOn { states, rules, hashes, place: &mut self.stored }
    }

    /// The successors, which were encoded and hashed before.
    #[inline(always)]
    pub fn hand_on(&mut self, keeper: &Keeper<'_>) -> HandedOn<'_> {
        HandedOn {
            states: keeper.codec.encoded(self.successors.words(), &self.encoded),
            rules: self.successors.rules(),
            hashes: &self.hashes,
            place: &mut self.stored,
        }
    }

    /// Which of the successors are known, once they are hashed.
    pub fn look_up(
        &self,
        keeper: &Keeper<'_>,
        site: &mut Site<'_>,
        known: &mut Vec<Option<StateIndex>>,
    ) -> Result<(), Halt> {
        let batch = Batch {
            states: keeper.codec.encoded(self.successors.words(), &self.encoded),
            hashes: &self.hashes,
            signatures: &[],
            // Nothing is entered, so it does not matter where they come from.
            origins: &[],
            sets: Sets::default(),
        };
        known.clear();
        trail(site)?.known(&batch, self.successors.rules(), known);
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

/// Puts a state at hand.
#[inline(always)]
pub fn put(state: &[u64], place: &mut Vec<u64>) {
    place.clear();
    place.extend_from_slice(state);
}
