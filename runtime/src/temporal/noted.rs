//! Deciding `liveness` by the steps that the search has noted ([`Steps`]), with all threads: from
//! which states can a condition be reached?
//!
//! States in which it holds are marked, and then each state that leads to a marked one, in sweeps
//! over all steps from the last to the first, until a sweep marks nothing. Threads take chunks of
//! steps from one counter.
//!
//! - *Each mark is right*: a state is marked if the condition holds there, or after one to which it
//!   leads was marked.
//! - *In the end all are marked that should be*: a sweep that marks nothing has seen the marks as
//!   they are, since those of earlier sweeps were set before its threads began. So no state without
//!   a mark leads to one with a mark, and the condition does not hold in it.
//!
//! Successors mostly come later than their predecessors, so the first sweep marks nearly all. When
//! a sweep marks less than half of what is left, the steps of what is left are sorted by where they
//! lead, and followed backwards, which is linear but for the sorting. Without memory for that, a
//! few more sweeps are made, and then the states are expanded again.
//!
//! **Before the end.** Between two levels, a state that was expanded has all of its steps here, and
//! one that waits has none. States without steps are marked as if the condition held there. If one
//! without a mark is left, all that can be reached from it was expanded, the condition holds
//! nowhere there, and the property is violated, whatever the search finds later. A state without a
//! way on counts as one that waits; it is an error of its own, unless deadlocks are none.
//!
//! A step that is missing here, such as one to a state that lies too deep, takes marks away and
//! adds none. So it may make a property look violated, but never makes one hold.
//!
//! What is found here is only that nothing is violated, or that something is: a violation is then
//! found once more, and reported, on the graph of states.

use super::build::{Condition, States, Worker};
use super::components::Stopped;
use super::marks::Marks;
use super::propositions::Obligation;
use super::threads::share;
use super::{Undecided, deciding};
use crate::contract::model::RuleId;
use crate::contract::problem::Finding;
use crate::memory::{Account, Budget};
use crate::search::{Counts, Observer};
use crate::visited::steps::{Steps, backwards};
use std::sync::Arc;

/// Sweeps that mark less than half of what is left, after which the rest is given up if there is no
/// memory to sort it: each of them may mark one state alone.
const SLOW_SWEEPS: u32 = 16;

/// Parts that are decided together: each state is loaded once for all of them.
const TOGETHER: usize = 32;

/// Asked for each chunk of steps whether to go on.
type Poll<'a> = dyn Fn() -> Result<(), Stopped> + 'a;

/// What is known about the parts of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noted {
    /// None is violated by what was expanded.
    Hold,
    /// One is.
    Violated,
    /// One of the conditions is a constant, or cannot be evaluated.
    Unknown,
}

impl States<'_> {
    /// Decides parts of `liveness` by the steps of the search.
    pub(super) fn decide_noted(
        &self,
        steps: &Steps,
        parts: &[&Obligation],
        observer: &mut dyn Observer,
    ) -> Result<Noted, Undecided> {
        let explored = self.explored();
        let threads = explored.settings.threads_in_use().max(1);
        let poll = || match explored.interrupted.is_requested() {
            true => Err(Stopped::Interrupted),
            false => Ok(()),
        };
        let mut account = Account::new(explored.budget.clone());
        let (chunks, size) = (steps.chunks(), self.numbers());
        if size > 1 << 31 {
            return Ok(Noted::Unknown);
        }
        let states = self.numbering.count as u64;
        let expanded = match self.is_whole {
            true => None,
            false => {
                account.add(Marks::bytes_for(size)).map_err(|_| Undecided::Memory)?;
                let expanded = Marks::new(size);
                chunks
                    .iter()
                    .flat_map(|chunk| backwards(chunk))
                    .for_each(|(state, _)| _ = expanded.set(state));
                Some(expanded)
            }
        };
        for parts in parts.chunks(TOGETHER) {
            if parts.iter().any(|part| part.propositions.is_empty()) {
                return Ok(Noted::Unknown);
            }
            let mut account = Account::new(explored.budget.clone());
            account.add(Marks::bytes_for(size) * parts.len() as u64).map_err(|_| Undecided::Memory)?;
            let marks: Vec<Marks> = parts.iter().map(|_| Marks::new(size)).collect();
            let conditions: Vec<Vec<Condition<'_>>> =
                parts.iter().map(|part| deciding::conditions(part)).collect();
            if !self.mark(&conditions, &marks, expanded.as_ref(), observer)? {
                return Ok(Noted::Unknown);
            }
            for marks in &marks {
                spread(&chunks, marks, states, threads, &poll, explored.budget)?;
                if marks.count() < states {
                    return Ok(Noted::Violated);
                }
            }
        }
        Ok(Noted::Hold)
    }

    /// One more than the largest number of a state.
    fn numbers(&self) -> usize {
        let segmentation = self.states.segmentation();
        let lengths = self.states.lengths().into_iter().enumerate().filter(|(_, length)| *length > 0);
        let last = lengths.map(|(segment, length)| segmentation.index(segment, length - 1).0);
        last.max().map_or(0, |last| last as usize + 1)
    }

    /// Marks, for each list of conditions, the states in which its first one holds, and those that
    /// were not expanded. False: one cannot be evaluated.
    fn mark(
        &self,
        lists: &[Vec<Condition<'_>>],
        marks: &[Marks],
        expanded: Option<&Marks>,
        observer: &mut dyn Observer,
    ) -> Result<bool, Undecided> {
        let work = |worker: &mut Worker<'_>, numbers: std::ops::Range<usize>| {
            for number in numbers {
                let state = self.numbering.index(number).0 as u32;
                let waits = expanded.is_some_and(|expanded| !expanded.has(state));
                worker.load(number);
                for (list, marks) in lists.iter().zip(marks) {
                    match worker.label(number, list) {
                        Ok(label) if label & 1 == 1 || waits => _ = marks.set(state),
                        Ok(_) => {}
                        Err(_) => return Ok(false),
                    }
                }
            }
            Ok(true)
        };
        Ok(self.together(observer, &work)?.into_iter().all(|evaluated| evaluated))
    }
}

