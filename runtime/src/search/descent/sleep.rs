//! The sleep set of the state at the end of the path, and of those before it.
//!
//! A rule that was explored in a state falls asleep there, and what the rules after it lead to gets
//! it handed on as long as they are independent of it: what it leads to from there has been found
//! in the other order. `docs/sleep.md` explains the two ways to ensure that it really is,
//! [`SleepSets`], and why they find all states.
//!
//! Sets are rows of bits, see [`Rows`]. Beside what sleeps, each state of the path has a row of
//! what is enabled in it. A rule that is not, and is independent of the one that leads on, is not
//! enabled in the next state either: nobody asks its guard again.

use super::stored::Stored;
use super::sums::{Multipliers, OnPath};
use crate::contract::independence::{Rows, count, put, remove};
use crate::contract::model::{Model, RuleId};
use crate::contract::successors::Successors;
use crate::memory::MemoryError;
use crate::settings::SleepSets;
use crate::spool::Supply;
use crate::spool::lifo::Lifo;
use crate::storage::ResourceError;
use crate::visited::{Segmentation, StateIndex};

/// Bytes of a block of sleeping rules, if all of them stay in memory.
const BLOCK: u64 = 16 << 10;
/// In one of this many states all guards are asked, to see whether they answer as expected.
const CHECKED: u64 = 64;

pub struct Sleep<'a> {
    rows: Rows<'a>,
    /// Of the state at the end of the path: rules that sleep or were explored.
    now: Vec<u64>,
    /// Of the state at the end of the path: rules that are enabled, and perhaps some others.
    enabled: Vec<u64>,
    /// Of those before it: both rows.
    before: Lifo,
    way: Way,
    /// Rules to be woken up.
    awake: Vec<u64>,
    /// Where all guards are asked: rules that should not be enabled.
    disabled: Vec<u64>,
    visits: u64,
    /// How many of the rules that sleep in the state at the end of the path have not been met yet.
    unmet: u64,
}

/// How it is ensured that what is left out is found.
enum Way {
    Revisit(Stored),
    Path(Box<Changes>),
}

/// Where rules that sleep would lead.
struct Changes {
    sums: Multipliers,
    /// The sums of the states on the path.
    path: OnPath,
    /// What each rule that sleeps would add to the sum of the state.
    of: Vec<u64>,
    /// Rules that got another one while the path was where it is now, with the one before.
    undone: Lifo,
}

/// What a state that is met again is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Nothing is new.
    Nothing,
    /// Rules have slept there that do not now.
    Awake,
}

impl<'a> Sleep<'a> {
    /// `None`: the model does not say which rules are independent.
    pub fn new(
        model: &'a dyn Model,
        sets: SleepSets,
        segmentation: Segmentation,
        supply: &Supply,
    ) -> Option<Result<Self, MemoryError>> {
        let rows = Rows::new(model)?;
        let width = rows.width();
        let budget = supply.budget();
        let description = model.description();
        let way = budget.take(rows.bytes()).and_then(|()| {
            Ok(match sets {
                SleepSets::Revisit => Way::Revisit(Stored::new(segmentation, width, budget.clone())?),
                SleepSets::Path => {
                    let instances = description.rule_instances() as usize;
                    budget.take((instances * size_of::<u64>()) as u64)?;
                    Way::Path(Box::new(Changes {
                        sums: Multipliers::new(description.words),
                        path: OnPath::new(budget.clone())?,
                        of: vec![0; instances],
                        undone: Lifo::new(2, BLOCK, &supply.part(1, 2)),
                    }))
                }
            })
        });
        Some(way.map(|way| Sleep {
            rows,
            now: vec![0; width],
            // Nothing is known about start states.
            enabled: vec![u64::MAX; width],
            before: Lifo::new(2 * width + 1, BLOCK, &supply.part(1, 2)),
            way,
            awake: vec![0; width],
            disabled: vec![0; width],
            visits: 0,
            unmet: 0,
        }))
    }

