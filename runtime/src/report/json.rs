//! The JSON report. Every key is explained in `docs/report.md`.

mod errors;

pub use errors::{ErrorFigures, Parameters, Trace, error, parameters};

use super::cache::CacheFigures;
use super::checkpoints::CheckpointFigures;
use super::disk::DiskTableFigures;
use super::document::Report;
use super::figures::{PropertyStats, RuleStats};
use super::locality::LocalityFigures;
use super::path::PathFigures;
use super::symmetry::SymmetryFigures;
use crate::bounds::OmissionBounds;
use crate::bounds::assurance::Assurance;
use crate::contract::model::Description;
use crate::contract::undefined::Compared;
use crate::search::walking::Walked;
use crate::spool::SpillStats;
use crate::visited::cache::CacheStats;
use crate::visited::cache::kept::WAYS;
use crate::visited::compact::{CompactStats, Probing};
use crate::visited::disk::figures::DiskStats;
use errors::Errors;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The version of the report's shape. Keys may be added to it; those that are there stay.
const SCHEMA: &str = "mcc-report/1";

/// The report in the order of its keys.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    model: ModelFigures,
    options: &'a BTreeMap<&'static str, serde_json::Value>,
    verdict: &'static str,
    reason: String,
    condition: Option<&'a str>,
    advice: Option<&'a str>,
    states: u64,
    rules: u64,
    depth: u32,
    seconds: f64,
    memory_bytes: u64,
    resident_bytes: Option<u64>,
    bits_per_state: u32,
    layout: &'static str,
    search: &'static str,
    states_waiting: u64,
    states_unreduced: u64,
    symmetry: &'a SymmetryFigures,
    repeated_without_reduction: Option<&'a str>,
    compaction: Option<CompactionFigures>,
    disk_queue: Option<DiskFigures>,
    cache: Option<CacheFigures>,
    disk_table: Option<DiskTableFigures>,
    checkpoints: Option<CheckpointFigures>,
    path: Option<PathFigures>,
    locality: Option<LocalityFigures>,
    walked: Option<WalkedFigures>,
    rules_left_out: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    watched: Option<WatchedFigures>,
    undefined_comparisons: Vec<ComparedFigures>,
    rule_figures: Vec<RuleFigures>,
    property_figures: Vec<PropertyFigures>,
    errors_not_kept: u64,
    errors: Errors<'a>,
}

#[derive(Debug, Serialize)]
pub struct ModelFigures {
    name: &'static str,
    /// In hexadecimal, because JSON readers lose the last bits of large numbers.
    fingerprint: String,
    /// The constants that were set when the model was compiled, as text.
    constants: BTreeMap<&'static str, &'static str>,
}

impl ModelFigures {
    pub fn new(description: &Description) -> Self {
        ModelFigures {
            name: description.name,
            fingerprint: format!("{:016x}", description.fingerprint),
            constants: description.constants.iter().copied().collect(),
        }
    }
}

/// A place at which an undefined scalarset or union was compared.
#[derive(Debug, Serialize)]
struct ComparedFigures {
    line: u32,
    column: u32,
    message: &'static str,
}

impl From<&Compared> for ComparedFigures {
    fn from(&Compared { position, message }: &Compared) -> Self {
        ComparedFigures { line: position.line, column: position.column, message }
    }
}

#[derive(Debug, Serialize)]
struct WatchedFigures {
    state: String,
    found: bool,
    distinct: usize,
    /// Of the set of all different states, in hexadecimal.
    digest: String,
    /// All of them, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct WalkedFigures {
    states: u64,
    longest: u64,
    circles: u64,
}

impl From<Walked> for WalkedFigures {
    fn from(Walked { states, longest, circles }: Walked) -> Self {
        WalkedFigures { states, longest, circles }
    }
}

#[derive(Debug, Serialize)]
struct DiskFigures {
    entry_bytes: u64,
    written_bytes: u64,
    peak_bytes: u64,
    packed: Option<f64>,
}

impl From<SpillStats> for DiskFigures {
    fn from(spilled: SpillStats) -> Self {
        let SpillStats { entry_bytes, written_bytes, peak_bytes } = spilled;
        let packed = (written_bytes > 0).then(|| spilled.packed());
        DiskFigures { entry_bytes, written_bytes, peak_bytes, packed }
    }
}

#[derive(Debug, Serialize)]
struct CompactionFigures {
    bits: u32,
    slots: u64,
    table_bytes: u64,
    record_bytes: u64,
    /// The states of the last run in each level.
    levels: Vec<u64>,
    probes: Option<u64>,
    bounds: BoundFigures,
    one_more_bit: Option<BoundFigures>,
    enough_bits: Option<u32>,
    runs: Vec<RunFigures>,
}

#[derive(Debug, Serialize)]
struct BoundFigures {
    missed_error: f64,
    missed_state_up_to_depth: f64,
    missed_any: f64,
}

#[derive(Debug, Serialize)]
struct RunFigures {
    seed: u64,
    bounds: BoundFigures,
}

impl From<OmissionBounds> for BoundFigures {
    fn from(bounds: OmissionBounds) -> Self {
        let OmissionBounds { seen, any, even_one } = bounds;
        BoundFigures { missed_error: any, missed_state_up_to_depth: seen, missed_any: even_one }
    }
}

