//! What the user sees: progress, errors, the summary, the JSON report.
//!
//! A run that is over is described by [`document::Report`]; each form of the report renders it.

pub mod checkpoints;
pub mod console;
pub mod document;
pub mod figures;
pub mod finding;
pub mod human;
pub mod json;
pub mod locality;
pub mod output;
pub mod path;
pub mod progress;
mod sections;
pub mod symmetry;
pub mod target;
pub mod undefined;
pub mod verdict;

#[cfg(test)]
mod advice_tests;
