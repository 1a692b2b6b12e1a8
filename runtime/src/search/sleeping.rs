//! Sleep sets for a search by levels: rules that need not fire in a state, because what they lead
//! to is found in another order.
//!
//! Of the rules that fire in a state, each falls asleep for what the rules after it lead to, if it
//! is independent of them, and so do those that slept in the state itself. A state that is found
//! several times *in one level* gets what all of these sets have in common; one that is found again
//! in a later level stays as it is. So sets are needed only for the states that wait, and nothing
//! is kept with the visited set. `docs/internals/sleep-levels.md` says why every state is found
//! nevertheless, in its level.
//!
//! A set is found by the hash of its state. Two states of one hash share what their sets have in
//! common: it is always right to let fewer rules sleep. So the visited set need not tell which of
//! its states was met, and any kind of it will do. A state belongs to one thread, by its hash, and
//! so does its set.

use super::Ending;
use super::site::Halt;
use crate::contract::independence::{Rows, count, put};
use crate::contract::model::Model;
use crate::contract::successors::Successors;
use crate::expansion::Before;
use crate::memory::Budget;
use crate::visited::batch::SetBuffer;
use crate::visited::{Batch, Fresh};
use std::sync::Arc;

/// Entries of the smallest table.
const LEAST: usize = 64;
/// No state has this key: the entry is empty.
const VACANT: u64 = 0;
/// In one of this many states all guards are asked, to see whether they answer as expected.
const CHECKED: u64 = 64;

/// The sets of the states of one level that belong to one thread.
#[derive(Debug)]
struct SleepTable {
    /// For each entry the key of its state, which is its hash, and its rows.
    words: Vec<u64>,
    /// Words of the rows.
    width: usize,
    /// A power of two, or none.
    entries: usize,
    used: usize,
    /// Bytes taken from the budget.
    bytes: u64,
    budget: Arc<Budget>,
}

impl SleepTable {
    fn new(width: usize, budget: Arc<Budget>) -> Self {
        SleepTable { words: Vec::new(), width, entries: 0, used: 0, bytes: 0, budget }
    }

    /// Where the entry of a state begins, or the one that it would get. There must be entries.
    #[inline(always)]
    fn find(&self, key: u64) -> Option<usize> {
        let mask = self.entries.checked_sub(1)?;
        // The highest bits say whose the state is.
        let mut at = (key ^ key >> 32) as usize & mask;
        loop {
            let start = at * (self.width + 1);
            let kept = *self.words.get(start)?;
            if kept == VACANT || kept == key {
                return Some(start);
            }
            at = (at + 1) & mask;
        }
    }

    /// The rows of a state, if it has any.
    #[inline(always)]
    fn get(&self, hash: u64) -> Option<&[u64]> {
        let start = self.find(key(hash))?;
        let (kept, rows) = self.words.get(start..start + self.width + 1)?.split_first()?;
        (*kept != VACANT).then_some(rows)
    }

    /// A state of the level was found, with these rows. `fresh`: for the first time, as far as the
    /// visited set knows.
    #[inline(always)]
    fn found(&mut self, hash: u64, fresh: bool, rows: &[u64]) -> Result<(), Halt> {
        if fresh {
            self.make_room()?;
        }
        let key = key(hash);
        let Some(start) = self.find(key) else { return Ok(()) };
        let entry = self.words.get_mut(start..start + self.width + 1);
        let Some((kept, words)) = entry.and_then(|entry| entry.split_first_mut()) else { return Ok(()) };
        if *kept != VACANT {
            match rows.is_empty() {
                true => words.fill(0),
                false => words.iter_mut().zip(rows).for_each(|(word, row)| *word &= row),
            }
        } else if fresh {
            *kept = key;
            match rows.len() == words.len() {
                true => words.copy_from_slice(rows),
                false => words.fill(0),
            }
            self.used += 1;
        }
        Ok(())
    }

    /// Makes sure that there is room for one more.
    #[inline(always)]
    fn make_room(&mut self) -> Result<(), Halt> {
        if self.used * 8 >= self.entries * 5 { self.grow() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), Halt> {
        let entries = (2 * self.entries).max(LEAST);
        let words = entries * (self.width + 1);
        // While they are copied both are there.
        let bytes = (words * size_of::<u64>()) as u64;
        self.budget.take(bytes).map_err(|_| Halt::Ended(Ending::Memory))?;
        self.bytes += bytes;
        let old = std::mem::replace(&mut self.words, vec![VACANT; words]);
        self.entries = entries;
        for entry in old.chunks_exact(self.width + 1).filter(|entry| entry.first() != Some(&VACANT)) {
            if let Some(start) = entry.first().and_then(|key| self.find(*key))
                && let Some(place) = self.words.get_mut(start..start + self.width + 1)
            {
                place.copy_from_slice(entry);
            }
        }
        self.give_back((old.len() * size_of::<u64>()) as u64);
        Ok(())
    }

    fn give_back(&mut self, bytes: u64) {
        self.budget.give_back(bytes);
        self.bytes -= bytes;
    }

    /// Removes all sets. The memory stays for the next level, unless this one needed little of it.
    fn clear(&mut self) {
        if self.used * 16 < self.entries {
            self.give_back(self.bytes);
            (self.words, self.entries) = (Vec::new(), 0);
        } else {
            self.words.fill(VACANT);
        }
        self.used = 0;
    }

    /// Keys and rows.
    fn iter(&self) -> impl Iterator<Item = (u64, &[u64])> + '_ {
        let entries = self.words.chunks_exact(self.width + 1).filter_map(|entry| entry.split_first());
        entries.filter(|(key, _)| **key != VACANT).map(|(key, rows)| (*key, rows))
    }
}