impl CompactionFigures {
    fn new(compacted: &CompactStats, assurance: &Assurance) -> Self {
        let probes = match compacted.probing {
            Probing::Ordered => None,
            Probing::Limited(probes) => Some(probes),
        };
        CompactionFigures {
            bits: compacted.bits.get(),
            slots: compacted.slots,
            table_bytes: compacted.table_bytes,
            record_bytes: compacted.record_bytes,
            levels: compacted.levels.clone(),
            probes,
            ..Self::assured(assurance)
        }
    }

    /// Of a cache of signatures; `None` if it kept states.
    fn of_cache(cached: &CacheStats, assurance: &Assurance) -> Option<Self> {
        let (bits, _) = cached.signatures?;
        Some(CompactionFigures {
            bits: bits.get(),
            slots: cached.plan.entries(),
            table_bytes: cached.plan.bytes(),
            record_bytes: cached.record_bytes,
            levels: cached.levels.iter().map(|level| level.insertions).collect(),
            probes: Some(WAYS as u64),
            ..Self::assured(assurance)
        })
    }

    /// Of signatures on disk; `None` if there are states.
    fn of_disk(on_disk: &DiskStats, assurance: &Assurance) -> Option<Self> {
        let (bits, _) = on_disk.signatures?;
        Some(CompactionFigures {
            bits: bits.get(),
            slots: on_disk.states,
            table_bytes: on_disk.table_bytes,
            record_bytes: on_disk.record_bytes,
            levels: on_disk.levels(),
            ..Self::assured(assurance)
        })
    }

    /// How sure the result is; the rest is not known yet.
    fn assured(assurance: &Assurance) -> Self {
        CompactionFigures {
            bits: 0,
            slots: 0,
            table_bytes: 0,
            record_bytes: 0,
            levels: Vec::new(),
            probes: None,
            bounds: assurance.bounds.into(),
            one_more_bit: assurance.one_more_bit.map(BoundFigures::from),
            enough_bits: assurance.enough_bits,
            runs: assurance
                .runs
                .iter()
                .map(|&(seed, bounds)| RunFigures { seed, bounds: bounds.into() })
                .collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct RuleFigures {
    name: &'static str,
    line: u32,
    instances: u32,
    fired: u64,
}

#[derive(Debug, Serialize)]
struct PropertyFigures {
    kind: &'static str,
    name: &'static str,
    line: u32,
    count: Option<u64>,
    status: &'static str,
}

impl From<&RuleStats> for RuleFigures {
    fn from(&RuleStats { name, line, instances, fired }: &RuleStats) -> Self {
        RuleFigures { name, line, instances, fired }
    }
}

impl From<&PropertyStats> for PropertyFigures {
    fn from(&PropertyStats { kind, name, line, count, status }: &PropertyStats) -> Self {
        PropertyFigures { kind: kind.word(), name, line, count, status: status.word() }
    }
}

/// Writes a report, one state of a trace at a time. On an error what was written is no JSON.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(report))?;
    out.write_all(b"\n")
}

fn document<'a>(report: &'a Report<'a>) -> Document<'a> {
    let Report { judgement, counts, outcome, findings, .. } = report;
    Document {
        schema: SCHEMA,
        model: ModelFigures::new(report.model),
        options: &report.options,
        verdict: judgement.verdict.word(),
        reason: judgement.full_reason(),
        condition: judgement.condition.as_deref(),
        advice: judgement.advice.as_deref(),
        states: counts.states,
        rules: counts.rules,
        depth: counts.depth.0,
        seconds: report.seconds,
        memory_bytes: report.memory_bytes,
        resident_bytes: report.resident_bytes,
        bits_per_state: report.bits_per_state,
        layout: report.layout,
        search: report.search,
        states_waiting: counts.queue,
        states_unreduced: report.states_unreduced,
        symmetry: &report.symmetry,
        repeated_without_reduction: report.repeated_without_reduction,
        checkpoints: outcome.checkpointed.as_ref().map(CheckpointFigures::new),
        locality: report.locality.map(LocalityFigures::new),
        walked: outcome.walked.map(WalkedFigures::from),
        rules_left_out: outcome.slept,
        watched: outcome.watched.as_ref().map(|watched| WatchedFigures {
            state: watched.text(),
            found: watched.found,
            distinct: watched.distinct.len(),
            digest: format!("{:032x}", watched.digest()),
            states: watched.listed.then(|| watched.states()),
        }),
        compaction: outcome
            .compacted
            .as_ref()
            .zip(outcome.assurance.as_ref())
            .map(|(compacted, assurance)| CompactionFigures::new(compacted, assurance))
            .or_else(|| CompactionFigures::of_cache(outcome.cached.as_ref()?, outcome.assurance.as_ref()?))
            .or_else(|| CompactionFigures::of_disk(outcome.on_disk.as_ref()?, outcome.assurance.as_ref()?)),
        cache: outcome.cached.as_ref().map(CacheFigures::new),
        disk_table: outcome.on_disk.as_ref().map(DiskTableFigures::new),
        path: PathFigures::new(outcome),
        disk_queue: outcome.spilled.map(DiskFigures::from),
        undefined_comparisons: report.undefined_comparisons.iter().map(ComparedFigures::from).collect(),
        rule_figures: report.rules.iter().map(RuleFigures::from).collect(),
        property_figures: report.properties.iter().map(PropertyFigures::from).collect(),
        errors_not_kept: report.errors_not_kept,
        errors: Errors(*findings),
    }
}
