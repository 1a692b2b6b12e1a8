//! Runs of a verifier: one that forgets nothing, then others with smaller and smaller caches.

use crate::figures::{Cell, End, Exact, Figures, Ratios, Replace, STORES, Store, Sweep, WAYS, smallest};
use experiments::verifier::Verifier;
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// How much memory a fraction is a fraction of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Whole {
    /// Room for as many states as can be reached
    States,
    /// The least memory with which the search ends that forgets nothing
    Bytes,
}

pub struct Experiment<'a> {
    pub mcc: &'a Path,
    pub model: &'a Path,
    pub fractions: &'a [f64],
    pub whole: Whole,
    pub max_collisions: f64,
    /// A search is stopped at so many times the depth of the exact one.
    pub max_depth: u32,
    /// Each run is repeated so many times, and the shortest time counts.
    pub repeat: u32,
    pub extra: &'a [OsString],
}

/// What is of interest in a verifier's report.
#[derive(Debug, Deserialize)]
struct Told {
    verdict: String,
    reason: String,
    states: u64,
    rules: u64,
    depth: u64,
    seconds: f64,
    memory_bytes: u64,
    bits_per_state: u32,
    cache: Option<Cache>,
    watched: Option<Watched>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Cache {
    bytes: u64,
    entries: u64,
    collision_rate: f64,
}

#[derive(Debug, Deserialize)]
struct Watched {
    distinct: u64,
}

/// Memory is looked for to within one part in so many.
const PRECISION: u64 = 100;
/// Of a table of signatures, one slot in about so many stays free.
const SLACK: u64 = 20;
/// No cache is smaller than this.
const FEWEST: u64 = 16;

impl Experiment<'_> {
    /// `tell` is told what is being done.
    pub fn measure(&self, tell: impl Fn(&str)) -> Result<Figures, String> {
        let verifier = Verifier::build(self.mcc, self.model)?;
        let mut sweeps = Vec::new();
        let mut whole: Option<Told> = None;
        for store in STORES {
            let slots = whole.as_ref().map_or(1, |told| told.states + told.states / SLACK + 1).to_string();
            let table = match store {
                Store::Packed => vec![],
                // A table of signatures has the size that it was given; this is one that is nearly full in the end.
                Store::Compact => vec!["--slots", &slots],
            };
            let told = self.repeat(&verifier, store.arguments(), &table)?;
            if told.verdict != "verified" {
                return Err(format!("{}: {}: {}", verifier.name, told.verdict, told.reason));
            }
            let exact =
                Exact { seconds: told.seconds, memory_bytes: self.least(&verifier, store, &table, &told)? };
            for replace in WAYS {
                let mut cells = Vec::new();
                for &fraction in self.fractions {
                    let run = Run { verifier: &verifier, store, replace, fraction, told: &told, exact };
                    let cell = self.cell(&run)?;
                    tell(&describe(&verifier.name, &run, cell.as_ref()));
                    cells.push(cell);
                }
                sweeps.push(Sweep { store, replace, exact, smallest: smallest(&cells), cells });
            }
            whole.get_or_insert(told);
        }
        let Some(Told { bits_per_state, states, rules, depth, .. }) = whole else {
            return Err("nothing was run".to_owned());
        };
        Ok(Figures { name: verifier.name, bits_per_state, states, rules, depth, sweeps })
    }

