//! How fast several processes are, beside one.

use super::report;
use crate::shared::{ExperimentError, Verifier};
use serde_json::Value;

/// A search of some processes: the shortest time of several, and what its report says.
#[derive(Clone, Debug)]
pub struct Measured {
    pub processes: u32,
    pub seconds: f64,
    pub states: u64,
    pub rules: u64,
    pub levels: u64,
    /// The most memory that a process had in use.
    pub memory: u64,
    pub bits_per_state: u64,
    pub states_sent: u64,
    pub states_repeated: u64,
    pub bytes_sent: u64,
}

/// Searches with these numbers of processes, one after the other, and all of them `repeat` times.
/// 0 processes are a search without `--cluster`.
pub fn measure(
    verifier: &Verifier,
    processes: &[u32],
    options: &[String],
    repeat: u32,
) -> Result<Vec<Measured>, ExperimentError> {
    let mut all: Vec<Measured> = Vec::new();
    for _ in 0..repeat {
        for (at, &processes) in processes.iter().enumerate() {
            let mut arguments = vec!["-j1".to_owned()];
            if processes > 0 {
                arguments.extend(["--cluster".to_owned(), format!("local:{processes}")]);
            }
            arguments.extend(options.iter().cloned());
            let measured = Measured::of(processes, &report(verifier, &arguments)?)?;
            match all.get_mut(at) {
                None => all.push(measured),
                Some(best) if (best.states, best.rules) != (measured.states, measured.rules) => {
                    return Err(format!("{}: two searches found other states", verifier.name).into());
                }
                Some(best) if best.seconds > measured.seconds => *best = measured,
                Some(_) => {}
            }
        }
    }
    Ok(all)
}

impl Measured {
    fn of(processes: u32, report: &Value) -> Result<Self, ExperimentError> {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let seconds = report["seconds"].as_f64().ok_or("the report has no time")?;
        let cluster = &report["cluster"];
        let memory = match cluster["processes"].as_array() {
            Some(parts) => parts.iter().map(|part| number(&part["memory_bytes"])).max().unwrap_or(0),
            None => number(&report["memory_bytes"]),
        };
        Ok(Measured {
            processes,
            seconds,
            states: number(&report["states"]),
            rules: number(&report["rules"]),
            levels: number(&report["depth"]) + 1,
            memory,
            bits_per_state: number(&report["bits_per_state"]),
            states_sent: number(&cluster["states_sent"]),
            states_repeated: number(&cluster["states_repeated"]),
            bytes_sent: number(&cluster["bytes_sent"]),
        })
    }

    /// A row of a table in Markdown, beside the first of the measured searches.
    pub fn row(&self, name: &str, first: &Measured) -> String {
        let per = |part: f64, whole: u64| part / (whole.max(1)) as f64;
        format!(
            "| {name} | {} | {} | {:.2} s | {:.2} | {:.0} ns | {:.1} MiB | {:.2} | {:.2} | {:.1} |",
            match self.processes {
                0 => "without".to_owned(),
                processes => processes.to_string(),
            },
            self.states,
            self.seconds,
            first.seconds / self.seconds,
            per(self.seconds * 1e9, self.rules),
            self.memory as f64 / f64::from(1 << 20),
            self.memory as f64 / first.memory.max(1) as f64,
            per(self.states_sent as f64, self.states),
            per(self.bytes_sent as f64, self.states_sent),
        )
    }
}

pub const HEAD: &str = "| model | processes | states | time | speed | a rule | memory of each | of the first | sent for each state | bytes for each sent |\n|---|---|---|---|---|---|---|---|---|---|";
