//! What was measured, next to what the formulas say.

use super::confidence::interval;
use mcc_runtime::internals::Bits;
use mcc_runtime::internals::{Levels, Shape};
use serde::Serialize;
use std::fmt::Write;

/// How sure the intervals are.
pub const CONFIDENCE: f64 = 0.9;

#[derive(Debug, Serialize)]
pub struct Report {
    pub runs: u64,
    pub first_seed: u64,
    pub models: Vec<Figures>,
}

#[derive(Debug, Serialize)]
pub struct Figures {
    pub name: String,
    pub states: u64,
    pub depth: u64,
    pub slots: u64,
    pub runs: u64,
    pub rows: Vec<Row>,
}

/// One number of bits.
#[derive(Debug, Serialize)]
pub struct Row {
    pub bits: u32,
    /// Runs that missed the state.
    pub missed: u64,
    pub rate: f64,
    /// The interval around the rate.
    pub low: f64,
    pub high: f64,
    /// The bound on missing a state of the last level, from the levels of the exact search.
    pub bound: f64,
    /// The mean of the bounds that the verifiers reported.
    #[serde(rename = "told")]
    pub reported: f64,
    /// The bound on missing even one state in the previous scheme.
    pub previous_scheme: f64,
    /// The share of all states that were missed, on average over all runs.
    pub mean_missed: f64,
    /// The mean over all states of the bound on missing a state of its level.
    pub mean_bound: f64,
}

impl Row {
    /// `levels`: the states of each level of the exact search.
    pub fn new(bits: u32, levels: &[u64], slots: u64, seen: &[Seen]) -> Self {
        let runs = seen.len() as u64;
        let missed = seen.iter().filter(|seen| !seen.found).count() as u64;
        let (low, high) = interval(missed, runs, CONFIDENCE);
        let collision = Bits::new(bits).map_or(1.0, Bits::likeliest);
        let shape = Shape { slots, collision };
        let mut bounds = Levels::new(shape);
        let states: u64 = levels.iter().sum();
        let mut expected = 0.0;
        for &found in levels {
            bounds.finish(found);
            expected += bounds.bounds().seen * found as f64;
        }
        let mean = |value: fn(&Seen) -> f64| seen.iter().map(value).sum::<f64>() / runs as f64;
        Row {
            bits,
            missed,
            rate: missed as f64 / runs as f64,
            low,
            high,
            bound: bounds.bounds().seen,
            reported: mean(|seen| seen.bound),
            previous_scheme: shape.previous_scheme(states),
            mean_missed: 1.0 - mean(|seen| seen.states as f64) / states as f64,
            mean_bound: expected / states as f64,
        }
    }

    /// Whether the bound may be true: it does not lie below the whole interval.
    pub fn holds(&self) -> bool {
        self.low <= self.bound
    }
}

/// What one run reported.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub found: bool,
    pub bound: f64,
    pub states: u64,
}

impl Figures {
    pub fn bounds_hold(&self) -> bool {
        self.rows.iter().all(Row::holds)
    }

    pub fn table(&self) -> String {
        let mut text = format!(
            "## {}\n\n{} states, depth {}, {} slots, {} runs for each number of bits\n\n",
            self.name, self.states, self.depth, self.slots, self.runs
        );
        text.push_str(
            "| bits | missed | rate | 90 % interval | bound | reported by the verifier | previous scheme | mean of all states: missed | bound |\n",
        );
        text.push_str("|---|---|---|---|---|---|---|---|---|\n");
        for row in &self.rows {
            let Row {
                bits,
                missed,
                rate,
                low,
                high,
                bound,
                reported,
                previous_scheme,
                mean_missed,
                mean_bound,
            } = row;
            let mark = if row.holds() { "" } else { " **above the bound**" };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "| {bits} | {missed} | {rate:.3}{mark} | {low:.4} to {high:.4} | {bound:.2e} | {reported:.2e} | \
                 {previous_scheme:.2e} | {mean_missed:.2e} | {mean_bound:.2e} |"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(missed: usize, bits: u32) -> Row {
        let seen: Vec<Seen> =
            (0..100).map(|run| Seen { found: run >= missed, bound: 0.5, states: 12 }).collect();
        Row::new(bits, &[1, 2, 4, 8], 17, &seen)
    }

    #[test]
    fn a_rate_is_judged_by_its_interval() {
        let row_of = row(3, 8);
        assert_eq!((row_of.missed, row_of.rate), (3, 0.03));
        assert!((row_of.mean_missed - 0.2).abs() < 1e-12);
        assert!(row_of.mean_bound > 0.0 && row_of.mean_bound < row_of.bound);
        // The bound is about 0.005, the interval from 0.008 on.
        assert!(!row_of.holds());
        assert!(row(1, 8).holds() && row(0, 24).holds());
        let figures =
            Figures { name: "tiny".into(), states: 15, depth: 3, slots: 17, runs: 100, rows: vec![row_of] };
        assert!(!figures.bounds_hold());
        assert!(figures.table().contains("| 8 | 3 | 0.030 **above the bound** |"), "{}", figures.table());
    }
}
