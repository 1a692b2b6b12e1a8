//! Figures 4 and 5 of the paper: what a search costs that keeps the path and few other states.

use super::Report;
use crate::shared::{ExperimentError, Runs};
use serde::Serialize;
use std::fmt::Write;

/// The rules by which states are evicted.
pub const POLICIES: [&str; 4] = ["random", "type", "oldest", "small"];

/// What is run.
pub struct Plan {
    /// States beside the path, as parts of all states, the largest first.
    pub fractions: Vec<f64>,
    pub policies: Vec<String>,
    /// A search is stopped after this number of visits for each state.
    pub most: u64,
    /// Of the choice of what is evicted.
    pub seed: u64,
}

/// One run with a cache.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    pub fraction: f64,
    /// States beside the path.
    pub entries: u64,
    /// The most states in memory: the path, and those beside it.
    pub kept: u64,
    pub visits: u64,
    pub transitions: u64,
    pub seconds: f64,
    /// It ended by itself: all states were visited.
    pub ended: bool,
}

/// The runs of one policy, with or without sleep sets.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    pub sleep: bool,
    pub policy: String,
    pub points: Vec<Point>,
}

impl Curve {
    pub fn name(&self) -> String {
        format!("{}{}", if self.sleep { "sleep sets, " } else { "" }, self.policy)
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub name: String,
    pub states: u64,
    /// Without sleep sets, and with all states kept.
    pub transitions: u64,
    pub seconds: f64,
    pub curves: Vec<Curve>,
}

/// Runs everything. `progress` is called with what was done.
pub fn measure(runs: &Runs, plan: &Plan, progress: impl Fn(&str)) -> Result<Figures, ExperimentError> {
    let whole: Report = runs.verified(runs.best(&["-vdfs", "--cache-states", "1000000000000"])?)?;
    let seed = plan.seed.to_string();
    let bound = whole.states.saturating_mul(plan.most).to_string();
    let mut curves = Vec::new();
    for sleep in [false, true] {
        for policy in &plan.policies {
            let mut points: Vec<Point> = Vec::new();
            for &fraction in &plan.fractions {
                let entries = ((whole.states as f64 * fraction).round() as u64).max(1);
                let size = entries.to_string();
                let mut arguments = vec![
                    "-vdfs",
                    "--cache-states",
                    &size,
                    "--replace",
                    policy,
                    "--max-states",
                    &bound,
                    "--seed",
                    &seed,
                ];
                if sleep {
                    arguments.push("--sleep=path");
                }
                let report: Report = runs.best(&arguments)?;
                let ended = match report.verdict.as_str() {
                    "verified" => true,
                    "inconclusive" => false,
                    _ => return Err(runs.unexpected(&report)),
                };
                let kept = report.details.path.and_then(|path| path.cache).map_or(0, |cache| cache.most_kept);
                let point = Point {
                    fraction,
                    entries,
                    kept,
                    visits: report.states,
                    transitions: report.rules,
                    seconds: report.seconds,
                    ended,
                };
                let name = Curve { sleep, policy: policy.clone(), points: Vec::new() }.name();
                progress(&format!(
                    "{}, {name}, {entries} states: {} rules{}",
                    runs.verifier.name,
                    point.transitions,
                    if ended { "" } else { ", stopped" }
                ));
                points.push(point);
                // With fewer it would take even longer.
                if !ended {
                    break;
                }
            }
            curves.push(Curve { sleep, policy: policy.clone(), points });
        }
    }
    let name = runs.verifier.name.clone();
    Ok(Figures { name, states: whole.states, transitions: whole.rules, seconds: whole.seconds, curves })
}

pub fn render(models: &[Figures]) -> String {
    let mut text = String::new();
    for figures in models {
        let Figures { name, states, transitions, seconds, .. } = figures;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "### {name}: {states} states, {transitions} rules, {seconds:.3} s\n");
        text += "| search | states beside the path | most kept | of all states | visits | rules | relative to all | time |\n\
                 |---|---:|---:|---:|---:|---:|---:|---:|\n";
        for curve in &figures.curves {
            for (at, point) in curve.points.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {:.2} % | {} | {} | {:.2}{} | {:.3} s |",
                    if at == 0 { curve.name() } else { String::new() },
                    point.entries,
                    point.kept,
                    100.0 * point.kept as f64 / (*states).max(1) as f64,
                    point.visits,
                    point.transitions,
                    point.transitions as f64 / (*transitions).max(1) as f64,
                    if point.ended { "" } else { "∞" },
                    point.seconds
                );
            }
        }
        text.push('\n');
    }
    text + "∞: it was stopped. Most kept: the path, and what is beside it.\n"
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn figures() -> Figures {
        let point = |entries: u64, ended| Point {
            fraction: entries as f64 / 100.0,
            entries,
            kept: entries + 10,
            visits: 120,
            transitions: 600,
            seconds: 0.5,
            ended,
        };
        let curve =
            |sleep| Curve { sleep, policy: "random".into(), points: vec![point(50, true), point(5, sleep)] };
        Figures {
            name: "ring".into(),
            states: 100,
            transitions: 300,
            seconds: 0.25,
            curves: vec![curve(false), curve(true)],
        }
    }

    #[test]
    fn tables_mark_what_was_stopped() {
        let text = render(&[figures()]);
        assert!(text.contains("| random | 50 | 60 | 60.00 % | 120 | 600 | 2.00 | 0.500 s |"), "{text}");
        assert!(text.contains("|  | 5 | 15 | 15.00 % | 120 | 600 | 2.00∞ | 0.500 s |"), "{text}");
        assert!(text.contains("| sleep sets, random | 50 |"), "{text}");
    }
}
