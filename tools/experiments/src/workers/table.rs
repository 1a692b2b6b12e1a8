//! How much of their time workers work: the tables of M. Mäkelä, *Efficiently Verifying Safety
//! Properties with Idle Office Computers* (2002).
//!
//! Workers take a fixed time for each rule fired (`--pace`), most of which they sleep, so
//! that twelve of them run on two processors. The time of one process is rules times pace. The
//! utilisation is, as in the paper, that time divided by the time of all workers together, each
//! weighted by its speed.

use super::{LINK, Model, Place, number};
use crate::shared::ExperimentError;
use std::path::Path;
use std::time::{Duration, Instant};

/// Speeds of the paper's seven office computers, as the time that each needs alone.
pub const OFFICE: [f64; 7] = [1.0, 1.0, 1.83, 1.83, 3.04, 3.04, 3.04];
/// A run that takes longer than it should by this is given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is measured.
#[derive(Clone, Debug)]
pub struct Run {
    pub model: Model,
    pub compress_paths: bool,
    /// Microseconds for each rule, of each worker.
    pub paces: Vec<u64>,
}

/// What came out.
#[derive(Clone, Copy, Debug)]
pub struct Utilisation {
    pub states: f64,
    pub rules: f64,
    /// Seconds from when the first worker came.
    pub seconds: f64,
    /// Seconds of one process with the pace of the first worker.
    pub alone: f64,
    pub utilisation: f64,
}

impl Run {
    pub fn new(model: Model, compress_paths: bool, pace: u64, speeds: &[f64]) -> Self {
        let paces = speeds.iter().map(|speed| (pace as f64 * speed).round() as u64).collect();
        Run { model, compress_paths, paces }
    }

    pub fn measure(&self, mcc: &Path) -> Result<Utilisation, ExperimentError> {
        let directory = tempfile::tempdir()?;
        let place = Place::new(mcc, self.model, directory.path())?;
        let address = format!("unix:{}", place.path("socket").display());
        let workers: Vec<_> = self
            .paces
            .iter()
            .map(|pace| {
                let pace = pace.to_string();
                place.start(&["--work", &address, "-j1", "--retry", "60", "--quiet", "--pace", &pace])
            })
            .collect::<Result<_, _>>()?;
        // All are there before the search begins, as far as that can be seen.
        std::thread::sleep(Duration::from_millis(500));
        let json = place.path("server.json");
        let json = json.to_string_lossy();
        let mut options = vec!["--serve", &address, "--json", &json];
        if self.compress_paths {
            options.push("--compress-paths");
        }
        let mut server = place.start(&options)?;
        let begun = Instant::now();
        let longest = self.expected(1e6) + PATIENCE;
        while server.0.try_wait()?.is_none() {
            if begun.elapsed() > longest {
                return Err(format!("the server takes too long\n{}", place.log()).into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(workers);
        let report = place.report("server.json")?;
        let (states, rules) = (number(&report, "states")?, number(&report, "rules")?);
        let table = report["workers"].as_array().ok_or("the report has no workers")?;
        if table.len() != self.paces.len() {
            return Err(format!("{} workers instead of {}", table.len(), self.paces.len()).into());
        }
        let present: Vec<f64> = table.iter().map(|row| number(row, "seconds")).collect::<Result<_, _>>()?;
        let seconds = present.into_iter().fold(0.0, f64::max);
        let speed: f64 = self.paces.iter().map(|pace| 1e6 / *pace as f64).sum();
        let alone = rules * self.paces.first().copied().unwrap_or_default() as f64 / 1e6;
        Ok(Utilisation { states, rules, seconds, alone, utilisation: rules / (seconds * speed) })
    }

    /// About how long it takes to fire this number of rules.
    fn expected(&self, rules: f64) -> Duration {
        let speed: f64 = self.paces.iter().map(|pace| 1e6 / *pace as f64).sum();
        Duration::from_secs_f64(rules / speed)
    }
}

/// A row of a table in Markdown.
pub fn row(run: &Run, measured: &Utilisation) -> String {
    let Utilisation { states, rules, seconds, alone, utilisation } = measured;
    let is_equal = run.paces.windows(2).all(|pair| pair[0] == pair[1]);
    format!(
        "| {}{} | {states} | {rules} | {}{} | {alone:.1} s | {seconds:.2} s | {:.1} % |",
        run.model.name,
        if run.compress_paths { ", compressed" } else { "" },
        run.paces.len(),
        if is_equal { "" } else { " of three speeds" },
        100.0 * utilisation
    )
}

pub const HEAD: &str =
    "| model | states | rules | workers | alone | time | utilisation |\n|---|---|---|---|---|---|---|";

/// The runs of the paper: its model with few successors a state, with and without path
/// compression, with equal workers and with its office; and `data_bases` with equal workers.
pub fn runs(counts: &[usize], data_bases: &[Model], link_pace: u64, data_base_pace: u64) -> Vec<Run> {
    let mut runs = Vec::new();
    for compress_paths in [false, true] {
        for &count in counts {
            runs.push(Run::new(LINK, compress_paths, link_pace, &vec![1.0; count]));
        }
        runs.push(Run::new(LINK, compress_paths, link_pace, &OFFICE));
    }
    for &model in data_bases {
        for &count in counts {
            runs.push(Run::new(model, false, data_base_pace, &vec![1.0; count]));
        }
        runs.push(Run::new(model, false, data_base_pace, &OFFICE));
    }
    runs
}
