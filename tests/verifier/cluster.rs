//! Several processes of a compiled verifier: what they find together, what ends them, how they go
//! on after one was killed, and two hosts of their own.

use super::support::{scratch, shown};
use super::{COUNTERS, ERRORS, GOOD, WORKERS, expect, report};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Several processes give what one gives, with symmetry and with errors as well.
#[test]
fn a_cluster_gives_what_one_process_gives() {
    let of = |verifier: &Path, options: &[&str]| {
        let (report, output) = report(verifier, options);
        let lengths = report["errors"].as_array().map_or_else(Vec::new, |errors| {
            errors.iter().map(|error| error["trace"].as_array().map(Vec::len)).collect()
        });
        let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures"];
        (keys.map(|key| report[key].clone()), lengths, output.status.code())
    };
    for verifier in [&*GOOD, &*WORKERS, &*ERRORS] {
        let expected = of(verifier, &["-j1", "--max-errors", "0"]);
        assert!(expected.0[2].as_u64() > Some(0), "{expected:?}");
        for (processes, threads) in [("local:1", "-j2"), ("local:2", "-j3"), ("local:5", "-j1")] {
            let found = of(verifier, &["--cluster", processes, threads, "--max-errors", "0"]);
            assert_eq!(found, expected, "{} {processes} {threads}", verifier.display());
        }
    }
}

