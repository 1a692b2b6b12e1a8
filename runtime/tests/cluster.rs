//! Several processes: the same results as one, whatever their number; and what happens when they do
//! not fit together. The processes are threads here, which talk over loopback as processes do.

#![cfg(test)]

mod models;
#[path = "cluster/saving.rs"]
mod saving;
#[path = "cluster/serving.rs"]
mod serving;
#[path = "cluster/sets.rs"]
mod sets;

use mcc_runtime::{Exit, Interruption};
use models::wheels::Wheels;
use models::{Ran, report, run, run_with};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static NUMBER: AtomicUsize = AtomicUsize::new(0);
static PORT: AtomicUsize = AtomicUsize::new(0);

/// A file of this test alone.
fn file(contents: &str) -> PathBuf {
    let name = format!("cluster-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).unwrap();
    path
}

/// Ports that were free a moment ago. They lie below those that systems choose themselves, so that
/// no other program gets them meanwhile.
fn ports(count: usize) -> Vec<u16> {
    let first = 16_000 + std::process::id() as usize % 128 * 125;
    let numbers = std::iter::repeat_with(|| first + PORT.fetch_add(1, Ordering::Relaxed) % 125);
    let numbers = numbers.map(|number| u16::try_from(number).unwrap());
    numbers.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).take(count).collect()
}

/// A list of processes on this machine, with these shares.
fn list(ports: &[u16], shares: &[u32]) -> PathBuf {
    let lines = ports.iter().zip(shares).map(|(port, share)| format!("127.0.0.1:{port}*{share}\n"));
    file(&lines.collect::<String>())
}

/// Runs a process of a model for each of these command lines.
fn cluster(model: Wheels, shares: &[u32], lines: &[String]) -> Vec<Ran> {
    let list = list(&ports(lines.len()), shares);
    std::thread::scope(|scope| {
        let processes: Vec<_> = lines
            .iter()
            .enumerate()
            .map(|(process, line)| {
                let line = format!("--cluster {} --process {process} {line}", list.display());
                scope.spawn(move || run(&model, &line))
            })
            .collect();
        processes.into_iter().map(|process| process.join().unwrap()).collect()
    })
}

/// What must not depend on the number of processes.
fn figures(report: &Value) -> Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures", "property_figures"];
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

/// The lengths of traces, and the states at their ends.
fn errors(report: &Value) -> Vec<(usize, String)> {
    let errors = report["errors"].as_array().unwrap().iter();
    errors
        .map(|error| {
            let trace = error["trace"].as_array().unwrap();
            let state = trace.iter().rev().map(|step| &step["state"]).find(|state| !state.is_null());
            (trace.len(), state.unwrap().to_string())
        })
        .collect()
}

#[test]
fn all_states_are_found_once() {
    let secret = file("a secret of sixteen bytes or more\n");
    let ways = [
        (vec![1], vec![2], "".to_owned()),
        (vec![1, 1], vec![1, 2], "-b".to_owned()),
        (vec![1, 3, 2], vec![2, 1, 1], format!("--secret {}", secret.display())),
        (vec![1; 5], vec![1; 5], format!("-b --secret {} --plain", secret.display())),
    ];
    let expected = figures(&report(&Wheels::Right, "-j1"));
    for (shares, threads, way) in ways {
        let lines: Vec<String> =
            threads.iter().map(|threads| format!("-j{threads} {way} --json -")).collect();
        let ran = cluster(Wheels::Right, &shares, &lines);
        let report = ran[0].json();
        assert_eq!(figures(&report), expected, "{way}");
        for (process, ran) in ran.iter().enumerate() {
            assert_eq!(ran.exit, Exit::Verified, "{process}: {}", ran.err);
            assert!(process == 0 || ran.out.is_empty(), "{}", ran.out);
        }
        let cluster = &report["cluster"];
        assert_eq!(cluster["encrypted"], way.contains("--secret") && !way.contains("--plain"));
        let states: Vec<u64> = cluster["processes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|process| process["states"].as_u64().unwrap())
            .collect();
        assert_eq!(states.iter().sum::<u64>(), 65_536);
        let shares_in_all: u32 = shares.iter().sum();
        for (states, share) in states.iter().zip(&shares) {
            let due = 65_536.0 * f64::from(*share) / f64::from(shares_in_all);
            assert!((*states as f64 / due - 1.0).abs() < 0.2, "{states} {due}");
        }
    }
}

/// Errors come in one order, with traces as long as those of one process, through all processes.
#[test]
fn errors_do_not_depend_on_processes() {
    for line in ["--max-errors 0", "--max-errors 3 -b", "", "--max-depth 3"] {
        let alone = run(&Wheels::Broken, &format!("-j2 --threads-from 0 --json - {line}"));
        let expected = alone.json();
        for count in [1, 2, 3] {
            let lines = vec![format!("-j1 --json - {line}"); count];
            let ran = cluster(Wheels::Broken, &vec![1; count], &lines);
            let report = ran[0].json();
            assert!(ran.iter().all(|ran| ran.exit == alone.exit), "{count} {line}: {}", ran[0].err);
            assert_eq!(report["verdict"], expected["verdict"], "{count} {line}");
            let lengths = |report: &Value| errors(report).iter().map(|error| error.0).collect::<Vec<_>>();
            assert_eq!(lengths(&report), lengths(&expected), "{count} {line}");
            if line.contains("--max-errors") {
                assert_eq!(errors(&report), errors(&expected), "{count} {line}");
            }
            if line.contains(" 0") {
                assert_eq!(figures(&report), figures(&expected), "{count} {line}");
            }
        }
    }
}

/// Bytes of a stranger are a warning, and the search goes on with those that belong to it.
#[test]
fn a_stranger_is_turned_away() {
    let (ports, secret) = (ports(2), file("sixteen bytes are enough"));
    let list = list(&ports, &[1, 1]);
    let line = |process: usize| {
        format!("--cluster {} --process {process} --secret {} -j1 --json -", list.display(), secret.display())
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| run(&Wheels::Right, &line(0)));
        for bytes in [
            &b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..],
            &[&b"mcc-cluster/0004"[..], &[7; 48]].concat(),
            b"",
        ] {
            let mut stranger = connect(ports[0]);
            stranger.write_all(bytes).unwrap();
            let _ = stranger.shutdown(std::net::Shutdown::Write);
            let _ = stranger.read_to_end(&mut Vec::new());
        }
        let second = run(&Wheels::Right, &line(1));
        let first = first.join().unwrap();
        assert_eq!(
            (first.exit, second.exit),
            (Exit::Verified, Exit::Verified),
            "{}{}",
            first.err,
            second.err
        );
        assert_eq!(first.json()["states"], 65_536);
        assert_eq!(first.err.matches("was refused").count(), 3, "{}", first.err);
        assert!(first.err.contains("does not know the secret"), "{}", first.err);
    });
}

