//! Runs of a verifier, by turns: one in memory, then others on disk with smaller and smaller tables in memory.

use crate::figures::{Cell, Exact, Figures, Sweep, Time, Way};
use experiments::verifier::Verifier;
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::path::Path;

pub struct Experiment<'a> {
    pub mcc: &'a Path,
    pub model: &'a Path,
    pub factors: &'a [f64],
    pub ways: &'a [Way],
    pub directory: &'a Path,
    /// Each run is repeated so many times, and the shortest time counts.
    pub repeat: u32,
    pub extra: &'a [OsString],
    pub disk_extra: &'a [OsString],
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
    disk_table: Option<Table>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Table {
    memory_bytes: u64,
    checks: u64,
    read_bytes: u64,
    written_bytes: u64,
}

/// A table that takes more than this, as a multiple of what it should, does not count.
const TOO_LARGE: f64 = 1.1;

impl Experiment<'_> {
    /// `tell` is told what is being done.
    pub fn measure(&self, tell: impl Fn(&str)) -> Result<Figures, String> {
        let verifier = Verifier::build(self.mcc, self.model)?;
        let mut figures: Option<Figures> = None;
        for round in 1..=self.repeat {
            let (told, time) = self.run(&verifier, &[])?;
            if told.verdict != "verified" {
                return Err(format!("{}: {}: {}", verifier.name, told.verdict, told.reason));
            }
            let figures = figures.get_or_insert_with(|| self.begin(&verifier, &told, time));
            figures.exact.time = figures.exact.time.best(time);
            for sweep in &mut figures.sweeps {
                for (at, &factor) in self.factors.iter().enumerate() {
                    let cell = self.cell(&verifier, &told, sweep.way, factor)?;
                    let seconds = cell.as_ref().map_or(0.0, |cell| cell.time.seconds);
                    tell(&format!(
                        "{} {} {factor}: {seconds:.3} s for {:.3} s, round {round}",
                        verifier.name,
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

    fn begin(&self, verifier: &Verifier, told: &Told, time: Time) -> Figures {
        let sweep = |&way: &Way| Sweep { way, cells: self.factors.iter().map(|_| None).collect() };
        Figures {
            name: verifier.name.clone(),
            bits_per_state: told.bits_per_state,
            states: told.states,
            rules: told.rules,
            depth: told.depth,
            exact: Exact { time, memory_bytes: told.memory_bytes },
            sweeps: self.ways.iter().map(sweep).collect(),
        }
    }

    /// One run on disk. `None`: there is no table as small as that.
    fn cell(&self, verifier: &Verifier, exact: &Told, way: Way, factor: f64) -> Result<Option<Cell>, String> {
        let wanted = exact.memory_bytes as f64 / factor;
        let memory = format!("{}B", wanted as u64);
        let mut arguments: Vec<&OsStr> = vec![OsStr::new("--disk"), self.directory.as_os_str()];
        arguments.extend(["--table-memory", &memory].map(OsStr::new));
        arguments.extend(way.arguments().iter().map(OsStr::new));
        arguments.extend(self.disk_extra.iter().map(OsString::as_os_str));
        let (told, time) = self.run(verifier, &arguments)?;
        let found = (told.verdict.as_str(), told.states, told.rules, told.depth);
        if found != ("verified", exact.states, exact.rules, exact.depth) {
            return Err(format!("{arguments:?}: {found:?}, which is not what the search in memory found"));
        }
        let table =
            told.disk_table.ok_or("the verifier does not know --disk; it is older than this program")?;
        if table.memory_bytes as f64 > TOO_LARGE * wanted {
            return Ok(None);
        }
        Ok(Some(Cell {
            factor,
            table_bytes: table.memory_bytes,
            memory_bytes: told.memory_bytes,
            checks: table.checks,
            read_bytes: table.read_bytes,
            written_bytes: table.written_bytes,
            time,
            slowdown: time.over(time),
        }))
    }

    fn run(&self, verifier: &Verifier, arguments: &[&OsStr]) -> Result<(Told, Time), String> {
        let before = processor_seconds();
        let extra = self.extra.iter().map(OsString::as_os_str);
        let told: Told = verifier.run(extra.chain(arguments.iter().copied()))?;
        let processor_seconds = processor_seconds().zip(before).map(|(after, before)| after - before);
        let time = Time { seconds: told.seconds, processor_seconds };
        Ok((told, time))
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
