//! Runs of a verifier: one that keeps all states, then others with smaller and smaller caches.

use super::figures::{Cell, End, Exact, Figures, Ratios, Replace, STORES, Store, Sweep, WAYS, smallest};
use crate::shared::{ExperimentError, Runs, SearchReport};
use serde::Deserialize;

/// How much memory a fraction is a fraction of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Whole {
    /// Room for as many states as can be reached
    States,
    /// The least memory with which the search ends that keeps all states
    Bytes,
}

/// What is run.
pub struct Plan {
    pub fractions: Vec<f64>,
    pub whole: Whole,
    pub max_collisions: f64,
    /// A search is stopped at this multiple of the depth of the exact one.
    pub max_depth: u32,
    /// Of the functions that make signatures.
    pub seed: u64,
}

/// What is of interest in a verifier's report.
#[derive(Debug, Deserialize)]
struct Details {
    memory_bytes: u64,
    bits_per_state: u32,
    cache: Option<Cache>,
    watched: Option<Watched>,
}

type Report = SearchReport<Details>;

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

/// Memory is looked for to within one part in 100.
const PRECISION: u64 = 100;
/// Of a table of signatures, about one slot in 20 stays free.
const SLACK: u64 = 20;
/// No cache is smaller than this.
const FEWEST: u64 = 16;

/// Runs everything. `progress` is called with what was done.
pub fn measure(runs: &Runs, plan: &Plan, progress: impl Fn(&str)) -> Result<Figures, ExperimentError> {
    let experiment = Experiment { runs, plan };
    let seed = plan.seed.to_string();
    let mut sweeps = Vec::new();
    let mut whole: Option<Report> = None;
    for store in STORES {
        let slots = whole.as_ref().map_or(1, |report| report.states + report.states / SLACK + 1).to_string();
        let arguments = store.arguments(&seed);
        let mut table = arguments.clone();
        match store {
            Store::Packed => {}
            // A table of signatures has the size that it was given; this one is nearly full in the
            // end.
            Store::Compact => table.extend(["--slots", &slots]),
        }
        let report: Report = runs.verified(runs.best(&table)?)?;
        let memory_bytes = experiment.least(&table, &report)?;
        let exact = Exact { seconds: report.seconds, memory_bytes };
        for replace in WAYS {
            let mut cells = Vec::new();
            for &fraction in &plan.fractions {
                let run = Run { store, replace, fraction, complete: &report, exact };
                let cell = experiment.cell(&run, &arguments)?;
                progress(&describe(&runs.verifier.name, &run, cell.as_ref()));
                cells.push(cell);
            }
            sweeps.push(Sweep { store, replace, exact, smallest: smallest(&cells), cells });
        }
        whole.get_or_insert(report);
    }
    let whole = whole.ok_or("nothing was run")?;
    Ok(Figures {
        name: runs.verifier.name.clone(),
        bits_per_state: whole.details.bits_per_state,
        states: whole.states,
        rules: whole.rules,
        depth: whole.depth,
        sweeps,
    })
}

struct Experiment<'a> {
    runs: &'a Runs<'a>,
    plan: &'a Plan,
}

impl Experiment<'_> {
    /// The least memory with which the exact search ends, if that is what fractions are of;
    /// otherwise what it takes if it has enough.
    fn least(&self, table: &[&str], report: &Report) -> Result<u64, ExperimentError> {
        let enough = report.details.memory_bytes;
        if self.plan.whole == Whole::States {
            return Ok(enough);
        }
        let ended = |memory: u64| -> Result<Report, ExperimentError> {
            let limit = format!("{memory}B");
            self.runs.once(&[table, &["--memory", &limit]].concat())
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
    fn cell(&self, run: &Run, store: &[&str]) -> Result<Option<Cell>, ExperimentError> {
        let plan = self.plan;
        let entries = (run.complete.states as f64 * run.fraction).round() as u64;
        let size = match plan.whole {
            Whole::States if entries < FEWEST => return Ok(None),
            Whole::States => ["--cache-states".to_owned(), entries.to_string()],
            Whole::Bytes => {
                ["--cache".to_owned(), format!("{}B", (run.exact.memory_bytes as f64 * run.fraction) as u64)]
            }
        };
        let depth = run.complete.depth.max(1).saturating_mul(u64::from(plan.max_depth));
        let (depth, collisions) =
            (depth.min(u64::from(u32::MAX)).to_string(), plan.max_collisions.to_string());
        let mut arguments = store.to_vec();
        arguments.extend(["--max-collisions", &collisions, "--replace", run.replace.name()]);
        if plan.max_depth > 0 {
            arguments.extend(["--max-depth", &depth]);
        }
        arguments.extend(size.iter().map(String::as_str));
        let report: Report = match self.runs.best(&arguments) {
            Ok(report) => report,
            Err(error) if error.to_string().contains("too small") => return Ok(None),
            Err(error) => return Err(error),
        };
        let (end, distinct) = match report.verdict.as_str() {
            "verified" => (End::Itself, None),
            "inconclusive" => {
                let distinct = self.distinct(&report, arguments)?;
                let all = distinct == run.complete.states;
                (if all { End::StoppedAllVisited } else { End::StoppedNotAll }, Some(distinct))
            }
            _ => return Err(self.runs.unexpected(&report)),
        };
        let cache = report
            .details
            .cache
            .ok_or("the verifier does not know --cache; it is older than this program")?;
        let ratio = |ours: f64, exact: f64| ours / exact.max(f64::MIN_POSITIVE);
        Ok(Some(Cell {
            fraction: run.fraction,
            entries: cache.entries,
            cache_bytes: cache.bytes,
            end,
            states: report.states,
            rules: report.rules,
            seconds: report.seconds,
            distinct,
            ratios: Ratios {
                states: ratio(report.states as f64, run.complete.states as f64),
                rules: ratio(report.rules as f64, run.complete.rules as f64),
                time: ratio(report.seconds, run.exact.seconds),
            },
            collision_rate: cache.collision_rate,
        }))
    }

    /// How many different states a search visited that was stopped: it is run once more, with an
    /// exact set beside the cache.
    fn distinct(&self, report: &Report, mut arguments: Vec<&str>) -> Result<u64, ExperimentError> {
        arguments.extend(["--watch", "distinct"]);
        let again: Report = self.runs.once(&arguments)?;
        if again.states != report.states {
            return Err(format!("{arguments:?}: {} states, and then {}", report.states, again.states).into());
        }
        Ok(again.details.watched.map_or(0, |watched| watched.distinct))
    }
}

struct Run<'a> {
    store: Store,
    replace: Replace,
    fraction: f64,
    /// The search that keeps all states.
    complete: &'a Report,
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