fn connect(port: u16) -> TcpStream {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn another_secret_is_noticed_by_both() {
    let list = list(&ports(2), &[1, 1]);
    let secrets = [file("one secret of sixteen bytes"), file("another one of sixteen bytes")];
    let line = |process: usize| {
        format!(
            "--cluster {} --process {process} --secret {} -j1",
            list.display(),
            secrets[process].display()
        )
    };
    let interrupted = Interruption::none();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| run_with(&Wheels::Right, &line(0), &interrupted));
        let second = run(&Wheels::Right, &line(1));
        assert_eq!(second.exit, Exit::Wrong);
        assert!(second.err.contains("process 0") && second.err.contains("secret"), "{}", second.err);
        interrupted.request();
        let first = first.join().unwrap();
        assert_eq!(first.exit, Exit::Inconclusive);
        assert!(first.err.contains("does not know the secret"), "{}", first.err);
    });
}

#[test]
fn another_search_is_named() {
    let ran = cluster(Wheels::Right, &[1, 1], &["-j1".to_owned(), "-j1 -b --max-depth 7".to_owned()]);
    for ran in ran {
        assert_eq!(ran.exit, Exit::Wrong, "{}", ran.err);
        for words in ["another search", "--packed", "--max-depth"] {
            assert!(ran.err.contains(words), "{}", ran.err);
        }
    }
}

#[test]
fn what_cannot_be_is_refused_before_the_search() {
    let here = list(&[7001, 7002], &[1, 1]);
    let (far, empty) = (file("192.0.2.1:7700\n192.0.2.2:7700\n"), file("short"));
    let (here, far, empty) = (here.display(), far.display(), empty.display());
    for (line, words) in [
        (format!("--cluster {here}"), "--process"),
        (format!("--cluster {here} --process 2"), "--process"),
        (format!("--cluster {far} --process 0"), "without a secret"),
        (format!("--cluster {here} --process 0 --secret {empty}"), "guessed"),
        ("--cluster /nowhere/at/all --process 0".to_owned(), "cannot be read"),
        ("--cluster local:2".to_owned(), "another program"),
        (format!("--cluster {here} --process 0 -c --runs 2"), "--runs"),
        (format!("--cluster {here} --process 0 -vdfs"), "-vdfs"),
        (format!("--cluster {here} --process 0 --sleep"), "--sleep"),
        (format!("--cluster {here} --process 0 --checkpoint 1 --tree"), "--checkpoint"),
        (format!("--cluster {here} --process 0 --checkpoint 1 --cache 1M"), "--checkpoint"),
        (format!("--cluster {here} --process 0 --checkpoint 1 --disk ."), "--checkpoint"),
        (format!("--cluster {here} --process 0 --locality"), "--locality"),
    ] {
        let ran = run(&Wheels::Right, &line);
        assert_eq!(ran.exit, Exit::Wrong, "{line}: {}", ran.err);
        assert!(ran.err.contains(words) && ran.err.contains("try: "), "{line}: {}", ran.err);
    }
}

/// Little memory ends all processes, with the reason, and without waiting for anybody.
#[test]
fn a_limit_of_one_process_ends_all() {
    let lines = ["-j1 --json - --memory 1G".to_owned(), "-j1 --memory 600K".to_owned()];
    let ran = cluster(Wheels::Right, &[1, 1], &lines);
    assert!(ran.iter().all(|ran| ran.exit == Exit::Inconclusive), "{}{}", ran[0].err, ran[1].err);
    let report = ran[0].json();
    let reason = report["reason"].as_str().unwrap();
    // The limit is that of one process, and so is what it used.
    assert!(reason.contains("process 1 (") && reason.contains("the limit is 600"), "{reason}");
    let done = &report["cluster"]["processes"][1]["memory_bytes"];
    assert!(done.as_u64().unwrap() <= 600 << 10, "{done}");
}