    /// Whether there are sums.
    pub fn has_sums(&self) -> bool {
        matches!(self.way, Way::Path(_))
    }

    /// See [`super::sums`]; 0 where nobody asks for it.
    #[inline]
    pub fn sum(&self, state: &[u64]) -> u64 {
        match &self.way {
            Way::Revisit(_) => 0,
            Way::Path(changes) => changes.sums.of(state),
        }
    }

    /// Puts away what is known about the state at the end of the path.
    #[inline]
    fn put_away(&mut self) -> Result<(), ResourceError> {
        self.before.make_room()?;
        let Some(place) = self.before.push() else { return Ok(()) };
        let mut place = place.iter_mut();
        self.now.iter().chain(&self.enabled).zip(place.by_ref()).for_each(|(word, place)| *place = *word);
        if let (Some(place), Way::Path(changes)) = (place.next(), &self.way) {
            *place = changes.undone.len();
        }
        Ok(())
    }

    /// The path goes on by a rule to a new state. The rules that sleep there are put to sleep, and
    /// those that need not be tried are passed over.
    pub fn descend(
        &mut self,
        rule: RuleId,
        state: StateIndex,
        sum: u64,
        successors: &mut Successors,
    ) -> Result<(), ResourceError> {
        let is_start = self.before.is_empty();
        self.put_away()?;
        self.visits += 1;
        if is_start {
            self.now.fill(0);
            self.disabled.fill(0);
            successors.put_to_sleep(&self.now);
        } else {
            let row = self.rows.of(rule);
            self.now.iter_mut().zip(row).for_each(|(now, row)| *now &= row);
            successors.put_to_sleep(&self.now);
            let disabled = self.enabled.iter().zip(row).map(|(enabled, row)| !enabled & row);
            if self.visits.is_multiple_of(CHECKED) {
                self.disabled.iter_mut().zip(disabled).for_each(|(kept, word)| *kept = word);
            } else {
                successors.pass_over(self.now.iter().zip(disabled).map(|(now, disabled)| now | disabled));
            }
        }
        self.unmet = count(&self.now);
        match &mut self.way {
            Way::Revisit(stored) => stored.set(state, &self.now)?,
            Way::Path(changes) => changes.path.insert(sum)?,
        }
        Ok(())
    }

    /// The state to which the path went on was expanded, or a piece of it. Says how many rules
    /// slept there, or that rules did what they should not have done.
    pub fn expanded(&mut self, successors: &Successors) -> Option<u64> {
        let asleep = successors.slept();
        if asleep > self.unmet || asleep < self.unmet && !successors.is_cut() {
            return None;
        }
        self.unmet -= asleep;
        if successors.has_nameless() || successors.is_piece() {
            // What comes in other pieces may be enabled too.
            self.enabled.fill(u64::MAX);
            return Some(asleep);
        }
        self.enabled.copy_from_slice(&self.now);
        let outcomes = [successors.rules(), successors.unchanged(), successors.excluded()];
        outcomes.into_iter().flatten().for_each(|&rule| put(&mut self.enabled, rule));
        let surprising = |(enabled, disabled): (&u64, &u64)| enabled & disabled != 0;
        let checked = self.visits.is_multiple_of(CHECKED);
        (!checked || !self.enabled.iter().zip(&self.disabled).any(surprising)).then_some(asleep)
    }

    /// Whether a rule leads to a known state in which rules slept that would not if it were
    /// explored now.
    #[inline]
    pub fn again(&mut self, rule: RuleId, state: StateIndex) -> Again {
        let Way::Revisit(stored) = &self.way else { return Again::Nothing };
        let slept = stored.of(state);
        if slept.iter().all(|word| *word == 0) {
            return Again::Nothing;
        }
        let row = self.rows.of(rule);
        let awake = slept.iter().zip(&self.now).zip(row).any(|((slept, now), row)| slept & !(now & row) != 0);
        if awake { Again::Awake } else { Again::Nothing }
    }

