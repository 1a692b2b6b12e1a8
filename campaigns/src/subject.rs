//! What the campaigns attack: models of this repository, built, and the ways in which they are
//! searched.

use experiments::verifier::find_mcc;
use std::path::{Path, PathBuf};
use std::process::Command;

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
pub const WAYS: [&str; 12] = [
    "-j1",
    "-j1 -b",
    "-j2 --threads-from 10",
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
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub verifier: PathBuf,
}

/// Builds the verifiers of all models, or of those that are given, into a directory.
pub fn build(mcc: Option<PathBuf>, given: &[PathBuf], into: &Path) -> Result<Vec<Subject>, String> {
    let mcc = find_mcc(mcc);
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let usual = || MODELS.iter().map(|model| models.join(model)).filter(|model| model.is_file()).collect();
    let chosen: Vec<PathBuf> = if given.is_empty() { usual() } else { given.to_vec() };
    let mut subjects = Vec::new();
    for (number, model) in chosen.iter().enumerate() {
        let verifier = into.join(format!("verifier-{number}"));
        let built = Command::new(&mcc).arg(model).arg("-o").arg(&verifier).output();
        let built = built.map_err(|error| format!("{}: {error}", mcc.display()))?;
        if !built.status.success() {
            return Err(format!("{}: {}", model.display(), String::from_utf8_lossy(&built.stderr)));
        }
        subjects.push(Subject { name: model.display().to_string(), verifier });
    }
    if subjects.is_empty() { Err("there is no model to attack".to_owned()) } else { Ok(subjects) }
}

/// The words of a command line, with the directory for files on disk.
pub fn words(way: &str, disk: &Path) -> Vec<String> {
    let place = disk.display().to_string();
    way.split_whitespace().map(|word| if word == "DISK" { place.clone() } else { word.to_owned() }).collect()
}

/// What must not depend on whether a search was disturbed.
pub fn figures(report: &serde_json::Value) -> serde_json::Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures", "property_figures"];
    // Where several threads are stopped in the middle of a level, they have not always fired the same rules.
    let keys = if report["verdict"] == "inconclusive" { &keys[..2] } else { &keys[..] };
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}
