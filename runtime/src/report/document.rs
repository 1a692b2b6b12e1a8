//! The report as data: everything that can be said about a run when it is over.
//!
//! It is built once, from the model, the settings and the outcome. What people read (`human`), what
//! machines read (`json`) and every other form render this and ask nothing else. A new form is a
//! function from [`Report`] to text.
//!
//! Traces are not in here as text, nor as states: there may be many, and long ones. [`Findings`]
//! has the paths, and whoever writes a trace replays it, one state at a time
//! (`crate::trace::Replay`).

use super::figures::{PropertyStats, RuleStats, properties, rules};
use super::sections::sections;
use super::symmetry::SymmetryFigures;
use super::verdict::Judgement;
use crate::contract::context::Context;
use crate::contract::coverage::Part;
use crate::contract::model::{Description, Model};
use crate::contract::problem::Finding;
use crate::contract::undefined::Compared;
use crate::datum::{Datum, Section};
use crate::locality::Locality;
use crate::memory::resident;
use crate::search::{Counts, Ending, Outcome};
use crate::settings::Settings;
use std::collections::BTreeMap;

/// What a run was, and what came out of it.
pub struct Report<'a> {
    /// Names, positions and the text of the model.
    pub model: &'static Description,
    /// The options in force, by the keys of `docs/report.md`.
    pub options: BTreeMap<&'static str, Datum>,
    /// The order of the search: `bfs`, `dfs` or `simulation`.
    pub search: &'static str,
    /// How states are stored: `packed` or `aligned`.
    pub layout: &'static str,
    /// What is reduced by symmetry, and what is not.
    pub symmetry: SymmetryFigures,
    /// Verdict, reason, condition and advice.
    pub judgement: Judgement,
    pub ending: &'a Ending,
    pub counts: Counts,
    /// Wall-clock time of the search, without what was measured after it.
    pub seconds: f64,
    /// The most bytes that the search had in use.
    pub memory_bytes: u64,
    /// The most memory that the process had, if the system says so.
    pub resident_bytes: Option<u64>,
    pub bits_per_state: u32,
    /// States that are not the one that stands for their orbit.
    pub states_unreduced: u64,
    /// The error because of which the search was repeated without reduction.
    pub repeated_without_reduction: Option<&'a str>,
    /// Each rule as written.
    pub rules: Vec<RuleStats>,
    /// Each property and then each `cover` statement.
    pub properties: Vec<PropertyStats>,
    /// Where undefined values were compared.
    pub undefined_comparisons: Vec<Compared>,
    /// Errors that were counted and are not kept.
    pub errors_not_kept: u64,
    /// Whether some of those may have been counted more than once.
    pub errors_repeated: bool,
    pub findings: Findings<'a>,
    /// How far transitions lead, if that was asked for.
    pub locality: Option<&'a Locality>,
    /// How often the parts of the model's text were evaluated, if that was asked for.
    pub coverage: &'a [Part],
    /// What only some searches have, in the order of its lines.
    pub sections: Vec<Section>,
}

/// The errors that are kept, with what is needed to replay their traces.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    pub model: &'a dyn Model,
    pub context: &'a Context,
    pub kept: &'a [Finding],
}

/// How a run was started, and how long it took.
#[derive(Clone, Debug)]
pub struct About<'a> {
    pub settings: &'a Settings,
    pub options: BTreeMap<&'static str, Datum>,
    pub search: &'static str,
    pub locality: Option<&'a Locality>,
    pub coverage: &'a [Part],
    pub seconds: f64,
}

impl<'a> Report<'a> {
    /// The report of a run. `context` is one for traces ([`Settings::trace_context`]).
    pub fn new(
        model: &'a dyn Model,
        context: &'a Context,
        outcome: &'a Outcome,
        judgement: Judgement,
        about: About<'a>,
    ) -> Self {
        let About { settings, options, search, locality, coverage, seconds } = about;
        let description = model.description();
        Report {
            model: description,
            options,
            search,
            layout: if settings.packed { "packed" } else { "aligned" },
            symmetry: SymmetryFigures::new(description, settings),
            properties: properties(description, outcome, judgement.verdict),
            judgement,
            ending: &outcome.ending,
            counts: outcome.counts,
            seconds,
            memory_bytes: outcome.peak_memory,
            resident_bytes: resident::peak(),
            bits_per_state: outcome.bits_per_state,
            states_unreduced: outcome.unreduced,
            repeated_without_reduction: outcome.not_replayed.as_deref(),
            rules: rules(description, outcome),
            undefined_comparisons: outcome.undefined_compared.compared(description),
            errors_not_kept: outcome.errors_not_kept(),
            errors_repeated: outcome.errors.repeated,
            findings: Findings { model, context, kept: &outcome.findings },
            sections: sections(outcome, settings, locality, coverage),
            coverage,
            locality,
        }
    }

    /// Whether the search came to its end by itself.
    pub fn is_complete(&self) -> bool {
        *self.ending == Ending::Complete
    }
}
