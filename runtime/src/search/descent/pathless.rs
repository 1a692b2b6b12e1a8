//! Depth first with sleep sets, where every state is kept: then nobody needs to know the path.
//!
//! A successor that waits has with it which rules sleep there, and which are known not to be
//! enabled. So when its turn comes there is nothing to go back to, and a state is left as soon as
//! it is expanded. The order, and what sleeps where, are those of [`super::AlongPath`] with
//! [`super::SleepSets::Revisit`]; `docs/sleep.md` says why all states are found.
//!
//! Sets are rows of `W` words, and there is a loop for each of the few widths that are common: most
//! of the time between two states was spent on rows whose length was not known.

use super::current::{self, CurrentState, HandedOn, Way};
use super::stored::Stored;
use super::{DescentStats, SleepStats, Steps, contradiction, start, trail};
use crate::contract::independence::{Rows, count, put, remove};
use crate::contract::model::{Description, Model, RuleId};
use crate::contract::successors::Successors;
use crate::expansion::starts::Starts;
use crate::frontier::Level;
use crate::memory::counted;
use crate::search::Ending;
use crate::search::site::{Halt, SearchContext};
use crate::search::worker::{NOT_INDEPENDENT, Worker};
use crate::settings::Settings;
use crate::spool::Supply;
use crate::spool::lifo::Lifo;
use crate::storage::ResourceError;
use crate::visited::{Entered, Origin, Segmentation, StateIndex};

/// Bytes of a block of states that wait, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;
/// In one of this many states all guards are asked, to see whether they answer as expected.
const CHECKED: u64 = 64;
/// Words of a successor that waits, beside the state and its rows.
const FACTS: usize = 3;

const LOST: &str = "a state that waits is lost";

/// What is known of a successor, beside the state itself.
#[derive(Clone, Copy, Debug)]
struct Next<const W: usize> {
    /// The rule that leads to it, and the state from which.
    rule: RuleId,
    origin: Origin,
    level: Level,
    hash: u64,
    /// Rules that sleep there.
    asleep: [u64; W],
    /// Rules that are not enabled there, as far as that is known beforehand.
    disabled: [u64; W],
}

/// What is known of a state whose successors were made.
#[derive(Clone, Copy, Debug)]
struct Left<const W: usize> {
    origin: Origin,
    level: Level,
    asleep: [u64; W],
    /// Rules that are enabled in it, and perhaps some others.
    enabled: [u64; W],
}

/// The search, from one pause to the next.
pub struct Pathless<'a, const W: usize> {
    current: CurrentState,
    rows: Rows<'a>,
    /// With which sets states were explored.
    kept: Stored,
    /// Successors that wait: their words, [`FACTS`] and two rows.
    waiting: Lifo,
    /// The one whose turn is now, if there is one. It is the current state.
    at_hand: Option<Next<W>>,
    figures: DescentStats,
    slept: SleepStats,
    visits: u64,
}

impl<'a, const W: usize> Pathless<'a, W> {
    /// With the rows of the model, which have `W` words, for a visited set of these segments.
    pub fn new(
        model: &'a dyn Model,
        settings: &'a Settings,
        rows: Rows<'a>,
        segmentation: Segmentation,
        supply: &Supply,
    ) -> Result<Self, Ending> {
        let budget = supply.budget();
        // For states that are not expanded in pieces.
        budget.take(counted(buffers(model.description()))).map_err(|_| Ending::Memory)?;
        let kept = budget.take(rows.bytes()).and_then(|()| Stored::new(segmentation, W, budget.clone()));
        let words = settings.codec(model.description()).stored_words();
        Ok(Pathless {
            current: CurrentState::new(settings, budget),
            rows,
            kept: kept.map_err(|_| Ending::Memory)?,
            waiting: Lifo::new(words + FACTS + 2 * W, BLOCK, supply),
            at_hand: None,
            figures: DescentStats::default(),
            slept: SleepStats::default(),
            visits: 0,
        })
    }

    /// With which rules asleep a known state was explored.
    fn slept_in(&self, state: StateIndex) -> [u64; W] {
        // If it were lost, all would count as asleep, and those that are not enabled would give it
        // away.
        self.kept.of(state).first_chunk().copied().unwrap_or([u64::MAX; W])
    }

