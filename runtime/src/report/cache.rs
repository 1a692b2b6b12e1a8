//! What is told of a search whose visited set forgets.

use crate::bounds::extrapolation::total;
use crate::settings::{Caching, Settings};
use crate::text::{bytes, grouped, plural};
use crate::visited::cache::plan::Plan;
use crate::visited::cache::plan::Size;
use crate::visited::cache::{CacheStats, LevelStats};
use serde::Serialize;

/// Rows of the table of collision rates.
const ROWS: usize = 10;
/// Levels in which fewer than one state in so many took the place of another have about the sizes
/// of an exact search.
const ALMOST_EXACT: u64 = 20;

#[derive(Debug, Serialize)]
pub struct CacheFigures {
    bytes: u64,
    entries: u64,
    bytes_per_entry: f64,
    ways: usize,
    replace: &'static str,
    /// Bits of a signature; `None`: whole states.
    bits: Option<u32>,
    insertions: u64,
    replaced: u64,
    collision_rate: f64,
    hits: u64,
    estimated_states: u64,
    record_bytes: u64,
    levels: Vec<u64>,
    replaced_by_level: Vec<u64>,
}

impl CacheFigures {
    pub fn new(cached: &CacheStats) -> Self {
        let all = cached.all();
        CacheFigures {
            bytes: cached.plan.bytes(),
            entries: cached.plan.entries(),
            bytes_per_entry: cached.plan.bytes_per_entry(),
            ways: crate::visited::cache::kept::WAYS,
            replace: cached.replace.name(),
            bits: cached.signatures.map(|(bits, _)| bits.get()),
            insertions: all.insertions,
            replaced: all.replaced,
            collision_rate: all.rate(),
            hits: cached.hits,
            estimated_states: estimated(cached),
            record_bytes: cached.record_bytes,
            levels: cached.levels.iter().map(|level| level.insertions).collect(),
            replaced_by_level: cached.levels.iter().map(|level| level.replaced).collect(),
        }
    }
}

/// About how many different states were visited; exactly, if none was forgotten.
fn estimated(cached: &CacheStats) -> u64 {
    match cached.all() {
        LevelStats { insertions, replaced: 0 } => insertions,
        all => cached.distinct.min(all.insertions),
    }
}

/// What is going to be done.
pub fn heading(caching: Caching, plan: Plan) -> String {
    format!(
        "A cache of {}, {}, --replace {}",
        plural(plan.entries(), "state"),
        bytes(plan.bytes()),
        caching.replace.name()
    )
}

/// Lines of the summary.
pub fn summary(cached: &CacheStats, cut: bool) -> Vec<String> {
    let all = cached.all();
    let mut lines = vec![format!(
        "a cache of {}, {:.2} bytes each, {}, --replace {}; collision rate {:.3}",
        plural(cached.plan.entries(), "state"),
        cached.plan.bytes_per_entry(),
        bytes(cached.plan.bytes()),
        cached.replace.name(),
        all.rate()
    )];
    if all.replaced > 0 {
        lines.push(format!(
            "there are about {} different states (estimated, within some percent); those that were forgotten and found again were \
             visited more than once, and states, rules and covers are counted for each visit",
            grouped(estimated(cached))
        ));
    }
    if cut && all.replaced > 0 {
        lines.extend(table(&cached.levels));
    }
    lines
}

/// The collision rate from the first level to the last, in a few rows.
fn table(levels: &[LevelStats]) -> Vec<String> {
    let each = levels.len().div_ceil(ROWS).max(1);
    let mut lines =
        vec![format!("{:>17}  {:>14}  {:>14}  {:>8}", "levels", "states stored", "for others", "so far")];
    let mut so_far = LevelStats::default();
    for (at, rows) in levels.chunks(each).enumerate() {
        let mut row = LevelStats::default();
        rows.iter().for_each(|level| row.add(*level));
        so_far.add(row);
        let (first, last) = (at * each, at * each + rows.len() - 1);
        let from_to = if first == last { first.to_string() } else { format!("{first} to {last}") };
        lines.push(format!(
            "{from_to:>17}  {:>14}  {:>13.1}%  {:>8.3}",
            grouped(row.insertions),
            100.0 * row.rate(),
            so_far.rate()
        ));
    }
    lines
}

/// Why a search ended that looked as if it would not.
pub fn too_many_collisions(cached: Option<&CacheStats>, limit: f64) -> String {
    let rate = cached.map_or(limit, |cached| cached.all().rate());
    format!(
        "the collision rate {rate:.3} is above {limit} (--max-collisions): so many of the states stored took the place of others that the \
         search seems to go round in circles"
    )
}

/// An amount of memory as users type it, rounded up.
fn typed(bytes: f64) -> String {
    match bytes {
        ..1e7 => format!("{}K", (bytes / 1024.0).ceil()),
        _ => format!("{}M", (bytes / 1024.0 / 1024.0).ceil()),
    }
}

/// A cache with which the search may end. What is known are the states seen so far; if the levels
/// before the first were forgotten show how they would have gone on, there may be more.
pub fn larger(cached: Option<&CacheStats>, settings: &Settings) -> String {
    let Some(cached) = cached else { return "a larger --cache".to_owned() };
    let seen = estimated(cached);
    let exact: Vec<u64> = cached
        .levels
        .iter()
        .take_while(|level| level.replaced * ALMOST_EXACT <= level.insertions)
        .map(|level| level.insertions)
        .collect();
    let (states, how) = match total(&exact) {
        Some(states) if states > seen => {
            (states, "there may be, by how the levels grew while hardly any was forgotten")
        }
        _ => (seen, "were seen so far; there may be more"),
    };
    // Sets are not filled evenly, so a few more entries than states are needed.
    let size = states as f64 * cached.plan.bytes_per_entry() * 1.1;
    let smaller = match (settings.compaction, settings.packed) {
        (None, false) => "; -b makes states smaller, and -c keeps signatures instead of them",
        (None, true) => "; -c keeps signatures instead of states",
        (Some(_), _) => "",
    };
    let entries = (states as f64 * 1.1) as u64;
    // One of the two is accepted beside itself, not beside the other.
    let [all, half] = match settings.cache.map(|cache| cache.size) {
        Some(Size::States(_)) => [format!("--cache-states {entries}"), (entries / 2).to_string()],
        Some(Size::Bytes(_)) | None => [format!("--cache {}", typed(size)), typed(size / 2.0)],
    };
    format!(
        "{all} holds all of the about {} states that {how}; half of that, {half}, is enough for many models{smaller}",
        grouped(states)
    )
}
