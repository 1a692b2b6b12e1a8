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

#[derive(Debug, Default)]
pub struct State {
    pub entries: VecDeque<Entry>,
    /// Batches of the next level.
    pub ahead: VecDeque<Entry>,
    pub foreseen: Foreseen,
    pub numbers: u64,
    pub seats: Seats,
    pub notices: Vec<String>,
    pub failure: Option<String>,
    pub is_closed: bool,
    /// Bytes of all batches.
    pub bytes: u64,
}

impl State {
    pub fn entry(&mut self, level: u32, indices: Vec<u64>, words: Vec<u64>, meant_for: u64) -> Entry {
        self.numbers += 1;
        let (holders, since, long, answer) = (Vec::new(), Instant::now(), LONG, None);
        Entry { number: self.numbers, level, indices, words, meant_for, holders, since, long, answer }
    }

    /// The batch for the worker that has the fewest, if it has too few.
    pub fn wants(&self, waiting: u64) -> Option<Want> {
        let open = || self.entries.iter().chain(&self.ahead).filter(|entry| entry.is_open());
        let load = |(number, seat): (&u64, &Seat)| {
            let meant = open().filter(|entry| entry.meant_for == *number).count();
            (seat.given.len() + meant, seat.pace(), *number)
        };
        let (load, _, number) = self.seats.present.iter().map(load).min()?;
        let seat = self.seats.present.get(&number).filter(|_| load < READY)?;
        Some(Want { seat: number, size: self.seats.size_for(seat, waiting, READY) })
    }

    /// Gives a batch to a worker, if there is one for it.
    pub fn hand_out(&mut self, number: u64, is_free: bool, width: usize) -> Option<(u64, Vec<u64>)> {
        let State { entries, ahead, seats, .. } = self;
        let is_mine =
            |entry: &Entry| entry.meant_for == number || !seats.present.contains_key(&entry.meant_for);
        let waits = |entry: &Entry| entry.is_open() && (is_mine(entry) || is_free);
        let is_late = |entry: &Entry| {
            let is_under_way = entry.answer.is_none() && !entry.holders.contains(&number);
            is_free && is_under_way && entry.since.elapsed() > entry.long
        };
        let place = entries.iter().position(waits);
        let entry = match place {
            Some(place) => entries.get_mut(place)?,
            None => match ahead.iter().position(waits) {
                Some(place) => ahead.get_mut(place)?,
                None => entries.iter_mut().find(|entry| is_late(entry))?,
            },
        };
        let seat = seats.present.get_mut(&number)?;
        let states = entry.words.len() / width;
        let due = Duration::from_micros(BY_FAR * states as u64 * seat.pace() / 1024);
        entry.holders.push(number);
        (entry.since, entry.long) = (Instant::now(), due.max(LONG));
        seat.given.push((entry.number, states));
        Some((entry.number, entry.words.clone()))
    }

    pub fn answered(&mut self, seat: u64, number: u64, answer: Answer, width: usize) {
        let Some(seat_state) = self.seats.present.get_mut(&seat) else { return };
        let Some(at) = seat_state.given.iter().position(|given| given.0 == number) else { return };
        seat_state.given.remove(at);
        let count = answer.head.ends.len();
        seat_state.did(count as u64, answer.head.microseconds);
        let is_it = |entry: &Entry| entry.number == number && entry.answer.is_none();
        let queue = match self.entries.iter().any(is_it) {
            true => &mut self.entries,
            false => &mut self.ahead,
        };
        let Some(place) = queue.iter().position(is_it) else { return };
        let Some(entry) = queue.get_mut(place) else { return };
        self.bytes += 8 * answer.words() as u64;
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
