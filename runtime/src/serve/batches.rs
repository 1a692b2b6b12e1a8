//! Which batches there are, and which of them a worker gets next.

use super::messages::Answer;
use super::seats::{Seat, Seats};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Batches that a worker has at a time, so that it need not wait for the network.
pub const UNDER_WAY: usize = 2;
/// Batches for a worker, with those that are ready to be sent.
pub const READY: usize = UNDER_WAY + 1;
/// A batch that takes longer than this, and than it should by far, is given to a second worker that
/// has nothing else to do.
const LONG: Duration = Duration::from_secs(2);
const BY_FAR: u64 = 8;

/// A batch that should be made next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    /// For which worker, and of how many states.
    pub seat: u64,
    pub size: usize,
}

impl Want {
    /// A small batch for the worker that comes next.
    pub const UNASKED: Want = Want { seat: 0, size: 4 };
}

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

/// States that are expanded together.
#[derive(Debug)]
pub struct Entry {
    pub number: u64,
    pub level: u32,
    /// Numbers of the states in the visited set, and their stored words. A batch that was foreseen
    /// has no numbers yet.
    pub indices: Vec<u64>,
    pub words: Vec<u64>,
    /// The worker that it was made for: as long as that one is there, it is the first to get it.
    pub meant_for: u64,
    /// Who works on it, since when, and from what time on that takes too long.
    pub holders: Vec<u64>,
    pub since: Instant,
    pub long: Duration,
    pub answer: Option<Answer>,
}

impl Entry {
    pub fn is_open(&self) -> bool {
        self.answer.is_none() && self.holders.is_empty()
    }

    pub fn bytes(&self) -> u64 {
        let answer = self.answer.as_ref().map_or(0, Answer::words);
        8 * (self.indices.len() + self.words.len() + answer) as u64
    }
}

/// The first states of the next level, of which no batches were made yet.
#[derive(Debug, Default)]
pub struct Foreseen {
    pub level: u32,
    pub words: Vec<u64>,
    /// Words at the front that are in batches.
    pub used: usize,
    /// States of the level were found that are not here, so no others may follow.
    pub is_cut: bool,
}

/// The batches of one thread of the server, in the order in which it took them off its frontier.
#[derive(Debug, Default)]
pub struct Lane {
    pub entries: VecDeque<Entry>,
    /// Batches of the next level.
    pub ahead: VecDeque<Entry>,
    pub foreseen: Foreseen,
    /// States of the level that are in no batch yet, when its thread counted them last.
    pub waiting: u64,
    /// Bytes of all batches.
    pub bytes: u64,
    /// What happened that its thread may not know of.
    pub news: u64,
}

impl Lane {
    pub fn is_answered(&self) -> bool {
        self.entries.front().is_some_and(|entry| entry.answer.is_some())
    }

    fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().chain(&self.ahead)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().chain(&mut self.ahead)
    }
}

#[derive(Debug, Default)]
pub struct State {
    /// For each thread of the server that stores.
    pub lanes: Vec<Lane>,
    pub numbers: u64,
    pub seats: Seats,
    pub notices: Vec<String>,
    pub failure: Option<String>,
    pub is_closed: bool,
}

impl State {
    pub fn entry(&mut self, level: u32, indices: Vec<u64>, words: Vec<u64>, meant_for: u64) -> Entry {
        self.numbers += 1;
        let (holders, since, long, answer) = (Vec::new(), Instant::now(), LONG, None);
        Entry { number: self.numbers, level, indices, words, meant_for, holders, since, long, answer }
    }

    pub fn lane(&mut self, lane: usize) -> &mut Lane {
        if self.lanes.len() <= lane {
            self.lanes.resize_with(lane + 1, Lane::default);
        }
        &mut self.lanes[lane]
    }

