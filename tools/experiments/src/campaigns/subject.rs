//! What the campaigns attack: models of this repository, built, and the ways in which they are
//! searched.

use crate::shared::{Compiler, ExperimentError, Verifier};
use std::path::{Path, PathBuf};

/// Models that take a fraction of a second, have many levels, and use what states are made of:
/// arrays, records, multisets, scalarsets, errors.
const MODELS: [&str; 6] = [
    "german.m",
    "msi_directory.m",
    "two_phase_commit.m",
    "mcs_lock.m",
    "dining_philosophers.m",
    "broken/two_phase_commit.m",
];

/// One of each kind of visited set, with one thread and with two. `DISK` is a directory of the run.
pub const WAYS: [&str; 14] = [
    "-j1",
    "-j1 -b",
    "-j2 --threads-from 10",
    "-j1 --tree",
    "-j2 --threads-from 10 --tree -b",
    "-j1 -c --seed 5",
    "-j2 --threads-from 10 -c --seed 5 --bits 20 --slots 70000",
    "-j1 --cache-states 80000",
    "-j1 -b -c --seed 5 --cache-states 80000 --replace direct",
    "-j1 --disk DISK --table-memory 100K",
    "-j1 -b --disk DISK --disk-plain --table-memory 100K",
    "-j2 --threads-from 10 -c --seed 5 --disk DISK --table-memory 100K",
    "-j1 -c --seed 5 --disk DISK --disk-plain",
    "-j1 --queue disk --queue-memory 100K --directory DISK",
];

/// A model's verifier.
#[derive(Debug)]
pub struct Subject {
    /// The model as it was given.
    pub name: String,
    pub verifier: Verifier,
}

/// Builds the verifiers of the usual models, or of those that are given.
pub fn build(compiler: &Compiler, given: &[PathBuf]) -> Result<Vec<Subject>, ExperimentError> {
    let mcc = compiler.find();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let usual = || MODELS.iter().map(|model| models.join(model)).filter(|model| model.is_file()).collect();
    let chosen: Vec<PathBuf> = if given.is_empty() { usual() } else { given.to_vec() };
    let subject = |model: &PathBuf| {
        Ok(Subject { name: model.display().to_string(), verifier: Verifier::build(&mcc, model)? })
    };
    let subjects: Vec<Subject> = chosen.iter().map(subject).collect::<Result<_, ExperimentError>>()?;
    if subjects.is_empty() { Err("there is no model to attack".into()) } else { Ok(subjects) }
}

/// The words of a command line, with the directory for files on disk.
pub fn words(way: &str, disk: &Path) -> Vec<String> {
    let place = disk.display().to_string();
    way.split_whitespace().map(|word| if word == "DISK" { place.clone() } else { word.to_owned() }).collect()
}

/// What must not depend on whether a search was disturbed.
pub fn figures(report: &serde_json::Value) -> serde_json::Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures", "property_figures"];
    // Where several threads are stopped in the middle of a level, they have not always fired the
    // same rules.
    let keys = if report["verdict"] == "inconclusive" { &keys[..2] } else { &keys[..] };
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}
