//! What a server can carry: how much of its processor time a state costs it, with all that comes
//! with it, for states of several sizes; and from that how many workers one of its processors keeps
//! busy.
//!
//! Server and workers are built for the model, so that the workers are fast. Which of them is the
//! bottleneck makes no difference: what is measured is processor time, of the server alone.

use super::{Process, number};
use crate::shared::{ExperimentError, Verifier};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The model, in which a state has as many bytes as it is given.
pub const MODEL: &str = include_str!("../../models/bytes.m");
/// A run that takes longer than this is given up.
const PATIENCE: Duration = Duration::from_secs(600);

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    pub bytes: u64,
    pub states: f64,
    pub rules: f64,
    pub batches: f64,
    /// Seconds of a processor that the server took, without states that it expanded itself.
    pub processor: f64,
    /// Of these, those of the thread that took most.
    pub busiest: f64,
    /// Seconds that all workers together were busy.
    pub busy: f64,
    /// Seconds from the first worker on.
    pub seconds: f64,
}

/// The seconds of a processor that a process has taken, to a hundredth, and whether it has ended.
fn processor_time(process: u32) -> Option<(f64, bool)> {
    seconds_of(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

fn seconds_of(text: &str) -> Option<(f64, bool)> {
    // After the name of the program, which may contain anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some((ticks as f64 / 100.0, fields.first() == Some(&"Z")))
}

/// The seconds that the thread of a process took that has taken most.
fn busiest_thread(process: u32) -> f64 {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return 0.0 };
    let names = threads.flatten().filter_map(|thread| thread.file_name().to_str()?.parse().ok());
    let seconds = names.filter_map(|thread: u32| {
        let text = std::fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).ok()?;
        seconds_of(&text).map(|(seconds, _)| seconds)
    });
    seconds.fold(0.0, f64::max)
}

/// One search of `verifier` by a server with this number of workers of one thread.
pub fn measure(
    verifier: &Verifier,
    workers: u32,
    bytes: u64,
    options: &[String],
    directory: &Path,
) -> Result<Carried, ExperimentError> {
    let address = format!("unix:{}", directory.join("socket").display());
    let start = |arguments: &[&str]| -> Result<Process, ExperimentError> {
        let mut command = Command::new(verifier.path());
        command.arg("--quiet").args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        Ok(Process(command.stderr(Stdio::null()).spawn()?))
    };
    let json = directory.join("report.json");
    let mut arguments = vec!["--serve", &address, "--json"];
    let path = json.to_string_lossy();
    arguments.push(&path);
    arguments.extend(options.iter().map(String::as_str));
    let mut server = start(&arguments)?;
    let work = || start(&["--work", &address, "-j1", "--retry", "60"]);
    let workers = (0..workers).map(|_| work()).collect::<Result<Vec<_>, _>>()?;
    let (processor, busiest) = until_it_ends(&mut server.0)?;
    drop(workers);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&json)?)?;
    let table = report["workers"].as_array().ok_or("the report has no workers")?;
    let sum = |key: &str| table.iter().map(|row| number(row, key)).sum::<Result<f64, _>>();
    let present = table.iter().map(|row| number(row, "seconds")).collect::<Result<Vec<_>, _>>()?;
    let busy_of = |rows: &[&Value]| -> Result<f64, ExperimentError> {
        rows.iter().map(|row| Ok(number(row, "busy")? * number(row, "seconds")?)).sum()
    };
    let is_here =
        |row: &&Value| row["address"].as_str().is_some_and(|from| from.starts_with("server, thread"));
    let (here, elsewhere): (Vec<&Value>, Vec<&Value>) = table.iter().partition(is_here);
    // What threads of the server expand, workers would expand.
    let expanding = busy_of(&here)?;
    Ok(Carried {
        bytes,
        states: number(&report, "states")?,
        rules: number(&report, "rules")?,
        batches: sum("batches")?,
        processor: processor - expanding,
        busiest: busiest - expanding / here.len().max(1) as f64,
        busy: expanding + busy_of(&elsewhere)?,
        seconds: present.into_iter().fold(0.0, f64::max),
    })
}

/// The processor time of a process. It can be read until the process is waited for.
fn until_it_ends(process: &mut Child) -> Result<(f64, f64), ExperimentError> {
    let begun = Instant::now();
    let mut busiest: f64 = 0.0;
    loop {
        busiest = busiest.max(busiest_thread(process.id()));
        let (taken, is_over) = processor_time(process.id()).ok_or("there is no /proc to measure with")?;
        if is_over {
            process.wait()?;
            return Ok((taken, busiest));
        }
        if begun.elapsed() > PATIENCE {
            return Err("the server takes too long".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Carried {
    /// Microseconds of the server for a state that is expanded elsewhere.
    fn server(&self) -> f64 {
        self.processor * 1e6 / self.states
    }

    /// Microseconds of a worker for it.
    fn worker(&self) -> f64 {
        self.busy * 1e6 / self.states
    }

    /// A row of a table in Markdown. The last column: workers whose states cost them this number of
    /// microseconds that one processor of the server keeps busy for nine tenths of their time.
    pub fn row(&self) -> String {
        let per_second = |count: f64| count / self.processor;
        let feeds = PACES.map(|pace| format!("{:.1}", pace / 0.9 / self.server()));
        format!(
            "| {} | {} | {:.1} | {:.2} µs | {:.2} µs | {:.2} µs | {:.0} | {:.0} | {:.1} MB | {} |",
            self.bytes,
            self.states,
            self.rules / self.states,
            self.server(),
            self.busiest * 1e6 / self.states,
            self.worker(),
            per_second(self.batches),
            per_second(self.states),
            per_second(self.states * self.bytes as f64) / 1e6,
            feeds.join(" | ")
        )
    }
}

/// Microseconds that a state may cost a worker: cheap rules, expensive ones with symmetry, and the
/// interpreter.
pub const PACES: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

pub const HEAD: &str = "| bytes of a state | states | rules a state | server, a state | its busiest thread | worker, a state | batches a second | states a second | bytes a second | workers of 1 µs a state | of 10 µs | of 100 µs | of 1 ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|";
