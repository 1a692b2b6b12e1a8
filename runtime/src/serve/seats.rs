//! What a server knows of its workers, of those that are gone as well.

use std::collections::BTreeMap;
use std::time::Instant;

/// Microseconds of work in a batch, about.
pub const WORK: u64 = 30_000;
/// Microseconds of work in a batch of a thread of the server, which stores answers meanwhile.
const WORK_HERE: u64 = 5_000;
/// States of a batch: as long as the worker's pace is not known, and at most.
const FIRST: u64 = 4;
pub const MOST: u64 = 8192;
/// Workers that are gone and have a row of their own in the table, at most.
const ROWS: usize = 256;

/// A worker that is connected.
#[derive(Debug)]
pub struct Seat {
    pub address: String,
    /// It is a thread of the server.
    pub is_here: bool,
    /// Batches that it was given and has not answered, with the number of their states then.
    pub given: Vec<(u64, usize)>,
    /// Microseconds for 1024 states, lately.
    pace: Option<u64>,
    came: Instant,
    heard: Instant,
    states: u64,
    batches: u64,
    /// Microseconds.
    busy: u64,
}

impl Seat {
    fn new(address: String, is_here: bool) -> Self {
        let (now, given, pace) = (Instant::now(), Vec::new(), None);
        let (states, batches, busy) = (0, 0, 0);
        Seat { address, is_here, given, pace, came: now, heard: now, states, batches, busy }
    }

    pub fn hears(&mut self) {
        self.heard = Instant::now();
    }

    /// It has expanded states, in this time.
    pub fn did(&mut self, states: u64, microseconds: u64) {
        let microseconds = microseconds.clamp(1, 3_600_000_000);
        self.states += states;
        self.batches += 1;
        self.busy += microseconds;
        let pace = (microseconds * 1024 / states.max(1)).max(1);
        self.pace = Some(self.pace.map_or(pace, |before| (before + pace).div_ceil(2)));
    }

    /// Microseconds for 1024 states, about.
    pub fn pace(&self) -> u64 {
        self.pace.unwrap_or(WORK * 1024 / FIRST)
    }

    /// States of a batch that takes as long as it should.
    pub fn size(&self) -> u64 {
        let work = if self.is_here { WORK_HERE } else { WORK };
        (work * 1024 / self.pace()).clamp(1, MOST)
    }

    fn stats(&self, number: u64, gone: Option<String>) -> WorkerStats {
        WorkerStats {
            number,
            address: self.address.clone(),
            states: self.states,
            batches: self.batches,
            lost: if gone.is_some() { self.given.len() as u64 } else { 0 },
            seconds: self.came.elapsed().as_secs_f64(),
            busy: self.busy as f64 / 1e6,
            silent: if self.is_here { 0.0 } else { self.heard.elapsed().as_secs_f64() },
            gone,
        }
    }
}

/// What a worker has done for a server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerStats {
    /// 0: several that are gone, together.
    pub number: u64,
    pub address: String,
    /// States that it has expanded, in this number of batches.
    pub states: u64,
    pub batches: u64,
    /// Batches that it was given and did not answer.
    pub lost: u64,
    /// How long it was there, how much of that it worked, and how long it had been silent in the
    /// end.
    pub seconds: f64,
    pub busy: f64,
    pub silent: f64,
    /// Why it is gone, if it is.
    pub gone: Option<String>,
}

/// All workers.
#[derive(Debug, Default)]
pub struct Seats {
    pub present: BTreeMap<u64, Seat>,
    former: Vec<WorkerStats>,
    /// Of those that are gone and have no row of their own.
    others: Option<WorkerStats>,
    count: u64,
}

impl Seats {
    pub fn enter(&mut self, address: String, is_here: bool) -> u64 {
        self.count += 1;
        self.present.insert(self.count, Seat::new(address, is_here));
        self.count
    }

    /// Workers that are connected.
    pub fn elsewhere(&self) -> usize {
        self.present.values().filter(|seat| !seat.is_here).count()
    }

    /// Returns what the worker did, if it was still there.
    pub fn leave(&mut self, number: u64, why: &str) -> Option<WorkerStats> {
        let stats = self.present.remove(&number)?.stats(number, Some(why.to_owned()));
        if self.former.len() < ROWS {
            self.former.push(stats.clone());
        } else {
            let others = self.others.get_or_insert_with(WorkerStats::default);
            others.address = "others".to_owned();
            others.gone = Some("are gone".to_owned());
            others.states += stats.states;
            others.batches += stats.batches;
            others.lost += stats.lost;
            others.seconds += stats.seconds;
            others.busy += stats.busy;
        }
        Some(stats)
    }

    /// Those that are gone, and then those that are there.
    pub fn table(&self) -> Vec<WorkerStats> {
        let present = self.present.iter().map(|(number, seat)| seat.stats(*number, None));
        let mut table: Vec<WorkerStats> = self.former.iter().cloned().chain(present).collect();
        table.sort_by_key(|stats| stats.number);
        table.extend(self.others.clone());
        table
    }

    /// How many of `waiting` states a batch of this worker should have: what it expands in the time
    /// of a batch, and where little is left its part of that by its speed, so that all are done at
    /// about the same time.
    pub fn size_for(&self, seat: &Seat, waiting: u64, under_way: usize) -> usize {
        let speed = |seat: &Seat| 1e6 / seat.pace() as f64;
        let all: f64 = self.present.values().map(speed).sum();
        let part = waiting as f64 * speed(seat) / (all.max(1e-9) * under_way as f64);
        seat.size().min(part as u64).clamp(1, MOST) as usize
    }
}
