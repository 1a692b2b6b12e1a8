//! What is reported of a visited set on disk: its figures, and bounds on what signatures missed.

use super::figures::DiskStats;
use super::plan::Plan;
use crate::bounds::Probability;
use crate::bounds::assurance::{Assurance, at_most};
use crate::bounds::on_disk::{Formula, Found, bounds, formula};
use crate::datum::{Datum, Section};
use crate::text::{bytes, grouped, place, plural};
use crate::visited::stats::{SearchFacts, SetStats, SignatureTable};
use serde::Deserialize;
use std::path::Path;

impl SetStats for DiskStats {
    fn sections(&self, search: &SearchFacts<'_>) -> Vec<Section> {
        let lines = self.lines().into_iter().chain(search.assurance.map(Assurance::line)).collect();
        let table = Section { key: "disk_table", figures: self.report_figures(), lines };
        let signatures = self.signatures.zip(search.assurance).map(|((bits, _), assurance)| {
            let table = SignatureTable {
                bits,
                slots: self.states,
                table_bytes: self.table_bytes,
                record_bytes: self.record_bytes,
                levels: self.levels(),
                probes: None,
            };
            table.section(assurance, Vec::new())
        });
        [table].into_iter().chain(signatures).collect()
    }

    fn letter(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }

    fn join(&mut self, letter: &serde_json::Value) -> bool {
        let other = DiskStats::deserialize(letter).ok();
        let grows = |numbers: &[u64]| numbers.is_sorted();
        let other = other.filter(|other| grows(&other.checks) && grows(&other.level_ends));
        other.is_some_and(|other| {
            DiskStats::join(self, &other);
            true
        })
    }

    fn assurance(&self, _: u64, target: Option<Probability>) -> Option<Assurance> {
        let (bits, seed) = self.signatures?;
        Some(Assurance::of(bits, seed, target, |bits| bounds(self.found(), bits)))
    }
}

impl DiskStats {
    fn found(&self) -> Found<'_> {
        Found { states: self.states, level_ends: &self.level_ends }
    }

    /// The paper's bound on missing any particular state, and its estimate, if there are
    /// signatures.
    fn paper(&self) -> Option<Formula> {
        self.signatures.map(|(bits, _)| formula(self.found(), bits))
    }

    fn report_figures(&self) -> Datum {
        let formula = self.paper();
        Datum::record([
            ("plain", self.plain.into()),
            // None: whole states.
            ("bits", self.signatures.map(|(bits, _)| bits.get()).into()),
            ("memory_bytes", self.memory_bytes.into()),
            ("known_entries", self.known_entries.into()),
            ("candidate_entries", self.candidate_entries.into()),
            ("hits", self.hits.into()),
            ("candidates", self.candidates.into()),
            ("checks", self.checks.len().into()),
            ("compared", self.checks.iter().sum::<u64>().into()),
            ("read_bytes", self.traffic.read.into()),
            ("written_bytes", self.traffic.written.into()),
            ("table_bytes", self.table_bytes.into()),
            ("peak_bytes", self.peak_bytes.into()),
            ("tables", self.tables.into()),
            ("merged_entries", self.merged.into()),
            ("record_bytes", self.record_bytes.into()),
            ("seconds", self.seconds.into()),
            ("levels", self.levels().into()),
            ("formula_1", formula.map(|formula| formula.bound).into()),
            ("estimate", formula.map(|formula| formula.estimate).into()),
        ])
    }

    /// Lines of the summary.
    fn lines(&self) -> Vec<String> {
        let DiskStats { hits, candidates, checks, traffic, .. } = self;
        let mut lines = vec![
            format!(
                "on disk: {} in {}, {:.2} bytes for each state; {} for traces",
                bytes(self.table_bytes),
                plural(self.tables, "table"),
                self.table_bytes as f64 / self.states.max(1) as f64,
                bytes(self.record_bytes)
            ),
            format!(
                "of {} found, {} were checked, in {}; {} read, {} written, {} at most in the files, {:.2}s",
                plural(hits + candidates, "state"),
                grouped(*candidates),
                plural(checks.len() as u64, "check"),
                bytes(traffic.read),
                bytes(traffic.written),
                bytes(self.peak_bytes),
                self.seconds
            ),
        ];
        if let Some((bits, formula)) = self.signatures.map(|(bits, _)| bits).zip(self.paper()) {
            lines.push(format!(
                "formula (1) of Stern and Dill, with one check a level, t = {}, of {} states in all and l = 2^{}: at most {}; \
                 n t/2l is about {}",
                formula.checks,
                grouped(formula.compared),
                bits.get(),
                at_most(formula.bound),
                at_most(formula.estimate)
            ));
        }
        lines
    }
}

/// What is going to be done.
pub fn heading(directory: &Path, plain: bool, plan: &Plan) -> String {
    let candidates = plan.candidates * plan.own.count as u64;
    format!(
        "Visited states on disk, in {}, {}; in memory {} for {}",
        place(directory),
        if plain { "in one table in the order of the search" } else { "in sorted tables" },
        bytes(plan.bytes),
        match plan.known() {
            0 => format!("{} to be checked", plural(candidates, "state")),
            known =>
                format!("{}, of which {} may wait to be checked", plural(known, "state"), grouped(candidates)),
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::signature::Bits;

    /// The bounds go by levels, not by how often the table was read.
    #[test]
    fn checks_within_a_level_do_not_count() {
        let often = DiskStats {
            states: 7_000_000,
            signatures: Bits::new(48).map(|bits| (bits, 1)),
            checks: vec![0, 1, 1_000_000, 2_000_000, 3_000_000, 7_000_000],
            level_ends: vec![1, 3_000_000, 7_000_000, 7_000_000],
            ..DiskStats::default()
        };
        let seldom = DiskStats { checks: vec![0, 1, 3_000_000, 7_000_000], ..often.clone() };
        assert_eq!(often.assurance(0, None), seldom.assurance(0, None));
        assert!(often.paper().is_some());
        assert_eq!(often.paper(), seldom.paper());
    }
}