    /// Expands a new state.
    fn visit(
        &mut self,
        next: &Next<W>,
        index: StateIndex,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        let Next { rule, origin, level, asleep, disabled, .. } = *next;
        self.come_to(level);
        let valid = self.current.meet(Way { rule, origin, level }, index, worker, site);
        self.kept.set(index, &asleep).map_err(ResourceError::from)?;

        self.visits += 1;
        let checked = self.visits.is_multiple_of(CHECKED);
        self.current.begin(&mut worker.expander);
        let successors = worker.expander.successors_mut();
        successors.put_to_sleep(&asleep);
        if !checked {
            successors.pass_over((0..W).map(|at| asleep[at] | disabled[at]));
        }
        self.current.fire_awake(worker);
        let successors = worker.expander.successors();
        let sleepers = count(&asleep);
        let enabled = enabled_in(successors, asleep);
        if successors.slept() != sleepers
            || checked && intersects(enabled, disabled) && !successors.has_nameless()
        {
            return Err(contradiction(NOT_INDEPENDENT));
        }
        self.slept.rules += sleepers;
        self.current.settle(index, level, valid, worker)?;
        worker.inserter.tally.count(worker.expander.successors());
        let left = Left { origin: index.into(), level: level.next(), asleep, enabled };
        self.lead_on(left, true, worker, site)
    }

    /// Explores a known state for the rules that slept there and do not now. Of those that slept,
    /// the others go on to sleep.
    #[cold]
    #[inline(never)]
    fn revisit(
        &mut self,
        next: &Next<W>,
        index: StateIndex,
        slept: [u64; W],
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        trail(site)?.enter_again(index, next.origin);
        self.come_to(next.level);
        let asleep = both(slept, next.asleep);
        let awake = both(slept, complement(asleep));
        self.kept.set(index, &asleep).map_err(ResourceError::from)?;
        // All others are left out, whether they sleep or not. They are tried all the same: with
        // priorities it matters which are enabled.
        worker.expander.successors_mut().put_to_sleep(&complement(awake));
        self.current.begin(&mut worker.expander);
        self.current.fire_woken(count(&awake), worker)?;
        self.slept.woken += count(&awake);
        self.slept.revisits += 1;
        worker.inserter.tally.count(worker.expander.successors());
        let (level, enabled) = (next.level.next(), complement(next.disabled));
        self.lead_on(Left { origin: index.into(), level, asleep, enabled }, true, worker, site)
    }

    /// A state of this level is expanded: the path to it has a state in each level before.
    fn come_to(&mut self, level: Level) {
        self.figures.longest = self.figures.longest.max(u64::from(level.0) + 1);
    }

    /// Lets the successors wait, and the first of them be the next. What one gets handed on is what
    /// sleeps in the state, and the rules before it. (`is_last`: no others follow.)
    fn lead_on(
        &mut self,
        left: Left<W>,
        is_last: bool,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        let count = worker.expander.successors().len();
        if count == 0 {
            return Ok(());
        }
        let HandedOn { states, rules, hashes, place } =
            self.current.hash(&worker.expander, worker.inserter.codec, site);
        if worker.inserter.settings.max_depth.is_some_and(|depth| left.level.0 > depth) {
            return self.look_beyond(left, worker, site);
        }
        if let Some(&hash) = hashes.first() {
            trail(site)?.ask(hash);
        }
        let words = worker.inserter.codec.stored_words();
        let mut earlier = left.asleep;
        rules.iter().for_each(|&rule| put(&mut earlier, rule));
        let Left { origin, level, enabled, .. } = left;
        let disabled = complement(enabled);
        // What is put down last is on top.
        for at in (0..count).rev() {
            let (Some(&rule), Some(&hash), Some(state)) =
                (rules.get(at), hashes.get(at), states.get(at * words..(at + 1) * words))
            else {
                return Err(contradiction(LOST));
            };
            remove(&mut earlier, rule);
            let row = row_of(&mut self.rows, rule, origin);
            let (asleep, disabled) = (both(earlier, row), both(disabled, row));
            let next = Next { rule, origin, level, hash, asleep, disabled };
            if at == 0 && is_last {
                current::put(state, place);
                self.at_hand = Some(next);
            } else {
                wait(&mut self.waiting, state, &next)?;
            }
        }
        Ok(())
    }

    /// Finds out whether there is something to explore where nothing is to be explored any more.
    #[cold]
    fn look_beyond(
        &mut self,
        left: Left<W>,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        let mut known = Vec::new();
        self.current.look_up(worker, site, &mut known)?;
        let mut earlier = left.asleep;
        for (&rule, state) in worker.expander.successors().rules().iter().zip(known) {
            let asleep = both(earlier, row_of(&mut self.rows, rule, left.origin));
            match state {
                Some(state) if !intersects(self.slept_in(state), complement(asleep)) => {
                    self.figures.matched += 1;
                    put(&mut earlier, rule);
                }
                Some(_) | None => worker.inserter.beyond_depth = true,
            }
        }
        Ok(())
    }

