//! What is reported of a cache: its figures, how often it evicted states, and how large it should
//! have been.

use super::kept::WAYS;
use super::plan::{Plan, Size};
use super::sets::Replace;
use super::{CacheStats, LevelStats};
use crate::bounds::assurance::Assurance;
use crate::bounds::extrapolation::total;
use crate::bounds::{Probability, Shape, cached};
use crate::datum::{Datum, Section};
use crate::text::{bytes, grouped, plural};
use crate::visited::InsertError;
use crate::visited::stats::{Explanation, SearchFacts, SetStats, SignatureTable};
use serde::{Deserialize, Serialize};

/// Rows of the table of collision rates.
const ROWS: usize = 10;
/// Levels in which fewer than one stored state in this number evicted another have about the sizes
/// of an exact search.
const ALMOST_EXACT: u64 = 20;

impl SetStats for CacheStats {
    fn sections(&self, search: &SearchFacts<'_>) -> Vec<Section> {
        let lines = self.lines(search.is_cut).into_iter().chain(search.assurance.map(Assurance::line));
        let cache = Section { key: "cache", figures: self.figures(), lines: lines.collect() };
        let signatures = self.signatures.zip(search.assurance).map(|((bits, _), assurance)| {
            let table = SignatureTable {
                bits,
                slots: self.plan.entries(),
                table_bytes: self.plan.bytes(),
                record_bytes: self.record_bytes,
                levels: self.used_levels().map(|level| level.insertions).collect(),
                probes: Some(WAYS as u64),
            };
            table.section(assurance, Vec::new())
        });
        [cache].into_iter().chain(signatures).collect()
    }

    fn assurance(&self, depth: u64, target: Option<Probability>) -> Option<Assurance> {
        let (bits, seed) = self.signatures?;
        let (slots, stored) = (self.plan.entries(), self.all().insertions);
        Some(Assurance::of(bits, seed, target, |bits| {
            cached(Shape { slots, collision: bits.likeliest() }, WAYS as u64, depth, stored)
        }))
    }

    fn letter(&self) -> Option<serde_json::Value> {
        let CacheStats { plan: Plan { segments, sets, .. }, levels, hits, distinct, record_bytes, .. } = self;
        serde_json::to_value(Letter {
            segments: *segments,
            sets: *sets,
            levels: levels.clone(),
            hits: *hits,
            distinct: *distinct,
            record_bytes: *record_bytes,
        })
        .ok()
    }

    /// Each state is stored by one process alone, so all numbers can be added.
    fn join(&mut self, letter: &serde_json::Value) -> bool {
        let Ok(other) = Letter::deserialize(letter) else { return false };
        let numbers = [
            (&mut self.plan.segments, other.segments),
            (&mut self.plan.sets, other.sets),
            (&mut self.hits, other.hits),
            (&mut self.distinct, other.distinct),
            (&mut self.record_bytes, other.record_bytes),
        ];
        numbers.into_iter().for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self.levels.resize(self.levels.len().max(other.levels.len()), LevelStats::default());
        self.levels.iter_mut().zip(other.levels).for_each(|(sum, more)| sum.add(more));
        true
    }

    fn explain(&self, error: InsertError, search: &SearchFacts<'_>) -> Option<Explanation> {
        let limit = self.max_collisions.filter(|_| error == InsertError::Collisions)?;
        let rate = self.all().rate();
        let reason = format!(
            "the collision rate {rate:.3} is above {limit} (--max-collisions): so many of the states stored took the place of others that the \
             search seems to go round in circles"
        );
        Some(Explanation { reason, advice: self.larger(search.packed) })
    }
}

/// The figures of the part of a cache that one process has.
#[derive(Serialize, Deserialize)]
struct Letter {
    segments: u64,
    sets: u64,
    levels: Vec<LevelStats>,
    hits: u64,
    distinct: u64,
    record_bytes: u64,
}

