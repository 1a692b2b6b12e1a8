//! What was measured, and what follows from it.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Report {
    pub factors: Vec<f64>,
    pub models: Vec<Figures>,
    /// Over all models, where there are several.
    pub means: Vec<Mean>,
}

#[derive(Debug, Serialize)]
pub struct Figures {
    pub name: String,
    pub bits_per_state: u32,
    pub states: u64,
    pub rules: u64,
    pub depth: u64,
    pub exact: Exact,
    pub sweeps: Vec<Sweep>,
}

/// The search in memory.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Exact {
    pub time: Time,
    /// The most that the visited set, the predecessors and the frontier took.
    pub memory_bytes: u64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Time {
    /// Wall-clock time.
    pub seconds: f64,
    /// Of all processors together, where the system reports it.
    pub processor_seconds: Option<f64>,
}

impl Time {
    /// The shorter of two, each in its kind.
    #[must_use]
    pub fn best(self, other: Time) -> Time {
        let processor =
            self.processor_seconds.zip(other.processor_seconds).map(|(own, other)| own.min(other));
        Time { seconds: self.seconds.min(other.seconds), processor_seconds: processor }
    }

    /// How many times as long as another.
    pub fn over(self, other: Time) -> Slowdown {
        let ratio = |own: f64, other: f64| own / other.max(f64::MIN_POSITIVE);
        let processor = self.processor_seconds.zip(other.processor_seconds).filter(|(_, other)| *other > 0.0);
        Slowdown {
            time: ratio(self.seconds, other.seconds),
            processor_time: processor.map(|(own, other)| ratio(own, other)),
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Slowdown {
    pub time: f64,
    pub processor_time: Option<f64>,
}

/// What goes to disk, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Signatures of 48 bits, in sorted tables
    Signatures,
    /// Signatures of 48 bits, in the table of the paper
    SignaturesPlain,
    /// Whole states, in sorted tables
    States,
    /// Whole states, in the table of the paper
    StatesPlain,
}

impl Way {
    /// The seed makes functions of signatures the same in each run.
    pub fn arguments(self, seed: &str) -> Vec<&str> {
        match self {
            Way::Signatures => vec!["-c", "--seed", seed],
            Way::SignaturesPlain => vec!["-c", "--seed", seed, "--disk-plain"],
            Way::States => Vec::new(),
            Way::StatesPlain => vec!["--disk-plain"],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Way::Signatures => "-c",
            Way::SignaturesPlain => "-c --disk-plain",
            Way::States => "exact",
            Way::StatesPlain => "exact --disk-plain",
        }
    }
}

/// One way, with less and less memory.
#[derive(Debug, Serialize)]
pub struct Sweep {
    pub way: Way,
    /// For each factor; `None`: a table cannot be as small as that.
    pub cells: Vec<Option<Cell>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    pub factor: f64,
    /// Memory for the table, and in all.
    pub table_bytes: u64,
    pub memory_bytes: u64,
    pub checks: u64,
    pub read_bytes: u64,
    pub written_bytes: u64,
    pub time: Time,
    pub slowdown: Slowdown,
}

/// Geometric means of the slowdowns of all models.
#[derive(Debug, Serialize)]
pub struct Mean {
    pub way: Way,
    pub factor: f64,
    pub models: usize,
    pub time: f64,
    pub processor_time: Option<f64>,
}

pub fn means(models: &[Figures], ways: &[Way], factors: &[f64]) -> Vec<Mean> {
    let mut means = Vec::new();
    if models.len() < 2 {
        return means;
    }
    for &way in ways {
        for (at, &factor) in factors.iter().enumerate() {
            let sweeps =
                models.iter().flat_map(|figures| figures.sweeps.iter().filter(|sweep| sweep.way == way));
            let cells: Vec<&Cell> = sweeps.filter_map(|sweep| sweep.cells.get(at)?.as_ref()).collect();
            let Some(time) = geometric(cells.iter().map(|cell| Some(cell.slowdown.time))) else { continue };
            let processor_time = geometric(cells.iter().map(|cell| cell.slowdown.processor_time));
            means.push(Mean { way, factor, models: cells.len(), time, processor_time });
        }
    }
    means
}

/// `None`: there are none, or not all of them are known.
fn geometric(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(|value| value.map(f64::ln)).collect::<Option<_>>()?;
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn figures(name: &str, slowdowns: [f64; 2]) -> Figures {
        let exact = Time { seconds: 2.0, processor_seconds: Some(1.5) };
        let cell = |factor: f64, slowdown: f64| {
            let time = Time { seconds: 2.0 * slowdown, processor_seconds: Some(1.5 * slowdown) };
            Some(Cell {
                factor,
                table_bytes: (4e6 / factor) as u64,
                memory_bytes: 5_000_000,
                checks: 12,
                read_bytes: 7_000_000,
                written_bytes: 3_000_000,
                time,
                slowdown: time.over(exact),
            })
        };
        Figures {
            name: name.to_owned(),
            bits_per_state: 12,
            states: 100,
            rules: 200,
            depth: 7,
            exact: Exact { time: exact, memory_bytes: 4_000_000 },
            sweeps: vec![Sweep {
                way: Way::Signatures,
                cells: vec![cell(1.0, slowdowns[0]), cell(10.0, slowdowns[1]), None],
            }],
        }
    }

    #[test]
    fn means_are_geometric() {
        let models = [figures("ring", [1.0, 1.0]), figures("list", [1.21, 4.0])];
        let means = means(&models, &[Way::Signatures, Way::States], &[1.0, 10.0, 100.0]);
        let found: Vec<(f64, usize)> = means.iter().map(|mean| (mean.factor, mean.models)).collect();
        assert_eq!(found, [(1.0, 2), (10.0, 2)]);
        assert!((means[0].time - 1.1).abs() < 1e-9 && (means[1].time - 2.0).abs() < 1e-9);
        assert!((means[0].processor_time.unwrap() - 1.1).abs() < 1e-9);
        assert!(super::means(&models[..1], &[Way::Signatures], &[1.0]).is_empty());
    }

    #[test]
    fn the_best_time_is_the_best_of_each_kind() {
        let one = Time { seconds: 1.0, processor_seconds: Some(3.0) };
        let other = Time { seconds: 2.0, processor_seconds: Some(2.0) };
        let best = one.best(other);
        assert_eq!((best.seconds, best.processor_seconds), (1.0, Some(2.0)));
        assert_eq!(best.best(Time { processor_seconds: None, ..other }).processor_seconds, None);
        assert_eq!(other.over(one).time, 2.0);
    }
}
