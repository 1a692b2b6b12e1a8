//! What the user sees: progress, errors, the summary, the JSON report.
//!
//! A run that is over is described by [`document::Report`]; each form of the report renders it.

pub mod cache;
pub mod checkpoints;
pub mod console;
pub mod disk;
pub mod document;
pub mod figures;
pub mod finding;
pub mod human;
pub mod json;
pub mod locality;
pub mod output;
pub mod path;
pub mod progress;
pub mod symmetry;
pub mod target;
pub mod undefined;
pub mod verdict;

#[cfg(test)]
mod advice_tests;