impl Drop for SleepTable {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

/// A hash that is not [`VACANT`]. It says whose the state is as the hash does.
#[inline(always)]
fn key(hash: u64) -> u64 {
    hash.max(VACANT + 1)
}

/// What one thread knows about rules that sleep.
pub struct Sleeping<'a> {
    rows: Rows<'a>,
    /// Of the states that are expanded now, and of those that are found.
    now: SleepTable,
    next: SleepTable,
    /// Rules that do not fire any more in the state at hand.
    asleep: Vec<u64>,
    /// Rules that are not enabled in the state at hand, as far as that is known beforehand.
    disabled: Vec<u64>,
    /// Rules that are enabled in it, and perhaps some others.
    enabled: Vec<u64>,
    expanded: u64,
    /// How many of the rules that sleep in the state at hand have not been met yet.
    unmet: u64,
    /// Nothing sleeps any more.
    awake: bool,
    /// Nothing sleeps any more in the levels after this one.
    wakes: bool,
    /// Rules that were enabled, and slept.
    pub slept: u64,
}

impl<'a> Sleeping<'a> {
    /// `None`: the model does not say which of its rules are independent.
    pub fn new(model: &'a dyn Model, budget: &Arc<Budget>) -> Option<Self> {
        let rows = Rows::new(model)?;
        let width = rows.width();
        Some(Sleeping {
            rows,
            now: SleepTable::new(2 * width, budget.clone()),
            next: SleepTable::new(2 * width, budget.clone()),
            asleep: vec![0; width],
            disabled: vec![0; width],
            enabled: vec![0; width],
            expanded: 0,
            unmet: 0,
            awake: false,
            wakes: false,
            slept: 0,
        })
    }

    /// Words that go with each successor.
    pub fn words(&self) -> usize {
        2 * self.rows.width()
    }

    /// Every rule fires in all levels after the one that is being expanded, and in that one too if
    /// its expansion has not begun (`between_levels`). States behind one that breaks a property are
    /// not explored, so a rule could sleep because of a path that was cut there.
    ///
    /// What sleeps in the level in which such a state is found sleeps because of paths that are
    /// shorter, and whole. Waking only at the end of the level makes the counts independent of
    /// when, and by which thread, the state was found.
    pub fn wake(&mut self, between_levels: bool) {
        self.wakes = true;
        if between_levels {
            self.wake_up();
        }
    }

    fn wake_up(&mut self) {
        self.awake = true;
        self.now.clear();
        self.next.clear();
    }

    /// A state with this hash is expanded next: puts its rules to sleep, and passes over those that
    /// are not enabled.
    #[inline]
    pub fn begin(&mut self, hash: u64, successors: &mut Successors) {
        self.expanded += 1;
        match self.now.get(hash).map(|rows| rows.split_at(self.asleep.len())) {
            Some((asleep, disabled)) => {
                self.asleep.copy_from_slice(asleep);
                self.disabled.copy_from_slice(disabled);
            }
            None => {
                self.asleep.fill(0);
                self.disabled.fill(0);
            }
        }
        self.unmet = count(&self.asleep);
        successors.put_to_sleep(&self.asleep);
        if !self.expanded.is_multiple_of(CHECKED) {
            let both = self.asleep.iter().zip(&self.disabled);
            successors.pass_over(both.map(|(asleep, disabled)| asleep | disabled));
        }
    }

