//! Batches of states, in the order in which they were taken off the frontier, and who works on
//! which.
//!
//! The thread that searches puts batches in at one end and takes answers out at the other, in the
//! same order. Connections take batches to workers and bring answers, in any order.
//!
//! While the last batches of a level are under way, workers get states of the next level that are
//! known already ([`Pool::foresee`]). What they answer counts when the frontier gives out just
//! these states in this order, and is dropped otherwise: so nothing that is found depends on it.

use super::batches::{Entry, Foreseen, READY, State, UNDER_WAY, Want};
use super::messages::Answer;
use super::seats::{MOST, Seat, WorkerStats};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A batch that was expanded.
#[derive(Debug)]
pub struct Expanded {
    pub level: u32,
    pub indices: Vec<u64>,
    pub words: Vec<u64>,
    pub answer: Answer,
}

/// What a connection is to send.
#[derive(Debug, PartialEq, Eq)]
pub enum Errand {
    Batch {
        number: u64,
        words: Vec<u64>,
    },
    Heartbeat,
    End,
    /// The worker has been given up.
    Gone,
}

/// Batches, workers, and what is to be said about them.
#[derive(Debug)]
pub struct Pool {
    state: Mutex<State>,
    changed: Condvar,
    /// Words of a stored state.
    width: usize,
    /// Bytes of batches and answers beyond which no further batches are begun.
    limit: u64,
    check: bool,
}

/// For the thread that searches.
impl Pool {
    /// `check`: workers check the invariants of successors.
    pub fn new(width: usize, memory: u64, check: bool) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Pool { state, changed, width: width.max(1), limit: memory / 16, check }
    }

    pub fn workers_check(&self) -> bool {
        self.check
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What batch should be made next, if a worker waits for one, where `waiting` states are left
    /// in the level.
    pub fn wants(&self, waiting: u64) -> Option<Want> {
        let state = self.lock();
        let is_much = state.entries.len() > 8 * state.seats.present.len() || state.bytes > self.limit;
        if !state.entries.is_empty() && is_much {
            return None;
        }
        state.wants(waiting)
    }

    /// Lets these states be expanded, after those that were given before.
    pub fn give(&self, level: u32, indices: Vec<u64>, words: Vec<u64>, meant_for: u64) {
        let mut state = self.lock();
        let entry = state.entry(level, indices, words, meant_for);
        state.bytes += entry.bytes();
        state.entries.push_back(entry);
        self.changed.notify_all();
    }

    /// States of the next level were found and will be taken off the frontier, after those found
    /// before and before those found later.
    pub fn foresee<'w>(&self, level: u32, found: impl Iterator<Item = &'w [u64]>) {
        let mut state = self.lock();
        if state.foreseen.level != level {
            let words = std::mem::take(&mut state.foreseen.words);
            state.bytes -= 8 * words.len() as u64;
            state.foreseen = Foreseen { level, ..Foreseen::default() };
        }
        // Enough for the time in which the last batches of a level are under way.
        let seats = state.seats.present.values();
        let most = seats.map(|seat| 2 * READY as u64 * seat.size()).sum::<u64>().min(4 * MOST);
        let most = (most * self.width as u64).min(self.limit / 32) as usize;
        let foreseen = &mut state.foreseen;
        let before = foreseen.words.len();
        for words in found {
            foreseen.is_cut |= foreseen.words.len() - foreseen.used >= most;
            if foreseen.is_cut {
                break;
            }
            foreseen.words.extend_from_slice(words);
        }
        let more = foreseen.words.len() - before;
        state.bytes += 8 * more as u64;
    }

    /// There is nothing left in the level: batches of the next one are made for those that wait.
    pub fn look_ahead(&self) {
        let mut state = self.lock();
        loop {
            let Foreseen { level, used, ref words, .. } = state.foreseen;
            let waiting = (words.len() - used) / self.width;
            if waiting == 0 {
                return;
            }
            let Some(Want { seat, size }) = state.wants(waiting as u64) else { return };
            let end = used + size.min(waiting) * self.width;
            let words = words.get(used..end).unwrap_or_default().to_vec();
            state.foreseen.used = end;
            let entry = state.entry(level, Vec::new(), words, seat);
            state.bytes += entry.bytes();
            state.ahead.push_back(entry);
            self.changed.notify_all();
        }
    }

    /// States in the next batch of this level that was foreseen, if there is one.
    pub fn foreseen(&self, level: u32) -> Option<usize> {
        let state = self.lock();
        let entry = state.ahead.front().filter(|entry| entry.level == level)?;
        Some(entry.words.len() / self.width)
    }

    /// Lets these states be expanded, and finds out whether they were foreseen: what is known of
    /// them already counts if they are the states of the next batch, word for word.
    pub fn claim(&self, level: u32, indices: Vec<u64>, words: Vec<u64>) {
        let mut state = self.lock();
        match state.ahead.pop_front() {
            Some(mut entry) if entry.level == level && entry.words == words => {
                state.bytes += 8 * indices.len() as u64;
                entry.indices = indices;
                state.entries.push_back(entry);
            }
            other => {
                let dropped = other.iter().chain(&state.ahead).map(Entry::bytes).sum::<u64>();
                state.bytes -= dropped;
                state.ahead.clear();
                drop(state);
                self.give(level, indices, words, 0);
            }
        }
        self.changed.notify_all();
    }

    /// Whether nothing is under way that belongs to this level.
    pub fn is_idle(&self) -> bool {
        self.lock().entries.is_empty()
    }

    /// The first batch of all, if it has been expanded; waits for it for a moment.
    pub fn take(&self, patience: Duration) -> Option<Expanded> {
        let is_there = |state: &State| state.entries.front().is_some_and(|entry| entry.answer.is_some());
        let mut state = self.lock();
        if !is_there(&state) {
            let waited = self.changed.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if !is_there(&state) {
            return None;
        }
        let entry = state.entries.pop_front()?;
        state.bytes -= entry.bytes();
        let Entry { level, indices, words, answer, .. } = entry;
        Some(Expanded { level, indices, words, answer: answer? })
    }

    /// Bytes of what is under way.
    pub fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// States of the level that are under way.
    pub fn states(&self) -> u64 {
        self.lock().entries.iter().map(|entry| entry.indices.len() as u64).sum()
    }

    pub fn workers(&self) -> usize {
        self.lock().seats.present.len()
    }

    /// What each worker has done.
    pub fn table(&self) -> Vec<WorkerStats> {
        self.lock().seats.table()
    }

    /// What happened to workers since the last time.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().notices)
    }

    pub fn notice(&self, text: String) {
        let mut state = self.lock();
        // Strangers may come without end while nothing is printed.
        if state.notices.len() < 1000 {
            state.notices.push(text);
        }
        self.changed.notify_all();
    }

    /// Why the search cannot go on, if it cannot.
    pub fn failure(&self) -> Option<String> {
        self.lock().failure.clone()
    }

    /// The search is over: all workers are sent away. Waits until they know, for a moment.
    pub fn close(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let mut state = self.lock();
        state.is_closed = true;
        self.changed.notify_all();
        while !state.seats.present.is_empty() && Instant::now() < until {
            let waited = self.changed.wait_timeout(state, Duration::from_millis(20));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }
}

