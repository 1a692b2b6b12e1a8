//! What cannot be printed is no success: everything that mcc and verifiers print, into a device
//! that is always full.

#![cfg(test)]
#![cfg(target_os = "linux")]

mod support;

use std::fs::File;
use std::process::{Command, Output, Stdio};
use support::{build, mcc, root, scratch, shown, text};

/// Runs a command with its standard output on a full device.
fn into_full(command: &mut Command) -> Output {
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    command.stdout(full).stderr(Stdio::piped()).stdin(Stdio::null()).output().expect("it runs")
}

#[track_caller]
fn expect(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", shown(output));
    assert!(text(&output.stderr).contains("No space left on device"), "{}", shown(output));
    assert!(!text(&output.stderr).contains("panicked"), "{}", shown(output));
}

#[test]
fn mcc_says_that_it_could_not_print() {
    let model = root().join("models/dekker.m");
    let model = model.to_str().expect("a name");
    for arguments in [
        &["--help"] as &[&str],
        &["-h"],
        &["-V"],
        &["--independence", model],
        &["--independence", "--json", "-", model],
        &["--independence", "--json", "/dev/full", model],
        &["--check", "--json", "-", model],
        &["--check-independence", model],
        &["--simulate", model],
    ] {
        expect(&into_full(mcc().args(arguments)), 2);
    }
    // The exit codes of verifiers: what nobody can read is inconclusive.
    for arguments in
        [&[] as &[&str], &["--help"], &["--version"], &["--licence"], &["--quiet"], &["--json", "-"]]
    {
        expect(&into_full(mcc().args(["--interpret", model, "--"]).args(arguments)), 3);
    }
    // An error that was found is one, even if only the exit code is left to say so.
    let broken = root().join("models/broken/deadlock_philosophers.m");
    expect(&into_full(mcc().arg("--interpret").arg(broken)), 1);
}

#[test]
fn diagnostics_that_nobody_sees_are_no_success() {
    let folder = scratch("full-device");
    let model = folder.join("warned.m");
    std::fs::write(&model, "var x: 0..1;\nstartstate x := 0; end;\ninvariant x <= 1;\n").expect("a file");
    let full = || File::options().write(true).open("/dev/full").expect("Linux has it");
    let output = mcc().arg("--check").arg(&model).stderr(full()).output().expect("mcc runs");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn a_trace_that_was_replayed_is_printed() {
    let folder = scratch("full-device");
    let (model, report) = (root().join("models/broken/deadlock_philosophers.m"), folder.join("report.json"));
    let found = mcc().arg("--interpret").arg(&model).arg("--").arg("--json").arg(&report).output();
    assert_eq!(found.expect("mcc runs").status.code(), Some(1));
    assert!(mcc().arg("--replay").arg(&report).arg(&model).output().expect("mcc runs").status.success());
    expect(&into_full(mcc().arg("--replay").arg(&report).arg(&model)), 2);
}

#[test]
fn verifiers_say_that_they_could_not_print() {
    let verifier = build(&root().join("models/dekker.m")).unwrap_or_else(|error| panic!("{error}"));
    for arguments in
        [&[] as &[&str], &["--help"], &["--version"], &["--licence"], &["--quiet"], &["--json", "-"]]
    {
        expect(&into_full(Command::new(&verifier).args(arguments)), 3);
    }
    let run = into_full(mcc().arg("--run").arg(root().join("models/dekker.m")));
    expect(&run, 3);
}

/// Behind `| head` nobody reads to the end, and that is no failure.
#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child =
        mcc().arg("--help").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mcc runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("mcc ends");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}
