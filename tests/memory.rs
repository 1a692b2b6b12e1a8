//! The memory limit is kept: what the system says that a verifier has in memory stays within
//! `--memory` and 16 MiB, or 5 %.
//!
//! Small states that are alike, large states with many successors, and more start states than any
//! memory holds, in every kind of search and with 1, 2 and 8 threads. How it ends is not the
//! question here: most searches run out of memory, which is what they are for.

#![cfg(test)]
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use support::{build, root, scratch};

const MEBIBYTE: u64 = 1 << 20;
/// What may come on top of the limit, or a twentieth of the limit if that is more.
const MARGIN: u64 = 16 * MEBIBYTE;
/// A search that does not end by itself has shown enough after this time, and more of it for larger
/// limits.
const LONG: Duration = Duration::from_secs(2);

/// Each is built once, by the first test that needs it.
fn verifier(name: &'static str) -> PathBuf {
    static BUILT: [OnceLock<PathBuf>; 3] = [const { OnceLock::new() }; 3];
    let at = ["small", "large", "starts"].iter().position(|other| *other == name).expect("a known model");
    let model = root().join("tests/memory").join(name).with_extension("m");
    BUILT[at].get_or_init(|| build(&model).expect("it builds")).clone()
}

/// The most that a process had in memory up to now.
fn resident(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// What a finished verifier says of itself: it looked after the last of the work.
fn reported(place: &Path) -> Option<u64> {
    let text = fs::read_to_string(place.join("report.json")).ok()?;
    serde_json::from_str::<serde_json::Value>(&text).ok()?["resident_bytes"].as_u64()
}

/// Runs a verifier, and looks all the time at what it has in memory. Returns the most of it, and
/// the exit code if it ended by itself.
fn watch(verifier: &Path, options: &str, place: &Path, long: Duration) -> (u64, Option<i32>) {
    let mut command = Command::new(verifier);
    command.current_dir(place).args(options.split_whitespace()).arg("--json").arg("report.json");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the verifier starts");
    let began = Instant::now();
    let mut most = 0;
    loop {
        most = most.max(resident(&child).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("it is ours") {
            return (most.max(reported(place).unwrap_or(0)), status.code());
        }
        if began.elapsed() > long {
            child.kill().expect("it is ours");
            child.wait().expect("it is ours");
            return (most, None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The limits in mebibytes, and whether every search runs with every number of threads. By default
/// that is what fits into a few seconds; `MCC_MEMORY_LIMITS=200,1000` takes these limits, and all
/// threads.
fn extent(usual: u64) -> (Vec<u64>, bool) {
    match std::env::var("MCC_MEMORY_LIMITS") {
        Ok(limits) => (limits.split(',').map(|limit| limit.parse().expect("a number")).collect(), true),
        Err(_) => (vec![usual], false),
    }
}

/// Bytes that may be resident under a limit in mebibytes.
fn allowed(limit: u64) -> u64 {
    (limit * MEBIBYTE + MARGIN).max(limit * MEBIBYTE / 20 * 21)
}

/// Watches one search, and prints what it took. Returns the most that was resident, and the exit
/// code.
fn run(name: &'static str, limit: u64, search: &str, long: Duration) -> (u64, Option<i32>) {
    let place = scratch(&format!("memory-{name}"));
    let options = format!("--memory {limit}M {search}");
    let (most, code) = watch(&verifier(name), &options, &place, long);
    println!("{name} {options}: {} MiB, exit code {code:?}", most / MEBIBYTE);
    let _ = fs::remove_dir_all(&place);
    (most, code)
}

/// Watches searches, those with `-j` with 1, 2 or 8 threads, and reports all that went over.
fn keeps_within(name: &'static str, usual: u64, searches: &[&str]) {
    const THREADS: [usize; 3] = [1, 2, 8];
    let (limits, all_threads) = extent(usual);
    let mut broken = Vec::new();
    for limit in limits {
        for (at, search) in searches.iter().enumerate() {
            let threads = match (search.contains("-j"), all_threads) {
                (true, true) => &THREADS[..],
                (true, false) => &THREADS[at % 3..][..1],
                (false, _) => &THREADS[..1],
            };
            for threads in threads {
                let search = search.replace("-j", &format!("-j{threads}"));
                let (most, code) = run(name, limit, &search, LONG + Duration::from_millis(limit * 50));
                if most > allowed(limit) || !matches!(code, None | Some(0 | 1 | 3)) {
                    broken.push(format!("{limit} MiB, {search}: {} MiB, {code:?}", most / MEBIBYTE));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{name}: more than the limit:\n{}", broken.join("\n"));
}

#[test]
fn small_states_that_are_alike() {
    let searches = [
        "-j",
        "-j -b",
        "-j --symmetry off",
        "-vdfs --symmetry off",
        "-j --symmetry off -c",
        "-j --cache 10M",
        "-j --disk disk --table-memory 8M",
        "-j --queue disk --queue-memory 2M",
        "-j --sleep --symmetry off",
        "-vdfs --sleep --symmetry off -ndl",
        "-vdfs --cache 10M --symmetry off -ndl",
        "-j --compress-paths",
        "-j --tree --symmetry off",
        "-vdfs --tree --symmetry off",
    ];
    keeps_within("small", 24, &searches);
}

/// With more memory than a few big pages. These searches fill it to the limit within some seconds;
/// tables that had grown left a tenth of the limit free but resident.
#[test]
fn small_states_that_fill_large_memory() {
    const LIMIT: u64 = 200;
    for search in ["-j1 --symmetry off", "-vdfs --symmetry off", "-j8 --symmetry off"] {
        let (most, code) = run("small", LIMIT, search, Duration::from_secs(180));
        assert!(most <= allowed(LIMIT), "{search}: {} MiB", most / MEBIBYTE);
        assert_eq!(code, Some(3), "{search}: the limit is reached");
    }
}

#[test]
fn large_states_with_many_successors() {
    let searches = [
        "-j",
        "-j -b",
        "-j -c",
        "-vdfs",
        "-j --cache 10M",
        "-j --disk disk --table-memory 10M",
        "-vdfs --cache 10M",
        "-j --compress-paths",
        "-j --sleep",
        "-j --max-errors 0",
        "--simulate --steps 300",
    ];
    keeps_within("large", 40, &searches);
}

#[test]
fn more_start_states_than_memory() {
    let searches = [
        "-j",
        "-j -c",
        "-vdfs",
        "-j --cache 10M",
        "-j --max-errors 0",
        "-vdfs --max-errors 0",
        "-j -c --max-errors 0",
        "--simulate --steps 10",
        "-j --tree",
    ];
    keeps_within("starts", 24, &searches);
}