/// Marks each state that leads to a marked one, one step or more away.
fn spread(
    chunks: &[&[u32]],
    marks: &Marks,
    states: u64,
    threads: usize,
    poll: &Poll<'_>,
    budget: &Arc<Budget>,
) -> Result<(), Stopped> {
    let (mut left, mut slow) = (states.saturating_sub(marks.count()), 0);
    while left > 0 {
        poll()?;
        let found = sweep(chunks, marks, threads, poll)?;
        if found == 0 {
            break;
        }
        left = left.saturating_sub(found);
        if found >= left {
            continue;
        }
        // Less is left than at the last try, so there may be memory for it now.
        if follow(chunks, marks, poll, budget)? {
            break;
        }
        slow += 1;
        if slow == SLOW_SWEEPS {
            return Err(Stopped::Memory);
        }
    }
    Ok(())
}

/// Goes over all steps once, and says how many states it marked.
fn sweep(chunks: &[&[u32]], marks: &Marks, threads: usize, poll: &Poll<'_>) -> Result<u64, Stopped> {
    let part = |found: &mut u64, at: usize| {
        *found +=
            backwards(chunks[at]).filter(|(source, targets)| marks.lead(*source, targets)).count() as u64;
    };
    Ok(share(chunks.len(), threads, &|| 0, &part, &mut || poll())?.into_iter().sum())
}

/// Follows the steps of states without a mark backwards from those that have one. False: there is
/// no memory for that.
fn follow(chunks: &[&[u32]], marks: &Marks, poll: &Poll<'_>, budget: &Arc<Budget>) -> Result<bool, Stopped> {
    let open = |chunk: &&'_ [u32]| -> usize {
        let sources = backwards(chunk).filter(|(source, _)| !marks.has(*source));
        sources.map(|(_, targets)| targets.len()).sum()
    };
    let count: usize = chunks.iter().map(open).sum();
    // The steps, and a state for each that waits.
    let mut account = Account::new(budget.clone());
    if account.add(12 * count as u64).is_err() {
        return Ok(false);
    }
    let mut steps: Vec<(u32, u32)> = Vec::with_capacity(count);
    let mut waiting = Vec::new();
    for chunk in chunks {
        poll()?;
        for (source, targets) in backwards(chunk) {
            if !marks.has(source) {
                match targets.iter().any(|&target| marks.has(target)) {
                    // It is marked below, once all steps were gathered.
                    true => waiting.push(source),
                    false => steps.extend(targets.iter().map(|&target| (target, source))),
                }
            }
        }
    }
    steps.sort_unstable();
    waiting.retain(|&state| marks.set(state));
    let mut taken = 0usize;
    while let Some(state) = waiting.pop() {
        taken += 1;
        if taken.is_multiple_of(1 << 14) {
            poll()?;
        }
        let first = steps.partition_point(|(target, _)| *target < state);
        for (_, source) in steps[first..].iter().take_while(|(target, _)| *target == state) {
            if marks.set(*source) {
                waiting.push(*source);
            }
        }
    }
    Ok(true)
}

/// Sees nothing of a look at what was found so far.
pub(super) struct Unseen;

impl Observer for Unseen {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path along which each sweep marks one state: with memory it is followed backwards, and
    /// without the sweeps come to an end.
    #[test]
    fn sweeps_that_mark_little_come_to_an_end() {
        const STATES: u32 = 200_000;
        let chunk: Vec<u32> = (0..STATES - 1).rev().flat_map(|state| [state + 1, 1 << 31 | state]).collect();
        for (memory, expected) in [(1 << 30, Ok(())), (1 << 10, Err(Stopped::Memory))] {
            let marks = Marks::new(STATES as usize);
            marks.set(STATES - 1);
            let budget = Arc::new(Budget::new(memory));
            let result = spread(&[&chunk], &marks, u64::from(STATES), 1, &|| Ok(()), &budget);
            assert_eq!(result, expected);
            assert_eq!(marks.count() == u64::from(STATES), expected.is_ok());
        }
    }
}