    /// The successor that came last of those that wait.
    fn take(&mut self, site: &mut SearchContext<'_>) -> Result<Option<Next<W>>, Halt> {
        let Some(place) = self.waiting.pop()? else { return Ok(None) };
        let (state, facts) = place.split_at(place.len().saturating_sub(FACTS + 2 * W));
        current::put(state, self.current.place());
        let next = match facts.split_first_chunk::<FACTS>() {
            Some((&[way, level, hash], rows)) => Next {
                rule: RuleId((level >> 32) as u32),
                origin: Origin(way),
                level: Level(level as u32),
                hash,
                asleep: std::array::from_fn(|at| rows.get(at).copied().unwrap_or(0)),
                disabled: std::array::from_fn(|at| rows.get(W + at).copied().unwrap_or(0)),
            },
            None => return Err(contradiction(LOST)),
        };
        // The one after it may be soon.
        let hash = self.waiting.peek().and_then(|place| place.get(state_words(place.len(), W) + 2)).copied();
        if let Some(hash) = hash {
            trail(site)?.ask(hash);
        }
        Ok(Some(next))
    }
}

impl<const W: usize> Steps for Pathless<'_, W> {
    fn start(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let (origin, level) = (Origin::START, Level::default());
        let left = Left { origin, level, asleep: [0; W], enabled: [u64::MAX; W] };
        // Successors go on the stack from the last to the first.
        worker.expander.expand_whole_states();
        let mut starts = Starts::default();
        loop {
            let more = start(&mut starts, worker)?;
            self.lead_on(left, !more, worker, site)?;
            self.current.pause(worker, site)?;
            if !more {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<bool, Halt> {
        let taken = match self.at_hand.take() {
            Some(next) => Some(next),
            None => self.take(site)?,
        };
        let Some(next) = taken else { return Ok(false) };
        match self.current.enter(next.rule, next.origin, next.hash, worker, site)? {
            Entered::Known(state) => {
                self.figures.matched += 1;
                let slept = self.slept_in(state);
                if intersects(slept, complement(next.asleep)) {
                    self.revisit(&next, state, slept, worker, site)?;
                }
            }
            Entered::Fresh(state) => self.visit(&next, state, worker, site)?,
        }
        Ok(true)
    }

    fn pause(&mut self, worker: &Worker<'_>, site: &SearchContext<'_>) -> Result<(), Halt> {
        self.current.pause(worker, site)
    }

    fn steps(&mut self) -> &mut u64 {
        &mut self.current.steps
    }

    fn figures(&self) -> DescentStats {
        DescentStats { slept: Some(self.slept), ..self.figures }
    }

    fn waiting(&self) -> u64 {
        self.waiting.len() + u64::from(self.at_hand.is_some())
    }
}

/// Bytes that the successors of a state take at most, and their stored form. There are few rules,
/// so it is known beforehand.
pub fn buffers(description: &Description) -> u64 {
    let state = (description.words * size_of::<u64>()) as u64;
    (2 * state).saturating_mul(u64::from(description.rule_instances()))
}

/// Words of the state in an entry of `entry` words.
fn state_words(entry: usize, width: usize) -> usize {
    entry.saturating_sub(FACTS + 2 * width)
}

/// Puts a successor down.
#[inline(always)]
fn wait<const W: usize>(waiting: &mut Lifo, state: &[u64], next: &Next<W>) -> Result<(), ResourceError> {
    waiting.make_room()?;
    let Some(place) = waiting.push() else { return Ok(()) };
    let (words, facts) = place.split_at_mut(state_words(place.len(), W));
    words.copy_from_slice(state);
    if let Some(([way, level, hash], rows)) = facts.split_first_chunk_mut::<FACTS>() {
        *way = next.origin.0;
        *level = u64::from(next.rule.0) << 32 | u64::from(next.level.0);
        *hash = next.hash;
        rows.iter_mut().zip(next.asleep.iter().chain(&next.disabled)).for_each(|(place, row)| *place = *row);
    }
    Ok(())
}

/// The rules that are independent of the one that leads on from a state. A start state has another
/// number than a rule's, and nothing sleeps there.
#[inline(always)]
fn row_of<const W: usize>(rows: &mut Rows<'_>, rule: RuleId, from: Origin) -> [u64; W] {
    match from {
        Origin::START => [0; W],
        _ => rows.of(rule).first_chunk().copied().unwrap_or([0; W]),
    }
}

/// The rules that are enabled in a state that was expanded while these slept in it, and perhaps
/// some others.
#[inline(always)]
fn enabled_in<const W: usize>(successors: &Successors, asleep: [u64; W]) -> [u64; W] {
    if successors.has_nameless() {
        return [u64::MAX; W];
    }
    let mut enabled = asleep;
    for rules in [successors.rules(), successors.unchanged(), successors.excluded()] {
        rules.iter().for_each(|&rule| put(&mut enabled, rule));
    }
    enabled
}

#[inline(always)]
fn both<const W: usize>(left: [u64; W], right: [u64; W]) -> [u64; W] {
    std::array::from_fn(|at| left[at] & right[at])
}

#[inline(always)]
fn complement<const W: usize>(row: [u64; W]) -> [u64; W] {
    row.map(|word| !word)
}

#[inline(always)]
fn intersects<const W: usize>(left: [u64; W], right: [u64; W]) -> bool {
    both(left, right).iter().any(|word| *word != 0)
}
