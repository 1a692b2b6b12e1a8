//! A state with more successors than fit into a part of the memory is expanded in pieces: whatever
//! the limit, the report must be the same.
//!
//! Each model of `tests/pieces` has states of 15 KB, so under the small limit a piece has a few
//! successors, and under the large one all of them. All run in the interpreter, in every kind of
//! search; one is compiled as well.

#![cfg(test)]

mod support;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{mcc, root};

/// Room for the states, and for three or four successors at a time.
const SMALL: &str = "16M";
const LARGE: &str = "4G";

fn model(name: &str) -> PathBuf {
    root().join("tests/pieces").join(name)
}

/// What of a report must be the same.
#[derive(Clone, Copy)]
enum Same {
    /// All that depends neither on the limit nor on the clock.
    All,
    /// Where the order of the search is another one, or it ends in the middle of a state: what was
    /// found.
    Findings,
}

/// The report of a run.
fn report(output: &Output, same: Same) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut report: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    let keys = report.as_object_mut().expect("an object");
    let varying = [
        "options",
        "seconds",
        "memory_bytes",
        "resident_bytes",
        "disk_queue",
        "disk_table",
        "compaction",
        "cache",
    ];
    varying.iter().for_each(|key| drop(keys.remove(*key)));
    if let Some(locality) = keys.get_mut("locality").and_then(Value::as_object_mut) {
        locality.remove("seconds");
    }
    match same {
        Same::All => report,
        Same::Findings => {
            let errors = report["errors"].as_array().expect("a list");
            let errors: Vec<&Value> = errors.iter().map(|error| &error["message"]).collect();
            let states = if errors.is_empty() { report["states"].clone() } else { Value::Null };
            json!({ "verdict": report["verdict"], "states": states, "errors": errors })
        }
    }
}

fn interpret(model: &Path, options: &str, memory: &str, same: Same) -> Value {
    let mut command = mcc();
    command.arg(model).args(["-q", "--interpret", "--", "--json", "-", "--memory", memory]);
    report(&command.args(options.split_whitespace()).output().expect("mcc starts"), same)
}

fn compare(name: &str, same: Same, options: &[&str]) {
    for options in options {
        let [small, large] = [SMALL, LARGE].map(|memory| interpret(&model(name), options, memory, same));
        assert!(small == large, "{name} {options}: {small:#}\n{large:#}");
    }
}

#[test]
fn every_order_and_every_set() {
    compare(
        "plain.m",
        Same::All,
        &[
            "-j1",
            "-j2",
            "-b",
            "-vdfs",
            "-c --slots 5003",
            "--cache 3M -j1",
            "-j1 --locality",
            "--simulate --seed 3 --steps 200",
        ],
    );
}

#[test]
fn every_error_is_found_once() {
    compare(
        "errors.m",
        Same::All,
        &[
            "-j1 --max-errors 0",
            "-vdfs --max-errors 0",
            "-j2 --max-errors 7",
            "-c --slots 5003 --max-errors 0",
        ],
    );
    compare("errors.m", Same::Findings, &["-j1", "-j2"]);
}

#[test]
fn states_are_reduced_piece_by_piece() {
    compare(
        "symmetric.m",
        Same::All,
        &["-j1", "-j1 --symmetry-check", "-vdfs", "-c -j1 --slots 5003", "--symmetry off -j1 --no-multiset"],
    );
}

#[test]
fn rules_sleep_across_pieces() {
    compare("independent.m", Same::All, &["-ndl -j1 --sleep", "-ndl -j2 --sleep"]);
    // Along a path, the successors of the last piece come first; and with little memory it goes
    // along one.
    let along = ["--sleep", "--sleep=path", "--cache 3M --sleep", "--cache 3M"];
    let along = along.map(|options| format!("-ndl -vdfs {options}"));
    compare("independent.m", Same::Findings, &along.each_ref().map(String::as_str));
}

#[test]
fn walks_go_through_states_with_one_successor() {
    compare(
        "lonely.m",
        Same::All,
        &[
            "-j1 --compress-paths",
            "-j2 --compress-paths",
            "-vdfs --compress-paths",
            "-c --slots 5003 --compress-paths",
        ],
    );
}
