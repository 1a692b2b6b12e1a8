//! Building a verifier and running it, once exactly and many times with signatures.

use super::figures::{Figures, Row, Seen};
use crate::shared::{ExperimentError, Runs, SearchReport};
use mcc_runtime::internals::prime_at_least;
use serde::Deserialize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is run.
pub struct Plan {
    /// Runs for each number of bits.
    pub runs: u64,
    pub bits: (u32, u32),
    pub slots: Option<u64>,
    /// Of the first run; the others count on from it.
    pub seed: u64,
    /// Verifiers that run at a time.
    pub jobs: usize,
}

/// What is of interest in a verifier's report.
#[derive(Debug, Deserialize)]
struct Details {
    watched: Option<Watched>,
    compaction: Option<Compaction>,
}

type Report = SearchReport<Details>;

#[derive(Debug, Deserialize)]
struct Watched {
    state: String,
    found: bool,
}

#[derive(Debug, Deserialize)]
struct Compaction {
    slots: u64,
    levels: Vec<u64>,
    bounds: Bounds,
}

#[derive(Debug, Deserialize)]
struct Bounds {
    missed_state_up_to_depth: f64,
}

/// Runs everything. `progress` is called with each number of bits that is done, and how many runs
/// missed the state.
pub fn measure(runs: &Runs, plan: &Plan, progress: impl Fn(u32, u64)) -> Result<Figures, ExperimentError> {
    let experiment = Experiment { runs, plan };
    let exact = experiment.run(&["--watch", "last"])?;
    let watched =
        exact.details.watched.ok_or("the verifier does not know --watch; it is older than this program")?;
    let slots = prime_at_least(plan.slots.unwrap_or(exact.states + 1));
    let slots_text = slots.to_string();
    // With all the bits there are, nothing is missed, and the levels are those of the exact search.
    let whole = experiment.run(&["-c", "--bits", "64", "--slots", &slots_text, "--seed", "1"])?;
    if whole.states != exact.states {
        return Err(format!("64 bits found {} states, not {}", whole.states, exact.states).into());
    }
    let levels = whole.details.compaction.map(|compaction| compaction.levels).unwrap_or_default();

    let mut rows = Vec::new();
    for bits in plan.bits.0..=plan.bits.1 {
        let row = Row::new(bits, &levels, slots, &experiment.repeat(bits, slots, &watched.state)?);
        progress(bits, row.missed);
        rows.push(row);
    }
    let name = runs.verifier.name.clone();
    Ok(Figures { name, states: exact.states, depth: exact.depth, slots, runs: plan.runs, rows })
}

struct Experiment<'a> {
    runs: &'a Runs<'a>,
    plan: &'a Plan,
}

impl Experiment<'_> {
    /// All runs with signatures of this length, some at a time.
    fn repeat(&self, bits: u32, slots: u64, state: &str) -> Result<Vec<Seen>, ExperimentError> {
        let next = AtomicU64::new(0);
        let results = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.plan.jobs {
                scope.spawn(|| {
                    loop {
                        let run = next.fetch_add(1, Ordering::Relaxed);
                        if run >= self.plan.runs {
                            return;
                        }
                        // Functions of their own for each number of bits as well.
                        let seed = self.plan.seed.wrapping_add(run).wrapping_add(u64::from(bits) << 32);
                        let seen = self.look(bits, slots, seed, state);
                        results.lock().unwrap_or_else(PoisonError::into_inner).push((run, seen));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(run, _)| *run);
        results.into_iter().map(|(_, seen)| seen).collect()
    }

    /// One run: was the state found?
    fn look(&self, bits: u32, slots: u64, seed: u64, state: &str) -> Result<Seen, ExperimentError> {
        let (bits, slots_text, seed) = (bits.to_string(), slots.to_string(), seed.to_string());
        let report =
            self.run(&["-c", "--bits", &bits, "--slots", &slots_text, "--seed", &seed, "--watch", state])?;
        let (Some(watched), Some(compaction)) = (report.details.watched, report.details.compaction) else {
            return Err("the verifier does not report what it saw".into());
        };
        if compaction.slots != slots {
            return Err(format!("the verifier took {} slots, not {slots}", compaction.slots).into());
        }
        let bound = compaction.bounds.missed_state_up_to_depth;
        Ok(Seen { found: watched.found, bound, states: report.states })
    }

    fn run(&self, arguments: &[&str]) -> Result<Report, ExperimentError> {
        self.runs.verified(self.runs.once(arguments)?)
    }
}
