//! The buffer into which a model puts the successors of a state. The engines own it and reuse it.
//!
//! # Pieces
//! A state may have more successors than there is memory for. So a buffer has a bound: once it holds that many words, what
//! comes after is *left out*, and the engine, when it has dealt with what is there, lets the model expand the same state again
//! ([`Successors::go_on`]). Every rule that is enabled, or cannot be evaluated, is one *event*; a model makes the
//! same events in the same order whenever it expands the same state. So the next piece passes by as many events as were taken before, without running
//! the bodies of their rules, and takes those that follow. Guards are evaluated again for each piece.

mod rows;
#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::fault::Fault;
use crate::model::{Model, RuleId};
use crate::state::cells::Layout;
use rows::{Row, members};
use std::cell::Cell;
use std::ops::ControlFlow;

/// A firing that ended in an error, in the guard or in the body.
#[derive(Clone, Copy, Debug)]
pub struct FaultyFiring {
    pub rule: RuleId,
    pub fault: Fault,
    /// The number that caused it, see [`Fault::value`].
    pub value: i64,
    /// The guard itself could not be evaluated: the rule did not fire.
    pub in_guard: bool,
}

/// What the code of a rule knows about what the rule has done to the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// No statement that writes was executed: the state is what it was.
    Nothing,
    /// A part of the state differs from what it was.
    Something,
    /// To be found out by comparing all of it.
    Unknown,
}

impl Change {
    /// Where some places were compared: `differs` if one of them is not what it was.
    #[inline(always)]
    pub fn seen(differs: bool) -> Self {
        if differs { Change::Something } else { Change::Unknown }
    }
}

/// Rules that are listed in a buffer with a bound and lead to no other state, at most, of each kind.
const LISTED: usize = 1 << 16;

/// Words of a small piece.
const SMALL_PIECE: usize = 16 << 10;

/// Which of the events of a state are taken now.
#[derive(Debug)]
struct Window {
    /// Words after which events are left out; none for what is not expanded in pieces.
    bound: Option<usize>,
    /// Events of the state that were taken in earlier pieces.
    taken_before: u64,
    /// Those of them that this piece still has to pass by.
    to_pass: u64,
    /// What was in the buffer when this piece began, in events.
    at_beginning: u64,
    /// Events that were passed by or left out: they count as firings.
    elsewhere: u64,
    /// Something was left out.
    is_cut: bool,
}

/// Successor states one after the other, with the rules that led to them.
#[derive(Debug)]
pub struct Successors {
    width: usize,
    words: Vec<u64>,
    /// While there are fewer words, events are taken without further questions.
    most: usize,
    window: Window,
    rules: Vec<RuleId>,
    faults: Vec<FaultyFiring>,
    excluded: Vec<RuleId>,
    unchanged: Vec<RuleId>,
    /// Firings that an `assume` in the rule took back.
    pruned: u64,
    /// A bit for each rule that sleeps: it is counted where it is enabled, and does not fire. Shorter than there are
    /// rules, or empty, where the others do not.
    asleep: Row,
    /// A bit for each rule that sleeps or is known not to be enabled. Where all of a family have one, none of them need be tried.
    passed_over: Row,
    /// How many rules were enabled and slept.
    slept: u64,
}

impl Successors {
    /// For states of `width` words, however many of them there are.
    pub fn new(width: usize) -> Self {
        Successors::with_bound(width, None)
    }

    /// The same in small pieces, for a state here and there, such as those of a trace.
    pub fn in_small_pieces(width: usize) -> Self {
        Successors::in_pieces(width, SMALL_PIECE)
    }

    /// The same, in pieces of about so many words.
    pub fn in_pieces(width: usize, words: usize) -> Self {
        Successors::with_bound(width, Some(words.max(1)))
    }

    fn with_bound(width: usize, bound: Option<usize>) -> Self {
        Successors {
            width,
            words: Vec::new(),
            most: bound.unwrap_or(usize::MAX),
            window: Window {
                bound,
                taken_before: 0,
                to_pass: 0,
                at_beginning: 0,
                elsewhere: 0,
                is_cut: false,
            },
            rules: Vec::new(),
            faults: Vec::new(),
            excluded: Vec::new(),
            unchanged: Vec::new(),
            pruned: 0,
            asleep: Row::default(),
            passed_over: Row::default(),
            slept: 0,
        }
    }

    /// The next expansion is that of another state, from its first event on.
    pub fn begin(&mut self) {
        self.window.taken_before = 0;
        self.begin_piece();
    }