/// The processes that the threads of another one have started.
#[cfg(target_os = "linux")]
pub fn children(process: u32) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Ctrl-C in any process ends all of them, with the counts; so does a limit.
#[cfg(target_os = "linux")]
#[test]
fn what_ends_one_process_ends_the_cluster() {
    for interrupts_first in [true, false] {
        let mut first = Command::new(&*COUNTERS)
            .args(["--cluster", "local:3", "-j1", "--memory", "500M", "--json", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the verifier starts");
        let number = first.id();
        let begun = Instant::now();
        let others = loop {
            let others = children(number);
            if others.len() == 2 {
                break others;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{others:?}");
            std::thread::sleep(Duration::from_millis(20));
        };
        // The search is on its way.
        std::thread::sleep(Duration::from_secs(1));
        let to = if interrupts_first { number.to_string() } else { others[1].to_owned() };
        let began = Instant::now();
        let signal = Command::new("sh").arg("-c").arg(format!("kill -INT {to}")).status();
        assert!(signal.is_ok_and(|status| status.success()), "the signal was not sent");
        while first.try_wait().expect("the verifier can be waited for").is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = first.wait_with_output().expect("the verifier ends");
        expect(&output, 3, &["interrupted"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("the report is complete");
        assert_eq!(report["verdict"], "inconclusive");
        let processes = report["cluster"]["processes"].as_array().expect("a part for each process");
        let states = processes.iter().map(|process| process["states"].as_u64().unwrap_or(0));
        assert_eq!(Some(states.sum::<u64>()), report["states"].as_u64(), "{report:#}");
        for other in others {
            assert!(!Path::new(&format!("/proc/{other}")).exists(), "{other} is left behind");
        }
    }
    for (option, value, words) in [("--max-depth", "6", "depth"), ("--memory", "40M", "memory")] {
        let (report, output) = report(&COUNTERS, &["--cluster", "local:2", "-j1", option, value]);
        expect(&output, 3, &[words]);
        let reason = report["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(words), "{option}: {reason}");
    }
}

/// The most memory that a process has had, in bytes.
#[cfg(target_os = "linux")]
fn peak(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// One process is slow among fast ones: nothing piles up before it, and nobody takes it for lost.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_process_holds_the_others_up_and_memory_holds() {
    let limit = 150 << 20;
    let options = ["--max-depth", "12", "-j1"];
    let mut first = Command::new(&*COUNTERS)
        .args(["--cluster", "local:3", "--memory", "150M", "--json", "-"])
        .args(options)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the verifier starts");
    wait_for("the others are not there", || children(first.id()).len() == 2);
    let others = children(first.id());
    let signal = |name: &str| {
        let line = format!("kill -{name} {}", others[1]);
        let _ = Command::new("sh").arg("-c").arg(line).stderr(Stdio::null()).status();
    };
    let mut peaks = Vec::new();
    // It takes some tenths of a second without the pauses.
    std::thread::sleep(Duration::from_millis(60));
    for _ in 0..3 {
        signal("STOP");
        // Less than the time after which a silent process is lost.
        std::thread::sleep(Duration::from_secs(2));
        peaks.extend(others.iter().filter_map(|other| peak(other)));
        peaks.extend(peak(&first.id().to_string()));
        signal("CONT");
        std::thread::sleep(Duration::from_millis(60));
    }
    assert!(first.try_wait().is_ok(), "it cannot be waited for");
    let output = first.wait_with_output().expect("the verifier ends");
    expect(&output, 3, &["depth"]);
    let found: Value = serde_json::from_slice(&output.stdout).expect("the report is complete");
    assert_eq!(figures(&found), figures(&report(&COUNTERS, &options).0), "{}", shown(&output));
    // The program itself and its stacks are beside the limit.
    let most = peaks.into_iter().max().expect("it was slow while it was at work");
    assert!(most < limit + (16 << 20), "{most} bytes");
}

/// The keys that must not depend on interruptions.
pub fn figures(report: &Value) -> Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures"];
    keys.iter().map(|&key| (key.to_owned(), report[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[cfg(target_os = "linux")]
pub fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// One of four processes is killed, whichever, and another number of them goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_search_goes_on_after_a_process_was_killed() {
    let depth = ["--max-depth", "11", "-j1"];
    let expected = figures(&report(&COUNTERS, &depth).0);
    for (killed, processes) in [(0, "local:3"), (2, "local:5"), (3, "local:2")] {
        let saved = scratch("killed").join(format!("saved{killed}"));
        // Of an earlier run of the test.
        let _ = std::fs::remove_dir_all(&saved);
        let mut first = Command::new(&*COUNTERS)
            .args(["--cluster", "local:4", "--checkpoint", "0", "--checkpoint-directory"])
            .arg(&saved)
            .args(depth)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the verifier starts");
        wait_for("the others are not there", || children(first.id()).len() == 3);
        let others = children(first.id());
        wait_for("there is no checkpoint", || saved.join("manifest").exists());
        let victim = if killed == 0 { first.id().to_string() } else { others[killed - 1].clone() };
        // It may have come to its end already; then there is one to resume as well.
        let _ = Command::new("sh").arg("-c").arg(format!("kill -9 {victim}")).stderr(Stdio::null()).status();
        let code = first.wait().expect("process 0 ends").code();
        assert!(code.is_none_or(|code| code == 3), "{code:?}");
        wait_for("a process is left behind", || {
            others.iter().all(|other| !Path::new(&format!("/proc/{other}")).exists())
        });
        let place = saved.to_str().expect("a path in Unicode");
        let options: Vec<&str> =
            ["--cluster", processes, "--resume", place].into_iter().chain(depth).collect();
        let (resumed, output) = report(&COUNTERS, &options);
        assert_eq!(figures(&resumed), expected, "{killed}: {}", shown(&output));
    }
}

/// A network of two hosts, which is gone when this is dropped.
#[cfg(target_os = "linux")]
struct TwoHosts([String; 2]);

#[cfg(target_os = "linux")]
impl TwoHosts {
    /// `None`: this user may not make one.
    fn new() -> Option<TwoHosts> {
        let hosts = TwoHosts(["a", "b"].map(|host| format!("mcc{}{host}", std::process::id())));
        let [a, b] = &hosts.0;
        let ip = |line: &str| {
            let status = Command::new("ip").args(line.split(' ')).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        let made = ip(&format!("netns add {a}"))
            && ip(&format!("netns add {b}"))
            && ip(&format!("link add cable netns {a} type veth peer name cable netns {b}"))
            && ip(&format!("-n {a} addr add 10.77.0.1/24 dev cable"))
            && ip(&format!("-n {b} addr add 10.77.0.2/24 dev cable"))
            && ip(&format!("-n {a} link set cable up"))
            && ip(&format!("-n {b} link set cable up"));
        made.then_some(hosts)
    }

    /// A verifier on one of them.
    fn start(&self, host: usize, verifier: &Path, options: &[&str]) -> Child {
        Command::new("ip")
            .args(["netns", "exec", &self.0[host]])
            .arg(verifier)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the verifier starts")
    }

    fn cut(&self) {
        let _ = Command::new("ip").args(["-n", &self.0[0], "link", "set", "cable", "down"]).status();
    }
}

#[cfg(target_os = "linux")]
impl Drop for TwoHosts {
    fn drop(&mut self) {
        for host in &self.0 {
            let _ = Command::new("ip").args(["netns", "del", host]).stderr(Stdio::null()).status();
        }
    }
}

/// Two hosts with one secret, with two, with two models, and with the cable cut in mid-search.
#[cfg(target_os = "linux")]
#[test]
fn two_hosts_work_together_and_notice_what_is_wrong() {
    let Some(hosts) = TwoHosts::new() else {
        eprintln!("SKIPPED: this user may not make network namespaces (ip netns add)");
        return;
    };
    let folder = scratch("hosts");
    let written = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file can be written");
        path.to_str().expect("a path in Unicode").to_owned()
    };
    let list = written("list", "10.77.0.1:7700\n10.77.0.2:7700\n");
    let secrets =
        [written("one", "a secret of sixteen bytes\n"), written("other", "another secret of this length\n")];
    let both = |verifiers: [&Path; 2], secrets: [&str; 2]| {
        let start = |host: usize| {
            let number = host.to_string();
            let options = ["--cluster", &list, "--process", &number, "--secret", secrets[host], "-j1"];
            hosts.start(host, verifiers[host], &options)
        };
        [start(0), start(1)]
    };
    let ended = |children: [Child; 2]| -> [Output; 2] {
        children.map(|child| child.wait_with_output().expect("it ends"))
    };
    let [one, other] = [&secrets[0][..], &secrets[1][..]];
    let [first, second] = ended(both([&GOOD, &GOOD], [one, one]));
    expect(&first, 0, &["122 states", "process 1 (10.77.0.2:7700)"]);
    assert_eq!(second.status.code(), Some(0), "{}", shown(&second));
    let outputs = ended(both([&GOOD, &ERRORS], [one, one]));
    assert!(
        outputs.iter().all(|output| matches!(output.status.code(), Some(2 | 3))),
        "{}",
        shown(&outputs[0])
    );
    assert!(outputs.iter().any(|output| shown(output).contains("model")), "{}", shown(&outputs[0]));
    let [mut first, second] = both([&GOOD, &GOOD], [one, other]);
    let second = second.wait_with_output().expect("it ends");
    expect(&second, 2, &["--secret"]);
    first.kill().expect("it waits for the other one");
    let _ = first.wait();
    let children = both([&COUNTERS, &COUNTERS], [one, one]);
    std::thread::sleep(Duration::from_secs(3));
    let cut = Instant::now();
    hosts.cut();
    let outputs = ended(children);
    assert!(cut.elapsed() < Duration::from_secs(15), "{:?}", cut.elapsed());
    for (output, other) in outputs.iter().zip(["process 1 (", "process 0 ("]) {
        expect(output, 3, &[other, "is lost"]);
    }
}
