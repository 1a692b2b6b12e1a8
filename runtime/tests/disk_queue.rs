//! The queue on disk: the same results as in memory, for every search that has one, and refusals
//! that say what is wrong.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use models::philosophers::Philosophers;
use models::wheels::Wheels;
use models::{report, run};
use serde_json::Value;

/// What must not depend on where states wait.
fn figures(report: &Value) -> Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures", "property_figures"];
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

fn written(report: &Value) -> u64 {
    report["disk_queue"]["written_bytes"].as_u64().unwrap()
}

/// The smallest queue that this number of threads can have.
fn disk(threads: u64) -> String {
    format!("--queue disk --queue-memory {}K", if threads == 1 { 8 } else { 40 * threads })
}

#[test]
fn every_search_finds_the_same() {
    let ways = ["", "-b", "-c --slots 70000 --seed 1", "-c --bits 9 --slots 70000 --seed 2 -b"];
    for way in ways {
        for threads in [1, 2, 3, 8] {
            let line = format!("{way} -j{threads}");
            let memory = report(&Wheels::Right, &line);
            let queued = report(&Wheels::Right, &format!("{line} {}", disk(threads)));
            assert_eq!(figures(&queued), figures(&memory), "{line}");
            assert!(threads > 2 || written(&queued) > 10_000, "{line} {}", queued["disk_queue"]);
            assert_eq!(queued["compaction"]["levels"], memory["compaction"]["levels"], "{line}");
            assert!(memory["disk_queue"].is_null());
        }
        let line = format!("{way} -vdfs");
        let memory = report(&Wheels::Right, &line);
        let queued = report(&Wheels::Right, &format!("{line} {}", disk(1)));
        assert_eq!(figures(&queued), figures(&memory), "{line}");
        assert!(written(&queued) > 10_000, "{line} {}", queued["disk_queue"]);
    }
    let memory = report(&Philosophers { polite: true }, "-ndl -j1");
    let queued = report(&Philosophers { polite: true }, &format!("-ndl -j1 {}", disk(1)));
    assert_eq!(figures(&queued), figures(&memory));
}

/// What a cache evicts depends on the order of its states alone, and a queue on disk does not
/// change that.
#[test]
fn a_cache_finds_the_same() {
    for way in ["", "-b --replace direct", "-c --seed 1", "-c --seed 1 --replace direct"] {
        let line = format!("{way} --cache-states 80000 -j1");
        let memory = report(&Wheels::Right, &line);
        let queued = report(&Wheels::Right, &format!("{line} {}", disk(1)));
        assert_eq!(figures(&queued), figures(&memory), "{line}");
        assert_eq!(queued["cache"], memory["cache"], "{line}");
        assert!(memory["cache"]["replaced"].as_u64().unwrap() > 0 && written(&queued) > 10_000, "{line}");
        let together = report(&Wheels::Right, &format!("{way} --cache-states 80000 -j2 {}", disk(2)));
        assert_eq!(together["verdict"], "verified", "{line} {}", together["reason"]);
        let broken = report(&Wheels::Broken, &format!("{line} {}", disk(1)));
        assert_eq!(broken["errors"][0]["trace"].as_array().unwrap().len(), 16, "{line}");
    }
}

#[test]
fn errors_and_traces_are_the_same() {
    for model in [Wheels::Broken, Wheels::Stuck, Wheels::Faulty] {
        for way in
            ["", "-c --seed 1", "-vdfs", "-c -vdfs --seed 1", "--max-errors 0", "-c --max-errors 0 --seed 1"]
        {
            let line = format!("{way} -m9 --threads-from 100").replace("-c", "-c --slots 70000");
            let memory = report(&model, &format!("{line} -j1"));
            let queued = report(&model, &format!("{line} -j1 {}", disk(1)));
            assert_eq!(queued["errors"], memory["errors"], "{model:?} {line}");
            assert_eq!(figures(&queued), figures(&memory), "{model:?} {line}");
            assert!(written(&queued) > 0);
            if !way.contains("-vdfs") {
                let together = report(&model, &format!("{line} -j2 {}", disk(2)));
                assert_eq!(together["verdict"], "violated");
                let lengths = |report: &Value| {
                    let errors = report["errors"].as_array().unwrap().iter();
                    errors.map(|error| error["trace"].as_array().unwrap().len()).collect::<Vec<_>>()
                };
                assert_eq!(lengths(&together), lengths(&memory), "{model:?} {line}");
            }
        }
    }
}

#[test]
fn limits_hold() {
    for way in [
        "--max-depth 9",
        "--max-states 30000",
        "-c --slots 70000 --max-states 30000",
        "-c --slots 70000 --max-depth 9",
    ] {
        let memory = report(&Wheels::Right, &format!("{way} -j1"));
        let queued = report(&Wheels::Right, &format!("{way} -j1 {}", disk(1)));
        assert_eq!(figures(&queued), figures(&memory), "{way}");
        assert_eq!(queued["states_waiting"], memory["states_waiting"], "{way}");
        let together = report(&Wheels::Right, &format!("{way} -j2 {}", disk(2)));
        assert_eq!(together["reason"], memory["reason"]);
    }
}

/// The memory of the queue is what was asked for, however long it is.
#[test]
fn memory_is_bounded() {
    let line = "-c --slots 70000 --seed 1 -j1";
    let memory = report(&Wheels::Right, line)["memory_bytes"].as_u64().unwrap();
    let queued = report(&Wheels::Right, &format!("{line} {}", disk(1)));
    assert!(queued["memory_bytes"].as_u64().unwrap() + 40_000 < memory);
    let figures = &queued["disk_queue"];
    assert!(figures["peak_bytes"].as_u64().unwrap() < 140_000, "{figures}");
    assert!(figures["packed"].as_f64().unwrap() < 0.7, "{figures}");
    assert_eq!(queued["options"]["queue"], "disk");
    assert_eq!(queued["options"]["queue_memory_bytes"], 8192);
}

#[test]
fn the_report_tells_what_went_to_disk() {
    let ran = run(&Wheels::Right, &format!("-c --slots 70000 -j1 {}", disk(1)));
    assert!(ran.out.contains("Queue on disk, in "), "{}", ran.out);
    assert!(ran.out.contains("queue on disk: ") && ran.out.contains(" at most in the files, packed to "));
    let ran = run(&Wheels::Right, "-j1 --queue disk");
    assert!(!ran.out.contains("queue on disk: "), "{}", ran.out);
}

#[test]
fn what_cannot_be_is_refused() {
    for (line, text) in [
        ("--queue-memory 1M", "the queue is in memory"),
        ("--queue disk --queue-memory 1K -j1", "try: --queue-memory 8K"),
        ("--queue disk --queue-memory 100K -j4", "try: --queue-memory 160K, or fewer --threads"),
        ("--queue disk --queue-memory 20M -m10", "cannot be larger"),
        ("-s --queue disk", "cannot be used with"),
    ] {
        let ran = run(&Wheels::Right, line);
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(text), "{line}: {}", ran.err);
    }
}

/// A directory in which nothing can be created is a mistake on the command line. (Root may write
/// everywhere else.)
#[cfg(target_os = "linux")]
#[test]
fn a_bad_directory_is_found_out_at_once() {
    for line in ["--queue disk -d /proc/self", "-c -d /proc/self", "--queue disk -d /nowhere"] {
        let ran = run(&Wheels::Right, line);
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains("--directory") && ran.out.is_empty(), "{}", ran.err);
    }
}