    /// After an expansion: whether something was left out. Then the next expansion must be that of the same state, with the same rules asleep,
    /// and takes what follows, whether the buffer is cleared before or not.
    pub fn go_on(&mut self) -> bool {
        let is_cut = self.window.is_cut;
        if is_cut {
            self.window.taken_before += self.taken() - self.window.at_beginning;
        } else {
            self.window.taken_before = 0;
        }
        self.begin_piece();
        is_cut
    }

    fn begin_piece(&mut self) {
        let at_beginning = self.taken();
        let window = &mut self.window;
        window.at_beginning = at_beginning;
        window.to_pass = window.taken_before;
        window.elsewhere = 0;
        window.is_cut = false;
        self.most = if window.to_pass > 0 { 0 } else { window.bound.unwrap_or(usize::MAX) };
    }

    /// Whether the last expansion left something out, or did not begin with the first event.
    pub fn is_piece(&self) -> bool {
        self.window.is_cut || self.window.taken_before > 0
    }

    /// Whether the last expansion left something out.
    pub fn is_cut(&self) -> bool {
        self.window.is_cut
    }

    /// Whether the event that is due now belongs to this piece.
    #[inline(always)]
    fn takes(&mut self) -> bool {
        self.words.len() < self.most || self.takes_late()
    }

    #[cold]
    #[inline(never)]
    fn takes_late(&mut self) -> bool {
        let window = &mut self.window;
        window.elsewhere += 1;
        if window.to_pass > 0 {
            window.to_pass -= 1;
            if window.to_pass == 0 {
                self.most = window.bound.unwrap_or(usize::MAX);
            }
        } else {
            window.is_cut = true;
            self.most = 0;
        }
        false
    }

    /// A list has become longer that has no words.
    #[inline(always)]
    fn bound_list(&mut self, length: usize) {
        if length >= LISTED && self.window.bound.is_some() {
            self.most = 0;
        }
    }

    /// Words that this buffer may grow to, if it has a bound.
    pub fn bound(&self) -> Option<usize> {
        self.window.bound
    }

    /// Bytes of its memory.
    pub fn bytes(&self) -> u64 {
        let lists = self.rules.capacity() + self.unchanged.capacity() + self.excluded.capacity();
        (self.words.capacity() * size_of::<u64>()
            + lists * size_of::<RuleId>()
            + self.faults.capacity() * size_of::<FaultyFiring>()) as u64
    }

    /// Forgets everything but its memory, and which piece comes next.
    pub fn clear(&mut self) {
        self.window.at_beginning = 0;
        self.window.elsewhere = 0;
        self.words.clear();
        self.rules.clear();
        self.faults.clear();
        self.excluded.clear();
        self.unchanged.clear();
        self.pruned = 0;
        self.slept = 0;
    }

    /// Puts the rules of a set to sleep, and wakes all others. A rule may sleep only in states in which it would fire and change
    /// something. No family is passed over ([`Successors::pass_over`]). Stays until the next call.
    pub fn put_to_sleep(&mut self, rules: &[u64]) {
        self.asleep.fill(rules.iter().copied());
        self.passed_over.fill(std::iter::empty());
    }

    /// Says that these rules need not be tried: they sleep, or are not enabled.
    pub fn pass_over(&mut self, rules: impl Iterator<Item = u64>) {
        self.passed_over.fill(rules);
    }

    /// Whether a rule sleeps.
    #[inline(always)]
    pub fn sleeps(&self, rule: RuleId) -> bool {
        self.asleep.has(rule)
    }

    /// Whether one of these instances, `count` of them, is to be tried. Otherwise those that sleep are counted, and it is
    /// as if all had been tried.
    #[inline(always)]
    pub fn tries(&mut self, first: u32, count: u32) -> bool {
        let (start, end) = (first as usize, first as usize + count as usize);
        for word in start / 64..end.div_ceil(64) {
            let passed_over = self.passed_over.word(word);
            if members(start, end, word) & !passed_over != 0 {
                return true;
            }
        }
        for word in start / 64..end.div_ceil(64) {
            let mut asleep = members(start, end, word) & self.asleep.word(word);
            // Few sleep, and mostly none: that takes less than counting bits does on a machine that has no instruction for it.
            while asleep != 0 {
                asleep &= asleep - 1;
                self.slept += u64::from(self.takes());
            }
        }
        false
    }

    /// A rule that sleeps was enabled, for models that do not use [`Successors::attempt`].
    pub fn count_sleeping(&mut self) {
        self.slept += u64::from(self.takes());
    }

