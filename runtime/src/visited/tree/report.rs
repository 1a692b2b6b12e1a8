//! What is reported of a tree-compressed set: what it is made of, and which variables take most.

use super::{LISTED, NodeStats, TreeStats};
use crate::datum::{Datum, Section};
use crate::text::{bytes, grouped, plural};
use crate::visited::InsertError;
use crate::visited::stats::{Explanation, SearchFacts, SetStats};
use serde::Deserialize;

/// Variables that are named for a node, at most.
const NAMED: usize = 6;

impl SetStats for TreeStats {
    fn sections(&self, _: &SearchFacts<'_>) -> Vec<Section> {
        let figures = Datum::record([
            ("leaves", self.leaves.into()),
            ("nodes", self.nodes.into()),
            ("pairs", self.pairs.into()),
            ("pair_bytes", self.pair_bytes.into()),
            ("root_bytes", self.root_bytes.into()),
            ("record_bytes", self.record_bytes.into()),
            ("bytes_per_state", self.each(self.pair_bytes + self.root_bytes).into()),
            ("largest_nodes", Datum::List(self.largest.iter().map(NodeStats::datum).collect())),
        ]);
        vec![Section { key: "tree", figures, lines: self.lines() }]
    }

    fn letter(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }

    /// Each process has inner nodes of its own, so a pair may be counted for several of them.
    fn join(&mut self, letter: &serde_json::Value) -> bool {
        let Ok(other) = TreeStats::deserialize(letter) else { return false };
        let numbers = [
            (&mut self.states, other.states),
            (&mut self.pairs, other.pairs),
            (&mut self.pair_bytes, other.pair_bytes),
            (&mut self.root_bytes, other.root_bytes),
            (&mut self.record_bytes, other.record_bytes),
        ];
        numbers.into_iter().for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self.nodes = self.nodes.max(other.nodes);
        self.largest.extend(other.largest);
        self.largest.sort_by_key(|node| std::cmp::Reverse(node.pairs));
        self.largest.truncate(LISTED);
        true
    }

    fn explain(&self, error: InsertError, _: &SearchFacts<'_>) -> Option<Explanation> {
        match error {
            InsertError::Numbers => Some(Explanation {
                reason: "a part of the tree has 2^32 different values".to_owned(),
                advice: "-c, which keeps signatures, or --disk DIR".to_owned(),
            }),
            InsertError::Memory
            | InsertError::Room
            | InsertError::Table
            | InsertError::Probes
            | InsertError::Collisions
            | InsertError::Disk(_)
            | InsertError::Stopped => None,
        }
    }
}

impl TreeStats {
    fn each(&self, bytes: u64) -> f64 {
        bytes as f64 / self.states.max(1) as f64
    }

    fn lines(&self) -> Vec<String> {
        let whole = format!(
            "tree of {} leaves: {:.1} bytes a state, {:.1} for its root and {:.1} for {:.2} pairs ({})",
            self.leaves,
            self.each(self.pair_bytes + self.root_bytes),
            self.each(self.root_bytes),
            self.each(self.pair_bytes),
            self.pairs as f64 / self.states.max(1) as f64,
            bytes(self.pair_bytes + self.root_bytes),
        );
        let worst = self.largest.first().filter(|node| node.pairs * 4 > self.states).map(|node| {
            format!(
                "its largest part has {} for {}: {}",
                plural(node.pairs, "pair"),
                plural(self.states, "state"),
                node.names()
            )
        });
        [Some(whole), worst].into_iter().flatten().collect()
    }
}

impl NodeStats {
    fn datum(&self) -> Datum {
        Datum::record([
            ("pairs", self.pairs.into()),
            ("bytes", self.bytes.into()),
            (
                "variables",
                Datum::List(self.variables.iter().map(|name| Datum::Text(name.clone().into())).collect()),
            ),
        ])
    }

    /// The variables below it, as many as can be read.
    fn names(&self) -> String {
        let named = self.variables.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        match self.variables.len().saturating_sub(NAMED) {
            0 => named,
            more => format!("{named} and {} more", grouped(more as u64)),
        }
    }
}