impl CacheStats {
    /// Levels in which something was stored.
    fn used_levels(&self) -> impl Iterator<Item = &LevelStats> {
        self.levels.iter().filter(|level| level.insertions > 0)
    }

    fn figures(&self) -> Datum {
        let all = self.all();
        let of_levels = |count: fn(&LevelStats) -> u64| self.used_levels().map(count).collect::<Vec<u64>>();
        Datum::record([
            ("bytes", self.plan.bytes().into()),
            ("entries", self.plan.entries().into()),
            ("bytes_per_entry", self.plan.bytes_per_entry().into()),
            ("ways", WAYS.into()),
            ("replace", self.replace.name().into()),
            // None: whole states.
            ("bits", self.signatures.map(|(bits, _)| bits.get()).into()),
            ("insertions", all.insertions.into()),
            ("replaced", all.replaced.into()),
            ("collision_rate", all.rate().into()),
            ("hits", self.hits.into()),
            ("estimated_states", self.estimated().into()),
            ("record_bytes", self.record_bytes.into()),
            ("levels", of_levels(|level| level.insertions).into()),
            ("replaced_by_level", of_levels(|level| level.replaced).into()),
        ])
    }

    /// About how many different states were visited; exactly, if none was evicted.
    fn estimated(&self) -> u64 {
        match self.all() {
            LevelStats { insertions, replaced: 0 } => insertions,
            all => self.distinct.min(all.insertions),
        }
    }

    /// Lines of the summary.
    fn lines(&self, cut: bool) -> Vec<String> {
        let all = self.all();
        let mut lines = vec![format!(
            "a cache of {}, {:.2} bytes each, {}, --replace {}; collision rate {:.3}",
            plural(self.plan.entries(), "state"),
            self.plan.bytes_per_entry(),
            bytes(self.plan.bytes()),
            self.replace.name(),
            all.rate()
        )];
        if all.replaced > 0 {
            lines.push(format!(
                "there are about {} different states (estimated, within some percent); those that were forgotten and found again were \
                 visited more than once, and states, rules and covers are counted for each visit",
                grouped(self.estimated())
            ));
        }
        if cut && all.replaced > 0 {
            lines.extend(table(&self.used_levels().copied().collect::<Vec<_>>()));
        }
        lines
    }

    /// A cache with which the search may end. What is known are the states seen so far. If the
    /// levels before the first eviction show how they would have gone on, there may be more.
    fn larger(&self, packed: bool) -> String {
        let seen = self.estimated();
        let exact: Vec<u64> = self
            .used_levels()
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
        let size = states as f64 * self.plan.bytes_per_entry() * 1.1;
        let smaller = match (self.signatures, packed) {
            (None, false) => "; -b makes states smaller, and -c keeps signatures instead of them",
            (None, true) => "; -c keeps signatures instead of states",
            (Some(_), _) => "",
        };
        let entries = (states as f64 * 1.1) as u64;
        // One of the two is accepted beside itself, not beside the other.
        let [all, half] = match self.size {
            Size::States(_) => [format!("--cache-states {entries}"), (entries / 2).to_string()],
            Size::Bytes(_) => [format!("--cache {}", typed(size)), typed(size / 2.0)],
        };
        format!(
            "{all} holds all of the about {} states that {how}; half of that, {half}, is enough for many models{smaller}",
            grouped(states)
        )
    }
}

/// What is going to be done.
pub fn heading(replace: Replace, plan: Plan) -> String {
    format!(
        "A cache of {}, {}, --replace {}",
        plural(plan.entries(), "state"),
        bytes(plan.bytes()),
        replace.name()
    )
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

/// An amount of memory as users type it, rounded up.
fn typed(bytes: f64) -> String {
    match bytes {
        ..1e7 => format!("{}K", (bytes / 1024.0).ceil()),
        _ => format!("{}M", (bytes / 1024.0 / 1024.0).ceil()),
    }
}
