//! Sleep sets for a search by levels: rules that need not fire in a state, because what they lead to is found in another order.
//!
//! Of the rules that fire in a state, each falls asleep for what the rules after it lead to, if it is independent of them, and so do those
//! that slept in the state itself. A state that is found several times *in one level* gets what all of these sets have in
//! common; one that is found again in a later level stays as it is. So sets are needed only for the states that wait, and
//! nothing is kept with the visited set. `docs/sleep-levels.md` tells why every state is found nevertheless, in its level.
//!
//! A set is found by the hash of its state. Two states of one hash share what their sets have in common: it is always right to let fewer rules
//! sleep. So the visited set need not tell which of its states was met, and any kind of it will do. A state belongs to one
//! thread, by its hash, and so does its set.

use super::Ending;
use super::expansion::Halt;
use crate::independence::{Rows, has, put};
use crate::memory::Budget;
use crate::model::{Model, RuleId};
use crate::successors::Successors;
use crate::visited::{Batch, Fresh};
use std::sync::Arc;

/// Entries of the smallest table.
const LEAST: usize = 64;
/// No set begins here: the entry is empty.
const VACANT: u32 = u32::MAX;

/// Sleep sets that go with the states of a batch, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sets<'a> {
    /// Where each ends. None: no rule sleeps.
    pub ends: &'a [u32],
    /// The numbers of rules, in ascending order for each state.
    pub rules: &'a [u32],
}

impl<'a> Sets<'a> {
    pub fn get(self, position: usize) -> &'a [u32] {
        let Some(&end) = self.ends.get(position) else { return &[] };
        let start = position.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end);
        self.rules.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// The same, as they are made.
#[derive(Clone, Debug, Default)]
pub struct SetBuffer {
    pub ends: Vec<u32>,
    pub rules: Vec<u32>,
}

impl SetBuffer {
    pub fn clear(&mut self) {
        self.ends.clear();
        self.rules.clear();
    }

    pub fn as_sets(&self) -> Sets<'_> {
        Sets { ends: &self.ends, rules: &self.rules }
    }

    /// The set of the next state.
    pub fn push(&mut self, set: impl Iterator<Item = u32>) {
        self.rules.extend(set);
        self.ends.push(self.rules.len() as u32);
    }
}

/// Where the set of a state is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    start: u32,
    length: u32,
}

/// The sets of the states of one level that belong to one thread.
#[derive(Debug)]
struct Table {
    entries: Vec<Entry>,
    used: usize,
    rules: Vec<u32>,
    /// Bytes taken from the budget.
    bytes: u64,
    budget: Arc<Budget>,
}

impl Table {
    fn new(budget: Arc<Budget>) -> Self {
        Table { entries: Vec::new(), used: 0, rules: Vec::new(), bytes: 0, budget }
    }

