//! Batches of states, in the order in which they were taken off the frontier, and who works on
//! which.
//!
//! Each thread that searches has a lane: it puts batches in at one end and takes answers out at the
//! other, in the same order. Connections take batches to workers and bring answers, in any order;
//! and so does a thread of the server that has nothing to store, if it is to expand states.
//!
//! While the last batches of a level are under way, workers get states of the next level that are
//! known already ([`Pool::foresee`]). What they answer counts when the frontier gives out just
//! these states in this order, and is dropped otherwise: so nothing that is found depends on it.

use super::batches::{Entry, Errand, Expanded, Foreseen, Lane, READY, State, UNDER_WAY, Want};
use super::messages::Answer;
use super::seats::{MOST, Seat, WorkerStats};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    expands: bool,
}

/// For the threads that search. Each has a lane of its own.
impl Pool {
    /// `check`: workers check the invariants of successors. `expands`: threads of the server expand
    /// states as well.
    pub fn new(width: usize, memory: u64, check: bool, expands: bool) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Pool { state, changed, width: width.max(1), limit: memory / 16, check, expands }
    }

    pub fn workers_check(&self) -> bool {
        self.check
    }

    pub fn expands(&self) -> bool {
        self.expands
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on this number of threads search. Between two levels: what was foreseen is dropped.
    pub fn divide(&self, lanes: usize) {
        let mut state = self.lock();
        state.lanes.clear();
        state.lanes.resize_with(lanes, Lane::default);
    }

    /// What batch should be made next, if a worker waits for one, where the thread has `waiting`
    /// states left in the level.
    pub fn wants(&self, lane: usize, waiting: u64) -> Option<Want> {
        let mut state = self.lock();
        state.lane(lane).waiting = waiting;
        if !state.has_room(lane, self.limit) {
            return None;
        }
        state.wants(state.lanes.iter().map(|lane| lane.waiting).sum())
    }

    /// The size of the batch that a thread of the server expands next, if it may begin one.
    pub fn wants_here(&self, lane: usize, seat: u64) -> Option<Want> {
        let state = self.lock();
        if !state.has_room(lane, self.limit) {
            return None;
        }
        let waiting = state.lanes.iter().map(|lane| lane.waiting).sum();
        let size = state.seats.size_for(state.seats.present.get(&seat)?, waiting, 1);
        Some(Want { seat, size })
    }

    /// Lets these states be expanded, after those that the thread gave before.
    pub fn give(&self, lane: usize, level: u32, indices: Vec<u64>, words: Vec<u64>, meant_for: u64) {
        let mut state = self.lock();
        let entry = state.entry(level, indices, words, meant_for);
        let lane = state.lane(lane);
        lane.bytes += entry.bytes();
        lane.entries.push_back(entry);
        self.changed.notify_all();
    }

    /// States of the next level were found and will be taken off the thread's frontier, after those
    /// found before and before those found later.
    pub fn foresee<'w>(&self, lane: usize, level: u32, found: impl Iterator<Item = &'w [u64]>) {
        let mut state = self.lock();
        // Enough for the time in which the last batches of a level are under way.
        let seats = state.seats.present.values();
        let most = seats.map(|seat| 2 * READY as u64 * seat.size()).sum::<u64>().min(4 * MOST);
        let most = most.div_ceil(state.lanes.len().max(1) as u64);
        let most = (most * self.width as u64).min(self.limit / 32) as usize;
        let lane = state.lane(lane);
        if lane.foreseen.level != level {
            let words = std::mem::take(&mut lane.foreseen.words);
            lane.bytes -= 8 * words.len() as u64;
            lane.foreseen = Foreseen { level, ..Foreseen::default() };
        }
        let foreseen = &mut lane.foreseen;
        let before = foreseen.words.len();
        for words in found {
            foreseen.is_cut |= foreseen.words.len() - foreseen.used >= most;
            if foreseen.is_cut {
                break;
            }
            foreseen.words.extend_from_slice(words);
        }
        lane.bytes += 8 * (foreseen.words.len() - before) as u64;
    }

    /// There is nothing left in the thread's part of the level. If that is so for all threads,
    /// batches of the next level are made for those that wait.
    pub fn look_ahead(&self, lane: usize) {
        let mut state = self.lock();
        state.lane(lane).waiting = 0;
        if state.lanes.iter().any(|lane| lane.waiting > 0) {
            return;
        }
        let mut lane = 0;
        while let Some(Foreseen { level, used, words, .. }) = state.lanes.get(lane).map(|lane| &lane.foreseen)
        {
            let (level, used, waiting) = (*level, *used, (words.len() - used) / self.width);
            if waiting == 0 {
                lane += 1;
                continue;
            }
            let Some(Want { seat, size }) = state.wants(waiting as u64) else { return };
            let end = used + size.min(waiting) * self.width;
            let words = words.get(used..end).unwrap_or_default().to_vec();
            let entry = state.entry(level, Vec::new(), words, seat);
            let lane = state.lane(lane);
            lane.foreseen.used = end;
            lane.bytes += entry.bytes();
            lane.ahead.push_back(entry);
            self.changed.notify_all();
        }
    }

    /// States of this level are given next. States in the next batch of it that was foreseen, if
    /// there is one.
    pub fn foreseen(&self, lane: usize, level: u32) -> Option<usize> {
        let mut state = self.lock();
        let Lane { ahead, foreseen, bytes, .. } = state.lane(lane);
        if foreseen.level <= level {
            // The level has begun: of what is in no batch yet none will be made ahead.
            *bytes -= 8 * std::mem::take(&mut foreseen.words).len() as u64;
            foreseen.used = 0;
        }
        while ahead.front().is_some_and(|entry| entry.level < level) {
            *bytes -= ahead.pop_front().map_or(0, |old| old.bytes());
        }
        let entry = ahead.front().filter(|entry| entry.level == level)?;
        Some(entry.words.len() / self.width)
    }

    /// Lets these states be expanded, and finds out whether they were foreseen: what is known of
    /// them already counts if they are the states of the next batch, word for word.
    pub fn claim(&self, lane: usize, level: u32, indices: Vec<u64>, words: Vec<u64>) {
        let mut state = self.lock();
        let own = state.lane(lane);
        match own.ahead.pop_front() {
            Some(mut entry) if entry.level == level && entry.words == words => {
                own.bytes += 8 * indices.len() as u64;
                entry.indices = indices;
                own.entries.push_back(entry);
            }
            other => {
                let dropped = other.iter().chain(&own.ahead).map(Entry::bytes).sum::<u64>();
                own.bytes -= dropped;
                own.ahead.clear();
                drop(state);
                self.give(lane, level, indices, words, 0);
            }
        }
        self.changed.notify_all();
    }

    /// Whether no batch of the thread is under way that belongs to this level.
    pub fn is_idle(&self, lane: usize) -> bool {
        self.lock().lanes.get(lane).is_none_or(|lane| lane.entries.is_empty())
    }

    /// The first batch of the thread, if it has been expanded.
    pub fn take(&self, lane: usize) -> Option<Expanded> {
        let mut state = self.lock();
        let lane = state.lanes.get_mut(lane)?;
        let entry = if lane.is_answered() { lane.entries.pop_front()? } else { return None };
        lane.bytes -= entry.bytes();
        let Entry { level, indices, words, answer, .. } = entry;
        Some(Expanded { level, indices, words, answer: answer? })
    }

    /// What has happened so far that the thread may have to know, as a number that grows.
    pub fn news(&self, lane: usize) -> u64 {
        self.lock().lanes.get(lane).map_or(0, |lane| lane.news)
    }

    /// Waits until something has happened after `seen`, for a moment.
    pub fn wait(&self, lane: usize, seen: u64, patience: Duration) {
        let state = self.lock();
        let is_old = |state: &mut State| state.lanes.get(lane).is_some_and(|lane| lane.news == seen);
        let _waited = self.changed.wait_timeout_while(state, patience, is_old);
    }

    /// Another thread has sent something to this one.
    pub fn nudge(&self, lane: usize) {
        self.lock().lane(lane).news += 1;
        self.changed.notify_all();
    }

    /// Bytes of what is under way for the thread.
    pub fn bytes(&self, lane: usize) -> u64 {
        self.lock().lanes.get(lane).map_or(0, |lane| lane.bytes)
    }

    /// States of the level that are under way.
    pub fn states(&self) -> u64 {
        let state = self.lock();
        let entries = state.lanes.iter().flat_map(|lane| &lane.entries);
        entries.map(|entry| entry.indices.len() as u64).sum()
    }

    /// Workers that are connected.
    pub fn workers(&self) -> usize {
        self.lock().seats.elsewhere()
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
        state.tell_all();
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
        while state.seats.elsewhere() > 0 && Instant::now() < until {
            let waited = self.changed.wait_timeout(state, Duration::from_millis(20));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the pool is closed, for a moment.
    pub fn wait_for_the_end(&self, patience: Duration) {
        let is_open = |state: &mut State| !state.is_closed;
        let _waited = self.changed.wait_timeout_while(self.lock(), patience, is_open);
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
        let number = state.seats.enter(address.clone(), false);
        state.notices.push(format!("worker {number} ({address}) has come"));
        state.tell_all();
        self.changed.notify_all();
        number
    }

    /// A thread of the server expands states as well. Returns its number as a worker, which stays
    /// the same if the search is repeated.
    pub fn enter_here(&self, lane: usize) -> u64 {
        let mut state = self.lock();
        let name = format!("server, thread {}", lane + 1);
        let known = state.seats.present.iter().find(|(_, seat)| seat.is_here && seat.address == name);
        let known = known.map(|(number, _)| *number);
        known.unwrap_or_else(|| state.seats.enter(name, true))
    }

    /// A batch for a thread of the server, if there is one: of those for others only if it is
    /// free.
    pub fn errand_here(&self, seat: u64, is_free: bool) -> Option<(u64, Vec<u64>)> {
        self.lock().hand_out(seat, is_free, false, self.width)
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
        state.release(seat);
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
                && let Some((number, words)) = state.hand_out(seat, given == 0, true, self.width)
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
        let mut state = self.lock();
        state.failure.get_or_insert(why);
        state.tell_all();
        self.changed.notify_all();
    }
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
