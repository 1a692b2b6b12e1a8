//! Expanding states: the one place where a model's rules and start rules are run on behalf of a
//! search, a random walk, a trace or a profile.
//!
//! An [`Expander`] has what that takes: the model, the context in which it runs, the buffer of
//! successors, the canonicaliser that brings states into the form in which they are stored, and the
//! checks of states. What differs between its users is which of these there are, so there is a
//! constructor for each purpose.
//!
//! A state may have more successors than there is memory for. It is expanded in pieces then: after
//! [`Expander::begin`], [`Expander::fire`] fires the rules of one piece, and as long as
//! [`Expander::go_on`] says so there is another one. Start states come in portions
//! ([`Expander::start`]).

pub(crate) mod cycle;
pub(crate) mod portion;
pub(crate) mod starts;
pub(crate) mod symmetry_check;

use crate::contract::context::Context;
use crate::contract::deadlock::judged;
use crate::contract::fault::Fault;
use crate::contract::model::{Model, RuleId, Violation};
use crate::contract::problem::Problem;
use crate::contract::successors::Successors;
use crate::contract::temporal::AtomId;
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::form::canonicaliser;
use crate::settings::Settings;
use portion::Portion;
use std::ops::ControlFlow;
use symmetry_check::{AsymmetryError, SymmetryCheck};

/// Words of a piece of the successors of a state here and there, such as those of a trace.
const SMALL_PIECE: usize = 16 << 10;

/// What was in the buffer before a piece of a state was expanded into it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    pub successors: usize,
    pub faults: usize,
    pub excluded: usize,
    pub unchanged: usize,
    pub slept: u64,
}

impl Before {
    #[inline(always)]
    fn new(successors: &Successors) -> Self {
        Before {
            successors: successors.len(),
            faults: successors.faults().len(),
            excluded: successors.excluded().len(),
            unchanged: successors.unchanged().len(),
            slept: successors.slept(),
        }
    }
}

/// Expands states, for one thread.
pub struct Expander<'a> {
    model: &'a dyn Model,
    context: Context,
    /// For doing again what has been counted and printed.
    quiet: Context,
    /// Brings states into the form in which they are stored, if that is not the one they have.
    canonicaliser: Option<Canonicaliser<'a>>,
    symmetry_check: Option<Box<SymmetryCheck<'a>>>,
    /// Whether a state without a way out is a problem.
    deadlock: bool,
    /// Words of start states that are made at a time.
    portion: usize,
    successors: Successors,
    before: Before,
    /// No piece of the state was settled yet.
    is_first_piece: bool,
    /// A way out of the state was found in the pieces so far.
    has_way_out: bool,
}

impl<'a> Expander<'a> {
    /// Runs the model in this context, in pieces of about `words` words, and leaves states as they
    /// are.
    pub fn new(model: &'a dyn Model, context: Context, words: usize) -> Self {
        Expander {
            model,
            quiet: context.quiet(),
            context,
            canonicaliser: None,
            symmetry_check: None,
            deadlock: false,
            portion: words,
            successors: Successors::in_pieces(model.description().words, words),
            before: Before::default(),
            is_first_piece: true,
            has_way_out: false,
        }
    }

    /// Does what the `thread`-th thread of a search does: counts, prints, canonicalises and checks
    /// what the settings ask for.
    pub fn for_search(model: &'a dyn Model, settings: &Settings, portion: Portion, thread: usize) -> Self {
        let context = settings.context(model.description());
        Expander {
            canonicaliser: canonicaliser(model, &settings.extent()),
            symmetry_check: SymmetryCheck::of(model, settings, thread as u64).map(Box::new),
            deadlock: settings.deadlock,
            ..Expander::new(model, context, portion.words)
        }
    }

    /// Does again what a search did, to the same states, and neither counts nor prints.
    pub fn for_rerun(model: &'a dyn Model, settings: &Settings) -> Self {
        let description = model.description();
        let portion = Portion::new(settings, description, 0);
        Expander {
            canonicaliser: canonicaliser(model, &settings.extent()),
            ..Expander::new(model, settings.rerun_context(description), portion.words)
        }
    }