    /// How many enabled rules slept.
    pub fn slept(&self) -> u64 {
        self.slept
    }

    /// One rule instance: if `guard` holds, copies the state and lets `body` make it the successor.
    #[inline(always)]
    pub fn attempt<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        guard: Result<bool, Fault>,
        body: impl FnOnce(&S) -> Result<(), Fault>,
    ) {
        self.attempt_told(rule, state, guard, |next| body(next).map(|()| Change::Unknown));
    }

    /// The same for a body that tells what it knows about what it has changed.
    #[inline(always)]
    pub fn attempt_told<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        guard: Result<bool, Fault>,
        body: impl FnOnce(&S) -> Result<Change, Fault>,
    ) {
        match guard {
            Ok(false) => {}
            Ok(true) if self.sleeps(RuleId(rule)) => self.count_sleeping(),
            Ok(true) if !self.takes() => {}
            Ok(true) => {
                let start = self.words.len();
                state.append_to(&mut self.words);
                let result = match self.words.get_mut(start..) {
                    Some(words) => body(S::view(words)),
                    None => Ok(Change::Unknown),
                };
                match result {
                    Ok(change) => self.keep(RuleId(rule), state, start, change),
                    Err(fault) => self.set_aside(RuleId(rule), fault, start),
                }
            }
            Err(fault) => self.refuse(RuleId(rule), fault),
        }
    }

    /// The same for a rule whose guard may change the state: `fire` evaluates it in the successor, sets its second
    /// argument where it holds, does what the body does, and says whether the rule fires.
    pub fn attempt_in_successor<S: Layout>(
        &mut self,
        rule: u32,
        state: &S,
        fire: impl FnOnce(&S, &Cell<bool>) -> Result<bool, Fault>,
    ) {
        if self.sleeps(RuleId(rule)) {
            self.count_sleeping();
            return;
        }
        let start = self.words.len();
        state.append_to(&mut self.words);
        let Some(words) = self.words.get_mut(start..) else { return };
        let enabled = Cell::new(false);
        let fired = fire(S::view(words), &enabled);
        // Only now is it known whether this is an event.
        let takes = |buffer: &mut Self| {
            let copy = buffer.words.len() - start;
            buffer.words.len() - copy < buffer.most || buffer.takes_late()
        };
        match fired {
            Ok(false) => self.words.truncate(start),
            Ok(true) if !takes(self) => self.words.truncate(start),
            Ok(true) => self.keep(RuleId(rule), state, start, Change::Unknown),
            Err(_) if enabled.get() && !takes(self) => self.words.truncate(start),
            Err(fault) if enabled.get() => self.set_aside(RuleId(rule), fault, start),
            Err(fault) => {
                self.words.truncate(start);
                self.refuse(RuleId(rule), fault);
            }
        }
    }

    /// A rule has fired. Where it changed nothing there is no successor to look for.
    #[inline(always)]
    fn keep<S: Layout>(&mut self, rule: RuleId, state: &S, start: usize, change: Change) {
        let same = |words: &[u64]| words.get(start..).is_some_and(|words| state.is(words));
        let unchanged = match change {
            Change::Nothing => true,
            Change::Something => false,
            Change::Unknown => same(&self.words),
        };
        debug_assert_eq!(unchanged, same(&self.words), "what a rule tells about itself is true");
        if unchanged {
            self.words.truncate(start);
            self.unchanged.push(rule);
            self.bound_list(self.unchanged.len());
        } else {
            self.rules.push(rule);
        }
    }

    /// Firings of rules of which only the number is known, and rules that failed: what was enabled cannot be told from the other lists.
    #[inline]
    pub fn has_nameless(&self) -> bool {
        self.pruned > 0 || !self.faults.is_empty()
    }

    /// Whether rules did anything but lead to another state.
    #[inline]
    pub fn has_rare(&self) -> bool {
        !(self.unchanged.is_empty() && self.excluded.is_empty() && self.faults.is_empty())
    }

    /// How many firings there have been, of whatever end: tells whether any rule was enabled.
    #[inline]
    pub fn firings(&self) -> u64 {
        self.taken() + self.window.elsewhere
    }

    /// Events that are in the buffer.
    #[inline]
    fn taken(&self) -> u64 {
        let told = self.rules.len() + self.unchanged.len() + self.faults.len() + self.excluded.len();
        told as u64 + self.pruned + self.slept
    }

    /// Whether a part of the guard that several instances share lets them pass; `rule` is the first of them.
    #[inline(always)]
    pub fn enabled(&mut self, rule: u32, guard: Result<bool, Fault>) -> bool {
        match guard {
            Ok(holds) => holds,
            Err(fault) => {
                self.refuse(RuleId(rule), fault);
                false
            }
        }
    }

    /// Adds a successor whose words are known, for models that do not use [`Successors::attempt`].
    pub fn push(&mut self, rule: RuleId, state: &[u64]) {
        if self.sleeps(rule) {
            self.count_sleeping();
        } else if self.takes() {
            self.words.extend_from_slice(state);
            self.rules.push(rule);
        }
    }

    /// Adds a state whatever the bound is, for engines that bring states here themselves.
    pub fn adopt(&mut self, rule: RuleId, state: &[u64]) {
        self.words.extend_from_slice(state);
        self.rules.push(rule);
    }

    /// Whether the body of a rule need not be run, because the buffer has no use for what it leads to. Then, if the rule is enabled,
    /// [`Successors::pass_by`] is called instead.
    pub fn passes_by(&self) -> bool {
        self.words.len() >= self.most
    }

    /// A rule is enabled whose body was not run.
    pub fn pass_by(&mut self) {
        // It would not have been taken either.
        self.takes_late();
    }

    /// Adds the successor of `from` under a rule that fired in it.
    pub fn push_from(&mut self, from: &[u64], rule: RuleId, state: &[u64]) {
        if from != state || self.sleeps(rule) {
            self.push(rule, state);
        } else if self.takes() {
            self.unchanged.push(rule);
            self.bound_list(self.unchanged.len());
        }
    }

    /// The body failed, or an assumption does not hold, for models that do not use [`Successors::attempt`].
    #[cold]
    pub fn abandon(&mut self, rule: RuleId, fault: Fault) {
        if self.sleeps(rule) {
            self.count_sleeping();
        } else if self.takes() {
            self.set_aside(rule, fault, self.words.len());
        }
    }

    /// The body of an event that was taken failed, or an assumption does not hold: takes the unfinished successor back.
    #[cold]
    #[inline(never)]
    fn set_aside(&mut self, rule: RuleId, fault: Fault, start: usize) {
        self.words.truncate(start);
        if fault == Fault::EXCLUDED {
            self.excluded.push(rule);
            self.bound_list(self.excluded.len());
        } else if fault == Fault::PRUNED {
            self.pruned += 1;
        } else {
            self.faults.push(FaultyFiring { rule, fault, value: Fault::value(), in_guard: false });
            self.bound_list(self.faults.len());
        }
    }

    /// The guard could not be evaluated, or assumes what does not hold: then the rule is not enabled.
    #[cold]
    #[inline(never)]
    pub fn refuse(&mut self, rule: RuleId, fault: Fault) {
        if fault != Fault::PRUNED && self.takes() {
            self.faults.push(FaultyFiring { rule, fault, value: Fault::value(), in_guard: true });
            self.bound_list(self.faults.len());
        }
    }

    /// Successors that differ from the state they come from.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub fn rules(&self) -> &[RuleId] {
        &self.rules
    }

    /// All successors' words, one state after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of one successor.
    pub fn state(&self, at: usize) -> &[u64] {
        self.words.get(at * self.width..(at + 1) * self.width).unwrap_or(&[])
    }

    pub fn state_mut(&mut self, at: usize) -> &mut [u64] {
        self.words.get_mut(at * self.width..(at + 1) * self.width).unwrap_or(&mut [])
    }

    pub fn faults(&self) -> &[FaultyFiring] {
        &self.faults
    }

    /// Rules that fired and led to the state itself.
    pub fn unchanged(&self) -> &[RuleId] {
        &self.unchanged
    }

    /// Rules that fired but led to a state that breaks an assumption: they count as fired, and as a way
    /// out of the state.
    pub fn excluded(&self) -> &[RuleId] {
        &self.excluded
    }
}

/// Expands a state piece by piece. `deal` gets the buffer with one piece after the other, until it breaks off.
pub fn each_piece<B>(
    model: &dyn Model,
    context: &Context,
    state: &mut [u64],
    successors: &mut Successors,
    mut deal: impl FnMut(&mut Successors) -> ControlFlow<B>,
) -> Option<B> {
    successors.begin();
    loop {
        successors.clear();
        model.expand(context, state, successors);
        if let ControlFlow::Break(found) = deal(successors) {
            return Some(found);
        }
        if !successors.go_on() {
            return None;
        }
    }
}