    /// It was expanded, or a piece of it: appends the rows of the states that its rules led to.
    /// False: rules did what they should not have done.
    #[inline]
    pub fn end(&mut self, successors: &Successors, before: Before, sets: &mut SetBuffer) -> bool {
        let Sleeping { rows, asleep, disabled, enabled, awake, unmet, .. } = self;
        let met = successors.slept() - before.slept;
        if met > *unmet || met < *unmet && !successors.is_cut() {
            return false;
        }
        *unmet -= met;
        let fired = successors.rules().get(before.successors..).unwrap_or_default();
        if successors.has_nameless() || successors.is_piece() {
            // What comes in other pieces may be enabled too.
            enabled.fill(u64::MAX);
        } else {
            let unchanged = successors.unchanged().get(before.unchanged..).unwrap_or_default();
            let excluded = successors.excluded().get(before.excluded..).unwrap_or_default();
            enabled.copy_from_slice(asleep);
            [fired, unchanged, excluded].into_iter().flatten().for_each(|&rule| put(enabled, rule));
            let surprising = |(enabled, disabled): (&u64, &u64)| enabled & disabled != 0;
            if self.expanded.is_multiple_of(CHECKED) && enabled.iter().zip(&*disabled).any(surprising) {
                return false;
            }
        }
        for &rule in fired {
            let row = rows.of(rule);
            let handed = asleep.iter().zip(row).map(|(asleep, row)| asleep & row);
            sets.push(handed.chain(enabled.iter().zip(row).map(|(enabled, row)| !enabled & row)));
            if !*awake {
                put(asleep, rule);
            }
        }
        true
    }

    /// States of a batch were found, some of them for the first time.
    pub fn found(&mut self, batch: &Batch<'_>, positions: &[u32], fresh: &[Fresh]) -> Result<(), Halt> {
        if self.awake {
            return Ok(());
        }
        // What is fresh is in the order of the positions.
        let mut fresh = fresh.iter().map(|fresh| fresh.position).peekable();
        for &position in positions {
            let is_fresh = fresh.next_if_eq(&position).is_some();
            let at = position as usize;
            if let Some(&hash) = batch.hashes.get(at) {
                self.next.found(hash, is_fresh, batch.sets.get(at))?;
            }
        }
        Ok(())
    }

    /// The states that were found are expanded from now on.
    pub fn advance(&mut self) {
        if self.wakes {
            return self.wake_up();
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.clear();
    }

    /// Gives the sets of states to the threads that will expand them, between two levels.
    pub fn deal(threads: &mut [&mut Sleeping<'_>], owner: impl Fn(u64) -> usize) -> Result<(), Halt> {
        if threads.iter().any(|thread| thread.wakes) {
            // Some of the threads may not have existed yet when the others were woken.
            threads.iter_mut().for_each(|thread| thread.wake(true));
            return Ok(());
        }
        for from in 0..threads.len() {
            let (width, budget) = (threads[from].now.width, threads[from].now.budget.clone());
            let table = std::mem::replace(&mut threads[from].now, SleepTable::new(width, budget));
            // What it had comes into `next`, which is empty, so that nothing is dealt out twice.
            for (hash, set) in table.iter() {
                if let Some(thread) = threads.get_mut(owner(hash)) {
                    thread.next.found(hash, true, set)?;
                }
            }
        }
        threads.iter_mut().for_each(|thread| thread.advance());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    #[test]
    fn a_table_keeps_what_all_sets_of_a_state_have_in_common() {
        for width in [1, 2, 7] {
            let budget = Arc::new(Budget::new(1 << 25));
            let mut table = SleepTable::new(width, budget.clone());
            let mut random = Random(7);
            for states in [3, 500, 20_000, 10] {
                let mut expected: HashMap<u64, Vec<u64>> = HashMap::new();
                for _ in 0..3 * states {
                    // Those of hash 0 and 1 are one.
                    let hash = random.below(states) << 50 | random.below(2);
                    let rows: Vec<u64> = (0..width).map(|_| random.number() | random.number()).collect();
                    let fresh = random.below(3) > 0;
                    table.found(hash, fresh, &rows).unwrap();
                    match expected.get_mut(&hash.max(1)) {
                        Some(known) => known.iter_mut().zip(&rows).for_each(|(known, row)| *known &= row),
                        None if fresh => drop(expected.insert(hash.max(1), rows)),
                        None => {}
                    }
                }
                for (&hash, rows) in &expected {
                    assert_eq!(table.get(hash), Some(&rows[..]));
                }
                assert_eq!(table.iter().count(), expected.len());
                assert!(table.get(u64::MAX).is_none());
                // Whoever brings nothing knows nothing.
                if let Some(&hash) = expected.keys().next() {
                    table.found(hash, false, &[]).unwrap();
                    assert!(table.get(hash).is_some_and(|rows| rows.iter().all(|word| *word == 0)));
                }
                table.clear();
                assert_eq!(table.iter().count(), 0);
            }
            drop(table);
            assert_eq!(budget.used(), 0);
        }
    }

    #[test]
    fn without_memory_it_says_so() {
        let mut table = SleepTable::new(2, Arc::new(Budget::new(16 << 10)));
        let mut hash = 0;
        while table.found(hash, true, &[1, 2]).is_ok() {
            hash += 1;
        }
        assert!((50..500).contains(&hash), "{hash}");
    }
}
