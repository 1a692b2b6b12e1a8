//! Every model of ours, and every small one that probes what a construct means, built and run in both layouts,
//! both search orders and by several numbers of threads, against the figures beside it, and against Rumur where that is on the path and accepts
//! the model.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use support::{Expectation, build, models, replay, root, verify};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let folders = [root().join("models"), root().join("tests/meaning")];
    for (path, expectation) in folders.iter().flat_map(|folder| models(folder)) {
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        let ours = (path.clone(), expectation.clone());
        trials.push(Trial::test(name.clone(), move || check(&ours.0, &ours.1)));
        if expectation.rumur {
            let found = rumur::is_installed();
            let trial =
                Trial::test(format!("{name} against rumur"), move || rumur::check(&path, &expectation));
            trials.push(trial.with_ignored_flag(!found));
        }
    }
    if !rumur::is_installed() {
        eprintln!("rumur is not on the path: the comparisons with it are skipped");
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Orders of search; small models make use of threads only if they are told to.
const ORDERS: [&[&str]; 6] = [
    &[],
    &["-vdfs"],
    &["-j1"],
    &["-j2", "--threads-from", "1"],
    &["-j3", "--threads-from", "10"],
    &["-j8", "--threads-from", "1"],
];

/// Both layouts and all orders agree with what is expected.
fn check(model: &Path, expectation: &Expectation) -> Result<(), Failed> {
    let verifier = build(model)?;
    for layout in [&[] as &[&str], &["-b"]] {
        for order in ORDERS {
            let options: Vec<String> = layout
                .iter()
                .chain(order)
                .map(|option| (*option).to_owned())
                .chain(expectation.options.clone())
                .collect();
            compare(model, &verifier, &options, expectation, order != ["-vdfs"])
                .map_err(|difference| format!("with {options:?}: {difference}"))?;
        }
    }
    Ok(())
}

fn compare(
    model: &Path,
    verifier: &Path,
    options: &[String],
    expectation: &Expectation,
    breadth_first: bool,
) -> Result<(), String> {
    let verdict = verify(verifier, options)?;
    let report = &verdict.report;
    same("verdict", report["verdict"].as_str(), Some(expectation.verdict.as_str()))?;
    let exit = if expectation.verdict == "verified" { 0 } else { 1 };
    same("exit code", verdict.exit, Some(exit))?;
    if expectation.verdict == "verified" {
        same("states", report["states"].as_u64(), expectation.states)?;
        same("rules", report["rules"].as_u64(), expectation.rules)?;
        if breadth_first && expectation.depth.is_some() {
            same("depth", report["depth"].as_u64(), expectation.depth)?;
        }
        return Ok(());
    }
    let error = &report["errors"][0];
    same("error", error["kind"].as_str(), expectation.error.as_deref())?;
    if !expectation.errors.is_empty() {
        let kinds = report["errors"].as_array().into_iter().flatten();
        let found: Vec<&str> = kinds.filter_map(|error| error["kind"].as_str()).collect();
        same("errors", found, expectation.errors.iter().map(String::as_str).collect())?;
    }
    if breadth_first && let Some(length) = expectation.trace {
        // The first entry of a trace is the start state.
        let steps = error["trace"].as_array().map(|trace| trace.len() as u64 - 1);
        same("trace length", steps, Some(length))?;
    }
    replay(model, report)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, expected {expected:?}")) }
}

/// The peer that Debian packages.
mod rumur {
    use super::support::{Expectation, scratch, shown};
    use libtest_mimic::Failed;
    use std::path::Path;
    use std::process::Command;

    pub fn is_installed() -> bool {
        Command::new("rumur").arg("--version").output().is_ok_and(|output| output.status.success())
    }

    /// Rumur gives the figures that we expect of ourselves.
    pub fn check(model: &Path, expectation: &Expectation) -> Result<(), Failed> {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = scratch("rumur");
        let (code, checker) = (folder.join(format!("{name}.c")), folder.join(&name));
        let deadlock =
            if expectation.options.iter().any(|option| option == "-ndl") { "off" } else { "stuttering" };
        run(Command::new("rumur")
            .args(["--symmetry-reduction", "off", "--threads", "1", "--deadlock-detection", deadlock])
            .arg("--output")
            .arg(&code)
            .arg(model))?;
        run(Command::new("cc")
            .args(["-std=c11", "-O2", "-mcx16"])
            .arg(&code)
            .arg("-o")
            .arg(&checker)
            .args(["-lpthread"]))?;
        let output = Command::new(&checker).output()?;
        let verified = output.status.success();
        if verified != (expectation.verdict == "verified") {
            return Err(format!("rumur disagrees: {}", shown(&output)).into());
        }
        if verified {
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            for (what, expected) in [("states", expectation.states), ("rules fired", expectation.rules)] {
                let found = number_before(&printed, what);
                if found != expected {
                    return Err(format!("rumur counts {found:?} {what}, we expect {expected:?}").into());
                }
            }
        }
        Ok(())
    }

    fn run(command: &mut Command) -> Result<(), Failed> {
        let output = command.output()?;
        if output.status.success() { Ok(()) } else { Err(format!("{command:?}: {}", shown(&output)).into()) }
    }

    /// The number in front of a word in "123 states, 456 rules fired in 0s".
    fn number_before(text: &str, word: &str) -> Option<u64> {
        let line = text.lines().rev().find(|line| line.contains("rules fired in"))?;
        let before = line.split(word).next()?;
        before.trim_end().rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
}