    /// The least memory with which the exact search ends, if that is what fractions are of; otherwise what it takes if it has enough.
    fn least(&self, verifier: &Verifier, store: Store, table: &[&str], told: &Told) -> Result<u64, String> {
        let enough = told.memory_bytes;
        if self.whole == Whole::States {
            return Ok(enough);
        }
        let ended = |memory: u64| -> Result<Told, String> {
            let limit = format!("{memory}B");
            let arguments = [table, &["--memory", &limit]].concat();
            self.run(verifier, store.arguments(), &arguments)
        };
        let (mut low, mut high) = (0, enough);
        while high - low > high / PRECISION + 1 {
            let middle = low + (high - low) / 2;
            if ended(middle)?.verdict == "verified" {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high)
    }

    /// One run with a cache. `None`: there is no cache as small as that.
    fn cell(&self, run: &Run) -> Result<Option<Cell>, String> {
        let entries = (run.told.states as f64 * run.fraction).round() as u64;
        let size = match self.whole {
            Whole::States if entries < FEWEST => return Ok(None),
            Whole::States => ["--cache-states".to_owned(), entries.to_string()],
            Whole::Bytes => {
                ["--cache".to_owned(), format!("{}B", (run.exact.memory_bytes as f64 * run.fraction) as u64)]
            }
        };
        let depth = run.told.depth.max(1).saturating_mul(u64::from(self.max_depth));
        let (depth, collisions) =
            (depth.min(u64::from(u32::MAX)).to_string(), self.max_collisions.to_string());
        let mut limits = vec!["--max-collisions", &collisions, "--replace", run.replace.name()];
        if self.max_depth > 0 {
            limits.extend(["--max-depth", &depth]);
        }
        limits.extend(size.iter().map(String::as_str));
        let arguments = run.store.arguments();
        let told = match self.repeat(run.verifier, arguments, &limits) {
            Ok(told) => told,
            Err(text) if text.contains("too small") => return Ok(None),
            Err(text) => return Err(text),
        };
        let (end, distinct) = match told.verdict.as_str() {
            "verified" => (End::Itself, None),
            "inconclusive" => {
                // The same run once more, with an exact set beside the cache.
                limits.extend(["--watch", "distinct"]);
                let again = self.run(run.verifier, arguments, &limits)?;
                if again.states != told.states {
                    return Err(format!("{limits:?}: {} states, and then {}", told.states, again.states));
                }
                let distinct = again.watched.map_or(0, |watched| watched.distinct);
                let all = distinct == run.told.states;
                (if all { End::StoppedAllVisited } else { End::StoppedNotAll }, Some(distinct))
            }
            verdict => return Err(format!("{}: {verdict}: {}", run.verifier.name, told.reason)),
        };
        let cache = told.cache.ok_or("the verifier does not know --cache; it is older than this program")?;
        let ratio = |ours: f64, exact: f64| ours / exact.max(f64::MIN_POSITIVE);
        Ok(Some(Cell {
            fraction: run.fraction,
            entries: cache.entries,
            cache_bytes: cache.bytes,
            end,
            states: told.states,
            rules: told.rules,
            seconds: told.seconds,
            distinct,
            ratios: Ratios {
                states: ratio(told.states as f64, run.told.states as f64),
                rules: ratio(told.rules as f64, run.told.rules as f64),
                time: ratio(told.seconds, run.exact.seconds),
            },
            collision_rate: cache.collision_rate,
        }))
    }

    /// The run with the shortest time of several; they differ in nothing else.
    fn repeat(&self, verifier: &Verifier, arguments: &[&str], more: &[&str]) -> Result<Told, String> {
        let mut best = self.run(verifier, arguments, more)?;
        for _ in 1..self.repeat {
            let again = self.run(verifier, arguments, more)?;
            best.seconds = best.seconds.min(again.seconds);
        }
        Ok(best)
    }

    fn run(&self, verifier: &Verifier, arguments: &[&str], more: &[&str]) -> Result<Told, String> {
        let extra = self.extra.iter().map(OsString::as_os_str);
        verifier.run(extra.chain(arguments.iter().chain(more).map(OsStr::new)))
    }
}

struct Run<'a> {
    verifier: &'a Verifier,
    store: Store,
    replace: Replace,
    fraction: f64,
    told: &'a Told,
    exact: Exact,
}

fn describe(name: &str, run: &Run, cell: Option<&Cell>) -> String {
    let (store, replace, fraction) = (run.store.name(), run.replace.name(), run.fraction);
    match cell {
        None => format!("{name} {store} {replace} {fraction}: there is no cache as small as that"),
        Some(cell) => format!(
            "{name} {store} {replace} {fraction}: {:.3}{} times the states, {:.3} times the time",
            cell.ratios.states,
            cell.end.mark(),
            cell.ratios.time
        ),
    }
}
