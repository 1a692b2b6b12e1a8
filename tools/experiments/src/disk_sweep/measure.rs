//! Runs of a verifier, by turns: one in memory, then others on disk with smaller and smaller tables
//! in memory.

use super::figures::{Cell, Exact, Figures, Sweep, Time, Way};
use crate::shared::{ExperimentError, Runs, SearchReport};
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What is run.
pub struct Plan {
    pub factors: Vec<f64>,
    pub ways: Vec<Way>,
    /// Where the files go.
    pub directory: PathBuf,
    /// Of the functions that make signatures.
    pub seed: u64,
    /// More arguments for the searches on disk.
    pub disk_extra: Vec<OsString>,
}

/// What is of interest in a verifier's report.
#[derive(Debug, Deserialize)]
struct Details {
    memory_bytes: u64,
    bits_per_state: u32,
    disk_table: Option<Table>,
}

type Report = SearchReport<Details>;

#[derive(Clone, Copy, Debug, Deserialize)]
struct Table {
    memory_bytes: u64,
    checks: u64,
    read_bytes: u64,
    written_bytes: u64,
}

/// A table that takes more than this, as a multiple of what it should, does not count.
const TOO_LARGE: f64 = 1.1;

/// Runs everything. `progress` is called with what was done.
pub fn measure(runs: &Runs, plan: &Plan, progress: impl Fn(&str)) -> Result<Figures, ExperimentError> {
    let experiment = Experiment { runs, plan };
    let name = &runs.verifier.name;
    let mut figures: Option<Figures> = None;
    for round in 1..=runs.timing.repeat {
        let (report, time) = experiment.run(&[])?;
        let report = runs.verified(report)?;
        let figures = figures.get_or_insert_with(|| experiment.begin(&report, time));
        figures.exact.time = figures.exact.time.best(time);
        for sweep in &mut figures.sweeps {
            for (at, &factor) in plan.factors.iter().enumerate() {
                let cell = experiment.cell(&report, sweep.way, factor)?;
                let seconds = cell.as_ref().map_or(0.0, |cell| cell.time.seconds);
                progress(&format!(
                    "{name} {} {factor}: {seconds:.3} s for {:.3} s, round {round}",
                    sweep.way.name(),
                    figures.exact.time.seconds
                ));
                sweep.cells[at] = match (sweep.cells[at].take(), cell) {
                    (Some(best), Some(cell)) => Some(Cell { time: best.time.best(cell.time), ..cell }),
                    (None, cell) => cell,
                    (_, None) => None,
                };
            }
        }
    }
    let mut figures = figures.ok_or("nothing was run")?;
    let exact = figures.exact.time;
    for cell in figures.sweeps.iter_mut().flat_map(|sweep| sweep.cells.iter_mut().flatten()) {
        cell.slowdown = cell.time.over(exact);
    }
    Ok(figures)
}

struct Experiment<'a> {
    runs: &'a Runs<'a>,
    plan: &'a Plan,
}

impl Experiment<'_> {
    fn begin(&self, report: &Report, time: Time) -> Figures {
        let sweep = |&way: &Way| Sweep { way, cells: self.plan.factors.iter().map(|_| None).collect() };
        Figures {
            name: self.runs.verifier.name.clone(),
            bits_per_state: report.details.bits_per_state,
            states: report.states,
            rules: report.rules,
            depth: report.depth,
            exact: Exact { time, memory_bytes: report.details.memory_bytes },
            sweeps: self.plan.ways.iter().map(sweep).collect(),
        }
    }

    /// One run on disk. `None`: there is no table as small as that.
    fn cell(&self, exact: &Report, way: Way, factor: f64) -> Result<Option<Cell>, ExperimentError> {
        let wanted = exact.details.memory_bytes as f64 / factor;
        let (memory, seed) = (format!("{}B", wanted as u64), self.plan.seed.to_string());
        let mut arguments: Vec<&OsStr> = vec![OsStr::new("--disk"), self.plan.directory.as_os_str()];
        arguments.extend(["--table-memory", &memory].map(OsStr::new));
        arguments.extend(way.arguments(&seed).into_iter().map(OsStr::new));
        arguments.extend(self.plan.disk_extra.iter().map(OsString::as_os_str));
        let (report, time) = self.run(&arguments)?;
        let found = (report.verdict.as_str(), report.states, report.rules, report.depth);
        if found != ("verified", exact.states, exact.rules, exact.depth) {
            return Err(
                format!("{arguments:?}: {found:?}, which is not what the search in memory found").into()
            );
        }
        let table = report
            .details
            .disk_table
            .ok_or("the verifier does not know --disk; it is older than this program")?;
        if table.memory_bytes as f64 > TOO_LARGE * wanted {
            return Ok(None);
        }
        Ok(Some(Cell {
            factor,
            table_bytes: table.memory_bytes,
            memory_bytes: report.details.memory_bytes,
            checks: table.checks,
            read_bytes: table.read_bytes,
            written_bytes: table.written_bytes,
            time,
            slowdown: time.over(time),
        }))
    }

    fn run(&self, arguments: &[&OsStr]) -> Result<(Report, Time), ExperimentError> {
        let before = processor_seconds();
        let report: Report = self.runs.once(arguments)?;
        let processor_seconds = processor_seconds().zip(before).map(|(after, before)| after - before);
        let time = Time { seconds: report.seconds, processor_seconds };
        Ok((report, time))
    }
}

/// Processor time of all programs that this one has started and that have ended, in seconds.
#[cfg(target_os = "linux")]
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may have anything in it, and ends with the last bracket.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = |at: usize| fields.split_whitespace().nth(at)?.parse::<f64>().ok();
    // Hundredths of a second, on every machine that matters.
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

#[cfg(not(target_os = "linux"))]
fn processor_seconds() -> Option<f64> {
    None
}
