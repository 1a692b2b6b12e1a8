//! Building a verifier and running it, once exactly and many times with signatures.

use crate::figures::{Figures, Row, Seen};
use experiments::verifier::Verifier;
use mcc_runtime::visited::compact::prime;
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Experiment<'a> {
    pub mcc: &'a Path,
    pub model: &'a Path,
    pub runs: u64,
    pub bits: (u32, u32),
    pub slots: Option<u64>,
    pub seed: u64,
    pub jobs: usize,
    pub extra: &'a [OsString],
}

/// What is of interest in a verifier's report.
#[derive(Debug, Deserialize)]
struct Told {
    verdict: String,
    reason: String,
    states: u64,
    depth: u64,
    watched: Option<Watched>,
    compaction: Option<Compaction>,
}

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

impl Experiment<'_> {
    /// `tell` is told of each number of bits that is done, with how many runs missed the state.
    pub fn measure(&self, tell: impl Fn(u32, u64)) -> Result<Figures, String> {
        let verifier = Verifier::build(self.mcc, self.model)?;
        let exact = self.run(&verifier, &["--watch", "last"])?;
        let watched =
            exact.watched.ok_or("the verifier does not know --watch; it is older than this program")?;
        let slots = prime::at_least(self.slots.unwrap_or(exact.states + 1));
        let slots_text = slots.to_string();
        // With all the bits there are, nothing is missed, and the levels are those of the exact search.
        let whole = self.run(&verifier, &["-c", "--bits", "64", "--slots", &slots_text, "--seed", "1"])?;
        if whole.states != exact.states {
            return Err(format!("64 bits found {} states, not {}", whole.states, exact.states));
        }
        let levels = whole.compaction.map(|compaction| compaction.levels).unwrap_or_default();

        let mut rows = Vec::new();
        for bits in self.bits.0..=self.bits.1 {
            let row = Row::new(bits, &levels, slots, &self.repeat(&verifier, bits, slots, &watched.state)?);
            tell(bits, row.missed);
            rows.push(row);
        }
        let name = verifier.name;
        Ok(Figures { name, states: exact.states, depth: exact.depth, slots, runs: self.runs, rows })
    }

    /// All runs with so many bits, some at a time.
    fn repeat(&self, verifier: &Verifier, bits: u32, slots: u64, state: &str) -> Result<Vec<Seen>, String> {
        let next = AtomicU64::new(0);
        let results = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    loop {
                        let run = next.fetch_add(1, Ordering::Relaxed);
                        if run >= self.runs {
                            return;
                        }
                        // Functions of their own for each number of bits as well.
                        let seed = self.seed.wrapping_add(run).wrapping_add(u64::from(bits) << 32);
                        let seen = self.look(verifier, bits, slots, seed, state);
                        results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((run, seen));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        results.sort_by_key(|(run, _)| *run);
        results.into_iter().map(|(_, seen)| seen).collect()
    }

    /// One run: was the state found?
    fn look(
        &self,
        verifier: &Verifier,
        bits: u32,
        slots: u64,
        seed: u64,
        state: &str,
    ) -> Result<Seen, String> {
        let (bits, slots_text, seed) = (bits.to_string(), slots.to_string(), seed.to_string());
        let told = self.run(
            verifier,
            &["-c", "--bits", &bits, "--slots", &slots_text, "--seed", &seed, "--watch", state],
        )?;
        let (Some(watched), Some(compaction)) = (told.watched, told.compaction) else {
            return Err("the verifier does not tell what it saw".to_owned());
        };
        if compaction.slots != slots {
            return Err(format!("the verifier took {} slots, not {slots}", compaction.slots));
        }
        Ok(Seen {
            found: watched.found,
            bound: compaction.bounds.missed_state_up_to_depth,
            states: told.states,
        })
    }

    fn run(&self, verifier: &Verifier, arguments: &[&str]) -> Result<Told, String> {
        let extra = self.extra.iter().map(OsString::as_os_str);
        let told: Told = verifier.run(extra.chain(arguments.iter().map(OsStr::new)))?;
        match told.verdict.as_str() {
            "verified" => Ok(told),
            verdict => Err(format!("{}: {verdict}: {}", verifier.name, told.reason)),
        }
    }
}
