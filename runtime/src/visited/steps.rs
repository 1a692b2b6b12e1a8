//! The steps that a search took: from which state to which, as the visited set met them.
//!
//! Whoever stores a successor knows the number of its predecessor, and learns the number of the
//! state that it found or stored. Both are noted here, so that properties about what can be reached
//! need not expand all states again. Each owner of segments has a log of its own. A log is a row of
//! 32-bit words: the successors that one state led to, one after the other, and then that state
//! itself, with the highest bit. What follows from what lies behind can be read from the end of a
//! log to its beginning, with no index.
//!
//! A log takes the memory that the search leaves: where memory becomes scarce, all logs are given
//! up, and the states have to be expanded again. So they are where there are more than 2^31
//! numbers.

use super::{Batch, Renumbering, StateIndex};
use crate::memory::{Account, Budget};
use crate::sync::{AtomicBool, Ordering};
use std::sync::Arc;

/// What marks a state that the words before it follow.
const SOURCE: u32 = 1 << 31;

/// Words of a chunk, at least.
const CHUNK: usize = 1 << 16;

/// The steps between the states of a set.
#[derive(Debug)]
pub struct Steps {
    budget: Arc<Budget>,
    logs: Vec<StepLog>,
    is_lost: Arc<AtomicBool>,
}

/// What one owner of segments has noted.
#[derive(Debug)]
pub struct StepLog {
    /// Runs of words as above, none of which continues in the next chunk.
    chunks: Vec<Vec<u32>>,
    count: u64,
    /// The number of the state at each position of the batch at hand.
    found: Vec<u64>,
    budget: Arc<Budget>,
    account: Account,
    is_lost: Arc<AtomicBool>,
}

impl Steps {
    pub fn new(budget: Arc<Budget>) -> Self {
        Steps { budget, logs: Vec::new(), is_lost: Arc::new(AtomicBool::new(false)) }
    }

    /// The logs of this number of owners. Whose a log is does not matter.
    pub fn logs(&mut self, owners: usize) -> &mut [StepLog] {
        while self.logs.len() < owners {
            self.logs.push(StepLog {
                chunks: Vec::new(),
                count: 0,
                found: Vec::new(),
                budget: self.budget.clone(),
                account: Account::new(self.budget.clone()),
                is_lost: self.is_lost.clone(),
            });
        }
        &mut self.logs[..owners]
    }

    /// Whether steps are missing here.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    pub fn count(&self) -> u64 {
        self.logs.iter().map(|log| log.count).sum()
    }

    /// The chunks of all logs, those that were written last first.
    pub fn chunks(&self) -> Vec<&[u32]> {
        let mut chunks: Vec<(usize, &[u32])> = Vec::new();
        for log in &self.logs {
            // Logs of the same length were written side by side; others end together.
            let missing = self.logs.iter().map(|log| log.chunks.len()).max().unwrap_or(0) - log.chunks.len();
            chunks.extend(log.chunks.iter().enumerate().map(|(at, chunk)| (at + missing, &chunk[..])));
        }
        chunks.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        chunks.into_iter().map(|(_, chunk)| chunk).collect()
    }

    /// States have other numbers from now on.
    pub fn renumber(&mut self, renumbering: &Renumbering) {
        for log in &mut self.logs {
            let mut is_whole = true;
            for word in log.chunks.iter_mut().flatten() {
                let old = StateIndex(u64::from(*word & !SOURCE));
                match renumbering.new_number(old) {
                    Some(new) if new.0 < u64::from(SOURCE) => *word = (*word & SOURCE) | new.0 as u32,
                    Some(_) | None => is_whole = false,
                }
            }
            if !is_whole {
                log.give_up();
            }
        }
    }
}

/// The states of a chunk that led somewhere, from the last one to the first, with those that they
/// led to.
pub fn backwards(chunk: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = chunk;
    std::iter::from_fn(move || {
        let (source, before) = rest.split_last()?;
        let first = before.iter().rposition(|&word| word & SOURCE != 0).map_or(0, |at| at + 1);
        let (left, targets) = before.split_at(first);
        rest = left;
        Some((source & !SOURCE, targets))
    })
}

impl StepLog {
    /// Whether a log was given up; then this one holds nothing any more.
    pub fn is_lost(&mut self) -> bool {
        let is_lost = self.is_lost.load(Ordering::Relaxed);
        if is_lost {
            self.give_up();
        }
        is_lost
    }

    /// Gives up this log, and with it all others. Whether that has freed memory.
    pub fn give_up(&mut self) -> bool {
        self.is_lost.store(true, Ordering::Relaxed);
        let had = !self.chunks.is_empty();
        (self.chunks, self.count) = (Vec::new(), 0);
        self.account = Account::new(self.budget.clone());
        had
    }

    /// A batch of this number of states follows.
    pub fn begin(&mut self, states: usize) {
        if self.found.len() < states {
            self.found.resize(states, 0);
        }
    }

    /// The state at this position of the batch has this number.
    #[inline(always)]
    pub fn met(&mut self, position: u32, index: StateIndex) {
        self.found[position as usize] = index.0;
    }

