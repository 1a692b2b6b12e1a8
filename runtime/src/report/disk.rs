//! What is told of a search whose visited set is on disk.

use crate::bounds::assurance::at_most;
use crate::bounds::on_disk::{Formula, formula};
use crate::settings::Settings;
use crate::text::{bytes, grouped, place, plural};
use crate::visited::disk::figures::DiskStats;
use crate::visited::disk::plan::Plan;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct DiskTableFigures {
    plain: bool,
    /// Bits of a signature; `None`: whole states.
    bits: Option<u32>,
    memory_bytes: u64,
    known_entries: u64,
    candidate_entries: u64,
    hits: u64,
    candidates: u64,
    checks: u64,
    compared: u64,
    read_bytes: u64,
    written_bytes: u64,
    table_bytes: u64,
    peak_bytes: u64,
    tables: u64,
    merged_entries: u64,
    record_bytes: u64,
    seconds: f64,
    levels: Vec<u64>,
    /// The paper's bound on missing any particular state, and its estimate, if there are
    /// signatures.
    formula_1: Option<f64>,
    estimate: Option<f64>,
}

impl DiskTableFigures {
    pub fn new(on_disk: &DiskStats) -> Self {
        let formula = paper(on_disk);
        DiskTableFigures {
            plain: on_disk.plain,
            bits: on_disk.signatures.map(|(bits, _)| bits.get()),
            memory_bytes: on_disk.memory_bytes,
            known_entries: on_disk.known_entries,
            candidate_entries: on_disk.candidate_entries,
            hits: on_disk.hits,
            candidates: on_disk.candidates,
            checks: on_disk.checks.len() as u64,
            compared: on_disk.checks.iter().sum(),
            read_bytes: on_disk.traffic.read,
            written_bytes: on_disk.traffic.written,
            table_bytes: on_disk.table_bytes,
            peak_bytes: on_disk.peak_bytes,
            tables: on_disk.tables,
            merged_entries: on_disk.merged,
            record_bytes: on_disk.record_bytes,
            seconds: on_disk.seconds,
            levels: on_disk.levels(),
            formula_1: formula.map(|formula| formula.bound),
            estimate: formula.map(|formula| formula.estimate),
        }
    }
}

fn paper(on_disk: &DiskStats) -> Option<Formula> {
    on_disk.signatures.map(|(bits, _)| formula(on_disk, bits))
}

/// What is going to be done.
pub fn heading(settings: &Settings, plan: &Plan) -> String {
    let plain = settings.disk.is_some_and(|disk| disk.plain);
    let candidates = plan.candidates << plan.segmentation.bits;
    format!(
        "Visited states on disk, in {}, {}; in memory {} for {}",
        place(&settings.directory),
        if plain { "in one table in the order of the search" } else { "in sorted tables" },
        bytes(plan.bytes),
        match plan.known() {
            0 => format!("{} to be checked", plural(candidates, "state")),
            known =>
                format!("{}, of which {} may wait to be checked", plural(known, "state"), grouped(candidates)),
        }
    )
}

/// Lines of the summary.
pub fn summary(on_disk: &DiskStats) -> Vec<String> {
    let DiskStats { hits, candidates, checks, traffic, .. } = on_disk;
    let mut lines = vec![
        format!(
            "on disk: {} in {}, {:.2} bytes for each state; {} for traces",
            bytes(on_disk.table_bytes),
            plural(on_disk.tables, "table"),
            on_disk.table_bytes as f64 / on_disk.states.max(1) as f64,
            bytes(on_disk.record_bytes)
        ),
        format!(
            "of {} found, {} were checked, in {}; {} read, {} written, {} at most in the files, {:.2}s",
            plural(hits + candidates, "state"),
            grouped(*candidates),
            plural(checks.len() as u64, "check"),
            bytes(traffic.read),
            bytes(traffic.written),
            bytes(on_disk.peak_bytes),
            on_disk.seconds
        ),
    ];
    if let Some((bits, formula)) = on_disk.signatures.map(|(bits, _)| bits).zip(paper(on_disk)) {
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