    /// Bytes of all batches.
    pub fn bytes(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.bytes).sum()
    }

    /// Batches of the level at work.
    pub fn under_way(&self) -> usize {
        self.lanes.iter().map(|lane| lane.entries.len()).sum()
    }

    /// Whether a thread may take more states off its frontier, with this limit of bytes.
    pub fn has_room(&self, lane: usize, limit: u64) -> bool {
        let is_much = self.under_way() > 8 * self.seats.present.len() || self.bytes() > limit;
        !is_much || self.lanes.get(lane).is_none_or(|lane| lane.entries.is_empty())
    }

    /// All threads of the server may have something to do.
    pub fn tell_all(&mut self) {
        self.lanes.iter_mut().for_each(|lane| lane.news += 1);
    }

    /// The batch for the worker that has the fewest, if it has too few. Threads of the server take
    /// what they need when they have nothing to store, so no batches are made for them ahead.
    pub fn wants(&self, waiting: u64) -> Option<Want> {
        let open = || self.lanes.iter().flat_map(Lane::all).filter(|entry| entry.is_open());
        let load = |(number, seat): (&u64, &Seat)| {
            let meant = open().filter(|entry| entry.meant_for == *number).count();
            (seat.given.len() + meant, seat.pace(), *number)
        };
        let elsewhere = self.seats.present.iter().filter(|(_, seat)| !seat.is_here);
        let (load, _, number) = elsewhere.map(load).min()?;
        let seat = self.seats.present.get(&number).filter(|_| load < READY)?;
        Some(Want { seat: number, size: self.seats.size_for(seat, waiting, READY) })
    }

    /// Gives a batch to a worker, if there is one for it. `is_free`: it has nothing else to do;
    /// `ahead`: it would also take states of the next level.
    pub fn hand_out(
        &mut self,
        number: u64,
        is_free: bool,
        ahead: bool,
        width: usize,
    ) -> Option<(u64, Vec<u64>)> {
        let State { lanes, seats, .. } = self;
        let is_mine =
            |entry: &Entry| entry.meant_for == number || !seats.present.contains_key(&entry.meant_for);
        let waits = |entry: &&mut Entry| entry.is_open() && (is_mine(entry) || is_free);
        let is_late = |entry: &&mut Entry| {
            let is_under_way = entry.answer.is_none() && !entry.holders.contains(&number);
            is_free && is_under_way && entry.since.elapsed() > entry.long
        };
        // Of several threads of the server the one whose batch waits for longest.
        let earliest = |entry: &&mut Entry| entry.number;
        let mut found =
            lanes.iter_mut().filter_map(|lane| lane.entries.iter_mut().find(waits)).min_by_key(earliest);
        if found.is_none() && ahead {
            found =
                lanes.iter_mut().filter_map(|lane| lane.ahead.iter_mut().find(waits)).min_by_key(earliest);
        }
        if found.is_none() {
            found = lanes.iter_mut().flat_map(|lane| lane.entries.iter_mut()).find(is_late);
        }
        let entry = found?;
        let seat = seats.present.get_mut(&number)?;
        let states = entry.words.len() / width;
        let due = Duration::from_micros(BY_FAR * states as u64 * seat.pace() / 1024);
        entry.holders.push(number);
        (entry.since, entry.long) = (Instant::now(), due.max(LONG));
        seat.given.push((entry.number, states));
        Some((entry.number, entry.words.clone()))
    }

    /// A worker is gone: its batches are open.
    pub fn release(&mut self, seat: u64) {
        let entries = self.lanes.iter_mut().flat_map(Lane::all_mut);
        entries.for_each(|entry| entry.holders.retain(|holder| *holder != seat));
        self.tell_all();
    }

    pub fn answered(&mut self, seat: u64, number: u64, answer: Answer, width: usize) {
        let Some(seat_state) = self.seats.present.get_mut(&seat) else { return };
        let Some(at) = seat_state.given.iter().position(|given| given.0 == number) else { return };
        seat_state.given.remove(at);
        let count = answer.head.ends.len();
        seat_state.did(count as u64, answer.head.microseconds);
        // Whoever makes batches may make one more for this worker.
        self.tell_all();
        let is_it = |entry: &Entry| entry.number == number && entry.answer.is_none();
        let Some(lane) = self.lanes.iter_mut().find(|lane| lane.all().any(is_it)) else { return };
        let Lane { entries, ahead, bytes, .. } = lane;
        let queue = if entries.iter().any(is_it) { entries } else { ahead };
        let Some(place) = queue.iter().position(is_it) else { return };
        let Some(entry) = queue.get_mut(place) else { return };
        *bytes += 8 * answer.words() as u64;
        entry.answer = Some(answer);
        entry.holders.clear();
        if count * width >= entry.words.len() {
            return;
        }
        self.numbers += 1;
        let rest = Entry {
            number: self.numbers,
            level: entry.level,
            // A batch that was foreseen has no numbers.
            indices: entry.indices.split_off(count.min(entry.indices.len())),
            words: entry.words.split_off(count * width),
            meant_for: seat,
            holders: Vec::new(),
            since: Instant::now(),
            long: LONG,
            answer: None,
        };
        queue.insert(place + 1, rest);
    }
}
