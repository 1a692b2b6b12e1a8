//! Progress while a search runs: a live line on a terminal, lines as CMurphi prints them elsewhere.

use crate::search::{Counts, Repeated};
use crate::text::{bytes, grouped, plural};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};

/// How often the live line is drawn again.
const REFRESH: Duration = Duration::from_millis(100);

pub struct Progress {
    started: Instant,
    /// Seconds that the search took before.
    before: f64,
    /// Workers of a server, if it is one.
    workers: Option<usize>,
    kind: Kind,
}

enum Kind {
    Off,
    Live {
        bar: ProgressBar,
        drawn: Instant,
    },
    Lines {
        /// Number of states between two lines.
        every: u64,
        next: u64,
    },
}

/// How far a search was at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub seconds: f64,
    pub states: u64,
    pub depth: u32,
    /// Bytes in use.
    pub memory: u64,
}

/// Samples of a search, never more than [`Samples::MOST`], evenly over its time.
#[derive(Debug, Default)]
pub struct Samples {
    kept: Vec<Sample>,
    /// Seconds between two samples, at least.
    apart: f64,
}

impl Samples {
    const MOST: usize = 512;

    pub fn add(&mut self, seconds: f64, counts: &Counts) {
        let sample = Sample { seconds, states: counts.states, depth: counts.depth.0, memory: counts.memory };
        let is_due =
            |last: &Sample| sample.depth != last.depth || sample.seconds - last.seconds >= self.apart;
        if !self.kept.last().is_none_or(is_due) {
            return;
        }
        self.kept.push(sample);
        if self.kept.len() > Self::MOST {
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.apart = (2.0 * self.apart).max(seconds / Self::MOST as f64);
        }
    }

    pub fn kept(&self) -> &[Sample] {
        &self.kept
    }
}

impl Progress {
    pub fn off() -> Self {
        Progress { started: Instant::now(), before: 0.0, workers: None, kind: Kind::Off }
    }

    /// A line on standard error that is drawn over and over.
    pub fn live() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Progress { started: now, before: 0.0, workers: None, kind: Kind::Live { bar, drawn: now } }
    }

    /// A line for every `every` states.
    pub fn lines(every: u64) -> Self {
        let every = every.max(1);
        Progress {
            started: Instant::now(),
            before: 0.0,
            workers: None,
            kind: Kind::Lines { every, next: every },
        }
    }

    pub fn seconds(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    /// There are this many workers.
    pub fn set_workers(&mut self, count: usize) {
        self.workers = Some(count);
    }

    /// The search goes on from there.
    pub fn resume(&mut self, counts: &Counts, seconds: f64) {
        self.before = seconds;
        if let Kind::Lines { every, next } = &mut self.kind {
            *next = (counts.states / *every + 1) * *every;
        }
    }

    pub fn tell(&mut self, out: &mut dyn Write, counts: &Counts) {
        let seconds = self.seconds();
        let workers = |count: usize| format!(", {}", plural(count as u64, "worker"));
        let workers = self.workers.map(workers).unwrap_or_default();
        match &mut self.kind {
            Kind::Off => {}
            Kind::Live { bar, drawn } => {
                if drawn.elapsed() >= REFRESH {
                    *drawn = Instant::now();
                    let rate = counts.states as f64 / seconds.max(1e-9);
                    bar.set_message(format!(
                        "{} states, {} rules, {} states/s, depth {}, {} waiting, {}{}{workers}",
                        grouped(counts.states),
                        grouped(counts.rules),
                        grouped(rate as u64),
                        grouped(u64::from(counts.depth.0)),
                        grouped(counts.queue),
                        bytes(counts.memory),
                        visits(counts)
                    ));
                    bar.tick();
                }
            }
            Kind::Lines { every, next } => {
                if counts.states >= *next {
                    let _ = writeln!(
                        out,
                        "\t {} states explored in {seconds:.2}s, with {} rules fired and {} states in the queue{}{workers}.",
                        grouped(counts.states),
                        grouped(counts.rules),
                        grouped(counts.queue),
                        visits(counts)
                    );
                    *next = (counts.states / *every + 1) * *every;
                }
            }
        }
    }

    /// Prints the progress of work after the search: `what` is done for `states` of `all` states.
    pub fn tell_share(&mut self, out: &mut dyn Write, what: &str, states: u64, all: u64) {
        match &mut self.kind {
            Kind::Off => {}
            Kind::Live { bar, drawn } => {
                if drawn.elapsed() >= REFRESH {
                    *drawn = Instant::now();
                    bar.set_message(format!("{what}: {} of {} states", grouped(states), grouped(all)));
                    bar.tick();
                }
            }
            Kind::Lines { every, next } => {
                // The search has counted up to all of them; this counts on.
                if all + states >= *next {
                    let _ = writeln!(out, "\t {what}: {} of {} states.", grouped(states), grouped(all));
                    *next = ((all + states) / *every + 1) * *every;
                }
            }
        }
    }

    /// Takes the live line away, so that other text can follow.
    pub fn suspend<T>(&mut self, write: impl FnOnce() -> T) -> T {
        match &self.kind {
            Kind::Live { bar, .. } => bar.suspend(write),
            Kind::Off | Kind::Lines { .. } => write(),
        }
    }

    pub fn finish(&mut self) {
        if let Kind::Live { bar, .. } = &self.kind {
            bar.finish_and_clear();
        }
        self.kind = Kind::Off;
    }
}

/// Reads a line of [`Progress::lines`]: states, rules, states that wait, seconds.
pub fn read_line(line: &str) -> Option<(u64, u64, u64, f64)> {
    let number = |text: &str| text.replace(',', "").parse().ok();
    let (states, rest) = line.trim().split_once(" states explored in ")?;
    let (seconds, rest) = rest.split_once("s, with ")?;
    let (rules, rest) = rest.split_once(" rules fired and ")?;
    let (waiting, _) = rest.split_once(" states in the queue")?;
    Some((number(states)?, number(rules)?, number(waiting)?, seconds.parse().ok()?))
}

/// How often evicted states are visited again; empty for searches that evict none.
fn visits(counts: &Counts) -> String {
    match counts.repeated {
        Some(Repeated { visits, outlook }) => {
            format!(", each state visited {:.2} times so far: {}", visits as f64 / 100.0, outlook.words())
        }
        None => String::new(),
    }
}
