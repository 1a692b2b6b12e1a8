//! What is reported of a tree-compressed set: what it is made of, and which variables take most.

use super::{NodeStats, TreeStats};
use crate::datum::{Datum, Section};
use crate::text::{bytes, grouped, plural};
use crate::visited::InsertError;
use crate::visited::stats::{Explanation, SearchFacts, SetStats};

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
            ("variables", Datum::List(self.variables.iter().map(|&name| name.into()).collect())),
        ])
    }

    /// The variables below it, as many as can be read.
    fn names(&self) -> String {
        let named = self.variables.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        match self.variables.len().saturating_sub(NAMED) {
            0 => named,
            more => format!("{named} and {} more", grouped(more as u64)),
        }
    }
}