    /// Follows one concrete run with the limits of this context, and neither counts nor prints.
    pub fn for_trace(model: &'a dyn Model, context: &Context) -> Self {
        Expander::new(model, context.quiet(), SMALL_PIECE)
    }

    /// From now on each state is expanded as a whole, however many successors it has.
    pub fn expand_whole_states(&mut self) {
        self.successors = Successors::new(self.model.description().words);
    }

    pub fn model(&self) -> &'a dyn Model {
        self.model
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    #[inline(always)]
    pub fn successors(&self) -> &Successors {
        &self.successors
    }

    /// The buffer, for what goes into it from elsewhere, and for the rules that sleep.
    #[inline(always)]
    pub fn successors_mut(&mut self) -> &mut Successors {
        &mut self.successors
    }

    /// Works with another buffer, until it is exchanged again.
    pub fn exchange_successors(&mut self, other: &mut Successors) {
        std::mem::swap(&mut self.successors, other);
    }

    /// What was in the buffer before the piece that was fired last.
    #[inline(always)]
    pub fn before(&self) -> Before {
        self.before
    }

    /// States whose canonical form was given up.
    pub fn unreduced(&self) -> u64 {
        self.canonicaliser.as_ref().map_or(0, |canonicaliser| canonicaliser.unfinished)
    }

    /// Goes on counting from there.
    pub fn set_unreduced(&mut self, count: u64) {
        if let Some(canonicaliser) = &mut self.canonicaliser {
            canonicaliser.unfinished = count;
        }
    }
}

