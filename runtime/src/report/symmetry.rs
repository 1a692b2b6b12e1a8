//! What is said about symmetry: what is reduced, what is not and why, and the condition under which
//! a verdict holds.

use crate::contract::model::Description;
use crate::reduction::canonical::Reduction;
use crate::reduction::extent::{Unproved, UnprovedKind};
use crate::reduction::variants::Variants;
use crate::settings::Settings;
use crate::text::printable;
use serde::Serialize;

const INSTEAD: &str = "a loop whose iterations change only what belongs to their own element, or --symmetry trust, \
                       which reduces it all the same";

/// The lines above a search.
pub fn heading(description: &Description, settings: &Settings) -> Vec<String> {
    let extent = settings.extent();
    let mut lines = Vec::new();
    if !description.scalarsets.is_empty() {
        let off = !extent.renames_any(description);
        let named: Vec<String> = description
            .scalarsets
            .iter()
            .filter(|scalarset| off || extent.renames(scalarset))
            .map(|scalarset| {
                let (name, size) = (printable(scalarset.name), scalarset.size);
                match extent.renamed(scalarset).len() as u32 {
                    renamed if off || renamed == size => format!("{name} ({size})"),
                    renamed => format!("{name} ({renamed} of {size})"),
                }
            })
            .collect();
        let how = match settings.symmetry {
            _ if off => "off",
            Some(Reduction::Exact) => "exact",
            Some(Reduction::Fast) => "fast: an orbit may have several states",
            None => "off",
        };
        lines.push(format!("Symmetry reduction of {}: {how}", named.join(", ")));
    }
    let left_out = extent.left_out(description);
    for unproved in &left_out {
        lines.push(format!(
            "Not reduced: {}, not proved to be symmetric: {}",
            subject(unproved),
            reason(unproved)
        ));
    }
    if !left_out.is_empty() {
        lines.push(format!("   try: {INSTEAD}"));
    }
    for unproved in extent.assumed(description) {
        lines.push(format!(
            "Assumed to be symmetric (--symmetry trust): {}: {}",
            subject(&unproved),
            reason(&unproved)
        ));
    }
    lines
}

/// What a verdict rests on that was neither proved nor checked in every state, as the end of a
/// sentence that begins with it.
pub fn condition(description: &Description, settings: &Settings) -> Option<String> {
    let assumed = settings.extent().assumed(description);
    if assumed.is_empty() || is_checked(description, settings) {
        return None;
    }
    let subjects: Vec<String> = assumed
        .iter()
        .map(|unproved| format!("{} (line {})", name(unproved), unproved.doubt.position.line))
        .collect();
    let verb = if subjects.len() == 1 { "is" } else { "are" };
    Some(format!("if {} {verb} symmetric as assumed", subjects.join(" and ")))
}

/// Whether all that is reduced is compared with all that it stands for, in every state.
fn is_checked(description: &Description, settings: &Settings) -> bool {
    settings.symmetry_check.is_some()
        && Variants::new(description, &settings.extent()).is_none_or(|variants| variants.is_exhaustive())
}

/// What was not proved, in words.
fn name(unproved: &Unproved) -> String {
    let name = printable(unproved.name);
    match unproved.kind {
        UnprovedKind::Scalarset { .. } => format!("scalarset {name}"),
        UnprovedKind::Multiset => format!("multiset {name}"),
    }
}

/// What was not proved and how large it is, in words.
fn subject(unproved: &Unproved) -> String {
    match unproved.kind {
        UnprovedKind::Scalarset { size } => format!("{} ({size})", name(unproved)),
        UnprovedKind::Multiset => name(unproved),
    }
}

fn reason(unproved: &Unproved) -> String {
    format!("line {}: {}", unproved.doubt.position.line, printable(unproved.doubt.message))
}

/// A type that was not proved to be symmetric, for the JSON report.
#[derive(Debug, Serialize)]
pub struct UnprovedFigures {
    kind: &'static str,
    name: &'static str,
    line: u32,
    column: u32,
    reason: &'static str,
}

/// What the JSON report says about symmetry.
#[derive(Debug, Serialize)]
pub struct SymmetryFigures {
    /// Scalarsets whose elements are renamed.
    reduced: Vec<&'static str>,
    /// What is not reduced because it was not proved to be symmetric.
    not_reduced: Vec<UnprovedFigures>,
    /// What is reduced although it was not proved to be symmetric.
    assumed: Vec<UnprovedFigures>,
    /// Whether all that is reduced was compared with all that it stands for, in every state
    /// explored.
    checked: bool,
}

impl SymmetryFigures {
    pub fn new(description: &Description, settings: &Settings) -> Self {
        let extent = settings.extent();
        let figures = |unproved: Vec<Unproved>| unproved.into_iter().map(UnprovedFigures::from).collect();
        let reduced = description.scalarsets.iter().filter(|scalarset| extent.renames(scalarset));
        SymmetryFigures {
            reduced: reduced.map(|scalarset| scalarset.name).collect(),
            not_reduced: figures(extent.left_out(description)),
            assumed: figures(extent.assumed(description)),
            checked: is_checked(description, settings),
        }
    }
}

impl From<Unproved> for UnprovedFigures {
    fn from(unproved: Unproved) -> Self {
        UnprovedFigures {
            kind: match unproved.kind {
                UnprovedKind::Scalarset { .. } => "scalarset",
                UnprovedKind::Multiset => "multiset",
            },
            name: unproved.name,
            line: unproved.doubt.position.line,
            column: unproved.doubt.position.column,
            reason: unproved.doubt.message,
        }
    }
}