    /// Notes the steps that led to the states at these positions, each of which was met.
    pub fn append(&mut self, batch: &Batch<'_>, positions: &[u32]) {
        if self.is_lost() {
            return;
        }
        // Each step may have a source of its own.
        let most = 2 * positions.len();
        if self.chunks.last().is_none_or(|chunk| chunk.capacity() - chunk.len() < most)
            && !self.add_chunk(most.max(CHUNK))
        {
            return;
        }
        let Some(chunk) = self.chunks.last_mut() else { return };
        // All numbers together, to see whether one is too large.
        let mut all = 0;
        let mut from = None;
        for &position in positions {
            let Some(source) = batch.origins[position as usize].predecessor() else { continue };
            if let Some(before) = from.replace(source)
                && before != source
            {
                chunk.push(SOURCE | before.0 as u32);
                all |= before.0;
            }
            let target = self.found[position as usize];
            chunk.push(target as u32);
            all |= target;
            self.count += 1;
        }
        if let Some(last) = from {
            chunk.push(SOURCE | last.0 as u32);
            all |= last.0;
        }
        if all >= u64::from(SOURCE) {
            self.give_up();
        }
    }

    #[cold]
    fn add_chunk(&mut self, words: usize) -> bool {
        // The words were taken from the budget in whole chunks.
        let bytes = (words * size_of::<u32>()) as u64;
        let mut chunk: Vec<u32> = Vec::new();
        let has_room = !self.budget.is_scarce()
            && self.account.add(bytes).is_ok()
            && chunk.try_reserve_exact(words).is_ok();
        match has_room {
            true => self.chunks.push(chunk),
            false => _ = self.give_up(),
        }
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visited::batch::Sets;
    use crate::visited::{Origin, Segmentation};

    fn append(log: &mut StepLog, steps: &[(u64, u64)]) {
        let origins: Vec<Origin> = steps.iter().map(|(from, _)| Origin::from(StateIndex(*from))).collect();
        let positions: Vec<u32> = (0..steps.len() as u32).collect();
        let batch =
            Batch { states: &[], hashes: &[], signatures: &[], origins: &origins, sets: Sets::default() };
        log.begin(steps.len());
        for (position, (_, to)) in positions.iter().zip(steps) {
            log.met(*position, StateIndex(*to));
        }
        log.append(&batch, &positions);
    }

    fn all(steps: &Steps) -> Vec<(u32, u32)> {
        let runs = steps.chunks().into_iter().flat_map(backwards);
        runs.flat_map(|(from, to)| to.iter().rev().map(move |to| (from, *to))).collect()
    }

    #[test]
    fn steps_are_read_backwards() {
        let mut steps = Steps::new(Arc::new(Budget::new(1 << 30)));
        append(&mut steps.logs(1)[0], &[(0, 1), (0, 2), (1, 0)]);
        append(&mut steps.logs(1)[0], &[(1, 1), (2, 5), (7, 5)]);
        append(&mut steps.logs(1)[0], &[]);
        assert_eq!(all(&steps), [(7, 5), (2, 5), (1, 1), (1, 0), (0, 2), (0, 1)]);
        assert_eq!((steps.count(), steps.is_lost()), (6, false));

        let indices = (0..8).map(|old| StateIndex(10 * old)).collect();
        steps.renumber(&Renumbering { segmentation: Segmentation::new(0), indices });
        assert_eq!(all(&steps), [(70, 50), (20, 50), (10, 10), (10, 0), (0, 20), (0, 10)]);
    }

    /// The chunks that were written last come first, of all logs in turn.
    #[test]
    fn chunks_are_read_from_the_end() {
        let mut steps = Steps::new(Arc::new(Budget::new(1 << 30)));
        for chunk in 0..3 {
            let many = vec![(chunk, 9); CHUNK - 1];
            append(&mut steps.logs(2)[0], &many);
            if chunk > 0 {
                append(&mut steps.logs(2)[1], &many);
            }
        }
        let sources: Vec<u32> =
            steps.chunks().into_iter().flat_map(backwards).map(|(from, _)| from).collect();
        assert_eq!(sources, [2, 2, 1, 1, 0]);
    }

    #[test]
    fn what_does_not_fit_is_given_up() {
        let chunk = (CHUNK * size_of::<u32>()) as u64;
        let budget = Arc::new(Budget::new(2 * chunk));
        let mut steps = Steps::new(budget.clone());
        append(&mut steps.logs(2)[0], &[(0, 1)]);
        append(&mut steps.logs(2)[1], &[(0, 1)]);
        assert_eq!((steps.is_lost(), budget.used()), (false, 2 * chunk));
        append(&mut steps.logs(2)[1], &vec![(0, 1); CHUNK]);
        assert_eq!((steps.is_lost(), budget.used()), (true, chunk));
        assert!(steps.logs(2)[0].is_lost());
        assert_eq!((steps.count(), budget.used()), (0, 0));

        let mut steps = Steps::new(Arc::new(Budget::new(1 << 30)));
        append(&mut steps.logs(1)[0], &[(0, u64::from(SOURCE) - 1)]);
        assert!(!steps.is_lost());
        append(&mut steps.logs(1)[0], &[(0, 1 << 40)]);
        assert!(steps.is_lost());
    }
}
