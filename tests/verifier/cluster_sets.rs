//! Every kind of visited set, and queues on disk, with several processes: each has a part of the
//! set for its own states, and together they find what one process finds.

use super::cluster::figures;
#[cfg(target_os = "linux")]
use super::cluster::{children, wait_for};
use super::support::{scratch, shown};
use super::{COUNTERS, ERRORS, GOOD, WORKERS, expect, report};
use serde_json::Value;
#[cfg(target_os = "linux")]
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

/// What several processes and one have in common: figures, errors and the lengths of their traces.
pub(super) fn common(report: &Value) -> (Value, Vec<Option<usize>>) {
    let traces = report["errors"].as_array().map_or_else(Vec::new, |errors| {
        errors.iter().map(|error| error["trace"].as_array().map(Vec::len)).collect()
    });
    let mut figures = figures(report);
    // The bound of signatures depends on the tables, of which each process has one.
    if let Some((said, _)) =
        report["reason"].as_str().and_then(|reason| reason.split_once(", with probability"))
    {
        figures["reason"] = said.into();
    }
    (figures, traces)
}

#[test]
fn every_kind_of_set_holds_what_one_process_holds() {
    let place = scratch("sets");
    let place = place.to_str().expect("a path in Unicode");
    let ways: [&[&str]; 9] = [
        &["-b"],
        &["-c"],
        &["--tree"],
        &["--tree", "-b"],
        &["--disk", place],
        &["--disk", place, "--disk-plain", "-b"],
        &["--disk", place, "-c"],
        &["--queue", "disk", "-c"],
        // Nothing is evicted from as many.
        &["--cache-states", "1000000", "-b"],
    ];
    for verifier in [&*GOOD, &*WORKERS, &*ERRORS] {
        for (at, way) in ways.iter().enumerate() {
            let options = [way, &["--max-errors", "0", "--memory", "1G"][..]].concat();
            let (alone, output) = report(verifier, &[&options[..], &["-j1"]].concat());
            assert!(alone["states"].as_u64() > Some(0), "{}", shown(&output));
            let (processes, threads) = [("local:2", "-j1"), ("local:3", "-j2")][at % 2];
            let together = [&options[..], &["--cluster", processes, threads]].concat();
            let (found, output) = report(verifier, &together);
            assert_eq!(common(&found), common(&alone), "{together:?}: {}", shown(&output));
        }
    }
}

/// With many states, small tables and small queues, so that everything goes to disk and comes back.
#[test]
fn sets_of_several_processes_are_filled_and_emptied() {
    let place = scratch("small");
    let place = place.to_str().expect("a path in Unicode");
    let depth = ["--max-depth", "9", "-j1", "--memory", "300M"];
    let (alone, _) = report(&COUNTERS, &depth);
    let of = |way: &[&str]| {
        let options = [&["--cluster", "local:3"], way, &depth].concat();
        let (found, output) = report(&COUNTERS, &options);
        expect(&output, 3, &["depth"]);
        found
    };
    let disk = of(&["--disk", place, "--table-memory", "1M", "--queue-memory", "1M"]);
    assert_eq!(figures(&disk), figures(&alone));
    // The parts of all processes are in the report.
    assert!(disk["disk_table"]["candidates"].as_u64() > Some(90_000), "{disk:#}");
    assert!(disk["disk_table"]["tables"].as_u64() > Some(16), "{disk:#}");
    assert!(disk["disk_queue"]["written_bytes"].as_u64() > Some(0), "{disk:#}");
    let tree = of(&["--tree"]);
    assert_eq!(figures(&tree), figures(&alone));
    let each = tree["tree"]["bytes_per_state"].as_f64().expect("bytes of a state");
    assert!((1.0..1000.0).contains(&each), "{tree:#}");
    // Some states are evicted, come again and are counted again; none is left out.
    let cache = of(&["--cache-states", "20000"]);
    assert!(cache["states"].as_u64() >= alone["states"].as_u64(), "{cache:#}");
    assert!(cache["cache"]["replaced"].as_u64() > Some(0), "{cache:#}");
}

/// Why a process ends the search is the reason for all, and named.
#[test]
fn a_part_that_is_full_ends_all() {
    let (found, output) = report(
        &COUNTERS,
        &["--cluster", "local:2", "-j1", "--cache-states", "512", "--max-collisions", "0.1"],
    );
    expect(&output, 3, &["collision rate"]);
    assert_eq!(found["verdict"], "inconclusive");
    // What is not saved is refused before anything begins.
    for (way, named) in [("--tree", "--tree"), ("--cache-states=9999", "--cache")] {
        let options = ["--cluster", "local:2", way, "--checkpoint", "1"];
        let output = super::run(&GOOD, &options);
        expect(&output, 2, &["--checkpoint", "--cluster", named]);
    }
}

/// A search with signatures goes on with another number of processes after a kill.
#[cfg(target_os = "linux")]
#[test]
fn signatures_are_saved_and_dealt_anew() {
    let set = ["-c", "--slots", "6000000", "--max-depth", "10", "-j1"];
    let (alone, _) = report(&COUNTERS, &[&["--cluster", "local:1"], &set[..]].concat());
    let common = |report: &Value| (figures(report), report["compaction"]["levels"].clone());
    let saved = scratch("signatures").join("saved");
    // Of an earlier run of the test.
    let _ = std::fs::remove_dir_all(&saved);
    let mut first = Command::new(&*COUNTERS)
        .args(["--cluster", "local:3", "--checkpoint", "0", "--checkpoint-directory"])
        .arg(&saved)
        .args(set)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the verifier starts");
    wait_for("the others are not there", || children(first.id()).len() == 2);
    let others = children(first.id());
    wait_for("there is no checkpoint", || saved.join("manifest").exists());
    let kill = format!("kill -9 {}", others.last().expect("other processes"));
    let _ = Command::new("sh").arg("-c").arg(kill).stderr(Stdio::null()).status();
    let code = first.wait().expect("process 0 ends").code();
    assert_eq!(code, Some(3));
    wait_for("a process is left behind", || {
        others.iter().all(|other| !Path::new(&format!("/proc/{other}")).exists())
    });
    let place = saved.to_str().expect("a path in Unicode");
    for processes in ["local:2", "local:5"] {
        let options = [&["--cluster", processes, "--resume", place], &set[..]].concat();
        let (resumed, output) = report(&COUNTERS, &options);
        assert_eq!(common(&resumed), common(&alone), "{processes}: {}", shown(&output));
    }
}
