//! What was measured, and what follows from it.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Report {
    pub fractions: Vec<f64>,
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
    pub sweeps: Vec<Sweep>,
}

/// What the visited set keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Store {
    /// States, packed to the bit.
    #[serde(rename = "-b")]
    Packed,
    /// Signatures of 40 bits.
    #[serde(rename = "-b -c")]
    Compact,
}

/// Which state is evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Replace {
    Direct,
    Oldest,
}

pub const STORES: [Store; 2] = [Store::Packed, Store::Compact];
pub const WAYS: [Replace; 2] = [Replace::Direct, Replace::Oldest];

impl Store {
    /// The seed makes functions of signatures the same in each run.
    pub fn arguments(self, seed: &str) -> Vec<&str> {
        match self {
            Store::Packed => vec!["-b"],
            Store::Compact => vec!["-b", "-c", "--seed", seed],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Store::Packed => "-b",
            Store::Compact => "-b -c",
        }
    }
}

impl Replace {
    pub fn name(self) -> &'static str {
        match self {
            Replace::Direct => "direct",
            Replace::Oldest => "oldest",
        }
    }
}

/// One way of keeping and replacing, with less and less memory.
#[derive(Debug, Serialize)]
pub struct Sweep {
    pub store: Store,
    pub replace: Replace,
    pub exact: Exact,
    /// For each fraction; `None`: there is no cache as small as that.
    pub cells: Vec<Option<Cell>>,
    /// With this fraction the search ended by itself, and with all larger ones that were tried.
    pub smallest: Option<f64>,
}

/// The search that keeps all states.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Exact {
    pub seconds: f64,
    /// The most that the visited set, the predecessors and the frontier took.
    pub memory_bytes: u64,
}

/// How a search with a cache ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself: everything is verified.
    Itself,
    /// It was stopped, and had come to all states.
    StoppedAllVisited,
    /// It was stopped before.
    StoppedNotAll,
}

impl End {
    /// As in the paper.
    pub fn mark(self) -> &'static str {
        match self {
            End::Itself => "",
            End::StoppedAllVisited => "*",
            End::StoppedNotAll => "∞",
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cell {
    pub fraction: f64,
    /// Of the cache.
    pub entries: u64,
    pub cache_bytes: u64,
    pub end: End,
    pub states: u64,
    pub rules: u64,
    pub seconds: f64,
    /// Different states that it came to, of a search that was stopped.
    pub distinct: Option<u64>,
    pub ratios: Ratios,
    pub collision_rate: f64,
}

/// Relative to the search that keeps all states.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ratios {
    pub states: f64,
    pub rules: f64,
    pub time: f64,
}

/// Over all models, for one way and one fraction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    pub store: Store,
    pub replace: Replace,
    pub fraction: f64,
    /// Models whose search ended by itself, and all that were tried.
    pub ended: usize,
    pub models: usize,
    /// The geometric mean of the ratios of those that ended.
    pub time: Option<f64>,
    pub states: Option<f64>,
}

/// The last fraction of those that end one after the other, from the largest down.
pub fn smallest(cells: &[Option<Cell>]) -> Option<f64> {
    let ended = |cell: &&Option<Cell>| matches!(cell, Some(Cell { end: End::Itself, .. }));
    cells.iter().take_while(ended).last().and_then(|cell| cell.map(|cell| cell.fraction))
}

pub fn means(models: &[Figures], fractions: &[f64]) -> Vec<Mean> {
    if models.len() < 2 {
        return Vec::new();
    }
    let mut means = Vec::new();
    for store in STORES {
        for replace in WAYS {
            for (at, &fraction) in fractions.iter().enumerate() {
                let sweeps = models.iter().flat_map(|figures| &figures.sweeps);
                let ours = sweeps.filter(|sweep| sweep.store == store && sweep.replace == replace);
                let cells: Vec<Cell> =
                    ours.filter_map(|sweep| sweep.cells.get(at).copied().flatten()).collect();
                let ended: Vec<&Cell> = cells.iter().filter(|cell| cell.end == End::Itself).collect();
                means.push(Mean {
                    store,
                    replace,
                    fraction,
                    ended: ended.len(),
                    models: cells.len(),
                    time: geometric_mean(ended.iter().map(|cell| cell.ratios.time)),
                    states: geometric_mean(ended.iter().map(|cell| cell.ratios.states)),
                });
            }
        }
    }
    means
}

/// `None` of nothing.
fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(|value| value.max(f64::MIN_POSITIVE).ln()).collect();
    let count = logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / count).exp())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn cell(fraction: f64, end: End, time: f64) -> Option<Cell> {
        let ratios = Ratios { states: 1.5, rules: 1.5, time };
        Some(Cell {
            fraction,
            entries: 16,
            cache_bytes: 256,
            end,
            states: 150,
            rules: 300,
            seconds: time,
            distinct: None,
            ratios,
            collision_rate: 0.5,
        })
    }

    pub fn figures(name: &str, times: [f64; 2]) -> Figures {
        let cells = vec![cell(1.0, End::Itself, times[0]), cell(0.5, End::StoppedNotAll, times[1]), None];
        let exact = Exact { seconds: 1.0, memory_bytes: 4096 };
        let sweep = Sweep {
            store: Store::Packed,
            replace: Replace::Oldest,
            exact,
            smallest: smallest(&cells),
            cells,
        };
        Figures {
            name: name.to_owned(),
            bits_per_state: 12,
            states: 100,
            rules: 200,
            depth: 7,
            sweeps: vec![sweep],
        }
    }

    #[test]
    fn the_smallest_fraction_has_no_gap_above_it() {
        let (ends, stops) = (End::Itself, End::StoppedAllVisited);
        assert_eq!(smallest(&[cell(1.0, ends, 1.0), cell(0.9, ends, 1.0), None]), Some(0.9));
        assert_eq!(smallest(&[cell(1.0, ends, 1.0), cell(0.9, stops, 1.0), cell(0.8, ends, 1.0)]), Some(1.0));
        assert_eq!(smallest(&[cell(1.0, stops, 1.0)]), None);
    }

    #[test]
    fn means_are_geometric_and_of_those_that_ended() {
        let all = means(&[figures("a", [1.0, 2.0]), figures("b", [4.0, 2.0])], &[1.0, 0.5, 0.1]);
        let of = |fraction: f64| {
            let ours = |mean: &&Mean| {
                (mean.store, mean.replace) == (Store::Packed, Replace::Oldest) && mean.fraction == fraction
            };
            all.iter().find(ours).unwrap()
        };
        assert!((of(1.0).time.unwrap() - 2.0).abs() < 1e-12);
        assert_eq!((of(1.0).ended, of(1.0).models), (2, 2));
        assert_eq!((of(0.5).ended, of(0.5).models, of(0.5).time), (0, 2, None));
        assert_eq!((of(0.1).ended, of(0.1).models), (0, 0));
        assert!(means(&[figures("a", [1.0, 2.0])], &[1.0]).is_empty());
    }
}
