//! Diagnostics as data for other programs: `mcc --check --json FILE`. `docs/check.md` describes the
//! format.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Diagnostic, Label, Severity};
use crate::source::Source;

#[derive(Debug, Serialize)]
struct Report<'a> {
    schema: &'static str,
    model: Checked<'a>,
    errors: usize,
    warnings: usize,
    notes: usize,
    diagnostics: Vec<Found<'a>>,
}

#[derive(Debug, Serialize)]
struct Checked<'a> {
    name: &'a str,
    constants: BTreeMap<&'a str, &'a str>,
}

#[derive(Debug, Serialize)]
struct Found<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    file: &'a str,
    /// The first one is the place itself; the others explain it.
    spans: Vec<Place<'a>>,
    help: Option<&'a str>,
}

/// Lines and columns are counted from one, columns in characters; the end is behind the last
/// character.
#[derive(Debug, Serialize)]
struct Place<'a> {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    label: &'a str,
}

/// All diagnostics in the order of their places, as the text of a JSON object.
pub fn report(source: &Source, diagnostics: &[Diagnostic]) -> Result<String, serde_json::Error> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity));
    let count = |severity| diagnostics.iter().filter(|one| one.severity == severity).count();
    let report = Report {
        schema: "mcc-check/1",
        model: Checked {
            name: &source.name,
            constants: source.definitions.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect(),
        },
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        notes: count(Severity::Note),
        diagnostics: sorted.into_iter().map(|diagnostic| found(source, diagnostic)).collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn found<'a>(source: &'a Source, diagnostic: &'a Diagnostic) -> Found<'a> {
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    Found {
        code: diagnostic.code,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: &diagnostic.message,
        file: &source.name,
        spans: labels.map(|label| place(source, label)).collect(),
        help: diagnostic.help.as_deref(),
    }
}

fn place<'a>(source: &Source, label: &'a Label) -> Place<'a> {
    let (start, end) = (source.position(label.span.start), source.position(label.span.end));
    Place {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        label: &label.text,
    }
}
