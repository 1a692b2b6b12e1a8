//! A state with more successors than fit into a part of the memory is expanded in pieces: whatever the limit, the report must be the same.
//!
//! Each model of `tests/pieces` has states of 15 KB, so under the small limit a piece has a few successors, and under the large one all of them.
//! All run in the interpreter, in every kind of search; one is compiled as well.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{mcc, root};

/// Room for the states, and for three or four successors at a time.
const SMALL: &str = "16M";
const LARGE: &str = "4G";

fn model(name: &str) -> PathBuf {
    root().join("tests/pieces").join(name)
}

/// The report of a run, without what depends on the limit or on the clock.
fn report(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut report: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    let keys = report.as_object_mut().expect("an object");
    for key in ["options", "seconds", "memory_bytes", "disk_queue", "disk_table", "compaction", "cache"] {
        keys.remove(key);
    }
    report
}

fn interpret(model: &Path, options: &str, memory: &str) -> Value {
    let mut command = mcc();
    command.arg(model).args(["-q", "--interpret", "--", "--json", "-", "--memory", memory]);
    report(&command.args(options.split_whitespace()).output().expect("mcc starts"))
}

fn compare(name: &str, options: &[&str]) {
    for options in options {
        let (small, large) =
            (interpret(&model(name), options, SMALL), interpret(&model(name), options, LARGE));
        assert_eq!(small, large, "{name} {options}");
        assert!(small["states"].as_u64().is_some_and(|states| states > 5), "{name} {options}: {small}");
    }
}

#[test]
fn every_order_and_every_set() {
    compare(
        "plain.m",
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
        &[
            "-j1",
            "-j1 --max-errors 0",
            "-vdfs --max-errors 0",
            "-j2 --max-errors 7",
            "-c --slots 5003 --max-errors 0",
        ],
    );
}

#[test]
fn states_are_reduced_piece_by_piece() {
    compare(
        "symmetric.m",
        &["-j1", "-j1 --symmetry-check", "-vdfs", "-c -j1 --slots 5003", "--symmetry off -j1 --no-multiset"],
    );
}

#[test]
fn rules_sleep_across_pieces() {
    let options = [
        "-j1 --sleep",
        "-j2 --sleep",
        "-vdfs --sleep",
        "-vdfs --sleep=path",
        "-vdfs --cache 3M --sleep",
        "-vdfs --cache 3M",
    ];
    compare("independent.m", &options);
}

#[test]
fn walks_go_through_states_with_one_successor() {
    compare(
        "lonely.m",
        &[
            "-j1 --compress-paths",
            "-j2 --compress-paths",
            "-vdfs --compress-paths",
            "-c --slots 5003 --compress-paths",
        ],
    );
}
