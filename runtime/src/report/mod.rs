//! What the user sees: progress, errors, the summary, the JSON report.
//!
//! A run that is over is described by [`document::Report`]; each form of the report renders it.

pub(crate) mod checkpoints;
mod cluster;
pub(crate) mod console;
pub(crate) mod counterexample;
pub(crate) mod coverage;
pub(crate) mod document;
pub(crate) mod figures;
pub(crate) mod finding;
pub(crate) mod html;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod lanes;
pub(crate) mod locality;
pub(crate) mod output;
pub(crate) mod path;
pub(crate) mod progress;
mod sections;
pub(crate) mod symmetry;
pub(crate) mod target;
pub(crate) mod undefined;
pub(crate) mod verdict;
pub(crate) mod why_cut;
mod workers;

#[cfg(test)]
mod advice_tests;