    /// The path goes on by a rule to a known state, for the rules that slept there and would not
    /// now. They are to be fired, and are counted; of those that slept the others go on to sleep.
    pub fn revisit(
        &mut self,
        rule: RuleId,
        state: StateIndex,
        successors: &mut Successors,
    ) -> Result<u64, ResourceError> {
        let is_start = self.before.is_empty();
        self.put_away()?;
        let Way::Revisit(stored) = &mut self.way else { return Ok(0) };
        let row = self.rows.of(rule);
        for (at, &slept) in stored.of(state).iter().enumerate() {
            // Nothing sleeps in a start state, and its number is not a rule's.
            let row = if is_start { 0 } else { row[at] };
            let handed = slept & self.now[at] & row;
            self.awake[at] = slept & !handed;
            self.now[at] = handed;
            self.enabled[at] |= !row;
        }
        stored.set(state, &self.now)?;
        // All others are left out, whether they sleep or not. They are tried all the same: with
        // priorities it matters which are enabled.
        self.awake.iter_mut().for_each(|word| *word = !*word);
        successors.put_to_sleep(&self.awake);
        self.awake.iter_mut().for_each(|word| *word = !*word);
        Ok(count(&self.awake))
    }

    /// Rules that would lead to a state on the path are not handed on. They are not fired in this
    /// state either.
    pub fn drop_those_to_path(&mut self, sum: u64) {
        let Way::Path(changes) = &self.way else { return };
        for at in 0..self.now.len() {
            let mut rest = self.now[at];
            while rest != 0 {
                let rule = RuleId(64 * at as u32 + rest.trailing_zeros());
                rest &= rest - 1;
                let change = changes.of.get(rule.0 as usize).copied().unwrap_or(0);
                if changes.path.contains(sum.wrapping_add(change)) {
                    remove(&mut self.now, rule);
                }
            }
        }
    }

    /// A rule was explored in the state of one sum, and led to that of another.
    #[inline]
    pub fn explored(&mut self, rule: RuleId, from: u64, to: u64) -> Result<(), ResourceError> {
        if let Way::Path(changes) = &mut self.way {
            if changes.path.contains(to) {
                return Ok(());
            }
            changes.set(rule, to.wrapping_sub(from))?;
        }
        put(&mut self.now, rule);
        Ok(())
    }

    /// The path goes back from a state of this sum to the one before.
    pub fn ascend(&mut self, sum: u64) -> Result<(), ResourceError> {
        let Some(place) = self.before.pop()? else { return Ok(()) };
        let width = self.now.len();
        let Some((rows, rest)) = place.split_at_checked(2 * width) else { return Ok(()) };
        let (now, enabled) = rows.split_at(width);
        self.now.copy_from_slice(now);
        self.enabled.copy_from_slice(enabled);
        if let (Way::Path(changes), Some(&undone)) = (&mut self.way, rest.first()) {
            changes.path.remove(sum);
            changes.undo(undone)?;
        }
        Ok(())
    }
}

impl Changes {
    /// A rule falls asleep with this change.
    #[inline]
    fn set(&mut self, rule: RuleId, change: u64) -> Result<(), ResourceError> {
        let Some(kept) = self.of.get_mut(rule.0 as usize) else { return Ok(()) };
        self.undone.make_room()?;
        if let Some([place, before]) = self.undone.push() {
            (*place, *before) = (u64::from(rule.0), *kept);
        }
        *kept = change;
        Ok(())
    }

    /// Back to when there were `length` to be undone.
    #[inline]
    fn undo(&mut self, length: u64) -> Result<(), ResourceError> {
        while self.undone.len() > length {
            if let Some(&[rule, before]) = self.undone.pop()?
                && let Some(kept) = self.of.get_mut(rule as usize)
            {
                *kept = before;
            }
        }
        Ok(())
    }
}
