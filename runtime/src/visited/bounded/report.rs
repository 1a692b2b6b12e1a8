//! What is reported of a cache along a path: its figures, and whether it was too small.

use super::choice::Eviction;
use super::outlook::Outlook;
use super::{PathCacheStats, PathCaching, capacity};
use crate::datum::{Datum, Section};
use crate::text::{bytes, grouped, plural};
use crate::visited::stats::{PathFacts, SearchFacts, SetStats};

impl SetStats for PathCacheStats {
    fn sections(&self, search: &SearchFacts<'_>) -> Vec<Section> {
        let Some(path) = search.path else { return Vec::new() };
        let outlook = Outlook::of(self, search.states, search.rules, path.matched, path.longest);
        let figures = Datum::record([
            ("states_beside_path", self.capacity.into()),
            ("bytes_per_state", self.bytes_per_state.into()),
            ("replace", self.eviction.name().into()),
            ("most_kept", self.most.into()),
            ("most_kept_beside_path", self.most_beside.into()),
            ("forgotten", self.evicted.into()),
            ("hits", self.hits.into()),
            ("estimated_states", self.estimated(search.states).into()),
            ("visits_per_state", self.visits(search.states).into()),
            ("outlook", outlook.name().into()),
        ]);
        let lines = self.lines(search.states, path, outlook);
        vec![Section { key: "path.cache", figures, lines }]
    }
}

impl PathCacheStats {
    /// About how many different states were visited; exactly, if none was evicted.
    fn estimated(&self, visits: u64) -> u64 {
        if self.evicted == 0 { visits } else { self.distinct }
    }

    fn visits(&self, visits: u64) -> f64 {
        visits as f64 / self.estimated(visits).max(1) as f64
    }

    fn lines(&self, visits: u64, path: PathFacts, outlook: Outlook) -> Vec<String> {
        let mut lines = vec![format!(
            "at most {} kept, {} of them beside the path, {} each; {} forgotten, --replace {}",
            plural(self.most, "state"),
            grouped(self.most_beside),
            bytes(self.bytes_per_state),
            grouped(self.evicted),
            self.eviction.name()
        )];
        if self.evicted > 0 {
            lines.push(format!(
                "there are about {} different states (estimated, within some percent), each visited {:.2} times; \
                 states, rules and covers are counted for each visit",
                grouped(self.estimated(visits)),
                self.visits(visits)
            ));
            lines.extend(self.advice(visits, outlook, path.sleeps));
        }
        lines
    }

    /// What the cache was like, and what to do about it.
    fn advice(&self, visits: u64, outlook: Outlook, sleeps: bool) -> Option<String> {
        let states = self.estimated(visits);
        // Our models get by with fewer than a quarter of their states, see docs/internals/sleep.md.
        let more = (states / 4).max(2 * self.capacity).min(states);
        let mut other = Vec::new();
        if !sleeps {
            other.push("--sleep");
        }
        other.push(match self.eviction {
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
}

/// What is going to be done.
pub fn heading(caching: PathCaching, words: usize) -> String {
    format!(
        "The path and {} beside it, --replace {}",
        plural(capacity(caching.size, words), "state"),
        caching.eviction.name()
    )
}
