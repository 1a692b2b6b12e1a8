//! Threads of a server as processes: none that expands, one, two, beside workers. What is found is
//! what one process finds.

use super::cluster_sets::common;
use super::serving::{Place, Process};
use super::support::scratch;
use super::{COUNTERS, report};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The threads of a server: none that expands, one that does, two from the first state on.
const THREADS: [&[&str]; 3] = [&[], &["-j1"], &["-j2", "--threads-from", "1"]];

fn start(verifier: &Path, arguments: &[&str]) -> Process {
    let mut command = Command::new(verifier);
    command.args(arguments);
    Process::start(command)
}

/// The report of a server with these options, and with this number of workers.
fn served(place: &Place, verifier: &Path, options: &[&str], workers: usize) -> Value {
    let json = place.json.to_string_lossy();
    let _ = std::fs::remove_file(&place.json);
    let server = start(verifier, &[options, &["--serve", &place.address, "--json", &json]].concat());
    let work = ["--work", &place.address, "-j1", "--retry", "60"];
    let workers: Vec<Process> = (0..workers).map(|_| start(verifier, &work)).collect();
    let (_, said) = server.wait();
    drop(workers);
    assert!(place.json.exists(), "{options:?}: {said}");
    place.found()
}

/// Small tables and queues, so that all of it goes to disk and comes back; threads that expand and
/// store beside workers. The rows of the table have all states.
#[test]
fn threads_of_a_server_and_workers_share_the_states() {
    let place = Place::new("share");
    let folder = scratch("served-share");
    let folder = folder.to_str().expect("a path in Unicode");
    let depth = ["--max-depth", "9", "--memory", "300M"];
    let (alone, _) = report(&COUNTERS, &[&depth[..], &["-j1"]].concat());
    let small = ["--disk", folder, "--table-memory", "1M", "--queue-memory", "1M"];
    for way in [&[][..], &small] {
        for threads in THREADS {
            let options = [&depth[..], way, threads].concat();
            let found = served(&place, &COUNTERS, &options, 2);
            assert_eq!(common(&found), common(&alone), "{options:?}");
            let rows = found["workers"].as_array().expect("there is a table");
            let here = |row: &&Value| {
                row["address"].as_str().is_some_and(|address| address.starts_with("server, thread"))
            };
            let own: u64 = rows.iter().filter(here).filter_map(|row| row["states"].as_u64()).sum();
            let all: u64 = rows.iter().filter_map(|row| row["states"].as_u64()).sum();
            let number = rows.iter().filter(here).count();
            assert_eq!(number, if threads.is_empty() { 0 } else { threads[0][2..].parse().unwrap() });
            assert_eq!(own > 0, !threads.is_empty(), "{rows:?}");
            // Work may be done twice, or ahead of a level and in vain, but not left out.
            assert!(all >= expanded(&alone), "{all}: {rows:?}");
        }
    }
}

/// With a limit of the depth, all states but those of the last level are expanded: ten digits whose
/// sum is less than nine.
fn expanded(alone: &Value) -> u64 {
    assert_eq!(alone["depth"].as_u64(), Some(9));
    // 18 over 8.
    43_758
}

/// An interruption ends a server of any kind at once, and its workers.
#[test]
fn an_interruption_ends_a_server_and_its_workers() {
    for (number, threads) in THREADS.into_iter().enumerate() {
        let place = Place::new(&format!("interrupted-{number}"));
        let server = start(&COUNTERS, &[threads, &["--serve", &place.address]].concat());
        let worker = start(&COUNTERS, &["--work", &place.address, "-j2", "--retry", "60"]);
        std::thread::sleep(Duration::from_millis(600));
        let begun = Instant::now();
        server.signal("INT");
        let (code, said) = server.wait();
        assert_eq!(code, Some(3), "{said}");
        let (code, said) = worker.wait();
        assert_eq!(code, Some(0), "{said}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
