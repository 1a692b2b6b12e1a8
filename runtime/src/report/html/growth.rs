//! How a search grew, as plots: states, their rate and memory over time, states by depth, and how
//! far transitions lead where that was measured.

use super::plot::{Plot, Shape};
use crate::locality::Locality;
use crate::report::progress::Sample;
use crate::text::{bytes, grouped};
use std::io::{self, Write};

/// Intervals over which rates are means, at most.
const INTERVALS: f64 = 60.0;

pub(super) fn write(samples: &[Sample], locality: Option<&Locality>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section id=\"growth\"><h2>Growth</h2>")?;
    let number = |value: f64| grouped(value as u64);
    let seconds = duration;
    let samples = without_end(samples);
    let by_time = |of: fn(&Sample) -> f64| samples.iter().map(|one| (one.seconds, of(one))).collect();
    let depth = |value: f64| format!("depth {}", grouped(value as u64));
    let plots = [
        Plot {
            title: "states found, over time",
            points: by_time(|one| one.states as f64),
            shape: Shape::Line,
            across: &seconds,
            up: &number,
        },
        Plot {
            title: "states found per second, over time",
            points: rates(samples),
            shape: Shape::Line,
            across: &seconds,
            up: &number,
        },
        Plot {
            title: "memory, over time",
            points: by_time(|one| one.memory as f64),
            shape: Shape::Line,
            across: &seconds,
            up: &|value| bytes(value as u64),
        },
        Plot {
            title: "states found up to a depth",
            points: up_to_depths(samples),
            shape: Shape::Line,
            across: &depth,
            up: &number,
        },
        Plot {
            title: "states at each depth",
            points: at_depths(&up_to_depths(samples)),
            shape: Shape::Bars,
            across: &depth,
            up: &number,
        },
    ];
    let mut drawn = false;
    for plot in &plots {
        drawn |= plot.write(out)?;
    }
    drawn |= write_locality(locality, out)?;
    if !drawn {
        writeln!(out, "<p class=\"note\">The search was too short to be plotted.</p>")?;
    }
    writeln!(out, "</section>")
}

/// A time, with a unit that suits it.
fn duration(seconds: f64) -> String {
    if seconds >= 1.0 || seconds <= 0.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.2} ms", 1e3 * seconds)
    } else {
        format!("{:.0} µs", 1e6 * seconds)
    }
}

/// Without the samples after the search, when its memory is released and nothing more is found.
fn without_end(samples: &[Sample]) -> &[Sample] {
    let mut kept = samples;
    while let [.., before, last] = kept
        && last.states == before.states
        && last.memory < before.memory
    {
        kept = kept.get(..kept.len() - 1).unwrap_or(&[]);
    }
    kept
}

/// States for each second, as means over intervals that are long enough to mean something.
fn rates(samples: &[Sample]) -> Vec<(f64, f64)> {
    let whole = samples.last().map_or(0.0, |last| last.seconds);
    let mut from: Option<&Sample> = samples.first();
    let mut points = Vec::new();
    for sample in samples {
        let Some(before) = from else { break };
        let passed = sample.seconds - before.seconds;
        if passed > 0.0 && passed >= whole / INTERVALS {
            let found = sample.states.saturating_sub(before.states);
            points.push((sample.seconds, found as f64 / passed));
            from = Some(sample);
        }
    }
    points
}

/// For each depth the last number of states that is known of it.
fn up_to_depths(samples: &[Sample]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for sample in samples {
        let point = (f64::from(sample.depth), sample.states as f64);
        match points.last_mut() {
            Some(last) if last.0 == point.0 => *last = point,
            _ => points.push(point),
        }
    }
    points
}

/// States at each depth; where depths were passed without a sample, their mean.
fn at_depths(up_to: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut before = (-1.0, 0.0);
    for &(depth, states) in up_to {
        let levels = depth - before.0;
        if levels >= 1.0 {
            points.push((depth, (states - before.1).max(0.0) / levels));
            before = (depth, states);
        }
    }
    points
}

/// Whether there was a profile to draw.
fn write_locality(locality: Option<&Locality>, out: &mut dyn Write) -> io::Result<bool> {
    let Some(Ok(profile)) = locality.map(|locality| &locality.profile) else { return Ok(false) };
    let rows = profile.rows.iter().map(|row| (row.difference as f64, row.mean));
    Plot {
        title: "share of transitions, by levels that they lead on",
        points: rows.collect::<Vec<_>>().into_iter().rev().collect(),
        shape: Shape::Bars,
        across: &|value| format!("{value:+}"),
        up: &|value| format!("{:.1} %", 100.0 * value),
    }
    .write(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seconds: f64, states: u64, depth: u32) -> Sample {
        Sample { seconds, states, depth, memory: 10 * states }
    }

    #[test]
    fn levels_are_differences_and_rates_are_means() {
        let samples = [sample(0.0, 1, 0), sample(1.0, 3, 1), sample(1.5, 4, 1), sample(3.0, 10, 3)];
        assert_eq!(up_to_depths(&samples), [(0.0, 1.0), (1.0, 4.0), (3.0, 10.0)]);
        assert_eq!(at_depths(&up_to_depths(&samples)), [(0.0, 1.0), (1.0, 3.0), (3.0, 3.0)]);
        assert_eq!(rates(&samples), [(1.0, 2.0), (1.5, 2.0), (3.0, 4.0)]);
    }

    #[test]
    fn a_short_search_has_no_plots() {
        let mut text = Vec::new();
        write(&[sample(0.0, 1, 0)], None, &mut text).unwrap();
        assert!(String::from_utf8(text).unwrap().contains("too short"));
    }
}