    /// The entry of a state, or the one that it would get. There must be entries.
    fn find(&self, hash: u64) -> Option<usize> {
        let mask = self.entries.len().checked_sub(1)?;
        // The highest bits say whose the state is.
        let mut at = (hash ^ hash >> 32) as usize & mask;
        loop {
            let entry = self.entries.get(at)?;
            if entry.start == VACANT || entry.hash == hash {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    fn get(&self, hash: u64) -> &[u32] {
        let entry = self.find(hash).and_then(|at| self.entries.get(at)).filter(|entry| entry.start != VACANT);
        entry.map_or(&[], |entry| {
            let start = entry.start as usize;
            self.rules.get(start..start + entry.length as usize).unwrap_or_default()
        })
    }

    /// A state of the level was found, with this set. `fresh`: for the first time, as far as the visited set knows.
    fn found(&mut self, hash: u64, fresh: bool, set: &[u32]) -> Result<(), Halt> {
        if fresh {
            self.make_room(set.len())?;
        }
        let Some(at) = self.find(hash) else { return Ok(()) };
        let Some(entry) = self.entries.get_mut(at) else { return Ok(()) };
        if entry.start != VACANT {
            let start = entry.start as usize;
            let kept = self.rules.get_mut(start..start + entry.length as usize).unwrap_or_default();
            entry.length = intersect(kept, set) as u32;
        } else if fresh {
            *entry = Entry { hash, start: self.rules.len() as u32, length: set.len() as u32 };
            self.rules.extend_from_slice(set);
            self.used += 1;
        }
        Ok(())
    }

    /// Makes sure that one more set of this length fits.
    fn make_room(&mut self, length: usize) -> Result<(), Halt> {
        let full = Halt::Ended(Ending::Memory);
        if self.rules.len() + length >= VACANT as usize {
            return Err(full);
        }
        if self.rules.len() + length > self.rules.capacity() {
            let more = self.rules.capacity().max(length).max(LEAST);
            self.take((more * size_of::<u32>()) as u64)?;
            self.rules.reserve_exact(more);
        }
        if self.used * 8 >= self.entries.len() * 5 {
            let larger = (2 * self.entries.len()).max(LEAST);
            // While they are copied both are there.
            self.take((larger * size_of::<Entry>()) as u64)?;
            let vacant = Entry { hash: 0, start: VACANT, length: 0 };
            let old = std::mem::replace(&mut self.entries, vec![vacant; larger]);
            for entry in old.iter().filter(|entry| entry.start != VACANT) {
                if let Some(at) = self.find(entry.hash) {
                    self.entries[at] = *entry;
                }
            }
            self.give_back((old.len() * size_of::<Entry>()) as u64);
        }
        Ok(())
    }

    fn take(&mut self, bytes: u64) -> Result<(), Halt> {
        self.budget.take(bytes).map_err(|_| Halt::Ended(Ending::Memory))?;
        self.bytes += bytes;
        Ok(())
    }

    fn give_back(&mut self, bytes: u64) {
        self.budget.give_back(bytes);
        self.bytes -= bytes;
    }

    /// Forgets all. The memory stays for the next level, unless this one needed little of it.
    fn clear(&mut self) {
        if self.used * 16 < self.entries.len() {
            self.give_back(self.bytes);
            (self.entries, self.rules) = (Vec::new(), Vec::new());
        } else {
            self.entries.fill(Entry { hash: 0, start: VACANT, length: 0 });
            self.rules.clear();
        }
        self.used = 0;
    }

    fn iter(&self) -> impl Iterator<Item = (u64, &[u32])> + '_ {
        self.entries.iter().filter(|entry| entry.start != VACANT).map(|entry| {
            let start = entry.start as usize;
            (entry.hash, self.rules.get(start..start + entry.length as usize).unwrap_or_default())
        })
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

/// Leaves those of `kept` at its beginning that are in `others` too, and says how many. Both are in ascending order.
fn intersect(kept: &mut [u32], others: &[u32]) -> usize {
    let mut others = others.iter().copied().peekable();
    let mut length = 0;
    for at in 0..kept.len() {
        let rule = kept[at];
        while others.next_if(|&other| other < rule).is_some() {}
        if others.peek() == Some(&rule) {
            kept[length] = rule;
            length += 1;
        }
    }
    length
}

/// What one thread knows about rules that sleep.
pub struct Sleeping<'a> {
    rows: Rows<'a>,
    /// Of the states that are expanded now, and of those that are found.
    now: Table,
    next: Table,
    /// Rules that do not fire any more in the state at hand, in ascending order.
    asleep: Vec<u32>,
    /// Nothing sleeps any more.
    awake: bool,
    /// Rules that were enabled, and slept.
    pub slept: u64,
}

impl<'a> Sleeping<'a> {
    /// `None`: the model does not say which of its rules are independent.
    pub fn new(model: &'a dyn Model, budget: &Arc<Budget>) -> Option<Self> {
        Some(Sleeping {
            rows: Rows::new(model)?,
            now: Table::new(budget.clone()),
            next: Table::new(budget.clone()),
            asleep: Vec::new(),
            awake: false,
            slept: 0,
        })
    }

    /// From now on every rule fires. States behind one that breaks a property are not explored, so a rule
    /// could sleep because of something that never happens.
    pub fn wake(&mut self) {
        self.awake = true;
        self.now.clear();
        self.next.clear();
    }

    /// A state with this hash is expanded next: puts its rules to sleep.
    pub fn begin(&mut self, hash: u64, successors: &mut Successors) {
        self.asleep.clear();
        self.asleep.extend_from_slice(self.now.get(hash));
        let mut row = vec![0; self.rows.width()];
        self.asleep.iter().for_each(|&rule| put(&mut row, RuleId(rule)));
        successors.put_to_sleep(&row);
    }

    /// It was expanded, and these rules led to other states: appends the sets of those.
    pub fn end(&mut self, rules: &[RuleId], sets: &mut SetBuffer) {
        let Sleeping { rows, asleep, awake, .. } = self;
        for &rule in rules {
            let row = rows.of(rule);
            let handed = asleep.iter().copied().filter(|&other| has(row, RuleId(other)));
            sets.push(handed);
            if let (false, Err(at)) = (*awake, asleep.binary_search(&rule.0)) {
                asleep.insert(at, rule.0);
            }
        }
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
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.clear();
    }

    /// Gives the sets of states to the threads that will expand them, between two levels.
    pub fn deal(threads: &mut [&mut Sleeping<'_>], owner: impl Fn(u64) -> usize) -> Result<(), Halt> {
        for from in 0..threads.len() {
            let budget = threads[from].now.budget.clone();
            let table = std::mem::replace(&mut threads[from].now, Table::new(budget));
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
    use std::collections::{BTreeSet, HashMap};

    #[test]
    fn a_table_keeps_what_all_sets_of_a_state_have_in_common() {
        let budget = Arc::new(Budget::new(1 << 24));
        let mut table = Table::new(budget.clone());
        let mut random = Random(7);
        for states in [3, 500, 20_000, 10] {
            let mut expected: HashMap<u64, BTreeSet<u32>> = HashMap::new();
            for _ in 0..3 * states {
                let hash = random.below(states) << 50 | random.below(2);
                let set: BTreeSet<u32> = (0..random.below(12)).map(|_| random.below(9) as u32).collect();
                let list: Vec<u32> = set.iter().copied().collect();
                let fresh = random.below(3) > 0;
                table.found(hash, fresh, &list).unwrap();
                match expected.get_mut(&hash) {
                    Some(known) => known.retain(|rule| set.contains(rule)),
                    None if fresh => drop(expected.insert(hash, set)),
                    None => {}
                }
            }
            for (&hash, set) in &expected {
                assert!(table.get(hash).iter().eq(set.iter()));
            }
            assert_eq!(table.iter().count(), expected.len());
            assert!(table.get(u64::MAX).is_empty());
            table.clear();
            assert_eq!(table.iter().count(), 0);
        }
        drop(table);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn without_memory_it_says_so() {
        let mut table = Table::new(Arc::new(Budget::new(4096)));
        let mut hash = 0;
        while table.found(hash, true, &[1, 2, 3]).is_ok() {
            hash += 1;
        }
        assert!((50..300).contains(&hash), "{hash}");
    }
}