/// Expansion.
impl Expander<'_> {
    /// Another state is expanded next, from its first rule on.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.successors.begin();
        self.is_first_piece = true;
        self.has_way_out = false;
    }

    /// Appends what the rules of the piece that is due lead to, as they left it.
    #[inline(always)]
    pub fn fire(&mut self, state: &mut [u64]) {
        self.before = Before::new(&self.successors);
        self.model.expand(&self.context, state, &mut self.successors);
    }

    /// Appends what the rules of the piece that is due lead to, without those that sleep in the
    /// buffer.
    #[inline(always)]
    pub fn fire_awake(&mut self, state: &mut [u64]) {
        self.before = Before::new(&self.successors);
        self.model.expand_some(&self.context, state, &mut self.successors);
    }

    /// Reports what is wrong with the state of which a piece was fired, checks its symmetry if that
    /// is asked for, and canonicalises the successors of the piece.
    #[inline(always)]
    pub fn settle(
        &mut self,
        state: &mut [u64],
        mut report: impl FnMut(&[u64], Problem),
    ) -> Result<(), AsymmetryError> {
        self.problems(state, &mut report);
        if self.is_first_piece {
            self.examine(state)?;
        }
        self.is_first_piece = false;
        self.reduce();
        Ok(())
    }

    /// Fires the rules of the piece that is due once more, of a state that was expanded before:
    /// nothing is counted or printed. The successors are canonical.
    pub fn expand_again(&mut self, state: &mut [u64]) {
        self.before = Before::new(&self.successors);
        self.model.expand(&self.quiet, state, &mut self.successors);
        self.reduce();
    }

    /// After a piece: whether there is another one, of the same state.
    #[inline(always)]
    pub fn go_on(&mut self) -> bool {
        self.successors.go_on()
    }

    /// What is wrong with a state of which a piece was fired: each rule that fails in it, and, when
    /// all of it was expanded, that there is no way out.
    #[inline(always)]
    pub fn problems(&mut self, state: &mut [u64], mut report: impl FnMut(&[u64], Problem)) {
        let (successors, before) = (&self.successors, self.before);
        for &faulty in successors.faults().get(before.faults..).unwrap_or_default() {
            report(state, faulty.into());
        }
        // A rule that fails is reported instead, and one that sleeps would change the state.
        self.has_way_out |= successors.len() > before.successors
            || successors.faults().len() > before.faults
            || successors.excluded().len() > before.excluded
            || successors.slept() > before.slept;
        if self.deadlock && !self.has_way_out && !successors.is_cut() {
            self.deadlock_in(state).into_iter().for_each(|problem| report(state, problem));
        }
    }

    /// What a state without a way out is to the user: the model may say that it is no error.
    #[cold]
    pub fn deadlock_in(&self, state: &mut [u64]) -> Option<Problem> {
        judged(self.model, &self.quiet, state, Problem::Deadlock)
    }

    /// Whether a condition of a temporal formula holds in a state.
    pub fn atom(&self, atom: AtomId, values: &[i64], state: &mut [u64]) -> Result<bool, Fault> {
        self.model.atom(&self.quiet, atom, values, state)
    }

    /// Compares a state with its other forms, if the symmetry is checked.
    #[inline(always)]
    pub fn examine(&mut self, state: &mut [u64]) -> Result<(), AsymmetryError> {
        match &mut self.symmetry_check {
            Some(check) => check.examine(state),
            None => Ok(()),
        }
    }

    /// Brings the successors of the piece that was fired last into the form in which states are
    /// stored.
    #[inline(always)]
    pub fn reduce(&mut self) {
        if let Some(canonicaliser) = &mut self.canonicaliser {
            for at in self.before.successors..self.successors.len() {
                canonicaliser.canonicalise(self.successors.state_mut(at));
            }
        }
    }

    /// Expands a state piece by piece. `deal` gets the buffer with one piece of canonical
    /// successors after the other, until it breaks off.
    pub fn each_piece<B>(
        &mut self,
        state: &mut [u64],
        deal: impl FnMut(&Successors) -> ControlFlow<B>,
    ) -> Option<B> {
        self.pieces(Run::First, state, deal)
    }

    /// Expands a state piece by piece that was expanded before: nothing is counted or printed.
    pub fn each_piece_again<B>(
        &mut self,
        state: &mut [u64],
        deal: impl FnMut(&Successors) -> ControlFlow<B>,
    ) -> Option<B> {
        self.pieces(Run::Again, state, deal)
    }

    fn pieces<B>(
        &mut self,
        run: Run,
        state: &mut [u64],
        mut deal: impl FnMut(&Successors) -> ControlFlow<B>,
    ) -> Option<B> {
        self.begin();
        loop {
            self.successors.clear();
            match run {
                Run::First => {
                    self.fire(state);
                    self.reduce();
                }
                Run::Again => self.expand_again(state),
            }
            if let ControlFlow::Break(found) = deal(&self.successors) {
                return Some(found);
            }
            if !self.go_on() {
                return None;
            }
        }
    }
}

/// Whether a state is expanded for the first time.
#[derive(Clone, Copy)]
enum Run {
    First,
    Again,
}

/// Checks of states.
impl Expander<'_> {
    /// Checks the invariants of a state, of which nothing is known.
    #[inline(always)]
    pub fn check(&self, state: &mut [u64]) -> Result<(), Violation> {
        self.model.check(&self.context, state)
    }

    /// Checks the invariants of a state to which a rule has led from a valid one.
    #[inline(always)]
    pub fn check_after(&self, rule: RuleId, state: &mut [u64]) -> Result<(), Violation> {
        self.model.check_after(&self.context, rule, state)
    }

    /// Checks the invariants of a successor in the buffer, and returns its words too. `is_after`:
    /// its rule has led to it from a valid state.
    #[inline(always)]
    pub fn check_successor(&mut self, at: usize, is_after: bool) -> (Result<(), Violation>, &[u64]) {
        let rule = if is_after { self.successors.rules().get(at).copied() } else { None };
        let state = self.successors.state_mut(at);
        let checked = match rule {
            Some(rule) => self.model.check_after(&self.context, rule, state),
            None => self.model.check(&self.context, state),
        };
        (checked, state)
    }

    /// Every property that a violating state violates. It has been checked before: nothing is
    /// counted or printed.
    pub fn violations(&self, state: &mut [u64], report: &mut dyn FnMut(Violation)) {
        self.model.check_all(&self.quiet, state, report);
    }
}
