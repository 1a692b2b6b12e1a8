//! `mcc --run` reports what the verifier says in words, whatever its exit code is, and hands
//! signals on to it.

#![cfg(test)]
#![cfg(unix)]

#[path = "support/fake_cargo.rs"]
mod fake_cargo;
mod support;

use fake_cargo::{ANNOUNCE, Workshop};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use support::{build, mcc, root, shown, text};

#[track_caller]
fn expect(output: &Output, code: i32, said: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", shown(output));
    assert!(text(&output.stderr).contains(said), "{}", shown(output));
}

#[test]
fn an_exit_code_alone_is_no_verdict() {
    let silent = "has not announced a verdict";
    for (number, (script, code, said)) in [
        ("exit 0", 3, silent),
        ("exit 1", 3, silent),
        ("echo verified; exit 0", 3, silent),
        ("exit 2", 2, silent),
        ("exit 77", 77, silent),
        ("exit 130", 130, ""),
        ("kill -9 $$", 137, "SIGKILL"),
        ("announce verified 0", 0, ""),
        ("announce answered 0", 0, ""),
        ("announce violated 1", 1, ""),
        ("announce wrong 2", 2, ""),
        ("announce inconclusive 3", 3, ""),
        ("announce violated 0", 3, silent),
        ("MCC_VERDICT_NONCE=0; announce verified 0", 3, silent),
        ("(sleep 30) & exit 0", 3, silent),
    ]
    .into_iter()
    .enumerate()
    {
        let workshop =
            Workshop::new(&format!("verdict-{number}"), &format!("#!/bin/sh\n{ANNOUNCE}\n{script}\n"));
        let began = Instant::now();
        // Not through pipes: what a script leaves behind would hold them open.
        let errors = workshop.folder.join("errors");
        let status = workshop
            .mcc()
            .arg("--run")
            .arg(&workshop.model)
            .stdout(Stdio::null())
            .stderr(fs::File::create(&errors).unwrap())
            .status()
            .unwrap();
        let stderr = fs::read(&errors).unwrap();
        let output = Output { status, stdout: Vec::new(), stderr };
        expect(&output, code, said);
        assert_eq!(said.is_empty(), output.stderr.is_empty(), "{script}: {}", shown(&output));
        assert!(began.elapsed() < Duration::from_secs(25), "{script}: mcc waited for what was left behind");
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "the signal was not sent");
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "{} does not appear", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn signals_are_handed_on() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if is_ignored(number) {
            eprintln!("skipped: SIG{name} is ignored here, as in the background of a script");
            continue;
        }
        let script = format!(
            "#!/bin/sh\n{ANNOUNCE}\ntrap 'announce inconclusive 3' {name}\ntouch started\n\
             while :; do sleep 0.1; done\n"
        );
        let workshop = Workshop::new(&format!("signal-{name}"), &script);
        let child = workshop.mcc().arg("--run").arg(&workshop.model).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&workshop.folder.join("started"));
        signal(&child, name);
        expect(&child.wait_with_output().unwrap(), 3, "");
    }
}

/// Whether this process was started with a signal ignored. So are its children then, and a shell
/// among them cannot trap the signal.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// A real verifier, in the midst of a search.
#[test]
fn a_search_is_interrupted_and_ends_with_mcc() {
    let model = root().join("tests/verifier/counters.m");
    build(&model).unwrap_or_else(|error| panic!("{error}"));
    let start = || {
        let mut command = mcc();
        command.arg("--run").arg(&model).args(["--", "--memory", "200M", "--progress", "off"]);
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let verifier_of = |mcc: &Child| -> u32 {
        let children = format!("/proc/{0}/task/{0}/children", mcc.id());
        let began = Instant::now();
        loop {
            let found = fs::read_to_string(&children).unwrap_or_default();
            let child = found.split_whitespace().next().and_then(|child| child.parse().ok());
            // Until it is the verifier, it is cargo.
            let name = child.and_then(|child: u32| fs::read_to_string(format!("/proc/{child}/comm")).ok());
            if let (Some(child), true) = (child, name.is_some_and(|name| name.starts_with("counters-"))) {
                return child;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "no verifier is started");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let running = start();
    verifier_of(&running);
    std::thread::sleep(Duration::from_millis(500));
    signal(&running, "INT");
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", shown(&output));
    assert!(text(&output.stdout).contains("interrupted"), "{}", shown(&output));

    // From a terminal the signal reaches both, and so it reaches the verifier twice; that is one
    // Ctrl-C all the same.
    let running = start();
    verifier_of(&running);
    std::thread::sleep(Duration::from_millis(500));
    let group = format!("-{}", running.id());
    let status = Command::new("kill").args(["-s", "INT", "--", &group]).status();
    assert!(status.is_ok_and(|status| status.success()), "the signal was not sent");
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", shown(&output));

    let mut running = start();
    let verifier = verifier_of(&running);
    std::thread::sleep(Duration::from_millis(500));
    running.kill().unwrap();
    running.wait().unwrap();
    let began = Instant::now();
    // Gone, or a zombie that nobody has waited for yet.
    let lives = || {
        let state = fs::read_to_string(format!("/proc/{verifier}/stat")).unwrap_or_default();
        state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    while lives() {
        assert!(began.elapsed() < Duration::from_secs(20), "the verifier searches on for nobody");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn questions_are_answered_without_a_search() {
    let model = root().join("models/dekker.m");
    for option in ["--help", "--version", "--licence"] {
        let output = mcc().arg("--run").arg(&model).args(["--", option]).output().unwrap();
        expect(&output, 0, "");
        assert!(!output.stdout.is_empty());
    }
}
