//! What is told of a search along a path: what slept, and what was forgotten.

use crate::search::Outcome;
use crate::search::descent::outlook::Outlook;
use crate::search::descent::{DescentStats, Slept};
use crate::text::{bytes, grouped, plural};
use crate::visited::bounded::choice::Eviction;
use crate::visited::bounded::{PathCacheStats, PathCaching, capacity};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct PathFigures {
    matched: u64,
    longest_path: u64,
    sleep: Option<SleepFigures>,
    cache: Option<PathCacheFigures>,
}

#[derive(Debug, Serialize)]
struct SleepFigures {
    left_out: u64,
    woken: u64,
    revisits: u64,
}

#[derive(Debug, Serialize)]
struct PathCacheFigures {
    states_beside_path: u64,
    bytes_per_state: u64,
    replace: &'static str,
    most_kept: u64,
    most_kept_beside_path: u64,
    forgotten: u64,
    hits: u64,
    estimated_states: u64,
    visits_per_state: f64,
    outlook: &'static str,
}

impl PathFigures {
    pub fn new(outcome: &Outcome) -> Option<Self> {
        let DescentStats { matched, slept, longest } = outcome.descended?;
        Some(PathFigures {
            matched,
            longest_path: longest,
            sleep: slept.map(|Slept { rules, woken, revisits }| SleepFigures {
                left_out: rules - woken,
                woken,
                revisits,
            }),
            cache: outcome.bounded.map(|bounds| PathCacheFigures {
                states_beside_path: bounds.capacity,
                bytes_per_state: bounds.bytes_per_state,
                replace: bounds.eviction.name(),
                most_kept: bounds.most,
                most_kept_beside_path: bounds.most_beside,
                forgotten: bounds.evicted,
                hits: bounds.hits,
                estimated_states: estimated(&bounds, outcome.counts.states),
                visits_per_state: visits(&bounds, outcome.counts.states),
                outlook: outlook(&bounds, outcome, matched, longest).name(),
            }),
        })
    }
}

/// About how many different states were visited; exactly, if none was forgotten.
fn estimated(bounds: &PathCacheStats, visits: u64) -> u64 {
    if bounds.evicted == 0 { visits } else { bounds.distinct }
}

fn visits(bounds: &PathCacheStats, visits: u64) -> f64 {
    visits as f64 / estimated(bounds, visits).max(1) as f64
}

/// What is going to be done.
pub fn heading(caching: PathCaching, words: usize) -> String {
    format!(
        "The path and {} beside it, --replace {}",
        plural(capacity(caching.size, words), "state"),
        caching.eviction.name()
    )
}

/// Lines of the summary.
pub fn summary(outcome: &Outcome) -> Vec<String> {
    let Some(DescentStats { matched, slept, longest }) = outcome.descended else { return Vec::new() };
    let share = 100.0 * matched as f64 / outcome.counts.rules.max(1) as f64;
    let mut lines = vec![format!(
        "{} on the path at most; {} fired led to known states ({share:.1} %)",
        plural(longest, "state"),
        plural(matched, "rule")
    )];
    if let Some(Slept { rules, woken, revisits }) = slept {
        lines.push(format!(
            "sleep sets: {} left out; {} more were at first, and fired in {} to known states",
            plural(rules - woken, "enabled rule"),
            grouped(woken),
            plural(revisits, "visit")
        ));
    }
    if let Some(bounds) = outcome.bounded {
        lines.push(format!(
            "at most {} kept, {} of them beside the path, {} each; {} forgotten, --replace {}",
            plural(bounds.most, "state"),
            grouped(bounds.most_beside),
            bytes(bounds.bytes_per_state),
            grouped(bounds.evicted),
            bounds.eviction.name()
        ));
        if bounds.evicted > 0 {
            lines.push(format!(
                "there are about {} different states (estimated, within some percent), each visited {:.2} times; \
                 states, rules and covers are counted for each visit",
                grouped(estimated(&bounds, outcome.counts.states)),
                visits(&bounds, outcome.counts.states)
            ));
            let outlook = outlook(&bounds, outcome, matched, longest);
            lines.extend(advice(&bounds, outcome, outlook, slept.is_some()));
        }
    }
    lines
}

fn outlook(bounds: &PathCacheStats, outcome: &Outcome, matched: u64, longest: u64) -> Outlook {
    Outlook::of(bounds, outcome.counts.states, outcome.counts.rules, matched, longest)
}

/// What the cache was like, and what to do about it.
fn advice(bounds: &PathCacheStats, outcome: &Outcome, outlook: Outlook, sleeps: bool) -> Option<String> {
    let states = estimated(bounds, outcome.counts.states);
    // Our models get by with fewer than a quarter of their states, see docs/internals/sleep.md.
    let more = (states / 4).max(2 * bounds.capacity).min(states);
    let mut other = Vec::new();
    if !sleeps {
        other.push("--sleep");
    }
    other.push(match bounds.eviction {
        Eviction::Small => "--replace type",
        Eviction::Random | Eviction::Type | Eviction::Oldest => "--replace small",
    });
    let also = format!(", or {}", other.join(" and "));
    match outlook {
        Outlook::Well => None,
        Outlook::Near => Some(format!(
            "the cache is not much larger than it has to be; a much smaller one would take very long. Faster: --cache-states {more}{also}"
        )),
        Outlook::Blown => Some(format!(
            "the cache is too small: most of the time went into states that had been visited before. Try --cache-states {more}{also}"
        )),
    }
}
