//! The JSON report. Every key is explained in `docs/report.md`.

mod errors;

pub use errors::{ErrorFigures, Trace, error, parameters};

use super::document::Report;
use super::figures::{PropertyStats, RuleStats};
use super::symmetry::SymmetryFigures;
use crate::contract::model::Description;
use crate::contract::undefined::Compared;
use crate::datum::{Datum, Section};
use errors::Errors;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The version of the report's shape. Keys may be added to it; those that are there stay.
const SCHEMA: &str = "mcc-report/1";

/// The report in the order of its keys.
#[derive(serde::Serialize)]
struct Document<'a> {
    schema: &'static str,
    /// The version of mcc.
    mcc: &'static str,
    model: ModelFigures,
    options: &'a BTreeMap<&'static str, Datum>,
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
    #[serde(flatten)]
    sections: Sections<'a>,
    undefined_comparisons: Vec<ComparedFigures>,
    rule_figures: Vec<RuleFigures>,
    property_figures: Vec<PropertyFigures>,
    errors_not_kept: u64,
    errors: Errors<'a>,
}

#[derive(Debug, serde::Serialize)]
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
#[derive(Debug, serde::Serialize)]
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

/// Keys of sections that every report has, in their order.
const SECTIONS: &[&str] = &[
    "compaction",
    "disk_queue",
    "cache",
    "disk_table",
    "checkpoints",
    "path",
    "locality",
    "walked",
    "rules_left_out",
];

/// What only some searches have. Keys that every report has are null where there is nothing to say;
/// the others are left out then.
struct Sections<'a>(&'a [Section]);

impl Serialize for Sections<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Sections(sections) = self;
        let mut map = serializer.serialize_map(None)?;
        for key in SECTIONS {
            let section = sections.iter().find(|section| section.key == *key);
            map.serialize_entry(key, &section.map(|section| &section.figures))?;
        }
        for section in sections.iter().filter(|section| !SECTIONS.contains(&section.key)) {
            map.serialize_entry(section.key, &section.figures)?;
        }
        map.end()
    }
}

#[derive(Debug, serde::Serialize)]
struct RuleFigures {
    name: &'static str,
    line: u32,
    instances: u32,
    fired: u64,
}

#[derive(Debug, serde::Serialize)]
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
    let Report { judgement, counts, findings, .. } = report;
    Document {
        schema: SCHEMA,
        mcc: env!("CARGO_PKG_VERSION"),
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
        sections: Sections(&report.sections),
        undefined_comparisons: report.undefined_comparisons.iter().map(ComparedFigures::from).collect(),
        rule_figures: report.rules.iter().map(RuleFigures::from).collect(),
        property_figures: report.properties.iter().map(PropertyFigures::from).collect(),
        errors_not_kept: report.errors_not_kept,
        errors: Errors(*findings),
    }
}
