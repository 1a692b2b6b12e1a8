//! Visited sets, queues on disk and limits of several processes.

use super::models::wheels::Wheels;
use super::models::{report, run};
use super::{NUMBER, cluster, errors, figures};
use mcc_runtime::Exit;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// What process 0 reports of that number of processes, of which all end alike.
fn found(model: Wheels, count: usize, line: &str) -> (Value, Exit) {
    let ran = cluster(model, &vec![1; count], &vec![format!("--json - {line}"); count]);
    assert!(ran.iter().all(|other| other.exit == ran[0].exit), "{line}: {}", ran[0].err);
    (ran[0].json(), ran[0].exit)
}

#[test]
fn signatures_find_the_states_of_an_exact_search() {
    let expected = figures(&report(&Wheels::Right, "-j1"));
    for (count, line) in [(1, "-c -j2"), (2, "-c -b -j1"), (3, "-c -j2 --seed 9")] {
        let (found, exit) = found(Wheels::Right, count, line);
        assert_eq!(exit, Exit::Verified);
        let reason = found["reason"].as_str().unwrap();
        assert!(reason.contains("probability of a missed error"), "{reason}");
        let mut found = found;
        found["reason"] = expected["reason"].clone();
        assert_eq!(figures(&found), expected, "{line}");
        let compaction = &found["compaction"];
        let levels: u64 = compaction["levels"].as_array().unwrap().iter().flat_map(Value::as_u64).sum();
        assert_eq!(levels, 65_536, "{line}");
        let bound = compaction["bounds"]["missed_error"].as_f64().unwrap();
        assert!(bound > 0.0 && bound < 1e-9, "{compaction:#}");
    }
    let expected = report(&Wheels::SixBroken, "-j1 --max-errors 0");
    let (found, _) = found(Wheels::SixBroken, 3, "-c -j1 --max-errors 0");
    assert_eq!(errors(&found).len(), errors(&expected).len());
}

/// With few bits states are taken for others, but the same ones whatever the number of processes
/// and threads, for one seed and one number of slots.
#[test]
fn what_signatures_miss_does_not_depend_on_processes() {
    let mut counts = Vec::new();
    for seed in [1, 2] {
        let of = |count, threads| {
            let line = format!("-c --bits 10 --slots 80000 --seed {seed} -j{threads}");
            let (found, exit) = found(Wheels::Right, count, &line);
            assert_eq!(exit, Exit::Verified);
            figures(&found)
        };
        let expected = of(1, 1);
        assert!(expected["states"].as_u64().unwrap() < 65_536, "{expected:#}");
        for (count, threads) in [(1, 3), (2, 2), (3, 1), (5, 1)] {
            assert_eq!(of(count, threads), expected, "{seed} {count} {threads}");
        }
        counts.push(expected["states"].clone());
    }
    assert_ne!(counts[0], counts[1]);
}

#[test]
fn full_tables_and_limits_end_all_processes() {
    for (line, words) in [
        ("-c --slots 30000 -j1", "slots"),
        ("--max-states 1000 -j1", "more than 1,000 states"),
        ("-c --max-states 1000 -j2", "more than 1,000 states"),
    ] {
        let mut states = Vec::new();
        for count in [1, 2, 3] {
            let (found, exit) = found(Wheels::Right, count, line);
            assert_eq!(exit, Exit::Inconclusive, "{line}");
            let reason = found["reason"].as_str().unwrap();
            assert!(reason.contains(words), "{line}: {reason}");
            states.push(found["states"].as_u64().unwrap());
        }
        if line.contains("max-states") {
            // The level in which the limit is passed is finished, everywhere alike.
            assert!(states[0] > 1000 && states.iter().all(|count| *count == states[0]), "{states:?}");
        }
    }
    let enough = run(&Wheels::Right, "--max-states 65536 -j1");
    assert_eq!(enough.exit, Exit::Verified);
    assert_eq!(found(Wheels::Right, 2, "--max-states 65536 -j1").1, Exit::Verified);
}