/// For connections.
impl Pool {
    /// A worker has come. Returns its number.
    pub fn enter(&self, address: String) -> u64 {
        let mut state = self.lock();
        let number = state.seats.enter(address.clone());
        state.notices.push(format!("worker {number} ({address}) has come"));
        self.changed.notify_all();
        number
    }

    /// A worker is gone: others get its batches.
    pub fn leave(&self, seat: u64, why: &str) {
        let mut state = self.lock();
        let Some(stats) = state.seats.leave(seat, why) else { return };
        let again = match stats.lost {
            0 => String::new(),
            1 => "; others get its batch".to_owned(),
            count => format!("; others get its {count} batches"),
        };
        if !state.is_closed {
            let (address, states) = (stats.address, crate::text::plural(stats.states, "state"));
            state.notices.push(format!("worker {seat} ({address}) {why}, after {states}{again}"));
        }
        let State { entries, ahead, .. } = &mut *state;
        for entry in entries.iter_mut().chain(ahead) {
            entry.holders.retain(|holder| *holder != seat);
        }
        self.changed.notify_all();
    }

    /// Waits for what a worker is to be sent next; after `patience` that is a heartbeat.
    pub fn errand(&self, seat: u64, patience: Duration) -> Errand {
        let until = Instant::now() + patience;
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return Errand::End;
            }
            let Some(given) = state.seats.present.get(&seat).map(|seat| seat.given.len()) else {
                return Errand::Gone;
            };
            if given < UNDER_WAY
                && let Some((number, words)) = state.hand_out(seat, given == 0, self.width)
            {
                return Errand::Batch { number, words };
            }
            let now = Instant::now();
            if now >= until {
                return Errand::Heartbeat;
            }
            let waited = self.changed.wait_timeout(state, until - now);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Something has come from a worker.
    pub fn heard(&self, seat: u64) {
        self.lock().seats.present.get_mut(&seat).into_iter().for_each(Seat::hears);
    }

    /// States of a batch that this worker was given and has not answered yet; `None`: it was not.
    /// The batch may have been answered by another one meanwhile, wholly or in part.
    pub fn given(&self, seat: u64, number: u64) -> Option<usize> {
        let state = self.lock();
        let given = &state.seats.present.get(&seat)?.given;
        given.iter().find(|given| given.0 == number).map(|given| given.1)
    }

    /// A worker has answered; what it says has been checked. An answer that comes after that of
    /// another worker is dropped.
    pub fn answered(&self, seat: u64, number: u64, answer: Answer) {
        self.lock().answered(seat, number, answer, self.width);
        self.changed.notify_all();
    }

    /// No worker can do this.
    pub fn fail(&self, why: String) {
        self.lock().failure.get_or_insert(why);
        self.changed.notify_all();
    }
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