/// A directory of this test alone.
fn place() -> String {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("sets-{}-{number}", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir(&path).unwrap();
    path.display().to_string()
}

#[test]
fn parts_of_every_kind_of_set_hold_what_one_process_holds() {
    let place = place();
    let ways = [
        "--tree".to_owned(),
        "--tree -b".to_owned(),
        format!("--disk {place} --table-memory 64K --queue-memory 256K"),
        format!("--disk {place} --disk-plain -b"),
        format!("--disk {place} -c"),
        "--queue disk --queue-memory 256K".to_owned(),
        "--queue disk --queue-memory 256K -c -b".to_owned(),
        // Nothing is evicted from as many.
        "--cache-states 4000000".to_owned(),
        "--cache-states 4000000 -c -b".to_owned(),
    ];
    for (at, way) in ways.iter().enumerate() {
        for (model, options) in [(Wheels::Right, ""), (Wheels::Broken, "--max-errors 0")] {
            let line = |threads: usize| format!("{way} {options} -j{threads}");
            let mut expected = report(&model, &format!("{options} -j1"));
            let (count, threads) = [(2, 1), (3, 2), (1, 2), (5, 1)][at % 4];
            let (found, exit) = found(model, count, &line(threads));
            assert!(matches!(exit, Exit::Verified | Exit::Violated), "{way}");
            // Signatures add a bound to it.
            expected["reason"] = found["reason"].clone();
            assert_eq!(figures(&found), figures(&expected), "{way} {options}");
            let lengths = |report: &Value| errors(report).iter().map(|error| error.0).collect::<Vec<_>>();
            assert_eq!(lengths(&found), lengths(&expected), "{way} {options}");
        }
    }
}

/// What the report says of the set is added up from all processes.
#[test]
fn figures_of_the_parts_are_added_up() {
    let place = place();
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value:#} is no number"));
    let sum = |value: &Value| value.as_array().unwrap().iter().map(number).sum::<u64>();
    let (disk, _) = found(Wheels::Right, 3, &format!("--disk {place} --table-memory 64K -j1"));
    let table = &disk["disk_table"];
    assert_eq!(sum(&table["levels"]), 65_536, "{table:#}");
    let found_in_all = number(&disk["rules"]) + 1;
    let looked_up = number(&table["hits"]) + number(&table["candidates"]);
    // What was sent lately is not sent again, and not looked up.
    let repeated = number(&disk["cluster"]["processes"][0]["states_repeated"]);
    assert!(looked_up <= found_in_all && looked_up + repeated > 65_536, "{table:#}");
    assert!(number(&table["tables"]) >= 16 && number(&table["table_bytes"]) > 0, "{table:#}");
    let (tree, _) = found(Wheels::Right, 2, "--tree -j1");
    let each = tree["tree"]["bytes_per_state"].as_f64().unwrap();
    let (alone, one) = (report(&Wheels::Right, "--tree -j1"), 1.0);
    let smallest = alone["tree"]["bytes_per_state"].as_f64().unwrap().min(one);
    assert!(each >= smallest && each < 200.0, "{tree:#}");
    let (queue, _) = found(Wheels::Right, 2, "--queue disk --queue-memory 64K -c -j1");
    assert!(number(&queue["disk_queue"]["written_bytes"]) > 100_000, "{:#}", queue["disk_queue"]);
    let (cache, exit) = found(Wheels::Right, 2, "--cache-states 50000 --max-collisions 0 --max-depth 20 -j1");
    let figures = &cache["cache"];
    assert!(matches!(exit, Exit::Verified | Exit::Inconclusive), "{figures:#}");
    assert!(number(&figures["replaced"]) > 0, "{figures:#}");
    assert_eq!(number(&figures["insertions"]), number(&cache["states"]), "{figures:#}");
    assert_eq!(sum(&figures["levels"]), number(&cache["states"]), "{figures:#}");
    // The estimates of both processes together, which own different states.
    let estimated = number(&figures["estimated_states"]) as f64;
    assert!((estimated / 65_536.0 - 1.0).abs() < 0.06, "{figures:#}");
}

/// A process whose set cannot go on ends all, with its reason.
#[test]
fn a_part_that_cannot_go_on_ends_all() {
    let (report, exit) = found(Wheels::Right, 2, "--cache-states 512 --max-collisions 0.1 -j1");
    assert_eq!(exit, Exit::Inconclusive);
    let reason = report["reason"].as_str().unwrap();
    assert!(reason.contains("collision rate"), "{reason}");
}
